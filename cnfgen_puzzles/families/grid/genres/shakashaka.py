"""Shakashaka."""

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Genre
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell, components, neighbors
from cnfgen_puzzles.formula.formula import FALSE

BLACK_SIDES = {0: "", 2: "vl", 3: "vr", 4: "^r", 5: "^l"}
"""The black sides of a cell by its triangle: above, below, left, or right."""
CORNERS = {2: ((0, 0), (1, 1), (0, 1)), 3: ((1, 0), (1, 1), (0, 1)), 4: ((0, 0), (1, 0), (1, 1)), 5: ((0, 0), (1, 0), (0, 1))}
RIGHT_ANGLES = {
    ring
    for ring in product((False, True), repeat=8)
    if all(ring) or {len(angle) for angle in "".join(".#"[half] for half in ring * 2).strip("#").split(".")} <= {0, 2, 4}
}
"""The halves of right angles around a lattice point, white or not, such that white angles have 90, 180, or 360 degrees."""


def beside(cell: Cell) -> Iterator[tuple[str, str, Cell]]:
    """The sides of a cell, and the cells there with their sides towards it."""
    return zip("^lrv", "vrl^", neighbors(cell), strict=True)


class Shakashaka(Genre):
    """Shakashaka: put black triangles, halves of cells, into white cells so that all white areas are rectangles.

    The rectangles may be turned by 45 degrees. There is at least one triangle. A number in a black cell says how many of the
    cells beside it have one.
    """

    name = "shakashaka"
    url = (pzpr.FOUR,)
    file = (pzprfile.clues({"5": pzpr.UNKNOWN}), pzprfile.TRIANGLES)
    without = pzpr.UNKNOWN
    rules = "brNoTriangle nmTriangleGt cuNotRectx nmTriangleLt"
    connectivity = False
    solid = True
    looks: ClassVar = {0: Look(".")} | {value: Look(sign, written=True) for value, sign in enumerate("◣◢◥◤", 2)}
    polygons = CORNERS
    decode = Numbers.decode

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """White areas are rectangles exactly if at each lattice point each white angle has 90, 180, or 360 degrees."""
        free = [cell for cell in puzzle.cells if puzzle.number(cell) == pzpr.NONE]
        value = formula.ints("number", dict.fromkeys(free, tuple(BLACK_SIDES)))
        formula.add_clause(-value[cell][0] for cell in free)
        white = {
            (*cell, side): -formula.iff_or([value[cell][k] for k, sides in BLACK_SIDES.items() if side in sides])
            for cell in free
            for side in "^vlr"
        }
        for r, c in product(range(puzzle.height + 1), range(puzzle.width + 1)):
            around = [(r - 1, c, "l"), (r - 1, c, "v"), (r, c, "^"), (r, c, "l")]
            around += [(r, c - 1, "r"), (r, c - 1, "^"), (r - 1, c - 1, "v"), (r - 1, c - 1, "r")]
            formula.pattern([white.get(half, FALSE) for half in around], RIGHT_ANGLES)
        for cell, number in formula.each(puzzle.clues()):
            formula.exactly_k([-value[other][0] for other in neighbors(cell) if other in value], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        triangles = {(r, c) for r, c in puzzle.cells if board[r][c]}
        if not triangles:
            yield "brNoTriangle", "there is no triangle"
        for cell, number in puzzle.clues():
            if (found := len(triangles & set(neighbors(cell)))) != number:
                code = "nmTriangleGt" if found > number else "nmTriangleLt"
                yield code, f"{at(cell)}: {found} triangles, expected {number}"
        for cell, _ in puzzle.given():
            if cell in triangles:
                yield "cuNotRectx", f"{at(cell)}: a triangle in a black cell"
        white = {cell: BLACK_SIDES[board[cell[0]][cell[1]]] for cell in puzzle.cells if puzzle.number(cell) == pzpr.NONE}

        def joined(cell: Cell) -> list[Cell]:
            return [o for here, there, o in beside(cell) if o in white and here not in white[cell] and there not in white[o]]

        for area in components(white, joined):
            rows, columns = {r for r, _ in area}, {c for _, c in area}
            upright = len(rows) * len(columns) == len(area - triangles)
            if not upright and any((side in white[cell]) == (o in area) for cell in area for side, _, o in beside(cell)):
                yield "cuNotRectx", f"{at(min(area))}: the white area is not a rectangle"


FAMILY = Shakashaka()
