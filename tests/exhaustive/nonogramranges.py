"""Small nonograms with all their solutions: every board is drawn and its clues are counted. Uses only the class `Nonogram`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice, product

from exhaustive.comparing import Case, Range, alone
from nonogramnaive import blocks_in as inked
from nonogramnaive import clue_of_line as clue

from cnfgen_puzzles.families.clued.puzzle import Color
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

SIDES = (1, 2, 3, 4)
SMALL = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (1, 4), (4, 1), (2, 3), (3, 2)]
LARGER = [(3, 3), (2, 4), (4, 2), (3, 4), (4, 3), (4, 4)]
STRIDE = {(3, 3): 1, (2, 4): 1, (4, 2): 1, (3, 4): 101, (4, 3): 101, (4, 4): 4001}
"""For these sizes, one of this number of pairs of clues is tried: prime numbers, so that every clue occurs."""


@cache
def solutions(height, width) -> dict:
    """All clues of boards of the size, with all their boards."""
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
    """All clues of lines of these lengths, for rows and columns, whether or not they agree.

    `long` adds clues that are too long by the least number of cells, with one block and with blocks of one cell.
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


# -- several colors -----------------------------------------------------------------------------------------------------------

COLORS = (
    Color("white", "#ffffff", "."),
    Color("red", "#ff0000", "r"),
    Color("blue", "#0000ff", "b"),
    Color("sky", "#87ceeb", "s"),
)
COLORED = [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (1, 4), (4, 1), (2, 3), (3, 2)]


@cache
def colored_solutions(height, width, inks) -> dict:
    """As `solutions`, for boards with this number of colors besides the background."""
    found = defaultdict(set)
    for cells in product(range(inks + 1), repeat=height * width):
        board = tuple(cells[r * width : (r + 1) * width] for r in range(height))
        found[tuple(map(inked, board)), tuple(map(inked, zip(*board, strict=True)))].add(board)
    return {lines: frozenset(boards) for lines, boards in found.items()}


def colored(rows, columns, inks) -> Nonogram:
    lengths, colors = ([tuple(tuple(run[k] for run in line) for line in lines) for lines in (rows, columns)] for k in (0, 1))
    return Nonogram(*lengths, colors=COLORS[: inks + 1], row_colors=colors[0], column_colors=colors[1])


def colored_drawn(sizes, inks) -> Iterator[Case]:
    for size in sizes:
        for (rows, columns), boards in colored_solutions(*size, inks).items():
            yield Case(colored(rows, columns, inks), lambda boards=boards: boards, alone)


def colored_pairs(sizes, inks) -> Iterator[Case]:
    """All clues of lines of these lengths, and those with blocks of one cell that are too long by one."""
    for height, width in sizes:
        every = product(product(inked_clues(width, inks), repeat=height), product(inked_clues(height, inks), repeat=width))
        for rows, columns in every:
            found = colored_solutions(height, width, inks).get((rows, columns), frozenset())
            yield Case(colored(rows, columns, inks), lambda found=found: found, alone)


def inked_clues(length, inks) -> list:
    found = {inked(cells) for cells in product(range(inks + 1), repeat=length)}
    return [*sorted(found), ((length + 1, 1),), tuple((1, 1 + n % 2) for n in range(length + 1))]


def colors_key(board):
    return tuple(map(tuple, board))


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
    Range(
        "every nonogram in two colors up to 3x2, 2x3, 1x4 and 4x1 that has a solution", lambda: colored_drawn(COLORED, 2),
        colors_key, step=31,
    ),
    Range(
        "every nonogram in two colors of 3x3 that has a solution", lambda: colored_drawn([(3, 3)], 2),
        colors_key, False, step=997,
    ),
    Range(
        "every nonogram in three colors up to 2x2, 1x3 and 3x1 that has a solution", lambda: colored_drawn(COLORED[:6], 3),
        colors_key, step=23,
    ),
    Range(
        "every pair of clues in two colors up to 2x2, 1x3 and 3x1, contradictory or not, some too long for their line",
        lambda: colored_pairs(COLORED[:6], 2), colors_key, False, step=211,
    ),
]  # fmt: skip
