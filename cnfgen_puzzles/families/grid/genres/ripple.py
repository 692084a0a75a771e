"""Ripple Effect."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Ripple(RoomNumbers):
    """Ripple Effect: write the numbers from 1 to the size of its room into each room.

    Between two equal numbers in a row or a column are at least as many cells as the number says.
    """

    name = "ripple"
    url = (pzpr.ROOMS, pzpr.NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.VALUES)
    rules = "bkDupNum nmSmallGap ceNoNum"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for line in rows_and_columns(puzzle):
            for k, cell in enumerate(line):
                for value, here in number[cell].items():
                    for other in line[k + 1 : k + 1 + value]:
                        if value in number[other]:
                            formula.add(-here, -number[other][value])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for line in rows_and_columns(puzzle):
            numbers = [board[r][c] for r, c in line]
            for k, number in enumerate(numbers):
                if number > 0 and number in numbers[k + 1 : k + 1 + number]:
                    yield "nmSmallGap", f"{at(line[k])}: the next {number} in its line is too near"
        yield from self.number_faults(puzzle, board)


FAMILY = Ripple()
