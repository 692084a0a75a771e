"""Easy as ABC."""

from collections.abc import Iterator, Sequence
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, latin_faults, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Easyasabc(Numbers):
    """Easy as ABC: write letters into some cells so that each row and each column has each letter once.

    The number of letters is given. A letter outside the board is the first one of its row or column, from there.
    """

    name = "easyasabc"
    url = (pzpr.COUNT, pzpr.OUTSIDE, pzpr.SOME_NUMBERS)
    file = (pzprfile.COUNT, pzprfile.framed(pzprfile.with_givens("-"), behind=1))
    rules = "nmDupRow nmSightNe nmMissRow ceNoNum"
    letters = True

    def misfit(self, puzzle: Any) -> str:
        most = max(puzzle.height, puzzle.width)
        wrong = "" if 1 <= puzzle.count <= most else f"found {puzzle.count} letters, expected from 1 to {most}"
        return wrong or super().misfit(puzzle)

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return dict.fromkeys(puzzle.cells, range(puzzle.count + 1))

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cell, _ in puzzle.given():
            formula.add(-number[cell][0])
        for line in rows_and_columns(puzzle):
            for letter in range(1, puzzle.count + 1):
                formula.exactly_one([number[cell][letter] for cell in line], "pairwise")
        for line, letter in puzzle.sights():
            for k, cell in enumerate(line):
                for other in set(number[cell]) - {0, letter}:
                    formula.add(-number[cell][other], *(-number[before][0] for before in line[:k]))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from latin_faults(puzzle, board)
        for line, letter in puzzle.sights():
            first = next((board[r][c] for r, c in line if board[r][c] > 0), letter)
            if first != letter:
                yield "nmSightNe", f"{at(line[0])}: the first letter is {self.sign(first)}, expected {self.sign(letter)}"
        for line in rows_and_columns(puzzle):
            for letter in set(range(1, puzzle.count + 1)) - {board[r][c] for r, c in line}:
                yield "nmMissRow", f"{at(line[0])}: its line has no {self.sign(letter)}"
        yield from self.given_faults(puzzle, board)


FAMILY = Easyasabc()
