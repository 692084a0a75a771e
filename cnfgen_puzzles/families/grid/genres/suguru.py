"""Suguru."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, around
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Suguru(RoomNumbers):
    """Suguru: write the numbers from 1 to the size of its room into each room.

    Equal numbers do not touch, not even by a corner.
    """

    name = "suguru"
    url = (pzpr.ROOMS, pzpr.NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.VALUES)
    rules = "bkDupNum nmAround ceNoNum"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cell in puzzle.cells:
            for other in (each for each in around(puzzle, cell) if each > cell):
                formula.all_different([number[cell], number[other]])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.touching_faults(puzzle, board)
        yield from self.number_faults(puzzle, board)


FAMILY = Suguru()
