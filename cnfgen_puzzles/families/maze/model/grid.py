"""The grid under a maze: cells, edges, directions and symmetries, and sets of cells as bits of an integer.

Cell (r, c) has number r * width + c; a set of cells is an integer with that bit. Directions are 0..3 = N, E, S, W. Not here:
what a maze opens and closes (`puzzle.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

LETTERS = "NESW"
DIRECTIONS = range(4)
ALIASES = {"U": "N", "R": "E", "D": "S", "L": "W"}
"""What is read for a letter as well: up, right, down, left."""


@dataclass(frozen=True)
class Grid:
    """`height` rows of `width` cells."""

    height: int
    width: int

    @property
    def cells(self) -> int:
        return self.height * self.width

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of neighbouring cells, in the order of their first cell, the one to the east before the one to the south."""
        found = []
        for cell in range(self.cells):
            if (cell + 1) % self.width:
                found.append((cell, cell + 1))
            if cell + self.width < self.cells:
                found.append((cell, cell + self.width))
        return tuple(found)

    @cached_property
    def edge_number(self) -> dict[tuple[int, int], int]:
        """The number of the edge between two cells, in either order."""
        numbers = {edge: number for number, edge in enumerate(self.edges)}
        return numbers | {(b, a): number for (a, b), number in numbers.items()}

    @property
    def deltas(self) -> tuple[int, int, int, int]:
        """What a move adds to the number of the cell."""
        return (-self.width, 1, self.width, -1)

    def neighbour(self, cell: int, direction: int) -> int | None:
        """The next cell that way, None beyond the border."""
        r, c = divmod(cell, self.width)
        r, c = r + (0, 0, 1, 0)[direction] - (direction == 0), c + (0, 1, 0, 0)[direction] - (direction == 3)
        return r * self.width + c if 0 <= r < self.height and 0 <= c < self.width else None

    @cached_property
    def neighbours(self) -> tuple[tuple[int | None, ...], ...]:
        """`neighbours[cell][direction]`."""
        return tuple(tuple(self.neighbour(cell, d) for d in DIRECTIONS) for cell in range(self.cells))

    @cached_property
    def all(self) -> int:
        """All cells."""
        return (1 << self.cells) - 1

    @cached_property
    def top(self) -> int:
        """The cells of the first row."""
        return (1 << self.width) - 1

    @cached_property
    def left(self) -> int:
        """The cells of the first column."""
        return sum(1 << r * self.width for r in range(self.height))

    def around(self, cells: int) -> int:
        """The neighbours of these cells, they themselves not unless two of them are neighbours."""
        right = self.left << (self.width - 1)
        return (cells >> self.width | cells << self.width | (cells & ~self.left) >> 1 | (cells & ~right) << 1) & self.all

    def shifts(self, cells: int) -> Iterator[int]:
        """By how much all cell numbers can be increased so that the set moves as a whole and stays inside the grid."""
        rows = [cell // self.width for cell in members(cells)]
        columns = [cell % self.width for cell in members(cells)]
        for down in range(-min(rows), self.height - max(rows)):
            for right in range(-min(columns), self.width - max(columns)):
                yield down * self.width + right

    def corner_shift(self, cells: int) -> int:
        """The shift that moves a set as far to the north and the west as it goes."""
        shift = 0
        while not cells & self.top:
            cells >>= self.width
            shift -= self.width
        while not cells & self.left:
            cells >>= 1
            shift -= 1
        return shift

    @cached_property
    def symmetries(self) -> tuple[GridSymmetry, ...]:
        """The symmetries of the rectangle, the identity first: four, or eight of a square."""
        found = []
        for swap in (False, True) if self.height == self.width else (False,):
            for flip_rows in (False, True):
                for flip_columns in (False, True):
                    found.append(self._symmetry(swap, flip_rows, flip_columns))
        return tuple(found)

    def _symmetry(self, swap: bool, flip_rows: bool, flip_columns: bool) -> GridSymmetry:
        def image(r: int, c: int) -> tuple[int, int]:
            if swap:
                r, c = c, r
            return (-r if flip_rows else r), (-c if flip_columns else c)

        corner = [min(image(r, c)[axis] for r in (0, self.height - 1) for c in (0, self.width - 1)) for axis in (0, 1)]
        cells = []
        for cell in range(self.cells):
            r, c = image(*divmod(cell, self.width))
            cells.append((r - corner[0]) * self.width + c - corner[1])
        steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
        return GridSymmetry(tuple(cells), tuple(steps.index(image(*step)) for step in steps))


@dataclass(frozen=True)
class GridSymmetry:
    """Where each cell goes, and what becomes of each direction."""

    cells: tuple[int, ...]
    directions: tuple[int, ...]

    def moved(self, cells: int) -> int:
        """The image of a set of cells."""
        return sum(1 << self.cells[cell] for cell in members(cells))

    def string(self, letters: str) -> str:
        """The image of a string, or of a pattern (a free step stays one)."""
        table = {LETTERS[d]: LETTERS[e] for d, e in enumerate(self.directions)}
        return "".join(table.get(letter, letter) for letter in letters)


def members(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def bits_of(numbers: Sequence[int] | Iterator[int]) -> int:
    """The set of these numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
