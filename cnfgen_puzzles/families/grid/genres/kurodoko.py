"""Kuromasu (Kurodoko)."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, add_views, view_faults, viewed
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
        add_views(puzzle, formula, shaded, 0)

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return viewed(puzzle, board, place, 0)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        yield from view_faults(puzzle, board, 0, "nmSumViewNe")


FAMILY = Kurodoko()
