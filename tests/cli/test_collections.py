"""solve-puzzle with many files as a user runs it: workers, Ctrl-C and kills, exit codes, conflicting options."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from cnfgen_puzzles.families import find_family

BEGIN = "from cnfgen_puzzles.cli.start import solve_puzzle; solve_puzzle()"
FAST = ["--no-proof", "--solver", "minisat-core"]


@pytest.fixture(scope="module")
def blobs(tmp_path_factory):
    """Ten puzzles, each with a solution."""
    folder = tmp_path_factory.mktemp("blobs")
    family = find_family("nonogram")
    for seed in range(10):
        (folder / f"{seed:02}.non").write_text(family.write(family.generate("blobs", seed, size="15"), "non"))
    return folder


def started(*words, **how):
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN, "nonogram", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **how,
    )  # fmt: skip


def call(*words, **how):
    process = started(*words, **how)
    printed, told = process.communicate(timeout=100)
    assert "Traceback" not in told
    return process.returncode, printed, told


def wait_for_lines(path, number):
    end = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") >= number):
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.sample(1)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_collection_resumes(blobs, tmp_path, signum, jobs):
    out = tmp_path / "out.jsonl"
    words = [blobs, "--unique", *FAST, "--jsonl", out, "--jobs", jobs]
    process = started(*words)
    wait_for_lines(out, 2)
    os.kill(process.pid, signum)
    printed, told = process.communicate(timeout=60)
    done = out.read_bytes().count(b"\n")
    if signum == signal.SIGINT:
        assert (process.returncode, "Traceback" in told) == (130, False)
        assert f"interrupted after {done} of 10 puzzles; the same command resumes" in told
        assert f"{done} puzzles in {done} files" in printed
    deadline = time.monotonic() + 60
    while (again := call(*words))[0] == 2 and "another command" in again[2]:  # killed, its workers may end a moment later
        assert time.monotonic() < deadline
    code, printed, told = again
    assert code == 0, told
    assert "10 puzzles in 10 files" in printed
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(line["file"] for line in lines) == sorted(map(str, blobs.iterdir()))
    assert {line["verdict"] for line in lines} <= {"one", "several"}
    assert call(*words)[1].startswith("10 puzzles in 10 files (10 answered before")


def test_lines_for_a_person_and_for_a_program(puzzles):
    names = [puzzles / f"{name}.nin" for name in ("one", "two", "none", "contradiction", "nosuch")]
    code, printed, told = call(*names, "--unique", *FAST)
    said = dict(line.split(": ", 1) for line in printed.splitlines() if line.startswith(str(puzzles)))
    assert code == 2 and told == f"{names[-1]}: no such file\n"
    assert said[str(names[0])].startswith("The only solution") and said[str(names[1])] == "Several solutions."
    assert said[str(names[2])].startswith("No solution") and said[str(names[3])].startswith("No solution")
    assert "4 puzzles in 5 files: 1 with one solution, 1 with several, 2 without a solution, 1 that cannot be read" in printed
    code, printed, told = call(*names[:2], *FAST, "--jsonl", "-")
    assert code == 0 and "2 puzzles in 2 files: 2 solved" in told
    assert {line["verdict"] for line in map(json.loads, printed.splitlines())} == {"solved"}


def test_a_folder_needs_its_family(puzzles, tmp_path):
    done = subprocess.run([sys.executable, "-c", BEGIN, puzzles], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and "found a folder, expected a family before it" in done.stderr
    (tmp_path / "empty").mkdir()
    code, _, said = call(tmp_path / "empty", "--unique")
    assert code == 2 and "found a folder without puzzles" in said
