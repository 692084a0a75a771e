"""A nonogram solved as a person would: the easiest line next, and an assumption where no line gives anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.families.nonogram.logic.ahead import LookingAhead
from cnfgen_puzzles.families.nonogram.logic.assuming import Exhausted, Work
from cnfgen_puzzles.families.nonogram.logic.propagation import ColourGrid, PuzzleLines
from cnfgen_puzzles.families.nonogram.logic.solutions import Solutions
from cnfgen_puzzles.families.nonogram.logic.steps import LineStep, Step, news
from cnfgen_puzzles.families.nonogram.logic.techniques import TECHNIQUES, Found, LineView, Technique, simplest
from cnfgen_puzzles.families.nonogram.logic.words import Words
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

RANK = {technique.name: rank for rank, technique in enumerate(TECHNIQUES)}


@dataclass
class Solving:
    """A puzzle on its way: the grid so far, and how it ended, once `steps` has ended.

    `contradicted` is the line that no arrangement fits, if one was found; `exhausted` says that looking ahead was cut short.
    """

    puzzle: Nonogram
    depth: int
    work: Work
    solutions: Solutions
    grid: ColourGrid = field(init=False)
    contradicted: int | None = None
    exhausted: bool = False

    def __post_init__(self) -> None:
        self.words = Words(self.puzzle)
        self.grid = ColourGrid(PuzzleLines(self.puzzle), self.puzzle.known)

    def steps(self) -> Iterator[Step]:
        """One step after the other, each after the grid has it."""
        ahead = LookingAhead(self.work, self.depth, self.solutions)
        proposed: dict[int, tuple[Technique, Found]] = {}
        touched = set(range(self.grid.lines.count))
        while True:
            if not self._look(touched, proposed):
                return
            if proposed:
                yield self._line_step(proposed, touched)
                ahead.changed(touched)
                continue
            if not (left := self.grid.open):
                return
            try:
                with doing(f"looking ahead, {left} cell{'s are' if left > 1 else ' is'} open"):
                    step = ahead.next_step(self.grid)
            except Exhausted:
                self.exhausted, step = True, None
            if step is None:
                self.solutions.ask()
                return
            row, column = step.cell
            self.grid.fix(row, column, step.colour, allowed=False)
            touched.update((row, self.grid.lines.height + column))
            ahead.changed(touched)
            yield step

    def _look(self, touched: set[int], proposed: dict[int, tuple[Technique, Found]]) -> bool:
        """See what follows from the lines that were touched, and whether all of them still have an arrangement."""
        lines = self.grid.lines
        for line in sorted(touched):
            can = self.grid.can[line]
            after = lines.narrowed(line, can)
            if after is None:
                self.contradicted = line
                return False
            proposed.pop(line, None)
            if after != can and (found := simplest(LineView(lines.sizes[line], lines.blocks[line], can, self.words))):
                proposed[line] = found
        touched.clear()
        return True

    def _line_step(self, proposed: dict[int, tuple[Technique, Found]], touched: set[int]) -> LineStep:
        """Do the step by the simplest technique, of those the one that tells most."""

        def cost(line: int) -> tuple[int, int, int]:
            technique, found = proposed[line]
            gone = sum((old ^ new).bit_count() for old, new in zip(self.grid.can[line], found.can, strict=True))
            return RANK[technique.name], -gone, line

        line = min(proposed, key=cost)
        technique, found = proposed[line]
        before = self.grid.can[line]
        touched.update(self.grid.restrict(line, found.can), [line])
        return LineStep(line, technique.name, found.reason, news(self.grid, line, before))
