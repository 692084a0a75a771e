"""Yin-Yang."""

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, border, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell, components

WHITE, BLACK = 1, 2


class Yinyang(Shading):
    """Yin-Yang: put a white or a black circle into each cell; some are given.

    The white circles are connected, and so are the black ones. No block of 2x2 cells has circles of one color.
    """

    name = "yinyang"
    url = (pzpr.CIRCLES,)
    file = (pzprfile.CLUES, pzprfile.VALUES)
    rules = "ms2x2 mu2x2 msDivide muDivide ceNoNum"
    circles = True
    states = (WHITE, BLACK)
    looks: ClassVar = {WHITE: Look("○", written=True), BLACK: Look("●", written=True)}

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        return number if (number := puzzle.number((row, column))) >= 0 else None

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        black = formula.subset("shaded")
        white = {cell: -literal for cell, literal in black.items()}
        for part in (black, white):
            formula.forbid_block(part, 2, 2)
            formula.connected(part, connectivity)
        formula.single_arc([black[cell] for cell in border(puzzle)])  # follows: a path between two arcs cuts the other color
        for r, c in product(range(puzzle.height - 1), range(puzzle.width - 1)):  # follows, too
            a, b, d, e = (black[r + i, c + j] for i in (0, 1) for j in (0, 1))
            formula.add_clauses([(-a, b, d, -e), (a, -b, -d, e)])
        for cell, circle in formula.each(puzzle.clues()):
            formula.add((black if circle == BLACK else white)[cell])

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> Any:
        return board[place[0]][place[1]]

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for circle, letter, color in ((BLACK, "s", "black"), (WHITE, "u", "white")):
            for cell in blocks_of(board, circle):
                yield f"m{letter}2x2", f"{at(cell)}: a block of 2x2 {color} circles"
            if len(components(cells_with(board, circle))) > 1:
                yield f"m{letter}Divide", f"the {color} circles are not connected"
        for r, c in puzzle.cells:
            if board[r][c] not in self.states or self.known(puzzle, r, c) not in (None, board[r][c]):
                yield "ceNoNum", f"{at((r, c))}: no circle, or another than the given one"


FAMILY = Yinyang()
