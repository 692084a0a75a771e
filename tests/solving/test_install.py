"""Building and installing programs: failures, interruptions, outdated programs, and concurrent installations."""

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import pytest
from solving.archives import sha256, tool

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving import install
from cnfgen_puzzles.solving.executables import note_of
from cnfgen_puzzles.solving.install import BuildError, is_current


def put(solver, home, *, works=lambda program: "", **how):
    """The messages of an installation."""
    said = []
    install.install(solver, home, say=said.append, works=works, **how)
    return said


def installed(home):
    return sorted(path.name for path in (home / "bin").iterdir())


def test_a_build_is_installed_with_its_note(home):
    solver = tool("cp program.sh made")
    assert not is_current(solver, home)
    said = put(solver, home)
    binary = home / "bin" / "tool"
    assert binary.stat().st_mode & stat.S_IXUSR
    note = note_of(binary)
    assert note["version"] == "1" and note["licence"] == "MIT" and note["origin"].startswith("local archive")
    assert note["binary_sha256"] == sha256(binary.read_bytes())
    assert solver.version_line(binary) == "1"
    assert str(home / "build" / "tool.log") in said[0] and str(binary) in said[1]
    assert is_current(solver, home)
    assert is_current(tool("cp program.sh made", origins=[{"url": "file:///elsewhere"}]), home), (
        "where it came from does not matter"
    )
    assert not is_current(tool("cp program.sh made", version="2"), home)
    assert not is_current(tool("cp program.sh  made"), home)
    binary.write_text("changed")
    assert not is_current(solver, home)


def test_a_second_installation_keeps_the_program(home):
    put(tool("cp program.sh made"), home)
    before = (home / "bin" / "tool").stat()
    assert put(tool("cp program.sh made"), home) == [f"1 is already installed: {home / 'bin' / 'tool'}"]
    assert (home / "bin" / "tool").stat() == before
    assert "installed" in put(tool("cp program.sh made"), home, force=True)[-1]
    assert "2 installed" in put(tool("cp program.sh made", version="2"), home)[-1]


def test_a_failed_build_shows_the_end_of_its_log_and_leaves_the_old_program(home):
    put(tool("cp program.sh made"), home)
    old = (home / "bin" / "tool").read_bytes()
    with pytest.raises(BuildError) as caught:
        put(tool("seq 100", "sh -c 'echo no such header >&2; exit 1'", "cp program.sh made"), home)
    lines = str(caught.value).splitlines()
    assert str(home / "build" / "tool.log") in lines[0]
    assert "no such header" in lines[-1] and len(lines) == 16
    assert (home / "bin" / "tool").read_bytes() == old
    assert installed(home) == ["tool", "tool.json"]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"binary": "other"}, "did not produce other"),
        ({"folder": "elsewhere"}, "contains no folder elsewhere"),
        ({"nested": ["x"]}, "unpacked"),
    ],
)
def test_a_recipe_that_does_not_fit_its_archive_is_an_error(home, change, words):
    with pytest.raises(CnfgenError, match=words):
        put(tool("cp program.sh made", **change), home)


def test_scripts_in_a_zip_file_can_be_run(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        file.writestr("x/scripts/configure", "")
    install.unpack(tmp_path / "x.zip", tmp_path / "folder")
    assert os.access(tmp_path / "folder" / "x" / "scripts" / "configure", os.X_OK)


def test_a_program_that_does_not_work_is_not_installed(home):
    put(tool("cp program.sh made"), home)
    with pytest.raises(BuildError, match="does not work here: found UNSATISFIABLE"):
        put(tool("cp program.sh made", version="2"), home, works=lambda program: f"found UNSATISFIABLE by {program}")
    assert note_of(home / "bin" / "tool")["version"] == "1"
    assert installed(home) == ["tool", "tool.json"]


def test_a_build_without_end_is_ended(home):
    with pytest.raises(BuildError, match=r"exceeded 0\.5 s \(--time allows more\)"):
        put(tool("sleep 600"), home, seconds=0.5)


def test_processes_of_make_are_as_many_as_are_asked_for(home, monkeypatch):
    monkeypatch.setenv("MAKEFLAGS", "-j --jobserver-auth=8,9")
    monkeypatch.setenv("MAKELEVEL", "1")
    put(tool('test "$MAKEFLAGS-${MAKELEVEL-none}" = -j3-none', "cp program.sh made"), home, jobs=3)


def test_without_a_compiler(home):
    with pytest.raises(BuildError, match=r"this system lacks no-such: .*pip install 'cnfgen-puzzles\[solvers\]'"):
        put(tool("true", needs=["no-such"]), home)


def test_missing_requirements_are_named_with_their_packages(monkeypatch):
    monkeypatch.setattr(install.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(install.os, "geteuid", lambda: 1000)
    lacking = install.missing_needs(["c++", "make", "zlib.h"])
    assert lacking == "this system lacks c++ and make: sudo apt-get install g++ make zlib1g-dev"
    monkeypatch.setattr(install.shutil, "which", lambda name: None)
    assert install.missing_needs(["cc"]).endswith("its package manager (Debian's names: gcc)")


# -- folders ------------------------------------------------------------------------------------------------------------------


def test_a_home_with_spaces_and_umlauts(home, tmp_path):
    """The build runs in the folder for temporary files, because makefiles fail in such paths."""
    other = home.rename(tmp_path / "my häme")
    put(tool("case $PWD in *' '*) exit 1;; esac", "cp program.sh made"), other)
    assert installed(other) == ["tool", "tool.json"]
    assert sorted(path.name for path in (other / "build").iterdir()) == [".tool.lock", "tool.log"]


def test_a_folder_for_temporary_files_with_spaces(home, tmp_path, monkeypatch):
    (tmp_path / "my files").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "my files"))
    with pytest.raises(BuildError, match=r"cannot be built in .*/my files.*\$TMPDIR"):
        put(tool("cp program.sh made"), home)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_home_that_cannot_be_written(home):
    home.chmod(0o555)
    with pytest.raises(InputError, match="CNFGEN_SOLVERS_FOLDER"):
        put(tool("cp program.sh made"), home)


