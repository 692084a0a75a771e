"""Shakashaka: right angles at each lattice point make rectangles; by all boards of 2 x 3 cells."""

from itertools import product

import pytest
from pysat.solvers import Solver

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN


@pytest.mark.parametrize("black", [(), ((0, 0),), ((0, 1),), ((0, 0), (1, 2))])
def test_models_are_the_boards_without_faults(black):
    genre = find_family("shakashaka")
    numbers = tuple(tuple(UNKNOWN if (r, c) in black else NONE for c in range(3)) for r in range(2))
    puzzle = genre.puzzle(2, 3, numbers=numbers)
    values = [(0,) if cell in black else (0, 2, 3, 4, 5) for cell in puzzle.cells]
    boards = ((cells[:3], cells[3:]) for cells in product(*values))
    expected = {board for board in boards if not genre.check(puzzle, board)}
    formula, found = genre.encode(puzzle), set()
    with Solver("glucose4", bootstrap_with=list(formula.clauses())) as solver:
        for model in solver.enum_models():
            found.add(genre.decode(puzzle, formula.blocks, {literal for literal in model if literal > 0}))
    assert found == expected
