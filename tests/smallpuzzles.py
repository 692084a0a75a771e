"""Small puzzles, with and without solutions: few enough cells to try all boards."""

from __future__ import annotations

from itertools import product

from smallgrids import small_grids

from cnfgen_puzzles.families import GENRES
from cnfgen_puzzles.families.clued.palette import INKS, WHITE
from cnfgen_puzzles.families.nonogram.formats import read_non
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.families.triddler.puzzle import Hexagon, Triddler, clues_of

COLORED = (
    ("1r,1b/1b", "1r,1b/1b"),  # adjacent blocks of two colors
    ("1r/1b", "1r/1b"),
    ("1r,1b/0", "1b/1r"),
    ("1r,1r/1b", "1r/1b/1r"),  # blocks of one color with a gap
    ("1r,1b,1r/0", "1r/1b/1r"),
    ("1r/1r", "1r/1b"),  # equal numbers of cells, but not of each color
    ("1b/1r", "1r/1b/0"),
)
"""Clues of the rows and of the columns of small puzzles in red and blue."""
ONE = Hexagon((1, 1, 1, 1, 1, 1))
PICTURES = (
    "...|...",
    "#..|...",
    "##.|...",
    "#.#|...",
    "#..|.#.",
    "#..|..#",
    "###|...",
    "##.|.#.",
    "##.|..#",
    "#.#|.#.",
    "###|###",
)
"""All pictures up to rotation on the regular hexagon of six cells."""


def nonograms() -> list[Nonogram]:
    clues = [(), (1,), (2,), (1, 1), (3,)]
    every = product(product(clues, repeat=2), product(clues[:3], repeat=3))
    return [*(Nonogram(rows, columns) for rows, columns in list(every)[::9]), *(colored(*lines) for lines in COLORED)]


def colored(rows: str, columns: str) -> Nonogram:
    text = f"width {columns.count('/') + 1}\nheight {rows.count('/') + 1}\ncolor r {INKS[0].value}\ncolor b {INKS[1].value}\n"
    return read_non("\n".join([text, "rows", *rows.split("/"), "columns", *columns.split("/")]), "")


def triddlers() -> list[Triddler]:
    """Also on a rhombus and a trapezoid, and puzzles without a solution; those in colors are the last."""
    found = [clues_of(ONE, tuple(tuple(cell == "#" for cell in row) for row in text.split("|"))) for text in PICTURES]
    found += [clues_of(Hexagon((2, 0, 2, 2, 0, 2)), ((True, False, False, True), (False, True, True, False)))]
    found += [clues_of(Hexagon((1, 1, 0, 1, 1, 0)), ((True,), (True,)))]
    found += [Triddler(ONE.sides, (((1,), ()), ((), ()), ((1,), ()))), Triddler(ONE.sides, (((4,), ()), ((4,), ()), ((4,), ())))]
    found += [Triddler(ONE.sides, (((1,), (1,)), ((1,), (1,)), ((1,), (1,))))]
    boards = [((1, 2, 0), (0, 0, 1)), ((1, 1, 2), (2, 0, 0)), ((0, 2, 1), (1, 2, 0))]
    return found + [clues_of(ONE, board, (WHITE, *INKS[:2])) for board in boards]


def small_puzzles(family):
    """Those of this module for a family of this package, otherwise those of the family."""
    own = {"nonogram": nonograms, "triddler": triddlers}
    if family.name in own:
        return own[family.name]()
    return small_grids(family) if family.name in GENRES else list(family.small_puzzles())
