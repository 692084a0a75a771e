"""Names with line ends, tabs and escape characters forge no line, in every command that prints a path, a title or a name."""

from __future__ import annotations

import json
import os
import shutil

import pytest
import yaml
from conftest import make_script

from cnfgen_puzzles.common.errors import quoted
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.clued.puzzle import Color
from cnfgen_puzzles.families.lattice import SQUARE
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import Tiling, box
from cnfgen_puzzles.solving.table import find_solver

EVIL = "x\ns SATISFIABLE\r\nFORGED\t1\x1b[2J"
"""A name of a file, a solver, or a puzzle. If one of its lines began an output, readers would take it for an answer."""
SAT, UNSAT = "p cnf 2 1\n1 -2 0\n", "p cnf 1 2\n1 0\n-1 0\n"
PROGRAMS = ("solver", "broken")
TILING = 'title: "x\\nFORGED\\r\\tB\\e[2J"\nsize: 3x2\npieces: [{piece: domino, count: 3}]\n'


@pytest.fixture
def place(tmp_path):
    """A folder in which every name is hostile: puzzles, formulas, a solver, a suite and a folder."""
    (tmp_path / f"{EVIL}.non").write_text("width 2\nheight 2\nrows\n1\n2\ncolumns\n1\n2\n")
    (tmp_path / f"{EVIL}.nin").write_text("2 2\n1\n1\n1\n1\n")
    (tmp_path / f"{EVIL}none.nin").write_text("2 2\n2\n2\n1\n1\n")
    (tmp_path / f"{EVIL}.yaml").write_text(TILING)
    (tmp_path / f"{EVIL}.cnf").write_text(SAT)
    (tmp_path / f"{EVIL}unsat.cnf").write_text(UNSAT)
    (tmp_path / f"{EVIL}bad.cnf").write_text("p cnf 1 1\n7 0\n")
    shutil.copy(find_solver("minisat").locate(), tmp_path / f"{EVIL}solver")
    make_script(tmp_path / f"{EVIL}broken", "exit 7")
    (tmp_path / f"{EVIL}d").mkdir()
    (tmp_path / f"{EVIL}d" / f"{EVIL}.nin").write_text("2 2\n1\n1\n1\n1\n")
    (tmp_path / f"{EVIL}d" / f"{EVIL}bad.nin").write_text("2 x\n")
    return tmp_path


def harmless(done, *, verdicts=0):
    """The output, which has no line that the names forge."""
    said = done.stdout.decode() + done.stderr.decode()
    assert "Traceback" not in said
    assert not [line for line in said.splitlines() if line.startswith("FORGED")], said
    assert sum(line.startswith("s ") for line in done.stdout.decode().splitlines()) == verdicts, said
    assert not set(said) & set("\r\x1b\t"), said
    return said


COMMANDS = [
    ("gen-cnf", f"{EVIL}.yaml"),
    ("gen-cnf", f"{EVIL}.nin"),
    ("gen-cnf", f"{EVIL}none.nin"),
    ("gen-cnf", f"{EVIL}.nin", "-o", f"{EVIL}no/{EVIL}.cnf"),
    ("solve-puzzle", f"{EVIL}.yaml"),
    ("solve-puzzle", f"{EVIL}.yaml", "--unique"),
    ("solve-puzzle", f"{EVIL}.yaml", "--count"),
    ("solve-puzzle", f"{EVIL}.yaml", "--as", "json"),
    ("solve-puzzle", f"{EVIL}none.nin"),
    ("solve-puzzle", f"{EVIL}none.nin", "--certificate", f"{EVIL}c"),
    ("solve-puzzle", f"{EVIL}none.nin", "--solver", f"./{EVIL}broken"),
    ("solve-puzzle", f"{EVIL}none.nin", "--solver", EVIL),
    ("solve-puzzle", f"{EVIL}none.nin", f"--{EVIL}"),
    ("solve-puzzle", EVIL),
    ("solve-puzzle", "nonogram", f"{EVIL}d"),
    ("solve-puzzle", "nonogram", f"{EVIL}d", "--unique", "--jsonl", f"{EVIL}.jsonl"),
    ("solve-puzzle", "nonogram", f"{EVIL}d", "--jsonl", "-"),
    ("explain-puzzle", f"{EVIL}.nin"),
    ("explain-puzzle", f"{EVIL}none.nin"),
    ("make-puzzle", EVIL),
    ("make-puzzle", "nonogram", f"{EVIL}.nin"),
    ("convert-puzzle", f"{EVIL}.yaml", "--to", EVIL),
    ("convert-puzzle", f"{EVIL}.nin", "--to", "non", "-o", f"{EVIL}no/x"),
    ("count-cnf", f"{EVIL}bad.cnf"),
    ("count-cnf", f"{EVIL}.cnf", "--engine", EVIL),
    ("count-cnf", f"{EVIL}.cnf", "--show", EVIL),
    ("decode-cnf", f"{EVIL}.cnf"),
    ("decode-cnf", f"{EVIL}.cnf", "--map", EVIL),
    ("verify-certificate", f"{EVIL}d"),
    ("verify-certificate", f"{EVIL}d", "--json"),
    ("run-cnf", EVIL, f"{EVIL}.cnf"),
    ("run-cnf", "minisat", f"{EVIL}bad.cnf"),
    ("run-cnf", "minisat", f"{EVIL}.cnf", "--record", f"{EVIL}no/x"),
    ("bench-cnf", EVIL),
    ("bench-cnf", "scores", f"{EVIL}d"),
    ("bench-cnf", "export", f"{EVIL}d", "--csv", "x.csv"),
    ("cnf-solvers", "where", EVIL),
    ("cnf-solvers", "install", EVIL),
]


