"""Small triddlers with all their solutions: every board is drawn, and its clues are counted along lines by plain geometry: the
cells whose middles are between two parallels. Uses only the class of the puzzles of the package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise, product
from math import floor, sqrt

from exhaustive.comparing import Case, Range, alone
from exhaustive.nonogramranges import COLORS, colors_key, key
from nonogramnaive import blocks_in as inked
from nonogramnaive import clue_of_line as clue

from cnfgen_puzzles.families.triddler.puzzle import Triddler

H = sqrt(3) / 2
WAYS = ((1, 0), (-0.5, H), (0.5, H))  # right, down to the left, down to the right


def hexagons(most) -> list:
    """The sides of all hexagons of at most this number of cells."""
    found = []
    for a, b, c, d in product(range(most + 1), repeat=4):
        sides = (a, b, c, d, a + b - d, c + d - a)
        if min(sides) >= 0 and a + b and c + d and sum(sides[4:]):
            edges = [right - left for left, right in ends(sides)]
            if 2 * sum(edges) - edges[0] - edges[-1] <= most:  # a row has a cell for each unit of its upper and its lower edge
                found.append(sides)
    return found


def ends(sides) -> list:
    """The ends of the horizontal edges of the rows, from the top; the left end of side F is at 0."""
    a, b, _, _, e, f = sides
    lefts = [-y / 2 if y <= a else y / 2 - a for y in range(a + b + 1)]
    rights = [f + (y / 2 if y <= e else e - y / 2) for y in range(a + b + 1)]
    return list(zip(lefts, rights, strict=True))


@cache
def middles(sides) -> list:
    """The middles of the cells of every row, from left to right."""
    rows = []
    for r, ((left, right), (lower_left, lower_right)) in enumerate(pairwise(ends(sides))):
        up = [(lower_left + k + 0.5, (r + 2 / 3) * H) for k in range(round(lower_right - lower_left))]
        down = [(left + k + 0.5, (r + 1 / 3) * H) for k in range(round(right - left))]
        rows.append(sorted(up + down))
    return rows


@cache
def strips(sides) -> list:
    """For each direction, the cells (row, place) of every line: those between two parallels, in the order of their middles."""
    directions = []
    for along, (dx, dy) in enumerate(WAYS):
        found = defaultdict(list)
        for r, row in enumerate(middles(sides)):
            for place, (x, y) in enumerate(row):
                across = -x * dy + y * dx if along == 0 else x * dy - y * dx  # rows from the top, the others from the left
                found[floor(across / H + 1e-9)].append((x * dx + y * dy, (r, place)))
        directions.append([[cell for _, cell in sorted(found[strip])] for strip in sorted(found)])
    return directions


@cache
def solutions(sides, inks) -> dict:
    """All clues of boards of the hexagon, with all their boards."""
    found, rows = defaultdict(set), [len(row) for row in middles(sides)]
    for cells in product(range(inks + 1), repeat=sum(rows)):
        stream = iter(cells)
        board = tuple(tuple(islice(stream, length)) for length in rows)
        clues = tuple(tuple(inked([board[r][p] for r, p in line]) for line in lines) for lines in strips(sides))
        found[clues].add(board if inks > 1 else tuple(tuple(map(bool, row)) for row in board))
    return {clues: frozenset(boards) for clues, boards in found.items()}


def puzzle(sides, clues, inks) -> Triddler:
    lengths, colors = (
        tuple(tuple(tuple(run[k] for run in line) for line in lines) for lines in clues) for k in (0, 1)
    )  # fmt: skip
    return Triddler(sides, lengths, colors=COLORS[: inks + 1] if inks > 1 else (), clue_colors=colors)


def drawn(most, least=0, inks=1) -> Iterator[Case]:
    for sides in hexagons(most):
        if sum(map(len, middles(sides))) >= least:
            for clues, boards in solutions(sides, inks).items():
                yield Case(puzzle(sides, clues, inks), lambda boards=boards: boards, alone)


def triples(most) -> Iterator[Case]:
    """All clues of lines of these lengths, whether or not they agree, and the shortest clues that do not fit."""
    for sides in hexagons(most):
        lines = [line for direction in strips(sides) for line in direction]
        for chosen in product(*(_clues(len(line)) for line in lines)):
            stream = iter(chosen)
            clues = tuple(tuple(islice(stream, len(direction))) for direction in strips(sides))
            told = tuple(tuple(tuple((length, 1) for length in line) for line in direction) for direction in clues)
            found = solutions(sides, 1).get(told, frozenset())
            yield Case(puzzle(sides, told, 1), lambda found=found: found, alone)


def _clues(length) -> list:
    return [*sorted({clue(cells) for cells in product((False, True), repeat=length)}), (length + 1,)]


RANGES = [
    Range("every triddler of up to 8 cells that has a solution, on all hexagons", lambda: drawn(8), key, step=61),
    Range("every triddler of 9 and 10 cells that has a solution, on all hexagons", lambda: drawn(10, 9), key, False, step=499),
    Range(
        "all clues of up to 3 cells, contradictory or not, some too long for their line", lambda: triples(3), key, False, step=31
    ),
    Range(
        "every triddler in two colors of up to 6 cells that has a solution", lambda: drawn(6, 0, 2), colors_key, False, step=41
    ),
    Range("every triddler in three colors of up to 4 cells that has a solution", lambda: drawn(4, 0, 3), colors_key, step=23),
]
"""All rotations and reflections of a hexagon are included: other sides, or the same sides with other clues."""
