"""Canal View."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, add_views, at, blocks_of, cells_with, view_faults, viewed
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components


class Canal(Shading):
    """Canal View: shade connected cells without blocks of 2x2, and none with a clue.

    A number says how many shaded cells are seen from it in its row and its column, up to the first unshaded cell.
    """

    name = "canal"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.MARKED_SHADES)
    rules = "cs2x2 nmShadeViewNe csDivide"

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return viewed(puzzle, board, place, 1)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.forbid_block(shaded, 2, 2)
        formula.connected(shaded, connectivity)
        add_views(puzzle, formula, shaded, 1)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        yield from view_faults(puzzle, board, 1, "nmShadeViewNe")
        if len(components(cells_with(board, 1))) > 1:
            yield "csDivide", "the shaded cells are not connected"


FAMILY = Canal()
