"""Aquarium."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with, room_neighbors, room_parts
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components


class Aquarium(Shading):
    """Aquarium: fill rooms with water, which flows down and to the sides.

    A number outside says how many cells of its row or column have water. Below, left, and right of water is water or a wall. All
    water that is connected within a room reaches the same level: above a cell of it, below its highest row, is water or a wall.
    At least one cell has water.
    """

    name = "aquarium"
    url = (pzpr.ROOMS, pzpr.SLASHED_HEADINGS)
    file = (pzprfile.WALLS, pzprfile.framed(pzprfile.SHADES))
    variants: ClassVar = {"r": "the water in a room has one level, also where it is not connected"}
    connectivity = False
    clue_field = "outside"
    rules = "brNoShade csNoSupport csNoLevel bkNoLevel exShadeNe"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """If a cell has water, then so do all cells of its room that it reaches without a step above its row."""
        water = formula.subset("shaded")
        formula.add_clause(water.values())
        for cells in puzzle.room_cells():
            below: list[set[Any]] = []
            for row in sorted({r for r, _ in cells}, reverse=True):
                open_to = {cell for cell in cells if cell[0] >= row}
                parts = components(open_to, lambda cell: room_neighbors(puzzle, cell))
                for part in parts:
                    surface = sorted(cell for cell in part if cell[0] == row)
                    for one, other in pairwise(surface):
                        formula.add_clauses([(-water[one], water[other]), (water[one], -water[other])])
                    for lower in below if surface else ():
                        if lower <= part:
                            formula.add(-water[surface[0]], water[min(lower)])
                below = parts
        for cells in puzzle.room_cells() if puzzle.variant else ():
            for one, other in pairwise(sorted(cells)):
                formula.add(-water[one], water[other])
                if one[0] == other[0]:
                    formula.add(water[one], -water[other])
        for line, number in puzzle.sights():
            formula.exactly_k([water[cell] for cell in line], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        water = set(cells_with(board, 1))
        if not water:
            yield "brNoShade", "no cell has water"
        for cell in water:
            if any(other not in water and other[0] >= cell[0] for other in room_neighbors(puzzle, cell)):
                yield "csNoSupport", f"{at(cell)}: water could flow down or to the side"
        for pool in (pool for cells in puzzle.room_cells() for pool in room_parts(puzzle, board, cells)):
            level = min(pool)[0]
            for r, c in pool:
                if r > level and (r - 1, c) in room_neighbors(puzzle, (r, c)) and (r - 1, c) not in water:
                    yield "csNoLevel", f"{at((r, c))}: water connected to this cell is higher than it"
        for cells in puzzle.room_cells() if puzzle.variant else ():
            filled = [r for r, c in cells if board[r][c]]
            if any(r >= min(filled, default=r + 1) for r, c in cells if not board[r][c]):
                yield "bkNoLevel", f"{at(cells[0])}: the water of the room has several levels"
        for line, number in puzzle.sights():
            if (found := sum(board[r][c] for r, c in line)) != number:
                yield "exShadeNe", f"{at(line[0])}: the line has {found} cells with water, expected {number}"


FAMILY = Aquarium()
