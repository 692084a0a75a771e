"""Dotchi-Loop."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, is_straight, joined
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors
from cnfgen_puzzles.formula.formula import FALSE

WHITE, BLACK = 1, 2


class Dotchi(Loop):
    """Dotchi-Loop: one loop through the centers of cells, which passes all white circles and no black one.

    In each room, it turns in all white circles or goes straight through all of them. Without a white circle there may be no loop.
    """

    name = "dotchi"
    url = (pzpr.ROOMS, pzpr.CIRCLES)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS)
    older = ((pzprfile.ROOMS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS),) * 2
    circles = True
    rules = "lnBranch lnCross lnOnShade bkNoMatch lnIsolate lnDeadEnd lnPlLoop"

    def circles_in(self, puzzle: Any, cells: list[Cell]) -> list[Cell]:
        """The white circles in these cells."""
        return [cell for cell in cells if puzzle.number(cell) == WHITE]

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        white = self.circles_in(puzzle, puzzle.cells)
        side = formula.single_cycle(puzzle.height, puzzle.width, connectivity, empty=not white)
        straight = {}
        for cell in white:
            lines = [side.get((min(cell, other), max(cell, other)), FALSE) for other in neighbors(cell)]
            formula.add_folded(*lines)
            straight[cell] = formula.iff_or([formula.iff_and(lines[::3]), formula.iff_and(lines[1:3])])
        for cells in puzzle.room_cells():
            formula.all_equal(straight[cell] for cell in self.circles_in(puzzle, cells))
        for cell, circle in puzzle.clues():
            if circle == BLACK:
                formula.forbid(lines_at(side, cell))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.loop_faults(board)
        for cell, circle in puzzle.clues():
            if circle == BLACK and joined(board, cell):
                yield "lnOnShade", f"{at(cell)}: the line passes a black circle"
            if circle == WHITE and not joined(board, cell):
                yield "lnIsolate", f"{at(cell)}: the line misses a white circle"
        for cells in puzzle.room_cells():
            passed = [cell for cell in self.circles_in(puzzle, cells) if len(joined(board, cell)) == 2]
            if len({is_straight(board, cell) for cell in passed}) > 1:
                yield "bkNoMatch", f"{at(cells[0])}: the line turns in a circle of the room and goes straight through another one"


FAMILY = Dotchi()
