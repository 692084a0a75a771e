"""Doppelblock."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, latin_faults, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import INK, Cells, Look
from cnfgen_puzzles.families.squares import Cell


class Doppelblock(Numbers):
    """Doppelblock: shade cells, at most two in each row and each column, and write a number into each other cell.

    The numbers go from 1 to the width of the board less 2, and none occurs twice in a row or a column. A number outside is the
    sum of the numbers between the two shaded cells of its row or column.
    """

    name = "doppelblock"
    url = (pzpr.HEADINGS, pzpr.SOME_NUMBERS)
    file = (pzprfile.framed(pzprfile.with_givens("-")),)
    looks: ClassVar[Mapping[Any, Look]] = {**Numbers.looks, 0: Look("#", fill=INK)}
    decided = True
    rules = "nmDupRow ceTooManyBlocks nmSum ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return dict.fromkeys(puzzle.cells, range(max(puzzle.width - 1, 1)))

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        return 1, puzzle.width - 2

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for line in rows_and_columns(puzzle):
            shaded = [number[cell][0] for cell in line]
            full = len(line) == puzzle.width  # as many cells as numbers and shaded ones
            (formula.exactly_k if full else formula.at_most_k)(shaded, min(2, len(line)))
            for value in range(1, puzzle.width - 1):
                (formula.exactly_one if full else formula.at_most_one)([number[cell][value] for cell in line], "pairwise")
        for line, total in puzzle.sights():
            formula.sum_between([number[cell] for cell in line], total)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from latin_faults(puzzle, board)
        for line in rows_and_columns(puzzle):
            if sum(board[r][c] == 0 for r, c in line) > 2:
                yield "ceTooManyBlocks", f"{at(line[0])}: its line has more than two shaded cells"
        for line, total in puzzle.sights():
            numbers = [board[r][c] for r, c in line]
            shaded = [k for k, number in enumerate(numbers) if number == 0][:2]
            between = numbers[shaded[0] + 1 : shaded[1]] if len(shaded) == 2 else []
            found = sum(number for number in between if number > 0)
            if len(shaded) == 2 and found != total:
                yield "nmSum", f"{at(line[0])}: the sum between shaded cells is {found}, expected {total}"
        yield from self.number_faults(puzzle, board)


FAMILY = Doppelblock()
