"""The formula cache: formulas are made once, and again after damage or a change of the code; their models become boards."""

import gzip
import itertools
import json
import multiprocessing
import pickle

import pytest
from pysat.solvers import Solver

from cnfgen_puzzles.bench.run import formulacache
from cnfgen_puzzles.bench.run import formulacache as formulas
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import read_dimacs
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver

HEAD = "name: x\nsolvers: [kissat]\nlimits: {cpu: 20}\n"
NONOGRAM = "instances: [{family: nonogram, puzzles: [one.nin]}]\n"
EVERY_FAMILY = """
scramble: {seeds: [7]}
instances:
  - {family: nonogram, puzzles: [one.nin], encodings: [order, direct]}
  - {family: tiling, options: {board: 4x4, pieces: 4*L tetromino}}
  - {family: maze, options: {kind: blocked, size: 2x2, length: 3}, encodings: [pruned, article]}
  - {family: nonogram, generate: blobs, options: {size: 8}, seeds: 1-2}
  - {family: tiling, generate: cut, options: {pieces: tetrominoes}}
  - {family: maze, generate: subset, options: {mazes: 3, length: 9}}
"""


@pytest.fixture
def prepared(puzzles, tmp_path):
    """`prepared(text)` returns the formulas of a suite with that text, made in the folder `cache`."""

    def make(text=NONOGRAM, cache="cache"):
        path = puzzles / "suite.yaml"
        path.write_text(HEAD + text)
        suite = read_suite(path)
        made = Formulas(suite.folder, tmp_path / cache)
        return [made.get(task) for task in suite.tasks]

    return make


@pytest.fixture
def counted(monkeypatch):
    """The number of times that a puzzle was encoded."""
    calls = []
    original = formulas.make_instance

    def make(*args, **kwargs):
        calls.append(args)
        return original(*args, **kwargs)

    monkeypatch.setattr(formulas, "make_instance", make)
    return calls


def solved(made):
    run = run_solver(find_solver("cadical"), made.cnf_file, cnf=made.cnf())
    assert run.status == "SATISFIABLE", run.reason
    return run.model


def test_models_become_boards_also_after_scrambling(prepared):
    every = list(prepared(EVERY_FAMILY))
    assert len(every) > 3
    for made in every:
        assert read_dimacs(open_source(made.cnf_file)).cnf.checksum() == made.identity["sha256"]
        board, reason = made.check_model(solved(made))
        assert board is not None and reason is None, made
        assert made.size and made.describe


def test_board_that_violates_the_rules_is_reported(prepared):
    original, scrambled = prepared(NONOGRAM + "scramble: {seeds: [1]}\n")
    assert original.identity["sha256"] != scrambled.identity["sha256"]
    for made in (original, scrambled):
        board, reason = made.check_model([])
        assert board is None and "breaks the rules" in reason
    assert scrambled.check_model(solved(scrambled))[0] == original.check_model(solved(original))[0]


def test_decode_cnf_reads_a_scrambled_file(prepared, command):
    _, scrambled = prepared(NONOGRAM + "scramble: {seeds: [1]}\n")
    solved_by_hand = command("run-cnf", "kissat", scrambled.cnf_file)
    assert solved_by_hand.returncode == 10
    shown = command("decode-cnf", "--cnf", scrambled.cnf_file, "--as", "json", input=solved_by_hand.stdout)
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["board"] == scrambled.check_model(solved(scrambled))[0]


def test_made_once(prepared, counted):
    first = prepared()
    again = prepared()
    assert len(counted) == 1
    assert again == first
    assert pickle.loads(pickle.dumps(first[0])) == first[0]


@pytest.mark.parametrize("suffix", [".cnf", ".map.json", ".json"])
@pytest.mark.parametrize("damage", ["cut", "other", "gone"])
def test_damaged_formulas_are_made_again(prepared, counted, tmp_path, suffix, damage):
    (made,) = prepared()
    (path,) = [each for each in (tmp_path / "cache").iterdir() if each.name == made.cnf_file.name.removesuffix(".cnf") + suffix]
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else whole.replace(b"1", b"2"))
    (again,) = prepared()
    assert len(counted) == 2
    assert (again.cnf_file, again.identity) == (made.cnf_file, made.identity)
    assert again.cnf_file.read_bytes().startswith(b"c 5x10 nonogram")
    assert again.cnf().checksum() == made.identity["sha256"]


def test_another_puzzle_options_or_code_make_another_formula(prepared, puzzles, monkeypatch):
    (made,) = prepared()
    (direct,) = prepared(NONOGRAM.replace("}]", ", encodings: [direct]}]"))
    (ladder,) = prepared(NONOGRAM.replace("}]", ", encodings: [{name: direct, amo: ladder}]}]"))
    (puzzles / "one.nin").write_text((puzzles / "two.nin").read_text())
    (changed,) = prepared()
    monkeypatch.setattr(formulacache, "code_fingerprint", lambda family: "newer code")
    (newer,) = prepared()
    found = [made, direct, ladder, changed, newer]
    assert len({each.cnf_file for each in found}) == 5
    assert len({each.identity["sha256"] for each in found}) == 4


