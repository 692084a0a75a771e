"""Nonograms as addresses of puzz.link and files of pzpr, against the puzzle and boards of pzprjs (MIT license)."""

import json
from pathlib import Path

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.links.pzprfile import read_file
from cnfgen_puzzles.families.nonogram import pzpr
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.pipeline.api import unique

NONOGRAM = find_family("nonogram")
PUBLISHED = json.loads((Path(__file__).parents[1] / "grid" / "pzpr-boards.json").read_text())["nonogram"]
URL = f"nonogram/{PUBLISHED['url']}\n"


def read(text):
    return NONOGRAM.read(Source("file", text.encode(), ""))


def test_the_address_is_written_as_it_was_read():
    puzzle = read(URL)
    assert puzzle.columns == ((2, 1), (1, 1, 1), (1,), (1, 1, 1), (2, 1), ())
    assert puzzle.rows == ((2, 1), (1, 1), (1, 2), (), (1, 1), (3,))
    assert NONOGRAM.write(puzzle, "url") == URL
    assert read(f"https://puzz.link/p?{URL}") == puzzle
    assert unique(puzzle).verdict == "one"


@pytest.mark.parametrize("entry", PUBLISHED["boards"])
def test_each_board_is_right_where_pzprjs_says_so(entry):
    text = entry["board"].replace("/", "\n")
    found = read_file(text, "nonogram", (pzpr.file,))[1]
    board = tuple(tuple(cell or 0 for cell in row) for row in found["board"])
    puzzle = read(text)
    assert (NONOGRAM.check(puzzle, board) == []) == (entry["verdict"] == "right")
    assert NONOGRAM.write(puzzle, "pzprv3") == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nonogram/3/2/1?", "character 15: found '?', expected a digit"),
        ("nonogram/1/1/00", "found a block of no cells"),
        ("nonogram/1/1/..", "found a block of no cells"),
        ("nonogram/3/2/21", "character 16: the URL ends after 2 cells, expected 7 cells"),
        ("nonogram/3/201", "character 12: found the height 201, expected 1 to 200"),
        ("pzprv3\nnonogram\n1\n1\n. 1\n1\n", "line 6: found 1 entries, expected 2"),
        ("pzprv3\nnonogram\n1\n1\n. x\n1 .\n", "lines 5 to 6: found 'x' beside the board, expected a number"),
    ],
)
def test_errors_name_the_place(text, told):
    with pytest.raises(InputError, match=r"file.*:") as error:
        read(text)
    assert told in str(error.value)


def test_clues_without_a_place_are_not_written():
    with pytest.raises(InputError, match="found 3 blocks in number 1 of the rows, expected at most 2"):
        NONOGRAM.write(Nonogram(((1, 1, 1),), ((1,), (), (1,))), "url")
