"""Geradeweg."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, arm_lengths, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.grid.layer.numbers import at_least
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula.formula import FALSE


class Geradeweg(Loop):
    """Geradeweg: one loop or none through the centers of cells, which passes all circles.

    A number is the length of each straight segment of the loop that passes its circle or ends there. If the loop turns in a
    circle without a number (or with 0), both segments have the same length.
    """

    name = "geradeweg"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.LINES)
    variants: ClassVar = {"f": "the loop passes all cells"}
    ringed = ends_at_numbers = True
    rules = "lnBranch lnCross segShort segLong segDiff numNoLine lnDeadEnd ceNoLine lnPlLoop"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = self.cycle(puzzle, formula, connectivity)
        for cell, number in formula.each(puzzle.given()):
            formula.add_folded(*lines_at(side, cell))
            up, left, right, down = formula.arms(side, cell)
            most = number + 1 if number > 0 else max(puzzle.height, puzzle.width)
            segments = [formula.unary_sum(one, other, most) for one, other in ((left, right), (up, down))]
            on, other_on = (at_least(segment, 1) for segment in segments)
            if number > 0:
                for segment in segments:
                    formula.add_folded(-at_least(segment, 1), at_least(segment, number))
                    formula.add_folded(-at_least(segment, number + 1))
            for one, other in zip_longest(*segments, fillvalue=FALSE) if number <= 0 else ():
                formula.add_folded(-on, -other_on, -one, other)
                formula.add_folded(-on, -other_on, one, -other)

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        up, left, right, down = arm_lengths(board, place)
        return max(lengths) if len(lengths := {left + right, up + down} - {0}) == 1 else pzpr.NONE

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.cycle_faults(puzzle, board)
        for cell, number in puzzle.given():
            up, left, right, down = arm_lengths(board, cell)
            found = [length for length in (left + right, up + down) if length]
            if not found:
                yield "numNoLine", f"{at(cell)}: the line misses the circle"
            elif number > 0 and min(found) < number:
                yield "segShort", f"{at(cell)}: a segment of length {min(found)}, expected {number}"
            elif number > 0 and max(found) > number:
                yield "segLong", f"{at(cell)}: a segment of length {max(found)}, expected {number}"
            elif number <= 0 and min(found) != max(found):
                yield "segDiff", f"{at(cell)}: segments of lengths {found[0]} and {found[1]}, expected the same"


FAMILY = Geradeweg()
