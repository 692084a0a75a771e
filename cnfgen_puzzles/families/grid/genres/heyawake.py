"""Heyawake."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import (
    Fault,
    at,
    room_count_faults,
    room_numbers,
    runs,
    shaded_in_room,
    with_room_cut,
)
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Heyawake(Apart):
    """Heyawake: shade cells that do not touch by a side, with all others connected.

    A number says how many cells of its room are shaded. A straight line of unshaded cells crosses at most one border of rooms.
    At least one cell is shaded.
    """

    name = "heyawake"
    url = (pzpr.ROOMS, pzpr.ROOM_NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.SHADES)
    older = ((pzprfile.ROOMS, pzprfile.CLUES, pzprfile.SHADES),)
    rules = "brNoShade csAdjacent cuDivideRB bkShadeNe bkUnshadeConsecGt3"

    clue = staticmethod(shaded_in_room)
    changed = with_room_cut

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.shades(formula, connectivity)
        for cells, number in room_numbers(puzzle, formula):
            formula.exactly_k([shaded[cell] for cell in cells], number)
        for run in runs(puzzle, 3):
            formula.add_clause(shaded[cell] for cell in run)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        yield from room_count_faults(puzzle, board)
        for run in runs(puzzle, 3):
            if not any(board[r][c] for r, c in run):
                yield "bkUnshadeConsecGt3", f"{at(run[0])}: a line of unshaded cells crosses two borders"


FAMILY = Heyawake()
