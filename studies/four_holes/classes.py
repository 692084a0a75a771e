"""The hole sets of the 8x8 board: one set of four cells for each class under the symmetries of the board, and the parts that they
cut off.

The module contains only geometry, without pieces and formulas.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

SIDE = 8
CELLS = SIDE * SIDE

Holes = tuple[int, ...]
"""Four cells, each 8 * row + column, in ascending order."""


@cache
def board_symmetries() -> tuple[tuple[int, ...], ...]:
    """The images of all cells under the eight symmetries of the board."""
    turns = []
    for flip_rows, flip_columns, transpose in ((a, b, t) for a in (0, 1) for b in (0, 1) for t in (0, 1)):
        images = []
        for row, column in (divmod(cell, SIDE) for cell in range(CELLS)):
            row, column = (SIDE - 1 - row if flip_rows else row), (SIDE - 1 - column if flip_columns else column)
            images.append(SIDE * column + row if transpose else SIDE * row + column)
        turns.append(tuple(images))
    return tuple(turns)


def orbit(holes: Holes) -> set[Holes]:
    """The hole sets that a symmetry of the board maps `holes` to."""
    return {tuple(sorted([turn[cell] for cell in holes])) for turn in board_symmetries()}


def classes() -> list[Holes]:
    """The least hole set of each orbit."""
    return [holes for holes in combinations(range(CELLS), 4) if min(orbit(holes)) == holes]


def region_sizes(holes: Holes) -> list[int]:
    """The sizes of the connected parts of the board without the holes, in ascending order."""
    left = set(range(CELLS)) - set(holes)
    sizes = []
    while left:
        frontier = [left.pop()]
        size = 1
        while frontier:
            row, column = divmod(frontier.pop(), SIDE)
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if 0 <= r < SIDE and 0 <= c < SIDE and SIDE * r + c in left:
                    left.remove(SIDE * r + c)
                    frontier.append(SIDE * r + c)
                    size += 1
        sizes.append(size)
    return sorted(sizes)


def has_bad_region(holes: Holes) -> bool:
    """True if the size of a part is not a multiple of five, so that pentominoes cannot cover it."""
    return any(size % 5 for size in region_sizes(holes))


def in_words(holes: Holes) -> str:
    """Each hole as row,column."""
    return " ".join(f"{hole // SIDE},{hole % SIDE}" for hole in holes)
