"""The chessboard argument finds the classic impossible sets, and never contradicts a solution."""

import pytest
from families.tiling.smallpuzzles import PUZZLES, solutions

from cnfgen_puzzles.families.tiling import FAMILY
from cnfgen_puzzles.families.tiling.model.colouring import uneven


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
        {"board": "5x5", "pieces": "domino: any", "optional": "all"},
    ],
)
def test_says_nothing(options):
    assert uneven(FAMILY.read(None, **options)) is None


@pytest.mark.parametrize("name", PUZZLES)
def test_never_against_a_solution(name):
    assert uneven(PUZZLES[name]) is None or not solutions(PUZZLES[name])
