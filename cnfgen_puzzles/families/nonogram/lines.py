"""Line logic: exactly what follows from one line, and all lines narrowed until nothing follows from a single one any more.

The one propagation core: explanations, difficulty, making puzzles, guessing, and `plain_model` rest on it. It calls no solver.

A line of `size` cells is a number for each color c, `can[c]`: bit q is set where cell q may have color c (0: the background).
A boundary q lies before cell q, so there are `size` + 1, and a set of boundaries is such a number too. Placing blocks from the
left gives, for each block, the boundaries where it can begin; those that also let the blocks to its right be placed are where it
begins in some arrangement of the whole line. Every step is a few operations on whole numbers, whatever the line's length:

* where a block of b cells fits: cells that can have its color, with those 1, 2, ... b-1 to their right (`shifts` doubles);
* boundaries reached from others over background: to the right by the carry of an addition, to the left by doubling steps.

>>> narrow_line(5, blocks_of((3,), (1,)), (0b11111, 0b11111))  # `3` in five cells: the middle one is filled
(27, 31)
>>> narrow_line(5, blocks_of((3,), (1,)), (0b11011, 0b11111)), narrow_line(5, blocks_of((3,), (1,)), (31, 27))
((27, 31), None)

A `ColourGrid` knows for each cell which colors it may have, once by rows and once by columns. A line is looked at again only
after one of its cells changed.

>>> from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
>>> puzzle = Nonogram(rows=((1,), (3,), (1,)), columns=((1,), (3,), (1,)))
>>> reached = propagate(puzzle)
>>> reached.known
((0, 1, 0), (1, 1, 1), (0, 1, 0))
>>> reached.contradicted, reached.sweeps
(None, 2)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from cnfgen_puzzles.families.nonogram.encodings import ClueLine, ink_literals, lines_of, true_starts
from cnfgen_puzzles.families.nonogram.puzzle import Known, Nonogram
from cnfgen_puzzles.formula import Block

# -- one line -----------------------------------------------------------------------------------------------------------


class ClueBlock(NamedTuple):
    """A block of a clue: its cells, its color, the cells that must follow before the next block, and how a run of so many cells
    is made by doubling: m & m >> shift for each shift."""

    length: int
    colour: int
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


def blocks_of(lengths: Sequence[int], colours: Sequence[int]) -> tuple[ClueBlock, ...]:
    """The blocks of a clue; those of one color need a gap of a cell between them, those of two need none."""
    gaps = [int(colour == following) for colour, following in pairwise([*colours, 0])]
    return tuple(map(ClueBlock, lengths, colours, gaps, map(shifts, lengths)))


def narrow_line(size: int, blocks: Sequence[ClueBlock], can: Can) -> Can | None:
    """The colors that each cell has in some arrangement of the blocks that `can` allows; None if it allows no arrangement.

    That is complete: a cell has a color here exactly if some arrangement gives it that color.
    """
    found = arrange(size, blocks, can)
    if found is None:
        return None
    placed: dict[tuple[int, tuple[int, ...]], int] = {}
    for (_, colour, _, steps), begins in zip(blocks, found.begins, strict=True):
        placed[colour, steps] = placed.get((colour, steps), 0) | begins
    colours = [0] * len(can)
    colours[0] = found.empty
    for (colour, steps), cells in placed.items():
        for step in steps:
            cells |= cells << step
        colours[colour] |= cells
    return tuple(colours)


class Arranged(NamedTuple):
    """Of all arrangements together: the cells where each block begins in some of them, and those that are empty in some."""

    begins: list[int]
    empty: int


def arrange(size: int, blocks: Sequence[ClueBlock], can: Can) -> Arranged | None:
    """Where each block begins in some arrangement that `can` allows; None if it allows none."""
    background = can[0]
    # forwards: ended[j] are the boundaries reached after j blocks, begins[j] those where block j can begin
    fits: dict[tuple[int, int], int] = {}
    ended, begins = [], []
    reached, gap = 1, 0
    for length, colour, next_gap, steps in blocks:
        reached |= (background + (reached & background)) ^ background
        ended.append(reached)
        room = fits.get((length, colour))
        if room is None:
            room = can[colour]
            for step in steps:
                room &= room >> step
            fits[length, colour] = room
        first = ((reached & background) << 1 if gap else reached) & room
        if not first:
            return None
        begins.append(first)
        reached = first << length
        gap = next_gap
    reached |= (background + (reached & background)) ^ background
    if not reached >> size & 1:
        return None
    # backwards: boundaries from which the blocks that are left can be placed, reached over background
    falls, fall, step = [], background, 1  # the boundaries from which `step` cells are background, step by step
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
    reached = _over_background([1] + [0] * size, can[0])  # ways to come to each boundary with the blocks so far
    for length, colour, gap, _ in blocks:
        run = (1 << length) - 1
        after = [0] * (size + 1)
        for first in range(size - length - gap + 1):
            end = first + length
            if not run << first & ~can[colour] and (not gap or can[0] >> end & 1):
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
"""So many results of lines are kept at most: about 70 MB."""


class PuzzleLines:
    """The lines of a puzzle by their numbers: rows from 0, columns from `height` on. Made once a puzzle.

    What follows from a line is kept, for looking ahead meets most of its states many times; lines that are alike share it.
    """

    def __init__(self, puzzle: Nonogram):
        self.height, self.width, self.colours = puzzle.height, puzzle.width, puzzle.inks + 1
        self.count = self.height + self.width
        self.sizes = [self.width] * self.height + [self.height] * self.width
        self.blocks: list[tuple[ClueBlock, ...]] = [blocks_of(*line) for kind in ("row", "column") for line in puzzle.lines(kind)]
        alike: dict[tuple[int, tuple[ClueBlock, ...]], dict[Can, Can | None]] = {}
        self._results = [alike.setdefault(key, {}) for key in zip(self.sizes, self.blocks, strict=True)]
        self._kept = KEPT // max(len(alike), 1)

    def with_blocks(self, blocks: Mapping[int, tuple[ClueBlock, ...]]) -> PuzzleLines:
        """The same lines, but these with other blocks."""
        made = copy(self)
        made.blocks, made._results = self.blocks.copy(), self._results.copy()
        for line, others in blocks.items():
            made.blocks[line], made._results[line] = others, {}
        return made

    def narrow(self, line: int, can: Can) -> Can | None:
        """What is left of these colors by the line's clue; None where no arrangement is."""
        results = self._results[line]
        if can in results:
            return results[can]
        if len(results) >= self._kept:
            results.clear()
        after = results[can] = narrow_line(self.sizes[line], self.blocks[line], can)
        return after

    def named(self, line: int) -> tuple[str, int]:
        """`row` or `column`, and its place from 0."""
        return ("row", line) if line < self.height else ("column", line - self.height)

    def cell(self, line: int, place: int) -> tuple[int, int]:
        """Row and column of the cell at that place of the line."""
        return (line, place) if line < self.height else (place, line - self.height)


