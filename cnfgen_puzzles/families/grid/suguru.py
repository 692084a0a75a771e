"""Suguru."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid import pzpr, pzprfile
from cnfgen_puzzles.families.grid.constraints import GridFormula
from cnfgen_puzzles.families.grid.genre import Fault, Numbers, around, at, room_values, twice, value_at
from cnfgen_puzzles.families.looks import Cells


class Suguru(Numbers):
    """Suguru: write the numbers from 1 to the size of its room into each room.

    Equal numbers do not touch, not even by a corner.
    """

    name = "suguru"
    url = (pzpr.ROOMS, pzpr.NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.FILLED)
    rules = "bkDupNum nmAround ceNoNum"
    values = staticmethod(room_values)
    clue = staticmethod(value_at)
    density = 1.0

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cells in puzzle.room_cells():
            formula.all_different(number[cell] for cell in cells)
        for cell in puzzle.cells:
            for other in (each for each in around(puzzle, cell) if each > cell):
                formula.all_different([number[cell], number[other]])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in puzzle.room_cells():
            for number in twice(board, cells):
                yield "bkDupNum", f"{at(cells[0])}: its room has several cells with {number}"
        for r, c in puzzle.cells:
            if board[r][c] > 0 and any(board[k][m] == board[r][c] for k, m in around(puzzle, (r, c))):
                yield "nmAround", f"{at((r, c))}: a cell with the same number is beside it"
        yield from self.number_faults(puzzle, board)


FAMILY = Suguru()
