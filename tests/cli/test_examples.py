"""Every example command of every help text runs in an empty folder, in the order in which the help shows the examples."""

from __future__ import annotations

import os
import re
import subprocess
import time
from importlib import import_module

import click
import inprocess
import pytest
from repository import INSTANCES, REPOSITORY
from warmstart import NAMES

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.samples import FOLDER, sample_names

FAMILIES = ("nonogram", "triddler", "tiling", "maze")
GOOD = (0, 10, 20)
NETWORK = ("cnf-solvers install", "import-benchexec", "runexec ")
SLOW = (
    "--all -o", "--count", "--difficulty", "3x3 --length 11", "6x10", "--number", "--generate subset", "--generate cut",
    "--line-solvable", "make-puzzle tiling", "certificate", "--jobs", "counters", "--board 5x6", "cnf-solvers",
)  # fmt: skip
"""Parts of the example commands that take more than half a second; `make test-release` runs them."""


def help_texts():
    """The words that call each command and subcommand; of the subcommands for puzzle families, those of the built-in families."""
    for name in NAMES:
        yield (name,)
        command = import_module(f"cnfgen_puzzles.cli.{name.replace('-', '_')}").COMMAND
        if isinstance(command, click.Group):
            subcommands = command.list_commands(click.Context(command))
            yield from ((name, each) for each in subcommands if each in FAMILIES or "nonogram" not in subcommands)


CALLS = list(help_texts())


def examples(words):
    """The example commands of a help text, without comments."""
    printed = inprocess.call_text([*words, "--help"]).stdout
    lines = re.search(r"^ *Examples?:\n((?: +\S.*\n)+)", printed, re.MULTILINE)
    return [re.sub(r"\s+# .*", "", line).strip() for line in lines[1].splitlines()] if lines else []


def run_examples(words, folder, warm, left_out):
    took = []
    for line in examples(words):
        if any(part in line for part in (*NETWORK, *left_out)):
            continue
        start = time.monotonic()
        if inprocess.PLAIN.fullmatch(line):
            done = inprocess.call_line(line, cwd=folder)
        else:
            shell = ["bash", "-c", f'PATH="{warm}:{REPOSITORY}/solvers/bin:$PATH"; {line}']
            done = subprocess.run(shell, cwd=folder, capture_output=True, text=True, timeout=200)
        took.append(f"{time.monotonic() - start:6.2f} s  {line}")
        assert done.returncode in GOOD, f"{line}\n{done.stdout[-500:]}{done.stderr}"
        assert "Traceback" not in done.stderr
    print("\n".join(took))


@pytest.mark.sample(11)
@pytest.mark.parametrize("words", [each for each in CALLS if each[0] != "bench-cnf"], ids=" ".join)
def test_fast_examples_run_in_an_empty_folder(words, tmp_path, warm):
    run_examples(words, tmp_path, warm, SLOW)


@pytest.mark.release
@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_all_examples_run_in_an_empty_folder(words, tmp_path, warm):
    run_examples(words, tmp_path, warm, ())


def test_commands_without_a_subcommand_have_examples():
    assert [words for words in CALLS if len(words) == 1 and not examples(words)] == []


# -- the sample files that examples name -----------------------------------------------------------------------------------


def test_samples_are_copies_of_instances():
    copies = {
        "cat.nin": "nonogram/cat.nin", "tulip.non": "nonogram/tulip.non", "star.g": "triddler/star.g",
        "calendar.yaml": "tiling/calendar.yaml", "few.mazes": "maze/essential-2x2.mazes",
        "heart.nin": "nonogram/heart.nin", "swapped.nin": "nonogram/swapped-20.nin",
    }  # fmt: skip
    assert [name for name, file in copies.items() if (FOLDER / name).read_bytes() != (INSTANCES / file).read_bytes()] == []
    assert set(sample_names()) == {*copies, "cat-half.txt", "bench.yaml", "heart.svg", "flower.svg"}


def test_the_library_reads_samples():
    assert cp.read("sample:cat").width == cp.read("sample:cat.nin").width == 25
    with pytest.raises(cp.InputError, match=r"unknown sample 'dog'; known: bench\.yaml.*tulip\.non"):
        cp.read("sample:dog")


def test_a_half_filled_sample_and_equals_sign(tmp_path):
    done = inprocess.call_text(["solve-puzzle", "sample:cat", "--known=sample:cat-half", "--quiet"], cwd=tmp_path)
    assert done.returncode in GOOD and done.stdout.count("\n") >= 23


def test_a_file_takes_precedence_over_a_sample(tmp_path):
    (tmp_path / "sample:cat").write_text("1 1\n1\n1\n")
    assert inprocess.call_text(["convert-puzzle", "sample:cat", "--to", "nin"], cwd=tmp_path).stdout == "1 1\n1\n1\n"


def test_no_command_overwrites_a_sample(tmp_path):
    before = {name: (FOLDER / name).read_bytes() for name in sample_names()}
    done = inprocess.call_text(["convert-puzzle", "sample:cat", "-o", "sample:tulip"], cwd=tmp_path)
    assert done.returncode == 2 and "cannot overwrite a sample" in done.stderr
    assert {name: (FOLDER / name).read_bytes() for name in sample_names()} == before


SCREEN, COLUMNS = 45, 80
"""The size of a terminal in which a help fits."""


def test_helps_fit_one_screen(monkeypatch):
    """Examples can be longer than a line; -h and --help are the same."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    for name, *rest in CALLS:
        printed = inprocess.call_text([name, *rest, "-h"], env=dict(os.environ)).stdout
        assert len(printed.splitlines()) <= SCREEN, (name, *rest)
        assert max(map(len, printed.partition("Examples:\n")[0].splitlines())) <= COLUMNS, (name, *rest)
