"""Triddlers as formulas: the line encoders of nonograms, over lines in three directions.

The block is `cell[row, place]` (`cell[row, place, ink]` with several inks), row by row; it is the projection set. Its variables
and the lines' clauses are those of `families/nonogram/encodings.py`: lines are the rows, then the rising, then the falling lines,
whose cells are not side by side among the variables. In all three encodings the other variables are functions of the cells.

A small case in full, the triangle of side 1 and with it one cell in three lines of one cell: three times that it is filled.

>>> from cnfgen_puzzles.families.triddler.puzzle import Triddler
>>> list(order(Triddler((1, 0, 1, 0, 1, 0), (((1,),), ((1,),), ((1,),)))).clauses())
[[1], [1], [1]]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import cast

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.family import Encoding, by_name
from cnfgen_puzzles.families.nonogram import encodings as lines_as_clauses
from cnfgen_puzzles.families.nonogram.encodings import AMO, ClueLine
from cnfgen_puzzles.families.triddler.puzzle import Triddler
from cnfgen_puzzles.formula import Formula


def start_formula(puzzle: Triddler) -> tuple[Formula, list[ClueLine]]:
    """A formula with the block `cell`, which is the projection set, and the lines over it. No cell has two inks."""
    formula, rows = Formula(), puzzle.hexagon.row_lengths
    checked_amount("variables", puzzle.hexagon.cells * puzzle.inks)
    if puzzle.inks == 1:
        cell = formula.ragged("cell", {(r,): length for r, length in enumerate(rows)})
    else:
        cell = formula.ragged("cell", {(r, place): puzzle.inks for r, length in enumerate(rows) for place in range(length)})
        lines_as_clauses.one_ink_each(formula, cell, puzzle.inks)
    formula.projection = cell.variables
    return formula, list(_lines(puzzle, cell.first))


def _lines(puzzle: Triddler, first_cell: int) -> Iterator[ClueLine]:
    before = list(accumulate((length * puzzle.inks for length in puzzle.hexagon.row_lengths), initial=first_cell))
    number = 0
    for direction in range(3):
        for cells, (clue, colours) in zip(puzzle.hexagon.lines(direction), puzzle.lines(direction), strict=True):
            inked = tuple(tuple(before[r] + place * puzzle.inks + ink for r, place in cells) for ink in range(puzzle.inks))
            yield ClueLine(number, cast("tuple[range, ...]", inked), clue, tuple(colour - 1 for colour in colours))
            number += 1


def order(puzzle: Triddler) -> Formula:
    """The lean order encoding of every line; per line as for nonograms."""
    return lines_as_clauses.order_lines(*start_formula(puzzle))


def direct(puzzle: Triddler, amo: str = "pairwise") -> Formula:
    """A variable for each position of each block; per line as for nonograms."""
    return lines_as_clauses.direct_lines(*start_formula(puzzle), amo)


def regular(puzzle: Triddler) -> Formula:
    """Each clue as an automaton over its line; per line as for nonograms."""
    return lines_as_clauses.regular_lines(*start_formula(puzzle))


ENCODINGS = by_name(
    Encoding("order", "order variables 'block starts by here', three literals a clause: small and fast", order),
    Encoding("direct", "a variable for each position of each block", direct, (AMO,)),
    Encoding("regular", "each clue as an automaton over its line", regular),
)
