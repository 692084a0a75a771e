"""Kurarin."""

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_around
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import SHADE, ShadedLoop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell

WHITE, BLACK, GRAY = 1, 2, 4


class Kurarin(ShadedLoop):
    """Kurarin: shade cells, and draw one loop through the centers of all others.

    Of the cells around a black point, more than half are shaded; around a white one, less than half; and around a gray one, half
    of them.
    """

    name = "kurarin"
    url = (pzpr.PAIRED_POINTS,)
    file = (pzprfile.points({".": 0, "1": BLACK, "2": GRAY, "3": WHITE}), pzprfile.SHADES, pzprfile.LINES)
    variants: ClassVar = {}
    looks: ClassVar = {value: look._replace(fill=look.fill and SHADE) for value, look in ShadedLoop.looks.items()}
    rules = "brNoLine lnBranch lnCross lnOnShade csDotWhite csDotBlack csDotGray lnDeadEnd lnPlLoop ceEmpty"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        _, shaded = self.shaded_loop(puzzle, formula, puzzle.cells, connectivity)
        for place, point in _points(puzzle):
            cells = [shaded[cell] for cell in cells_around(place)]
            halves = {WHITE: range(-4, 0), BLACK: range(1, 5), GRAY: (0,)}[point]
            patterns = product((False, True), repeat=len(cells))
            formula.pattern(cells, [each for each in patterns if 2 * sum(each) - len(cells) in halves])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.shaded_loop_faults(puzzle, board, puzzle.cells)
        shaded = self.shades_of(board)
        for place, point in _points(puzzle):
            cells = cells_around(place)
            count = sum(shaded[r][c] for r, c in cells)
            kind = GRAY if 2 * count == len(cells) else BLACK if 2 * count > len(cells) else WHITE
            if kind != point:
                code = {WHITE: "csDotWhite", BLACK: "csDotBlack", GRAY: "csDotGray"}[point]
                yield code, f"{at(cells[0])}: {count} of {len(cells)} cells around a point are shaded"


def _points(puzzle: Any) -> Iterator[tuple[Cell, int]]:
    return ((place, point) for place, point in puzzle.given("points") if point)


FAMILY = Kurarin()
