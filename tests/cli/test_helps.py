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


def test_the_help_of_an_option_with_two_meanings():
    """--size of a nonogram is two sides, or a number of dominoes for ndom."""
    helps = {option.name: option.help for option, _ in takers(FAMILY.generators)}
    assert helps["size"] == "width x height, or the side of a square; ndom: number of dominoes"
    assert helps["smooth"] == "number of smoothing passes; more passes make larger blobs"


def test_help_all_lists_every_option(run, folder):
    from cnfgen_puzzles.cli.solve_puzzle import family_command

    printed = run("solve-puzzle nonogram --help-all", folder).stdout
    assert all(f"{option.opts[0]}" in printed for option in family_command(FAMILY).params if option.opts[0].startswith("-"))
    assert run("solve-puzzle nonogram -h", folder).stdout == help_of(run, ("solve-puzzle", "nonogram"), folder)
    assert "Exit codes: 0 answered" in printed


@pytest.mark.parametrize(
    "line, told",
    [
        ("solve-puzzle cat.nin --uniqe", "'--unique'"),
        ("solve-puzzle cat.nin -unique", "found -unique, expected two hyphens: --unique"),
        ("solve-puzzle -unique cat.nin", "found -unique, expected two hyphens: --unique"),
        ("decode-cnf -map x", "found -map, expected two hyphens: --map"),
        ("convert-puzzle cat.nin a.svg", "found a second file, a.svg; to write to it: -o a.svg"),
        (
            "convert-puzzle cat.nin -o sheet.pdf",
            "sheet.pdf: found the suffix .pdf and no --to, expected .svg or .png for a picture, or .nin (nin)",
        ),
        ("run-cnf cat.nin kissat", "cat.nin: found a file, expected a solver before it: `run-cnf kissat cat.nin`"),
        ("run-cnf cat.nin", "cat.nin: found a file, expected a solver before it: `run-cnf kissat cat.nin`"),
        (
            "make-puzzle photo.png",
            "photo.png: found a file, expected a family before it, such as `make-puzzle nonogram photo.png`",
        ),
        ("bench-cnf scors x", "unknown command or suite 'scors'; did you mean scores?"),
        ("solve-puzzle slithr/2/2/1", "unknown genre 'slithr'; did you mean slither or lits?\n"),
        (
            "solve-puzzle sample:cat --format mk",
            "solve-puzzle: sample:cat.nin:27: found 48 lines of clues, expected 25 row clues",
        ),
    ],
)
def test_a_mistake_in_a_call_is_named_with_the_right_call(run, folder, line, told):
    done = run(line, folder)
    assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") <= 8


def test_exit_codes_of_answers(run, folder):
    (folder / "none.nin").write_text("1 1\n1\n0\n")
    (folder / "unsat.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    lines = {
        "solve-puzzle cat.nin": 10,
        "solve-puzzle none.nin": 20,
        "count-cnf unsat.cnf": 20,
        "explain-puzzle cat.nin": 10,
    }
    for line, code in lines.items():
        assert run(line, folder).returncode == 0, line
        assert run(f"{line} --exit-code", folder).returncode == code, line
    assert run("count-cnf unsat.cnf --wall-time 0.000001 -e ganak", folder).returncode in (0, 3)


@pytest.mark.parametrize("program", ["/bin/ls", "/bin/cat", "/bin/true", "/bin/echo"])
def test_programs_that_are_no_solvers_are_errors(run, folder, program):
    (folder / "x.cnf").write_text("c comment\np cnf 1 1\n1 0\n")
    done = run(f"run-cnf {program} x.cnf", folder)
    assert done.returncode == 1 and "its output is not an answer" in done.stderr


@pytest.mark.parametrize("name, start", [("b.svg", "<svg"), ("b.txt", "      2\n"), ("b.json", "{")])
def test_convert_puzzle_draws_the_blank_puzzle(run, folder, name, start):
    assert run(f"convert-puzzle cat.nin -o {name}", folder).returncode == 0
    text = (folder / name).read_text()
    assert text.startswith(start) and "# #" not in text
