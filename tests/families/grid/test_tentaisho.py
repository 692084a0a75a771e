"""Tentai Show against all divisions of small boards."""

from itertools import product

import pytest

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.links.pzpr import Size, rooms_of, sides
from cnfgen_puzzles.testing import models


@pytest.mark.parametrize("connectivity", ["tree-cotree", "rank"])
@pytest.mark.parametrize(
    "points",
    [
        ((0, 1, 0, 0, 2), (0, 0, 0, 0, 0), (2, 0, 0, 1, 0)),
        ((0, 0, 3, 0, 2), (0, 0, 0, 0, 0), (0, 1, 0, 0, 1)),
        ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
        ((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 2, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 0, 1)),
        ((1, 0, 1, 0, 1), (0, 0, 0, 0, 0), (1, 0, 2, 0, 1), (0, 0, 0, 0, 0), (1, 0, 1, 0, 1)),
    ],
)
def test_models_are_the_divisions_without_faults(points, connectivity):
    genre, size = find_family("tentaisho"), Size((len(points) + 1) // 2, 3)
    puzzle = genre.puzzle(*size, points=points)
    walls = [(side, None) for side in sides(size)]
    divisions = {rooms_of(size, {side for side in chosen if side}) for chosen in product(*walls)}
    formula = genre.encode(puzzle, connectivity)
    found = {genre.decode(puzzle, formula.blocks, true) for true in models(formula)}
    holes = {(r, c) for r, row in enumerate(points[::2]) for c, mark in enumerate(row[::2]) if mark == 3}
    apart = [board for board in divisions if all(sum(row.count(board[r][c]) for row in board) == 1 for r, c in holes)]
    assert found == {board for board in apart if not genre.check(puzzle, board)}
