"""Regional Yajilin."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, room_count_faults, room_numbers
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import ShadedLoop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class YajilinRegions(ShadedLoop):
    """Regional Yajilin: shade cells that do not touch by a side, and draw one loop through the centers of all others.

    A number says how many cells of its room are shaded.
    """

    name = "yajilin-regions"
    url = (pzpr.ROOMS, pzpr.ROOM_NUMBERS)
    file = (pzprfile.ROOMS, pzprfile.CLUES, pzprfile.SHADES, pzprfile.LINES)
    beside = True
    rules = "lnBranch lnCross lnOnShade csAdjacent lnDeadEnd bkShadeNe lnPlLoop ceEmpty shInside"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        _, shaded = self.shaded_loop(puzzle, formula, puzzle.cells, connectivity)
        for cells, number in room_numbers(puzzle, formula):
            formula.exactly_k([shaded[cell] for cell in cells], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shaded_loop_faults(puzzle, board, puzzle.cells)
        yield from room_count_faults(puzzle, self.shades_of(board))


FAMILY = YajilinRegions()
