"""The examples in README and docs run and print what the page shows. `docblocks.py` describes the comments that control this."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest
from docblocks import PAGES, Block, blocks_of, compare, running
from published.wheels import build
from repository import REPOSITORY

BLOCKS = {str(page.relative_to(REPOSITORY)): blocks_of(page) for page in PAGES}
NOT_RUN = 40
"""Number of blocks that do not run; another number shows their list with the reasons."""


def _slow(blocks):
    return any("slow" in block.said for block in blocks)


def _play(blocks, folder, programs, *, installed=False):
    with running(folder, programs, installed=installed) as runner:
        for block in blocks:
            runner.run(block)


@pytest.mark.sample(15)
@pytest.mark.parametrize("name", [name for name, blocks in BLOCKS.items() if any(block.runs for block in blocks)])
def test_examples_of_a_page(name, tmp_path, warm):
    _play([block for block in BLOCKS[name] if block.runs and "slow" not in block.said], tmp_path / "page", warm)


@pytest.mark.release
@pytest.mark.parametrize("name", [name for name, blocks in BLOCKS.items() if _slow(blocks)])
@pytest.mark.timeout(1800)
def test_slow_examples_of_a_page(name, tmp_path, warm):
    _play([block for block in BLOCKS[name] if block.runs], tmp_path / "page", warm)


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The commands of a wheel, installed with the extras that README names; pip reaches the network or finds the packages."""
    folder = tmp_path_factory.mktemp("installed")
    build(REPOSITORY, folder, "wheel")
    (wheel,) = folder.glob("*.whl")
    (named,) = set(re.findall(r"'cnfgen-puzzles(\[[a-z,]+\])'", (REPOSITORY / "README.md").read_text(encoding="utf-8")))
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True, timeout=100)
    command = [folder / "venv/bin/pip", "install", "--quiet", f"{wheel}{named}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode:
        pytest.skip(f"pip cannot install the extras {named}: {done.stderr[-200:]}")
    return folder / "venv" / "bin"


@pytest.mark.release
@pytest.mark.parametrize("name", [name for name, blocks in BLOCKS.items() if any(block.runs for block in blocks)])
@pytest.mark.timeout(1800)
def test_examples_after_installation(name, tmp_path, programs):
    """As a reader runs them: installed as README says, in an empty folder."""
    left_out = {"skip", "slow", "needs"}
    _play([block for block in BLOCKS[name] if not left_out & block.said.keys()], tmp_path / "page", programs, installed=True)


def test_skipped_examples_have_reasons():
    left_out = [block for blocks in BLOCKS.values() for block in blocks if not block.runs]
    assert not [block.where for block in left_out if len(block.said["skip"]) < 10]
    assert len(left_out) == NOT_RUN, "\n".join(f"{block.where}: {block.said['skip']}" for block in left_out)
    for block in left_out:
        if block.language == "python":
            ast.parse(block.text)


def test_all_code_is_fenced():
    """An indented block would be shown as code but not run."""
    fenced = re.compile(r"^( *)(```+).*?^\1\2$", re.MULTILINE | re.DOTALL)
    indented = re.compile(r"(?:\A|\n\n)(?! *[-*\d])    \S[^\n]*")
    missed = [
        f"{page.relative_to(REPOSITORY)}: {match[0].strip()}"
        for page in PAGES
        for match in indented.finditer(fenced.sub("", page.read_text(encoding="utf-8")))
    ]
    assert not missed


def _block(language, text, **said):
    return Block(REPOSITORY / "README.md", 1, language, text, said)


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("block", "why"),
    [
        (_block("console", "$ echo one\ntwo\n"), "printed"),
        (_block("console", "$ echo one\n"), "printed"),
        (_block("console", "$ true\nsomething\n"), "printed"),
        (_block("console", "$ false\n"), "exit code 1"),
        (_block("console", "$ echo 1.5 s\n1.6 s\n"), "printed"),
        (_block("console", "$ true\n", exit="2"), "exit code 0"),
        (_block("console", "echo one\n"), "expected a command"),
        (_block("sh", "gen-cnf --no-such-option | cat\n"), "exit code 2"),
        (_block("sh", "exit 0\n"), "left the shell"),
        (_block("python", "1 / 0\n"), "ZeroDivisionError"),
        (_block("python", "1 + 1  # -> 3\n"), "printed"),
        (_block("python", "for n in (1, 2):\n    print(n)  # -> 1\n    print(n)\n"), "end of a statement"),
        (_block("text", "some\n"), "no comment says"),
    ],
)
def test_differences_are_found(block, why, tmp_path, warm):
    with running(tmp_path / "page", warm) as runner, pytest.raises(AssertionError, match=why):
        runner.run(block)


def test_equal_output_is_accepted(tmp_path, warm):
    page = [
        _block("text", "one\ntwo\n", file="some/x.txt"),
        _block("console", "$ cat some/x.txt  # a comment\none\ntwo\n$ cat <<END\n> three\n> END\nthree\n"),
        _block("console", "$ seq 9; echo 0.25 s here\n1\n...\n9\n0.31 s ...\n", varies=r"\d\.\d+ s"),
        _block("console", "$ solve-puzzle nonogram none.nin\n...no such file...\n", exit="2"),
        _block("python", "n = 2\nprint('a')\nn + 1  # -> 3\n"),
        _block("text", "a\n", prints=""),
        _block("python", "print(n)  # -> 2\n"),
    ]
    with running(tmp_path / "page", warm) as runner:
        for block in page:
            runner.run(block)
    with pytest.raises(AssertionError):
        compare(_block("text", ""), "1\n...\n9\n", "1\n2\n", "")
