"""Clues without a header: accepted layouts, refused ambiguities, and other formats that are read as before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repository import REPOSITORY

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families.nonogram.formats import FORMATS, read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of

CORNER = Nonogram(((1, 1), (2,)), ((2,), (1,), (1,)))
GAPS = Nonogram(((1,), ()), ((), (1,), ()))


def source(text: str, suffix: str = "") -> Source:
    return Source("p", text.encode(), suffix)


@pytest.mark.parametrize("suffix", ["", ".txt", ".nin", ".non"])
@pytest.mark.parametrize(
    ("text", "puzzle"),
    [
        ("1 1\n2\n\n2\n1\n1\n", CORNER),
        ("1,1\n2\n\n2\n1\n1", CORNER),
        ("1, 1\n2\n\n2\n1\n1\n\n\n", CORNER),
        ("\n1;1\n2\n \t\n2\n1\n1\n", CORNER),
        ("1\t1\r\n2\r\n\r\n2\r\n1\r\n1\r\n", CORNER),
        ("\ufeff1-1\n2\n\n2\n1\n1\n", CORNER),
        ("1 - 1\n2\n\n2\n1\n1\n", CORNER),
        ("rows\n1 1\n2\ncolumns\n2\n1\n1\n", CORNER),
        ("Rows:\n\n1,1\n2\n\n\nCOLUMNS:\n2\n1\n1\n", CORNER),
        ("# row clues\n1 1\n2\n# column clues\n2\n1\n1\n", CORNER),
        ("[Cols]\n2\n1\n1\n\n[Rows]\n1 1\n2\n", CORNER),
        ("1\n0\n\n0\n1\n0\n", GAPS),
        ("1\n-\n\n-\n1\n-\n", GAPS),
        ("rows\n1\nempty\n\ncolumns\n0\n1\nEmpty\n", GAPS),
        ("1\n1\n\n1\n1\n", Nonogram(((1,), (1,)), ((1,), (1,)))),  # no .cwd: its height would be 1
    ],
)
def test_clues_as_people_type_them(text, puzzle, suffix):
    assert read_puzzle(source(text, suffix)) == puzzle


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 1 1\n2\n2\n", 3, "found 3 clues without a blank line between them, expected the row clues, one blank line"),
        ("1 1\n2\n\n2\n1\n\n1\n", 6, "found 3 groups of clues"),
        ("1,1\n2\n\n\n2\n1\n1\n", 4, "found 2 blank lines, expected one: write 0 for an empty line"),
        ("1,,1\n2\n\n2\n1\n1\n", 1, "found '1,,1', expected numbers with one separator"),
        ("1,1\n2\n\n2\n1x\n1\n", 5, "found '1x'"),
        ("1,1\n2\n\n2\n1.5\n1\n", 5, "found '1.5', expected a whole number"),
        ("1,1\n2\n\n2\n1 0\n1\n", 5, "found a 0 inside the clue '1 0'"),
        ("1,1\n2\n\n2\n1 -1\n1\n", 5, "found '-1', expected"),
        ("1,1\n2\n\n2\n99999\n1\n", 5, "expected at most 10000"),
        ("rows\n1\n\n1\ncolumns\n1\n1\n", 3, "found a blank line among the row clues, expected none: write 0"),
        (
            "rows\n1\nrows\n1\ncolumns\n1\n1\n",
            5,
            "found the headings rows, rows, columns, expected 'rows' and 'columns'",
        ),
        ("rows\n1\n1\n\n1\n1\n", 1, "found the headings rows, expected 'rows' and 'columns', each once"),
        ("rows: 1 1, 2\ncolumns: 2, 1, 1\n", 1, "expected the heading on its own line and one clue per line below it"),
        ("rows\ncolumns\n1\n", 1, "found no clues below 'rows'"),
        ("1 1\nrows\n1\ncolumns\n1\n", 1, "found '1 1' above the first heading"),
    ],
)
def test_ambiguous_or_wrong_clues_are_refused_with_their_line(text, line, message):
    with pytest.raises(InputError) as caught:
        read_puzzle(source(text), "clues")
    assert message in caught.value.message and caught.value.line == line, str(caught.value)
    assert "\nprintf 'rows\\n1 1\\n2\\n\\ncolumns\\n2\\n1\\n1\\n'" in caught.value.__notes__[0]


def test_the_only_consistent_reading_of_a_file_that_may_be_cwd_or_clues_counts():
    assert read_puzzle(source("1\n3\n1\n\n2\n1 1\n1\n")).rows == ((1,), (3,), (1,))
    assert read_puzzle(source("1\n3\n1\n\n2\n1 1\n1\n", ".cwd")).rows == ((1,),)
    assert read_puzzle(source("1\n3\n1\n\n2\n1 1\n1\n"), "cwd").rows == ((1,),)
    assert read_puzzle(source("rows\n1\n3\n1\n\ncolumns\n2\n1 1\n1\n")).height == 3
    assert read_puzzle(source("1\n3\n2\n\n1\n1\n0\n")).height == 1, "the sums fit .cwd alone"


def test_clues_that_contradict_each_other_have_a_warning():
    with pytest.warns(InputWarning, match=r"p:2: rows and columns need 4 and 3 black cells: check the clues"):
        read_puzzle(source("rows\n1 1\n2\ncolumns\n1\n1\n1\n"))


@pytest.mark.parametrize("text", ["3 2\n1 1\n\n2\n1\n", "2\n3\n1 1\n2\n\n2\n1\n", "3 2\n1 1\n2\n\n2\n1\n1\n2\n"])
def test_a_wrong_file_with_a_header_is_not_read_as_clues(text):
    with pytest.raises(InputError, match=r"expected 2 row and 3|expected 3"):
        read_puzzle(source(text))


@given(st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False), st.sampled_from([" ", ",", ", ", ";", "-", "\t"]))
def test_the_clues_of_every_picture_are_read_or_refused_as_ambiguous(height, width, random, between):
    """They are never read as a puzzle with a header, for any first lines."""
    puzzle = clues_of(tuple(tuple(random.random() < 0.6 for _ in range(width)) for _ in range(height)))
    rows, columns = ([between.join(map(str, clue)) or "0" for clue in lines] for lines in (puzzle.rows, puzzle.columns))
    try:
        assert read_puzzle(source("\n".join([*rows, "", *columns]))) == puzzle
    except InputError as error:
        assert "a .cwd puzzle or clues" in error.message and [height, width] == [int(rows[0]) + 2, int(rows[1])]
    assert read_puzzle(source("\n".join(["Rows", *rows, "Columns", *columns]))) == puzzle
    for name in ("nin", "mk", "cwd", "non", "webpbn", "g"):
        assert read_puzzle(source(FORMATS.write_puzzle(puzzle, name), f".{name}")) == puzzle


def test_the_shipped_puzzles_are_in_the_format_of_their_suffix_with_it_and_without_it():
    formats = {".nin": "nin", ".non": "non", ".mk": "mk", ".cwd": "cwd", ".xml": "webpbn", ".g": "g"}
    found = set()
    for path in (REPOSITORY / "instances/nonogram").rglob("*"):
        if path.suffix in formats:
            text = open_source(path).text()
            assert [entry.name for entry in FORMATS.values() if entry.recognise(text)] == [formats[path.suffix]], path
            found.add(path.suffix)
    assert len(found) == 6


def test_a_g_file_with_the_word_columns_in_a_remark_is_read_as_g():
    text = "A puzzle\n: rows\n1 1\n2\n: columns\n2\n1\n1\n: end\ncolumns are read from the top\n"
    for suffix in (".g", ""):
        assert read_puzzle(source(text, suffix)) == CORNER
