"""Norinuri."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, add_islands, domino_faults, island_faults
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Norinuri(Shading):
    """Norinuri: shade dominoes around islands.

    Each shaded cell shares a side with exactly one other shaded cell. Each island of unshaded cells has exactly one number, which
    is its size.
    """

    name = "norinuri"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.SHADES)
    without = pzpr.UNKNOWN
    rules = "csGt2 csLt2 bkNoNum bkNumGe2 bkSizeNe"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.dominoes(shaded)
        add_islands(puzzle, formula, shaded, connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from domino_faults(board)
        yield from island_faults(puzzle, board)


FAMILY = Norinuri()
