"""Cojun."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, room
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Cojun(RoomNumbers):
    """Cojun: write the numbers from 1 to the size of its room into each room.

    Equal numbers do not share a side. A number above another one of the same room is larger.
    """

    name = "cojun"
    url = (pzpr.ROOMS, pzpr.NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.VALUES)
    rules = "bkDupNum nmAdjacent bkSmallOnBig ceNoNum"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for one, other in pzpr.sides(puzzle.size):
            falls = one[1] == other[1] and room(puzzle, one) == room(puzzle, other)
            for (above, here), (below, there) in product(number[one].items(), number[other].items()):
                if above == below or (falls and above < below):
                    formula.add(-here, -there)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.adjacent_faults(puzzle, board)
        for one, other in pzpr.sides(puzzle.size):
            above, below = board[one[0]][one[1]], board[other[0]][other[1]]
            if one[1] == other[1] and room(puzzle, one) == room(puzzle, other) and 0 < above < below:
                yield "bkSmallOnBig", f"{at(one)}: a larger number of its room is below it"
        yield from self.number_faults(puzzle, board)


FAMILY = Cojun()
