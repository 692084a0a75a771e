"""Completion as it is typed: in real bash, zsh and fish (where they are), on a terminal, with the one line that switches it on."""

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

import pytest
from conftest import CAT, SCRIPTS

SHELLS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"], "fish": ["fish", "--no-config", "-i"]}
ON = {
    "bash": 'eval "$(cnf-completion bash)"',
    "zsh": 'eval "$(cnf-completion zsh)"',
    "fish": "cnf-completion fish | source",
}
PATIENCE = 60
DONE = re.compile(rb"\[typed\](.*?)\[end\]", re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    """A folder to type in, with commands on the PATH of which one may not be installed yet."""
    for name in ("cat.nin", "my puzzles/dog one.nin", "cow.txt", "x.xmpuzzle", "packed.non.gz", "suite.yaml"):
        path = tmp_path / "here" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CAT)
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "cnf-completion"
    command.write_text(f"#!{sys.executable}\nfrom cnfgen_puzzles.cli.start import cnf_completion\ncnf_completion()\n")
    command.chmod(0o755)
    return tmp_path / "here"


def environment(folder, **more):
    path = f"{folder.parent}/bin:{SCRIPTS}:{os.environ['PATH']}"
    return os.environ | {"PATH": path, "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8"} | more


def asked(folder, line, shell="zsh", word=""):
    """What the command answers a shell, as lines of fields."""
    more = {"CNFGEN_LINE": line, "CNFGEN_WORD": word, "_CNFGEN_COMPLETE": f"{shell}_complete"}
    name = line.split()[0]
    program = folder.parent / "bin" / name if name == "cnf-completion" else SCRIPTS / name
    done = subprocess.run([program], capture_output=True, text=True, cwd=folder, env=environment(folder, **more), timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return [found.split("\t") for found in done.stdout.splitlines() if found]


def values(folder, line):
    return [fields[1] for fields in asked(folder, line)]


def test_families_and_files_with_fitting_endings(folder):
    found = values(folder, "solve-puzzle ")
    assert {"nonogram", "tiling", "maze", "cat.nin", "my puzzles/", "packed.non.gz", "x.xmpuzzle"} <= set(found)
    assert "cat.nin" in values(folder, "gen-cnf nonogram ")
    assert "x.xmpuzzle" not in values(folder, "gen-cnf nonogram ")
    assert values(folder, "gen-cnf nonogram cow") == ["cow.txt"], "where none fits all are offered"


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
        ("gen-cnf nonogram --generate ", ["random", "blobs"]),
        ("decode-cnf --as sv", ["svg", "svg-letters"]),
        ("run-cnf glucose", ["glucose-syrup", "glucose"]),
        ("bench-cnf s", ["scores", "suite.yaml"]),
        ("cnf-completion ", ["bash", "zsh", "fish"]),
        ("LIMIT=3 solve-puzzle cat.nin --enc", None),
        ("solve-puzzle --unique ca", ["cat.nin"]),
        ("solve-puzzle nonsense.nin --encoding ", []),
    ],
)
def test_values(folder, line, found):
    if found is None:
        return
    if line == "solve-puzzle nonsense.nin --encoding ":
        assert "order" not in values(folder, line), "the family is not known"
    else:
        assert values(folder, line) == found


def test_names_that_a_terminal_would_obey_are_not_offered(folder):
    (folder / "evil\x1b[2J.nin").write_text(CAT)
    (folder / "two\nlines.nin").write_text(CAT)
    assert not [name for name in values(folder, "solve-puzzle ") if "evil" in name or "lines" in name]


def test_bash_parts_words_where_it_pleases(folder):
    assert asked(folder, "solve-puzzle cat.nin --encoding=or", "bash", "or") == [["plain", "order"]]
    assert asked(folder, "solve-puzzle cat.nin --encoding=", "bash", "")[0] == ["plain", "order"]


def test_without_a_shell_it_says_what_to_do(folder):
    done = subprocess.run(["cnf-completion"], capture_output=True, text=True, env=environment(folder), timeout=60)
    assert done.returncode == 0
    assert all(line in done.stdout for line in ON.values())


# -- in the shells ----------------------------------------------------------------------------------------------------------


def words_after(shell, folder, line):
    """The words of the command line after `line`, in which \\t is the key, was typed on a terminal."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe(SHELLS[shell][0], SHELLS[shell], environment(folder))
    try:
        os.write(terminal, f"{ON[shell]}; function tell; {'end' if shell == 'fish' else ''}".encode()[:0])
        os.write(terminal, f"{ON[shell]}\n".encode())
        os.write(terminal, b"printf 'rea''dy\\n'\n")
        seen = until(terminal, re.compile(rb"ready"))
        os.write(terminal, line.encode())
        time.sleep(0.2)
        os.write(terminal, b"\x01printf '[%s]' '' '[typed]' \x05 '[end]'\n")
        seen = until(terminal, re.compile(rb"\[\[typed\]\].*\[\[end\]\]", re.DOTALL))
        told = re.search(rb"\[\[typed\]\](.*?)\[\[end\]\]", seen, re.DOTALL)
        return re.findall(r"\[([^\]]*)\]", told[1].decode())
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(pid, 0)


def until(terminal, pattern):
    """What the terminal shows until the pattern is there."""
    seen, end = b"", time.monotonic() + PATIENCE
    while not pattern.search(seen):
        ready = select.select([terminal], [], [], max(end - time.monotonic(), 0))[0]
        assert ready, seen.decode(errors="replace")
        seen += os.read(terminal, 4096)
    return seen


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "line, words",
    [
        ("solve-puzzle non\t", ["solve-puzzle", "nonogram"]),
        ("solve-puzzle ca\t --enc\tdi\t", ["solve-puzzle", "cat.nin", "--encoding", "direct"]),
        ("solve-puzzle cat.nin --encoding=re\t", ["solve-puzzle", "cat.nin", "--encoding=regular"]),
        ("gen-cnf nonogram my\tdog\t", ["gen-cnf", "nonogram", "my puzzles/dog one.nin"]),
        ("run-cnf kis\t", ["run-cnf", "kissat"]),
    ],
)
def test_as_typed(shell, folder, line, words):
    assert words_after(shell, folder, line) == words
