"""Kurochute."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Kurochute(Apart):
    """Kurochute: shade cells that do not touch by a side, with all others connected, and none with a clue.

    Of the cells that are as far from a number in its row and its column as it says, exactly one is shaded. At least one cell is
    shaded.
    """

    name = "kurochute"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.ONE_SHADES)
    rules = "brNoShade csAdjacent cuDivideRB nmShootShadeNe1"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.shades(formula, connectivity)
        for cell, number in formula.each(puzzle.given()):
            formula.add(-shaded[cell])
            if number >= 0:
                formula.exactly_one([shaded[other] for other in _shots(puzzle, cell, number)], "pairwise")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        for cell, number in puzzle.given():
            if board[cell[0]][cell[1]]:
                yield "nmShootShadeNe1", f"{at(cell)}: a clue is shaded"
            elif number >= 0 and (found := sum(board[r][c] for r, c in _shots(puzzle, cell, number))) != 1:
                yield "nmShootShadeNe1", f"{at(cell)}: {found} cells at the distance {number} are shaded, expected 1"


def _shots(puzzle: Any, cell: Cell, number: int) -> list[Cell]:
    """The cells at this distance from a number; 0 has none."""
    r, c = cell
    far = [(r - number, c), (r, c - number), (r, c + number), (r + number, c)] if number else []
    return [(k, m) for k, m in far if 0 <= k < puzzle.height and 0 <= m < puzzle.width]


FAMILY = Kurochute()
