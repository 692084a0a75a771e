"""Shikaku."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rectangle_faults, regions
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Division, rectangles
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Shikaku(Division):
    """Shikaku: divide the board into rectangles with one number each.

    The number is the size of its rectangle.
    """

    name = "shikaku"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.BORDERS)
    rules = "bkNoNum bkNumGe2 bkNotRect bkSizeNe bdDeadEnd"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        formula.division(rectangles(puzzle, lambda number, height, width: number <= 0 or height * width == number))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from rectangle_faults(puzzle, board)
        for cells in regions(board):
            numbers = [number for number in map(puzzle.number, cells) if number != pzpr.NONE]
            if numbers and numbers[0] > 0 and numbers[0] != len(cells):
                yield "bkSizeNe", f"{at(cells[0])}: its region has {len(cells)} cells, expected {numbers[0]}"


FAMILY = Shikaku()
