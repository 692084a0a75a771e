"""Detour."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.genres.simpleloop import FullLoop
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, is_straight, joined, room_numbers
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.formula.formula import FALSE


class Detour(FullLoop):
    """Detour: one loop through the centers of all cells.

    A number says in how many cells of its room the loop turns.
    """

    name = "detour"
    url = (pzpr.ROOMS, pzpr.ROOM_NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS)
    older = ((pzprfile.ROOMS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS),) * 2
    beside = True
    rules = "lnBranch lnCross blWrongTurns lnDeadEnd lnPlLoop ceNoLine"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = self.full_loop(puzzle, formula, connectivity)
        for cells, number in room_numbers(puzzle, formula):
            ways = [[side.get(((r, c), other), FALSE) for other in ((r, c + 1), (r + 1, c))] for r, c in cells]
            before = [[side.get((other, (r, c)), FALSE) for other in ((r, c - 1), (r - 1, c))] for r, c in cells]
            turns = [formula.iff_xor(right, left) for (right, _), (left, _) in zip(ways, before, strict=True)]
            formula.exactly_k_folded(turns, number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.full_loop_faults(puzzle, board)
        for cells, number in room_numbers(puzzle):
            found = sum(len(joined(board, cell)) == 2 and not is_straight(board, cell) for cell in cells)
            if found != number:
                yield "blWrongTurns", f"{at(cells[0])}: the line turns in {found} cells of the room, expected {number}"


FAMILY = Detour()
