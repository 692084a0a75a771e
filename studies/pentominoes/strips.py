"""Counts tilings of 5 x n rectangles by pentominoes of any shape, by the number of copies of one pentomino, for all n at once.

The program shares nothing with the family. It covers the cells column by column; the first open cell is the first cell of a
pentomino. Only the covered cells of the next five columns matter, so partial tilings that agree on them are counted together (a
transfer matrix, cell by cell). The numbers by copies are the digits of one number to a large base.
"""

from __future__ import annotations

from collections import Counter

from studies.pentominoes.placements import DRAWN, orientations

HEIGHT = 5
PENTOMINOES = {name: drawn for name, drawn in DRAWN.items() if name != "O"}


def strips(most: int, counted: str = "U") -> list[list[int]]:
    """For each width from 0 to `most`, the number of tilings with 0, 1, 2, ... copies of the pentomino `counted`.

    >>> strips(3)
    [[1], [1], [5], [39, 16, 1]]
    """
    base = 6 * (most + 4)  # bits of a digit: 63 pentominoes can begin at a cell, and at most four are beyond the last column
    beginning = [_beginning(row, counted) for row in range(HEIGHT)]
    partial, found = Counter({0: 1}), [1]  # by the bits of covered cells, from the current cell on
    for cell in range(HEIGHT * most):
        further: Counter[int] = Counter()
        for covered, number in partial.items():
            if covered & 1:
                further[covered >> 1] += number
                continue
            for laid, copies in beginning[cell % HEIGHT]:
                if not covered & laid:
                    further[(covered | laid) >> 1] += number << base * copies
        partial = further
        if cell % HEIGHT == HEIGHT - 1:
            found.append(partial[0])
    return [_digits(number, base) for number in found]


def _beginning(row: int, counted: str) -> list[tuple[int, int]]:
    """The pentominoes whose first cell, column by column, is in this row: the bits of their cells, and whether they count."""
    found = []
    for name, drawn in PENTOMINOES.items():
        for shape in orientations(tuple(drawn.split())):
            cells = [(c, r) for r, line in enumerate(shape) for c, sign in enumerate(line) if sign == "X"]
            first = min(cells)
            if first[1] <= row <= HEIGHT - len(shape) + first[1]:
                bits = sum(1 << HEIGHT * c + r - first[1] for c, r in cells)
                found.append((bits, int(name == counted)))
    return found


def _digits(number: int, bits: int) -> list[int]:
    """The digits of a number to the base 2^bits, the lowest first."""
    digits = [number & (1 << bits) - 1]
    while number := number >> bits:
        digits.append(number & (1 << bits) - 1)
    return digits
