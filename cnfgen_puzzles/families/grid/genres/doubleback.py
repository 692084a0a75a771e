"""Double Back."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.genres.country import wall_crossings
from cnfgen_puzzles.families.grid.genres.simpleloop import FullLoop
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined, room, walled
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Doubleback(FullLoop):
    """Double Back: one loop through the centers of all cells that are not black, which visits each room exactly twice.

    The loop crosses walls around each room four times. To cross a wall inside a room counts twice. Black cells divide rooms.
    """

    name = "doubleback"
    url = (pzpr.ROOMS, pzpr.BLACK_MARKS)
    file = (pzprfile.WALLS, pzprfile.MARKS, pzprfile.LINES, pzprfile.COLORS)
    older = ((pzprfile.ROOMS, pzprfile.MARKS, pzprfile.LINES, pzprfile.COLORS),) * 2
    rules = "lnBranch lnCross lnDeadEnd lnPlLoop ceNoLine bkNotPassTwice lnOnShade"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = self.full_loop(puzzle, formula, connectivity)
        crossings = wall_crossings(puzzle, side)
        for cells in puzzle.room_cells():
            if not self.ground(puzzle, cells[0]):
                formula.exactly_k_folded([side[pair] for pair in crossings.get(room(puzzle, cells[0]), ())], 4)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.full_loop_faults(puzzle, board)
        for cells in puzzle.room_cells():
            crossed = sum(walled(puzzle, cell, other) for cell in cells for other in joined(board, cell))
            if crossed != 4 and not self.ground(puzzle, cells[0]):
                yield "bkNotPassTwice", f"{at(cells[0])}: the line does not visit the room exactly twice"


FAMILY = Doubleback()
