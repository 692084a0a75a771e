"""The chessboard argument finds the classic impossible sets, and never contradicts a solution."""

from itertools import combinations

import pytest
from families.tiling.smallpuzzles import PUZZLES, any_number, solutions, truth

from cnfgen_puzzles.families.tiling import FAMILY
from cnfgen_puzzles.families.tiling.lattice import TRIANGULAR
from cnfgen_puzzles.families.tiling.puzzle import COVERED, Tiling, uneven


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
    assert "coloured like a chessboard" in uneven(FAMILY.read(None, **options))


def test_the_number_of_cells_alone():
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
def test_says_nothing(options):
    assert uneven(FAMILY.read(None, **options)) is None


@pytest.mark.parametrize("period", [6, 9])
def test_rings_of_triangles(period):
    """Triangles that point up stay so around a ring, whatever its length."""
    board = {(3 * a + k, 3 * b + k): COVERED for a in range(2) for b in range(period // 3) for k in (1, 2)}
    diamonds = (any_number("d", ((1, 1), (2, 2))),)
    for missing in combinations(board, 2):
        left = {cell: kind for cell, kind in board.items() if cell not in missing}
        puzzle = Tiling(TRIANGULAR, left, diamonds, wrap=(None, period))
        same = missing[0][0] % 3 == missing[1][0] % 3
        assert ("one colour" in uneven(puzzle)) if same else uneven(puzzle) is None
        assert not (same and solutions(puzzle))


@pytest.mark.parametrize("name", PUZZLES)
def test_never_against_a_solution(name):
    assert uneven(PUZZLES[name]) is None or not truth(name)
