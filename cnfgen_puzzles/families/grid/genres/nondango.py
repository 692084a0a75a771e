"""Nondango."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at
from cnfgen_puzzles.families.grid.layer.constraints import LATER, GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Parts
from cnfgen_puzzles.families.grid.layer.kinds import FreeNumbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell

WHITE, BLACK = 1, 2


class Nondango(FreeNumbers):
    """Nondango: make one circle of each room black, and leave the others white.

    No three circles in a row, a column, or a diagonal, without a gap between them, have the same color.
    """

    name = "nondango"
    url = (pzpr.ROOMS, pzpr.bits((1, pzpr.NONE), empty=1).of("numbers"))
    file = (pzprfile.ROOMS, pzprfile.DISCS)
    circles = True
    signs: ClassVar = {WHITE: "○", BLACK: "●"}
    looks: ClassVar[Mapping[Any, Look]] = {0: Look("."), WHITE: Look("○", written=True), BLACK: Look("●", written=True)}
    rules = "bkMSGe2 msConsecGt3 muConsecGt3 bkNoMS ceNoNum"

    def free(self, puzzle: Any, cell: Cell) -> bool:
        return bool(puzzle.number(cell) != pzpr.NONE)

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: (WHITE, BLACK) for cell in puzzle.cells if self.free(puzzle, cell)}

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        """A circle without a color is white."""
        return super().board_of(puzzle, {**dict.fromkeys(self.values(puzzle), WHITE), **parts})

    def threes(self, puzzle: Any) -> Iterator[list[Cell]]:
        """The cells of three circles in a line."""
        circles = set(self.values(puzzle))
        for r, c in sorted(circles):
            for i, j in LATER:
                line = [(r, c), (r + i, c + j), (r + 2 * i, c + 2 * j)]
                if circles.issuperset(line):
                    yield line

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cells in puzzle.room_cells():
            formula.exactly_one(number[cell][BLACK] for cell in cells if cell in number)
        for line in self.threes(puzzle):
            for color in (WHITE, BLACK):
                formula.add_clause(-number[cell][color] for cell in line)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in puzzle.room_cells():
            if (count := sum(board[r][c] == BLACK for r, c in cells)) != 1:
                yield "bkMSGe2" if count else "bkNoMS", f"{at(cells[0])}: its room has {count} black circles, expected 1"
        for line in self.threes(puzzle):
            black = [board[r][c] == BLACK for r, c in line]
            if len(set(black)) == 1:
                code = "msConsecGt3" if black[0] else "muConsecGt3"
                yield code, f"{at(line[0])}: three circles in a line have the same color"
        yield from self.number_faults(puzzle, board)


FAMILY = Nondango()
