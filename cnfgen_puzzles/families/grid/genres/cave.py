"""Cave."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, add_views, at, border, cells_with, view_faults, viewed
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components


class Cave(Shading):
    """Cave: shade cells such that the others are connected, and each shaded part reaches the border of the board.

    A number stands in an unshaded cell and says how many unshaded cells are seen from it in its row and its column, with itself.
    At least one cell is shaded.
    """

    name = "cave"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.SHADES)
    rules = "brNoShade cuDivide csConnOut nmSumViewNe"

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return viewed(puzzle, board, place, 0)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        formula.connected(shaded, connectivity, outside=True)
        add_views(puzzle, formula, shaded, 0)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        if not cells_with(board, 1):
            yield "brNoShade", "no cell is shaded"
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivide", "the unshaded cells are not connected"
        for part in components(cells_with(board, 1)):
            if part.isdisjoint(border(puzzle)):
                yield "csConnOut", f"{at(min(part))}: a shaded part does not reach the border of the board"
        yield from view_faults(puzzle, board, 0, "nmSumViewNe")


FAMILY = Cave()
