r"""A hexagon of triangular cells: its sides, its cells, its lines in three directions.

           F
        ________           The length of a side is a number of cells. A triangle, a trapezoid, or a rhombus has sides of 0.
       /\  /\  /\          E = A + B - D and F = C + D - A, so four sides determine the hexagon. Here all are 2.
    A /__\/__\/__\ E
     /\  /\  /\  /\        Row r has its cells from left to right, alternately pointing up and down. Between two rows, each
    /__\/__\/__\/__\       cell that points up is above one that points down.
    \  /\  /\  /\  /
   B \/__\/__\/__\/ D      A line is the strip between two neighboring parallels. Rows are read from left to right, rising
      \  /\  /\  /         lines (/) and falling lines (\) from the top down. Their clues stand at one side each: rows at
       \/__\/__\/          A, then B; rising lines at F from left to right, then down E; falling lines at C from left to
           C               right, then up D.

Positions are measured in half cells from the left end of side F: `start(r)` is the left end of row r, and its cell p spans from
start(r) + p to start(r) + p + 2. Two lines of different directions have up to two cells in common.

A `Triddler` is such a hexagon with a clue for every line. Clues and colors are those of nonograms
(`families/nonogram/puzzle.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import ClassVar

from cnfgen_puzzles.families.clued.puzzle import Board, Clue, CluedPuzzle, Color, ColoredClue, clue_of_runs, unzipped

# -- the hexagon --------------------------------------------------------------------------------------------------------

SIDES = "ABCDEF"
DIRECTIONS = ("row", "rising line", "falling line")

Cell = tuple[int, int]
"""Row and place in the row, both from 0."""


@dataclass(frozen=True)
class Hexagon:
    """A hexagon with these sides; ValueError if there is none."""

    sides: tuple[int, ...]

    def __post_init__(self) -> None:
        given = ", ".join(f"{name} = {side}" for name, side in zip(SIDES, self.sides, strict=False))
        if len(self.sides) != 6 or min(self.sides) < 0:
            raise ValueError(f"found {len(self.sides)} sides {self.sides!r:.60}, expected six, none below 0")
        a, b, c, d, e, f = self.sides
        if (e, f) != (a + b - d, c + d - a):
            raise ValueError(f"found the sides {given}, expected E = A + B - D = {a + b - d} and F = C + D - A = {c + d - a}")
        if 0 in self.counts:
            raise ValueError(f"found the sides {given}, which enclose no cell")

    @property
    def counts(self) -> tuple[int, int, int]:
        """The number of lines of each direction."""
        a, b, c, d, e, f = self.sides
        return a + b, e + f, c + d

    @cached_property
    def row_lengths(self) -> list[int]:
        """The number of cells of every row: one for each edge above and below."""
        a, b, _, _, e, f = self.sides
        edges = [2 * f + min(y, a) - max(y - a, 0) + min(y, e) - max(y - e, 0) for y in range(a + b + 1)]
        return [(above + below) // 2 for above, below in pairwise(edges)]

    @property
    def cells(self) -> int:
        return sum(self.row_lengths)

    def start(self, row: int) -> int:
        """The left end of the first cell of a row, in half cells."""
        a = self.sides[0]
        return -row - 1 if row < a else row - 2 * a

    def points_up(self, row: int, place: int) -> bool:
        """Whether the cell points up; else it points down."""
        return (self.start(row) + row + place) % 2 == 1

    @property
    def corners(self) -> list[tuple[int, int]]:
        """The six corners, in half cells and rows, from the left end of F on; corners coincide where a side is 0."""
        a, b, c, _, e, f = self.sides
        return [(0, 0), (2 * f, 0), (2 * f + e, e), (b - a + 2 * c, a + b), (b - a, a + b), (-a, a)]

    def triangle(self, row: int, place: int) -> tuple[tuple[int, int], ...]:
        """The corners of a cell, in half cells and rows. The last two are the ends of its right side if it points up; the right
        and the lower corner if it points down."""
        x, y = self.start(row) + place, row
        return ((x, y + 1), (x + 1, y), (x + 2, y + 1)) if self.points_up(row, place) else ((x, y), (x + 2, y), (x + 1, y + 1))

    def borders(self, direction: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """The ends of the borders between neighboring lines of a direction, from the top left, in half cells and rows."""
        lines = [{corner for cell in line for corner in self.triangle(*cell)} for line in self.lines(direction)]
        shared = [sorted(one & other, key=lambda corner: corner[::-1]) for one, other in pairwise(lines)]
        return [(corners[0], corners[-1]) for corners in shared]

    def lines(self, direction: int) -> list[list[Cell]]:
        """The cells of every line of a direction, in order."""
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
        """The cells from x down: the next cell is below one that points up, and beside one that points down."""
        found = []
        while row < self.counts[0] and 0 <= (place := x - self.start(row)) < self.row_lengths[row]:
            found.append((row, place))
            if self.points_up(row, place):
                row += 1
            else:
                x += aside
        return found


# -- the puzzle ---------------------------------------------------------------------------------------------------------

Clues = tuple[tuple[Clue, ...], ...]
"""For each direction (rows, rising lines, falling lines): the clues of its lines, or the colors of their blocks."""


@dataclass(frozen=True, repr=False)
class Triddler(CluedPuzzle):
    """A triddler, black and white or colored.

    `sides` are the sides of the hexagon, A to F, and `clues` has a clue for every line of each direction, in the order of
    `Hexagon.lines`. `colors` is the palette, the background first; an empty palette means black on white. `clue_colors` are
    the colors of the blocks, from 1; if it is empty, all blocks have color 1. `about` contains the properties in the file.
    `goal` is the picture, if given: a tuple of rows, each from left to right. A well-formed puzzle may still have no solution:
    see `contradictions`.
    """

    kinds: ClassVar = {name: direction for direction, name in enumerate(DIRECTIONS)}
    directions: ClassVar = "rows, rising and falling lines"
    sides: tuple[int, ...]
    clues: Clues
    about: Mapping[str, str] = field(default_factory=dict, hash=False)
    goal: Board | None = field(default=None, compare=False)
    colors: tuple[Color, ...] = ()
    clue_colors: Clues = ()

    def __post_init__(self) -> None:
        counts = self.hexagon.counts
        if tuple(map(len, self.clues)) != counts:
            wanted = " and ".join(f"{count} of {direction}s" for count, direction in zip(counts, DIRECTIONS, strict=True))
            raise ValueError(f"found clues of {tuple(map(len, self.clues))!r:.60} lines, expected {wanted}")
        self.check_lines(dict(zip(DIRECTIONS, self.clues, strict=True)), dict(zip(DIRECTIONS, self.clue_colors, strict=False)))
        if all(color == 1 for lines in self.clue_colors for line in lines for color in line):
            object.__setattr__(self, "clue_colors", ())

    @cached_property
    def hexagon(self) -> Hexagon:
        return Hexagon(self.sides)

    def lines(self, direction: int) -> Iterator[ColoredClue]:
        """For every line of a direction, the clue and the colors of its blocks."""
        for number, clue in enumerate(self.clues[direction]):
            yield clue, self.clue_colors[direction][number] if self.clue_colors else (1,) * len(clue)

    @property
    def row_lengths(self) -> Sequence[int]:
        return self.hexagon.row_lengths

    def line_cells(self, direction: int) -> Iterable[Sequence[int]]:
        before = list(accumulate(self.row_lengths, initial=0))
        return ([before[r] + place for r, place in cells] for cells in self.hexagon.lines(direction))

    def board_lines(self, board: Board) -> Iterable[Sequence[Sequence[int]]]:
        return seen(self.hexagon, board)


def seen(hexagon: Hexagon, board: Board) -> list[list[list[int]]]:
    """For each direction, the cells of every line of a board in order. The position of a cell's middle determines its strip;
    `check` uses this computation, which is independent of `Hexagon.lines`."""
    found: list[defaultdict[int, list[tuple[int, int]]]] = [defaultdict(list) for _ in DIRECTIONS]
    for r, row in enumerate(board):
        for place, color in enumerate(row):
            down = 3 * r + (2 if hexagon.points_up(r, place) else 1)  # the middle, in thirds of a row and of a half cell
            right = 3 * (hexagon.start(r) + place + 1)
            for direction, (across, along) in enumerate(
                ((2 * down, right), (right + down, down - right), (right - down, down + right))
            ):
                found[direction][across // 6].append((along, color))
    return [[[color for _, color in sorted(lines[strip])] for strip in sorted(lines)] for lines in found]


def clues_of(hexagon: Hexagon, board: Board, colors: tuple[Color, ...] = ()) -> Triddler:
    """The puzzle whose solution is the picture, with the picture as its goal; `colors` is its palette."""
    lines = [map(clue_of_runs, cells) for cells in seen(hexagon, board)]
    return replace(puzzle_of(hexagon.sides, lines, colors), goal=board)


def puzzle_of(sides: tuple[int, ...], lines: Iterable[Iterable[ColoredClue]], colors: tuple[Color, ...]) -> Triddler:
    """The puzzle with these clues of rows, rising lines, and falling lines, and this palette."""
    clues, inks = zip(*map(unzipped, lines), strict=True)
    return Triddler(sides, clues, colors=colors, clue_colors=inks)
