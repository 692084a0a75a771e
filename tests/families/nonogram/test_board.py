"""Boards are checked against the clues alone, and every view shows the same cells."""

from __future__ import annotations

import sys

import pytest
from families.tiling.drawnboards import open_png, rgb
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import cellviews as boards
from cnfgen_puzzles.families.cellviews import CellViews
from cnfgen_puzzles.families.drawing import Drawing
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of

VIEWS = CellViews(FAMILY)


def board_of(*rows: str):
    return tuple(tuple(cell == "#" for cell in row) for row in rows)


ARROW = board_of("..#..", ".##..", "#####", ".##..", "..#..")
CLUES = clues_of(ARROW)


@st.composite
def any_board(draw, largest: int = 12):
    width = draw(st.integers(1, largest))
    row = st.lists(st.booleans(), min_size=width, max_size=width).map(tuple)
    return draw(st.lists(row, min_size=1, max_size=largest).map(tuple))


# -- rules ------------------------------------------------------------------------------------------------------------


def test_check_reports_broken_rules():
    puzzle = Nonogram(((1,), (2, 1), (5,), (), (1,)), CLUES.columns)
    assert FAMILY.check(CLUES, ARROW) == []
    assert FAMILY.check(puzzle, ARROW) == ["row 2: clue 2 1, board has 2", "row 4: clue 0, board has 2"]
    turned = Nonogram(CLUES.columns, CLUES.rows)
    assert len(FAMILY.check(turned, ARROW)) == 4


@pytest.mark.parametrize("board", [(), ((),) * 5, ARROW[:4], tuple(row[:3] for row in ARROW), (*ARROW[:4], (True,))])
def test_check_board_of_another_size(board):
    (message,) = FAMILY.check(CLUES, board)
    assert message.startswith("the board has ") and message.endswith(" cells, the puzzle 5 x 5")


# -- text -------------------------------------------------------------------------------------------------------------

OTHER = board_of("..#..", ".##..", "####.", ".##..", "..###")


def test_text():
    assert VIEWS.plain(CLUES, ARROW) == "..#..\n.##..\n#####\n.##..\n..#..\n"
    assert VIEWS.text(CLUES, ARROW) == (
        "  1 3 5 1 1\n"
        "1 . . # . .\n"
        "2 . # # . .\n"
        "5 # # # # #\n"
        "2 . # # . .\n"
        "1 . . # . .\n"
    )  # fmt: skip
    board = board_of(*["#."] * 10, "..")
    lines = VIEWS.text(clues_of(board), board).splitlines()  # wide numbers, and empty lines
    assert (lines[0], lines[1], lines[-1]) == ("  10  0", "1  #  .", "0  .  .")


def test_text_marks_cells_that_differ():
    lines = VIEWS.text(CLUES, ARROW, OTHER).splitlines()
    assert lines[3] == "5 # # # # +"
    assert lines[5] == "1 . . # - -"
    assert lines[6:] == ["+ filled only in this board", "- filled only in the other board"]
    assert VIEWS.text(CLUES, ARROW, ARROW) == VIEWS.text(CLUES, ARROW)


def cells_of_ansi(text: str) -> str:
    """The cells of a line of the terminal view, read back from its colors."""
    signs = {"filled": "#", "paper": "."}
    look = {colors: signs.get(name, name) for name, shades in boards.ANSI.items() if name != "*" for colors in shades}
    found = ""
    for part in text.split("\x1b[")[1:]:
        code, _, content = part.partition("m")
        found += look.get(f"\x1b[{code}m", "") * (len(content) // 2)
    return found


@given(any_board(), st.data())
def test_terminal_shows_the_same_cells(board, data):
    puzzle = clues_of(board)
    other = data.draw(st.none() | st.just(tuple(tuple(not cell for cell in row) for row in board)))
    lines = VIEWS.ansi(puzzle, board, other).splitlines()
    shown = [cells for line in lines if (cells := cells_of_ansi(line))][: len(board)]
    assert shown == VIEWS.plain(puzzle, board, other).split()
    assert all(line.count("\x1b[") == 0 or line.rstrip().endswith(("\x1b[0m", "board")) or "\x1b[2m" in line for line in lines)


# -- pictures ---------------------------------------------------------------------------------------------------------


def test_png_shows_the_cells():
    image = open_png(VIEWS.drawing(CLUES, ARROW, None, cell=boards.PNG_CELL, clues=False).png())
    edge = boards.PNG_CELL // 2
    for r, row in enumerate(ARROW):
        for c, cell in enumerate(row):
            middle = (edge + c * boards.PNG_CELL + boards.PNG_CELL // 2, edge + r * boards.PNG_CELL + boards.PNG_CELL // 2)
            assert image.getpixel(middle) == rgb(boards.INK if cell else boards.PAPER)


def test_differences_are_marked_by_shape_as_well_as_color():
    signs = {sign: boards.marked_cell(sign, 0, 0, 20) for sign in boards.LEGEND}
    gray = {sign: open_png(Drawing(20, 20, boards.PAPER, shapes).png()).convert("1") for sign, shapes in signs.items()}
    assert gray["+"].tobytes() != gray["-"].tobytes()
    image = open_png(FAMILY.views["png"].draw(CLUES, ARROW, OTHER))
    colors = {color for _, color in image.getcolors(100_000)}
    assert {rgb(boards.ONLY_HERE), rgb(boards.ONLY_THERE)} <= colors


@pytest.mark.parametrize("package", ["PIL", "vl_convert"])
def test_png_without_a_package_names_the_extra(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match="extra `pictures`"):
        FAMILY.views["png"].draw(CLUES, ARROW)
