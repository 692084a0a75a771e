"""Yin-Yang."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, blocks_of, border, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import BLACK, WHITE, Circles
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import components
from cnfgen_puzzles.formula.formula import FALSE


class Yinyang(Circles):
    """Yin-Yang: put a white or a black circle into each cell; some are given.

    The white circles are connected, and so are the black ones. No block of 2x2 cells has circles of one color.
    """

    name = "yinyang"
    rules = "ms2x2 mu2x2 msDivide muDivide ceNoNum"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        white, black = self.colors(puzzle, formula)
        for part in (black, white):
            formula.forbid_block(part, 2, 2)
            formula.connected(part, connectivity)
        _add_arc(formula, [black[cell] for cell in border(puzzle)])  # follows: a path between two arcs cuts the other color
        for r, c in product(range(puzzle.height - 1), range(puzzle.width - 1)):  # follows, too
            a, b, d, e = (black[r + i, c + j] for i in (0, 1) for j in (0, 1))
            formula.add_clauses([(-a, b, d, -e), (a, -b, -d, e)])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for circle, letter, color in ((BLACK, "s", "black"), (WHITE, "u", "white")):
            for cell in blocks_of(board, circle):
                yield f"m{letter}2x2", f"{at(cell)}: a block of 2x2 {color} circles"
            if len(components(cells_with(board, circle))) > 1:
                yield f"m{letter}Divide", f"the {color} circles are not connected"
        yield from self.circle_faults(puzzle, board)


def _add_arc(formula: GridFormula, ring: list[int]) -> None:
    """Around the ring, the true literals follow each other, and so do the false ones: at most two changes.

    From the first literal on, the values are its value, then the other one, then its value again: an order encoding of two
    places. Size: 2 variables, functions of the literals, and 10 clauses for each.
    """
    first, before, again = ring[0], FALSE, FALSE
    for literal in ring[1:]:
        other, after = formula.auxiliary(2)
        formula.add_folded(-before, other)
        formula.add_folded(-again, after)
        again = after
        formula.add_folded(-again, before)
        for start, here in ((first, literal), (-first, -literal)):
            formula.add_folded(-start, other, here)
            formula.add_folded(-start, -again, here)
            formula.add_folded(-start, -other, again, -here)
        before = other


FAMILY = Yinyang()
