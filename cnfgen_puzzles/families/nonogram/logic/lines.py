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


class Block(NamedTuple):
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


def blocks_of(lengths: Sequence[int], colours: Sequence[int]) -> tuple[Block, ...]:
    """The blocks of a clue; those of one colour need a gap of a cell between them, those of two need none."""
    gaps = [int(colour == following) for colour, following in pairwise([*colours, 0])]
    return tuple(map(Block, lengths, colours, gaps, map(shifts, lengths)))


def narrowed(size: int, blocks: Sequence[Block], can: Can) -> Can | None:
    """The colours that each cell has in some arrangement of the blocks that `can` allows; None if it allows no arrangement.

    That is complete: a cell has a colour here exactly if some arrangement gives it that colour.
    """
    background = can[0]
    falls = _falls(background)
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
    left = 1 << size
    for fall, step in falls:
        left |= left >> step & fall
    empty = reached & left >> 1
    placed: dict[tuple[int, int], int] = {}
    for index in range(len(blocks) - 1, -1, -1):
        length, colour, gap, _ = blocks[index]
        left = begins[index] & ((left >> 1 & background if gap else left) >> length)
        placed[length, colour] = placed.get((length, colour), 0) | left
        for fall, step in falls:
            left |= left >> step & fall
        empty |= ended[index] & left >> 1
    found = [0] * len(can)
    found[0] = empty & background
    for (length, colour), cells in placed.items():
        for step in shifts(length):
            cells |= cells << step
        found[colour] |= cells
    return tuple(found)


def _falls(background: int) -> list[tuple[int, int]]:
    """Doubling steps to the left over background: pairs of the boundaries from which `step` cells are background, and `step`."""
    steps, fall, step = [], background, 1
    while fall:
        steps.append((fall, step))
        fall &= fall >> step
        step *= 2
    return steps
