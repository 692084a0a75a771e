"""Sashigane."""

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, lines_from, regions
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Borders
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors
from cnfgen_puzzles.formula.formula import FALSE

UP, LEFT, RIGHT, DOWN = WAYS = range(4)
"""The directions in the order of `neighbors`; 3 - way is the opposite one."""
ARROWS = {pzpr.ARROW_UP: UP, pzpr.ARROW_LEFT: LEFT, pzpr.ARROW_RIGHT: RIGHT, pzpr.ARROW_DOWN: DOWN}


class Sashigane(Borders):
    """Sashigane: divide the board into L-shapes with two arms of width 1.

    A circle is the corner of its shape, a number in it the number of its cells. An arrow is an end of its shape and points along
    the arm.
    """

    name = "sashigane"
    url = (pzpr.CIRCLED_ARROWS,)
    file = (pzprfile.CIRCLED_ARROWS, pzprfile.BORDERS)
    signs: ClassVar = {**{arrow: "↑←→↓"[way] for arrow, way in ARROWS.items()}, pzpr.ANY: "?"}
    ringed = True
    without = pzpr.NONE
    rules = "arBlkEdge arNotPtCnr ciNotOnCnr bkSizeNe bdDeadEnd bkNotLshape"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Each cell is a corner, with two arms, or its corner lies in one of four directions."""
        to_corner = {(cell, way): formula.new() for cell in puzzle.cells for way in WAYS}
        corner = {cell: {two: formula.new() for two in product((UP, DOWN), (LEFT, RIGHT))} for cell in puzzle.cells}
        for cell in puzzle.cells:
            formula.exactly_one([*corner[cell].values(), *(to_corner[cell, way] for way in WAYS)], "pairwise")
            for way, beside in enumerate(neighbors(cell)):
                ends = [literal for two, literal in corner.get(beside, {}).items() if 3 - way in two]
                formula.add_folded(-to_corner[cell, way], to_corner.get((beside, way), FALSE), *ends)
                for literal in (literal for two, literal in corner[cell].items() if way in two):
                    formula.add_folded(-literal, to_corner.get((beside, 3 - way), FALSE))
        for (a, b), border in formula.lines("border").items():
            way = neighbors(a).index(b)
            joined = to_corner[a, way], to_corner[b, 3 - way]
            formula.add(border, *joined)
            formula.add_clauses((-border, -literal) for literal in joined)
        for cell, clue in formula.each(puzzle.given()):
            if clue in ARROWS:
                way = ARROWS[clue]
                formula.add(to_corner[cell, way])
                formula.add_folded(-to_corner.get((neighbors(cell)[3 - way], way), FALSE))
            elif clue != pzpr.ANY:
                formula.add(*corner[cell].values())
            if clue > 0:
                arms = [[to_corner[o, 3 - way] for o in line] for way, line in enumerate(lines_from(puzzle, cell))]
                formula.visible_count(arms, clue - 1)

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        cells = next(cells for cells in regions(board) if place in cells)
        corner, ends = shape_of(cells)
        if place == corner:
            return len(cells)
        pointing = (arrow for arrow, way in ARROWS.items() if neighbors(place)[way] in cells)
        return next(pointing) if place in ends else pzpr.NONE

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in regions(board):
            corner, ends = shape_of(cells)
            clues = [(cell, puzzle.number(cell)) for cell in cells if puzzle.number(cell) not in (pzpr.NONE, pzpr.ANY)]
            if corner is None:
                yield "bkNotLshape", f"{at(cells[0])}: its region is not an L-shape with arms one cell wide"
            for cell, clue in clues:
                if clue > 0 and clue != len(cells):
                    yield "bkSizeNe", f"{at(cell)}: its region has {len(cells)} cells, expected {clue}"
                if corner and clue in ARROWS and cell not in ends:
                    yield "arBlkEdge", f"{at(cell)}: an arrow that is not at an end of its region"
                elif corner and clue in ARROWS and neighbors(cell)[ARROWS[clue]] not in cells:
                    yield "arNotPtCnr", f"{at(cell)}: an arrow that does not point to the corner of its region"
                elif corner and clue not in ARROWS and cell != corner:
                    yield "ciNotOnCnr", f"{at(cell)}: a circle that is not at the corner of its region"


def shape_of(cells: list[Cell]) -> tuple[Cell | None, set[Cell]]:
    """The corner and the ends of an L-shape; None and no cell for another shape."""
    rows, columns = sorted({r for r, _ in cells}), sorted({c for _, c in cells})
    if len(rows) > 1 and len(columns) > 1:
        for r, c in product((rows[0], rows[-1]), (columns[0], columns[-1])):
            if set(cells) == {(r, m) for m in columns} | {(k, c) for k in rows}:
                return (r, c), {(rows[0] + rows[-1] - r, c), (r, columns[0] + columns[-1] - c)}
    return None, set()


FAMILY = Sashigane()