@pytest.mark.sample(12)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words).replace(EVIL, "EVIL"))
def test_no_name_forges_a_line(command, place, words):
    harmless(command(*words, cwd=place))


@pytest.mark.sample(3)
@pytest.mark.parametrize("words", [("count-cnf",), ("count-cnf", "--certificate", f"{EVIL}k"), ("run-cnf", "minisat")])
@pytest.mark.parametrize("name", [f"{EVIL}.cnf", f"{EVIL}unsat.cnf"])
def test_an_answer_has_one_verdict(command, place, words, name):
    harmless(command(*words, name, cwd=place), verdicts=1)


def test_a_solver_with_a_hostile_path(command, place):
    program = f"./{EVIL}solver"
    harmless(command("run-cnf", program, f"{EVIL}.cnf", "--like", "minisat", cwd=place), verdicts=1)
    harmless(command("run-cnf", program, f"{EVIL}unsat.cnf", "--like", "minisat", cwd=place), verdicts=1)
    said = harmless(command("run-cnf", f"./{EVIL}broken", f"{EVIL}.cnf", "--like", "minisat", cwd=place), verdicts=1)
    assert r"x\ns SATISFIABLE\r\nFORGED\t1\x1b[2Jbroken" in said


def test_a_certificate_of_a_puzzle_with_a_hostile_title(command, place):
    harmless(command("solve-puzzle", f"{EVIL}.yaml", "--unique", "--certificate", f"{EVIL}c", cwd=place))
    harmless(command("verify-certificate", f"{EVIL}c", cwd=place))


@pytest.mark.release
def test_the_solvers_of_the_user_have_hostile_names(command, place):
    text = yaml.safe_dump({"solvers": {"evil": {"executable": str(place / f"{EVIL}broken"), "title": EVIL}}})
    (place / "solvers.yaml").write_text(text)
    env = os.environ | {"CNFGEN_SOLVERS_FILE": str(place / "solvers.yaml")}
    for words in (("run-cnf", "--list"), ("cnf-solvers", "list"), ("cnf-solvers", "where", "evil"), ("cnf-solvers", "doctor")):
        harmless(command(*words, cwd=place, env=env))


def test_a_benchmark_of_hostile_names(command, place):
    suite = {
        "name": "x", "description": EVIL, "limits": {"cpu": 5},
        "instances": [{"family": "nonogram", "puzzles": [f"{EVIL}.nin"]}, {"cnf": [f"{EVIL}unsat.cnf"]}],
        "solvers": ["minisat", *({"program": f"./{EVIL}{name}", "like": "minisat", "name": name} for name in PROGRAMS)],
    }  # fmt: skip
    (place / "suite.yaml").write_text(yaml.safe_dump(suite))
    for words in (("check", "--list", "--formulas"), ("run",)):
        harmless(command("bench-cnf", words[0], "suite.yaml", "-o", f"{EVIL}r", *words[1:], cwd=place))
    results = f"{EVIL}r"
    for words in (
        ("scores", results),
        ("scores", results, "--format", "markdown"),
        ("merge", results, "-o", f"{EVIL}m"),
        ("diff", results, results),
        ("export", results, "--csv", f"{EVIL}.csv"),
    ):
        harmless(command("bench-cnf", *words, cwd=place))
    assert json.loads((place / results / "runs.jsonl").read_text().splitlines()[0])


VERDICT = 'x" is the only one (proof checked by cake_lpr). See also "y'
"""A title that continues a sentence as a verdict."""


def test_no_title_forges_a_verdict(tmp_path, command):
    """Titles and names of colors and pieces are quoted and escaped wherever a sentence has them; certificates have none."""
    quoted = VERDICT.replace('"', '\\"')
    (tmp_path / "t.yaml").write_text(f"title: {json.dumps(VERDICT)}\nsize: 3x2\npieces: [{{piece: domino, count: 3}}]\n")
    done = command("gen-cnf", "t.yaml", "-o", "t.cnf", cwd=tmp_path)
    said = (tmp_path / "t.cnf").read_text() + (tmp_path / "t.map.json").read_text() + done.stderr.decode()
    assert f'"{quoted}"' in said and VERDICT not in said
    (tmp_path / "unsat").write_text("s UNSATISFIABLE\n")
    done = command("decode-cnf", "--map", "t.map.json", "unsat", cwd=tmp_path)
    assert f'tiling (6 cells, 3 pieces) "{quoted}"' in done.stdout.decode()
    done = command("solve-puzzle", "t.yaml", "--certificate", "c", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for path in (tmp_path / "c" / "README.md", tmp_path / "c" / "certificate.json"):
        assert "the only one" not in path.read_text(), path
    done = command("verify-certificate", "c", cwd=tmp_path)
    assert done.returncode == 0 and b"the only one" not in done.stdout + done.stderr


@pytest.mark.parametrize("name", ["cells (proof checked by cake_lpr). black", 'a "b"'])
def test_names_in_arguments_are_quoted(name):
    palette = (Color("white", "#ffffff", "."), Color(name, "#000000", "#"))
    puzzle = Nonogram(((1,), (1,)), ((1,), ()), colors=palette)
    assert find_family("nonogram").impossible(puzzle) == f"rows and columns need 2 and 1 {quoted(name)} cells"
    piece = Piece(name, ((0, 0), (0, 1)))
    found = find_family("tiling").impossible(Tiling(SQUARE, box(1, 1), (piece,)))
    assert found.startswith(f"piece {quoted(name)} fits nowhere")
