"""Binairo."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import BLACK, WHITE, Circles
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Binairo(Circles):
    """Binairo (Takuzu): put a white or a black circle into each cell; some are given.

    Each row and each column has as many white circles as black ones, and no three of one color beside each other. No two rows
    are equal, and no two columns.
    """

    name = "binairo"
    rules = "msConsecGt3 muConsecGt3 lnCountNe lnDup ceNoNum"
    connectivity = False

    def unmakeable(self, width: int, height: int) -> str:
        return "even sides" if width % 2 or height % 2 else ""

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Size: half the squared number of rows times the columns, and the same for columns."""
        white, black = self.colors(puzzle, formula)
        for part in (white, black):
            formula.forbid_block(part, 1, 3)
            formula.forbid_block(part, 3, 1)
        for line in rows_and_columns(puzzle):
            if len(line) % 2:
                formula.add()  # no line of odd length has as many of both
            formula.exactly_k([black[cell] for cell in line], len(line) // 2)
        for one, other in _pairs(puzzle):
            formula.add(*[formula.iff_xor(black[a], black[b]) for a, b in zip(one, other, strict=True)])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for circle, code, color in ((BLACK, "msConsecGt3", "black"), (WHITE, "muConsecGt3", "white")):
            for cell in (*blocks_of(board, circle, 1, 3), *blocks_of(board, circle, 3, 1)):
                yield code, f"{at(cell)}: three {color} circles in a line"
        for line in rows_and_columns(puzzle):
            circles = [board[r][c] for r, c in line]
            if circles.count(WHITE) != circles.count(BLACK):
                yield "lnCountNe", f"{at(line[0])}: {circles.count(WHITE)} white circles, and {circles.count(BLACK)} black ones"
        for one, other in _pairs(puzzle):
            if [board[r][c] for r, c in one] == [board[r][c] for r, c in other]:
                yield "lnDup", f"{at(one[0])}: the line is equal to that at {at(other[0])}"
        yield from self.circle_faults(puzzle, board)


def _pairs(puzzle: Any) -> Iterator[tuple[list[Cell], list[Cell]]]:
    """The pairs of rows, and those of columns."""
    lines = rows_and_columns(puzzle)
    for part in (lines[: puzzle.height], lines[puzzle.height :]):
        yield from combinations(part, 2)


FAMILY = Binairo()
