"""Makaro."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, pointed_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Genre
from cnfgen_puzzles.families.grid.layer.kinds import RoomNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import BLACK
from cnfgen_puzzles.families.looks import INK, Cells, Look
from cnfgen_puzzles.families.squares import Cell, neighbors
from cnfgen_puzzles.formula.formula import FALSE, TRUE


class Makaro(RoomNumbers):
    """Makaro: write the numbers from 1 to the size of its room into each room of white cells.

    Equal numbers do not share a side. The arrow of a black cell points at the largest of the numbers beside it, which occurs
    once.
    """

    name = "makaro"
    url = (pzpr.ROOMS, pzpr.BLACK_ARROWS)
    signs_in_files: ClassVar = {sign: (BLACK, arrow) for arrow, sign in enumerate("#tblr")}
    file = (pzprfile.ROOMS, pzprfile.mixed(signs_in_files, "numbers arrows", 0), pzprfile.VALUES)
    looks: ClassVar[Mapping[Any, Look]] = {**RoomNumbers.looks, 0: Look("#", fill=INK)}
    signs: ClassVar = {BLACK: ""}
    clue = Genre.clue  # black cells are no numbers that could be left out
    rules = "bkDupNum nmAdjacent arNotMax ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: numbers for cell, numbers in super().values(puzzle).items() if puzzle.number(cell) != BLACK}

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        return 0 if puzzle.number((row, column)) == BLACK else super().known(puzzle, row, column)

    def arrows(self, puzzle: Any) -> Iterator[tuple[Cell, list[Cell], list[Cell]]]:
        """The black cells with an arrow, the white cell at which it points, if there is one, and the others beside it."""
        white = self.values(puzzle)
        for cell, clue in puzzle.given():
            if clue == BLACK and puzzle.arrow(cell):
                target = [other for other in pointed_at(puzzle, cell)[:1] if other in white]
                yield cell, target, [other for other in neighbors(cell) if other in white and other not in target]

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for one, other in pzpr.sides(puzzle.size):
            if one in number and other in number:
                formula.all_different([number[one], number[other]])
        for _, target, others in self.arrows(puzzle):
            formula.add_folded(TRUE if target else FALSE)
            for one, other in product(target, others):
                for (most, here), (less, there) in product(number[one].items(), number[other].items()):
                    if most <= less:
                        formula.add(-here, -there)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.adjacent_faults(puzzle, board)
        for cell, target, others in self.arrows(puzzle):
            most = max((board[r][c] for r, c in target), default=0)
            if not target or 0 < most <= max((board[r][c] for r, c in others), default=0):
                yield "arNotMax", f"{at(cell)}: the arrow does not point at the largest number beside it"
        for (r, c), clue in puzzle.given():
            if clue == BLACK and board[r][c]:
                yield "ceNoNum", f"{at((r, c))}: found a number, expected none in a black cell"
        yield from self.number_faults(puzzle, board)


FAMILY = Makaro()
