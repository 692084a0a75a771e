"""Tilings of 5 x n rectangles by pentominoes of any shape as claims: in all, and by the number of copies of one shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import cast

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.enginenames import CLASP, COVER
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling
from studies.claims import Claim, Measured, Place
from studies.pentominoes.cellbycell import number_of_tilings
from studies.pentominoes.strips import HEIGHT, strips

ENGINES = (COVER, CLASP)
MOST_LISTED = 5
"""The widest strip whose tilings are listed."""
ALL_STRIPS = (
    1, 5, 56, 501, 4006, 27950, 214689, 1696781, 13205354, 101698212, 782267786, 6048166230, 46799177380, 361683136647,
    2793722300087, 21583392631817, 166790059833039, 1288885349447958, 9959188643348952, 76953117224941654, 594617039453764617,
    4594660583890506956,
)  # fmt: skip
"""For n = 1, 2, ..."""
STRIPS_BY_U = (
    (1,), (5,), (39, 16, 1), (369, 120, 12), (2908, 1000, 98), (19185, 7474, 1228, 60, 3), (137200, 63896, 12448, 1092, 53),
    (1022915, 540562, 120034, 12676, 590, 4), (7606043, 4365686, 1084022, 140512, 8836, 250, 5),
    (55699672, 34738058, 9663366, 1466724, 124242, 5984, 166),
)  # fmt: skip
"""For n = 1, 2, ..., the numbers of tilings with 0, 1, 2, ... copies of U."""


def measure_strips(most: int, by_u: bool, _: Place) -> Measured:
    """Tilings of 5 x n rectangles for n up to `most`: by a transfer matrix of drawn pentominoes, and by other ways, which must
    agree. Only the listed tilings and those without U check the numbers `by_u`."""
    rows = strips(most, "U")
    for n in range(1, most + 1):
        by_cells = [number_of_tilings(strip(n, f"pentominoes{without}: any")) for without in (" without U", "")]
        if by_cells != [rows[n][0], sum(rows[n])]:
            raise CnfgenError(f"5 x {n}: {rows[n]}, cell by cell {by_cells} without U and in all")
    for n, engine in product(range(1, MOST_LISTED + 1), ENGINES):
        if (found := listed_by_u(n, engine)) != rows[n]:
            raise CnfgenError(f"5 x {n}: {rows[n]}, {engine} {found}")
    measured = rows[1:] if by_u else [[sum(row)] for row in rows[1:]]
    published = [list(row) for row in STRIPS_BY_U] if by_u else [[number] for number in ALL_STRIPS]
    of_u = "those without U and those of any shape" if by_u else "the numbers"
    evidence = (
        f"a transfer matrix on the drawn pentominoes; {of_u} also cell by cell on the family's placements; up to 5 x "
        f"{MOST_LISTED} all boards listed by {' and '.join(ENGINES)} and checked against the rules"
    )
    if measured == published:
        return Measured(in_words(published), evidence)
    return Measured("other numbers", evidence, f"found {measured}, expected {published}")


def strip(n: int, pieces: str) -> Tiling:
    """A rectangle of n rows, so that cells in their order go along the strip."""
    puzzle: Tiling = find_family("tiling").read(None, board=f"{n}x{HEIGHT}", pieces=pieces)
    return puzzle


def listed_by_u(n: int, engine: str) -> list[int]:
    """The tilings by the number of copies of U, each found by an engine and checked."""
    puzzle = strip(n, "pentominoes: any")
    u = [piece.name for piece in puzzle.pieces].index("U")
    boards = (cast(Board, each.board) for each in cp.solutions(puzzle, engine=engine, raw=True, jobs=1))
    found = Counter(sum(laid.piece == u for laid in board) for board in boards)
    return [found[copies] for copies in range(max(found) + 1)]


def in_words(rows: Sequence[Sequence[int]]) -> str:
    """How many numbers there are, and the largest one; `measure_strips` compares them all."""
    return f"{sum(map(len, rows))} numbers up to {max(map(max, rows)):,}"


def strip_claims() -> Iterator[Claim]:
    most, text = len(ALL_STRIPS), "tilings of 5 x n rectangles by pentominoes of any shape"
    claimed, measure = in_words([ALL_STRIPS]), partial(measure_strips, most, False)
    yield Claim("strips/all", "OEIS A174249", f"{text} for n = 1 to {most}", claimed, measure, seconds=30.0)
    most, text = len(STRIPS_BY_U), f"{text} and exactly k of shape U"
    claimed, measure = in_words(STRIPS_BY_U), partial(measure_strips, most, True)
    yield Claim("strips/by-u", "OEIS A247708", f"{text} for n = 1 to {most} and all k", claimed, measure, seconds=20.0)
