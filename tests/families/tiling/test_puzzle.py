"""Rules: each is broken alone and reported. Arguments: the chessboard argument finds the classic impossible sets.

tests/exhaustive compares both with all solutions of small puzzles.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from families.tiling.smallpuzzles import any_number, solutions

from cnfgen_puzzles.families.lattice import SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling import FAMILY
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import COVERED, OPTIONAL, Tiling, box, check_board, make_board, uneven

DOMINO, CORNER = ((0, 0), (0, 1)), ((0, 0), (1, 0), (1, 1))
PLAIN = Tiling(SQUARE, {**box(2, 3), (1, 2): OPTIONAL}, (Piece("d", DOMINO, 1, 1), Piece("L", CORNER, 1, 1)))
RIGHT = [(0, [(0, 1), (0, 2)]), (1, [(0, 0), (1, 0), (1, 1)])]


@pytest.mark.parametrize(
    ("laid", "fault"),
    [
        (RIGHT, None),
        ([RIGHT[0], (1, [(0, 1), (1, 0), (1, 1)])], "cell (0, 0) is not covered"),
        ([RIGHT[0], (1, [(0, 0), (0, 1), (1, 1)])], "cell (0, 1) is covered 2 times"),
        ([(0, [(0, 2), (0, 3)]), RIGHT[1]], "cell (0, 3) is not on the board"),
        (RIGHT[1:], "piece d is used 0 times, expected 1 to 1"),
        ([*RIGHT, (0, [(1, 1), (1, 2)])], "piece d is used 2 times, expected 1 to 1"),
        ([RIGHT[0], (1, [(0, 0), (1, 0)])], "do not have the shape of piece L"),
        ([(0, [(0, 2), (1, 2)]), (1, [(0, 0), (0, 1), (1, 1)])], "cell (1, 0) is not covered"),
    ],
)
def test_each_rule(laid, fault):
    faults = check_board(PLAIN, make_board(laid))
    assert (not faults) if fault is None else any(fault in said for said in faults), faults


@pytest.mark.parametrize(
    ("piece", "fault"),
    [
        (Piece("d", DOMINO, 2, None), "piece d is used 1 times, expected at least 2"),
        (Piece("d", DOMINO, colors=frozenset("a")), "which has another color"),
        (Piece("d", DOMINO, colors=frozenset("ab")), None),
        (Piece("d", DOMINO, pinned=(frozenset({(1, 0), (1, 1)}),)), "piece d does not lie in a place where it is pinned"),
    ],
)
def test_other_rules(piece, fault):
    """tests/families/test_rules_in_awk.py has more of them."""
    puzzle = Tiling(SQUARE, dict.fromkeys(box(2, 2), OPTIONAL), (piece,), colors={(0, 0): "a", (0, 1): "b"})
    faults = check_board(puzzle, make_board([(0, [(0, 0), (0, 1)])]))
    assert (not faults) if fault is None else (len(faults) == 1 and fault in faults[0]), faults


@pytest.mark.parametrize(
    "options",
    [
        {"board": "8x8", "holes": "0,0 7,7", "pieces": "domino: any"},
        {"board": "4x5", "pieces": "tetrominoes"},
        {"board": "2x10", "pieces": "tetrominoes"},
        {"board": "14x15", "pieces": "hexominoes"},
        {"board": "4x7", "pieces": "one-sided tetrominoes"},
        {"board": "10x10", "pieces": "T tetromino: any"},
        {"board": "triangle 4", "pieces": "diamond: any"},
        {"board": "3x3x3", "holes": "1,1,1", "pieces": "1x1x2: any"},
        {"board": "4x4", "holes": "0,0 1,1", "pieces": "domino: any", "cylinder": True},  # a ring of even length
    ],
)
def test_impossible(options):
    assert "in a chessboard coloring" in uneven(FAMILY.read(None, **options))


def test_the_number_of_cells_excludes_a_solution():
    assert uneven(FAMILY.read(None, board="triangle 3", pieces="diamond: any")) == "no choice of the pieces has 9 cells"


@pytest.mark.parametrize(
    "options",
    [
        {"board": "8x8", "holes": "0,0 0,7", "pieces": "domino: any"},
        {"board": "6x10", "pieces": "pentominoes"},
        {"board": "3x3x3", "pieces": "Soma"},
        {"board": "3x3", "pieces": "L tromino: any", "torus": True},
        {"board": "8x8", "pieces": "T tetromino: any"},
        {"board": "20x20", "holes": "3,7", "pieces": "L tromino: any"},
        {"board": "2x3", "holes": "0,0 1,1", "pieces": "domino: any", "cylinder": True},  # a domino around an odd ring
        {"board": "5x5", "pieces": "domino: any", "optional": "all"},
        {"board": "2x2", "pieces": "square tetromino, domino: at most 1"},  # the domino is left out
        {"board": "2x2", "pieces": "square tetromino: at least 1, domino: at least 0"},
    ],
)
def test_cases_in_which_counting_proves_nothing(options):
    assert uneven(FAMILY.read(None, **options)) is None


@pytest.mark.parametrize("period", [6, 9])
def test_rings_of_triangles(period):
    """Triangles that point up map to such triangles around a ring of any length."""
    board = {(3 * a + k, 3 * b + k): COVERED for a in range(2) for b in range(period // 3) for k in (1, 2)}
    diamonds = (any_number("d", ((1, 1), (2, 2))),)
    for missing in combinations(board, 2):
        left = {cell: kind for cell, kind in board.items() if cell not in missing}
        puzzle = Tiling(TRIANGULAR, left, diamonds, wrap=(None, period))
        same = missing[0][0] % 3 == missing[1][0] % 3
        assert ("one color" in uneven(puzzle)) if same else uneven(puzzle) is None
        assert not (same and solutions(puzzle))
