"""Nawabari."""

from collections.abc import Iterator, Sequence
from typing import Any

from cnfgen_puzzles.families.grid.genres.fourcells import FourCells
from cnfgen_puzzles.families.grid.layer.boards import Fault, border_count_faults, rectangle_faults
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, Rectangle, cells_of
from cnfgen_puzzles.families.grid.layer.kinds import Division, rectangles
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells


class Nawabari(Division):
    """Nawabari (Territory): divide the board into rectangles with one number each.

    The number is that of the sides of its cell that are borders, also of the board.
    """

    name = "nawabari"
    url = (pzpr.Signs(pzpr.BORDER_COUNTS, "a digit but 7, a letter, or a point", 10).of("numbers"),)
    file = (pzprfile.CLUES, pzprfile.FRAMED_BORDERS)
    rules = "bkNotRect bkNoNum bkNumGe2 nmBorderNe bdDeadEnd"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        given = dict(puzzle.given())

        def fits(rectangle: Rectangle) -> bool:
            """Whether the number has so many borders in this rectangle."""
            k, m, height, width = rectangle
            r, c = next(cell for cell in cells_of(rectangle) if cell in given)
            return given[r, c] in (pzpr.UNKNOWN, (r == k) + (r == k + height - 1) + (c == m) + (c == m + width - 1))

        formula.division(filter(fits, rectangles(puzzle, lambda number, height, width: True)))

    drawn_faults = FourCells.drawn_faults

    def faults(self, puzzle: Any, board: Cells, loose: Sequence[tuple[int, ...]] = ()) -> Iterator[Fault]:
        yield from rectangle_faults(puzzle, board)
        yield from border_count_faults(puzzle, board, loose)


FAMILY = Nawabari()
