"""Balance Loop."""

from collections.abc import Iterator, Sequence
from itertools import combinations, zip_longest
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, arm_lengths, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.grid.layer.numbers import at_least
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula.formula import FALSE


class Balance(Loop):
    """Balance Loop: one loop or none through the centers of cells, which passes all circles.

    From a white circle, the loop goes straight equally far in both directions; from a black one, not equally far. A number is the
    sum of both lengths. A clue is twice the number (0 for none), and 1 more if the circle is black.
    """

    name = "balance"
    url = (pzpr.COLORED_NUMBERS,)
    file = (pzprfile.COLORED_NUMBERS, pzprfile.LINES)
    colors: ClassVar = ("segWhiteUneq", "segBlackEq")
    variants: ClassVar = {"f": "the loop passes all cells"}
    ringed = ends_at_numbers = True
    rules = "lnBranch lnCross segShort segLong segWhiteUneq segBlackEq lnDeadEnd circNoLine ceNoLine lnPlLoop"

    def sign(self, number: int) -> str:
        return "○●"[number % 2] + (str(number // 2) if number > 1 else "") if number >= 0 else super().sign(number)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = self.cycle(puzzle, formula, connectivity)
        for cell, clue in formula.each(puzzle.clues()):
            formula.add_folded(*lines_at(side, cell))
            up, left, right, down = formula.arms(side, cell)
            self.add_color(formula, (up, left, right, down), clue % 2)
            if clue > 1:
                total = clue // 2
                upright, level = (formula.unary_sum(a, b, total + 1) for a, b in ((up, down), (left, right)))
                length = formula.unary_sum(upright, level, total + 1)
                formula.add_folded(at_least(length, total))
                formula.add_folded(-at_least(length, total + 1))

    def add_color(self, formula: GridFormula, arms: Sequence[Sequence[int]], black: int) -> None:
        """The rule of the color of a circle, with the unary lengths of its arms: up, left, right, and down."""
        for one, other in combinations(arms, 2):
            both = formula.iff_and([at_least(one, 1), at_least(other, 1)])
            differ = [formula.iff_xor(a, b) for a, b in zip_longest(one, other, fillvalue=FALSE)]
            if black:
                formula.add_folded(-both, *differ)
            else:
                formula.forbid(differ, unless=-both)

    def is_black(self, board: Cells, cell: Cell) -> bool:
        """Whether a circle in a cell where the loop passes is black."""
        one, other = (length for length in arm_lengths(board, cell) if length)
        return one != other

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        length = sum(arm_lengths(board, place))
        return 2 * length + self.is_black(board, place) if length else pzpr.NONE

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.cycle_faults(puzzle, board)
        for cell, clue in puzzle.clues():
            lengths = [length for length in arm_lengths(board, cell) if length]
            if not lengths:
                yield "circNoLine", f"{at(cell)}: the line misses the circle"
            if len(lengths) != 2:
                continue
            if clue > 1 and (found := sum(lengths)) != clue // 2:
                yield "segShort" if found < clue // 2 else "segLong", f"{at(cell)}: length {found}, expected {clue // 2}"
            if clue % 2 != self.is_black(board, cell):
                yield self.colors[clue % 2], f"{at(cell)}: the circle has another color, {'black' * (clue % 2) or 'white'}"


FAMILY = Balance()
