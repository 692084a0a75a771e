"""Star Battle."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rows_and_columns, touching
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Clue, Look


class Starbattle(Shading):
    """Star Battle: place stars so that each row, each column, and each room has the given number of them.

    No two stars share a side or a corner.
    """

    name = "starbattle"
    url = (pzpr.COUNT, pzpr.ROOMS)
    file = (pzprfile.COUNT, pzprfile.ROOMS, pzprfile.SHADES)
    rules = "starAround bkStarGt bkStarLt lnStarNe"
    connectivity = False
    looks: ClassVar = {0: Look("."), 1: Look("★", written=True)}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        star = formula.subset("shaded")
        formula.no_two_touching(star)
        for cells in [*rows_and_columns(puzzle), *puzzle.room_cells()]:
            formula.exactly_k([star[cell] for cell in cells], puzzle.count)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell in touching(board, 1):
            yield "starAround", f"{at(cell)}: two stars touch"
        for room in puzzle.room_cells():
            if (found := sum(board[r][c] for r, c in room)) != puzzle.count:
                code = "bkStarGt" if found > puzzle.count else "bkStarLt"
                yield code, f"{at(room[0])}: the room has {found} stars, expected {puzzle.count}"
        for line in rows_and_columns(puzzle):
            if (found := sum(board[r][c] for r, c in line)) != puzzle.count:
                yield "lnStarNe", f"{at(line[0])}: the line has {found} stars, expected {puzzle.count}"

    def column_clues(self, puzzle: Any) -> list[list[Clue]]:
        """The number of stars, above the last column."""
        return [[] for _ in range(puzzle.width - 1)] + [[Clue(f"{puzzle.count}★")]]


FAMILY = Starbattle()
