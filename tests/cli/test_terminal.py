"""Colors and progress: on a terminal, without a terminal, and forced."""

from __future__ import annotations

import os
import pty
import subprocess
import threading
import time
from types import SimpleNamespace

import pytest
from conftest import CAT, SCRIPTS

from cnfgen_puzzles.cli import process, progress
from cnfgen_puzzles.cli.progress import Progress, activity_line, aside
from cnfgen_puzzles.common.activity import activity, doing, update_activity


@pytest.fixture
def cat(tmp_path):
    (tmp_path / "cat.nin").write_text(CAT)
    return tmp_path / "cat.nin"


def environment(**more):
    clean = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE")
    }
    return clean | {"TERM": "xterm-256color"} | more


def on_a_terminal(words, **more):
    """The output of a command on a terminal."""
    ours, theirs = pty.openpty()
    started = subprocess.Popen(words, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=environment(**more))
    os.close(theirs)
    seen = b""
    while True:
        try:
            news = os.read(ours, 4096)
        except OSError:  # the last writer is gone
            break
        if not news:
            break
        seen += news
    os.close(ours)
    started.wait(60)
    return seen


def test_colors_in_a_terminal_and_in_a_pipe(cat):
    words = [SCRIPTS / "solve-puzzle", cat, "-q"]
    assert b"\x1b[" in on_a_terminal(words)
    assert b"\x1b[" not in subprocess.run(words, capture_output=True, env=environment(), timeout=60).stdout


@pytest.mark.parametrize(
    "terminal, more, colored",
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"CLICOLOR": "0"}, False),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (False, {}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"CLICOLOR_FORCE": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
    ],
)
def test_variables_that_control_colors(monkeypatch, terminal, more, colored):
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm"} | more).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(process, "sys", SimpleNamespace(stdout=Screen(terminal)))
    assert process.colors_wanted() == colored


def test_files_have_colors_only_on_request(cat, warm):
    for words, colored in (([], False), (["--as", "ansi"], True)):
        board = cat.with_name("board.txt")
        subprocess.run([warm / "solve-puzzle", cat, "-o", board, *words], env=environment(FORCE_COLOR="1"), timeout=60)
        assert (b"\x1b[" in board.read_bytes()) == colored


# -- progress ---------------------------------------------------------------------------------------------------------------


class Screen:
    """A terminal in place of standard error."""

    encoding = "utf-8"

    def __init__(self, terminal):
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.fixture
def shown(monkeypatch):
    """The output of the activity line on a terminal, without delay."""
    written = []
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    monkeypatch.setattr(progress, "TICK", 0.01)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=Screen(True)))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress.os, "write", lambda number, data: written.append(data))
    return written


def wait_for(shown, text):
    end = time.monotonic() + 30
    while not any(text in each for each in list(shown)):
        assert time.monotonic() < end, shown
        time.sleep(0.01)


def test_the_line_shows_the_activity_and_disappears(shown):
    with activity_line():
        with doing("kissat is solving"):
            wait_for(shown, b"kissat is solving, 0 s")
            with doing("compiling\x1b[2J"):
                wait_for(shown, rb"compiling\x1b[2J, 0 s")
            update_activity("3 solutions so far")
            wait_for(shown, b"3 solutions so far, 0 s")
        with aside():
            assert shown[-1] == progress.CLEAR, "without an activity there is no line"
        before = len(shown)
        time.sleep(0.1)
        assert len(shown) == before
    assert activity(threading.get_ident()) is None


def test_other_output_hides_the_line(shown):
    with activity_line(), doing("this"):
        wait_for(shown, b"this")
        with aside():
            assert shown[-1] == progress.CLEAR
            before = len(shown)
            time.sleep(0.1)
            assert len(shown) == before


def test_finished_units_on_a_terminal(shown):
    with activity_line(), Progress(3, "run") as units:
        wait_for(shown, b"3 runs, 0 s")
        units.show("1 of 3 runs", "cat.cnf")
        wait_for(shown, b"1 of 3 runs, cat.cnf, 0 s")


@pytest.mark.parametrize("quiet", [False, True])
def test_finished_units_in_a_log(monkeypatch, capsys, quiet):
    monkeypatch.setattr(progress, "SAY_EVERY", 0.0)
    with Progress(3, "run", quiet=quiet) as units:
        units.show("1 of 3 runs", "cat.cnf")
    assert capsys.readouterr().err == ("" if quiet else "1 of 3 runs\n")


@pytest.mark.parametrize("terminal, term", [(False, "xterm"), (True, "dumb")])
def test_silence(shown, monkeypatch, terminal, term):
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=Screen(terminal)))
    monkeypatch.setenv("TERM", term)
    with activity_line(), doing("this"), aside():
        update_activity("that")
        time.sleep(0.1)
    assert not shown
