"""Juosan."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, room_numbers
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.formula.formula import FALSE

VERTICAL, HORIZONTAL = 1, 2


class Juosan(Shading):
    """Juosan: put a vertical or a horizontal bar into each cell.

    A number says how many bars of its room have the direction that more of them have, or half of them. No three vertical bars
    are next to each other in a row, and no three horizontal bars in a column.
    """

    name = "juosan"
    url = (pzpr.ROOMS, pzpr.ROOM_NUMBERS)
    file = (pzprfile.ROOMS, pzprfile.CLUES, pzprfile.values(none="0", given=lambda clue: False))
    rules = "baParaGe3 bkMajorBarGt bkMajorBarLt ceNoBar"
    connectivity = False
    states = (VERTICAL, HORIZONTAL)
    looks: ClassVar = {VERTICAL: Look("│", written=True), HORIZONTAL: Look("─", written=True)}
    beside = True

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        horizontal = formula.subset("shaded")
        formula.forbid_block(horizontal, 3, 1)
        formula.forbid_block({cell: -literal for cell, literal in horizontal.items()}, 1, 3)
        for cells, number in room_numbers(puzzle, formula):
            if 2 * number < len(cells):
                formula.add()
            turned = formula.new() if 2 * number > len(cells) else FALSE  # whether the number counts the vertical bars
            formula.exactly_k([formula.iff_xor(horizontal[cell], turned) for cell in cells], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell in (*blocks_of(board, VERTICAL, 1, 3), *blocks_of(board, HORIZONTAL, 3, 1)):
            yield "baParaGe3", f"{at(cell)}: three parallel bars next to each other"
        for cells, number in room_numbers(puzzle):
            bars = [board[r][c] for r, c in cells]
            if (found := max(bars.count(bar) for bar in self.states)) != number:
                code = "bkMajorBarGt" if found > number else "bkMajorBarLt"
                yield code, f"{at(cells[0])}: {found} bars of one direction in the room, expected {number}"
        for r, c in puzzle.cells:
            if board[r][c] not in self.states:
                yield "ceNoBar", f"{at((r, c))}: no bar"


FAMILY = Juosan()
