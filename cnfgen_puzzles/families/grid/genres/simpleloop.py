"""Simple Loop."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import FullLoop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class SimpleLoop(FullLoop):
    """Simple Loop: one loop through the centers of cells, which passes every cell that is not black, and no black one."""

    name = "simpleloop"
    url = (pzpr.MARKS,)
    file = (pzprfile.MARKS, pzprfile.LINES)
    rules = "lnOnShade lnBranch lnCross lnDeadEnd lnPlLoop ceNoLine"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        self.full_loop(puzzle, formula, connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.full_loop_faults(puzzle, board)


FAMILY = SimpleLoop()
