"""Renban-madoguchi."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.cells import written_signs
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, twice, wall_lengths
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import SIGNS, Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell

MOST = 999
"""The largest number of a cell in pzprjs."""


class Renban(Numbers):
    """Renban-madoguchi: write a number from 1 to 999 into each cell so that those of a room are consecutive, in any order.

    Numbers on both sides of a wall differ by the length of the straight line of walls that it is part of.
    """

    name = "renban"
    url = (pzpr.ROOMS, pzpr.NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.VALUES)
    looks: ClassVar[Mapping[Any, Look]] = {**written_signs("".join(SIGNS[: MOST + 1])), 0: Look(".")}
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:CLUES"}
    exactly_one = "product"
    rules = "bkDupNum bkNotSeqNum cbDiffLenNe ceNoNum"

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        return 1, MOST

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        """The numbers that follow from those of other cells of the room, and beyond walls, as sets of bits."""
        every = (2 << MOST) - 2
        found, before = dict.fromkeys(puzzle.cells, every) | {cell: 1 << number for cell, number in puzzle.clues()}, None
        while found != before:
            before = dict(found)
            for cells in puzzle.room_cells():
                least = max((found[cell] & -found[cell]).bit_length() for cell in cells) - len(cells)
                most = min(found[cell].bit_length() for cell in cells) + len(cells) - 1
                for cell in cells:
                    found[cell] &= max(0, (1 << most) - (1 << max(least, 0)))
            for pair, length in wall_lengths(puzzle).items():
                for one, other in (pair, pair[::-1]):
                    found[one] &= found[other] << length | found[other] >> length
        return {cell: [number for number in range(1, MOST + 1) if bits >> number & 1] for cell, bits in found.items()}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cells in puzzle.room_cells():
            formula.consecutive([number[cell] for cell in cells])
        for pair, length in wall_lengths(puzzle).items():
            for one, other in (pair, pair[::-1]):
                for value, here in number[one].items():
                    formula.add(-here, *(number[other][v] for v in (value - length, value + length) if v in number[other]))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in puzzle.room_cells():
            found = [board[r][c] for r, c in cells]
            for number in twice(board, cells):
                yield "bkDupNum", f"{at(cells[0])}: its room has several cells with {number}"
            if min(found) > 0 and max(found) - min(found) + 1 != len(found):
                yield "bkNotSeqNum", f"{at(cells[0])}: the numbers of its room are not consecutive"
        for ((r, c), (k, m)), length in wall_lengths(puzzle).items():
            apart = abs(board[r][c] - board[k][m])
            if min(board[r][c], board[k][m]) > 0 and apart != length:
                yield "cbDiffLenNe", f"{at((r, c))}: the difference at a wall is {apart}, expected {length}"
        for r, c in puzzle.cells:
            if not 1 <= board[r][c] <= MOST or puzzle.number((r, c)) not in (pzpr.NONE, pzpr.UNKNOWN, board[r][c]):
                yield "ceNoNum", f"{at((r, c))}: found no number, or another than the given one"


FAMILY = Renban()
