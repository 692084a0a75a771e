"""Hitori."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Hitori(Apart):
    """Hitori: shade cells that do not touch by a side, with all others connected.

    No number from 1 on occurs twice among the unshaded cells of a row or a column. At least one cell is shaded.
    """

    name = "hitori"
    url = (pzpr.EVERY,)
    file = (pzprfile.CLUES, pzprfile.SHADES)
    rules = "brNoShade csAdjacent cuDivideRB nmDupRow"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.shades(formula, connectivity)
        for line in rows_and_columns(puzzle):
            for number in {puzzle.number(cell) for cell in line} - {pzpr.NONE, pzpr.UNKNOWN, 0}:
                formula.at_most_one([-shaded[cell] for cell in line if puzzle.number(cell) == number], "pairwise")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        for line in rows_and_columns(puzzle):
            numbers = [puzzle.number((r, c)) for r, c in line if not board[r][c] and puzzle.number((r, c)) > 0]
            if len(set(numbers)) < len(numbers):
                yield "nmDupRow", f"{at(line[0])}: a number occurs twice in its line"


FAMILY = Hitori()
