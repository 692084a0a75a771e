"""The public interface: the library and the command agree on a puzzle, invalid calls are reported, and scripts are typed."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.pipeline import request
from cnfgen_puzzles.pipeline.cegar import CegarLoop
from cnfgen_puzzles.pipeline.instance import scramble_instance
from cnfgen_puzzles.pipeline.request import CountRequest, MusRequest, Request, SolveRequest, settings_of

SWITCH = "2 2\n1\n1\n1\n1\n"  # two solutions
DOT = "1 1\n1\n1\n"
CORNERS = "3 3\n1 1\n0\n1 1\n1 1\n1\n1\n"  # none, though the sums agree

PUZZLES = [
    ("nonogram", SWITCH, {}, "several", 2),
    ("nonogram", DOT, {}, "one", 1),
    ("nonogram", CORNERS, {}, "none", 0),
    ("tiling", None, {"board": "2x3", "pieces": "3*domino"}, "several", 3),
    ("tiling", None, {"board": "2x2", "pieces": "2x2"}, "one", 1),
    ("tiling", None, {"board": "2x2", "pieces": "I tromino"}, "none", 0),
    ("maze", None, {"kind": "thin", "size": "3x1", "length": 4}, "several", 2),
    ("maze", None, {"kind": "blocked", "size": "3x2", "pattern": "EES**"}, "one", 1),
    ("maze", None, {"kind": "blocked", "size": "3x2", "length": 4}, "none", 0),
]


@pytest.fixture
def switch():
    return cp.encode(Nonogram(((1,), (1,)), ((1,), (1,))))


# -- library and command ----------------------------------------------------------------------------------------------------


@pytest.mark.sample(4)
@pytest.mark.parametrize(("family", "text", "options", "verdict", "number"), PUZZLES)
def test_library_and_command_say_the_same(command, tmp_path, family, text, options, verdict, number):
    path, words = None, [f"--{name}={value}" for name, value in options.items()]
    if text is not None:
        path = tmp_path / "x.nin"
        path.write_text(text)
        words.append(path)
    puzzle = cp.read(path, family=family, **options)
    answer = cp.unique(puzzle, certify=True)
    assert (answer.verdict, answer.failed) == (verdict, False)
    assert answer.evidence.kind in {"several": ("model",), "one": ("proof",), "none": ("proof", "argument")}[verdict]
    assert ("proof checked by " in answer.sentence()) == (answer.evidence.kind == "proof")
    done = command("solve-puzzle", family, *words, "--unique", "--certify", "--as", "json", "--quiet")
    assert done.returncode == 0
    told, ours = json.loads(done.stdout), json.loads(json.dumps(answer.to_json()))
    for entry in (told, ours):
        for measured in ("runs", "seconds", "certificate"):
            entry.pop(measured, None)
    assert told == ours
    found = cp.count(puzzle, raw=True)
    assert (found.solutions, found.complete) == (number, True)
    if family == "nonogram":  # the sentences of the others come about in the same way
        done = command("solve-puzzle", family, *words, "--unique", "--certify", "--as", "plain")
        assert done.stdout.decode().endswith(answer.sentence() + "\n")
        counted = command("solve-puzzle", family, *words, "--count", "--raw", "--quiet")
        assert counted.stdout.decode() == found.sentence() + "\n"


def test_a_maze_is_solved_by_the_loop_and_its_instance_by_the_formula():
    puzzle = cp.read(family="maze", kind="blocked", size="3x3", length=10)
    rounds = []
    by_loop = cp.solve(puzzle, add=2, progress=rounds.append)
    assert isinstance(by_loop, cp.CegarAnswer)
    assert len(rounds) == by_loop.loop.rounds > 1
    by_formula = cp.solve(cp.encode(puzzle))
    assert isinstance(by_formula, cp.FormulaAnswer)
    assert by_loop.status == by_formula.status == "UNSATISFIABLE"


def test_ctrl_c_in_the_loop_says_how_far_it_came():
    def interrupt(loop):
        if loop.rounds == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"after 2 rounds, 10 of 39 mazes"):
        cp.solve(cp.read(family="maze", kind="blocked", size="3x3", length=10), progress=interrupt)


def test_the_certificate_of_the_only_board_leaves_that_board_out(monkeypatch):
    """Excluding another board than the one found is refused."""
    puzzle = cp.read(family="maze", kind="blocked", size="3x3", pattern="E**********")
    answer = cp.unique(puzzle, certify=True)
    assert (answer.verdict, answer.second.proof.verified) == ("one", True)
    loop = CegarLoop(answer.family, puzzle)
    assert len(list(loop.boards())) == 1
    board, signs = loop.found[0]
    loop.found[0] = (board, [not sign for sign in signs])
    with pytest.raises(cp.CnfgenError):
        loop.certify()


@pytest.mark.parametrize("seed", [1, 2])
def test_scrambled_instances_are_blocked_and_counted_by_their_own_variables(switch, seed):
    other = scramble_instance(switch, seed)
    assert cp.unique(other).verdict == "several"
    for engine in ("clasp", "blocking"):
        solutions = cp.solutions(other, engine=engine, jobs=1)
        assert len({solution.board for solution in solutions}) == solutions.count().solutions == 2
    tiling = cp.encode(cp.read(family="tiling", board="4x4", pieces="8*domino"))
    found = cp.count(scramble_instance(tiling, seed), engine="clasp", jobs=1)
    assert (found.solutions, found.raw) == (9, 36)


# -- settings -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, kind", [("Settings", Request), ("MusSettings", MusRequest), ("SolveSettings", SolveRequest),
                                        ("CountSettings", CountRequest)])  # fmt: skip
def test_the_settings_for_type_checkers_are_those_of_the_requests(name, kind):
    classes = {
        each.name: each for each in ast.walk(ast.parse(Path(request.__file__).read_text())) if isinstance(each, ast.ClassDef)
    }

    def names(each):
        inherited = names(classes[each.bases[0].id]) if each.bases[0].id in classes else []
        return inherited + [line.target.id for line in each.body if isinstance(line, ast.AnnAssign)]

    assert sorted(names(classes[name])) == sorted(settings_of(kind))


def test_help_lists_the_settings():
    assert "\n    seed: Set the seed of the solver.\n" in inspect.getdoc(cp.solve)
    assert "\n    up_to: Count solutions modulo symmetry, rotations, nothing" in inspect.getdoc(cp.count)


# -- mistakes in the call -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda i, p: cp.solve(i, limits=5), r"found limits=5, expected cnfgen_puzzles\.Limits\(cpu="),
        (lambda i, p: cp.solve(i, limits=cp.Limits(cpu=-1)), r"found Limits\(cpu=-1\), expected seconds"),
        (lambda i, p: cp.solve(i, limits=cp.Limits(wall="3")), r"found Limits\(wall='3'\)"),
        (lambda i, p: cp.solve(i, limits=cp.Limits(cpu=float("nan"))), r"found Limits\(cpu=nan\)"),
        (lambda i, p: cp.count(i, limits=cp.Limits(memory=0)), r"found Limits\(memory=0\), expected a whole number"),
        (lambda i, p: cp.solve(i, limits=cp.Limits(output=None)), r"found Limits\(output=None\)"),
        (lambda i, p: cp.solve(p, add=0), "found add=0, expected a whole number, at least 1"),
        (lambda i, p: cp.solutions(i, jobs=0), "found jobs=0, expected a whole number, at least 1"),
        (lambda i, p: cp.count(i, most=True), "found most=True"),
        (lambda i, p: cp.count(i, engine="claps"), "did you mean clasp"),
        (lambda i, p: cp.solve(i, seed="a"), "found seed='a', expected a whole number"),
        (lambda i, p: cp.solve(i, certify=1), "found certify=1, expected True or False"),
        (lambda i, p: cp.solve(i, certify=True, proof=False), "found certify, which needs the proof, and proof=False"),
        (lambda i, p: cp.solve(i, options={"amo": "product"}), "for an instance, which is already encoded"),
        (lambda i, p: cp.solve(i, encoding="order"), "for an instance, which is already encoded"),
        (lambda i, p: cp.solve(i, solver=[]), r"found solver=\[\], expected a solver's name or path, or a list of them"),
        (lambda i, p: cp.solve(i, solver="kisat"), "kissat"),
        (lambda i, p: cp.solve("x.nin"), "x.nin: no such file"),
        (lambda i, p: cp.draw(None, ()), "found a value of type NoneType, expected a puzzle"),
        (lambda i, p: cp.read("x.nin", family="nonogramm"), "did you mean nonogram"),
        (lambda i, p: cp.solve(p, encoding="oder"), "did you mean order"),
        (lambda i, p: cp.solve(p, encoding="direct", options={"am": "product"}), "did you mean amo"),
        (lambda i, p: cp.solve(p, add=3), "found add=3, which only the CEGAR loop uses"),
        (lambda i, p: cp.read(), "found neither a path nor family="),
        (lambda i, p: cp.read(family="nonogram"), "found no file, expected the path of a nonogram puzzle"),
        (
            lambda i, p: cp.unique(cp.read(family="maze", kind="blocked", size="3x3", length=10),
                                   options={"symmetry": "representatives"}),
            "leaves out symmetric ones"
        )
    ],
)  # fmt: skip
def test_mistakes_are_reported(switch, call, words):
    with pytest.raises(cp.InputError, match=words):
        call(switch, switch.puzzle)


def test_what_is_exported():
    assert set(cp.__all__) <= set(dir(cp))
    assert all(getattr(cp, name) is not None for name in cp.__all__)
    assert not hasattr(cp, "Limitz")
    done = subprocess.run(
        [sys.executable, "-c", "import sys, cnfgen_puzzles; print(len([m for m in sys.modules if 'cnfgen' in m]))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout) <= 3  # itself, common, common.version
