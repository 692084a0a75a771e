"""Every example in every help works when it is typed, in a folder with the files that it names; and helps have groups."""

from __future__ import annotations

import re
import shutil
import subprocess

import inprocess
import pytest
from conftest import CAT

from cnfgen_puzzles.cli.families import takers
from cnfgen_puzzles.families.nonogram import FAMILY

FAMILIES = ("nonogram", "tiling", "maze", "triddler")
READERS = ("gen-cnf", "solve-puzzle", "convert-puzzle")
OTHERS = ("explain-puzzle", "run-cnf", "decode-cnf")
CALLS = [*((name,) for name in (*READERS, *OTHERS)), *((name, each) for name in READERS for each in FAMILIES)]
CALLS.append(("explain-puzzle", "nonogram"))
GOOD = (0, 3, 10, 20)
SLOW = (
    "--count",
    "--all",
    "6x10 --pieces pentominoes --unique",
    "6x10 --pieces pentominoes -o board",
    "3x3 --length 11 --unique",
)


@pytest.fixture(scope="module")
def run(warm):
    """`run(line, folder, ...)` is a line of a shell."""

    def run(line, folder, **how):
        if inprocess.PLAIN.fullmatch(line):
            return inprocess.call_line(line, cwd=folder)
        return subprocess.run(["bash", "-c", f'PATH="{warm}:$PATH"; {line}'], cwd=folder, capture_output=True, text=True, **how)

    return run


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory, instances):
    """The files that examples name: puzzles, a CNF, its map, an answer."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "cat.nin").write_text(CAT)
    shutil.copy(instances / "maze" / "essential-2x2.mazes", folder / "few.mazes")
    shutil.copy(instances / "triddler" / "star.g", folder)
    (folder / "heart.yaml").write_text("size: 3x4\npieces:\n  - piece: L tromino\n    count: 4\n")
    for line in ("gen-cnf cat.nin -o x.cnf", "run-cnf kissat x.cnf > answer.txt", "run-cnf minisat x.cnf > model.out"):
        assert run(line, folder, timeout=60).returncode in GOOD
    return folder


def help_of(run, words, folder):
    return run(f"{' '.join(words)} --help", folder, timeout=60).stdout


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_every_example_works(run, words, folder):
    printed = help_of(run, words, folder).partition("Examples:\n")[2]
    lines = re.findall(rf"^  ((?:{'|'.join((*READERS, *OTHERS))}) .*)$", printed, re.MULTILINE)
    assert lines, "a help without an example"
    for line in lines:
        if not any(slow in line for slow in SLOW):
            done = run(line, folder, timeout=120)
            assert done.returncode in GOOD, f"{line}\n{done.stderr}"
            assert "Traceback" not in done.stderr


@pytest.mark.release
@pytest.mark.parametrize("words", [call for call in CALLS if call[0] == "solve-puzzle"], ids=" ".join)
def test_long_examples_work(run, words, folder):
    printed = help_of(run, words, folder).partition("Examples:\n")[2]
    for line in (line.strip() for line in printed.splitlines() if any(slow in line for slow in SLOW)):
        assert run(line, folder, timeout=300).returncode in GOOD, line


def test_helps_have_groups(run, folder):
    printed = run("solve-puzzle tiling --help-all", folder).stdout
    headings = re.findall(r"^(\S.*):$", printed, re.MULTILINE)
    assert headings == [
        "Puzzle", "Puzzle without a file", "Random puzzle", "Encoding", "Answer", "Evidence", "Solver and limits",
        "Counting and enumerating", "Collections", "Output", "Other", "Examples",
    ]  # fmt: skip
    assert "Options:" not in printed
    for heading, option in (("Puzzle without a file", "--board"), ("Encoding", "--regions"), ("Output", "--as")):
        assert option in re.search(rf"^{heading}:\n(.*?)^\S", printed, re.MULTILINE | re.DOTALL)[1]


def test_a_guessed_family_has_a_help(run, folder):
    assert help_of(run, ("solve-puzzle", "cat.nin"), folder) == help_of(run, ("solve-puzzle", "nonogram"), folder)


def test_an_option_that_means_two_things_says_both():
    """--size of a nonogram is two sides, and a number of dominoes for ndom alone."""
    helps = {option.name: option.help for option, _ in takers(FAMILY.generators)}
    assert helps["size"] == "width x height, or the side of a square; ndom: number of dominoes"
    assert helps["smooth"] == "how often the landscape is smoothed: more make larger blobs"
