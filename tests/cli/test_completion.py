"""Completion in bash, zsh, and fish (if installed) on a terminal, enabled by the documented line."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from importlib import import_module

import pytest
from conftest import CAT, SCRIPTS

from cnfgen_puzzles.cli.cnf_completion import COMMANDS, Bash, Zsh
from cnfgen_puzzles.cli.common import COMPLETION_VARIABLE

SHELLS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"], "fish": ["fish", "--no-config", "-i"]}
ON = {
    "bash": 'eval "$(cnf-completion bash)"',
    "zsh": 'eval "$(cnf-completion zsh)"',
    "fish": "cnf-completion fish | source",
}
PATIENCE = 60


@pytest.fixture
def folder(tmp_path):
    """A folder for the calls, with commands on PATH, one of which may not be installed yet."""
    for name in ("cat.nin", "my puzzles/dog one.nin", "cow.txt", "x.xmpuzzle", "packed.non.gz", "suite.yaml"):
        path = tmp_path / "here" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CAT)
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "cnf-completion"
    command.write_text(f"#!{sys.executable}\nfrom cnfgen_puzzles.cli.start import cnf_completion\ncnf_completion()\n")
    command.chmod(0o755)
    return tmp_path / "here"


def environment(folder):
    path = f"{folder.parent}/bin:{SCRIPTS}:{os.environ['PATH']}"
    return os.environ | {"PATH": path, "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8"}


@pytest.fixture
def asked(folder, monkeypatch):
    """`asked(line)` is the answer of the command to a shell, as lines of fields; it runs in this process, which is faster."""
    monkeypatch.chdir(folder)

    def ask(line, shell=Zsh, word=""):
        monkeypatch.setenv("CNFGEN_LINE", line)
        monkeypatch.setenv("CNFGEN_WORD", word)
        name = next(name for name in COMMANDS if name in line)
        module = import_module(f"cnfgen_puzzles.cli.{name.replace('-', '_')}")
        command = module.COMMAND
        return [found.split("\t") for found in shell(command, {}, name, COMPLETION_VARIABLE).complete().splitlines() if found]

    return ask


@pytest.fixture
def values(asked):
    return lambda line: [fields[1] for fields in asked(line)]


def test_families_and_files_with_fitting_endings(values):
    assert {"nonogram", "tiling", "maze", "cat.nin", "my puzzles/", "packed.non.gz", "x.xmpuzzle"} <= set(values("solve-puzzle "))
    assert "cat.nin" in values("gen-cnf nonogram ")
    assert "x.xmpuzzle" not in values("gen-cnf nonogram ")
    assert values("gen-cnf nonogram cow") == ["cow.txt"], "where none fits all are offered"


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
        ("decode-cnf --as sv", ["svg", "svg-letters"]),
        ("run-cnf glucose", ["glucose", "glucose-syrup"]),
        ("bench-cnf s", ["scores", "suite.yaml"]),
        ("cnf-completion ", ["bash", "zsh", "fish"]),
        ("LIMIT=3 solve-puzzle cat.nin --enc", ["--encoding"]),
        ("solve-puzzle --unique cat", ["cat.nin"]),
        ("gen-cnf nonogram -o my", ["my puzzles/"]),
    ],
)
def test_values(values, line, found):
    assert values(line) == found


def test_where_the_family_is_not_known_nothing_is_made_up(values):
    assert "order" not in values("solve-puzzle nonsense.nin --encoding ")


def test_names_that_a_terminal_would_obey_are_not_offered(folder, values):
    (folder / "evil\x1b[2J.nin").write_text(CAT)
    (folder / "two\nlines.nin").write_text(CAT)
    assert not [name for name in values("solve-puzzle ") if "evil" in name or "lines" in name]


def test_word_breaks_of_bash(asked):
    assert asked("solve-puzzle cat.nin --encoding=or", Bash, "or") == [["plain", "order"]]
    assert asked("solve-puzzle cat.nin --encoding=", Bash)[0] == ["plain", "order"]


def test_without_a_shell_it_prints_instructions(folder):
    program = folder.parent / "bin" / "cnf-completion"
    done = subprocess.run([program], capture_output=True, text=True, env=environment(folder), timeout=60)
    assert done.returncode == 0
    assert all(line in done.stdout for line in ON.values())


# -- in the shells ----------------------------------------------------------------------------------------------------------


LINES = {
    "solve-puzzle non\t": ["solve-puzzle", "nonogram"],
    "solve-puzzle cat\t --enc\tdi\t": ["solve-puzzle", "cat.nin", "--encoding", "direct"],
    "solve-puzzle cat.nin --encoding=re\t": ["solve-puzzle", "cat.nin", "--encoding=regular"],
    "gen-cnf nonogram my\tdog\t": ["gen-cnf", "nonogram", "my puzzles/dog one.nin"],
    "run-cnf kis\t": ["run-cnf", "kissat"],
}


@pytest.mark.parametrize("shell", SHELLS)
def test_as_typed(shell, folder):
    """The words of the command line after each line was typed on a terminal, in which \\t is the key."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe(SHELLS[shell][0], SHELLS[shell], environment(folder))
    try:
        os.write(terminal, f"{ON[shell]}\n".encode())
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
