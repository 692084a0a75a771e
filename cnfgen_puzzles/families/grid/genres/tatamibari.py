"""Tatamibari."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import (
    Fault,
    at,
    borders_of,
    crossing_faults,
    extent,
    loose_borders,
    rectangle_faults,
    regions,
)
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Parts
from cnfgen_puzzles.families.grid.layer.kinds import Division, rectangles
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors

SHAPES: dict[int, tuple[str, str, Callable[[int, int], bool]]] = {
    1: ("bkNotVRect", "higher than wide", lambda height, width: height > width),
    2: ("bkNotHRect", "wider than high", lambda height, width: height < width),
    3: ("bkNotSquare", "a square", lambda height, width: height == width),
    pzpr.UNKNOWN: ("", "a rectangle", lambda height, width: True),
}
"""The sign |, -, +, or ?: the rule, the shape in words, and the sizes of such rectangles."""


class Tatamibari(Division):
    """Tatamibari: divide the board into rectangles with one sign each, no four of which meet in a point.

    A rectangle with | is higher than wide, one with - is wider than high, and one with + is a square.
    """

    name = "tatamibari"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.clues({"a": 1, "b": 2, "c": 3}), pzprfile.BORDERS)
    signs: ClassVar = {1: "|", 2: "-", 3: "+"}
    rules = "bdCross bkNoNum bkNotSquare bkNotHRect bkNotVRect bkNumGe2 bkNotRect bdDeadEnd"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        region = formula.division(
            rectangles(puzzle, lambda sign, height, width: sign in SHAPES and SHAPES[sign][2](height, width))
        )
        formula.no_crossings(region)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        return self.drawn_faults(puzzle, board, borders_of(board))

    def drawn_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        yield from crossing_faults(parts)
        yield from rectangle_faults(puzzle, board)
        for cells in regions(board):
            found = [number for number in map(puzzle.number, search_order(cells, parts)) if number != pzpr.NONE]
            signs = [number for number in found if number != pzpr.UNKNOWN] or found
            height, width = extent(cells)
            fits = len(cells) != height * width or not signs or signs[0] not in SHAPES or SHAPES[signs[0]][2](height, width)
            if not fits:
                yield (
                    SHAPES[signs[0]][0],
                    f"{at(cells[0])}: its region has {width}x{height} cells, expected {SHAPES[signs[0]][1]}",
                )
        yield from loose_borders(board, parts)


def search_order(cells: list[Cell], borders: Parts) -> list[Cell]:
    """The cells of a region in the order in which pzprjs looks for its sign, of which there may wrongly be several."""
    found, stack = dict[Cell, None](), [cells[0]]
    while stack:
        cell = stack.pop()
        if cell not in found:
            found[cell] = None
            near = (other for other in neighbors(cell) if other in cells)
            stack += [other for other in near if not borders.get((*min(cell, other), *max(cell, other)))]
    return list(found)


FAMILY = Tatamibari()
