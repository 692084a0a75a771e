"""Shingoki."""

from collections.abc import Sequence
from typing import ClassVar

from cnfgen_puzzles.families.grid.genres.balance import Balance
from cnfgen_puzzles.families.grid.layer.boards import is_straight
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.numbers import at_least
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Shingoki(Balance):
    """Shingoki (Traffic Lights): one loop through the centers of cells, which passes all circles.

    The loop goes straight through a white circle, and turns in a black one. A number is the sum of the lengths that the loop goes
    straight from its circle in both directions. A clue is twice the number (0 for none), and 1 more if the circle is black.
    """

    name = "shingoki"
    colors: ClassVar = ("mashuWCurve", "mashuBStrig")
    variants: ClassVar = {}
    rules = "brNoLine lnBranch lnCross segShort segLong mashuWCurve mashuBStrig lnDeadEnd circNoLine lnPlLoop"

    def add_color(self, formula: GridFormula, arms: Sequence[Sequence[int]], black: int) -> None:
        up, left, right, down = (at_least(arm, 1) for arm in arms)
        for one, back in ((up, down), (left, right)):
            if black:
                formula.add_folded(-one, -back)
            else:
                formula.add_folded(-one, back)
                formula.add_folded(one, -back)

    def is_black(self, board: Cells, cell: Cell) -> bool:
        return not is_straight(board, cell)


FAMILY = Shingoki()
