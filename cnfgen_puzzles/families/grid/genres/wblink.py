"""Shirokuro-link (White and Black Link)."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, is_straight, joined, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Paths
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components
from cnfgen_puzzles.formula.formula import FALSE


class Wblink(Paths):
    """Shirokuro-link: connect each white circle with a black one by a straight line, which crosses no other line or circle.

    A circle with a question mark can be of either color. There is at least one line.
    """

    name = "wblink"
    url = (pzpr.CIRCLES,)
    file = (pzprfile.CLUES, pzprfile.LINES)
    circles = True
    ends_at_numbers = True
    connectivity = False
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:KNOWN"}  # a circle needs its partner
    rules = "brNoLine lnCross lcTripleNum lcInvWhite lcInvBlack nmNoLine lnDeadEnd"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        line = formula.lines()
        formula.add_clause(line.values())
        for cells in rows_and_columns(puzzle):
            circles = [k for k, cell in enumerate(cells) if puzzle.number(cell) != NONE]
            ways = [FALSE, *(line[pair] for pair in pairwise(cells)), FALSE]
            for k in (k for k, cell in enumerate(cells) if puzzle.number(cell) == NONE):  # lines continue
                formula.add_folded(-ways[k], ways[k + 1])
                formula.add_folded(ways[k], -ways[k + 1])
            for k, m in pairwise(circles):
                if puzzle.number(cells[k]) == puzzle.number(cells[m]) != UNKNOWN:
                    formula.add(-ways[k + 1])
        for r, c in puzzle.cells:
            if puzzle.number((r, c)) == NONE:
                formula.add_folded(-line.get(((r, c), (r, c + 1)), FALSE), -line.get(((r, c), (r + 1, c)), FALSE))
            else:
                formula.exactly_one(lines_at(line, (r, c)), "pairwise")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.line_faults(board)
        on_line = [cell for cell in puzzle.cells if joined(board, cell)]
        for part in components(on_line, lambda cell: joined(board, cell)):
            circles = [puzzle.number(cell) for cell in part if puzzle.number(cell) != NONE]
            if len(circles) > 2:
                yield "lcTripleNum", f"{at(min(part))}: a line connects more than two circles"
            elif len(circles) == 2 and circles[0] == circles[1] != UNKNOWN:
                yield ("lcInvWhite" if circles[0] == 1 else "lcInvBlack"), f"{at(min(part))}: two circles of one color"
        for cell in puzzle.cells:
            if puzzle.number(cell) != NONE and not joined(board, cell):
                yield "nmNoLine", f"{at(cell)}: a circle without a line"
            elif puzzle.number(cell) == NONE and joined(board, cell) and not is_straight(board, cell):
                yield "lnDeadEnd", f"{at(cell)}: a line ends or turns"


FAMILY = Wblink()
