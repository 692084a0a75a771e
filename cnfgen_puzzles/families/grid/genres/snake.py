"""Snake."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components, neighbors

MIDDLE, END = 1, 2


class Snake(Shading):
    """Snake: shade a snake, connected cells that form a path and touch each other nowhere else, not even by a corner.

    White circles are in the middle of the snake, black ones are its ends. A number outside says how many cells of its row or
    column are shaded.
    """

    name = "snake"
    url = (pzpr.CIRCLES, pzpr.HEADINGS)
    file = (pzprfile.SNAKE,)
    circles = True
    clue_field = "outside"
    rules = "brNoShade cs2x2 shBranch circleUnshade shEndpoint shMidpoint shDiag exShadeNe csDivide shLoop"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """The snake is connected and has an end, so it is no cycle."""
        shaded, circles, ends = formula.subset("shaded"), dict(puzzle.given()), []
        formula.connected(shaded, connectivity)
        formula.forbid_block(shaded, 2, 2)
        for cell, literal in shaded.items():
            beside = [shaded[other] for other in neighbors(cell) if other in shaded]
            formula.add_clauses((-literal, -a, -b, -c) for a, b, c in combinations(beside, 3))
            ends.append(formula.iff_and([literal, *(-two for two in formula.counts(beside, 2)[1:])]))
            if cell in circles:
                formula.add(literal)
                formula.exactly_k(beside, 2 if circles[cell] == MIDDLE else 1)
        formula.add_clause(ends)
        for r, c in product(range(puzzle.height - 1), range(puzzle.width - 1)):  # no two touch by a corner alone
            a, b, d, e = (shaded[r + i, c + j] for i in (0, 1) for j in (0, 1))
            formula.add_clauses([(-a, b, d, -e), (a, -b, -d, e)])
        for line, number in puzzle.sights():
            formula.exactly_k([shaded[cell] for cell in line], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        parts, shaded = components(cells_with(board, 1)), set(cells_with(board, 1))
        near = {cell: len(shaded.intersection(neighbors(cell))) for cell in puzzle.cells}
        if not shaded:
            yield "brNoShade", "no cell is shaded"
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        for cell in shaded:
            if near[cell] > 2:
                yield "shBranch", f"{at(cell)}: the snake has a branch"
        for cell, circle in puzzle.given():
            if cell not in shaded:
                yield "circleUnshade", f"{at(cell)}: the circle is not part of the snake"
            if circle == END and near[cell] != 1:
                yield "shEndpoint", f"{at(cell)}: the black circle is not an end of the snake"
            if circle == MIDDLE and near[cell] != 2:
                yield "shMidpoint", f"{at(cell)}: the white circle is not in the middle of the snake"
        part_of = {cell: k for k, part in enumerate(parts) for cell in part}
        for (r, c), way in product(sorted(shaded), (-1, 1)):
            other = r + 1, c + way
            touches = other in shaded and not shaded.intersection([(r + 1, c), (r, c + way)])
            if touches and (part_of[r, c] == part_of[other] or 2 in (near[r, c], near[other])):
                yield "shDiag", f"{at((r, c))}: the snake touches itself by a corner"
        for line, number in puzzle.sights():
            if (found := sum(board[r][c] for r, c in line)) != number:
                yield "exShadeNe", f"{at(line[0])}: the line has {found} shaded cells, expected {number}"
        if len(parts) > 1:
            yield "csDivide", "the shaded cells are not connected"
        for part in parts:
            if all(near[cell] == 2 for cell in part):
                yield "shLoop", f"{at(min(part))}: the snake is a loop"


FAMILY = Snake()
