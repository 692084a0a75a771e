"""Kuromasu (Kurodoko)."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, lines_from, visible
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Kurodoko(Apart):
    """Kuromasu: shade cells that do not touch by a side, with all others connected.

    A number stands in an unshaded cell and says how many unshaded cells are seen from it in its row and its column, with itself.
    At least one cell is shaded.
    """

    name = "kurodoko"
    url = (pzpr.NUMBERS,)
    ringed = True
    file = (pzprfile.CLUES, pzprfile.SHADES)
    rules = "brNoShade csAdjacent cuDivideRB nmSumViewNe"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.shades(formula, connectivity)
        for cell, number in formula.each(puzzle.given()):
            formula.add(-shaded[cell])
            if number >= 0:
                formula.visible_count([[-shaded[other] for other in line] for line in lines_from(puzzle, cell)], number - 1)

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return pzpr.NONE if board[place[0]][place[1]] else 1 + visible(puzzle, board, place, 0)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        for cell, number in puzzle.given():
            if board[cell[0]][cell[1]]:
                yield "nmSumViewNe", f"{at(cell)}: a number is shaded"
            elif number >= 0 and (found := self.clue(puzzle, board, cell)) != number:
                yield "nmSumViewNe", f"{at(cell)}: {found} cells are seen, expected {number}"


FAMILY = Kurodoko()
