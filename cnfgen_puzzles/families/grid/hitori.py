"""Hitori."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid import pzpr, pzprfile
from cnfgen_puzzles.families.grid.constraints import GridFormula, components
from cnfgen_puzzles.families.grid.genre import Fault, Shading, adjacent, at, cells_with, rows_and_columns
from cnfgen_puzzles.families.looks import Cells


class Hitori(Shading):
    """Hitori: shade cells that do not touch by a side, with all others connected.

    No number occurs twice among the unshaded cells of a row or a column. At least one cell is shaded.
    """

    name = "hitori"
    url = (pzpr.EVERY,)
    file = (pzprfile.CLUES, pzprfile.SHADES)
    apart = True
    rules = "brNoShade csAdjacent cuDivideRB nmDupRow"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        formula.no_two_adjacent(shaded)
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        for line in rows_and_columns(puzzle):
            for number in {puzzle.number(cell) for cell in line} - {pzpr.NONE, pzpr.UNKNOWN}:
                formula.at_most_one([-shaded[cell] for cell in line if puzzle.number(cell) == number], "pairwise")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        if not cells_with(board, 1):
            yield "brNoShade", "no cell is shaded"
        for cell in adjacent(board, 1):
            yield "csAdjacent", f"{at(cell)}: shaded cells share a side"
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivideRB", "the unshaded cells are not connected"
        for line in rows_and_columns(puzzle):
            numbers = [puzzle.number((r, c)) for r, c in line if not board[r][c] and puzzle.number((r, c)) >= 0]
            if len(set(numbers)) < len(numbers):
                yield "nmDupRow", f"{at(line[0])}: a number occurs twice in its line"


FAMILY = Hitori()
