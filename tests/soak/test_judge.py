"""The soak test can fail: it detects false claims, lost processes, leftovers, and everything else that it looks for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from random import Random

import pytest
from conftest import make_program
from exhaustive import nonogramranges
from repository import REPOSITORY

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from soak.event import examined, in_turn, planned
from soak.faults import FAULTS, Fault
from soak.judge import BOARD, COUNT, NONE, ONE, PROOF, RIGHT, SEVERAL, SOME, TOLD, WRONG, Statement, judged
from soak.liars import LIARS
from soak.puzzles import FAMILIES, Truth, random_puzzle
from soak.roads import Cast, counted
from soak.stage import Done, Stage
from soak.tally import Tally

SWITCH = Nonogram(((1,), (1,)), ((1,), (1,)))
DIAGONALS = frozenset({((True, False), (False, True)), ((False, True), (True, False))})
TWO, NO = (Truth("nonogram", SWITCH, boards, nonogramranges.key) for boards in (DIAGONALS, frozenset()))
LEFT, RIGHTMOST = ({"width": 2, "height": 2, "rows": rows} for rows in (["#.", ".#"], [".#", "#."]))


@pytest.mark.parametrize(
    ("claim", "truth", "liar", "verdict"),
    [
        (Statement(BOARD, "x", (LEFT,)), TWO, False, RIGHT),
        (Statement(BOARD, "x", (LEFT | {"rows": ["##", ".."]},)), TWO, True, WRONG),
        (Statement(BOARD, "x", ({"rows": 7},)), TWO, False, WRONG),
        (Statement(SEVERAL, "x", (LEFT, RIGHTMOST)), TWO, False, RIGHT),
        (Statement(SEVERAL, "x", (LEFT, LEFT)), TWO, False, WRONG),
        (Statement(NONE, "x"), TWO, False, WRONG),
        (Statement(NONE, "x"), TWO, True, TOLD),
        (Statement(NONE, "x", evidence=PROOF), TWO, True, WRONG),
        (Statement(NONE, "x"), NO, True, RIGHT),
        (Statement(ONE, "x", (LEFT,)), TWO, False, WRONG),
        (Statement(ONE, "x", (LEFT,), limited=True), TWO, False, RIGHT),
        (Statement(COUNT, "x", number=2), TWO, False, RIGHT),
        (Statement(COUNT, "x", number=1), TWO, False, WRONG),
        (Statement(SOME, "x", number=1), TWO, False, RIGHT),
        (Statement(SOME, "x", number=3), TWO, False, WRONG),
    ],
)
def test_verdicts(claim, truth, liar, verdict):
    assert judged(claim, truth, liar=liar)[0] == verdict


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(12))
def test_puzzles_are_files_of_the_puzzles_whose_solutions_are_known(tmp_path, number):
    puzzle = random_puzzle(Random(number))
    (tmp_path / puzzle.file).write_text(puzzle.text)
    read = cp.read(tmp_path / puzzle.file, family=puzzle.family, **puzzle.options)
    assert cp.count(read, raw=True).raw == puzzle.truth.count


@pytest.mark.release
def test_puzzles_are_of_all_kinds():
    families = {random_puzzle(Random(number)).family for number in range(40)}
    assert families > set(FAMILIES) and len(families) > 12


@pytest.fixture
def cast(tmp_path):
    return Cast(planned(1, 1).puzzle, ["kissat"], (), False, False, frozenset(), Stage(tmp_path / "event"), 1)


@pytest.mark.parametrize(
    ("code", "out", "err", "kind"),
    [
        (1, "", 'Traceback (most recent call last):\n  File "/x/cnfgen_puzzles/y.py", line 1\n', "traceback"),
        (4, "", "", "exit code"),
        (-11, "", "", "exit code"),
        (1, "", "\x1b[31mowned", "escape"),
        (0, "", "", "silent"),
    ],
)
def test_what_no_command_may_do(cast, code, out, err, kind):
    problems = examined(planned(1, 1), cast, [], [Done(("run-cnf",), code, out, err)], calm=True)
    assert kind in {found for found, _ in problems}


@pytest.mark.parametrize("of_package", ["", '  File "/x/cnfgen_puzzles/__init__.py", line 28, in <module>\n'])
def test_the_interpreters_own_start_is_not_ours(cast, of_package):
    """Ctrl-C before the first line of `cli/start.py`."""
    trace = (
        f'Traceback (most recent call last):\n  File "/venv/bin/gen-cnf", line 5, in <module>\n{of_package}KeyboardInterrupt\n'
    )
    assert examined(planned(1, 1), cast, [], [Done(("gen-cnf",), -2, "", trace)], calm=False) == []


def test_an_exit_code_that_contradicts_the_answer(cast):
    entry = {"complete": True, "raw": 3, "solutions": 2, "engine": "clasp"}
    assert counted(cast, Done(("solve-puzzle",), 3, json.dumps(entry), "")) == [Statement(COUNT, "clasp", number=3)]
    assert counted(cast, Done(("solve-puzzle",), 0, "{", "")) == []
    assert [kind for kind, _ in cast.faults] == ["exit code", "exit code"]


def test_leftovers(tmp_path):
    stage = Stage(tmp_path)
    assert stage.leftovers("") == []
    for path in (stage.scratch / "cnfgen-run-x", stage.scratch / "cnfgen-kept-a", stage.scratch / "cnfgen-kept-b"):
        path.mkdir()
    (stage.out / ".x.cnf.123.partial").touch()
    assert stage.leftovers("its output is kept in cnfgen-kept-a") == ["cnfgen-kept-b", "cnfgen-run-x", "out/.x.cnf.123.partial"]


def test_survivors_and_commands_that_never_end(tmp_path):
    """A daemon that left its parent is found, reported and killed; so is a command that exceeds all time limits."""
    daemon = make_program(tmp_path / "daemon", "#!/bin/sh\n(setsid sleep 300 &)\nexit 0\n")
    endless = make_program(tmp_path / "endless", "#!/bin/sh\nsleep 300\n")
    script = f"""
