"""Tasquare."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with, shape_faults
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, cells_of
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors


class Tasquare(Shading):
    """Tasquare: shade squares of any size such that all other cells are connected, and none with a clue.

    A number is the sum of the sizes of the squares that share a side with its cell. At least one square shares a side with each
    clue, also with a question mark. At least one cell is shaded.
    """

    name = "tasquare"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.SHADED_CLUES,)
    rules = "brNoShade csNotSquare cuDivide nmSumSizeNe nmNoSideShade"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """The shaded cells have a variable for each square and its size: a function of the set."""
        shaded, clues = formula.subset("shaded"), dict(puzzle.given())
        formula.add_clause(shaded.values())
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        squares = _squares(puzzle)
        block = formula.keyed("square", squares)
        sizes: dict[Cell, dict[int, list[int]]] = {cell: {} for cell in shaded}
        for r, c, side in squares:
            formula.isolated(shaded, set(cells_of((r, c, side, side))), block[r, c, side])
            for cell in cells_of((r, c, side, side)):
                sizes[cell].setdefault(side * side, []).append(block[r, c, side])
        for cell, literal in shaded.items():
            formula.add(-literal, *(variable for variables in sizes[cell].values() for variable in variables))
        for cell, number in formula.each(clues.items()):
            beside = [other for other in neighbors(cell) if other in shaded]
            formula.add(-shaded[cell])
            formula.add_clause(shaded[other] for other in beside)
            if number >= 0:
                parts = [{size: formula.iff_or(found) for size, found in sizes[other].items()} for other in beside]
                formula.sum_of([{0: -shaded[other]} | part for other, part in zip(beside, parts, strict=True)], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        parts = components(cells_with(board, 1))
        yield from shape_faults(board, "csNotSquare", "square", lambda cells, height, width: cells == height**2 == width**2)
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivide", "the unshaded cells are not connected"
        for cell, number in puzzle.given():
            beside = [len(part) for part in parts if part.intersection(neighbors(cell))]
            if board[cell[0]][cell[1]]:
                yield "nmSumSizeNe", f"{at(cell)}: a clue is shaded"
            elif number >= 0 and sum(beside) != number:
                yield "nmSumSizeNe", f"{at(cell)}: the parts next to the number have {sum(beside)} cells, expected {number}"
            elif not beside:
                yield "nmNoSideShade", f"{at(cell)}: no shaded cell shares a side with the clue"


def _squares(puzzle: Any) -> list[tuple[int, int, int]]:
    """The squares without a clue: the row and the column of their first cell, and their side."""
    found, sides = [], dict[Cell, int]()
    for r, c in reversed(puzzle.cells):
        after = (sides.get(other, 0) for other in product((r, r + 1), (c, c + 1)) if other != (r, c))
        sides[r, c] = 1 + min(after) if puzzle.number((r, c)) == pzpr.NONE else 0
        found += [(r, c, side) for side in range(1, sides[r, c] + 1)]
    return sorted(found)


FAMILY = Tasquare()
