"""Kakuru."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, around, at, twice
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import FreeNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import INK, Cells, Look
from cnfgen_puzzles.families.squares import Cell


class Kakuru(FreeNumbers):
    """Kakuru: write the numbers from 1 to 9 into the white cells.

    Equal numbers do not touch, not even by a corner. A number in a black cell is the sum of the numbers around it, by a side or a
    corner, all of which are different.
    """

    name = "kakuru"
    url = (pzpr.BLACK_SUMS,)
    file = (pzprfile.clues({"b": pzpr.BLACK, "?": pzpr.UNKNOWN}), pzprfile.VALUES)
    signs: ClassVar = {pzpr.BLACK: ""}
    looks: ClassVar[Mapping[Any, Look]] = {**FreeNumbers.looks, 0: Look("#", fill=INK)}
    rules = "nqAroundDup nqAroundSumNe nmAround ceNoNum"
    without = pzpr.UNKNOWN

    def free(self, puzzle: Any, cell: Cell) -> bool:
        return bool(puzzle.number(cell) == pzpr.NONE)

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: range(1, 10) for cell in puzzle.cells if self.free(puzzle, cell)}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for value in range(1, 10):
            formula.no_two_touching({cell: values[value] for cell, values in number.items()})
        for cell, total in formula.each(puzzle.clues()):
            near = [number[other] for other in around(puzzle, cell) if other in number]
            formula.all_different(near)
            formula.sum_of(near, total)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell, total in puzzle.clues():
            near = [other for other in around(puzzle, cell) if self.free(puzzle, other)]
            numbers = [board[r][c] for r, c in near]
            for number in twice(board, near) if total else ():  # the sum 0 is impossible anyway
                yield "nqAroundDup", f"{at(cell)}: {number} occurs twice around it"
            if min(numbers, default=1) > 0 and sum(numbers) != total:
                yield "nqAroundSumNe", f"{at(cell)}: the sum around it is {sum(numbers)}, expected {total}"
        yield from self.touching_faults(puzzle, board)
        yield from self.number_faults(puzzle, board)


FAMILY = Kakuru()
