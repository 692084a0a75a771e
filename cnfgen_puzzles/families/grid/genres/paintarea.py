"""Paintarea."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with, mixed_faults
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components, neighbors


class Paintarea(Shading):
    """Paintarea: shade whole rooms such that all shaded cells are connected.

    A number says how many of the cells that share a side with its cell are shaded. No block of 2x2 cells is all shaded or all
    unshaded.
    """

    name = "paintarea"
    url = (pzpr.ROOMS, pzpr.DECIMAL)
    file = (pzprfile.ROOMS, pzprfile.CLUES, pzprfile.SHADES)
    rules = "bkMixed csDivide cs2x2 nmShadeNe cu2x2"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        for cells in puzzle.room_cells():
            formula.all_equal(shaded[cell] for cell in cells)
        formula.connected(shaded, connectivity)
        formula.forbid_block(shaded, 2, 2)
        formula.forbid_block({cell: -literal for cell, literal in shaded.items()}, 2, 2)
        for cell, number in formula.each(puzzle.clues()):
            formula.exactly_k([shaded[other] for other in neighbors(cell) if other in shaded], number, "pairwise")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from mixed_faults(board, puzzle.room_cells())
        if len(components(cells_with(board, 1))) > 1:
            yield "csDivide", "the shaded cells are not connected"
        for value, code in ((1, "cs2x2"), (0, "cu2x2")):
            for cell in blocks_of(board, value):
                yield code, f"{at(cell)}: {'a shaded' if value else 'an unshaded'} block of 2x2 cells"
        shaded = set(cells_with(board, 1))
        for cell, number in puzzle.clues():
            if (found := len(shaded.intersection(neighbors(cell)))) != number:
                yield "nmShadeNe", f"{at(cell)}: {found} shaded cells share a side with the number's cell, expected {number}"


FAMILY = Paintarea()
