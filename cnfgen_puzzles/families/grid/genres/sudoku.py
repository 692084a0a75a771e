"""Sudoku."""

from collections.abc import Iterator
from math import isqrt
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, latin_faults, rows_and_columns, twice, value_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Sudoku(Numbers):
    """Sudoku: write a number into each cell so that none occurs twice in a row, a column, or a box.

    The numbers go from 1 to the side of the board. The sides of boxes are its square root, rounded down, for a board of 6x6 cells
    3 columns and 2 rows.
    """

    name = "sudoku"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.VALUES)
    rules = "bkDupNum nmDupRow ceNoNum"
    clue = staticmethod(value_at)
    density = 1.0
    made = 9

    def boxes(self, puzzle: Any) -> tuple[int, int]:
        side = isqrt(puzzle.width)
        return side, 3 if puzzle.width == 6 else side

    def unmakeable(self, width: int, height: int) -> str:
        fits = width == height and width in (4, 6, 9, 16, 25)
        return "" if fits else "4x4, 6x6, 9x9, 16x16, or 25x25, where boxes fill the board"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cells in [*rows_and_columns(puzzle), *self.box_cells(puzzle)]:
            formula.all_different(number[cell] for cell in cells)

    def box_cells(self, puzzle: Any) -> list[list[Cell]]:
        """The cells of each box."""
        height, width = self.boxes(puzzle)
        found: dict[Cell, list[Cell]] = {}
        for r, c in puzzle.cells:
            found.setdefault((r // height, c // width), []).append((r, c))
        return list(found.values())

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in self.box_cells(puzzle):
            for number in twice(board, cells):
                yield "bkDupNum", f"{at(cells[0])}: {number} occurs twice in the box from here"
        yield from latin_faults(puzzle, board)
        yield from self.number_faults(puzzle, board)


FAMILY = Sudoku()
