"""Completion: the values that the commands offer, and the documented lines for bash on a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import time
from importlib import import_module

import pytest
from click.shell_completion import ShellComplete, split_arg_string
from conftest import CAT, SCRIPTS
from repository import REPOSITORY

PATIENCE = 60


@pytest.fixture
def folder(tmp_path):
    """A folder for the calls."""
    for name in ("cat.nin", "my puzzles/dog one.nin", "cow.txt", "x.xmpuzzle", "packed.non.gz", "suite.yaml"):
        path = tmp_path / "here" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CAT)
    return tmp_path / "here"


@pytest.fixture
def values(folder, monkeypatch):
    """`values(line)` are the completions of the last word of a line."""
    monkeypatch.chdir(folder)

    def complete(line):
        name, *words = split_arg_string(line + "\x01")
        command = import_module(f"cnfgen_puzzles.cli.{name.replace('-', '_')}").COMMAND
        *words, last = [word.replace("\x01", "") for word in words]
        return [item.value for item in ShellComplete(command, {}, name, "").get_completions(words, last)]

    return complete


def test_families_and_files(values):
    assert {"nonogram", "tiling", "maze"} <= set(values("solve-puzzle "))
    assert values("gen-cnf nonogram cow") == ["cow"], "the shell completes files"


@pytest.mark.parametrize(
    "line, found",
    [
        ("solve-puzzle nonogram --encoding ", ["order", "direct", "regular"]),
        ("solve-puzzle cat.nin --encoding ", ["order", "direct", "regular"]),
        ("solve-puzzle cat.nin --encoding=r", ["regular"]),
        ("solve-puzzle cat.nin -u --solver ki", ["kissat"]),
        ("solve-puzzle tiling --as iso", ["isometric", "isometric-png"]),
        ("solve-puzzle maze --kind ", ["thin", "blocked"]),
        ("convert-puzzle cat.nin --to w", ["webpbn"]),
        ("gen-cnf nonogram --generate ", ["random", "blobs", "texture", "ndom"]),
        ("decode-cnf --as iso", ["isometric", "isometric-png"]),
        ("run-cnf glucose", ["glucose", "glucose-syrup"]),
        ("bench-cnf s", ["s", "scores"]),
        ("solve-puzzle --unique cat", ["cat"]),
        ("gen-cnf nonogram -o my", ["my"]),
    ],
)
def test_values(values, line, found):
    assert values(line) == found


def test_where_the_family_is_not_known_nothing_is_made_up(values):
    assert "order" not in values("solve-puzzle nonsense.nin --encoding ")


LINES = {
    "solve-puzzle nono\t": ["solve-puzzle", "nonogram"],
    "solve-puzzle cat\t --enc\tdi\t": ["solve-puzzle", "cat.nin", "--encoding", "direct"],
    "run-cnf kis\t": ["run-cnf", "kissat"],
}


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_as_typed(folder):
    """The words of the command line after each line was typed on a terminal, in which \\t is the key, after the lines of the
    page."""
    page = (REPOSITORY / "docs/reference/shell.md").read_text(encoding="utf-8")
    enabling = page.partition("```sh\n")[2].partition("```")[0]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        path = f"{SCRIPTS}:{os.environ['PATH']}"
        os.execvpe(
            "bash", ["bash", "--norc", "--noprofile", "-i"], os.environ | {"PATH": path, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        )
    try:
        os.write(terminal, enabling.encode())
        os.write(terminal, b"printf 'rea''dy\\n'\n")
        until(terminal, rb"ready")
        for line, words in LINES.items():
            os.write(terminal, line.encode())
            time.sleep(0.2)
            os.write(terminal, b"\x01printf '[%s]' '[typed]' \x05 '[end]'\n")  # at the beginning and at the end of the line
            told = until(terminal, rb"\[\[typed\]\](.*)\[\[end\]\]")
            assert re.findall(r"\[([^\]]*)\]", told) == words
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(pid, 0)


def until(terminal, pattern):
    """The first group of the pattern, once the terminal shows it."""
    seen, end = b"", time.monotonic() + PATIENCE
    while not (found := re.search(pattern, seen, re.DOTALL)):
        ready = select.select([terminal], [], [], max(end - time.monotonic(), 0))[0]
        assert ready, seen.decode(errors="replace")
        seen += os.read(terminal, 4096)
    return found[1].decode() if found.groups() else ""