class ColourGrid:
    """What is known of a puzzle's cells: `can[line]` as in `lines.py`, rows first, columns behind them."""

    __slots__ = ("can", "lines")

    def __init__(self, lines: PuzzleLines, known: Known = ()):
        self.lines = lines
        self.can: list[Can] = [((1 << size) - 1,) * lines.colours for size in lines.sizes]
        for row, values in enumerate(known):
            for column, value in enumerate(values):
                if value is not None:
                    self.fix(row, column, value)

    def copy(self) -> ColourGrid:
        """Another grid of which the same is known."""
        made = object.__new__(ColourGrid)
        made.lines, made.can = self.lines, self.can.copy()
        return made

    def colours(self, row: int, column: int) -> tuple[int, ...]:
        """The colors that the cell may have."""
        return tuple(colour for colour, mask in enumerate(self.can[row]) if mask >> column & 1)

    def fix(self, row: int, column: int, colour: int, *, allowed: bool = True) -> None:
        """The cell has this color; or, if that is not `allowed`, it has another."""
        for line, place in ((row, column), (self.lines.height + column, row)):
            bit = 1 << place
            self.can[line] = tuple(
                mask if (other == colour) == allowed else mask & ~bit for other, mask in enumerate(self.can[line])
            )

    def narrow(self, line: int) -> Collection[int] | None:
        """Everything that follows from this line alone: the lines that cross it where something changed; None if the line is
        contradicted, which leaves the grid as it was."""
        after = self.lines.narrow(line, self.can[line])
        return None if after is None else self.restrict(line, after)

    def restrict(self, line: int, after: Can) -> Collection[int]:
        """The cells of the line may have these colors, of those that they could have: the lines that cross it in cells where
        something changed."""
        before = self.can[line]
        if after == before:
            return ()
        touched, can, height = set(), self.can, self.lines.height
        can[line] = after
        across, place = (height, line) if line < height else (0, line - height)
        keep = ~(1 << place)
        for colour, old in enumerate(before):
            gone = old ^ after[colour]
            while gone:
                bit = gone & -gone
                gone ^= bit
                crossing = across + bit.bit_length() - 1
                touched.add(crossing)
                masks = can[crossing]
                can[crossing] = (*masks[:colour], masks[colour] & keep, *masks[colour + 1 :])
        return touched

    def narrow_all(self, lines: Collection[int] | None = None) -> Propagated:
        """These lines (None: all), and whatever changes by them, until nothing follows or a line is contradicted."""
        height, looks, sweeps = self.lines.height, 0, 0
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
                looks += 1
                touched = self.narrow(line)
                if touched is None:
                    return Propagated(self, line, sweeps, looks)
                if touched:
                    found = True
                    waiting.update(touched)
            sweeps += found
        return Propagated(self, None, sweeps, looks)

    @property
    def known(self) -> Known:
        """The color of each cell that can have only one, else None."""
        width = self.lines.width
        rows = []
        for masks in self.can[: self.lines.height]:
            values: list[int | None] = [None] * width
            for colour, mask in enumerate(masks):
                for other, others in enumerate(masks):
                    if other != colour:
                        mask &= ~others
                for place in bits(mask):
                    values[place] = colour
            rows.append(tuple(values))
        return tuple(rows)

    def open_in(self, line: int) -> int:
        """The places of a line that may have more than one color, as bits."""
        return several(self.can[line])

    @property
    def open(self) -> int:
        """How many cells may have more than one color."""
        return sum(self.open_in(row).bit_count() for row in range(self.lines.height))

    def open_cells(self) -> Iterator[tuple[int, int]]:
        """Row and column of each cell that may have more than one color, row by row."""
        return ((row, column) for row in range(self.lines.height) for column in bits(self.open_in(row)))


