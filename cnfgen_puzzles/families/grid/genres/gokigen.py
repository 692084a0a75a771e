"""Gokigen Naname (Slant)."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with, corner_cells, corner_clues
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell, components

FALLING, RISING = 1, 2


class Gokigen(Shading):
    r"""Gokigen Naname: draw a diagonal in each cell such that the diagonals form no loop.

    A number at a corner of cells says how many diagonals end there.
    """

    name = "gokigen"
    styles = ("", "c")
    url = (pzpr.CORNERS,)
    file = (pzprfile.CORNERS, pzprfile.TRIANGLES)
    rules = "slLoop crConnSlNe ceNoSlash"
    states = (RISING, FALLING)
    looks: ClassVar = {0: Look("."), FALLING: Look("\\", written=True), RISING: Look("/", written=True)}
    polygons: ClassVar = {
        FALLING: ((0, 0), (0.06, 0), (1, 0.94), (1, 1), (0.94, 1), (0, 0.06)),
        RISING: ((1, 0), (1, 0.06), (0.06, 1), (0, 1), (0, 0.94), (0.94, 0)),
    }

    clue_field = "corners"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        falling = formula.subset("shaded")
        formula.acyclic_diagonals(falling, connectivity)
        for corner, number in formula.each(corner_clues(puzzle)):
            ends = [
                sign * falling[cell] for sign, cell in zip((1, -1, -1, 1), corner_cells(corner), strict=True) if cell in falling
            ]
            formula.exactly_k(ends, number, "pairwise")

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return len(list(_neighbors(board, place)))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        corners = [(r, c) for r in range(puzzle.height + 1) for c in range(puzzle.width + 1)]
        ends = {corner: list(_neighbors(board, corner)) for corner in corners}
        for part in components(corners, ends.__getitem__):
            if sum(len(ends[corner]) for corner in part) >= 2 * len(part):
                r, c = min(part)
                yield "slLoop", f"the diagonals that are connected with the corner after row {r}, column {c} have a loop"
        for (r, c), number in corner_clues(puzzle):
            if (found := len(ends[r, c])) != number:
                yield "crConnSlNe", f"the corner after row {r}, column {c}: {found} diagonals, expected {number}"
        for cell in cells_with(board, 0):
            yield "ceNoSlash", f"{at(cell)}: found no diagonal"


def _neighbors(board: Cells, corner: Cell) -> Iterator[Cell]:
    """The corners to which diagonals lead from this one."""
    for value, (r, c) in zip((FALLING, RISING, RISING, FALLING), corner_cells(corner), strict=True):
        if 0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c] == value:
            yield 2 * r + 1 - corner[0], 2 * c + 1 - corner[1]


FAMILY = Gokigen()
