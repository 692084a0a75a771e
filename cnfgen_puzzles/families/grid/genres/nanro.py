"""Nanro."""

from collections.abc import Iterator, Sequence
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with, room_borders
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import UNKNOWN
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components


class Nanro(Numbers):
    """Nanro: write numbers into some cells of each room, all connected and without blocks of 2x2.

    The numbers of a room are equal and say how many there are. Equal numbers do not touch across a border of rooms. Each room has
    a number.
    """

    name = "nanro"
    url = (pzpr.ROOMS, pzpr.NUMBERS)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.FILLED_VALUES)
    older = ((pzprfile.ROOMS, pzprfile.CLUES, pzprfile.FILLED_VALUES),)
    connectivity = True
    rules = "nm2x2 cbSameNum bkPlNum nmCountGt nmDivide nmCountLt bkNoNum ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: range(len(cells) + 1) for cells in puzzle.room_cells() for cell in cells}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        filled = {cell: -values[0] for cell, values in number.items()}
        formula.forbid_block(filled, 2, 2)
        formula.connected(filled, connectivity)
        for cell, _ in puzzle.given():
            formula.add(filled[cell])
        for cells in puzzle.room_cells():
            least = formula.number_of([number[cell] for cell in cells], [filled[cell] for cell in cells])
            formula.add(least[0])
        for one, other in room_borders(puzzle):
            for k in range(1, min(len(number[one]), len(number[other]))):
                formula.add(-number[one][k], -number[other][k])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """A question mark without a number on the board counts as one of the numbers of its room."""
        number = self.with_unknown(puzzle, board)
        filled = tuple(tuple(int(number[r, c] != 0) for c in range(puzzle.width)) for r in range(puzzle.height))
        for cell in blocks_of(filled, 1):
            yield "nm2x2", f"{at(cell)}: a block of 2x2 numbers"
        if len(components(cells_with(filled, 1))) > 1:
            yield "nmDivide", "the numbers are not connected"
        for cells in puzzle.room_cells():
            found = [number[cell] for cell in cells if number[cell]]
            kinds = {each for each in found if each > 0}
            if len(kinds) > 1:
                yield "bkPlNum", f"{at(cells[0])}: its room has different numbers"
            elif not found:
                yield "bkNoNum", f"{at(cells[0])}: its room has no number"
            elif kinds and len(found) not in kinds:
                code = "nmCountGt" if len(found) > max(kinds) else "nmCountLt"
                yield code, f"{at(cells[0])}: its room has {len(found)} numbers, expected {max(kinds)}"
            if len(kinds) < 2:  # a question mark has the number of its room
                number |= {cell: max(kinds, default=len(found)) for cell in cells if number[cell] == UNKNOWN}
        for one, other in room_borders(puzzle):
            if number[one] and number[one] == number[other]:
                yield "cbSameNum", f"{at(one)}: the same number is beyond a border of rooms"
        yield from self.given_faults(puzzle, board)


FAMILY = Nanro()
