"""Roma."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.cells import Look
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, twice
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors
from cnfgen_puzzles.formula.formula import FALSE

UP, DOWN, LEFT, RIGHT, GOAL = range(1, 6)
WAYS = (UP, LEFT, RIGHT, DOWN)
"""The arrows, in the order of `neighbors`."""


class Roma(Numbers):
    """Roma: put an arrow into each empty cell so that all arrows lead to a goal.

    From each cell, the arrows lead from neighbor to neighbor to a black circle. A room has no two equal arrows.
    """

    name = "roma"
    url = (pzpr.ROOMS, pzpr.DECIMAL)
    file = (pzprfile.ROOMS, pzprfile.CLUES, pzprfile.VALUES)
    connectivity = True
    signs: ClassVar = {UP: "↑", DOWN: "↓", LEFT: "←", RIGHT: "→", GOAL: "●"}
    looks: ClassVar[Mapping[Any, Look]] = {0: Look("."), **{value: Look(sign, written=True) for value, sign in signs.items()}}
    rules = "bkDupNum stopHalfway"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: (GOAL,) if puzzle.number(cell) == GOAL else WAYS for cell in puzzle.cells}

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        return UP, GOAL

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """No two arrows point at each other, and the lines along arrows have no cycle: only a goal ends a path."""
        number = self.numbers(puzzle, formula)
        for cells in puzzle.room_cells():
            formula.all_different(number[cell] for cell in cells if GOAL not in number[cell])
        arrows = {(cell, other): number[cell].get(way, FALSE) for cell in number for way, other in _ways(cell)}
        formula.forbid(literal for (_, other), literal in arrows.items() if other not in number)
        lines = {}
        for one, other in pzpr.sides(puzzle.size):
            formula.add_folded(-arrows[one, other], -arrows[other, one])
            lines[one, other] = formula.iff_or([arrows[one, other], arrows[other, one]])
        formula.acyclic(lines, connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in puzzle.room_cells():
            for way in twice(board, cells) - {GOAL}:
                yield "bkDupNum", f"{at(cells[0])}: its room has several arrows {self.signs[way]}"
        for (r, c), values in (free := self.values(puzzle)).items():
            if board[r][c] not in values or puzzle.number((r, c)) not in (pzpr.NONE, pzpr.UNKNOWN, board[r][c]):
                yield "stopHalfway", f"{at((r, c))}: no arrow, or another than the given one"
            seen, cell = set[Cell](), (r, c)
            while cell in free and cell not in seen and board[cell[0]][cell[1]] != GOAL:
                seen.add(cell)
                cell = dict(_ways(cell)).get(board[cell[0]][cell[1]], (-1, -1))
            if cell in seen or cell not in free:
                yield "stopHalfway", f"{at((r, c))}: the arrows lead to no goal"


def _ways(cell: Cell) -> Iterator[tuple[int, Cell]]:
    """The arrows, and the neighbor at which each points."""
    return zip(WAYS, neighbors(cell), strict=True)


FAMILY = Roma()
