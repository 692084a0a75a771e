"""Files of nonograms in several colors: the content of each format, refused files, and the position of errors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.clued.palette import BLACK, WHITE, Palette, letters, looks_of_palette
from cnfgen_puzzles.families.clued.puzzle import Color
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.formats import FORMATS, read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

COLORFUL = ("non", "webpbn", "g")
BLACK_ONLY = ("nin", "mk", "clues", "cwd")


def source(text: str) -> Source:
    return Source("p", text.encode())


NAMES = st.text("abcdefgh äß&<\"'", min_size=1, max_size=8).map(str.strip).filter(bool)
VALUES = st.integers(1, 0xFFFFFF).map("#{:06x}".format)


@st.composite
def puzzles(draw):
    """Any colored puzzle, usually without a solution, with letters and a goal that need not fit."""
    inks = draw(st.integers(1, 5))
    letters = draw(st.lists(st.sampled_from("abcXYZr"), min_size=inks, max_size=inks, unique=True))
    names = draw(st.lists(NAMES, min_size=inks + 1, max_size=inks + 1, unique_by=lambda name: " ".join(name.split())))
    signs = [".", *letters]
    colors = tuple(Color(" ".join(n.split()), draw(VALUES), s) for n, s in zip(names, signs, strict=True))
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    block = st.tuples(st.integers(1, 9), st.integers(1, inks))
    rows, columns = (draw(st.lists(st.lists(block, max_size=3), min_size=n, max_size=n)) for n in (height, width))
    goal = draw(st.none() | st.lists(st.tuples(*[st.integers(0, inks)] * width), min_size=height, max_size=height).map(tuple))
    lengths, told = ([tuple(tuple(b[k] for b in line) for line in lines) for lines in (rows, columns)] for k in (0, 1))
    return Nonogram(*lengths, {"title": "T"}, goal, colors, *told)


@pytest.mark.filterwarnings("ignore::cnfgen_puzzles.common.errors.InputWarning")  # of colors that look alike
@settings(deadline=None)
@given(puzzles())
def test_formats_keep_data_and_report_lost_data(puzzle):
    for name in COLORFUL:
        text = FORMATS.write_puzzle(puzzle, name)
        assert [entry.name for entry in FORMATS.values() if entry.recognise(text)] == [name]
        again = read_puzzle(source(text))
        assert [list(again.lines(kind)) for kind in ("row", "column")] == [list(puzzle.lines(kind)) for kind in ("row", "column")]
        assert [(c.value, c.sign) for c in again.palette[1:]] == [(c.value, c.sign) for c in puzzle.palette[1:]]
        lost = set(FORMATS.lost(puzzle, name, text))
        assert lost <= {"webpbn": set(), "non": {"the background's color", "names of colors"}, "g": {"title", "goal"}}[name]
        if name == "webpbn":
            assert again == puzzle and again.goal == puzzle.goal
        if name == "g":
            assert again.colors == puzzle.colors
    for name in BLACK_ONLY:
        if puzzle.row_colors or puzzle.column_colors:
            with pytest.raises(
                InputError, match=f"blocks of {puzzle.inks} colors, expected black ones: .?{name} ha(s|ve) no colors"
            ):
                FORMATS.write_puzzle(puzzle, name)
        else:
            assert "colors" in FORMATS.lost(puzzle, name, FORMATS.write_puzzle(puzzle, name))
    for name in ("url", "pzprv3") if puzzle.row_colors or puzzle.column_colors else ():
        with pytest.raises(InputError, match=f"found blocks of {puzzle.inks} colors, expected black ones"):
            FORMATS.write_puzzle(puzzle, name)


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
    assert [(c.name, c.value, c.sign) for c in puzzle.colors] == [
        ("sky", "#aaddee", "."), ("black", "#000000", "X"), ("dark red", "#800000", "r"),
    ]  # fmt: skip
    assert puzzle.goal == ((1, 2), (2, 2)) and FAMILY.check(puzzle, puzzle.goal) == []
    without = text[: text.index("<clues")] + text[text.index("<solution") :]
    drawn = read_puzzle(source(without))
    assert (drawn.rows, drawn.row_colors) == (puzzle.rows, puzzle.row_colors)


def test_an_undeclared_color_has_a_warning():
    text = "<puzzleset><puzzle>{}{}</puzzle></puzzleset>".format(
        *(f'<clues type="{kind}"><line><count color="mauve">1</count></line></clues>' for kind in ("rows", "columns"))
    )
    with pytest.warns(InputWarning, match="p:1: found the color 'mauve', which no <color> declares"):
        assert [color.name for color in read_puzzle(source(text)).palette] == ["white", "mauve"]


NON = "width 2\nheight 2\ncolor r #f00\ncolor b blue\nrows\n1r,1b\n2b\ncolumns\n1r,1b\n2b\n"


def test_non_with_colors():
    puzzle = read_puzzle(source(NON + 'goal "rbbb"\n'))
    assert [color.value for color in puzzle.palette] == ["#ffffff", "#ff0000", "#0000ff"]
    assert puzzle.goal == ((1, 2), (2, 2)) and FAMILY.check(puzzle, puzzle.goal) == []
    undeclared = read_puzzle(source(NON.replace("color b blue\n", "")))
    assert undeclared.row_colors == puzzle.row_colors and undeclared.palette[2].name == "blue", "as its letter has it"
    starred = read_puzzle(source(NON.replace("r #", "* #").replace("1r", "1*") + 'goal "*bbb"\n'))
    assert (starred.row_colors, starred.goal) == (puzzle.row_colors, puzzle.goal) and starred.palette[1].sign == "r"
    black = read_puzzle(source(NON.replace("2b", "2") + "goal rb11\n"))
    assert [color.name for color in black.palette] == ["white", "red", "blue", "black"] and black.goal == ((1, 2), (3, 3))


G = "A remark.\n#d\n 0:. #ffffd0 sand\n m:%  blue  modra\n 1:* black\n: rows ---\n1m 1\n\n: columns\n1m\n1\n: end\nMore of it.\n"


def test_g_as_the_examples_of_grid_have_it():
    puzzle = read_puzzle(source(G))
    assert [(c.name, c.value, c.sign) for c in puzzle.colors] == [
        ("sand", "#ffffd0", "."), ("blue", "#0000ff", "m"), ("black", "#000000", "k"),
    ]  # fmt: skip
    assert puzzle.rows == ((1, 1), ()) and puzzle.row_colors == ((1, 2), ())
    assert read_puzzle(source(G[G.index(": rows") :].replace("1m", "1"))) == read_puzzle(
        source(": rows\n1 1\n0\n: columns\n1\n1\n")
    )
    with pytest.warns(InputWarning, match="p:4: found the color 'peach'"):
        read_puzzle(source(G.replace("blue", "peach")))


WRONG = [
    (NON.replace("2b", "2q", 1).replace("color b", "color q"), None, ""),
    (NON.replace("1r,1b", "1é,1b", 1), 6, "found the letter 'é' in the clue of row 1, expected the letter of a color"),
    (NON.replace("1r,1b", "1rr,1b", 1), 6, "found '1rr', expected a whole number for a clue of row 1"),
    (NON.replace("1r,1b", "0r,1b", 1), 6, "found a 0 inside the clue '0 1' of row 1"),
    (NON.replace("#f00", "#f0"), 3, "found the color '#f0', expected six hexadecimal digits"),
    (NON.replace("r #f00", "#f00"), 3, "found '#f00' after 'color', expected a letter and a value"),
    (NON.replace("color b", "color r"), 4, "found 'color r' again (first on line 3)"),
    (NON + "goal rbbx\n", 11, "found 'x' in the goal, expected only 0 and r and b"),
    (NON + "goal rb1b\n", 11, "found '1' in the goal"),
    (NON + "goal rbb\n", 11, "found 3 cells in the goal, expected 2 x 2 = 4"),
    (G.replace("1m 1\n", "1q 1\n"), 7, "found the letter 'q' in the clue of row 1"),
    (G.replace(" 1:* black\n", ""), 6, "found a number without a letter in the clue of row 1"),
    (G.replace("m:%", "0:%"), 4, "found the color '0' again (first on line 3)"),
    (G.replace("m:%", "7:%"), 4, "expected a color such as 'r:r  #ff0000'"),
    (G.replace("m:%  blue", "m blue"), 4, "expected a color such as"),
    (G.replace(" blue ", " #12 "), 4, "found the color '#12', expected six"),
    (G.replace("blue", "white/black"), 4, "found a triangle ('white/black'), expected colors of whole cells"),
    (G.replace("blue", r"black\white"), 4, "found a triangle"),
    (G[: G.index(" 0:")] + G[G.index(": rows") :], 2, "found no colors after '#d'"),
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


def test_more_colors_than_letters_are_refused():
    many = "".join(f'<color name="c{n}">{n:06x}</color>' for n in range(53))
    clues = "".join(f'<clues type="{kind}"><line><count color="c1">1</count></line></clues>' for kind in ("rows", "columns"))
    with pytest.raises(InputError, match="p: found 53 colors besides the background, expected at most 52"):
        read_puzzle(source(f"<puzzleset><puzzle>{many}{clues}</puzzle></puzzleset>"))
    fewer = many[: many.rindex("<color")]
    assert (
        len({color.sign for color in read_puzzle(source(f"<puzzleset><puzzle>{fewer}{clues}</puzzle></puzzleset>")).palette})
        == 53
    )


def puzzleset(inner: str = "", attributes: str = "", one: str = "", other: str = ' color="red"') -> str:
    """A puzzle of one row with two blocks of one cell with these attributes."""
    rows = f"<line><count{one}>1</count><count{other}>1</count></line>"
    columns = f"<line><count{one}>1</count></line><line><count{other}>1</count></line>"
    clues = f'<clues type="rows">{rows}</clues>\n<clues type="columns">{columns}</clues>'
    return f"<puzzleset><puzzle{attributes}>\n{inner}\n{clues}\n</puzzle></puzzleset>"


RED = '<color name="red" char="r">f00</color>'
PICTURE = '<solution type="{}"><image>{}</image></solution>'


@pytest.mark.parametrize(
    ("text", "colors"),
    [
        (puzzleset('<color name="red">f00</color><color name="rot">#FF0000</color>', one=' color="rot"'), "red, rot"),
        (puzzleset('<color name="red">fff</color>'), "white, red"),
        (puzzleset(RED, ' backgroundcolor="Red"'), "Red, red"),
        ("width 2\nheight 1\ncolor r #f00\ncolor s red\nrows\n1r,1s\ncolumns\n1r\n1s\n", "red, red 2"),
        ("#d\n a:a #ff0000 one\n b:b red\n: rows\n1a 1b\n: columns\n1a\n1b\n: end\n", "one, red"),
    ],
)
def test_equal_color_values_have_a_warning(text, colors):
    with pytest.warns(InputWarning, match=f"p: found the same value #f.* for the colors {colors}: "):
        assert read_puzzle(source(text)).inks == 2


def test_a_background_without_a_value_has_a_warning():
    with pytest.warns(InputWarning, match="found the background 'mauve', which no <color> gives a value: it is shown white"):
        assert read_puzzle(source(puzzleset(attributes=' backgroundcolor="mauve"'))).palette[0].value == "#ffffff"


@pytest.mark.parametrize(
    ("text", "line", "element", "attribute"),
    [
        (puzzleset(other=' color=""'), 3, "count", "color"),
        (puzzleset(other=' color=" "'), 3, "count", "color"),
        (puzzleset('<color char="r">f00</color>'), 2, "color", "name"),
        (puzzleset('<color name="" char="r">f00</color>'), 2, "color", "name"),
        (puzzleset(attributes=' defaultcolor=""'), 1, "puzzle", "defaultcolor"),
        (puzzleset(attributes=' backgroundcolor=""'), 1, "puzzle", "backgroundcolor"),
    ],
)
def test_a_color_without_a_name_is_refused(text, line, element, attribute):
    with pytest.raises(InputError) as caught:
        read_puzzle(source(text))
    assert str(caught.value) == f"p:{line}: found a <{element}> with no name in '{attribute}', expected the name of a color"


@pytest.mark.parametrize("image", ["|rX|", " | r X | ", "|[r] [X]|", "\n|r[X]|\n"])
def test_goals_may_have_blanks_and_brackets(image):
    """As the format describes pictures, including half-filled grids."""
    assert read_puzzle(source(puzzleset(RED + PICTURE.format("goal", image)))).goal == ((1, 2),)


@pytest.mark.parametrize(
    ("image", "message"),
    [
        ("|r?|", "found an unknown cell in the picture of a goal, expected one color for each cell"),
        ("|r[rX]|", "found an unknown cell in the picture of a goal, expected one color for each cell"),
        ("|r[]|", "found '[]' in the picture, expected the characters of the puzzle's colors, ? and [ ]"),
        ("|r[X|", "found '[' in the picture, expected the characters of the puzzle's colors, ? and [ ]"),
        ("|rX", "found a picture that is cut short"),
        ("|r|X|", "found a picture that is cut short"),
        ("|r|X|r|", "found a picture that is cut short"),
        ("rX", "found a picture that is cut short"),
        ("", "found a picture that is cut short"),
        ("||", "found rows of different length in the picture, expected equal ones of 1 to 10000 cells"),
    ],
)
def test_invalid_goals(image, message):
    with pytest.raises(InputError) as caught:
        read_puzzle(source(puzzleset(RED + PICTURE.format("goal", image))))
    assert message in caught.value.message and caught.value.line == 2


@pytest.mark.parametrize("heads", [(":radky", ":sloupce:", ":konec:"), (":", ": this colon starts the columns", ":---")])
def test_g_with_remarks_in_any_language_is_recognized(heads):
    """As in examples of grid and pbnsolve; input from a pipe has no suffix."""
    rows, columns, end = heads
    text = f"Raketa\n#deklarace barev\n  m:% blue\n  1:* black\n{rows}\n1m 1\n\n{columns}\n1m\n1\n{end}"
    assert read_puzzle(source(text)) == read_puzzle(source(G.replace(" 0:. #ffffd0 sand\n", "")))


# -- palettes -------------------------------------------------------------------------------------------------------------


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


def test_a_background_of_another_color_is_drawn():
    grounds = [looks_of_palette((replace(WHITE, value=value), BLACK))[0].fill for value in (WHITE.value, "#ffffd0")]
    assert grounds == [None, "#ffffd0"]
