"""Kakuro."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, summed_runs, twice
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import INK, Cells, Look
from cnfgen_puzzles.families.squares import Cell


class Kakuro(Numbers):
    """Kakuro: write the numbers from 1 to 9 into the cells without sums.

    Clue cells and the border of the board divide rows and columns into runs. No number occurs twice in a run. A sum above the
    diagonal is that of the run to its right, a sum below the diagonal is that of the run below it.
    """

    name = "kakuro"
    url = (pzpr.CLUE_SUMS,)
    file = (pzprfile.CLUE_SUMS, pzprfile.VALUES)
    looks: ClassVar[Mapping[Any, Look]] = {**Numbers.looks, 0: Look(".", fill=INK)}
    joint = "\\"
    rules = "nmDupRow nmSumRowNe ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {(r, c): range(1, 10) for r, c in puzzle.cells if not puzzle.lists[r][c]}

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        return 0 if puzzle.lists[row][column] else None

    def given(self, puzzle: Any, row: int, column: int) -> bool:
        return False

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cells, total in summed_runs(puzzle):
            formula.all_different(number[cell] for cell in cells)
            if total > 0:
                formula.sum_of([number[cell] for cell in cells], total)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells, total in summed_runs(puzzle):
            numbers = [board[r][c] for r, c in cells]
            if twice(board, cells):
                yield "nmDupRow", f"{at(cells[0])}: a number occurs twice in the run from here"
            if total > 0 and min(numbers) > 0 and sum(numbers) != total:
                yield "nmSumRowNe", f"{at(cells[0])}: the sum from here is {sum(numbers)}, expected {total}"
        for r, c in puzzle.cells:
            if puzzle.lists[r][c] and board[r][c] > 0:
                yield "ceNoNum", f"{at((r, c))}: found a number, expected none in a clue cell"
        yield from self.number_faults(puzzle, board)


FAMILY = Kakuro()
