"""Pieces and named sets of them: computed where they can be, so that only the letters are typed.

A polyform of n cells is free (all symmetries identified), one-sided (only rotations) or fixed (none). Sets are named
`pentominoes`, `one-sided tetrominoes`, `fixed hexominoes`, `pentacubes`, `hexiamonds`, `tetrahexes`; the pieces of a set are
in ascending order of their normal form and have the usual letters where there are any, else a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cnfgen_puzzles.families.tiling.model.lattice import Cell, Lattice, Matrix

Shape = tuple[Cell, ...]


@dataclass(frozen=True)
class Piece:
    """A shape, how often it is used, and what it may do.

    `least` and `most` bound the number of copies (`most` None: no bound). `reflect` and `rotate` None leave it to the puzzle.
    `colours` are the coloured cells that it may cover (None: any cell); `pinned` lists the only places, as sets of cells, that
    it may take.
    """

    name: str
    shape: Shape
    least: int = 1
    most: int | None = 1
    reflect: bool | None = None
    rotate: bool | None = None
    colours: frozenset[str] | None = None
    pinned: tuple[frozenset[Cell], ...] = ()

    @property
    def size(self) -> int:
        return len(self.shape)


@dataclass(frozen=True)
class PieceGroup:
    """Some of the puzzle's pieces, by their numbers in ascending order, and how many copies of them are used in all.

    `least` and `most` bound that number (`most` None: no bound); each piece's own bounds hold beside it.
    """

    pieces: tuple[int, ...]
    least: int
    most: int | None


# -- polyforms ----------------------------------------------------------------------------------------------------------


@cache
def free(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """The free polyforms of `size` cells, each as the least of its orientations, in ascending order."""
    return _grown(lattice, size, lattice.symmetries)


@cache
def one_sided(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """As `free`, with a shape and its mirror image told apart where no rotation makes them equal."""
    return _grown(lattice, size, lattice.rotations)


@cache
def fixed(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """As `free`, with every orientation a shape of its own."""
    return tuple(sorted({each for shape in free(lattice, size) for each in lattice.orientations(shape, lattice.symmetries)}))


def _grown(lattice: Lattice, size: int, matrices: tuple[Matrix, ...]) -> tuple[Shape, ...]:
    """All shapes of `size` cells up to `matrices`, each grown from one that is a cell smaller."""
    origin = next(cell for cell in ((0,) * lattice.dimension, (1,) * lattice.dimension) if lattice.has(cell))
    shapes = {min(lattice.orientations([origin], matrices))}
    for _ in range(size - 1):
        shapes = {
            min(lattice.orientations((*shape, near), matrices))
            for shape in shapes
            for cell in shape
            for near in lattice.neighbours(cell)
            if near not in shape
        }
    return tuple(sorted(shapes))
