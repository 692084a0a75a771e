"""Sudoku: the published number of boards of 4 x 4 cells (OEIS A107739), and boxes by the size of the board."""

import pytest

import cnfgen_puzzles as cp
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.grid.pzpr import NONE

GENRE = find_family("sudoku")


def test_there_are_288_boards_of_4_by_4():
    assert cp.count(GENRE.puzzle(4, 4, numbers=((NONE,) * 4,) * 4)).solutions == 288


@pytest.mark.parametrize(("side", "height", "width"), [(4, 2, 2), (6, 2, 3), (9, 3, 3), (16, 4, 4), (25, 5, 5)])
def test_boards_are_full_of_boxes(side, height, width):
    puzzle = GENRE.puzzle(side, side, numbers=((NONE,) * side,) * side)
    assert GENRE.boxes(puzzle) == (height, width)
    rows = tuple(tuple((r % height * width + r // height + c) % side + 1 for c in range(side)) for r in range(side))
    assert GENRE.check(puzzle, rows) == []
    assert list(GENRE.broken(puzzle, (rows[-1], *rows[1:-1], rows[0]))) == ["bkDupNum"]
