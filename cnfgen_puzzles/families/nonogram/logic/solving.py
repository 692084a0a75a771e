"""A nonogram solved as a person would: the easiest line next, and an assumption where no line gives anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cnfgen_puzzles.families.nonogram.logic.ahead import Exhausted, LookingAhead, Work
from cnfgen_puzzles.families.nonogram.logic.lines import narrowed
from cnfgen_puzzles.families.nonogram.logic.propagation import Grid, Lines
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
    grid: Grid = field(init=False)
    contradicted: int | None = None
    exhausted: bool = False

    def __post_init__(self) -> None:
        self.words = Words(self.puzzle)
        self.grid = Grid(Lines(self.puzzle), self.puzzle.known)

    def steps(self) -> Iterator[Step]:
        """One step after the other, each after the grid has it."""
        ahead = LookingAhead(self.work, self.depth)
        proposed: dict[int, tuple[Technique, Found]] = {}
        touched = set(range(self.grid.lines.count))
        while True:
            if not self._look(touched, proposed):
                return
            if proposed:
                yield self._line_step(proposed, touched)
                ahead.changed(touched)
                continue
            try:
                step = ahead.next_step(self.grid) if self.grid.open else None
            except Exhausted:
                self.exhausted = True
                return
            if step is None:
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
            if narrowed(lines.sizes[line], lines.blocks[line], can) is None:
                self.contradicted = line
                return False
            found = simplest(LineView(lines.sizes[line], lines.blocks[line], can, self.words))
            if found:
                proposed[line] = found
            else:
                proposed.pop(line, None)
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
