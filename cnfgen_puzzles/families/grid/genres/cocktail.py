"""Cocktail Lamp."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, around, at, blocks_of, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomIslands
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components


class Cocktail(RoomIslands):
    """Cocktail Lamp: shade cells that are connected within each room, and all of them by sides and corners.

    A number says how many cells of its room are shaded. Shaded cells do not touch across a wall by a side. No block of 2x2 cells
    is shaded.
    """

    name = "cocktail"
    rules = "cbShade cs2x2 bkShadeDivide bkShadeNe csDivide"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.islands(puzzle, formula, connectivity)
        formula.forbid_block(shaded, 2, 2)
        formula.connected_by_corners(shaded, connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.island_faults(puzzle, board)
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        if len(components(cells_with(board, 1), lambda cell: around(puzzle, cell))) > 1:
            yield "csDivide", "the shaded cells are not connected by sides and corners"


FAMILY = Cocktail()
