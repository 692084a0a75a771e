"""What a hint has to say: of the steps before one that decides a cell, those without which its reason would be another.

In coloured puzzles a step may leave a cell with fewer colours and decide none; a half-filled grid has no place for that, so that
a hint has to say such steps as well, but only those that it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from cnfgen_puzzles.families.nonogram.logic.propagation import ColourGrid, PuzzleLines
from cnfgen_puzzles.families.nonogram.logic.steps import AheadStep, Step, news
from cnfgen_puzzles.families.nonogram.logic.techniques import LineView, simplest
from cnfgen_puzzles.families.nonogram.logic.words import Words
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram


def needed(puzzle: Nonogram, steps: Sequence[Step], words: Words) -> list[Step]:
    """The last of the steps after those that it needs, each with the reason and the cells that it had. Looks ahead are taken as
    they are, with all that stands before the last of them."""
    *before, last = steps
    start = max((number for number, step in enumerate(steps, start=1) if isinstance(step, AheadStep)), default=0)
    kept = list(range(start, len(before)))

    def drop(part: list[int]) -> None:
        """Leave out all of these, or else what can be left out of either half."""
        nonlocal kept
        rest = [number for number in kept if number not in part]
        if _hold(puzzle, [*steps[:start], *(steps[number] for number in rest), last], words):
            kept = rest
        elif len(part) > 1:
            drop(part[len(part) // 2 :])
            drop(part[: len(part) // 2])

    if kept:
        drop(list(kept))
    first = steps[: min(start, len(before))]
    return [*first, *(steps[number] for number in kept), last]


def _hold(puzzle: Nonogram, steps: Sequence[Step], words: Words) -> bool:
    """Whether every step in a line is what is seen in it, after the steps before it alone."""
    lines = PuzzleLines(puzzle)
    grid = ColourGrid(lines, puzzle.known)
    for step in steps:
        if isinstance(step, AheadStep):
            grid.fix(*step.cell, step.colour, allowed=False)
            continue
        before = grid.can[step.line]
        found = simplest(LineView(lines.sizes[step.line], lines.blocks[step.line], before, words))
        if found is None or (found[0].name, found[1].reason) != (step.technique, step.reason):
            return False
        grid.restrict(step.line, found[1].can)
        if news(grid, step.line, before) != step.cells:
            return False
    return True