def test_a_home_that_is_not_a_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot be written: .*; name another folder in \$CNFGEN_SOLVERS_FOLDER"):
        put(tool("cp program.sh made"), tmp_path / "file")


# -- interrupted, at once, removed --------------------------------------------------------------------------------------------


def running(home, commands):
    """Another process that installs a tool with these commands."""
    solver = tool(*commands)
    program = (
        "import sys, pathlib\n"
        "from cnfgen_puzzles.solving.install import install\n"
        "from cnfgen_puzzles.solving.table import Solver\n"
        f"solver = Solver('tool', program='tool', version='1', build={dict(solver.build)!r})\n"
        "install(solver, pathlib.Path(sys.argv[1]), say=lambda line: print(line, flush=True), works=lambda program: '')\n"
    )
    return subprocess.Popen([sys.executable, "-c", program, home], start_new_session=True, stdout=subprocess.PIPE, text=True)


def wait_for(condition):
    deadline = time.monotonic() + 100
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert condition()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_build_leaves_nothing_half_done(home, number):
    log = home / "build" / "tool.log"
    process = running(home, ["echo here; sleep 60", "cp program.sh made"])
    wait_for(lambda: log.exists() and "\nhere\n" in log.read_text())
    os.killpg(process.pid, number)
    process.wait(60)
    assert list((home / "bin").iterdir()) == []
    put(tool("cp program.sh made"), home)  # the lock is free
    assert installed(home) == ["tool", "tool.json"]


def test_two_at_once_build_once(home, tmp_path):
    go = tmp_path / "go"
    commands = ["echo x >> " + str(tmp_path / "count"), f"while ! test -e {go}; do sleep 0.05; done", "cp program.sh made"]
    first = running(home, commands)
    wait_for((tmp_path / "count").exists)
    second = running(home, commands)
    assert second.stdout.readline() == "waiting for another installation of it\n"
    go.touch()
    assert "installed in" in first.communicate(timeout=60)[0]
    assert "is already installed" in second.communicate(timeout=60)[0]
    assert (tmp_path / "count").read_text() == "x\n"


def test_removing(home):
    solver = tool("cp program.sh made")
    assert not install.remove(solver, home, print)
    put(tool("cp $(command -v sleep) made"), home)
    used = subprocess.Popen([home / "bin" / "tool", "60"])
    try:
        assert install.remove(solver, home, print)
        assert installed(home) == [] and used.poll() is None
    finally:
        used.kill()
        used.wait()
    assert not install.remove(solver, home, print)


def test_unreadable_notes(home):
    put(tool("cp program.sh made"), home)
    note = home / "bin" / "tool.json"
    for text in ("", "[]", "{", json.dumps({"recipe": 1}), "\xff" * 10):
        note.write_text(text, encoding="latin-1")
        assert not is_current(tool("cp program.sh made"), home)


def test_a_solver_without_a_recipe_cannot_be_installed(tmp_path):
    with pytest.raises(InputError, match="is not installed by this command"):
        put(type(tool())("clasp", build=None), tmp_path)
    assert issubclass(BuildError, CnfgenError) and list(Path(tmp_path).iterdir()) == []
