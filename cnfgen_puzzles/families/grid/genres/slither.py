"""Slitherlink."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import DOWN, RIGHT, Fault, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Slither(Loop):
    """Slitherlink: one loop along the sides of cells.

    A number says how many sides of its cell belong to the loop.
    """

    name = "slither"
    url = (pzpr.FOUR,)
    file = (pzprfile.CLUES, pzprfile.COLORS, pzprfile.SIDES)
    older = ((pzprfile.CLUES, pzprfile.SIDES),)
    variants: ClassVar = {"f": "the loop passes all corners of cells"}
    around_cells = True
    rules = "brNoLine lnBranch lnCross nmLineNe lnPlLoop lnDeadEnd cxNoLine"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = self.cycle(puzzle, formula, connectivity)
        for (r, c), number in formula.each(puzzle.clues()):
            a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
            formula.exactly_k([side[a, b], side[a, d], side[b, e], side[d, e]], number, "pairwise")

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        r, c = place
        masks = (board[r][c], RIGHT), (board[r + 1][c], RIGHT), (board[r][c], DOWN), (board[r][c + 1], DOWN)
        return sum(bool(mask & way) for mask, way in masks)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.cycle_faults(puzzle, board)
        for cell, number in puzzle.clues():
            if (found := self.clue(puzzle, board, cell)) != number:
                yield "nmLineNe", f"{at(cell)}: {found} sides, expected {number}"


FAMILY = Slither()
