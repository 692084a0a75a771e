"""Colors by name, value and letter: equal and different colors, and black on white without a palette."""

from __future__ import annotations

import pytest

from cnfgen_puzzles.families.clued.palette import WHITE, Palette, letters
from cnfgen_puzzles.families.clued.puzzle import Color


def palette(*inks):
    found = Palette()
    for ink in inks:
        found.add(*ink)
    return found


def test_inks_without_a_value_get_one_that_no_other_has():
    """By the letter, if it is that of a free default color."""
    found = palette(("1", "", "#0000ff", ""), ("2", "", None, "g"), ("3", "", None, "g"), ("4", "mine", None))
    told = [(name, letter) for name, _, letter in found.entries.values()]
    assert told == [("blue", ""), ("green", "g"), ("red", "g"), ("mine", "y")]
    many = palette(*((str(n), "", None) for n in range(25)))
    assert len({value for _, value, _ in many.entries.values()} | {WHITE.value}) == 26
    assert [many.number(str(n)) for n in range(25)] == list(range(1, 26))
    with pytest.raises(KeyError):
        many.number("25")


@pytest.mark.parametrize(
    ("inks", "background", "name", "colors"),
    [
        ((), "#ffffff", "", ()),
        ((), "#ff0000", "", (("red", "#ff0000", "."),)),
        ((("k", "black", "#000000"),), "#ffffff", "", ()),
        ((("k", "", "#000000"),), "#ffffff", "white", ()),
        ((("k", "black", "#000000"),), "#ffffff", "paper", (("paper", "#ffffff", "."), ("black", "#000000", "k"))),
        ((("k", "ink", "#000000"),), "#ffffff", "", (("white", "#ffffff", "."), ("ink", "#000000", "i"))),
        ((("k", "black", "#000001"),), "#ffffff", "", (("white", "#ffffff", "."), ("black", "#000001", "k"))),
        ((("k", "black", "#000000"),), "#fffffe", "white", (("white", "#fffffe", "."), ("black", "#000000", "k"))),
        (
            (("1", "red", "#ff0000", "r"), ("2", "red", "#fe0000", "r"), ("3", "red", "#fd0000")),
            "#ffffff",
            "",
            (("white", "#ffffff", "."), ("red", "#ff0000", "r"), ("red 2", "#fe0000", "e"), ("red 3", "#fd0000", "d")),
        ),
    ],
)
def test_the_palette_of_a_puzzle(inks, background, name, colors):
    assert palette(*inks).colors(background, name) == tuple(Color(*each) for each in colors)


@pytest.mark.parametrize(
    ("wanted", "names", "found"),
    [
        (["a", "a", ""], ["x", "zoo", "red"], ["a", "z", "r"]),
        (["", ""], ["red", "rose"], ["r", "o"]),
        (["", ""], ["black", "1 é"], ["k", "a"]),
        (["é", "ab"], ["sky", "pink"], ["s", "p"]),
    ],
)
def test_letters(wanted, names, found):
    assert letters(wanted, names) == found