from pathlib import Path
from random import Random
from soak import stage
from soak.faults import Fault
stage.PATIENCE = stage.SETTLING = 0.5
stage.prepare()
on = stage.Stage(Path({str(tmp_path / "event")!r}))
print(on.run([[{str(daemon)!r}]], Fault(Random(0)))[0].code, len(on.survivors()), bool(on.stuck))
print(on.run([[{str(endless)!r}]], Fault(Random(0)))[0].code, len(on.survivors()), bool(on.stuck), stage.descendants())
"""
    within = os.environ | {"PYTHONPATH": str(REPOSITORY / "tests")}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=False, env=within)
    assert done.stdout.splitlines() == ["0 1 False", "-9 0 True []"], done.stderr


def test_all_kinds_come_in_turn():
    for names in (FAULTS, LIARS):
        first, second = ([in_turn(list(names), 1, number + start) for number in range(len(names))] for start in (0, len(names)))
        assert set(first) == set(second) == set(names) and first != second
    one, again = planned(1, 5), planned(1, 5)
    assert (one.road, one.fault, one.puzzle.text) == (again.road, again.fault, again.puzzle.text)
    assert Fault(Random(0)).harmless


def test_the_table():
    tally = Tally()
    event = {"seed": 1, "number": 4, "fault": "load", "hit": "x", "commands": [1, 2], "verdicts": [RIGHT, TOLD], "problems": []}
    tally.add(event)
    assert tally.problems == 0 and "survivor: 0, " in tally.table()
    tally.add(event | {"number": 5, "problems": [{"kind": "survivor", "detail": "x"}]})
    assert tally.problems == 1 and "survivor: 1, a process that lived on after its command" in tally.table()
