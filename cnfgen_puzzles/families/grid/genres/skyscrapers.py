"""Skyscrapers."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, latin_faults, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula.formula import FALSE, TRUE


class Skyscrapers(Numbers):
    """Skyscrapers: write a number into each cell so that none occurs twice in a row or a column.

    The numbers go from 1 to the longer side of the board. They are heights: a number outside the board says how many numbers of
    its row or column are higher than all before them, from there.
    """

    name = "skyscrapers"
    url = (pzpr.OUTSIDE, pzpr.SOME_NUMBERS)
    file = (pzprfile.framed(pzprfile.with_givens(""), behind=1),)
    rules = "nmDupRow nmSightNe ceNoNum"

    clue_field = "outside"
    density = 1.0
    made = 5

    def unmakeable(self, width: int, height: int) -> str:
        fits = max(width, height) <= 7
        return "" if fits else "sides of at most 7: clues outside the board seldom leave one solution on a larger one"

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        side, k = place
        line = [row[k] for row in board] if side < 2 else board[k]
        return len(set(accumulate(line[::-1] if side % 2 else line, max)))

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Size: linear in cells times values. Auxiliary variables, functions of the board: no cell so far has a value or a higher
        one; a cell is higher than all before it."""
        number = self.numbers(puzzle, formula)
        for line in rows_and_columns(puzzle):
            formula.all_different(number[cell] for cell in line)
        for line, total in puzzle.sights():
            lower, seen = dict.fromkeys(sorted({value for cell in line for value in number[cell]}), TRUE), []
            for each in (number[cell] for cell in line):
                seen.append(formula.iff_or([formula.iff_and([literal, lower[value]]) for value, literal in each.items()]))
                here = FALSE
                for value in reversed(lower):
                    here = formula.iff_or([here, each.get(value, FALSE)])
                    lower[value] = formula.iff_and([lower[value], -here])
            formula.exactly_k_folded(seen, total)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from latin_faults(puzzle, board)
        for line, total in puzzle.sights():
            heights = [board[r][c] for r, c in line]
            found = sum(height > max([0, *heights[:k]]) for k, height in enumerate(heights))
            if found != total:
                yield "nmSightNe", f"{at(line[0])}: {found} numbers are seen from outside, expected {total}"
        yield from self.number_faults(puzzle, board)


FAMILY = Skyscrapers()
