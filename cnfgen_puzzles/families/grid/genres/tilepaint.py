"""Tilepaint."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with, mixed_faults, summed_runs
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Tilepaint(Shading):
    """Tilepaint: shade whole rooms, but no clue cells.

    Clue cells and the border of the board divide rows and columns into runs. A number above the diagonal says how many cells are
    shaded in the run to its right, a number below the diagonal that of the run below it. At least one cell is shaded.
    """

    name = "tilepaint"
    url = (pzpr.ROOMS, pzpr.NUMBER_PAIRS, pzpr.ALL_HEADINGS)
    file = (pzprfile.ROOMS, pzprfile.NUMBER_PAIRS, pzprfile.MARKED_SHADES)
    joint = "\\"
    connectivity = False
    rules = "brNoShade bkMixed asShadeNe"

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        return 0 if puzzle.lists[row][column] else super().known(puzzle, row, column)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.add_clause(shaded.values())
        for cell, _ in puzzle.given("lists"):
            formula.add(-shaded[cell])
        for cells in _tiles(puzzle):
            formula.all_equal(shaded[cell] for cell in cells)
        for run, number in summed_runs(puzzle):
            if number >= 0:
                formula.exactly_k([shaded[cell] for cell in run], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        if not cells_with(board, 1):
            yield "brNoShade", "no cell is shaded"
        yield from mixed_faults(board, _tiles(puzzle))
        for cell, _ in puzzle.given("lists"):
            if board[cell[0]][cell[1]]:
                yield "asShadeNe", f"{at(cell)}: a clue cell is shaded"
        for run, number in summed_runs(puzzle):
            if number >= 0 and (found := sum(board[r][c] for r, c in run)) != number:
                yield "asShadeNe", f"{at(run[0])}: the run from here has {found} shaded cells, expected {number}"


def _tiles(puzzle: Any) -> list[list[Cell]]:
    """The cells of each room that are no clue cells."""
    rooms = ([(r, c) for r, c in cells if not puzzle.lists[r][c]] for cells in puzzle.room_cells())
    return [cells for cells in rooms if cells]


FAMILY = Tilepaint()
