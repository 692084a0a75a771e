"""Castle Wall."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import RIGHT, Fault, at, joined, lines_from, pointed_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import INK, PAPER, Cells
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula.formula import FALSE

GRAY, WHITE, BLACK = range(3)


class Castle(Loop):
    """Castle Wall: one loop through the centers of cells, which passes no clue.

    White clues are inside the loop, black ones outside; a gray one may be either. In the direction of its arrow, along its row or
    column, a number counts the pieces of the loop between neighboring cells.
    """

    name = "castle"
    url = (pzpr.MARKED_ARROWS,)
    file = (pzprfile.MARKED_ARROWS, pzprfile.LINES)
    rules = "brNoLine lnBranch lnCross anLineGt anLineLt lnDeadEnd lnPlLoop shInside cuOutside anNoArrow lcOnNum"

    def ground(self, puzzle: Any, cell: Cell) -> str | None:
        return ("#cfcbc3", PAPER, INK)[puzzle.marks[cell[0]][cell[1]]] if cell in dict(puzzle.given()) else None

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = formula.single_cycle(puzzle.height, puzzle.width, connectivity)
        block = formula.blocks["inside"]
        for (r, c), number in formula.each(puzzle.given()):
            formula.forbid(lines_at(side, (r, c)))
            if mark := puzzle.marks[r][c]:
                within = block[r - 1, c - 1] if r and c else FALSE
                formula.add_folded(within if mark == WHITE else -within)
            if number >= 0 and puzzle.arrow((r, c)):
                cells = pointed_at(puzzle, (r, c))
                edges = [(min(pair), max(pair)) for pair in pairwise(cells)]
                formula.exactly_k_folded([side[edge] for edge in edges], number)
            elif number >= 0:
                formula.add()  # a number needs an arrow

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.loop_faults(board)
        closed = all(len(joined(board, cell)) in (0, 2) for cell in puzzle.cells)
        for cell, number in puzzle.given():
            r, c = cell
            if joined(board, cell):
                yield "lcOnNum", f"{at(cell)}: the line passes a clue"
            above = lines_from(puzzle, cell)[0]
            within = sum(bool(board[k][m] & RIGHT) for k, m in above) % 2 == 1
            if closed and within and puzzle.marks[r][c] == BLACK:
                yield "shInside", f"{at(cell)}: a black clue is inside"
            if closed and not within and puzzle.marks[r][c] == WHITE:
                yield "cuOutside", f"{at(cell)}: a white clue is outside"
            if number >= 0 and not puzzle.arrow(cell):
                yield "anNoArrow", f"{at(cell)}: a number without an arrow"
            elif number >= 0:
                cells = pointed_at(puzzle, cell)
                found = sum(b in joined(board, a) for a, b in pairwise(cells))
                if found != number:
                    yield "anLineGt" if found > number else "anLineLt", f"{at(cell)}: {found} pieces of line, expected {number}"


FAMILY = Castle()
