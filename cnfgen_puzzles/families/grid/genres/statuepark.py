"""Statue Park."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, bank_faults, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pieces import STATUES, orientations, piece_cells
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import components

WHITE, BLACK = 1, 2


class Statuepark(Shading):
    """Statue Park: shade the pieces of the bank, turned and reflected as needed, so that no two share a side.

    The unshaded cells are connected. A black circle is shaded, a white circle is not.
    """

    name = "statuepark"
    url = (pzpr.CIRCLES, pzpr.bank(STATUES))
    file = (pzprfile.bank(STATUES), pzprfile.CLUES, pzprfile.SHADES)
    rules = "circleShade cuDivide bankGt bankInvalid circleUnshade bankLt"
    circles = True
    looks: ClassVar = {0: Look("."), 1: Look("#", fill="#9a958c")}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.pieces(shaded, [orientations(piece_cells(piece)) for piece in puzzle.bank])
        formula.connected({cell: -literal for cell, literal in shaded.items()}, connectivity)
        for cell, circle in formula.each(puzzle.clues()):
            formula.add(shaded[cell] if circle == BLACK else -shaded[cell])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for (r, c), circle in puzzle.clues():
            if board[r][c] and circle == WHITE:
                yield "circleShade", f"{at((r, c))}: a white circle is shaded"
            if not board[r][c] and circle == BLACK:
                yield "circleUnshade", f"{at((r, c))}: a black circle is not shaded"
        if len(components(cells_with(board, 0))) > 1:
            yield "cuDivide", "the unshaded cells are not connected"
        yield from bank_faults(puzzle, board)


FAMILY = Statuepark()
