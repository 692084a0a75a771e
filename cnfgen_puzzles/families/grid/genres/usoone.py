"""Uso-One."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Apart
from cnfgen_puzzles.families.grid.layer.numbers import at_least
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import neighbors


class Usoone(Apart):
    """Uso-One: shade cells that do not touch by a side, with all others connected, and none with a clue.

    A number says how many of the cells that share a side with its cell are shaded; exactly one number in each room is wrong.
    """

    name = "usoone"
    url = (pzpr.ROOMS, pzpr.FOUR)
    file = (pzprfile.ROOMS, pzprfile.CLUES, pzprfile.ONE_SHADES)
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:KNOWN"}  # a room needs its wrong number
    rules = "csAdjacent cuDivideRB bkLiarNe1"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded, right = self.shades(formula, connectivity), {}
        for cell, number in puzzle.given():
            formula.add(-shaded[cell])
            if number >= 0:
                least = formula.counts([shaded[other] for other in neighbors(cell) if other in shaded])
                right[cell] = formula.iff_and([at_least(least, number), -at_least(least, number + 1)])
        for cells in puzzle.room_cells():
            formula.exactly_k_folded([-right[cell] for cell in cells if cell in right], 1)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shade_faults(board)
        shaded = set(cells_with(board, 1))
        for cells in puzzle.room_cells():
            clues = [(cell, puzzle.number(cell)) for cell in cells if puzzle.number(cell) != pzpr.NONE]
            wrong = sum(0 <= number != len(shaded.intersection(neighbors(cell))) for cell, number in clues)
            if wrong != 1:
                yield "bkLiarNe1", f"{at(cells[0])}: the room has {wrong} wrong numbers, expected 1"
            for cell, _ in clues:
                if cell in shaded:
                    yield "bkLiarNe1", f"{at(cell)}: a clue is shaded"


FAMILY = Usoone()
