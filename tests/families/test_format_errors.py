"""Errors in puzzle files: an example of the closest format, and advice for files that hold something else."""

from __future__ import annotations

import subprocess

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.families.detection import detect_family

EXAMPLES = [
    (family, name)
    for family, module in BUILT_IN.items()
    for name, entry in find_family(family).formats.items()
    if entry.readable and ".grid." not in module  # genres of grid puzzles have no examples in errors
]
FAMILIES = [find_family(name) for name in BUILT_IN]


@pytest.mark.parametrize(("family", "name"), EXAMPLES)
def test_every_example_is_a_solvable_puzzle_of_its_format_and_family(family, name):
    chosen, entry = find_family(family), find_family(family).formats[name]
    source = Source("p", entry.example.encode())
    assert detect_family(source, families=FAMILIES) is chosen
    assert [each.name for each in chosen.formats.values() if each.recognise(entry.example)] == [name]
    puzzle = chosen.formats.read_puzzle(source)
    assert chosen.impossible(puzzle) is None
    assert chosen.formats.write_puzzle(puzzle, name)
    with pytest.raises(InputError) as caught:  # the error of a damaged example shows it
        chosen.formats.read_puzzle(Source("p", entry.example.encode().replace(b"2", b"2x").replace(b"</puzzle>", b"</p>")), name)
    note = caught.value.__notes__[0]
    assert entry.title in note and note.count("\n") < 7  # with the error, at most eight lines
    example = note.partition("\n")[2]
    if example.startswith("printf "):
        example = subprocess.run(example, shell=True, capture_output=True, text=True, check=True).stdout
    assert example.strip("\n") == entry.example.strip("\n")


def fail(data: bytes, suffix: str = "", family: str | None = None) -> InputError:
    """The error for a file, from detection or from reading."""
    source = Source("p", data, suffix)
    with pytest.raises(InputError) as caught:
        chosen = find_family(family) if family else detect_family(source, families=FAMILIES)
        chosen.formats.read_puzzle(source)
    return caught.value


@pytest.mark.parametrize("suffix", ["", ".txt", ".nin", ".xml", ".foo"])
@pytest.mark.parametrize("family", [None, "nonogram", "tiling", "triddler"])
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "found a picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "found a picture"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>', "found a picture"),
        (b"c x\np cnf 2 1\n1 2 0\n", "found a CNF"),
        (b"c 3x2 nonogram, encoding order; cnfgen-puzzles 1.0.0\n" + b"c map\n" * 9999 + b"p cnf 1 0\n", "found a CNF"),
        (b"s SATISFIABLE\nv 1 0\n", "found the answer of a solver"),
        (b'{"width": 3}', "found JSON"),
        (b"#.#\n##.\n", "found the picture of a solution"),
        (b"    2 1 1\n1 1 # . #\n  2 # # .\n", "found the picture of a solution"),
    ],
)
def test_files_that_are_no_puzzles_are_named_with_advice(data, kind, family, suffix):
    if b"{" in data and suffix in (".nin", ".xml"):
        return  # JSON is YAML, too, so the format by suffix has the error
    error = fail(data, suffix, family)
    assert error.message.startswith(kind) and ", expected a" in error.message and "; " in error.message, str(error)
    assert not hasattr(error, "__notes__") and error.exit_code == 2


@pytest.mark.parametrize(
    ("data", "suffix", "family", "line", "message", "example"),
    [
        (b"", "", None, 1, "found an empty file, expected a nonogram", "clues"),
        (b"", ".txt", "nonogram", 1, "found an empty file", "clues"),
        (b"", ".url", None, 1, "a nonogram, a tiling puzzle, mazes, a triddler", "clues"),
        (b"\n \n", ".g", "nonogram", 1, "found an empty file", "g"),
        (b"\0\1\2", ".nin", "nonogram", 1, "found a NUL byte", "nin"),
        (b"\xff\xfe1\0", "", None, 1, "found no known file format", "clues"),
        (b"1,1\n2\n\n2\n1x\n1\n", ".txt", None, 5, "the closest is clues without a header: found '1x'", "clues"),
        (b"1,1\n2\n\n2\n1x\n1\n", "", "nonogram", 5, "the closest is clues without a header: found '1x'", "clues"),
        (b"3 2\n1 1\n2\n2\n1\n", "", None, 5, "found 4 lines of clues", "nin"),
        (b"rows\n1\n\n2\ncolumns\n1\n", ".txt", None, 3, "found a blank line among the row clues", "clues"),
        (b"size: 2x2\npieces:\n  - piece: domio\n", "", None, 3, "did you mean domino", "yaml"),
        (b"<puzzle version='3'></puzzle>", ".xml", None, 1, "found version 3", "burrtools"),
        (b"#t\n: A\n1\n", "", None, 2, "found 1 lines that begin with a colon", "g"),
        (b"Dear reader,\n", "", None, 1, "found no known file format, expected a nonogram, a tiling puzzle", "clues"),
        (b"Dear reader,\n", "", "tiling", 1, "", "yaml"),
    ],
)
def test_errors_show_an_example_of_the_closest_format(data, suffix, family, line, message, example):
    error = fail(data, suffix, family)
    assert message in error.message and error.line == line, str(error)
    assert f"({example}: " in error.__notes__[0], error.__notes__


def test_a_file_of_addresses_without_one_is_told_what_an_address_is():
    error = fail(b"hello\n", ".url")
    assert error.message.startswith("found no address, expected GENRE/WIDTH/HEIGHT/BODY") and error.line == 1


def test_a_limit_is_no_error_of_a_format():
    with other_input_limits(steps=5):
        error = fail(b"3 2\n1 1\n2\n2\n1\n1\n", "", "nonogram")
    assert "the limit 'steps'" in error.message and not hasattr(error, "__notes__")


def test_the_suffix_decides_between_formats_that_match():
    """A triddler and a nonogram with one suffix have different content; for equal content, the suffix decides."""
    text = b"1\n3\n1\n\n2\n1 1\n1\n"
    assert find_family("nonogram").formats.read_puzzle(Source("p", text, ".cwd")).height == 1
    assert find_family("nonogram").formats.read_puzzle(Source("p", text)).height == 3
