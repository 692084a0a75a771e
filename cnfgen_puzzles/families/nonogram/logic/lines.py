"""One line of a nonogram: exactly what follows from its clue and from what is known of its cells.

A line of `size` cells is a number for each colour c, `can[c]`: bit q is set where cell q may have colour c (0: the background).
A boundary q lies before cell q, so there are `size` + 1, and a set of boundaries is such a number too. Placing blocks from the
left gives, for each block, the boundaries where it can begin; those that also let the blocks to its right be placed are where it
begins in some arrangement of the whole line. Every step is a few operations on whole numbers, whatever the line's length:

* where a block of b cells fits: cells that can have its colour, with those 1, 2, ... b-1 to their right (`shifts` doubles);
* boundaries reached from others over background: to the right by the carry of an addition, to the left by doubling steps.

>>> narrowed(5, blocks_of((3,), (1,)), (0b11111, 0b11111))  # `3` in five cells: the middle one is filled
(27, 31)
>>> narrowed(5, blocks_of((3,), (1,)), (0b11011, 0b11111)) == (0b11011, 0b11111), narrowed(5, blocks_of((3,), (1,)), (31, 27))
(True, None)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple


class ClueBlock(NamedTuple):
    """A block of a clue: its cells, its colour, the cells that must follow before the next block, and how a run of so many cells
    is made by doubling: m & m >> shift for each shift."""

    length: int
    colour: int
    gap: int
    shifts: tuple[int, ...]


Can = tuple[int, ...]
"""`can[c]` has the bit q where cell q may have colour c."""


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
    """The blocks of a clue; those of one colour need a gap of a cell between them, those of two need none."""
    gaps = [int(colour == following) for colour, following in pairwise([*colours, 0])]
    return tuple(map(ClueBlock, lengths, colours, gaps, map(shifts, lengths)))


def narrowed(size: int, blocks: Sequence[ClueBlock], can: Can) -> Can | None:
    """The colours that each cell has in some arrangement of the blocks that `can` allows; None if it allows no arrangement.

    That is complete: a cell has a colour here exactly if some arrangement gives it that colour.
    """
    found = arranged(size, blocks, can)
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


def arranged(size: int, blocks: Sequence[ClueBlock], can: Can) -> Arranged | None:
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
    falls = _falls(background)
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


def _falls(background: int) -> list[tuple[int, int]]:
    """Doubling steps to the left over background: pairs of the boundaries from which `step` cells are background, and `step`."""
    steps, fall, step = [], background, 1
    while fall:
        steps.append((fall, step))
        fall &= fall >> step
        step *= 2
    return steps
