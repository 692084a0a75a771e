"""Creek."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid import pzpr, pzprfile
from cnfgen_puzzles.families.grid.constraints import Cell, GridFormula, components
from cnfgen_puzzles.families.grid.genre import Fault, Shading, cells_with
from cnfgen_puzzles.families.looks import Cells


class Creek(Shading):
    """Creek: shade cells such that the others are connected.

    A number at a corner says how many of the cells around it are shaded. At least one cell is shaded.
    """

    name = "creek"
    url = (pzpr.CORNERS,)
    file = (pzprfile.CORNERS, pzprfile.SHADES)
    rules = "brNoShade crShadeGt cuDivide crShadeLt"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        for (r, c), number in _clues(puzzle):
            formula.exactly_k([shaded[cell] for cell in _beside(r, c) if cell in shaded], number, "pairwise")

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return len(set(cells_with(board, 1)).intersection(_beside(*place)))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        shaded = set(cells_with(board, 1))
        if not shaded:
            yield "brNoShade", "no cell is shaded"
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivide", "the unshaded cells are not connected"
        for (r, c), number in _clues(puzzle):
            if (found := len(shaded.intersection(_beside(r, c)))) != number:
                code = "crShadeGt" if found > number else "crShadeLt"
                yield code, f"the corner after row {r}, column {c}: {found} shaded cells, expected {number}"


def _clues(puzzle: Any) -> Iterator[tuple[Cell, int]]:
    return ((place, number) for place, number in puzzle.given("corners") if number >= 0)


def _beside(r: int, c: int) -> list[Cell]:
    return [(r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)]


FAMILY = Creek()
