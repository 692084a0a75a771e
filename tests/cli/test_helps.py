"""Help texts: groups of options, families detected from a file, options with several meanings."""

from __future__ import annotations

import re
import subprocess

import inprocess
import pytest
from conftest import CAT

from cnfgen_puzzles.cli.families import takers
from cnfgen_puzzles.families.nonogram import FAMILY


@pytest.fixture(scope="module")
def run(warm):
    """`run(line, folder, ...)` is a line of a shell."""

    def run(line, folder, **how):
        if inprocess.PLAIN.fullmatch(line):
            return inprocess.call_line(line, cwd=folder)
        return subprocess.run(["bash", "-c", f'PATH="{warm}:$PATH"; {line}'], cwd=folder, capture_output=True, text=True, **how)

    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("helps")
    (folder / "cat.nin").write_text(CAT)
    return folder


def help_of(run, words, folder):
    return run(f"{' '.join(words)} --help", folder, timeout=60).stdout


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
