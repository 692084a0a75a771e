"""Counts the clue pairs of all pictures without enumerating the pictures: row by row, for one tuple of row clues at a time.

The first rows of a picture matter only through the row clues and, for each column, its clue so far and whether its last cell is
filled. So a tuple of row clues has a set of such column states, each marked if at least two pictures lead to it; the patterns of
the next row give the next set. After the last row, the states are the column clues: their number is the number of clue pairs with
these row clues, and the unmarked ones are the puzzles with exactly one solution. Mirrored pictures, and pictures turned by a half
turn, have mirrored clues: of up to four equivalent tuples of row clues, only the least is counted, with its multiplicity.

It needs numba, shares no code with `pictures.py`, and takes minutes for 6 x 6 with its 2^36 pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any, NamedTuple, cast

import numpy as np
from numba import njit

from studies.nonogram_census.pictures import Census

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]
Clue = tuple[int, ...]

BITS = 5
"""The bits of the state of a column in a number for all columns."""
STATE = np.uint32((1 << BITS) - 1)
MOST_COLUMNS = 6
HALF = 3
"""The number of columns for which the effect of a pattern is looked up at once."""
USED, TWICE = np.uint32(1 << 30), np.uint32(1 << 31)
"""Marks of a state in the table: present; reached by at least two pictures."""
KEY = np.uint32((1 << 31) - 1)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def compiled(function: Function) -> Function:
    """The function, compiled at its first call and cached on disk."""
    return cast(Function, njit(cache=True, nogil=True)(function))


# -- tables -------------------------------------------------------------------------------------------------------------


class Tables(NamedTuple):
    """For rows: the patterns in order of their clues, the first pattern of each clue, and the number of the mirror image of each
    clue. For columns: `step[row, state, filled]` is the state after one more cell."""

    patterns: Array
    begins: Array
    mirrored: Array
    step: Array


def clue_of(pattern: int) -> Clue:
    """The lengths of the runs of ones among the bits, from the lowest on."""
    return tuple(len(run) for run in f"{pattern:b}"[::-1].split("0") if run)


def tables_of(width: int, height: int) -> Tables:
    """Tables for pictures of this size."""
    order = sorted(range(1 << width), key=lambda pattern: (clue_of(pattern), pattern))
    clues = [(clue, len(list(patterns))) for clue, patterns in groupby(map(clue_of, order))]
    number = {clue: place for place, (clue, _) in enumerate(clues)}
    begins = np.cumsum([0, *(count for _, count in clues)])
    mirrored = [number[clue[::-1]] for clue, _ in clues]
    return Tables(np.array(order, np.int64), begins.astype(np.int64), np.array(mirrored, np.int64), _steps(height))


def _steps(height: int) -> Array:
    """The states after each number of cells, numbered separately: at first there is one, at last they are the clues."""
    step = np.zeros((height, STATE + 1, 2), np.uint32)
    states: dict[tuple[Clue, bool], int] = {((), False): 0}
    for row in range(height):
        following: dict[tuple[Clue, bool], int] = {}
        for (clue, within), state in states.items():
            for filled in (False, True):
                longer = (*clue[:-1], clue[-1] + 1) if within and filled else (*clue, 1) if filled else clue
                after = longer, filled and row + 1 < height
                step[row, state, int(filled)] = following.setdefault(after, len(following))
        states = following
        assert len(states) <= STATE
    return step


# -- the loop -----------------------------------------------------------------------------------------------------------


@compiled
def effects(states: Array, count: int, step: Array, columns: int, made: Array) -> None:
    """`made[i, p] ^ made[i, 8 + q]` becomes what the i-th state is after a row of the pattern p + 8 q, with its mark."""
    for i in range(count):
        state = states[i]
        made[i, 0] = state & TWICE | USED
        made[i, 1 << HALF] = 0
        for column in range(columns):
            now = state >> np.uint32(BITS * column) & STATE
            made[i, column // HALF << HALF] |= step[now, 0] << np.uint32(BITS * column)
        for column in range(columns):
            now = state >> np.uint32(BITS * column) & STATE
            change = (step[now, 0] ^ step[now, 1]) << np.uint32(BITS * column)
            begin, half = column // HALF << HALF, 1 << column % HALF
            for place in range(begin, begin + half):
                made[i, place + half] = made[i, place] ^ change


@compiled
def join(made: Array, count: int, patterns: Array, table: Array, bits: int, follow: Array) -> tuple[int, int]:
    """Puts all states after one more row with one of the patterns into the table; returns their number and the number of unmarked
    ones.

    The table has 2^bits places and is cleared first; `follow` gets the used places, if it is not empty.
    """
    size = 1 << bits
    table[:size] = 0
    kept = len(follow) > 0
    distinct = single = 0
    for i in range(count):
        for pattern in patterns:
            state = made[i, pattern & 7] ^ made[i, 8 + (pattern >> HALF)]
            key = state & KEY
            place = (np.uint64(key) * GOLDEN) >> np.uint64(64 - bits)
            while True:
                found = table[place]
                if found == 0:
                    table[place] = state
                    if kept:
                        follow[distinct] = place
                    distinct += 1
                    single += state == key
                    break
                if found & KEY == key:
                    if found == key:
                        table[place] = found | TWICE
                        single -= 1
                    break
                place = (place + np.uint64(1)) & np.uint64(size - 1)
    return distinct, single


@compiled
def count_below(first: int, width: int, patterns: Array, begins: Array, mirrored: Array, step: Array) -> tuple[int, int]:
    """For all tuples of row clues that begin with `first`: the numbers of clue pairs and of those with one picture."""
    height, number = len(step), len(begins) - 1
    most = np.max(np.diff(begins))
    states = [np.zeros(most**row, np.uint32) for row in range(height)]
    counts = np.ones(height, np.int64)
    made = [np.zeros((most**row, 2 << HALF), np.uint32) for row in range(height)]
    table = np.zeros(1 << bits_for(most**height), np.uint32)
    places = np.zeros(most ** (height - 1), np.int64)
    nowhere = np.zeros(0, np.int64)
    effects(states[0], 1, step[0], width, made[0])
    clues = np.zeros(height, np.int64)
    clues[0] = first
    distinct = single = row = 0
    while True:
        clue = clues[row]
        if clue == (number if row else first + 1):
            if row == 0:
                return distinct, single
            row -= 1
            clues[row] += 1
            continue
        count, wanted = counts[row], patterns[begins[clue] : begins[clue + 1]]
        bits = bits_for(count * len(wanted))
        if row + 1 < height:
            found, _ = join(made[row], count, wanted, table, bits, places)
            row += 1
            clues[row], counts[row] = 0, found
            for i in range(found):
                states[row][i] = table[places[i]]
            effects(states[row], found, step[row], width, made[row])
            continue
        weight = images(clues, mirrored)
        if weight:
            found, alone = join(made[row], count, wanted, table, bits, nowhere)
            distinct += weight * found
            single += weight * alone
        clues[row] += 1


@compiled
def bits_for(entries: int) -> int:
    """The bits of a table that is at most half full."""
    bits = 4
    while 1 << bits < 2 * entries:
        bits += 1
    return bits


@compiled
def images(clues: Array, mirrored: Array) -> int:
    """The number of tuples of row clues of the mirror images and the half turn; 0 if one of them is less than this one."""
    same = 1
    for upside_down, sideways in ((True, False), (False, True), (True, True)):
        difference = 0
        for row in range(len(clues)):
            clue = clues[len(clues) - 1 - row] if upside_down else clues[row]
            difference = (mirrored[clue] if sideways else clue) - clues[row]
            if difference:
                break
        if difference < 0:
            return 0
        same += difference == 0
    return 4 // same


# -- the count ----------------------------------------------------------------------------------------------------------


def census(width: int, height: int, jobs: int = 1) -> Census:
    """The census of all pictures of this size, at most 6 x 6, with `jobs` threads."""
    if not (1 <= width <= MOST_COLUMNS and 1 <= height <= MOST_COLUMNS):
        raise ValueError(f"found {width}x{height}, expected sides of 1 to {MOST_COLUMNS}")
    tables = tables_of(width, height)
    with ThreadPoolExecutor(jobs) as threads:
        parts = list(threads.map(lambda first: count_below(first, width, *tables), range(len(tables.mirrored))))
    return Census(sum(distinct for distinct, _ in parts), sum(single for _, single in parts))
