"""Shared by the tests of solvers that touch files: with Landlock and without."""

from __future__ import annotations

import sys

import pytest
from conftest import make_program
from solving.archives import GOOD

from cnfgen_puzzles.solving import confinement, process, supervision
from cnfgen_puzzles.solving.run import PRIVATE_COPY
from cnfgen_puzzles.solving.supervision import landlock
from cnfgen_puzzles.solving.table import Solver

SAT = "c a comment\np cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"


@pytest.fixture(params=["linux", "portable"])
def mode(request, monkeypatch):
    """Once with all that Linux has, and once in portable mode, the only one elsewhere; returns the name of the mode."""
    if request.param == "portable":
        monkeypatch.setenv(supervision.PORTABLE, "yes")
    elif sys.platform == "linux":
        monkeypatch.delenv(supervision.PORTABLE, raising=False)
    else:
        pytest.skip("only Linux has more than the portable mode")
    process.close_launcher()
    yield request.param
    process.close_launcher()


on_linux = pytest.mark.parametrize("mode", ["linux"], indirect=True)
"""For a number that is exact on Linux only, and what only Linux guarantees (docs/explanation/measuring.md)."""


@pytest.fixture
def unconfined(monkeypatch):
    monkeypatch.setenv(confinement.CONFINEMENT, "no")


@pytest.fixture(params=["landlock", PRIVATE_COPY])
def either(request, monkeypatch):
    """Once with Landlock, if the kernel has it, and once without; returns the name of the mechanism."""
    if request.param == PRIVATE_COPY:
        monkeypatch.setenv(confinement.CONFINEMENT, "no")
    elif not landlock.abi():
        pytest.skip("this kernel has no Landlock")
    return request.param


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """An empty folder for archives."""
    monkeypatch.delenv("CNFGEN_ARCHIVES", raising=False)
    folder = tmp_path / "home" / "sources"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def home(sources):
    """A home with the archive of the tool."""
    (sources / "tool-1.tar.gz").write_bytes(GOOD)
    return sources.parent


@pytest.fixture
def sat(tmp_path):
    path = tmp_path / "sat.cnf"
    path.write_text(SAT)
    return path


@pytest.fixture
def play(tmp_path):
    """A solver that runs this Python text."""

    def make(body, **fields):
        text = f"#!{sys.executable} -S\nimport glob, os, shutil, socket, sys, time\ncnf = sys.argv[1]\n{body}\n"
        program = make_program(tmp_path / "fake", text)
        return Solver(name="fake", program=str(program), executable=str(program), source="test", **fields)

    return make


@pytest.fixture
def trespass(play):
    """A solver that runs this Python text, prints the caught errors, and then UNSATISFIABLE, which is wrong for `sat`."""

    def make(body, **fields):
        return play(
            "try:\n"
            + "".join(f"    {line}\n" for line in body.splitlines())
            + "    print('c done')\nexcept Exception as error:\n    print('c', type(error).__name__, error)\n"
            + "print('s UNSATISFIABLE')\nsys.stdout.flush()\nos._exit(20)",
            **fields,
        )

    return make
