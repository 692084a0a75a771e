"""Lines, sides and numbers: refused texts and their positions (tests of formats cover the rest)."""

from __future__ import annotations

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.clued.clues import Lines, tidy, whole_number


def test_lines():
    lines = Lines("\n9 6\n\na b\n \n", "p", "a board", most=10)
    assert (len(lines), lines.skip_blank(), lines.skip_blank(2), lines.end_of_text()) == (5, 1, 3, 4)
    assert lines.find_filled(0, 5) == [1, 3]
    assert lines.sides(1, "width", "height", most=9) == [9, 6]
    assert (lines.quote(3), str(lines.error(3, "found it"))) == ("'a b'", "p:4: found it")


@pytest.mark.parametrize(
    ("text", "index", "message"),
    [
        ("9", 0, "p:1: found '9', expected the width and the height"),
        ("9 6 1", 0, "p:1: found '9 6 1', expected the width and the height"),
        ("9 10", 0, "p:1: found '10' for the height, expected at most 9"),
        ("0 6", 0, "p:1: found width 0, expected a width of at least 1"),
        ("x\n", 1, "p:1: found the end of the file, expected the width and the height"),
    ],
)
def test_invalid_sides(text, index, message):
    with pytest.raises(InputError) as caught:
        Lines(text, "p", "a board", most=10).sides(index, "width", "height", most=9)
    assert str(caught.value) == message


@pytest.mark.parametrize(("text", "message"), [("\n" * 10, "p: found 11 lines"), (" \n", "p:1: found an empty file")])
def test_refused_texts(text, message):
    with pytest.raises(InputError, match=message):
        Lines(text, "p", "a board", most=10)


@pytest.mark.parametrize(
    ("token", "trouble"),
    [
        ("-3", "(negative)"),
        ("+3", "(a plus sign)"),
        ("3.5", "(a decimal fraction)"),
        ("\u0663", "(digits other than 0 to 9)"),
        ("1" * 99, "at most 9"),
    ],
)
def test_invalid_numbers(token, trouble):
    with pytest.raises(InputError) as caught:
        whole_number(token, "the width", 9, InputError)
    assert trouble in caught.value.message and len(caught.value.message) < 120
    assert whole_number("007", "the width", 9, InputError) == 7


def test_texts_on_one_line():
    assert tidy(" a\n\tb\x00c\ufffe\ud800 ") == "a b c"
