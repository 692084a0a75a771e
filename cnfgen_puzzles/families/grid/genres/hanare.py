"""Hanare-gumi."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomSizes
from cnfgen_puzzles.families.looks import Cells


class Hanare(RoomSizes):
    """Hanare-gumi: write one number into each room, the number of its cells.

    Between two numbers in a row or a column, without another one between them, are as many cells as their difference.
    """

    name = "hanare"
    rules = "bkNumGe2 bkSizeNe nmDiffDistNe bkNoNum ceNoNum"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cell, _ in puzzle.given():
            formula.add(-number[cell][0])
        for line in rows_and_columns(puzzle):
            sizes = [max(number[cell]) for cell in line]
            for k, one in enumerate(line):
                for m, other in enumerate(line[k + 1 :], start=k + 1):
                    if abs(sizes[k] - sizes[m]) != m - k - 1:
                        between = (-number[cell][0] for cell in line[k + 1 : m])
                        formula.add(number[one][0], number[other][0], *between)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for line in rows_and_columns(puzzle):
            found = [(k, board[r][c]) for k, (r, c) in enumerate(line) if board[r][c] > 0]
            for (k, one), (m, other) in pairwise(found):
                if abs(one - other) != m - k - 1:
                    yield "nmDiffDistNe", f"{at(line[k])}: {m - k - 1} cells are between {one} and {other}"
        yield from self.size_faults(puzzle, board)
        yield from self.given_faults(puzzle, board)


FAMILY = Hanare()
