"""Kakurasu."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, line_beside
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Kakurasu(Shading):
    """Kakurasu: shade cells so that each number outside is the sum of the shaded cells of its row or column.

    In a row, the cells count 1, 2, 3, and so on from the left; in a column, from the top.
    """

    name = "kakurasu"
    url = (pzpr.OUTSIDE,)
    file = (pzprfile.framed(pzprfile.SHADES, behind=1),)
    clue_field = "outside"
    rules = "exSumNe"
    connectivity = False

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        for place, total in formula.each(puzzle.given("outside")):
            cells = enumerate(line_beside(puzzle, place), start=1)
            if total >= 0:
                formula.sum_of([{0: -shaded[cell], k: shaded[cell]} for k, cell in cells], total)

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        if place[0] % 2:  # one number for each row and column is enough
            return pzpr.NONE
        return sum(k * board[r][c] for k, (r, c) in enumerate(line_beside(puzzle, place), start=1))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for place, total in puzzle.given("outside"):
            line = line_beside(puzzle, place)
            found = sum(k for k, (r, c) in enumerate(line, start=1) if board[r][c])
            if total not in (pzpr.UNKNOWN, found):
                yield "exSumNe", f"{at(line[0])}: the sum of the line is {found}, expected {total}"


FAMILY = Kakurasu()
