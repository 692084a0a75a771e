"""Hakoiri-masashi."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, twice
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components


class Hakoiri(Numbers):
    """Hakoiri-masashi: put one circle, one triangle, and one square into each room, all connected by sides.

    Equal figures do not touch, not even by a corner.
    """

    name = "hakoiri"
    url = (pzpr.ROOMS, pzpr.DECIMAL)
    file = (pzprfile.ROOMS, pzprfile.CLUES, pzprfile.DOTTED_VALUES)
    signs: ClassVar = {1: "○", 2: "△", 3: "□"}
    connectivity = True
    rules = "nmAround bkNumGt3 bkDupNum nmDivide bkNumLt3 ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return dict.fromkeys(puzzle.cells, range(4))

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        return 1, 3

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        filled = {cell: -values[0] for cell, values in number.items()}
        formula.connected(filled, connectivity)
        for cell, _ in puzzle.given():
            formula.add(filled[cell])
        for figure in (1, 2, 3):
            formula.no_two_touching({cell: values[figure] for cell, values in number.items()})
            for cells in puzzle.room_cells():
                formula.exactly_one(number[cell][figure] for cell in cells)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.touching_faults(puzzle, board)
        filled = {cell for cell, number in self.with_unknown(puzzle, board).items() if number}
        for cells in puzzle.room_cells():
            if (count := len(filled.intersection(cells))) != 3:
                yield "bkNumGt3" if count > 3 else "bkNumLt3", f"{at(cells[0])}: its room has {count} figures, expected 3"
            for figure in twice(board, cells):
                yield "bkDupNum", f"{at(cells[0])}: its room has several figures {self.signs[figure]}"
        if len(components(filled)) > 1:
            yield "nmDivide", "the figures are not connected"
        yield from self.given_faults(puzzle, board)


FAMILY = Hakoiri()
