"""The types of the public API, checked by `mypy --strict` against the installed wheel; and the calls work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from published.wheels import clean_environment
from repository import INSTANCES

import cnfgen_puzzles
from cnfgen_puzzles.solving.table import find_solver

SCRIPT = Path(__file__).with_name("typed_user.py")

MISUSES = """\
import cnfgen_puzzles as cp
puzzle = cp.read("x.nin")
cp.solve()  # call-arg
cp.solve("x.nin")  # arg-type
cp.solve(puzzle, "kissat")  # call-arg
cp.solve(puzzle, time=60)  # call-arg
cp.solve(puzzle, limits=60)  # arg-type
cp.solve(puzzle, engine="clasp")  # call-arg
cp.count(puzzle, certify=True)  # call-arg
cp.unique(puzzle, most=1)  # call-arg
cp.Limits(cpus=3)  # call-arg
cp.solve(puzzle).boards.count  # no error
cp.solve(puzzle).run  # attr-defined
cp.unique(puzzle).answer  # attr-defined
cp.draw(puzzle, (), view=3)  # arg-type
number: int = cp.count(puzzle)  # assignment
cp.read(3)  # arg-type
cp.encode(puzzle).write("x.cnf")  # arg-type
cp.solution  # attr-defined
for board in cp.solutions(puzzle): board.cells  # attr-defined
"""


@pytest.fixture(scope="module")
def strict(installed, tmp_path_factory):
    """`strict(*files)`: the output of `mypy --strict`, outside of the checkout."""
    folder = tmp_path_factory.mktemp("mypy")

    def run(*files: Path) -> str:
        places = ["--python-executable", installed.python, "--cache-dir", folder / "cache"]
        command = [sys.executable, "-m", "mypy", "--strict", *places]
        done = subprocess.run(
            [*map(str, command), *map(str, files)], cwd=folder, capture_output=True, text=True, check=False, timeout=250,
            env=clean_environment(),
        )  # fmt: skip
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run


@pytest.mark.release
def test_mypy_accepts_correct_calls_and_rejects_misuse(strict, tmp_path):
    """One call of mypy for both, because it reads the whole package."""
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(SCRIPT.read_text())
    bad.write_text(MISUSES)
    said = strict(good, bad)
    assert "good.py" not in said
    found = {int(line): code for line, code in re.findall(r"bad\.py:(\d+): error: .*\[([\w-]+)\]", said)}
    expected = {
        number: line.rpartition("# ")[2]
        for number, line in enumerate(MISUSES.splitlines(), start=1)
        if "# " in line and not line.endswith("no error")
    }
    assert found == expected, said


@pytest.mark.release
def test_the_same_script_runs(installed, tmp_path):
    solvers = {each.variable: str(each.locate()) for each in map(find_solver, ("kissat", "drat-trim"))}
    puzzle = INSTANCES / "nonogram" / "cat.nin"
    done = subprocess.run(
        [installed.python, SCRIPT, puzzle], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=200,
        env=clean_environment() | solvers | {"HOME": os.environ.get("HOME", "/")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "SATISFIABLE A solution. one False SATISFIABLE" in lines
    assert lines[-2:] == ["3", "InputError 2"]
    assert re.search(r"^\d+ True True True$", done.stdout, re.MULTILINE)


def test_public_names_are_documented():
    """`dir` lists the documented names, and each public class and function has a docstring."""
    public = [name for name in dir(cnfgen_puzzles) if not name.startswith("_")]
    assert public == sorted(name for name in cnfgen_puzzles.__all__ if not name.startswith("_"))
    silent = [name for name in public if len((getattr(cnfgen_puzzles, name).__doc__ or "").strip()) < 40]
    assert not silent
