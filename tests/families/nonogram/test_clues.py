"""Lines, sides and numbers: refused texts and their positions (tests of formats cover the rest)."""

from __future__ import annotations

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.clued.clues import Lines, clue_number, tidy


def test_lines():
    lines = Lines("\n9 6\n\na b\n \n", "p", "a board", most=10)
    assert (len(lines), lines.filled, lines.find_filled(2, 5)) == (5, [1, 3], [3])
    assert lines.sides(1, "width", "height") == [9, 6]
    assert (lines.quote(3), str(lines.error(3, "found it"))) == ("'a b'", "p:4: found it")


@pytest.mark.parametrize(
    ("text", "index", "message"),
    [
        ("9", 0, "p:1: found '9', expected the width and the height"),
        ("9 6 1", 0, "p:1: found '9 6 1', expected the width and the height"),
        ("9 10001", 0, "p:1: found '10001' for the height, expected at most 10000"),
        ("0 6", 0, "p:1: found '0' for the width, expected at least 1"),
        ("x\n", 1, "p:1: found the end of the file, expected the width and the height"),
    ],
)
def test_invalid_sides(text, index, message):
    with pytest.raises(InputError) as caught:
        Lines(text, "p", "a board", most=10).sides(index, "width", "height")
    assert str(caught.value) == message


@pytest.mark.parametrize(("text", "message"), [("\n" * 10, "p: found 11 lines"), (" \n", "p:1: found an empty file")])
def test_refused_texts(text, message):
    with pytest.raises(InputError, match=message):
        Lines(text, "p", "a board", most=10)


@pytest.mark.parametrize("token", ["-3", "+3", "3.5", "\u0663", "\u00b2", "1_0", "1" * 99, "10001"])
def test_invalid_numbers(token):
    with pytest.raises(InputError, match=r"p:4: found .*, expected (a whole number for the width|at most 10000)$") as caught:
        clue_number(token, "the width", "p", 4)
    assert len(caught.value.message) < 120
    assert clue_number("007", "the width", "p", 4) == 7


def test_texts_on_one_line():
    assert tidy(" a\n\tb\x00c\ufffe\ud800 ") == "a b c"
