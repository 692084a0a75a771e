"""The model of a nonogram's formula where line logic solves the puzzle: cells, and where each block starts.

>>> from cnfgen_puzzles.families.nonogram.encodings import order
>>> from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
>>> puzzle = Nonogram(rows=((1,), (2,)), columns=((1,), (2,)))
>>> formula = order(puzzle)
>>> model = plain_model(puzzle, formula.blocks)
>>> sorted(model & set(formula.projection)), formula.falsified_clause(model)
([2, 3, 4], None)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from cnfgen_puzzles.families.nonogram.encodings import ink_literals, lines_of
from cnfgen_puzzles.families.nonogram.logic.propagation import propagate
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.formula import Block

ORDER, DIRECT = "by", "start"
"""The blocks of the encodings `order` and `direct` that say where a block of cells starts."""


def plain_model(puzzle: Nonogram, blocks: Mapping[str, Block]) -> set[int] | None:
    """The true variables; None where line logic leaves cells open, and for formulas of other variables."""
    cell, started = blocks["cell"], blocks.get(ORDER) or blocks.get(DIRECT)
    if started is None or len(blocks) > 2:
        return None
    reached = propagate(puzzle)
    if not reached.solved:
        return None
    board = reached.known
    true = {
        literal
        for r, row in enumerate(board)
        for c, colour in enumerate(row)
        for literal in (ink_literals(cell, r, c, colour or 0) if puzzle.inks > 1 else [cell.below(r)[c]] if colour else [])
        if literal > 0
    }
    for line, cells in zip(lines_of(puzzle, cell.first), (*board, *zip(*board, strict=True)), strict=True):
        for i, (first, base) in enumerate(zip(_starts(cells), line.bases(), strict=True)):
            later = started.below(line.number, i)[first - base :]
            true.update(later if started.name == ORDER else later[:1])
    return true


def _starts(cells: Sequence[int | None]) -> list[int]:
    """The first cell of each block of a line."""
    starts, place = [], 0
    for colour, run in groupby(cells):
        if colour:
            starts.append(place)
        place += len(list(run))
    return starts
