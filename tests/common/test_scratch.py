"""Scratch folders: removed at the end, or after a kill of their owner, never during its life; nothing else is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile

import pytest

from cnfgen_puzzles.common import files
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import ScratchFolder, scratch_folder, sweep

OWNER = """
import sys, time
from cnfgen_puzzles.common.files import ScratchFolder
folder = ScratchFolder("run")
(folder.path / "big").mkdir()
print(folder.path, flush=True)
time.sleep(60)
"""

MANY = """
from cnfgen_puzzles.common.files import scratch_folder
for number in range(50):
    with scratch_folder("run") as folder:
        (folder / "x").write_text("x")
        assert (folder / "x").read_text() == "x"
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(files, "_swept", set())
    return tmp_path


def test_a_scratch_folder_is_removed(place):
    with scratch_folder("run") as folder:
        (folder / "x").write_text("x")
        sweep(place)
        assert (folder / "x").exists()
    assert list(place.iterdir()) == []


def test_scratch_folders_of_dead_processes_are_removed(place):
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as owner:
        path = place / os.path.basename(owner.stdout.readline().strip())
        sweep(place)
        assert path.is_dir()
        owner.send_signal(signal.SIGKILL)
        owner.wait()
    assert path.is_dir()
    with scratch_folder("solve"):  # the first of this process
        assert not path.exists()


def test_other_folders_stay(place):
    (place / "precious").mkdir()
    for name in ("cnfgen-kept-ab12cd34", "cnfgen-run-ab12cd34", "cnfgen-cores-0", "other.scratch", "cnfgen-run-x.scratch.txt"):
        (place / name).mkdir()
    (place / "cnfgen-run-link1234.scratch").symlink_to(place / "precious")
    (place / "cnfgen-run-file1234.scratch").write_text("")
    left = place / "cnfgen-run-left1234.scratch"
    left.mkdir()
    (left / "link").symlink_to(place / "precious")
    (place / "precious" / "x").write_text("x")
    before = set(place.iterdir())
    sweep(place)
    assert set(place.iterdir()) == before - {left}
    assert (place / "precious" / "x").exists()


def test_many_processes_that_begin_at_once(place):
    for number in range(30):
        (place / f"cnfgen-run-old{number:05}.scratch").mkdir()
    crowd = [subprocess.Popen([sys.executable, "-c", MANY], stderr=subprocess.PIPE) for _ in range(6)]
    assert [(each.communicate(timeout=100)[1], each.returncode) for each in crowd] == [(b"", 0)] * 6
    assert list(place.iterdir()) == []


def test_a_sweeper_that_is_faster_than_the_lock(place, monkeypatch):
    made = []
    locked = files._locked

    def late(path):
        made.append(path)
        if len(made) == 1:
            sweep(place)  # which locks it, too
        return locked(path)

    monkeypatch.setattr(files, "_locked", late)
    with scratch_folder("run") as folder:
        gone, used = dict.fromkeys(made)
        assert folder == used and folder.is_dir() and not gone.exists()


def test_a_full_disk_is_reported(place):
    with (
        pytest.raises(InputError, match="a temporary file cannot be written: No space left") as caught,
        scratch_folder("run"),
        open("/dev/full", "wb", buffering=0) as stream,
    ):
        stream.write(b"x")
    assert caught.value.source == str(place)


def test_an_open_scratch_folder_is_removed_at_exit(place):
    code = "from cnfgen_puzzles.common.files import ScratchFolder; folder = ScratchFolder('run')"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert list(place.iterdir()) == []
    ScratchFolder("run").close()
    assert list(place.iterdir()) == []
