"""A named pipe in place of a lock, a journal, or a cached file is an error, and nothing waits for it."""

from __future__ import annotations

import os

import pytest

from cnfgen_puzzles.bench.runs import Store
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import read_regular
from cnfgen_puzzles.common.journal import Journal


def test_locks_and_journals(tmp_path):
    pipes = [tmp_path / name for name in ("parts.jsonl", "runs.jsonl")]
    for pipe in pipes:
        os.mkfifo(pipe)
    with pytest.raises(InputError, match="found something that is not a file"):
        Journal(pipes[0])
    with pytest.raises(InputError, match="found something that is not a file"):
        Store(tmp_path / "runs.jsonl")
    for read in (read_regular, digest_of_file):
        with pytest.raises(OSError, match="found something that is not a file"):
            read(pipes[0])


@pytest.mark.parametrize("name", ["parts.jsonl", "lock", "state.json"])
def test_the_state_of_a_count(tmp_path, command, name):
    (tmp_path / "state").mkdir()
    os.mkfifo(tmp_path / "state" / name)
    (tmp_path / "x.cnf").write_text("p cnf 2 1\n1 2 0\n")
    done = command("count-cnf", tmp_path / "x.cnf", "--engine", "clasp", "--state", tmp_path / "state", "--jobs", "1")
    assert done.returncode in (0, 2) and b"Traceback" not in done.stderr
