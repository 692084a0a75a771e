"""Stostone."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, room_parts, walled
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import RoomIslands
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell


class Stostone(RoomIslands):
    """Stostone: shade one connected stone in each room, so that the stones fall down and fill the lower half of the board.

    A number says how many cells its stone has. Stones do not touch across a wall by a side. They fall straight down, each as a
    whole.
    """

    name = "stostone"
    rules = "cbShade bkShadeDivide csUpper bkShadeNe cuLower bkNoShade"
    filled = True

    def unmakeable(self, width: int, height: int) -> str:
        return "" if height % 2 == 0 else "an even height, whose lower half the stones fill"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Half of each column is shaded. Two neighbors of a stone in a row fall equally far, so as many cells below them are
        shaded: that is enough, since stones do not touch and cannot hold each other."""
        shaded = self.islands(puzzle, formula, connectivity)
        if puzzle.height % 2:
            formula.add()
        below: dict[Cell, list[int]] = {}
        for c in range(puzzle.width):
            column = [shaded[r, c] for r in range(puzzle.height)]
            formula.exactly_k(column, puzzle.height // 2)
            counts = formula.running_counts(column[:0:-1], puzzle.height // 2)
            below |= {(puzzle.height - 1 - k, c): least for k, least in enumerate(counts)}
        for (r, c), literal in shaded.items():
            other = r, c + 1
            if c + 1 < puzzle.width and not walled(puzzle, (r, c), other):
                for one, two in zip(below[r, c], below[other], strict=True):
                    formula.add_clauses([(-literal, -shaded[other], -one, two), (-literal, -shaded[other], one, -two)])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.island_faults(puzzle, board)
        stones = list(chain.from_iterable(room_parts(puzzle, board, cells) for cells in puzzle.room_cells()))
        fallen = set(chain.from_iterable(_fallen(stones, puzzle.height)))
        for r, c in puzzle.cells:
            if 2 * r + 1 <= puzzle.height and (r, c) in fallen:
                yield "csUpper", f"{at((r, c))}: a stone rests in the upper half"
            if 2 * r + 1 >= puzzle.height and (r, c) not in fallen:
                yield "cuLower", f"{at((r, c))}: no stone is in this cell of the lower half"


def _fallen(stones: list[set[Cell]], height: int) -> list[set[Cell]]:
    """The stones where they rest: as long as one can, it falls by a cell."""
    moved = True
    while moved:
        moved, taken = False, set(chain.from_iterable(stones))
        for k, stone in enumerate(stones):
            lower = {(r + 1, c) for r, c in stone}
            if max(lower)[0] < height and not lower & (taken - stone):
                stones[k], taken, moved = lower, taken - stone | lower, True
    return stones


FAMILY = Stostone()
