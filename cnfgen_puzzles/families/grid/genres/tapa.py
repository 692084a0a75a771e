"""Tapa."""

from collections.abc import Iterator
from itertools import groupby, product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components
from cnfgen_puzzles.formula.formula import FALSE

RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))


class Tapa(Shading):
    """Tapa: shade connected cells without 2x2 blocks, and none with a clue.

    The numbers in a cell are the lengths of the runs of shaded cells in the ring of eight cells around it, in any order. A
    question mark is a run of any length, also the zero of a ring without shaded cells. At least one cell is shaded.
    """

    name = "tapa"
    url = (pzpr.LISTS,)
    file = (pzprfile.SHADED_LISTS,)
    rules = "brNoShade cs2x2 ceTapaNe csDivide"

    clue_field = "lists"
    without = ()

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> tuple[int, ...]:
        shaded = set(cells_with(board, 1))
        return () if place in shaded else tuple(sorted(_runs(tuple((place[0] + i, place[1] + j) in shaded for i, j in RING))))

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        formula.forbid_block(shaded, 2, 2)
        formula.connected(shaded, connectivity)
        for (r, c), clue in formula.each(puzzle.given("lists")):
            formula.add(-shaded[r, c])
            allowed = [ring for ring in product((False, True), repeat=8) if _fits(clue, ring)]
            formula.pattern([shaded.get((r + i, c + j), FALSE) for i, j in RING], allowed)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        shaded = set(cells_with(board, 1))
        if not shaded:
            yield "brNoShade", "no cell is shaded"
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        for (r, c), clue in puzzle.given("lists"):
            if (r, c) in shaded:
                yield "ceTapaNe", f"{at((r, c))}: a clue is shaded"
            elif not _fits(clue, tuple((r + i, c + j) in shaded for i, j in RING)):
                yield "ceTapaNe", f"{at((r, c))}: the shaded cells around the clue do not fit it"
        if len(components(shaded)) > 1:
            yield "csDivide", "the shaded cells are not connected"


def _runs(ring: tuple[bool, ...]) -> list[int]:
    start = ring.index(False) if False in ring else 0
    return [len(list(run)) for member, run in groupby(ring[start:] + ring[:start]) if member] or [0]


def _fits(clue: tuple[int, ...], ring: tuple[bool, ...]) -> bool:
    runs = _runs(ring)
    for number in clue:
        if number >= 0 and number not in runs:
            return False
        if number >= 0:
            runs.remove(number)
    return len(runs) == sum(number < 0 for number in clue)


FAMILY = Tapa()
