"""Compass."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, regions
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Owned
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Compass(Owned):
    """Compass: divide the board into regions with one compass each.

    A number of a compass says how many cells of its region are further up, down, left, or right than the cell of the compass.
    """

    name = "compass"
    url = (pzpr.FOUR_WAYS,)
    file = (pzprfile.FOUR_WAYS, pzprfile.BORDERS)
    joint: ClassVar[str] = ","
    rules = "bkNoNum ceDirection bkNumGe2 bdDeadEnd"

    def misfit(self, puzzle: Any) -> str:
        wrong = next((cell for cell, numbers in puzzle.given("lists") if len(numbers) != 4), None)
        return f"{at(wrong)}: found a compass without four numbers" if wrong else ""

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        compasses = dict(puzzle.given("lists"))
        reach = {
            cell: [each for each in puzzle.cells if (each == cell or each not in compasses) and not _beyond(cell, numbers, each)]
            for cell, numbers in compasses.items()
        }
        regions = self.owners(puzzle, formula, reach, connectivity)
        for (cell, numbers), own in zip(compasses.items(), regions, strict=True):
            formula.add(own[cell])
            for way, number in enumerate(numbers):
                if number >= 0:
                    formula.exactly_k([literal for each, literal in own.items() if _distances(cell, each)[way] > 0], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in regions(board):
            compasses = [(cell, puzzle.lists[cell[0]][cell[1]]) for cell in cells if puzzle.lists[cell[0]][cell[1]]]
            if len(compasses) != 1:
                yield "bkNumGe2" if compasses else "bkNoNum", f"{at(cells[0])}: its region has {len(compasses)} compasses"
            for cell, numbers in compasses if len(compasses) == 1 else ():
                found = [sum(_distances(cell, each)[way] > 0 for each in cells) for way in range(4)]
                if any(number not in (count, pzpr.NONE) for number, count in zip(numbers, found, strict=True)):
                    yield "ceDirection", f"{at(cell)}: {found} cells are further up, left, right, and down"


def _distances(cell: Cell, other: Cell) -> tuple[int, int, int, int]:
    """How much further up, left, right, and down another cell is."""
    (r, c), (k, m) = cell, other
    return r - k, c - m, m - c, k - r


def _beyond(cell: Cell, numbers: tuple[int, ...], other: Cell) -> bool:
    """Whether a connected region with both cells has too many cells in a direction."""
    return any(0 <= number < distance for number, distance in zip(numbers, _distances(cell, other), strict=True))


FAMILY = Compass()
