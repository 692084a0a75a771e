"""Kurotto."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors


class Kurotto(Shading):
    """Kurotto: shade cells, but none with a clue.

    A number is the sum of the sizes of the connected parts of shaded cells that share a side with its cell. At least one cell is
    shaded.
    """

    name = "kurotto"
    url = (pzpr.NUMBERS,)
    ringed = True
    file = (pzprfile.CLUES, pzprfile.SHADES)
    connectivity = False
    rules = "brNoShade nmSumSizeNe"

    density = 0.25

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        if board[place[0]][place[1]]:
            return pzpr.NONE
        return sum(len(part) for part in components(cells_with(board, 1)) if part.intersection(neighbors(place)))

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        clues = dict(puzzle.given())
        bounds = {cell: [clues.get(other, -1) for other in neighbors(cell)] for cell in shaded if cell not in clues}
        most = {cell: min([len(shaded), *(number for number in bound if number >= 0)]) for cell, bound in bounds.items()}
        for cell, number in clues.items():
            formula.add(-shaded[cell])
            if number >= 0:
                formula.parts_beside(shaded, cell, min(number, len(shaded)), most)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        parts = components(cells_with(board, 1))
        if not parts:
            yield "brNoShade", "no cell is shaded"
        for cell, number in puzzle.given():
            if board[cell[0]][cell[1]]:
                yield "nmSumSizeNe", f"{at(cell)}: a clue is shaded"
            elif number >= 0 and (found := sum(len(part) for part in parts if part.intersection(neighbors(cell)))) != number:
                yield "nmSumSizeNe", f"{at(cell)}: the parts next to the number have {found} cells, expected {number}"


FAMILY = Kurotto()
