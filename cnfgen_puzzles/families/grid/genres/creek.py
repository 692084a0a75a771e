"""Creek."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, cells_with, corner_cells, corner_clues
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components


class Creek(Shading):
    """Creek: shade cells such that the others are connected.

    A number at a corner says how many of the cells around it are shaded. At least one cell is shaded.
    """

    name = "creek"
    styles = ("", "c")
    url = (pzpr.CORNERS,)
    file = (pzprfile.CORNERS, pzprfile.SHADES)
    rules = "brNoShade crShadeGt cuDivide crShadeLt"

    clue_field = "corners"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        for corner, number in formula.each(corner_clues(puzzle)):
            formula.exactly_k([shaded[cell] for cell in corner_cells(corner) if cell in shaded], number, "pairwise")

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return len(set(cells_with(board, 1)).intersection(corner_cells(place)))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        shaded = set(cells_with(board, 1))
        if not shaded:
            yield "brNoShade", "no cell is shaded"
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivide", "the unshaded cells are not connected"
        for (r, c), number in corner_clues(puzzle):
            if (found := len(shaded.intersection(corner_cells((r, c))))) != number:
                code = "crShadeGt" if found > number else "crShadeLt"
                yield code, f"the corner after row {r}, column {c}: {found} shaded cells, expected {number}"


FAMILY = Creek()
