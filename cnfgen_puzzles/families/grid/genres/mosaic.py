"""Mosaic."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, around, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Mosaic(Shading):
    """Mosaic (Fill-a-Pix): shade cells, also those with a number.

    A number says how many of its cell and the up to eight cells around it are shaded.
    """

    name = "mosaic"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.SHADES)
    rules = "nmShadeNe"
    connectivity = False

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        for cell, number in formula.each(puzzle.clues()):
            formula.exactly_k([shaded[other] for other in (cell, *around(puzzle, cell))], number, "pairwise")

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return sum(board[r][c] for r, c in (place, *around(puzzle, place)))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell, number in puzzle.clues():
            if (found := self.clue(puzzle, board, cell)) != number:
                yield "nmShadeNe", f"{at(cell)}: {found} shaded cells in and around it, expected {number}"


FAMILY = Mosaic()
