"""Counts the pictures of a size that line logic reconstructs from their clues, by brute force.

The knowledge about a line is a number with a bit for each filled cell, then a bit for each empty cell. A table has, for each clue
and each knowledge, the cells on which all matching placements of the blocks agree; rows and columns are looked up in turn until
nothing changes. A picture that line logic solves is the only solution, so pictures and puzzles are equally many. It needs numba:
the 2^25 pictures of 5 x 5 cells take seconds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from studies.nonogram_census.rowbyrow import clue_of, compiled

Array = np.ndarray[Any, Any]


def line_solvable(side: int) -> int:
    """The number of nonograms of side x side cells (at most 5 x 5) that line logic solves.

    >>> line_solvable(2)
    14
    """
    if not 1 <= side <= 5:
        raise ValueError(f"found the side {side}, expected 1 to 5")
    return int(_solved(side, *_tables(side)))


def _tables(side: int) -> tuple[Array, Array]:
    """The number of the clue of each pattern; and by clue and knowledge, the knowledge after a look at the line."""
    whole = (1 << side) - 1
    patterns: dict[tuple[int, ...], list[int]] = {}
    for pattern in range(whole + 1):
        patterns.setdefault(clue_of(pattern), []).append(pattern)
    number = {clue: place for place, clue in enumerate(patterns)}
    learnt = np.zeros((len(patterns), 1 << 2 * side), np.int64)
    for clue, fitting in patterns.items():
        for known in range(1 << 2 * side):
            filled, empty = known & whole, known >> side
            left = [pattern for pattern in fitting if pattern & filled == filled and not pattern & empty]
            if left:
                always, never = np.bitwise_and.reduce(left), whole & ~np.bitwise_or.reduce(left)
                learnt[number[clue], known] = always | never << side
    return np.array([number[clue_of(pattern)] for pattern in range(whole + 1)], np.int64), learnt


@compiled
def _solved(side: int, clue: Array, learnt: Array) -> int:
    whole = (1 << side) - 1
    rows, columns = np.zeros(side, np.int64), np.zeros(side, np.int64)
    solved = 0
    for picture in range(1 << side * side):
        top, bottom = picture & whole, picture >> side * (side - 1)
        if top > bottom:
            continue  # counted with its mirror image
        columns[:] = 0
        for y in range(side):
            rows[y] = picture >> side * y & whole
            for x in range(side):
                columns[x] |= (rows[y] >> x & 1) << y
        if _found_again(side, clue[rows], clue[columns], learnt):
            solved += 1 + (top < bottom)
    return solved


@compiled
def _found_again(side: int, row_clues: Array, column_clues: Array, learnt: Array) -> bool:
    rows, columns = np.zeros(side, np.int64), np.zeros(side, np.int64)
    known = -1
    while True:
        for y in range(side):
            rows[y] = learnt[row_clues[y], rows[y]]
        _passed_on(side, rows, columns)
        for x in range(side):
            columns[x] = learnt[column_clues[x], columns[x]]
        _passed_on(side, columns, rows)
        before, known = known, 0
        for y in range(side):
            for bit in range(2 * side):
                known += rows[y] >> bit & 1
        if known == side * side:
            return True
        if known == before:
            return False


@compiled
def _passed_on(side: int, lines: Array, across: Array) -> None:
    """Transposes the knowledge of lines."""
    for x in range(side):
        for y in range(side):
            across[x] |= (lines[y] >> x & 1) << y | (lines[y] >> side + x & 1) << side + y
