"""Nurimisaki."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with, lines_from, visible
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components, neighbors


class Nurimisaki(Shading):
    """Nurimisaki: shade cells such that the others are connected and end exactly in the circles.

    No block of 2x2 cells is all shaded or all unshaded. The cells with a clue, and no other unshaded cells, are unshaded cells
    that share a side with exactly one unshaded cell. A number says how many unshaded cells are seen from it, with itself.
    At least one cell is shaded.
    """

    name = "nurimisaki"
    url = (pzpr.NUMBERS,)
    ringed = True
    file = (pzprfile.CLUES, pzprfile.SHADES)
    without = pzpr.UNKNOWN
    rules = "brNoShade cs2x2 cuDivide nmSumViewNe cu2x2 circleNotPromontory nonCirclePromontory"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        unshaded = {cell: -literal for cell, literal in shaded.items()}
        formula.add_clause(shaded.values())
        formula.forbid_block(shaded, 2, 2)
        formula.forbid_block(unshaded, 2, 2)
        formula.connected(unshaded, connectivity)
        circles = dict(puzzle.given())
        for cell in puzzle.cells:
            beside = [unshaded[other] for other in neighbors(cell) if other in unshaded]
            if cell not in circles:
                for k, literal in enumerate(beside):
                    formula.add(shaded[cell], -literal, *beside[:k], *beside[k + 1 :])
                continue
            formula.add(unshaded[cell])
            formula.add_clause(beside)
            formula.add_clauses((-a, -b) for a, b in combinations(beside, 2))
            for _ in formula.each([(cell, circles[cell])] * (circles[cell] >= 0)):
                lines = [[unshaded[other] for other in line] for line in lines_from(puzzle, cell)]
                formula.visible_count(lines, circles[cell] - 1)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        if not cells_with(board, 1):
            yield "brNoShade", "no cell is shaded"
        for value, code in ((1, "cs2x2"), (0, "cu2x2")):
            for cell in blocks_of(board, value):
                yield code, f"{at(cell)}: {'a shaded' if value else 'an unshaded'} block of 2x2 cells"
        unshaded = set(cells_with(board, 0))
        if len(components(unshaded)) > 1:
            yield "cuDivide", "the unshaded cells are not connected"
        for cell, number in puzzle.clues():
            if (found := 1 + visible(puzzle, board, cell, 0)) != number:
                yield "nmSumViewNe", f"{at(cell)}: {found} cells are seen, expected {number}"
        circles = dict(puzzle.given())
        for cell in puzzle.cells:
            ends = cell in unshaded and len(unshaded.intersection(neighbors(cell))) == 1
            if cell in circles and not ends:
                yield "circleNotPromontory", f"{at(cell)}: a circle is shaded, or has not exactly one unshaded neighbor"
            if cell not in circles and ends:
                yield "nonCirclePromontory", f"{at(cell)}: a cell without a circle has exactly one unshaded neighbor"


FAMILY = Nurimisaki()
