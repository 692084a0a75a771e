"""Araf."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, extent, regions
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Owned
from cnfgen_puzzles.families.grid.layer.numbers import at_least
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Araf(Owned):
    """Araf: divide the board into regions with two numbers each, such that the size of a region lies between its numbers.

    It is not one of the numbers. With a question mark, it only differs from the other number.
    """

    name = "araf"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.BORDERS)
    ringed = True
    rules = "bkArafEqual bkArafTooSmall bkArafTooBig bkLessThan2Num bkMoreThan2Num bdDeadEnd"

    def pairs(self, puzzle: Any) -> dict[Cell, dict[Cell, int]]:
        """For each clue the later ones that can be in its region, and the most cells of the region. The first clue owns it."""
        given, found = list(puzzle.given()), dict[Cell, dict[Cell, int]]()
        for k, (cell, number) in enumerate(given):
            for other, second in given[k + 1 :]:
                both = pzpr.UNKNOWN not in (number, second)
                most = max(number, second) - 1 if both else len(puzzle.cells)
                if max(_least(cell, other), min(number, second) + 1 if both else 0) <= most:
                    found.setdefault(cell, {})[other] = most
        return found

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        given, pairs = dict(puzzle.given()), self.pairs(puzzle)
        reach = {
            clue: [
                cell
                for cell in puzzle.cells
                if (cell == clue or cell in others or cell not in given)
                and any(_least(clue, other, cell) <= most for other, most in others.items())
            ]
            for clue, others in pairs.items()
        }
        for (clue, others), own in zip(pairs.items(), self.owners(puzzle, formula, reach, connectivity), strict=True):
            for cell, literal in own.items():
                formula.add(-literal, own[clue])
                far = [other for other, most in others.items() if _least(clue, other, cell) > most]
                formula.forbid((own[other] for other in far), unless=-literal)
            formula.add(-own[clue], *(own[other] for other in others))
            formula.at_most_one([own[other] for other in others], "pairwise")
            numbers = {clue: given[clue]} | {other: given[other] for other in others}
            sums = [[literal] for literal in own.values()]
            while len(sums) > 1:
                sums = [*sums[2:], formula.unary_sum(sums[0], sums[1], 1 + max(0, *numbers.values()))]
            for other in others:
                low, high = sorted((numbers[clue], numbers[other]))
                for number in (low, high) if low == pzpr.UNKNOWN else ():
                    formula.add_folded(-own[other], -at_least(sums[0], max(number, 0)), at_least(sums[0], number + 1))
                if low >= 0:
                    formula.add_folded(-own[other], at_least(sums[0], low + 1))
                    formula.add_folded(-own[other], -at_least(sums[0], high))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in regions(board):
            numbers = [puzzle.number(cell) for cell in cells if puzzle.number(cell) != pzpr.NONE]
            if len(numbers) != 2:
                code = "bkMoreThan2Num" if numbers[2:] else "bkLessThan2Num"
                yield code, f"{at(cells[0])}: its region has {len(numbers)} numbers, expected 2"
            elif len(cells) in numbers:
                yield "bkArafEqual", f"{at(cells[0])}: its region has {len(cells)} cells, which is one of its numbers"
            elif pzpr.UNKNOWN not in numbers and not min(numbers) < len(cells) < max(numbers):
                code = "bkArafTooSmall" if len(cells) < min(numbers) else "bkArafTooBig"
                yield (
                    code,
                    f"{at(cells[0])}: its region has {len(cells)} cells, expected between {min(numbers)} and {max(numbers)}",
                )


def _least(*cells: Cell) -> int:
    """The size of the smallest connected region with two or three cells."""
    height, width = extent(cells)
    return height + width - 1


FAMILY = Araf()
