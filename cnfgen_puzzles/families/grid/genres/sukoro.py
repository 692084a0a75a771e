"""Sukoro."""

from collections.abc import Iterator, Sequence
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors


class Sukoro(Numbers):
    """Sukoro: write numbers into some cells, all connected.

    A number says how many of the cells beside it have numbers. Equal numbers do not share a side. There is at least one number.
    """

    name = "sukoro"
    url = (pzpr.DECIMAL,)
    file = (pzprfile.CLUES, pzprfile.FILLED_VALUES)
    connectivity = True
    rules = "brNoValidNum nmAdjacent nmNumberNe nmDivide ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        cells = set(puzzle.cells)
        return {cell: range(1 + len(cells.intersection(neighbors(cell)))) for cell in puzzle.cells}

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        return 1, 4

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        filled = {cell: -values[0] for cell, values in number.items()}
        formula.add_clause(filled.values())
        formula.connected(filled, connectivity)
        for cell, _ in puzzle.given():
            formula.add(filled[cell])
        for cell, values in number.items():
            formula.number_of([values], [filled[other] for other in neighbors(cell) if other in filled])
            for other in neighbors(cell)[2:]:
                for value in range(1, min(len(values), len(number.get(other, ())))):
                    formula.add(-values[value], -number[other][value])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """A question mark without a number on the board counts as one of the numbers."""
        number = self.with_unknown(puzzle, board)
        filled = {cell for cell, value in number.items() if value}
        if not any(value > 0 for value in number.values()):
            yield "brNoValidNum", "no cell has a number"
        for cell, value in number.items():
            near = [other for other in neighbors(cell) if other in filled]
            if value > 0 and any(number[other] == value for other in near):
                yield "nmAdjacent", f"{at(cell)}: the same number is beside it"
            if value > 0 and len(near) != value:
                yield "nmNumberNe", f"{at(cell)}: {len(near)} numbers are beside it, expected {value}"
        if len(components(filled)) > 1:
            yield "nmDivide", "the numbers are not connected"
        yield from self.given_faults(puzzle, board)


FAMILY = Sukoro()
