"""Putteria."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, adjacent, at, latin_faults, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomSizes
from cnfgen_puzzles.families.links.pzpr import UNKNOWN
from cnfgen_puzzles.families.looks import Cells


class Putteria(RoomSizes):
    """Putteria: write one number into each room, the number of its cells.

    Numbers do not share a side, and none occurs twice in a row or a column. A cross is a cell without a number.
    """

    name = "putteria"
    signs: ClassVar = {UNKNOWN: "×"}
    rules = "bkNumGe2 bkSizeNe nmAdjacent nmDupRow bkNoNum ceNoNum"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        formula.no_two_adjacent({cell: -values[0] for cell, values in number.items()})
        for cell, clue in puzzle.given():
            if clue == UNKNOWN:
                formula.add(number[cell][0])
        for line in rows_and_columns(puzzle):
            for value in {max(number[cell]) for cell in line}:
                formula.at_most_one([number[cell][value] for cell in line if value in number[cell]], "pairwise")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        filled = tuple(tuple(int(value > 0) for value in row) for row in board)
        for cell in adjacent(filled, 1):
            yield "nmAdjacent", f"{at(cell)}: another number is beside it"
        yield from latin_faults(puzzle, board)
        yield from self.size_faults(puzzle, board)
        for (r, c), clue in puzzle.given():
            if board[r][c] != max(clue, 0):
                yield "ceNoNum", f"{at((r, c))}: found {board[r][c]}, expected {clue if clue > 0 else 'no number'}"


FAMILY = Putteria()
