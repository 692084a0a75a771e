"""Simple Loop."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, Lines, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import INK, Cells
from cnfgen_puzzles.families.squares import Cell


class FullLoop(Loop):
    """Boards of one loop through the centers of cells, which passes all cells without a mark, and no others."""

    def ground(self, puzzle: Any, cell: Cell) -> str | None:
        return INK if puzzle.marks and puzzle.marks[cell[0]][cell[1]] else None

    def full_loop(self, puzzle: Any, formula: GridFormula, connectivity: str) -> Lines:
        """The lines, which obey these rules."""
        side = formula.single_cycle(puzzle.height, puzzle.width, connectivity, empty=True)
        for r, c in puzzle.cells:
            if puzzle.marks and puzzle.marks[r][c]:
                formula.forbid(lines_at(side, (r, c)))
            else:
                formula.add_folded(*lines_at(side, (r, c)))
        return side

    def full_loop_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The faults of a board against these rules."""
        yield from self.loop_faults(board)
        for r, c in puzzle.cells:
            marked = puzzle.marks and puzzle.marks[r][c]
            if marked and joined(board, (r, c)):
                yield "lnOnShade", f"{at((r, c))}: the line passes a black cell"
            elif not marked and not joined(board, (r, c)):
                yield "ceNoLine", f"{at((r, c))}: the line misses the cell"


class SimpleLoop(FullLoop):
    """Simple Loop: one loop through the centers of cells, which passes every cell that is not black, and no black one."""

    name = "simpleloop"
    url = (pzpr.MARKS,)
    file = (pzprfile.MARKS, pzprfile.LINES)
    rules = "lnOnShade lnBranch lnCross lnDeadEnd lnPlLoop ceNoLine"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        self.full_loop(puzzle, formula, connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.full_loop_faults(puzzle, board)


FAMILY = SimpleLoop()
