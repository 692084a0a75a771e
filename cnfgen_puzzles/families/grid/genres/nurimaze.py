"""Nurimaze."""

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with, mixed_faults
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors

START, GOAL, CIRCLE, TRIANGLE = range(1, 5)


class Nurimaze(Shading):
    """Nurimaze: shade whole rooms, so that the other cells form a maze.

    Unshaded cells are connected and form no cycle, and no block of 2x2 cells is shaded. No cell with a sign is shaded. The path
    from the start (S) to the goal (G) passes all circles and no triangle. Without a sign, the start is the first cell and the
    goal the last one.
    """

    name = "nurimaze"
    url = (pzpr.ROOMS, pzpr.Signs({str(n): (n,) for n in range(1, 5)}, "a digit from 1 to 4 or a letter", 5).of("numbers"))
    file = (
        pzprfile.ROOMS,
        pzprfile.each("numbers", {".": pzpr.NONE, "s": START, "g": GOAL, "o": CIRCLE, "t": TRIANGLE}, "one of .sgot"),
        pzprfile.SHADES,
    )
    signs: ClassVar = {START: "S", GOAL: "G", CIRCLE: "○", TRIANGLE: "△"}
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:KNOWN"}  # a maze needs its start
    rules = "bkMixed objShaded cuDivide cs2x2 cu2x2 cuLoop routeIgnoreCP routePassDeadEnd"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Unshaded cells have no cycle if all shaded ones are connected with the border by sides and corners."""
        shaded, ends = formula.subset("shaded"), set(_ends(puzzle))
        unshaded = {cell: -literal for cell, literal in shaded.items()}
        block = formula.keyed("route", puzzle.cells)
        route = {cell: block[cell] for cell in puzzle.cells}
        for cells in puzzle.room_cells():
            formula.all_equal(shaded[cell] for cell in cells)
        formula.connected(unshaded, connectivity)
        formula.forbid_block(shaded, 2, 2)
        formula.forbid_block(unshaded, 2, 2)
        formula.connected_by_corners(shaded, connectivity, outside=True)
        for cell, literal in route.items():
            near = [route[other] for other in neighbors(cell) if other in route]
            want = len(ends) - 1 if cell in ends else 2
            formula.add(-literal, unshaded[cell])
            patterns = product((False, True), repeat=1 + len(near))
            formula.pattern([literal, *near], [each for each in patterns if not each[0] or sum(each[1:]) == want])
        for cell in ends:
            formula.add(route[cell])
        for cell, sign in puzzle.clues():
            if sign in (CIRCLE, TRIANGLE):
                formula.add(-shaded[cell])
                formula.add(route[cell] if sign == CIRCLE else -route[cell])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        (start, goal), free = _ends(puzzle), set(cells_with(board, 0))
        yield from mixed_faults(board, puzzle.room_cells())
        signs = {cell: sign for cell, sign in puzzle.clues() if sign in (CIRCLE, TRIANGLE)}
        for r, c in (start, goal, *signs):
            if board[r][c]:
                yield "objShaded", f"{at((r, c))}: a sign is shaded"
        if len(components(free)) > 1:
            yield "cuDivide", "the unshaded cells are not connected"
        for value, code in ((1, "cs2x2"), (0, "cu2x2")):
            for cell in blocks_of(board, value):
                yield code, f"{at(cell)}: a block of 2x2 {'' if value else 'un'}shaded cells"
        for part in components(free):
            if sum(len(part.intersection(neighbors(cell))) for cell in part) >= 2 * len(part):
                yield "cuLoop", f"{at(min(part))}: the unshaded cells form a cycle"
        before, last = {start: start} if start in free else {}, [start] if start in free else []
        while last:
            cell = last.pop()
            for other in free.intersection(neighbors(cell)) - before.keys():
                before[other] = cell
                last.append(other)
        route, cell = set[Cell](), goal
        while cell in before and cell not in route:
            route.add(cell)
            cell = before[cell]
        for cell, sign in signs.items():
            if sign == CIRCLE and cell not in route:
                yield "routeIgnoreCP", f"{at(cell)}: the path misses a circle"
            if sign == TRIANGLE and cell in route:
                yield "routePassDeadEnd", f"{at(cell)}: the path passes a triangle"


def _ends(puzzle: Any) -> tuple[Cell, Cell]:
    """The start and the goal, the last ones of several."""
    found = {sign: cell for cell, sign in puzzle.clues()}
    return found.get(START, (0, 0)), found.get(GOAL, (puzzle.height - 1, puzzle.width - 1))


FAMILY = Nurimaze()
