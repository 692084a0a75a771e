"""Masyu."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, is_straight, joined
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula.formula import FALSE

WHITE, BLACK = 1, 2


class Mashu(Loop):
    """Masyu: one loop through the centers of cells, which passes all circles.

    It goes straight through a white circle and turns in a cell next to it. It turns in a black circle and goes straight through
    both cells next to it.
    """

    name = "mashu"
    url = (pzpr.CIRCLES,)
    file = (pzprfile.CLUES, pzprfile.LINES)
    variants: ClassVar = {"f": "the loop passes all cells"}
    circles = True
    rules = "brNoLine lnBranch lnCross mashuWCurve mashuBStrig mashuBCvNbr mashuWStNbr mashuOnLine lnDeadEnd ceNoLine lnPlLoop"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = self.cycle(puzzle, formula, connectivity)

        def line(cell: Cell, step: int, down: int, right: int) -> int:
            """The line from this cell, `step` cells away in a direction, on to the next cell."""
            a = cell[0] + step * down, cell[1] + step * right
            b = a[0] + down, a[1] + right
            return side.get((min(a, b), max(a, b)), FALSE)

        for cell, circle in formula.each(puzzle.clues()):
            ways = {way: line(cell, 0, *way) for way in ((0, 1), (0, -1), (1, 0), (-1, 0))}
            for way, literal in ways.items():
                back = ways[-way[0], -way[1]]
                if circle == BLACK:
                    formula.add_folded(-literal, -back)
                    formula.add_folded(literal, back)
                    formula.add_folded(-literal, line(cell, 1, *way))
                else:
                    formula.add_folded(-literal, back)
                    formula.add_folded(-literal, -line(cell, 1, *way), -line(cell, 1, -way[0], -way[1]))
            if circle == WHITE:
                formula.add_folded(*ways.values())

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        straight = [is_straight(board, other) for other in joined(board, place)]
        if not straight or is_straight(board, place) == all(straight):
            return pzpr.NONE
        return WHITE if is_straight(board, place) else BLACK if all(straight) else pzpr.NONE

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.cycle_faults(puzzle, board)
        for cell, circle in puzzle.clues():
            beside = joined(board, cell)
            straight = is_straight(board, cell)
            if not beside:
                yield "mashuOnLine", f"{at(cell)}: the line misses the circle"
            elif circle == WHITE:
                if len(beside) == 2 and not straight:
                    yield "mashuWCurve", f"{at(cell)}: the line turns in a white circle"
                elif len(beside) == 2 and all(is_straight(board, other) for other in beside):
                    yield "mashuWStNbr", f"{at(cell)}: the line goes straight on both sides of a white circle"
            elif straight:
                yield "mashuBStrig", f"{at(cell)}: the line goes straight through a black circle"
            elif len(beside) == 2 and any(len(joined(board, o)) == 2 and not is_straight(board, o) for o in beside):
                yield "mashuBCvNbr", f"{at(cell)}: the line turns beside a black circle"


FAMILY = Mashu()
