"""Files that appear completely or not at all, and the leftovers of killed writers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cnfgen_puzzles.common import files
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file

KILLED = """
import os, sys
from pathlib import Path
from cnfgen_puzzles.common.files import atomic_file
with atomic_file(Path(sys.argv[1])) as stream:
    stream.write(b"long " * 1000)
    stream.flush()
    os.kill(os.getpid(), 9)
"""


def write_whole(path, text):
    with atomic_file(path) as stream:
        stream.write(text.encode())


def test_the_leftovers_of_killed_writers_are_removed(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    for _ in range(2):
        assert subprocess.run([sys.executable, "-c", KILLED, path], timeout=60, check=False).returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2
    write_whole(path, "new")
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"x": "new"}


def test_leftovers_are_removed_before_another_output(tmp_path):
    again = KILLED.replace("os.kill(os.getpid(), 9)", "")
    assert subprocess.run([sys.executable, "-c", KILLED, tmp_path / "x"], timeout=60, check=False).returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / ".user.partial").touch()
    with atomic_file(tmp_path / "z"):  # of a process that lives
        assert subprocess.run([sys.executable, "-c", again, tmp_path / "y"], timeout=60, check=False).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [".user.partial", "y", "z"]


def test_an_error_keeps_the_old_file(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic_file(path) as stream:
        stream.write(b"half")
        raise KeyboardInterrupt
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"x": "old"}


def test_many_writers(tmp_path):
    path = tmp_path / "x"
    texts = [str(number) * 5000 for number in range(8)]

    def write(text):
        for _ in range(20):
            write_whole(path, text)

    with ThreadPoolExecutor(len(texts)) as executor:
        list(executor.map(write, texts))  # raises what a thread raised
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["n" * 250, "é" * 120, "\udcff" * 250])
def test_long_names(tmp_path, name):
    write_whole(tmp_path / name, "x")
    assert [os.fsencode(each.name) for each in tmp_path.iterdir()] == [os.fsencode(name)]


@pytest.mark.parametrize("name", ["", ".", "folder", "n" * 300, "missing/x"])
def test_outputs_that_cannot_be_written(tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / name, "x")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_ctrl_c_while_the_file_is_made_leaves_none(tmp_path, monkeypatch):
    made = files._new_folder

    def interrupted(*arguments):
        found = made(*arguments)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        return found

    monkeypatch.setattr(files, "_new_folder", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), atomic_file(tmp_path / "x"):
            pass
    finally:
        signal.signal(signal.SIGINT, before)
    assert list(tmp_path.iterdir()) == []
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
