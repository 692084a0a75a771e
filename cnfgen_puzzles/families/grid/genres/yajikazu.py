"""Yajisan-Kazusan."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, arrow_clues, at, pointed_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.grid.layer.numbers import at_least
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Yajikazu(Apart):
    """Yajisan-Kazusan: shade cells that do not touch by a side, with all others connected.

    A number in an unshaded cell says how many cells are shaded in the direction of its arrow. A number in a shaded cell, and one
    without an arrow, says nothing. At least one cell is shaded.
    """

    name = "yajikazu"
    url = (pzpr.ARROWS,)
    file = (pzprfile.ARROWS, pzprfile.SHADES)
    rules = "brNoShade csAdjacent cuDivideRB anShadeNe"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.shades(formula, connectivity)
        for cell, number in formula.each(arrow_clues(puzzle)):
            least = formula.counts([shaded[other] for other in pointed_at(puzzle, cell)], number + 1)
            formula.add_folded(shaded[cell], at_least(least, number))
            formula.add_folded(shaded[cell], -at_least(least, number + 1))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        for cell, number in arrow_clues(puzzle):
            found = sum(board[r][c] for r, c in pointed_at(puzzle, cell))
            if not board[cell[0]][cell[1]] and found != number:
                yield "anShadeNe", f"{at(cell)}: {found} shaded cells, expected {number}"


FAMILY = Yajikazu()
