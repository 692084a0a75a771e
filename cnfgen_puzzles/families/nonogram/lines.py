"""Line logic: all consequences of a single line, and narrowing all lines until no line has new consequences.

Explanations, difficulty, making puzzles, guessing, and `plain_model` use this propagation. It calls no solver.

A line of `size` cells is a number for each color c, `can[c]`: bit q is set if cell q may have color c (0: the background).
Boundary q lies before cell q, so there are `size` + 1 boundaries, and a number also represents a set of boundaries. Placing
blocks from the left gives, for each block, the boundaries where it can begin; boundaries that also allow placing the blocks to
its right are those where it begins in some arrangement of the line. Every step is a few operations on whole numbers, for any
length:

* positions where a block of b cells fits: cells that can have its color, with those 1, 2, ... b-1 to their right (`shifts`);
* boundaries reached from others over background: to the right by the carry of an addition, to the left by doubling steps.

>>> narrow_line(5, blocks_of((3,), (1,)), (0b11111, 0b11111))  # `3` in five cells: the middle one is filled
(27, 31)
>>> narrow_line(5, blocks_of((3,), (1,)), (0b11011, 0b11111)), narrow_line(5, blocks_of((3,), (1,)), (31, 27))
((27, 31), None)

A `ColorGrid` has the possible colors of each cell, by rows and by columns. A line is examined again only after one of its cells
changed.

>>> from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
>>> puzzle = Nonogram(rows=((1,), (3,), (1,)), columns=((1,), (3,), (1,)))
>>> reached = propagate(puzzle)
>>> reached.known
((0, 1, 0), (1, 1, 1), (0, 1, 0))
>>> reached.contradicted, reached.sweeps
(None, 2)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from cnfgen_puzzles.families.clued.encodings import ink_literals, lines_of
from cnfgen_puzzles.families.clued.puzzle import Known
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.formula.dead_ends import bits

# -- one line -----------------------------------------------------------------------------------------------------------


class ClueBlock(NamedTuple):
    """A block of a clue: its cells, its color, the number of cells that must follow before the next block, and the doubling steps
    that make a run of its length: m & m >> shift for each shift."""

    length: int
    color: int
    gap: int
    shifts: tuple[int, ...]


Can = tuple[int, ...]
"""`can[c]` has the bit q where cell q may have color c."""


@cache
def shifts(length: int) -> tuple[int, ...]:
    """The steps by which a cell grows into a run of `length` cells.

    >>> shifts(6), shifts(1)
    ((1, 2, 2), ())
    """
    steps, width = [], 1
    while width < length:
        steps.append(min(width, length - width))
        width += steps[-1]
    return tuple(steps)


def blocks_of(lengths: Sequence[int], colors: Sequence[int]) -> tuple[ClueBlock, ...]:
    """The blocks of a clue. Blocks of the same color need a gap of one cell; blocks of two colors need none."""
    gaps = [int(color == following) for color, following in pairwise([*colors, 0])]
    return tuple(map(ClueBlock, lengths, colors, gaps, map(shifts, lengths)))


def narrow_line(size: int, blocks: Sequence[ClueBlock], can: Can) -> Can | None:
    """The colors that each cell has in some arrangement of the blocks that `can` allows; None if it allows no arrangement.

    The result is complete: a cell has a color if and only if some arrangement gives it that color.
    """
    found = arrange(size, blocks, can)
    if found is None:
        return None
    placed: dict[tuple[int, tuple[int, ...]], int] = {}
    for (_, color, _, steps), begins in zip(blocks, found.begins, strict=True):
        placed[color, steps] = placed.get((color, steps), 0) | begins
    colors = [0] * len(can)
    colors[0] = found.empty
    for (color, steps), cells in placed.items():
        for step in steps:
            cells |= cells << step
        colors[color] |= cells
    return tuple(colors)


class Arranged(NamedTuple):
    """Over all arrangements: the cells where each block begins in some of them, and the cells that are empty in some."""

    begins: list[int]
    empty: int


def arrange(size: int, blocks: Sequence[ClueBlock], can: Can) -> Arranged | None:
    """The cells where each block begins in some arrangement that `can` allows; None if it allows none."""
    background = can[0]
    # forwards: ended[j] are the boundaries reached after j blocks, begins[j] those where block j can begin
    fits: dict[tuple[int, int], int] = {}
    ended, begins = [], []
    reached, gap = 1, 0
    for length, color, next_gap, steps in blocks:
        reached |= (background + (reached & background)) ^ background
        ended.append(reached)
        room = fits.get((length, color))
        if room is None:
            room = can[color]
            for step in steps:
                room &= room >> step
            fits[length, color] = room
        first = ((reached & background) << 1 if gap else reached) & room
        if not first:
            return None
        begins.append(first)
        reached = first << length
        gap = next_gap
    reached |= (background + (reached & background)) ^ background
    if not reached >> size & 1:
        return None
    # backwards: boundaries from which the remaining blocks can be placed, reached over background
    falls, fall, step = [], background, 1  # the boundaries from which `step` cells are background
    while fall:
        falls.append((fall, step))
        fall &= fall >> step
        step *= 2
    left = 1 << size
    for fall, step in falls:
        left |= left >> step & fall
    empty = reached & left >> 1
    for index in range(len(blocks) - 1, -1, -1):
        length, _, gap, _ = blocks[index]
        left = begins[index] & ((left >> 1 & background if gap else left) >> length)
        begins[index] = left
        for fall, step in falls:
            left |= left >> step & fall
        empty |= ended[index] & left >> 1
    return Arranged(begins, empty & background)


def ways(size: int, blocks: Sequence[ClueBlock], can: Can) -> int:
    """How many arrangements `can` allows.

    >>> ways(5, blocks_of((1, 1), (1, 1)), (31, 31))
    6
    """
    reached = _over_background([1] + [0] * size, can[0])  # number of ways to reach each boundary with the blocks so far
    for length, color, gap, _ in blocks:
        run = (1 << length) - 1
        after = [0] * (size + 1)
        for first in range(size - length - gap + 1):
            end = first + length
            if not run << first & ~can[color] and (not gap or can[0] >> end & 1):
                after[end + gap] += reached[first]
        reached = _over_background(after, can[0])
    return reached[size]


def _over_background(reached: list[int], background: int) -> list[int]:
    for cell in range(len(reached) - 1):
        if background >> cell & 1:
            reached[cell + 1] += reached[cell]
    return reached


# -- all lines ----------------------------------------------------------------------------------------------------------

KEPT = 200_000
"""The number of cached results of lines: about 70 MB."""


class PuzzleLines:
    """The lines of a puzzle by number: rows from 0, columns from `height` on. They are made once per puzzle.

    The consequences of a line are cached, because lookahead meets most of its states many times; equal lines share the cache.
    """

    def __init__(self, puzzle: Nonogram):
        self.height, self.width, self.colors = puzzle.height, puzzle.width, puzzle.inks + 1
        self.count = self.height + self.width
        self.sizes = [self.width] * self.height + [self.height] * self.width
        self.blocks: list[tuple[ClueBlock, ...]] = [blocks_of(*line) for kind in ("row", "column") for line in puzzle.lines(kind)]
        clues = list(zip(self.sizes, self.blocks, strict=True))
        distinct = {*clues}
        cached = {clue: lru_cache(KEPT // len(distinct))(partial(narrow_line, *clue)) for clue in distinct}
        self.narrowers: list[Callable[[Can], Can | None]] = [cached[clue] for clue in clues]
        """For each line: the colors that remain of those that its cells may have; None if no arrangement remains."""

    def with_blocks(self, blocks: Mapping[int, tuple[ClueBlock, ...]]) -> PuzzleLines:
        """The same lines, with other blocks for these."""
        made = copy(self)
        made.blocks, made.narrowers = self.blocks.copy(), self.narrowers.copy()
        for line, others in blocks.items():
            made.blocks[line], made.narrowers[line] = others, partial(narrow_line, self.sizes[line], others)
        return made

    def entry(self, line: int) -> dict[str, Any]:
        """A line as JSON: its kind, `row` or `column`, and its number from 1."""
        is_row = line < self.height
        return {"kind": "row" if is_row else "column", "number": line + 1 if is_row else line - self.height + 1}

    def cell(self, line: int, place: int) -> tuple[int, int]:
        """Row and column of the cell with that index in the line."""
        return (line, place) if line < self.height else (place, line - self.height)


class ColorGrid:
    """The known part of a puzzle: `can[line]` as in this module, rows first, then columns."""

    __slots__ = ("can", "lines")

    def __init__(self, lines: PuzzleLines, known: Known = ()):
        self.lines = lines
        self.can: list[Can] = [((1 << size) - 1,) * lines.colors for size in lines.sizes]
        for row, values in enumerate(known):
            for column, value in enumerate(values):
                if value is not None:
                    self.fix(row, column, value)

    def copy(self) -> ColorGrid:
        """An independent copy of the grid."""
        made = object.__new__(ColorGrid)
        made.lines, made.can = self.lines, self.can.copy()
        return made

    def colors(self, row: int, column: int) -> tuple[int, ...]:
        """The colors that the cell may have."""
        return tuple(color for color, mask in enumerate(self.can[row]) if mask >> column & 1)

    def fix(self, row: int, column: int, color: int, *, allowed: bool = True) -> None:
        """Set the color of the cell, or exclude it if it is not `allowed`."""
        for line, place in ((row, column), (self.lines.height + column, row)):
            bit = 1 << place
            self.can[line] = tuple(
                mask if (other == color) == allowed else mask & ~bit for other, mask in enumerate(self.can[line])
            )

    def narrow(self, line: int) -> Collection[int] | None:
        """Narrow this line by its clue: returns the crossing lines in which something changed; None if the line is contradicted,
        which leaves the grid unchanged."""
        after = self.lines.narrowers[line](self.can[line])
        return None if after is None else self.restrict(line, after)

    def restrict(self, line: int, after: Can) -> Collection[int]:
        """Restrict the cells of the line to these colors: returns the lines that cross it in changed cells."""
        before = self.can[line]
        if after == before:
            return ()
        touched, can, height = set(), self.can, self.lines.height
        can[line] = after
        across, place = (height, line) if line < height else (0, line - height)
        keep = ~(1 << place)
        for color, old in enumerate(before):
            gone = old ^ after[color]
            while gone:
                bit = gone & -gone
                gone ^= bit
                crossing = across + bit.bit_length() - 1
                touched.add(crossing)
                masks = can[crossing]
                can[crossing] = (*masks[:color], masks[color] & keep, *masks[color + 1 :])
        return touched

    def narrow_all(self, lines: Collection[int] | None = None) -> Propagated:
        """Narrow these lines (None: all), and lines that change, until nothing follows or a line is contradicted."""
        height, sweeps = self.lines.height, 0
        waiting = set(range(self.lines.count) if lines is None else lines)
        down = False  # columns next
        while waiting:
            down = not down
            sweep = sorted(line for line in waiting if (line < height) == down)
            if not sweep:
                continue
            waiting.difference_update(sweep)
            found = False
            for line in sweep:
                touched = self.narrow(line)
                if touched is None:
                    return Propagated(self, line, sweeps)
                if touched:
                    found = True
                    waiting.update(touched)
            sweeps += found
        return Propagated(self, None, sweeps)

    @property
    def known(self) -> Known:
        """The color of each cell that has only one possible color, else None."""
        width = self.lines.width
        rows = []
        for masks in self.can[: self.lines.height]:
            values: list[int | None] = [None] * width
            for color, mask in enumerate(masks):
                for other, others in enumerate(masks):
                    if other != color:
                        mask &= ~others
                for place in bits(mask):
                    values[place] = color
            rows.append(tuple(values))
        return tuple(rows)

    def open_in(self, line: int) -> int:
        """The cells of a line with more than one possible color, as bits."""
        return several(self.can[line])

    @property
    def open(self) -> int:
        """The number of cells with more than one possible color."""
        return sum(self.open_in(row).bit_count() for row in range(self.lines.height))

    def open_cells(self) -> Iterator[tuple[int, int]]:
        """Row and column of each cell with more than one possible color, row by row."""
        return ((row, column) for row in range(self.lines.height) for column in bits(self.open_in(row)))


@dataclass(frozen=True)
class Propagated:
    """The result of narrowing all lines.

    `contradicted` is the number of the line without an arrangement, if there is one (`PuzzleLines.entry` names it); the grid is
    then as it was when that was found. `sweeps` counts passes through the changed rows or columns, rows first, in which something
    followed.
    """

    grid: ColorGrid
    contradicted: int | None
    sweeps: int

    @property
    def known(self) -> Known:
        """The color of each known cell, else None."""
        return self.grid.known

    @property
    def solved(self) -> bool:
        """Whether all cells are known without a contradiction: the puzzle then has exactly this solution."""
        return self.contradicted is None and not self.grid.open


def propagate(puzzle: Nonogram, known: Known | None = None) -> Propagated:
    """Complete line logic from these known cells (None: those of the puzzle)."""
    return ColorGrid(PuzzleLines(puzzle), puzzle.known if known is None else known).narrow_all()


def several(masks: Can) -> int:
    """The cells at which more than one color has its bit."""
    once = more = 0
    for mask in masks:
        more |= once & mask
        once |= mask
    return more


# -- a model without a solver -------------------------------------------------------------------------------------------


def plain_model(puzzle: Nonogram, blocks: Mapping[str, Block]) -> set[int] | None:
    """The true variables; None if line logic leaves cells open, and for other variables."""
    cell, started = blocks["cell"], next((name for name in ("by", "start") if name in blocks), None)
    if started is None or len(blocks) > 2:
        return None
    reached = propagate(puzzle)
    if not reached.solved:
        return None
    board = reached.known
    literals = (ink_literals(cell, r, c, value or 0) for r, row in enumerate(board) for c, value in enumerate(row))
    true = {literal for found in literals for literal in found if literal > 0}
    for line, cells in zip(lines_of(puzzle, cell.first), (*board, *zip(*board, strict=True)), strict=True):
        starts = [place for place, cell in enumerate(cells) if cell and (not place or cells[place - 1] != cell)]
        for i, (start, base) in enumerate(zip(starts, line.bases(), strict=True)):
            variables, t = blocks[started].below(line.number, i), start - base
            true.update(variables[t:] if started == "by" else variables[t : t + 1])
    return true
