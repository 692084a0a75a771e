"""solve-puzzle --count --scheduler on a Dask scheduler with worker processes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest
from conftest import SCRIPTS, make_program

pytest.importorskip("distributed")

PERMUTATIONS = "5 5\n" + "1\n" * 10  # a nonogram with 120 solutions
REAL = f"exec {sys.executable} -m clingo --mode=clasp"


def clasp(folder, text):
    """A clasp that creates a file `started-PID` at each start and then runs this first."""
    script = f'#!/bin/sh\ntouch {folder}/started-$$\n{text}\n{REAL} "$@"\n'
    return {"CNFGEN_SOLVER_CLASP": str(make_program(folder / "clasp", script))}


def await_started(folder, count):
    end = time.monotonic() + 90
    while len(list(folder.glob("started-*"))) < count:
        assert time.monotonic() < end
        time.sleep(0.02)


def count(dask, folder, *words):
    (folder / "permutations.nin").write_text(PERMUTATIONS)
    command = ["solve-puzzle", "nonogram", folder / "permutations.nin", "--count", "--engine", "clasp", *words]
    command = [str(SCRIPTS / command[0]), *map(str, command[1:]), "--scheduler", dask.address]
    return subprocess.Popen(command, env=dask.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.release
def test_boards_of_finished_parts_show_while_others_are_searched(tmp_path, dask, mark):
    """The first call does not terminate, and ends with the command."""
    stuck = clasp(tmp_path, f"mkdir {tmp_path}/first 2> /dev/null && exec sleep 77")
    dask.worker("one", **stuck), dask.worker("two", **stuck)
    dask.await_workers(2)
    (tmp_path / "permutations.nin").write_text(PERMUTATIONS)
    words = ["--all", "--limit", "1", "--engine", "clasp", "--scheduler", dask.address]
    done = subprocess.run(
        [str(SCRIPTS / "solve-puzzle"), "nonogram", str(tmp_path / "permutations.nin"), *words],
        env=dask.environment, capture_output=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.stdout.count(b"Solution 1") == 1, done.stderr.decode()
    assert (tmp_path / "first").exists()
    mark.await_none(["sleep", "77"])


@pytest.mark.release
def test_ctrl_c_and_a_state_that_is_continued(tmp_path, dask, mark):
    stuck = tmp_path / "stuck"
    here = clasp(tmp_path, f"[ $(ls {tmp_path}/started-* | wc -l) -gt 3 ] && [ -e {stuck} ] && exec sleep 77")
    stuck.touch()
    dask.worker("one", **here)
    running = count(dask, tmp_path, "--state", tmp_path / "state")
    await_started(tmp_path, 4)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)
    assert running.returncode == 130, stderr.decode()
    assert stdout.startswith(b"Partial (interrupted")
    assert b"Traceback" not in stderr
    mark.await_none(["sleep", "77"])
    stuck.unlink()
    running = count(dask, tmp_path, "--state", tmp_path / "state")
    stdout, stderr = running.communicate(timeout=200)
    assert (running.returncode, stdout) == (0, b"120 solutions. No others (claimed by clasp; not independently verified).\n"), (
        stderr.decode()
    )


@pytest.mark.release
def test_a_missing_scheduler(command, puzzles):
    done = command("solve-puzzle", "nonogram", puzzles / "two.nin", "--count", "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert b"no Dask scheduler answers" in done.stderr
    assert b"Traceback" not in done.stderr
