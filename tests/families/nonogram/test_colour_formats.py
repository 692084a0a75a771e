"""Files of nonograms in several colours: what each format holds, what it refuses, and where a mistake is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.formats import FORMATS, read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Colour, Nonogram
from cnfgen_puzzles.ground.errors import InputError, InputWarning
from cnfgen_puzzles.ground.sources import Source

COLOURFUL = ("non", "webpbn", "g")
BLACK_ONLY = ("nin", "mk", "cwd")


def source(text: str) -> Source:
    return Source("p", text.encode())


NAMES = st.text("abcdefgh äß&<\"'", min_size=1, max_size=8).map(str.strip).filter(bool)
VALUES = st.integers(1, 0xFFFFFF).map("#{:06x}".format)


@st.composite
def puzzles(draw):
    """Any coloured puzzle, mostly one without solution, with letters and a goal that need not fit."""
    inks = draw(st.integers(1, 5))
    letters = draw(st.lists(st.sampled_from("abcXYZr"), min_size=inks, max_size=inks, unique=True))
    names = draw(st.lists(NAMES, min_size=inks + 1, max_size=inks + 1, unique_by=lambda name: " ".join(name.split())))
    signs = [".", *letters]
    colours = tuple(Colour(" ".join(n.split()), draw(VALUES), s) for n, s in zip(names, signs, strict=True))
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    block = st.tuples(st.integers(1, 9), st.integers(1, inks))
    rows, columns = (draw(st.lists(st.lists(block, max_size=3), min_size=n, max_size=n)) for n in (height, width))
    goal = draw(st.none() | st.lists(st.tuples(*[st.integers(0, inks)] * width), min_size=height, max_size=height).map(tuple))
    lengths, told = ([tuple(tuple(b[k] for b in line) for line in lines) for lines in (rows, columns)] for k in (0, 1))
    return Nonogram(*lengths, {"title": "T"}, goal, colours, *told)


@settings(deadline=None)
@given(puzzles())
def test_files_hold_what_they_can_and_tell_the_rest(puzzle):
    for name in COLOURFUL:
        text = FORMATS.write_puzzle(puzzle, name)
        assert [entry.name for entry in FORMATS.values() if entry.recognise(text)] == [name]
        again = read_puzzle(source(text))
        assert [list(again.lines(kind)) for kind in ("row", "column")] == [list(puzzle.lines(kind)) for kind in ("row", "column")]
        assert [(c.value, c.sign) for c in again.palette[1:]] == [(c.value, c.sign) for c in puzzle.palette[1:]]
        lost = set(FORMATS.lost(puzzle, name, text))
        assert lost <= {"webpbn": set(), "non": {"the background's colour", "names of colours"}, "g": {"title", "goal"}}[name]
        if name == "webpbn":
            assert again == puzzle and again.goal == puzzle.goal
        if name == "g":
            assert again.colours == puzzle.colours
    for name in BLACK_ONLY:
        if puzzle.row_colours or puzzle.column_colours:
            with pytest.raises(InputError, match=f"blocks of {puzzle.inks} colours, expected black ones: .{name} has no colours"):
                FORMATS.write_puzzle(puzzle, name)
        else:
            assert "colours" in FORMATS.lost(puzzle, name, FORMATS.write_puzzle(puzzle, name))


def test_webpbn_as_the_site_exports_it():
    text = """<?xml version="1.0"?><!DOCTYPE pbn SYSTEM "http://webpbn.com/pbn-0.3.dtd">
    <puzzleset><puzzle type="grid" backgroundcolor="sky" defaultcolor="black"><title>Boat</title>
    <color name="black" char="X">000000</color><color name="sky" char="-">ADE</color>
    <color name="dark red" char="r">800000</color>
    <clues type="columns"><line><count>1</count><count color="dark red">1</count></line><line><count color="dark red">2</count>
    </line></clues><clues type="rows"><line><count>1</count><count color="dark red">1</count></line>
    <line><count color="dark red">2</count></line></clues>
    <solution type="goal"><image>|Xr||rr|</image></solution></puzzle></puzzleset>"""
    puzzle = read_puzzle(source(text))
    assert [(c.name, c.value, c.sign) for c in puzzle.colours] == [
        ("sky", "#aaddee", "."), ("black", "#000000", "X"), ("dark red", "#800000", "r"),
    ]  # fmt: skip
    assert puzzle.goal == ((1, 2), (2, 2)) and FAMILY.check(puzzle, puzzle.goal) == []
    without = text[: text.index("<clues")] + text[text.index("<solution") :]
    drawn = read_puzzle(source(without))
    assert (drawn.rows, drawn.row_colours) == (puzzle.rows, puzzle.row_colours)


def test_a_colour_that_nobody_declares_is_told():
    text = "<puzzleset><puzzle>{}{}</puzzle></puzzleset>".format(
        *(f'<clues type="{kind}"><line><count color="mauve">1</count></line></clues>' for kind in ("rows", "columns"))
    )
    with pytest.warns(InputWarning, match="p:1: found the colour 'mauve', which no <color> declares"):
        assert [colour.name for colour in read_puzzle(source(text)).palette] == ["white", "mauve"]


NON = "width 2\nheight 2\ncolor r #f00\ncolor b blue\nrows\n1r,1b\n2b\ncolumns\n1r,1b\n2b\n"


def test_non_with_colours():
    puzzle = read_puzzle(source(NON + 'goal "rbbb"\n'))
    assert [colour.value for colour in puzzle.palette] == ["#ffffff", "#ff0000", "#0000ff"]
    assert puzzle.goal == ((1, 2), (2, 2)) and FAMILY.check(puzzle, puzzle.goal) == []
    undeclared = read_puzzle(source(NON.replace("color b blue\n", "")))
    assert undeclared.row_colours == puzzle.row_colours and len({c.value for c in undeclared.palette}) == 3
    black = read_puzzle(source(NON.replace("2b", "2") + "goal rb11\n"))
    assert [colour.name for colour in black.palette] == ["white", "red", "blue", "black"] and black.goal == ((1, 2), (3, 3))


G = "A remark.\n#d\n 0:. #ffffd0 sand\n m:%  blue  modra\n 1:* black\n: rows ---\n1m 1\n\n: columns\n1m\n1\n: end\nMore of it.\n"


def test_g_as_the_examples_of_grid_have_it():
    puzzle = read_puzzle(source(G))
    assert [(c.name, c.value, c.sign) for c in puzzle.colours] == [
        ("sand", "#ffffd0", "."), ("blue", "#0000ff", "m"), ("black", "#000000", "k"),
    ]  # fmt: skip
    assert puzzle.rows == ((1, 1), ()) and puzzle.row_colours == ((1, 2), ())
    assert read_puzzle(source(G[G.index(": rows") :].replace("1m", "1"))) == read_puzzle(
        source(": rows\n1 1\n0\n: columns\n1\n1\n")
    )
    with pytest.warns(InputWarning, match="p:4: found the colour 'peach'"):
        read_puzzle(source(G.replace("blue", "peach")))


WRONG = [
    (NON.replace("2b", "2q", 1).replace("color b", "color q"), None, ""),
    (NON.replace("1r,1b", "1é,1b", 1), 6, "found the letter 'é' in the clue of row 1, expected the letter of a colour"),
    (NON.replace("1r,1b", "1rr,1b", 1), 6, "found '1rr', expected a whole number for a clue of row 1"),
    (NON.replace("1r,1b", "0r,1b", 1), 6, "found a 0 inside the clue '0 1' of row 1"),
    (NON.replace("#f00", "#f0"), 3, "found the colour '#f0', expected six hexadecimal digits"),
    (NON.replace("r #f00", "#f00"), 3, "found '#f00' after 'color', expected a letter and a value"),
    (NON.replace("color b", "color r"), 4, "found 'color r' again (first on line 3)"),
    (NON + "goal rbbx\n", 11, "found 'x' in the goal, expected 0 and r and b alone"),
    (NON + "goal rb1b\n", 11, "found '1' in the goal"),
    (NON + "goal rbb\n", 11, "found 3 cells in the goal, expected 2 x 2 = 4"),
    (G.replace("#d", "#t"), 2, "found a triddler"),
    (G.replace("1m 1\n", "1q 1\n"), 7, "found the letter 'q' in the clue of row 1"),
    (G.replace(" 1:* black\n", ""), 6, "found a number without a letter in the clue of row 1"),
    (G.replace("m:%", "0:%"), 4, "found the colour '0' again (first on line 3)"),
    (G.replace("m:%", "7:%"), 4, "expected a colour such as 'r:r  #ff0000'"),
    (G.replace("m:%  blue", "m blue"), 4, "expected a colour such as"),
    (G.replace(" blue ", " #12 "), 4, "found the colour '#12', expected six"),
    (G[: G.index(" 0:")] + G[G.index(": rows") :], 2, "found no colours after '#d'"),
    (G.replace("1m 1\n", "x1m 1\n"), 7, "found 'x1m', expected a whole number"),
    (
        G.replace(": columns\n1m\n1\n: end", ": columns\n: end"),
        9,
        "found 0 clues of columns after ': columns', expected 1 to 10000",
    ),
]


@pytest.mark.parametrize(("text", "line", "message"), WRONG)
def test_errors_name_the_line(text, line, message):
    if line is None:
        assert read_puzzle(source(text)).inks == 3
        return
    with pytest.raises(InputError) as caught:
        read_puzzle(source(text))
    assert (message in caught.value.message) and caught.value.line == line, str(caught.value)


def test_more_colours_than_letters_are_refused():
    many = "".join(f'<color name="c{n}">{n:06x}</color>' for n in range(60))
    clues = "".join(f'<clues type="{kind}"><line><count color="c1">1</count></line></clues>' for kind in ("rows", "columns"))
    with pytest.raises(InputError, match="p: found 60 colours besides the background, expected at most 52"):
        read_puzzle(source(f"<puzzleset><puzzle>{many}{clues}</puzzle></puzzleset>"))


def test_g_has_its_clues_by_their_headings():
    """Whichever of the two comes first in the file."""
    rows, columns = ": rows\n2r\n\n1r\n", ": columns\n1r 1r\n1r\n"
    colours = "#d\n  0:. #fff\n  r:r red\n"
    expected = read_puzzle(source(f"{colours}{rows}{columns}: end\n"))
    assert (expected.height, expected.width) == (3, 2)
    assert read_puzzle(source(f"{colours}{columns}{rows}: end\n")) == expected


@pytest.mark.parametrize("char", ["ab", "rr"])
def test_characters_that_are_more_than_one_are_no_letters(char):
    """Also where they stand together in the alphabet."""
    clues = "".join(f'<clues type="{kind}"><line><count color="red">1</count></line></clues>' for kind in ("rows", "columns"))
    puzzle = read_puzzle(source(f'<puzzleset><puzzle><color name="red" char="{char}">f00</color>{clues}</puzzle></puzzleset>'))
    assert [(colour.name, colour.sign) for colour in puzzle.palette[1:]] == [("red", "r")]


def test_a_background_without_a_value_is_told():
    clues = "".join(f'<clues type="{kind}"><line><count>1</count></line></clues>' for kind in ("rows", "columns"))
    with pytest.warns(InputWarning, match="found the background 'mauve', which no <color> gives a value: it is shown white"):
        puzzle = read_puzzle(source(f'<puzzleset><puzzle backgroundcolor="mauve">{clues}</puzzle></puzzleset>'))
    assert puzzle.palette[0].value == "#ffffff"
