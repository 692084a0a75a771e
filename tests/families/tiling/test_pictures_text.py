"""Boards as text: each sign is at the cell of its piece, signs are different, and marks mark differences."""

from __future__ import annotations

import re

import pytest
from families.tiling.drawnboards import BOX, HEXAGONS, PUZZLES, SIX_BY_TEN, TORUS, TRIANGLES, dominoes, drawn

from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR, read_art
from cnfgen_puzzles.families.tiling.pictures import VIEWS, text
from cnfgen_puzzles.families.tiling.pictures.palette import BoardLook, letters, piece_letters, touching_pieces
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import Tiling

# -- letters ------------------------------------------------------------------------------------------------------------


def kinds(*names: str) -> Tiling:
    return Tiling(SQUARE, {}, tuple(Piece(name, ((0, 0),)) for name in names))


def test_letters_come_from_the_names():
    assert piece_letters(kinds("F", "I", "L'", "L", "F'")) == ["F", "I", "l", "L", "f"]
    assert piece_letters(kinds("Bar", "Bee", "Butterfly", "B")) == ["A", "E", "U", "B"]
    assert piece_letters(kinds(*map(str, range(1, 13))))[8:] == ["9", "A", "B", "C"]
    many = piece_letters(kinds(*map(str, range(1, 109))))
    assert len(set(many)) == 108 and all(len(sign) == 1 for sign in many)


def test_copies_that_touch_have_different_letters():
    puzzle, board = dominoes(7, 8)
    found = letters(puzzle, board)
    assert all(found[one] != found[other] for one, others in enumerate(touching_pieces(puzzle, board)) for other in others)
    assert set(found) <= set("ABCDE")
    puzzle, board = PUZZLES["holes"]
    names = dict(zip(board, letters(puzzle, board), strict=True))
    assert {names[laid] for laid in board if puzzle.pieces[laid.piece].name == "N"} == {"N", "n"}


# -- letters a cell -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lattice", "art"), [(SQUARE, SIX_BY_TEN), (SQUARE, TORUS), (CUBIC, BOX), (HEXAGONAL, HEXAGONS), (TRIANGULAR, TRIANGLES)]
)
def test_plain_text_is_the_drawing_of_the_board(lattice, art):
    puzzle, board = drawn(lattice, art)
    assert text.render_plain(puzzle, board) == art + "\n"
    assert read_art(lattice, text.render_plain(puzzle, board)) == read_art(lattice, art)


def test_text_says_what_its_signs_mean():
    puzzle, board = PUZZLES["hexagons"]
    assert VIEWS["text"].draw(puzzle, board) == HEXAGONS + "\n_ stays empty\n"
    named = Tiling(SQUARE, puzzle.board, (Piece("Bee", ((0, 0),)), Piece("X", ((0, 0),))))
    assert text.notes(BoardLook(named, ())) == "B Bee\n_ stays empty\n"


def test_layers_stand_side_by_side():
    puzzle, board = PUZZLES["soma"]
    assert VIEWS["text"].draw(puzzle, board) == (
        "layer 1   layer 2   layer 3\nLLL       ZTL       TTT\nZPP       ZPV       BBA\nZPV       BAV       BAA\n"
    )


def test_pieces_that_lie_elsewhere_are_marked():
    puzzle, board = drawn(SQUARE, "AAB\n.CB\nCC_")
    _, other = drawn(SQUARE, "AAC\n.BC\nBB_")
    changed = VIEWS["text"].draw(puzzle, board, other)
    assert changed == "A A B*\n. C*B*\nC*C*_\n_ stays empty\n* differs in the other board\n"
    assert "*" not in VIEWS["text"].draw(puzzle, board, board)
    honeycomb, bees = drawn(HEXAGONAL, "A A B\n.A B")
    _, wasps = drawn(HEXAGONAL, "B B A\n.B A")
    assert text.render_plain(honeycomb, bees, wasps) == "A*A*B*\n.A*B*\n"


# -- terminal -----------------------------------------------------------------------------------------------------------

CELL = re.compile(r"(?:\x1b\[1m)?\x1b\[38;5;(\d+);48;5;(\d+)m(.)([ *])")


@pytest.mark.parametrize("name", ["rectangle", "torus", "holes", "soma"])
def test_terminal_shows_the_same_letters_in_colors(name):
    puzzle, board = PUZZLES[name]
    shown = VIEWS["ansi"].draw(puzzle, board)
    plain = "".join(sign for sign in text.render_plain(puzzle, board) if sign not in ".\n")
    found = CELL.findall(shown)
    assert sorted(sign for _, _, sign, _ in found) == sorted(plain)
    assert shown.count(text.RESET) == len(found) == len(puzzle.cells)
    assert len({back for _, back, sign, _ in found}) >= len({laid.piece for laid in board}) > 4 or name == "soma"


# -- outlines -----------------------------------------------------------------------------------------------------------


def test_squares():
    puzzle, board = drawn(SQUARE, "AAA\nABB")
    assert text.draw_lines(BoardLook(puzzle, board)) == (
        "┌───────────┐\n"
        "│ A         │\n"
        "│   ┌───────┤\n"
        "│   │ B     │\n"
        "└───┴───────┘\n"
    )  # fmt: skip


def test_hexagons():
    puzzle, board = drawn(HEXAGONAL, "A A\n.B")
    assert text.draw_lines(BoardLook(puzzle, board)) == (
        " / \\ / \\\n"
        "| A     |\n"
        " \\ / \\ /\n"
        "  | B |\n"
        "   \\ /\n"
    )  # fmt: skip


def test_holes_are_shaded_empty_cells_dotted_and_pieces_elsewhere_starred():
    puzzle, board = drawn(SQUARE, "AAB\nA.B\n_CB")
    _, other = drawn(SQUARE, "AAC\nA.C\n_BC")
    shown = VIEWS["lines"].draw(puzzle, board, other)
    assert shown == (
        "┌───────┬───┐\n"
        "│ A     │ B*│\n"
        "│   ┌───┤   │\n"
        "│   │░░░│ * │\n"
        "├───┼───┤   │\n"
        "│ · │ C*│ * │\n"
        "└───┴───┴───┘\n"
        "· stays empty\n"
        "* differs in the other board\n"
    )  # fmt: skip


def test_an_outline_is_open_where_the_board_closes():
    puzzle, board = drawn(SQUARE, "ABA\nABA", (None, 3))
    assert text.draw_lines(BoardLook(puzzle, board)) == (
        "╶───┬───┬───╴\n"
        "  A │ B │ A\n"
        "    │   │\n"
        "    │   │\n"
        "╶───┴───┴───╴\n"
    )  # fmt: skip
