"""Chocona."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, room_count_faults, shape_faults, with_room_cut
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomShading
from cnfgen_puzzles.families.looks import Cells


class Chocona(RoomShading):
    """Chocona: shade rectangles, so many cells of each room as its number says.

    The connected parts of shaded cells are rectangles, which may cross borders of rooms. At least one cell is shaded.
    """

    name = "chocona"
    rules = "brNoShade csNotRect bkShadeNe"
    connectivity = False

    changed = with_room_cut

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Parts are rectangles if no block of 2x2 cells has exactly three shaded ones: four clauses for each block."""
        shaded = self.shades(puzzle, formula)
        formula.add_clause(shaded.values())
        for r, c in product(range(puzzle.height - 1), range(puzzle.width - 1)):
            block = [shaded[r + i, c + j] for i in (0, 1) for j in (0, 1)]
            for k, literal in enumerate(block):
                formula.add(literal, *(-other for other in [*block[:k], *block[k + 1 :]]))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from shape_faults(board, "csNotRect", "rectangle", lambda cells, height, width: cells == height * width)
        yield from room_count_faults(puzzle, board)


FAMILY = Chocona()
