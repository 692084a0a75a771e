"""Square Jam."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, borders_of, crossing_faults, extent, loose_borders, regions
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Parts
from cnfgen_puzzles.families.grid.layer.kinds import Division
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class SquareJam(Division):
    """Square Jam: divide the board into squares, no four of which meet in a point.

    Each number is the side of its square, which may have several numbers or none.
    """

    name = "squarejam"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.BORDERS)
    without = pzpr.NONE
    rules = "bdCross bkNotSquare bkSideNe bdDeadEnd"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        sides = range(1, min(puzzle.height, puzzle.width) + 1)
        squares = [(r, c, side, side) for side in sides for r, c in puzzle.cells]
        within = (
            square for square in squares if square[0] + square[2] <= puzzle.height and square[1] + square[3] <= puzzle.width
        )
        region = formula.division(within)
        formula.no_crossings(region)
        for (k, m), number in formula.each((cell, number) for cell, number in puzzle.clues() if number):
            others = [(square, literal) for square, literal in region.items() if square[2] != number]
            formula.forbid(literal for (r, c, side, _), literal in others if r <= k < r + side and c <= m < c + side)

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return next(extent(cells)[0] for cells in regions(board) if place in cells)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        return self.drawn_faults(puzzle, board, borders_of(board))

    def drawn_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        yield from crossing_faults(parts)
        for cells in regions(board):
            height, width = extent(cells)
            if height != width or len(cells) != height * width:
                yield "bkNotSquare", f"{at(cells[0])}: its region is not a square"
            for cell in cells:
                if (number := puzzle.number(cell)) > 0 and {number} != {height, width}:
                    yield "bkSideNe", f"{at(cell)}: its region is {width} cells wide and {height} high, expected {number}"
        yield from loose_borders(board, parts)


FAMILY = SquareJam()
