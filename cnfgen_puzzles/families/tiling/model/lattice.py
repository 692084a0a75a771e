"""The lattices that boards and pieces live on: square, cubic, hexagonal and triangular.

A cell is a vector of whole numbers, a symmetry is a matrix of whole numbers, a translation adds a multiple of `period` to each
coordinate. That is all that pieces, boards and their symmetry groups need; nothing else here depends on the lattice.

* square: (row, column). 4 rotations, 8 symmetries.
* cubic: (layer, row, column). 24 rotations, 48 symmetries.
* hexagonal: axial (row, diagonal), a rotation by 60 degrees is (r, d) -> (r + d, -r). 6 and 12.
* triangular: three times the centre of the triangle in a basis of two sides, (down to the right, right): (3a+1, 3b+1) points
  down, (3a+2, 3b+2) up, and translations are multiples of 3. Rotations are those of the hexagonal lattice. 6 and 12.

Rows count downwards on all of them; `celldrawing.py` says where a cell lies in a drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import add, mul, sub

Cell = tuple[int, ...]
Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Lattice:
    """One lattice: `rotations` and `reflections` generate its point group, `steps` lead from a cell to its neighbours."""

    name: str
    dimension: int
    period: int
    rotation_generators: tuple[Matrix, ...]
    reflection: Matrix
    steps: tuple[Cell, ...]

    def __reduce__(self) -> tuple[Callable[[str], Lattice], tuple[str]]:
        return _lattice_called, (self.name,)  # there is one of each: `is` tells them apart in every process

    @cached_property
    def rotations(self) -> tuple[Matrix, ...]:
        """The proper symmetries, the identity first."""
        return _generated(self.dimension, self.rotation_generators)

    @cached_property
    def symmetries(self) -> tuple[Matrix, ...]:
        """All symmetries: the rotations, then the reflections."""
        return (*self.rotations, *(_product(self.reflection, matrix) for matrix in self.rotations))

    def has(self, cell: Cell) -> bool:
        """Whether the vector is a cell: always, but on the triangular lattice."""
        return self.period == 1 or cell[0] % 3 == cell[1] % 3 != 0

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells that share an edge (or a face) with `cell`."""
        for step in self.steps:
            neighbour = tuple(map(add, cell, step))
            if self.has(neighbour):
                yield neighbour

    def normal(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """The same shape moved to the origin, sorted: equal for two shapes exactly if one is the other moved."""
        cells = list(cells)
        shift = [min(axis) // self.period * self.period for axis in zip(*cells, strict=True)]
        return tuple(sorted([tuple(map(sub, cell, shift)) for cell in cells]))

    def orientations(self, cells: Iterable[Cell], matrices: Iterable[Matrix]) -> tuple[tuple[Cell, ...], ...]:
        """The different shapes that `matrices` make of `cells`, each in normal form, in the order in which they appear."""
        cells = list(cells)
        return tuple(dict.fromkeys(self.normal(turned(matrix, cell) for cell in cells) for matrix in matrices))

    def connected(self, cells: Iterable[Cell]) -> bool:
        """Whether every cell can be reached from every other through neighbours."""
        return len(list(self.parts(cells))) <= 1

    def parts(self, cells: Iterable[Cell]) -> Iterator[set[Cell]]:
        """The connected parts of a set of cells."""
        left = set(cells)
        while left:
            part, frontier = set(), {left.pop()}
            while frontier:
                part |= frontier
                frontier = {near for cell in frontier for near in self.neighbours(cell)} & left
                left -= frontier
            yield part


def turned(matrix: Matrix, cell: Cell) -> Cell:
    """The image of a cell under a matrix."""
    return tuple([sum(map(mul, row, cell)) for row in matrix])


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return tuple(tuple(sum(x * y for x, y in zip(row, column, strict=True)) for column in columns) for row in a)


def _generated(dimension: int, generators: Iterable[Matrix]) -> tuple[Matrix, ...]:
    """The group that the matrices generate, breadth first from the identity."""
    identity = tuple(tuple(int(i == j) for j in range(dimension)) for i in range(dimension))
    found = [identity]
    for matrix in found:
        found += [image for generator in generators if (image := _product(generator, matrix)) not in found]
    return tuple(dict.fromkeys(found))


TURN_60 = ((1, 1), (-1, 0))

SQUARE = Lattice("square", 2, 1, (((0, 1), (-1, 0)),), ((1, 0), (0, -1)), ((0, 1), (1, 0), (0, -1), (-1, 0)))
CUBIC = Lattice(
    "cubic",
    3,
    1,
    (((1, 0, 0), (0, 0, 1), (0, -1, 0)), ((0, 1, 0), (-1, 0, 0), (0, 0, 1))),
    ((1, 0, 0), (0, 1, 0), (0, 0, -1)),
    ((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, -1), (0, -1, 0), (-1, 0, 0)),
)
HEXAGONAL = Lattice("hexagonal", 2, 1, (TURN_60,), ((0, 1), (1, 0)), ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)))
TRIANGULAR = Lattice("triangular", 2, 3, (TURN_60,), ((0, 1), (1, 0)), ((1, 1), (-2, 1), (1, -2), (-1, -1), (2, -1), (-1, 2)))

LATTICES = {lattice.name: lattice for lattice in (SQUARE, CUBIC, HEXAGONAL, TRIANGULAR)}


def _lattice_called(name: str) -> Lattice:
    return LATTICES[name]
