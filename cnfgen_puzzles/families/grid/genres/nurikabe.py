"""Nurikabe."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import UNKNOWN
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components


class Nurikabe(Shading):
    """Nurikabe: shade a connected sea without 2x2 blocks around islands.

    Each island of unshaded cells has exactly one number, which is its size.
    """

    name = "nurikabe"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.SHADED_CLUES,)
    without = pzpr.UNKNOWN
    rules = "cs2x2 bkNoNum csDivide bkNumGe2 bkSizeNe"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.forbid_block(shaded, 2, 2)
        formula.connected(shaded, connectivity)
        if any(number == 0 for _, number in puzzle.clues()):
            formula.add()  # an island has at least one cell
        formula.islands({cell: -literal for cell, literal in shaded.items()}, dict(puzzle.given()), connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        islands = [
            (part, [puzzle.number(cell) for cell in part if puzzle.number(cell) != -1])
            for part in components(cells_with(board, 0))
        ]
        for part, numbers in islands:
            if not numbers:
                yield "bkNoNum", f"{at(min(part))}: an island without a number"
        if len(components(cells_with(board, 1))) > 1:
            yield "csDivide", "the shaded cells are not connected"
        for cell, _ in puzzle.given():
            if board[cell[0]][cell[1]]:
                yield "bkSizeNe", f"{at(cell)}: a number is shaded"
        for part, numbers in islands:
            if len(numbers) > 1:
                yield "bkNumGe2", f"{at(min(part))}: an island with several numbers"
            elif numbers and numbers[0] not in (UNKNOWN, len(part)):
                yield "bkSizeNe", f"{at(min(part))}: an island of {len(part)} cells, expected {numbers[0]}"


FAMILY = Nurikabe()
