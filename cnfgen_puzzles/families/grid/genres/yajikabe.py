"""Yajikabe."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, arrow_clues, at, blocks_of, cells_with, pointed_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components


class Yajikabe(Shading):
    """Yajikabe: shade connected cells without a clue, and no block of 2x2 cells.

    A number says how many cells are shaded in the direction of its arrow; without an arrow, it says nothing.
    """

    name = "yajikabe"
    url = (pzpr.ARROWS,)
    file = (pzprfile.ARROWS, pzprfile.SHADES)
    without = pzpr.UNKNOWN
    rules = "cs2x2 csDivide csOnNum anShadeNe"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.forbid_block(shaded, 2, 2)
        formula.connected(shaded, connectivity)
        for cell, _ in puzzle.given():
            formula.add(-shaded[cell])
        for cell, number in formula.each(arrow_clues(puzzle)):
            formula.exactly_k([shaded[other] for other in pointed_at(puzzle, cell)], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        if len(components(cells_with(board, 1))) > 1:
            yield "csDivide", "the shaded cells are not connected"
        for cell, _ in puzzle.given():
            if board[cell[0]][cell[1]]:
                yield "csOnNum", f"{at(cell)}: a clue is shaded"
        for cell, number in arrow_clues(puzzle):
            if (found := sum(board[r][c] for r, c in pointed_at(puzzle, cell))) != number:
                yield "anShadeNe", f"{at(cell)}: {found} shaded cells, expected {number}"


FAMILY = Yajikabe()
