"""solve-puzzle --all and --count as a user calls them: output, exit codes, Ctrl-C, and kill -9."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import SCRIPTS, make_program
from installedcheckers import OF_HINTS
from repository import REPOSITORY
from solving.misbehaving import PATIENCE

PENTOMINOES = ["tiling", "--board", "3x20", "--pieces", "pentominoes"]
PERMUTATIONS = "6 6\n" + "1\n" * 12  # a nonogram with 720 solutions


@pytest.fixture
def permutations(tmp_path):
    path = tmp_path / "permutations.nin"
    path.write_text(PERMUTATIONS)
    return path


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "words, code, out",
    [
        (
            [],
            0,
            b"2 solutions up to the 4 symmetries of board and pieces; 8 in all. "
            b"No others (claimed by exact-cover; not independently verified).\n",
        ),
        (["--raw", "--quiet"], 0, b"8 solutions"),
    ],
)
def test_count(command, words, code, out):
    done = command("solve-puzzle", *PENTOMINOES, "--count", *words)
    assert done.returncode == code
    assert done.stdout.startswith(out)
    assert bool(done.stderr) == ("--quiet" not in words)


def test_count_of_none_and_as_json(command, puzzles):
    done = command("solve-puzzle", "nonogram", puzzles / "none.nin", "--count", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        b"No solution (claimed by clasp; not independently verified).\n",
        b"",
    )
    for how in ("--count", "--all"):
        done = command("solve-puzzle", REPOSITORY / "instances/nonogram/sums-differ-5.nin", how, "--quiet")
        assert (done.returncode, done.stdout) == (0, b"No solution: rows and columns need 19 and 18 black cells.\n"), how
    done = command("solve-puzzle", "nonogram", puzzles / "two.nin", "--count", "--as", "json")
    told = json.loads(done.stdout)
    assert (told["solutions"], told["raw"], told["complete"]) == (2, 2, True)


def test_all_as_text(command, puzzles):
    done = command("solve-puzzle", "nonogram", puzzles / "two.nin", "--all")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert text.index("Solution 1:") < text.index("Solution 2:") < text.index("2 solutions.")


def test_all_as_json_lines(command):
    done = command("solve-puzzle", *PENTOMINOES, "--all", "--as", "json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["solution"], line["orbit"]) for line in lines] == [(1, 4), (2, 4)]
    assert len(lines[0]["board"]) == 12
    assert b"8 in all" in done.stderr


@pytest.mark.parametrize("view", ["svg", "isometric"])
def test_any_view_that_is_a_picture_is_alone_on_standard_output(command, view):
    done = command("solve-puzzle", "tiling", "--board", "2x2", "--pieces", "2x2", "--as", view, "--unique", "--quiet")
    assert done.stdout.startswith(b"<svg") and done.stdout.rstrip().endswith(b"</svg>")
    assert done.stderr == f"The only solution (proof checked by {OF_HINTS}).\n".encode()


def test_partial_by_a_limit(command, permutations):
    done = command("solve-puzzle", "nonogram", permutations, "--all", "--limit", "3")
    assert done.returncode == 0
    assert done.stdout.count(b"Solution ") == 3
    assert b"Partial (limit of 3 solutions" in done.stdout


# -- signals --------------------------------------------------------------------------------------------------------------


def start(words, mark, **more):
    return subprocess.Popen(
        [str(SCRIPTS / "solve-puzzle"), *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=mark.environment | more, start_new_session=True,
    )  # fmt: skip


def test_ctrl_c_keeps_the_solutions_and_ends_all_processes(mark, tmp_path, puzzles):
    """The whole group gets the signal, as in a terminal. The clasp here finds one board and never ends."""
    real = f"{sys.executable} -m clingo --mode=clasp --verbose=0 --models=1"
    text = f'#!/bin/sh\nfor file; do :; done\n{real} "$file"\ntouch {tmp_path}/found\nexec sleep 60\n'
    clasp = make_program(tmp_path / "clasp", text)
    running = start(["nonogram", puzzles / "two.nin", "--count", "-j", "1"], mark, CNFGEN_SOLVER_CLASP=str(clasp))
    end = time.monotonic() + PATIENCE
    while not (tmp_path / "found").exists():
        assert running.poll() is None and time.monotonic() < end, running.stderr.read()
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, err
    assert out == b"Partial (interrupted): at least 1 solution.\n"
    assert b"Traceback" not in err
    mark.await_none()


def test_kill_and_continue(command, mark, tmp_path):
    """After a kill in the middle, no process is left, and the same command resumes with the finished parts."""
    path, state = tmp_path / "permutations.nin", tmp_path / "state"
    path.write_text("7 7\n" + "1\n" * 14)  # 5040 solutions
    words = ["nonogram", path, "--count", "--solver", "minisat22", "--state", state]
    running = start(words, mark)
    journal, end = state / "parts.jsonl", time.monotonic() + PATIENCE
    while not journal.exists() or b'"part"' not in journal.read_bytes():
        assert running.poll() is None and time.monotonic() < end, running.stderr.read()
        time.sleep(0.01)
    running.kill()
    running.communicate()
    mark.await_none()
    kept = journal.read_bytes()
    divisions = [json.loads(line).get("by", []) for line in kept.splitlines() if line.endswith(b"}")]
    parts = sum(map(len, divisions)) + 1  # each literal of a division adds a part
    assert kept.count(b'"part"') < parts
    done = command("solve-puzzle", *words)
    assert (done.returncode, done.stdout) == (
        0,
        b"5040 solutions. No others (claimed by blocking (minisat22); not independently verified).\n",
    )
    assert journal.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    assert journal.read_bytes().count(b'"part"') == parts
