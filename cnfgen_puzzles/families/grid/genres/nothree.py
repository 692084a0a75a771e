"""No Three."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_around, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Nothree(Apart):
    """No Three: shade cells that do not touch by a side, with all others connected.

    Exactly one of the cells around a circle is shaded. No three shaded cells that follow each other in a row or a column have
    equal distances. At least one cell is shaded.
    """

    name = "nothree"
    url = (pzpr.POINTS,)
    file = (pzprfile.POINTS, pzprfile.SHADES)
    rules = "brNoShade csAdjacent csGt1 cuDivideRB csDistance csLt1"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Three shaded cells at equal distances have another one between them: a quarter of n² clauses for a line of n cells."""
        shaded = self.shades(formula, connectivity)
        for cells in _circles(puzzle):
            formula.exactly_one([shaded[cell] for cell in cells], "pairwise")
        for line in rows_and_columns(puzzle):
            literals = [shaded[cell] for cell in line]
            for step in range(2, (len(line) + 1) // 2):
                for k in range(len(line) - 2 * step):
                    a, *one, b = literals[k : k + step + 1]
                    b, *other, d = literals[k + step : k + 2 * step + 1]
                    formula.add(-a, -b, -d, *one, *other)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        for cells in _circles(puzzle):
            if (found := sum(board[r][c] for r, c in cells)) != 1:
                yield "csGt1" if found else "csLt1", f"{at(cells[0])}: {found} cells around a circle are shaded, expected 1"
        for line in rows_and_columns(puzzle):
            places = [k for k, (r, c) in enumerate(line) if board[r][c]]
            gaps = [(k, m - k) for k, m in pairwise(places)]
            for (k, gap), (_, other) in pairwise(gaps):
                if gap == other:
                    yield "csDistance", f"{at(line[k])}: three shaded cells with equal distances from here"


def _circles(puzzle: Any) -> list[list[Cell]]:
    """The cells around each circle."""
    return [cells_around(place) for place, point in puzzle.given("points") if point == 1]


FAMILY = Nothree()
