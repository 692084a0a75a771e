"""Aqre."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import (
    Fault,
    at,
    blocks_of,
    cells_with,
    room_borders,
    room_count_faults,
    with_room_cut,
)
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomShading
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components


class Aqre(RoomShading):
    """Aqre: shade connected cells, so many of each room as its number says.

    No four cells in a row or a column, one after the other, are all shaded or all unshaded.
    """

    name = "aqre"
    variants: ClassVar = {"b": "no border has both cells beside it shaded or both unshaded"}
    rules = "cbShade csDivide bkShadeNe cs3 cbUnshade cu3"

    changed = with_room_cut

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.shades(puzzle, formula)
        formula.connected(shaded, connectivity)
        for part in (shaded, {cell: -literal for cell, literal in shaded.items()}):
            formula.forbid_block(part, 1, 4)
            formula.forbid_block(part, 4, 1)
        for one, other in room_borders(puzzle) if "b" in puzzle.variant else ():
            formula.add_clauses([(shaded[one], shaded[other]), (-shaded[one], -shaded[other])])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        if len(components(cells_with(board, 1))) > 1:
            yield "csDivide", "the shaded cells are not connected"
        yield from room_count_faults(puzzle, board)
        for (r, c), (k, m) in room_borders(puzzle) if "b" in puzzle.variant else ():
            if board[r][c] == board[k][m]:
                yield "cbShade" if board[r][c] else "cbUnshade", f"{at((r, c))}: the cells beside a border are equal"
        for value, code in ((1, "cs3"), (0, "cu3")):
            for cell in (*blocks_of(board, value, 1, 4), *blocks_of(board, value, 4, 1)):
                yield code, f"{at(cell)}: four {'shaded' if value else 'unshaded'} cells in a line"


FAMILY = Aqre()
