"""Where cells lie in a picture: their corners, the edges between them, and the outlines of sets of cells.

Corners are whole numbers, so that cells which touch share them exactly; `UNIT` says how far apart they are in a picture in which
a cell is 1 wide. Space is drawn in layers, so its cells have the corners of squares. Nothing here knows colours or shapes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise, product
from math import sqrt
from typing import NamedTuple

from cnfgen_puzzles.families.tiling.model.celldrawing import place_of
from cnfgen_puzzles.families.tiling.model.lattice import CUBIC, HEXAGONAL, LATTICES, SQUARE, TRIANGULAR, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling

Corner = tuple[int, int]
"""(to the right, down)."""

UNIT = {
    SQUARE: (1.0, 1.0),
    CUBIC: (1.0, 1.0),
    HEXAGONAL: (0.54, 0.54 / sqrt(3)),
    TRIANGULAR: (0.7, 0.7 * sqrt(3)),
}
"""The distance of corners that are 1 apart, to the right and down."""


def corners(lattice: Lattice, cell: Cell) -> tuple[Corner, ...]:
    """The corners of a cell, clockwise from the top or the top left."""
    r, c = place_of(lattice, cell)[-2:]
    if lattice is HEXAGONAL:
        return ((c + 1, 3 * r), (c + 2, 3 * r + 1), (c + 2, 3 * r + 3), (c + 1, 3 * r + 4), (c, 3 * r + 3), (c, 3 * r + 1))
    if lattice is TRIANGULAR:
        if (r + c) % 2:
            return ((c, r), (c + 2, r), (c + 1, r + 1))
        return ((c + 1, r), (c + 2, r + 1), (c, r + 1))
    return ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1))


class Edge(NamedTuple):
    """A side of a cell, its corners clockwise around the cell, and the cell beyond (which need not be on the board).

    On a seam, where the board closes to a ring, the cell beyond is drawn elsewhere.
    """

    start: Corner
    end: Corner
    beyond: Cell
    seam: bool


class Sides:
    """The edges of the cells of a board, as they lie in its picture; made once and used for many boards."""

    def __init__(self, puzzle: Tiling):
        self.of: dict[Cell, tuple[Edge, ...]] = {cell: tuple(_edges(puzzle, cell)) for cell in puzzle.cells}


def _edges(puzzle: Tiling, cell: Cell) -> Iterator[Edge]:
    around = corners(puzzle.lattice, cell)
    steps = _steps_across(puzzle.lattice, cell[0] % 3 if puzzle.lattice is TRIANGULAR else 0)
    for start, end, step in zip(around, (*around[1:], around[0]), steps, strict=True):
        near = tuple(a + b for a, b in zip(cell, step, strict=True))
        beyond = puzzle.canonical(near)
        yield Edge(start, end, beyond, beyond != near)


@cache
def _steps_across(lattice: Lattice, kind: int) -> tuple[Cell, ...]:
    """The step across each side of a cell, in the order of `corners`; triangles are of two kinds."""
    cell = (kind, kind) if lattice is TRIANGULAR else (0,) * lattice.dimension
    around = corners(lattice, cell)
    found = {}
    for step in lattice.steps:
        near = tuple(a + b for a, b in zip(cell, step, strict=True))
        if lattice.has(near) and (lattice.dimension == 2 or step[0] == 0):
            found[frozenset(around) & frozenset(corners(lattice, near))] = step
    return tuple(found[frozenset(side)] for side in zip(around, (*around[1:], around[0]), strict=True))


def holes(puzzle: Tiling) -> frozenset[Cell]:
    """Cells that are not on the board but inside it: within their layer no way leads from them around the board.

    On a torus nothing is outside; on a cylinder the two open rims are.
    """
    lattice, layered = puzzle.lattice, puzzle.lattice.dimension - 2
    spans, rims = [], []
    for number, axis in enumerate(zip(*puzzle.cells, strict=True)):
        ring = puzzle.wrap[number] if puzzle.wrap else None
        rim = 0 if ring or number < layered else lattice.period
        spans.append(range(ring) if ring else range(min(axis) - rim, max(axis) + rim + 1))
        rims.append((*spans[-1][:rim], *spans[-1][len(spans[-1]) - rim :]))
    bare = {cell for cell in product(*spans) if lattice.has(cell) and cell not in puzzle.board}
    frontier = {cell for cell in bare if any(x in rim for x, rim in zip(cell, rims, strict=True))}
    inside = bare - frontier
    while frontier:
        near = {puzzle.canonical(near) for cell in frontier for near in lattice.neighbours(cell) if near[:-2] == cell[:-2]}
        frontier = near & inside
        inside -= frontier
    return frozenset(inside)


# -- outlines -----------------------------------------------------------------------------------------------------------


def rings(edges: Iterable[tuple[Corner, Corner]]) -> list[tuple[Corner, ...]]:
    """Directed edges, as many into a corner as out of it, joined to closed rings without corners on straight lines."""
    leaving: dict[Corner, list[Corner]] = defaultdict(list)
    for start, end in edges:
        leaving[start].append(end)
    found = []
    for start in sorted(leaving):
        while leaving[start]:
            ring = [start]
            while not (len(ring) > 1 and ring[-1] == start):
                ring.append(leaving[ring[-1]].pop())
            found.append(_without_straight(ring[:-1]))
    return found


def _without_straight(ring: list[Corner]) -> tuple[Corner, ...]:
    around = zip([ring[-1], *ring[:-1]], ring, [*ring[1:], ring[0]], strict=True)
    return tuple(here for before, here, after in around if not _straight(before, here, after))


def _straight(a: Corner, b: Corner, c: Corner) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])


def trails(edges: Iterable[tuple[Corner, Corner]]) -> list[tuple[Corner, ...]]:
    """Undirected edges joined to as few lines as a short look finds, straight on where that is possible."""
    at: dict[Corner, set[Corner]] = defaultdict(set)
    for start, end in edges:
        at[start].add(end)
        at[end].add(start)
    found = []
    for start in sorted(at, key=lambda corner: (len(at[corner]) % 2 == 0, corner)):
        while at[start]:
            trail = [start]
            while at[trail[-1]]:
                here = trail[-1]
                onward = [near for near in at[here] if len(trail) > 1 and _straight(trail[-2], here, near)]
                near = onward[0] if onward else min(at[here])
                at[here].remove(near)
                at[near].remove(here)
                trail.append(near)
            found.append(_shortened(trail))
    return found


def _shortened(trail: list[Corner]) -> tuple[Corner, ...]:
    inner = (here for (before, here), (_, after) in pairwise(pairwise(trail)) if not _straight(before, here, after))
    return (trail[0], *inner, trail[-1])


assert set(UNIT) == set(LATTICES.values())
