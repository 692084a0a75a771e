"""The pieces as drawn in the article, and their placements on its board, counted by code that shares nothing with the family."""

from __future__ import annotations

SIDE = 8
DRAWN = {
    "F": ".XX XX. .X.",
    "I": "X X X X X",
    "L": "X. X. X. XX",
    "N": "X. X. XX .X",
    "P": "XX XX X.",
    "T": "XXX .X. .X.",
    "U": "X.X XXX",
    "V": "X.. X.. XXX",
    "W": "..X .XX XX.",
    "X": ".X. XXX .X.",
    "Y": "X. XX X. X.",
    "Z": ".XX .X. XX.",
    "O": "XX XX",
}
"""The pieces in the order of the article (1 to 9, then a to d), with the usual names; O is the square."""

Shape = tuple[str, ...]
"""Rows of one length, X for a cell of the piece."""


def placements(drawn: str) -> int:
    """The number of placements of the piece on the empty board."""
    return sum((SIDE - len(shape) + 1) * (SIDE - len(shape[0]) + 1) for shape in orientations(tuple(drawn.split())))


def orientations(shape: Shape) -> set[Shape]:
    """The different images under four quarter turns and reflections."""
    found = set()
    for _ in range(4):
        found |= {shape, shape[::-1]}
        shape = tuple("".join(column) for column in zip(*reversed(shape), strict=True))
    return found
