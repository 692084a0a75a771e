"""Shimaguni."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, room, room_borders
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomIslands
from cnfgen_puzzles.families.grid.layer.numbers import at_least
from cnfgen_puzzles.families.looks import Cells


class Shimaguni(RoomIslands):
    """Shimaguni: shade one connected island in each room, so many cells as its number says.

    Shaded cells do not touch across a wall. Islands of rooms that share a side have different sizes.
    """

    name = "shimaguni"
    rules = "cbShade bkShadeDivide bkShadeNe bsEqShade bkNoShade"
    filled = True

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = self.islands(puzzle, formula, connectivity)
        rooms = {room(puzzle, cells[0]): [shaded[cell] for cell in cells] for cells in puzzle.room_cells()}
        pairs = _beside(puzzle)
        sizes = {number: formula.counts(rooms[number]) for number in dict.fromkeys(n for pair in pairs for n in pair)}
        for one, other in pairs:
            for k in range(1, 1 + min(len(sizes[one]), len(sizes[other]))):
                clause = [sign * at_least(sizes[n], m) for n in (one, other) for sign, m in ((-1, k), (1, k + 1))]
                formula.add_folded(*clause)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.island_faults(puzzle, board)
        sizes = {room(puzzle, cells[0]): sum(board[r][c] for r, c in cells) for cells in puzzle.room_cells()}
        first = {room(puzzle, cells[0]): cells[0] for cells in puzzle.room_cells()}
        for one, other in _beside(puzzle):
            if sizes[one] == sizes[other] > 0:
                yield "bsEqShade", f"{at(first[one])}: a room beside this one has an island of the same size, {sizes[one]}"


def _beside(puzzle: Any) -> list[tuple[int, int]]:
    """The pairs of rooms that share a side."""
    pairs = ((room(puzzle, a), room(puzzle, b)) for a, b in room_borders(puzzle))
    return sorted({(min(pair), max(pair)) for pair in pairs if len(set(pair)) == 2})


FAMILY = Shimaguni()
