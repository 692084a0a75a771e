"""Curving Road."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, lines_from
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Curving(Apart):
    """Curving Road: shade cells without a circle that do not touch by a side, with all others connected.

    Each path of unshaded cells between two circles turns at least twice.
    """

    name = "curving"
    url = (pzpr.SPOTS,)
    file = (pzprfile.CLUES, pzprfile.SHADES)
    circles = True
    rules = "csAdjacent cuDivideRB curvingNoTurns curvingOneTurn"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """At most four clauses for each cell, of the cells of a path that turns there, and one between circles of a line."""
        shaded = self.shades(formula, connectivity)
        for circle, _ in formula.each(puzzle.given()):
            formula.add(-shaded[circle])
        for place in puzzle.cells:
            up, left, right, down = (_before_circle(puzzle, line) for line in lines_from(puzzle, place))
            if puzzle.number(place) != pzpr.NONE:
                paths = [path for path in (right, down) if path is not None]
            else:
                pairs = product((up, down), (left, right))
                paths = [[place, *one, *other] for one, other in pairs if one is not None and other is not None]
            for path in paths:
                formula.add_clause(shaded[cell] for cell in path)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        for r, c in puzzle.cells:
            circle = puzzle.number((r, c)) != pzpr.NONE
            if circle and board[r][c]:
                yield "curvingNoTurns", f"{at((r, c))}: a circle is shaded"
            if board[r][c]:
                continue
            ways = (_before_circle(puzzle, line) for line in lines_from(puzzle, (r, c)))
            up, left, right, down = (way is not None and not any(board[k][m] for k, m in way) for way in ways)
            if circle and (right or down):
                yield "curvingNoTurns", f"{at((r, c))}: a path from this circle to another one does not turn"
            if not circle and (up or down) and (left or right):
                yield "curvingOneTurn", f"{at((r, c))}: a path between two circles turns only here"


def _before_circle(puzzle: Any, line: list[Cell]) -> list[Cell] | None:
    """The cells of a line before its first circle; None without one."""
    return next((line[:k] for k, cell in enumerate(line) if puzzle.number(cell) != pzpr.NONE), None)


FAMILY = Curving()
