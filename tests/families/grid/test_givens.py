"""Given numbers that contradict each other or the rules, by hand."""

import pytest

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.api import solve

NONE = -1
QUARTERS = ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 2, 3, 3))
NO_WALLS = tuple((NONE,) * width for width in (3, 3, 3, 3, 4, 4, 4))

CASES = {
    "suguru: 1 twice in a room": ("suguru", {"rooms": QUARTERS}, {(0, 0): 1, (1, 1): 1, (3, 3): 2}, {(0, 0), (1, 1)}),
    "suguru: 9 in a room of four cells": ("suguru", {"rooms": QUARTERS}, {(0, 0): 9, (2, 2): 1}, {(0, 0)}),
    "ripple: 3 too near to 3": ("ripple", {"rooms": QUARTERS}, {(0, 0): 3, (0, 3): 3, (3, 0): 1}, {(0, 0), (0, 3)}),
    "fillomino: 1 beside 1": ("fillomino", {"between": NO_WALLS}, {(0, 0): 1, (0, 1): 1, (3, 3): 2}, {(0, 0), (0, 1)}),
}


@pytest.mark.parametrize("kind", CASES)
def test_the_numbers_that_contradict_are_found(kind):
    name, fields, given, wrong = CASES[kind]
    rows = tuple(tuple(given.get((r, c), NONE) for c in range(4)) for r in range(4))
    found = solve(find_family(name).puzzle(4, 4, numbers=rows, **fields)).mus
    (only,) = found.sets
    assert {(each.entry["row"] - 1, each.entry["column"] - 1) for each in only.givens} == wrong and only.minimal
    assert found.rest is not None
