"""Rooms of Factors."""

from collections.abc import Iterator
from math import prod
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, latin_faults, room_numbers, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import FreeNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.formula.formula import TRUE


class Factors(FreeNumbers):
    """Rooms of Factors: write a number into each cell so that none occurs twice in a row or a column.

    The numbers go from 1 to the longer side of the board. The clue of a room is the product of its numbers.
    """

    name = "factors"
    url = (pzpr.ROOMS, pzpr.ROOM_NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.values(given=lambda clue: False))
    rules = "nmDupRow nmProduct ceNoNum"
    beside = True

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Size: cells times values times divisors. Auxiliary variables, functions of the board: the first cells of a room have a
        product."""
        number = self.numbers(puzzle, formula)
        for line in rows_and_columns(puzzle):
            formula.all_different(number[cell] for cell in line)
        for cells, total in room_numbers(puzzle, formula):
            before, numbers = {1: TRUE}, [number[cell] for cell in cells]
            for k, each in enumerate(numbers):
                most = prod(map(max, numbers[k + 1 :]))
                products = (product * value for product in before for value in each)
                possible = dict.fromkeys(p for p in products if 0 < p <= total <= p * most and total % p == 0)
                before = formula.step(before, each, possible, _quotient, last=k == len(numbers) - 1)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from latin_faults(puzzle, board)
        for cells, expected in room_numbers(puzzle):
            numbers = [board[r][c] for r, c in cells]
            if min(numbers) > 0 and prod(numbers) != expected:
                yield "nmProduct", f"{at(cells[0])}: the product of its room is {prod(numbers)}, expected {expected}"
        yield from self.number_faults(puzzle, board)


def _quotient(product: int, number: int) -> int:
    """The other factor; 0, which is no product, if there is none."""
    return product // number if product % number == 0 else 0


FAMILY = Factors()
