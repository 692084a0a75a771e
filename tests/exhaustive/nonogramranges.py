"""Small nonograms and all their solutions: every board is drawn, and its clues are counted by hand. Of the package only the
class of the puzzles is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice, product

from exhaustive.comparing import Case, Range, alone

from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

SIDES = (1, 2, 3, 4)
SMALL = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (1, 4), (4, 1), (2, 3), (3, 2)]
LARGER = [(3, 3), (2, 4), (4, 2), (3, 4), (4, 3), (4, 4)]
STRIDE = {(3, 3): 1, (2, 4): 1, (4, 2): 1, (3, 4): 101, (4, 3): 101, (4, 4): 4001}
"""Of the pairs of clues of these sizes every so manyth is tried: prime numbers, so that no clue is always left out."""


def clue(cells) -> tuple:
    """The lengths of the runs of filled cells."""
    runs = "".join("#" if cell else "." for cell in cells).split(".")
    return tuple(len(run) for run in runs if run)


@cache
def solutions(height, width) -> dict:
    """All clues that some board of the size has, with all boards that have them."""
    found = defaultdict(set)
    for cells in product((False, True), repeat=height * width):
        board = tuple(cells[r * width : (r + 1) * width] for r in range(height))
        found[tuple(map(clue, board)), tuple(clue(column) for column in zip(*board, strict=True))].add(board)
    return {clues: frozenset(boards) for clues, boards in found.items()}


def drawn(sizes) -> Iterator[Case]:
    for size in sizes:
        for (rows, columns), boards in solutions(*size).items():
            yield Case(Nonogram(rows, columns), lambda boards=boards: boards, alone)


def pairs(sizes, stride, long=False) -> Iterator[Case]:
    """All clues that lines of these lengths can have, for rows and columns, whether or not they agree.

    With `long` also clues that do not fit: the fewest cells too many, by one block and by blocks of one cell.
    """
    for height, width in sizes:
        every = product(product(clues(width, long), repeat=height), product(clues(height, long), repeat=width))
        for rows, columns in islice(every, 0, None, stride.get((height, width), 1)):
            found = solutions(height, width).get((rows, columns), frozenset())
            yield Case(Nonogram(rows, columns), lambda found=found: found, alone)


def clues(length, long) -> list:
    found = {clue(cells) for cells in product((False, True), repeat=length)}
    return sorted(found) + ([(length + 1,), (1,) * (length // 2 + 1 + length % 2)] if long else [])


def key(board):
    return tuple(tuple(bool(cell) for cell in row) for row in board)


ALL = [(height, width) for height, width in product(SIDES, repeat=2)]
RANGES = [
    Range("every nonogram up to 4x3 and 3x4 that has a solution", lambda: drawn([s for s in ALL if s != (4, 4)]), key, step=47),
    Range("every nonogram of 4x4 that has a solution", lambda: drawn([(4, 4)]), key, False, step=499),
    Range(
        "every pair of clues up to 3x2 and 2x3, 1x4 and 4x1, contradictory or not, clues too long for their line among them",
        lambda: pairs(SMALL, {}, long=True), key, step=113,
    ),
    Range("every pair of clues of 3x3, 2x4 and 4x2", lambda: pairs(LARGER[:3], {}), key, False, step=211),
    Range(
        "every 101st pair of clues of 3x4 and 4x3, every 4001st of 4x4", lambda: pairs(LARGER[3:], STRIDE), key, False, step=113
    ),
]  # fmt: skip
