"""Kakuro."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, summed_runs, twice
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import FreeNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import INK, Cells, Look
from cnfgen_puzzles.families.squares import Cell


class Kakuro(FreeNumbers):
    """Kakuro: write the numbers from 1 to 9 into the cells without sums.

    Clue cells and the border of the board divide rows and columns into runs. No number occurs twice in a run. A sum above the
    diagonal is that of the run to its right, a sum below the diagonal is that of the run below it.
    """

    name = "kakuro"
    url = (pzpr.CLUE_SUMS, pzpr.OUTSIDE_SUMS)
    file = (pzprfile.CLUE_SUMS, pzprfile.VALUES)
    looks: ClassVar[Mapping[Any, Look]] = {**FreeNumbers.looks, 0: Look(".", fill=INK)}
    joint = "\\"
    rules = "nmDupRow nmSumRowNe ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: range(1, 10) for cell in puzzle.cells if self.free(puzzle, cell)}

    def free(self, puzzle: Any, cell: Cell) -> bool:
        return not puzzle.lists[cell[0]][cell[1]]

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """The set of the numbers of a run is one of a table.

        Size: values times cells, and values times sets; at most twelve sets of the numbers from 1 to 9 have one size and one sum.
        Auxiliary variables, functions of the board: a value occurs; a set is that of the numbers.
        """
        number = self.numbers(puzzle, formula)
        for cells, total in summed_runs(puzzle):
            formula.all_different(number[cell] for cell in cells)
            if total > 0:
                sets = [part for part in combinations(range(1, 10), len(cells)) if sum(part) == total]
                occurs = {value: formula.iff_or([number[cell][value] for cell in cells]) for value in range(1, 10)}
                chosen = [formula.iff_and([occurs[value] for value in part]) for part in sets]
                formula.add_folded(*chosen)
                for value, literal in occurs.items():
                    formula.add_folded(-literal, *(each for each, part in zip(chosen, sets, strict=True) if value in part))
                    formula.add_folded(literal, *(each for each, part in zip(chosen, sets, strict=True) if value not in part))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells, total in summed_runs(puzzle):
            numbers = [board[r][c] for r, c in cells]
            if twice(board, cells):
                yield "nmDupRow", f"{at(cells[0])}: a number occurs twice in the run from here"
            if total > 0 and min(numbers) > 0 and sum(numbers) != total:
                yield "nmSumRowNe", f"{at(cells[0])}: the sum from here is {sum(numbers)}, expected {total}"
        yield from self.number_faults(puzzle, board)


FAMILY = Kakuro()
