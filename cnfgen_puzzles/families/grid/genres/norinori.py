"""Norinori."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, domino_faults
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Norinori(Shading):
    """Norinori: shade dominoes, two cells of each room.

    Each shaded cell shares a side with exactly one other shaded cell, in the same room or in another.
    """

    name = "norinori"
    url = (pzpr.ROOMS,)
    file = (pzprfile.WALLS, pzprfile.SHADES)
    older = ((pzprfile.ROOMS, pzprfile.SHADES),)
    rules = "csGt2 bkShadeGt2 csLt2 bkShadeLt2 bkNoShade"
    connectivity = False

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.dominoes(shaded)
        for room in puzzle.room_cells():
            formula.exactly_k([shaded[cell] for cell in room], 2)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from domino_faults(board)
        for room in puzzle.room_cells():
            if (found := sum(board[r][c] for r, c in room)) != 2:
                code = "bkShadeGt2" if found > 2 else "bkShadeLt2" if found else "bkNoShade"
                yield code, f"{at(room[0])}: the room has {found} shaded cells, expected 2"


FAMILY = Norinori()
