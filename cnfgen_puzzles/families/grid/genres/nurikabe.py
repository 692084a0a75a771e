"""Nurikabe."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, add_islands, at, blocks_of, cells_with, island_faults
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components


class Nurikabe(Shading):
    """Nurikabe: shade a connected sea without 2x2 blocks around islands.

    Each island of unshaded cells has exactly one number, which is its size.
    """

    name = "nurikabe"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.SHADED_CLUES,)
    without = pzpr.UNKNOWN
    rules = "cs2x2 bkNoNum csDivide bkNumGe2 bkSizeNe"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.forbid_block(shaded, 2, 2)
        formula.connected(shaded, connectivity)
        add_islands(puzzle, formula, shaded, connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        yield from island_faults(puzzle, board)
        if len(components(cells_with(board, 1))) > 1:
            yield "csDivide", "the shaded cells are not connected"


FAMILY = Nurikabe()
