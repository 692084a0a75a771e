"""Shugaku."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Genre
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import INK, Cells, Look
from cnfgen_puzzles.families.squares import components, neighbors
from cnfgen_puzzles.formula.formula import FALSE

AISLE, HALF, NORTH = 1, (2, 7), 4
"""An aisle, halves of futons alone, with and without a pillow, and a pillow above its other half."""
PILLOWS, FEET = {3: 0, 5: 1, 6: 2, 4: 3}, {8: 0, 10: 1, 11: 2, 9: 3}
"""The halves of futons with and without a pillow: where the other half is (up, left, right, down, as in `neighbors`)."""
OTHERS = {half: next(k for k, back in theirs.items() if back == 3 - way)
          for mine, theirs in ((PILLOWS, FEET), (FEET, PILLOWS)) for half, way in mine.items()}  # fmt: skip
"""For each half the other one."""
OUTLINE = (0.1, 0), (0.1, 0.9), (0.9, 0.9), (0.9, 0)
FRAME = (*OUTLINE, (0.8, 0), (0.8, 0.8), (0.2, 0.8), (0.2, 0))


def _turned(points: tuple[tuple[float, float], ...], way: int) -> tuple[tuple[float, float], ...]:
    """The image of a polygon that is open above, open to another side."""
    return tuple(((x, y), (y, x), (1 - y, x), (x, 1 - y))[way] for x, y in points)


class Shugaku(Genre):
    """Shugaku (School Trip): put futons of two cells into cells without a number; the other cells are connected aisles.

    Each futon has a pillow in one of its cells, never in the upper one of two, and shares a side with an aisle. No 2x2 cells are
    aisles. A number says how many pillows are beside its cell.
    """

    name = "shugaku"
    url = (pzpr.Signs({**{str(n): (n,) for n in range(5)}, "5": (pzpr.UNKNOWN,)}, "a digit or a letter", 6).of("numbers"),)
    file = (pzprfile.FUTONS,)
    rules = "kitamakura cs2x2 nmPillowGt futonHalf futonMidPos csDivide nmPillowLt ceEmpty"
    looks: ClassVar = {0: Look("."), AISLE: Look("#", fill=INK)} | {
        value: Look(sign, written=True) for value, sign in enumerate("○◓◒◐◑□⊔⊓⊐⊏", 2)
    }
    polygons: ClassVar = {half: _turned(OUTLINE, way) for half, way in PILLOWS.items()} | {
        half: _turned(FRAME, way) for half, way in FEET.items()
    }
    decode = Numbers.decode

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        free = [cell for cell in puzzle.cells if puzzle.number(cell) == pzpr.NONE]
        halves = {half: way for half, way in (PILLOWS | FEET).items() if NORTH not in (half, OTHERS[half])}
        value = formula.ints("number", dict.fromkeys(free, (AISLE, *halves)))
        aisle = {cell: value[cell][AISLE] if cell in value else FALSE for cell in puzzle.cells}
        formula.forbid_block(aisle, 2, 2)
        formula.connected(aisle, connectivity)
        for cell in free:
            for half, way in halves.items():
                other = neighbors(cell)[way]
                formula.add_folded(-value[cell][half], value.get(other, {}).get(OTHERS[half], FALSE))
                if half in PILLOWS:
                    around = (*neighbors(cell), *neighbors(other))
                    formula.add_folded(-value[cell][half], *(aisle.get(each, FALSE) for each in around))
        for cell, number in formula.each(puzzle.clues()):
            beside = [value[other] for other in neighbors(cell) if other in value]
            formula.exactly_k([each[half] for each in beside for half in halves if half in PILLOWS], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        found = {(r, c): board[r][c] for r, c in puzzle.cells}
        for cell in blocks_of(board, AISLE):
            yield "cs2x2", f"{at(cell)}: an aisle of 2x2 cells"
        if len(components(cells_with(board, AISLE))) > 1:
            yield "csDivide", "the aisles are not connected"
        for cell, number in puzzle.clues():
            pillows = sum(found.get(other, 0) in (HALF[0], *PILLOWS) for other in neighbors(cell))
            if pillows != number:
                yield f"nmPillow{'Gt' if pillows > number else 'Lt'}", f"{at(cell)}: {pillows} pillows, expected {number}"
        for cell, value in found.items():
            if (value == 0) != (puzzle.number(cell) != pzpr.NONE):
                yield "ceEmpty", f"{at(cell)}: neither a futon nor an aisle, or one in a cell with a number"
            if value == NORTH:
                yield "kitamakura", f"{at(cell)}: a pillow above the other half of its futon"
            way = (PILLOWS | FEET).get(value, 0)
            other = neighbors(cell)[way]
            if value in HALF or (value in OTHERS and found.get(other) != OTHERS[value]):
                yield "futonHalf", f"{at(cell)}: half a futon"
            elif value in PILLOWS and not any(found.get(each) == AISLE for each in (*neighbors(cell), *neighbors(other))):
                yield "futonMidPos", f"{at(cell)}: a futon without an aisle beside it"


FAMILY = Shugaku()
