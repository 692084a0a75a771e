"""Counts the clue pairs of all pictures from the pictures themselves: one by one, or as keys that are sorted (5 x 5)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

from cnfgen_puzzles.families.nonogram.puzzle import clues_of


class Census(NamedTuple):
    """How many clue pairs the pictures of a size have, and how many of these have just one picture."""

    distinct: int
    single: int


def by_pictures(side: int) -> Census:
    """Every picture's clues, as the family reads them off: for up to 4 x 4.

    >>> by_pictures(2)
    Census(distinct=15, single=14)
    """
    rows = list(product((False, True), repeat=side))
    drawn = (clues_of(board) for board in product(rows, repeat=side))
    seen = Counter((puzzle.rows, puzzle.columns) for puzzle in drawn)
    return Census(len(seen), sum(number == 1 for number in seen.values()))


def by_sorting(side: int) -> Census:
    """The same with a number for each picture, made of its lines' clues; all are sorted. It needs numpy, and 1 GB for 5 x 5."""
    import numpy as np

    numbers: dict[tuple[int, ...], int] = {}
    clue = np.array([numbers.setdefault(_runs(line, side), len(numbers)) for line in range(1 << side)], np.int64)
    pictures = np.arange(1 << side * side, dtype=np.int64)
    keys = np.zeros_like(pictures)
    for line in range(side):
        row = pictures >> side * line & (1 << side) - 1
        column = sum((pictures >> side * place + line & 1) << place for place in range(side))
        keys = (keys * len(numbers) + clue[row]) * len(numbers) + clue[column]
    keys.sort()
    first = np.concatenate([[True], keys[1:] != keys[:-1]])
    return Census(int(first.sum()), int((first[:-1] & first[1:]).sum() + first[-1]))


def _runs(line: int, side: int) -> tuple[int, ...]:
    """The runs of ones among the bits, counted one after the other."""
    found, run = [], 0
    for place in range(side + 1):
        if line >> place & 1:
            run += 1
        elif run:
            found.append(run)
            run = 0
    return tuple(found)
