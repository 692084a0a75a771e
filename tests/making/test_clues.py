"""Made grid puzzles have one solution, none of their clues can be left out, and a seed gives the same puzzle again."""

from dataclasses import replace

import pytest

from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.families.grid.genre import Genre
from cnfgen_puzzles.making.clues import minimal_puzzle
from cnfgen_puzzles.pipeline.api import unique

MADE = [name for name, module in BUILT_IN.items() if ".grid." in module and type(find_family(name)).clue is not Genre.clue]


@pytest.mark.parametrize("name", MADE)
def test_made_puzzles_are_minimal(name):
    genre = find_family(name)
    puzzle = minimal_puzzle(genre, 4, 4, 3)
    assert unique(puzzle).verdict == "one"
    assert minimal_puzzle(genre, 4, 4, 3) == puzzle
    field = genre.clue_field
    for (r, c), clue in puzzle.given(field):
        rows = [list(row) for row in getattr(puzzle, field)]
        rows[r][c] = genre.without
        fewer = replace(puzzle, **{field: tuple(map(tuple, rows))})
        assert clue == genre.without or unique(fewer).verdict == "several"
