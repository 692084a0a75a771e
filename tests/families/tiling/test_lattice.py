"""Lattices and polyforms against known numbers; drawings: the maps between places and cells are inverse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.families.lattice import (
    CUBIC,
    HEXAGONAL,
    LATTICES,
    SQUARE,
    TRIANGULAR,
    cell_at,
    place_of,
    turn_cell,
)
from cnfgen_puzzles.families.tiling.pieces import fixed, free, one_sided

# OEIS: A000105 A000988 A001168, A038119 A000162 A001931, A000228 A006535 A001207, A000577 A006534 A001420
POLYFORMS = {
    SQUARE: ([1, 1, 2, 5, 12, 35, 108], [1, 1, 2, 7, 18, 60, 196], [1, 2, 6, 19, 63, 216, 760]),
    CUBIC: ([1, 1, 2, 7, 23, 112], [1, 1, 2, 8, 29, 166], [1, 3, 15, 86, 534, 3481]),
    HEXAGONAL: ([1, 1, 3, 7, 22, 82], [1, 1, 3, 10, 33, 147], [1, 3, 11, 44, 186, 814]),
    TRIANGULAR: ([1, 1, 1, 3, 4, 12, 24], [1, 1, 1, 4, 6, 19, 43], [2, 3, 6, 14, 36, 94, 250]),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("lattice", POLYFORMS, ids=lambda lattice: lattice.name)
def test_numbers_of_polyforms(lattice):
    for kind, counts in zip((free, one_sided, fixed), POLYFORMS[lattice], strict=True):
        assert [len(kind(lattice, size)) for size in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("name", "rotations"), [("square", 4), ("cubic", 24), ("hexagonal", 6), ("triangular", 6)])
def test_point_groups(name, rotations):
    lattice = LATTICES[name]
    assert len(set(lattice.rotations)) == rotations
    assert len(set(lattice.symmetries)) == 2 * rotations
    assert lattice.symmetries[:rotations] == lattice.rotations


def cells_of(lattice):
    vectors = st.tuples(*[st.integers(-6, 6)] * lattice.dimension)
    return vectors if lattice.period == 1 else vectors.filter(lattice.has)


@pytest.mark.parametrize("name", LATTICES)
@given(data=st.data())
def test_symmetries_keep_neighbours(name, data):
    """Every matrix maps cells to cells and neighbors to neighbors; the relation of neighbors is symmetric."""
    lattice = LATTICES[name]
    cell = data.draw(cells_of(lattice))
    matrix = data.draw(st.sampled_from(lattice.symmetries))
    assert lattice.has(turn_cell(matrix, cell))
    near = set(lattice.neighbours(cell))
    assert len(near) == {"square": 4, "cubic": 6, "hexagonal": 6, "triangular": 3}[name]
    assert {turn_cell(matrix, each) for each in near} == set(lattice.neighbours(turn_cell(matrix, cell)))
    assert all(cell in set(lattice.neighbours(each)) for each in near)


@pytest.mark.parametrize("name", LATTICES)
@given(data=st.data())
def test_normal_form_is_invariant_under_translations(name, data):
    lattice = LATTICES[name]
    shape = data.draw(st.sets(cells_of(lattice), min_size=1, max_size=5))
    shift = tuple(lattice.period * step for step in data.draw(st.tuples(*[st.integers(-5, 5)] * lattice.dimension)))
    moved = [tuple(map(sum, zip(cell, shift, strict=True))) for cell in shape]
    normal = lattice.normal(shape)
    assert lattice.normal(moved) == normal
    assert all(lattice.has(cell) for cell in normal)
    step = {tuple(a - b for a, b in zip(cell, place, strict=True)) for cell, place in zip(sorted(shape), normal, strict=True)}
    assert len(step) == 1
    assert not any(x % lattice.period for x in step.pop())


def places(lattice):
    span = range(-5, 6)
    if lattice is CUBIC:
        return [(z, r, c) for z in span for r in span for c in span]
    return [(r, c) for r in span for c in span if lattice is not HEXAGONAL or (r + c) % 2 == 0]


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
def test_places_and_cells(lattice):
    for place in places(lattice):
        cell = cell_at(lattice, place)
        assert lattice.has(cell)
        assert place_of(lattice, cell) == place
    assert len({cell_at(lattice, place) for place in places(lattice)}) == len(places(lattice))


def test_neighbours_in_a_drawing():
    def around(lattice, place):
        return {place_of(lattice, cell) for cell in lattice.neighbours(cell_at(lattice, place))}

    assert around(SQUARE, (2, 2)) == {(1, 2), (3, 2), (2, 1), (2, 3)}
    assert around(HEXAGONAL, (2, 2)) == {(2, 0), (2, 4), (1, 1), (1, 3), (3, 1), (3, 3)}
    assert around(TRIANGULAR, (2, 2)) == {(2, 1), (2, 3), (3, 2)}  # points up
    assert around(TRIANGULAR, (2, 3)) == {(2, 2), (2, 4), (1, 3)}
    assert len(around(CUBIC, (1, 1, 1))) == 6