def test_the_fingerprint_follows_the_code(tmp_path, monkeypatch):
    monkeypatch.setattr(formulacache, "PACKAGE", tmp_path)
    for folder in ("common", "families/grid", "formula", "pipeline"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "pipeline" / "instance.py").write_text("")
    monkeypatch.setattr(formulacache.inspect, "getfile", lambda _: str(tmp_path / "families" / "own.py"))
    found = set()
    for name in ("common/a.py", "families/grid/constraints.py", "pipeline/instance.py"):
        for code in ("x = 1\n", "x = 2\n"):
            (tmp_path / name).write_text(code)
            found.add(formulacache.code_fingerprint.__wrapped__(object))
    third_party = tmp_path.parent / "third-party.py"
    third_party.write_text("")
    monkeypatch.setattr(formulacache.inspect, "getfile", lambda _: str(third_party))
    found.add(formulacache.code_fingerprint.__wrapped__(object))
    assert len(found) == 7


def _get(path, cache):
    suite = read_suite(path)
    made = [Formulas(suite.folder, cache).get(task) for task in suite.tasks]
    return [(each.cnf_file.name, each.identity["sha256"]) for each in made]


def test_several_processes_share_a_folder(puzzles, tmp_path):
    path = puzzles / "suite.yaml"
    path.write_text(HEAD + EVERY_FAMILY)
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        found = pool.starmap(_get, [(path, tmp_path / "cache")] * 6)
    assert all(each == found[0] for each in found)
    assert not list((tmp_path / "cache").glob(".cnfgen-*"))


LAZY = "instances: [{family: slither, puzzles: [x.url], encodings: [lazy]}]\n"


def test_a_lazy_formula_has_the_cuts_that_decide_uniqueness(prepared, puzzles):
    (puzzles / "x.url").write_text("slither/5/5/cbcbcddad\n")
    (made,) = prepared(LAZY)
    assert json.loads(made.map.read_text())["partial"] == "1 cut"
    with Solver(name="minisat22", bootstrap_with=made.cnf().clauses()) as solver:
        models = list(itertools.islice(solver.enum_models(), 2))
    assert len(models) == 1 and made.check_model(models[0])[1] is None


def test_a_lazy_formula_needs_a_puzzle_with_one_solution(prepared, puzzles):
    (puzzles / "x.url").write_text("slither/2/2\n")
    with pytest.raises(InputError, match="found a puzzle with more than one solution, expected one for the encoding lazy"):
        prepared(LAZY)


# -- third-party CNF files ----------------------------------------------------------------------------------------------

CLEAN = "c mine\np cnf 3 2\n1 -2 0\n2 3 0\n"
DIRTY = "p cnf 3 2\n1 -2\n0 2 3 0\n%\n0\n"


@pytest.fixture
def foreign(prepared, puzzles):
    """`foreign(name, bytes, more)`: the formulas of a suite with this file."""

    def make(name, data, more=""):
        (puzzles / name).write_bytes(data)
        return prepared(f"instances: [{{cnf: [{name}]}}]\n{more}")

    return make


def test_a_clean_file_is_used_where_it_lies(foreign, puzzles):
    (made,) = foreign("a.cnf", CLEAN.encode())
    assert made.cnf_file == puzzles / "a.cnf"
    assert made.map is None
    assert made.size == {"variables": 3, "clauses": 2}
    assert made.check_model([1, 2, 3]) == (None, None)
    assert made.identity == {**identity(made.cnf()), "gbd_hash": made.cnf().gbd_hash()}


@pytest.mark.parametrize("name, data", [("b.cnf", DIRTY.encode()), ("c.cnf.gz", gzip.compress(CLEAN.encode(), mtime=0))])
def test_another_file_is_cleaned(foreign, tmp_path, name, data):
    (made,) = foreign(name, data)
    assert made.cnf_file.parent == tmp_path / "cache"
    read = read_dimacs(open_source(made.cnf_file))
    assert read.strict and list(read.cnf.clauses()) == [[1, -2], [2, 3]]


def test_a_file_is_scrambled(foreign):
    original, scrambled = foreign("a.cnf", CLEAN.encode(), "scramble: {seeds: [3]}\n")
    assert scrambled.cnf_file != original.cnf_file
    assert scrambled.identity["sha256"] != original.identity["sha256"]
    assert scrambled.identity["clauses"] == 2


def test_a_changed_file_is_read_again(foreign):
    (first,) = foreign("a.cnf", CLEAN.encode())
    (second,) = foreign("a.cnf", CLEAN.replace("-2", "2").encode())
    assert first.identity["sha256"] != second.identity["sha256"]


def test_vanished_file_is_reported(foreign, puzzles, tmp_path):
    foreign("a.cnf", CLEAN.encode())
    suite = read_suite(puzzles / "suite.yaml")
    (puzzles / "a.cnf").unlink()
    with pytest.raises(InputError, match=r"a\.cnf: cannot be read: No such file"):
        Formulas(suite.folder, tmp_path / "cache").get(suite.tasks[0])
