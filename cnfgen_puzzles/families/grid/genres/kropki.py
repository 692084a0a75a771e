"""Kropki."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, latin_faults, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells

WHITE, BLACK = 1, 2


class Kropki(Numbers):
    """Kropki: write a number into each cell so that none occurs twice in a row or a column.

    The numbers go from 1 to the longer side of the board. A white dot is between numbers that differ by 1, a black dot between a
    number and its double. All such dots are given, but 1 and 2 have only one of the two.
    """

    name = "kropki"
    url = (pzpr.BETWEEN,)
    file = (pzprfile.BETWEEN, pzprfile.VALUES)
    rules = "nmDupRow nmSubNe1 nmSubEq1 nmDivNe2 nmDivEq2 ceNoNum"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for line in rows_and_columns(puzzle):
            formula.all_different(number[cell] for cell in line)
        for one, other, dot in puzzle.pairs():
            for (a, here), (b, there) in product(number[one].items(), number[other].items()):
                dots = [WHITE] * (abs(a - b) == 1) + [BLACK] * (2 * a == b or a == 2 * b)
                if dot not in (dots or [pzpr.NONE]):
                    formula.add(-here, -there)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from latin_faults(puzzle, board)
        for one, other, dot in puzzle.pairs():
            low, high = sorted((board[one[0]][one[1]], board[other[0]][other[1]]))
            if low <= 0:
                continue
            both = (low, high) == (1, 2) and dot != pzpr.NONE
            if (high - low == 1) != (dot == WHITE) and not both:
                yield "nmSubNe1" if dot == WHITE else "nmSubEq1", f"{at(one)}: {low} and {high} are beside each other"
            if (high == 2 * low) != (dot == BLACK) and not both:
                yield "nmDivNe2" if dot == BLACK else "nmDivEq2", f"{at(one)}: {low} and {high} are beside each other"
        yield from self.number_faults(puzzle, board)


FAMILY = Kropki()
