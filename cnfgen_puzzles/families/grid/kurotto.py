"""Kurotto."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid import pzpr, pzprfile
from cnfgen_puzzles.families.grid.constraints import GridFormula, components, neighbors
from cnfgen_puzzles.families.grid.genre import Fault, Shading, at, cells_with
from cnfgen_puzzles.families.looks import Cells


class Kurotto(Shading):
    """Kurotto: shade cells, but none with a clue.

    A number is the sum of the sizes of the connected parts of shaded cells that share a side with its cell. At least one cell is
    shaded.
    """

    name = "kurotto"
    url = (pzpr.NUMBERS,)
    ringed = True
    file = (pzprfile.CLUES, pzprfile.SHADES)
    rules = "brNoShade nmSumSizeNe"
    connectivity = False

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        for cell, number in puzzle.given():
            formula.add(-shaded[cell])
            if number >= 0:  # so many cells after one step more than that: then it is all that can be reached
                steps = min(number, len(shaded)) + 1
                reached = formula.reached(shaded, neighbors(cell), steps)
                formula.exactly_k(reached.values(), number)

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
