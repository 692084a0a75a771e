"""Counts the clue pairs of all pictures: one by one, or by sorting keys (5 x 5)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

from cnfgen_puzzles.families.nonogram.puzzle import clues_of


class Census(NamedTuple):
    """The number of clue pairs of the pictures of a size, and of those with exactly one picture."""

    distinct: int
    single: int


def by_pictures(side: int) -> Census:
    """Counts with the clues of the family for every picture, up to 4 x 4.

    >>> by_pictures(2)
    Census(distinct=15, single=14)
    """
    rows = list(product((False, True), repeat=side))
    drawn = (clues_of(board) for board in product(rows, repeat=side))
    seen = Counter((puzzle.rows, puzzle.columns) for puzzle in drawn)
    return Census(len(seen), sum(number == 1 for number in seen.values()))


def by_sorting(side: int) -> Census:
    """Counts by sorting a number for each picture, made of the clues of its lines. It needs numpy, and 1 GB for 5 x 5."""
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
    """A number for the lengths of the runs of ones among the bits."""
    found, run = [], 0
    for place in range(side + 1):
        if line >> place & 1:
            run += 1
        elif run:
            found.append(run)
            run = 0
    return tuple(found)
