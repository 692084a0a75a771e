"""Koburin."""

from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.genres.yajilin import Yajilin
from cnfgen_puzzles.families.grid.layer.boards import around
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.squares import Cell, neighbors


class Koburin(Yajilin):
    """Koburin: shade cells that do not touch by a side, and draw one loop through the centers of all others without a clue.

    A number says how many of the cells that share a side with its cell are shaded. Cells with a clue are not shaded.
    """

    name = "koburin"
    url = (pzpr.FOUR,)
    file = (pzprfile.CLUES, pzprfile.SHADES, pzprfile.LINES)
    variants: ClassVar = {**Yajilin.variants, "m": "numbers also count cells that share a corner"}
    rules = "lnBranch lnCross lnOnShade csAdjacent lnDeadEnd anShadeNe lnPlLoop ceEmpty shInside lcOnNum"

    def counted(self, puzzle: Any, cell: Cell) -> list[Cell]:
        near = around(puzzle, cell)
        return near if "m" in puzzle.variant else [other for other in near if other in neighbors(cell)]


FAMILY = Koburin()
