"""Drawings: places and cells are each other's inverse, neighbours in a drawing are neighbours, and bad drawings name the row."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tilingcases import puzzles

from cnfgen_puzzles.families.tiling.lattice import (
    CUBIC,
    HEXAGONAL,
    LATTICES,
    SQUARE,
    TRIANGULAR,
    ArtError,
    cell_at,
    draw,
    place_of,
    read_art,
    to_corner,
)


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


@settings(max_examples=40, deadline=None)
@given(puzzles())
def test_what_is_drawn_is_read(puzzle):
    signs = {place_of(puzzle.lattice, cell): "X" for cell in puzzle.cells}
    assert read_art(puzzle.lattice, draw(puzzle.lattice, signs))[0] == signs


@settings(max_examples=40, deadline=None)
@given(puzzles())
def test_to_corner(puzzle):
    for piece in puzzle.pieces:
        shift = to_corner(puzzle.lattice, piece.shape)
        moved = [tuple(a + b for a, b in zip(cell, shift, strict=True)) for cell in piece.shape]
        corners = [min(axis) for axis in zip(*(place_of(puzzle.lattice, cell) for cell in moved), strict=True)]
        assert all(corner in ((0, 1) if puzzle.lattice in (HEXAGONAL, TRIANGULAR) else (0,)) for corner in corners)
        assert puzzle.lattice.normal(moved) == puzzle.lattice.normal(piece.shape)


@pytest.mark.parametrize(
    ("lattice", "text", "row"),
    [
        (SQUARE, "XX\nXXX", 1),
        (SQUARE, "XX\n\nXX", 1),
        (TRIANGULAR, "XX\nX", 1),
        (CUBIC, "XX\nXX\n\nXX", 3),
        (CUBIC, "XX\nXX\n\n\nXX\nX", 5),
    ],
)
def test_bad_drawings(lattice, text, row):
    with pytest.raises(ArtError) as caught:
        read_art(lattice, text)
    assert caught.value.row == row


def test_no_such_place():
    with pytest.raises(ValueError, match="both even or both odd"):
        cell_at(HEXAGONAL, (0, 1))
    with pytest.raises(ValueError, match="expected layer,row,column"):
        cell_at(CUBIC, (0, 1))
