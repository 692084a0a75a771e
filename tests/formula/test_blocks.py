"""Blocks: keys and variables correspond one to one, JSON preserves them, and unknown keys are errors."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.formula.blocks import GridBlock, KeyBlock, RaggedBlock, block_from_json

grids = st.lists(st.integers(1, 5), min_size=1, max_size=3).map(lambda shape: (GridBlock, tuple(shape)))
keys = st.tuples(st.integers(0, 9), st.integers(0, 9))
ragged = st.dictionaries(keys, st.integers(0, 5), max_size=6).map(lambda lengths: (RaggedBlock, lengths))
listed = st.lists(keys, unique=True, max_size=12).map(lambda found: (KeyBlock, tuple(found)))


@given(grids | ragged | listed, st.integers(1, 1000), st.booleans())
def test_keys_and_variables_correspond(kind, first, auxiliary):
    block = kind[0]("b", first, kind[1], auxiliary=auxiliary)
    pairs = list(block.items())
    assert [variable for _, variable in pairs] == list(range(first, first + block.count))
    assert all(block[key] == variable for key, variable in pairs)
    assert len({key for key, _ in pairs}) == block.count
    assert block_from_json(json.loads(json.dumps(block.to_json()))) == block


GRID, RAGGED = GridBlock("b", 1, (2, 3)), RaggedBlock("b", 1, {(0, 0): 2})


@pytest.mark.parametrize(
    "block, missing",
    [*((GRID, key) for key in ((2, 0), (0, 3), (-1, 0), (1,))), *((RAGGED, key) for key in ((0, 0, 2), (0, 0, -1), (1, 0, 0))),
     (KeyBlock("b", 1, ((0, 1),)), (1, 0))],
)  # fmt: skip
def test_an_unknown_key_is_an_error(block, missing):
    with pytest.raises(KeyError):
        block[missing]


def test_below_gives_runs_of_variables():
    cell = GridBlock("cell", 11, (2, 3))
    assert list(cell.below(1)) == [14, 15, 16]
    assert list(cell.below()) == list(cell.variables)
    start = RaggedBlock("start", 1, {(0, 0): 2, (0, 1): 3})
    assert list(start.below(0, 1)) == [3, 4, 5]
    place = KeyBlock("place", 1, ((0, 5), (1, 2), (1, 4), (2, 0)))
    assert list(place.below(1)) == [2, 3]
    assert list(place.below(7)) == []


@pytest.mark.parametrize(
    "entry",
    [{"name": "x", "first": 1, "count": 2}, {"name": "x", "first": 1, "count": 3, "grid": [2]}],
)
def test_damaged_entries_are_refused(entry):
    with pytest.raises(ValueError, match=r"number of its keys|expected one of"):
        block_from_json(entry)


def test_a_duplicate_key_is_refused():
    with pytest.raises(ValueError, match="twice"):
        KeyBlock("b", 1, ((1,), (1,)))


def test_an_empty_block_with_huge_sides_needs_no_memory():
    assert list(GridBlock("b", 1, (0, 2**31 - 1)).items()) == []