@dataclass(frozen=True)
class Propagated:
    """What narrowing all lines led to.

    `contradicted` is the number of the line that no arrangement fits any more, if there is one (`PuzzleLines.named` says which);
    the grid is then as it was when that showed. `sweeps` counts turns through the rows or the columns that had changed, rows
    first, in which something followed; `looks` counts lines looked at.
    """

    grid: ColourGrid
    contradicted: int | None
    sweeps: int
    looks: int

    @property
    def known(self) -> Known:
        """The color of each cell that is known now, else None."""
        return self.grid.known

    @property
    def solved(self) -> bool:
        """Whether all cells are known, without a contradiction: the puzzle then has exactly this solution."""
        return self.contradicted is None and not self.grid.open


def propagate(puzzle: Nonogram, known: Known | None = None) -> Propagated:
    """Line logic to its end, from these known cells (None: those of the puzzle)."""
    return ColourGrid(PuzzleLines(puzzle), puzzle.known if known is None else known).narrow_all()


def several(masks: Can) -> int:
    """The places at which more than one color has its bit."""
    once = more = 0
    for mask in masks:
        more |= once & mask
        once |= mask
    return more


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest."""
    while mask:
        low = mask & -mask
        mask ^= low
        yield low.bit_length() - 1


# -- a model without a solver -------------------------------------------------------------------------------------------


def plain_model(puzzle: Nonogram, blocks: Mapping[str, Block]) -> set[int] | None:
    """The true variables; None where line logic leaves cells open, and for formulas of other variables."""
    cell, started = blocks["cell"], blocks.keys() & {"by", "start"}
    if not started or len(blocks) > 2:
        return None
    reached = propagate(puzzle)
    if not reached.solved:
        return None
    board = reached.known
    literals = (ink_literals(cell, r, c, value or 0) for r, row in enumerate(board) for c, value in enumerate(row))
    true = {literal for found in literals for literal in found if literal > 0}
    lines = lines_of(puzzle, cell.first)
    positions = (_positions(line, cells) for line, cells in zip(lines, (*board, *zip(*board, strict=True)), strict=True))
    for variables in true_starts(blocks, lines, positions):
        true.update(variables)
    return true


def _positions(line: ClueLine, cells: Sequence[int | None]) -> list[int]:
    """How far each block of a line stands from where it is when all are packed to the left."""
    starts = [place for place, cell in enumerate(cells) if cell and (not place or cells[place - 1] != cell)]
    return [start - base for start, base in zip(starts, line.bases(), strict=True)]
