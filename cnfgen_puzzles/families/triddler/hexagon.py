r"""A hexagon of triangular cells: its sides, its cells, its lines in three directions.

           F
        ________           Each side is so many cells long; some may be 0, which makes a triangle, a trapezium, a rhombus.
       /\  /\  /\          Going round, E = A + B - D and F = C + D - A, so four of them say all; here all are 2.
    A /__\/__\/__\ E
     /\  /\  /\  /\        Row r has its cells from left to right, pointing up and down by turns. Where two rows meet, a cell
    /__\/__\/__\/__\       that points up stands on one that points down.
    \  /\  /\  /\  /
   B \/__\/__\/__\/ D      A line is the strip between two neighbouring parallels. Rows are read from left to right, rising
      \  /\  /\  /         lines (/) and falling lines (\) from the top down. Each is told at one side of the hexagon: rows at
       \/__\/__\/          A, then B; rising lines at F from left to right, then down E; falling lines at C from left to
           C               right, then up D.

Places are told in half cells: `start(r)` is where the first cell of row r begins, the cell at p spans from start(r) + p to two
further, and 0 is the left end of side F. Two lines of different directions have up to two cells in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

SIDES = "ABCDEF"
DIRECTIONS = ("row", "rising line", "falling line")

Cell = tuple[int, int]
"""Row and place in the row, both from 0."""


@dataclass(frozen=True)
class Hexagon:
    """ValueError for six numbers that are no sides of one."""

    sides: tuple[int, ...]

    def __post_init__(self) -> None:
        told = ", ".join(f"{name} = {side}" for name, side in zip(SIDES, self.sides, strict=False))
        if len(self.sides) != 6 or min(self.sides) < 0:
            raise ValueError(f"found {len(self.sides)} sides {self.sides!r:.60}, expected six, none below 0")
        a, b, c, d, e, f = self.sides
        if (e, f) != (a + b - d, c + d - a):
            raise ValueError(f"found the sides {told}, expected E = A + B - D = {a + b - d} and F = C + D - A = {c + d - a}")
        if 0 in self.counts:
            raise ValueError(f"found the sides {told}, which enclose no cell")

    @property
    def counts(self) -> tuple[int, int, int]:
        """The lines of each direction."""
        a, b, c, d, e, f = self.sides
        return a + b, e + f, c + d

    def lengths(self, direction: int) -> list[int]:
        """The cells of every line of a direction: as many triangles as there are edges above and below."""
        a, b, c, _, e, f = self.sides
        first, left, right = ((f, a, e), (a, f, b), (b, c, a))[direction]
        edges = [first + min(y, left) - max(y - left, 0) for y in range(self.counts[direction] + 1)]
        edges = [(edge + first + min(y, right) - max(y - right, 0)) for y, edge in enumerate(edges)]
        return [(above + below) // 2 for above, below in pairwise(edges)]

    @cached_property
    def row_lengths(self) -> list[int]:
        """The cells of every row."""
        return self.lengths(0)

    @property
    def cells(self) -> int:
        return sum(self.row_lengths)

    def start(self, row: int) -> int:
        """Where the first cell of a row begins, in half cells."""
        a = self.sides[0]
        return -row - 1 if row < a else row - 2 * a

    def points_up(self, row: int, place: int) -> bool:
        """Whether the cell points up; else it points down."""
        return (self.start(row) + row + place) % 2 == 1

    @property
    def corners(self) -> list[tuple[int, int]]:
        """The six corners, in half cells and rows, from the left end of F round; some are one where sides are 0."""
        a, b, c, _, e, f = self.sides
        return [(0, 0), (2 * f, 0), (2 * f + e, e), (b - a + 2 * c, a + b), (b - a, a + b), (-a, a)]

    def borders(self, direction: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """The ends of what parts neighbouring lines of a direction, in half cells and rows."""
        a, b, c, d, e, f = self.sides
        if direction == 0:
            return [((max(-y, y - 2 * a), y), (min(2 * f + y, 2 * (f + e) - y), y)) for y in range(1, a + b)]
        if direction == 1:
            above = [(2 * k, 0) if k <= f else (f + k, k - f) for k in range(1, e + f)]
            below = [(k - a, a + k) if k <= b else (b - a + 2 * (k - b), a + b) for k in range(1, e + f)]
            return list(zip(above, below, strict=True))
        above = [(k - a, a - k) if k <= a else (2 * (k - a), 0) for k in range(1, c + d)]
        below = [(b - a + 2 * k, a + b) if k <= c else (b - a + c + k, a + b - (k - c)) for k in range(1, c + d)]
        return list(zip(above, below, strict=True))

    def lines(self, direction: int) -> list[list[Cell]]:
        """The cells of every line of a direction, walked from cell to cell."""
        a, f = self.sides[0], self.sides[5]
        rows, counts = range(self.counts[0]), self.row_lengths
        if direction == 0:
            return [[(r, place) for place in range(counts[r])] for r in rows]
        if direction == 1:
            firsts = [(0, 2 * k) for k in range(f)] + [(y, self.start(y) + counts[y] - 1) for y in range(self.counts[1] - f)]
        else:
            firsts = [(r, self.start(r)) for r in reversed(range(a))] + [(0, 2 * k) for k in range(f)]
        return [self._walk(*first, aside=1 if direction == 2 else -1) for first in firsts]

    def _walk(self, row: int, x: int, aside: int) -> list[Cell]:
        """Down from the cell that begins at x: below one that points up is another row, beside one that points down its own."""
        found = []
        while row < self.counts[0] and 0 <= (place := x - self.start(row)) < self.row_lengths[row]:
            found.append((row, place))
            if self.points_up(row, place):
                row += 1
            else:
                x += aside
        return found
