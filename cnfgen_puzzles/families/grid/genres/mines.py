"""Minesweeper."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, around, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell


class Mines(Shading):
    """Minesweeper: find the mines, which are not in cells with a clue.

    A number says how many of the up to eight cells around it have a mine.
    """

    name = "mines"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.SHADES)
    rules = "nmMinesNe"
    connectivity = False
    density = 0.25
    looks: ClassVar = {0: Look("."), 1: Look("●", written=True)}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        mine = formula.subset("shaded")
        for cell, number in formula.each(puzzle.given()):
            formula.add(-mine[cell])
            if number >= 0:
                formula.exactly_k([mine[other] for other in around(puzzle, cell)], number, "pairwise")

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return pzpr.NONE if board[place[0]][place[1]] else sum(board[r][c] for r, c in around(puzzle, place))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell, number in puzzle.given():
            if board[cell[0]][cell[1]]:
                yield "nmMinesNe", f"{at(cell)}: a mine in a cell with a clue"
            elif number >= 0 and (found := self.clue(puzzle, board, cell)) != number:
                yield "nmMinesNe", f"{at(cell)}: {found} mines around the number, expected {number}"


FAMILY = Mines()
