"""Yajilin."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined, pointed_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import ShadedLoop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import NONE
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Yajilin(ShadedLoop):
    """Yajilin: shade cells that do not touch by a side, and draw one loop through the centers of all others without a clue.

    A number says how many cells are shaded in the direction of its arrow. Cells with a clue are not shaded.
    """

    name = "yajilin"
    styles = ("", "b")
    url = (pzpr.ARROWS,)
    file = (pzprfile.ARROWS, pzprfile.SHADES, pzprfile.LINES)
    without = pzpr.UNKNOWN
    rules = "lnBranch lnCross lnOnShade csAdjacent lnDeadEnd anShadeNe lnPlLoop ceEmpty shInside anNoArrow lcOnNum"

    def free_cells(self, puzzle: Any) -> list[Cell]:
        """The cells without a clue."""
        return [cell for cell in puzzle.cells if puzzle.number(cell) == NONE]

    def counted(self, puzzle: Any, cell: Cell) -> list[Cell] | None:
        """The cells whose shaded ones a number counts; None if it lacks an arrow."""
        return pointed_at(puzzle, cell) if puzzle.arrow(cell) else None

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side, shaded = self.shaded_loop(puzzle, formula, self.free_cells(puzzle), connectivity)
        for cell, number in puzzle.given():
            formula.forbid(lines_at(side, cell))
            for _ in formula.each([(cell, number)] * (number >= 0)):
                if (cells := self.counted(puzzle, cell)) is None:
                    formula.add()  # a number needs an arrow
                else:
                    formula.exactly_k([shaded[other] for other in cells if other in shaded], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shaded_loop_faults(puzzle, board, self.free_cells(puzzle))
        shaded = self.shades_of(board)
        for (r, c), number in puzzle.given():
            if shaded[r][c]:
                yield "lnOnShade", f"{at((r, c))}: a clue is shaded"
            if joined(board, (r, c)):
                yield "lcOnNum", f"{at((r, c))}: the line passes a clue"
            if number >= 0 and (cells := self.counted(puzzle, (r, c))) is None:
                yield "anNoArrow", f"{at((r, c))}: a number without an arrow"
            elif number >= 0 and (found := sum(shaded[k][m] for k, m in cells or ())) != number:
                yield "anShadeNe", f"{at((r, c))}: {found} shaded cells, expected {number}"


FAMILY = Yajilin()
