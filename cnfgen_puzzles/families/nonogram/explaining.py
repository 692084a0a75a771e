"""Solving nonograms step by step, the easiest line first, and their difficulty (docs/how-to/hints.md defines the score)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.families.capabilities import DEPTH, LOOKS, Boards, ExplainedStep, Explanation
from cnfgen_puzzles.families.nonogram.ahead import Exhausted, LookingAhead, SolutionColors, Work
from cnfgen_puzzles.families.nonogram.lines import ColorGrid, PuzzleLines, propagate
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.families.nonogram.techniques import (
    TECHNIQUES,
    AheadStep,
    Finding,
    LineStep,
    LineView,
    Step,
    Words,
    news,
    simplest,
)

# -- solving ------------------------------------------------------------------------------------------------------------


@dataclass
class Solving:
    """A puzzle during its solution: the grid so far, and the reason for the end after `steps` has ended.

    `contradicted` is a line without an arrangement, if one was found; `exhausted`: the limit on lookahead was reached.
    """

    puzzle: Nonogram
    depth: int
    work: Work
    solutions: SolutionColors
    grid: ColorGrid = field(init=False)
    contradicted: int | None = None
    exhausted: bool = False

    def __post_init__(self) -> None:
        lines = PuzzleLines(self.puzzle)
        self.words, self.grid = Words(self.puzzle, lines), ColorGrid(lines, self.puzzle.known)

    def steps(self) -> Iterator[Step]:
        """The steps one after another, each after the grid contains it."""
        ahead = LookingAhead(self.work, self.depth, self.solutions)
        proposed: dict[int, Finding] = {}
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
            self.grid.fix(row, column, step.color, allowed=False)
            touched.update((row, self.grid.lines.height + column))
            ahead.changed(touched)
            yield step

    def _look(self, touched: set[int], proposed: dict[int, Finding]) -> bool:
        """Examine the changed lines: update their consequences, and check that all of them still have an arrangement."""
        lines = self.grid.lines
        for line in sorted(touched):
            can = self.grid.can[line]
            after = lines.narrow(line, can)
            if after is None:
                self.contradicted = line
                return False
            proposed.pop(line, None)
            if after != can and (found := simplest(LineView(lines.sizes[line], lines.blocks[line], can, self.words))):
                proposed[line] = found
        touched.clear()
        return True

    def _line_step(self, proposed: dict[int, Finding], touched: set[int]) -> LineStep:
        """Apply the step with the simplest technique; of several, the one that determines most."""

        def cost(line: int) -> tuple[int, int, int]:
            found = proposed[line]
            gone = sum((old ^ new).bit_count() for old, new in zip(self.grid.can[line], found.can, strict=True))
            return TECHNIQUES.index(found.technique), -gone, line

        line = min(proposed, key=cost)
        found, before = proposed[line], self.grid.can[line]
        touched.update(self.grid.restrict(line, found.can), [line])
        return LineStep(line, found.technique.name, found.reason, news(self.grid, line, before))


# -- hints --------------------------------------------------------------------------------------------------------------


def find_needed(puzzle: Nonogram, steps: Sequence[Step], words: Words) -> list[Step]:
    """The last step after those that it needs, each with its reason and its cells. Lookahead steps are kept unchanged, with all
    steps before the last of them."""
    *before, last = steps
    start = max((number for number, step in enumerate(steps, start=1) if isinstance(step, AheadStep)), default=0)
    kept = list(range(start, len(before)))

    def drop(part: list[int]) -> None:
        """Omit all of these, or else as many as possible of either half."""
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
    """Whether every line step follows from the steps before it."""
    lines = PuzzleLines(puzzle)
    grid = ColorGrid(lines, puzzle.known)
    for step in steps:
        if isinstance(step, AheadStep):
            grid.fix(*step.cell, step.color, allowed=False)
            continue
        before = grid.can[step.line]
        found = simplest(LineView(lines.sizes[step.line], lines.blocks[step.line], before, words))
        if found is None or (found.technique.name, found.reason) != (step.technique, step.reason):
            return False
        grid.restrict(step.line, found.can)
        if news(grid, step.line, before) != step.cells:
            return False
    return True


# -- explaining ---------------------------------------------------------------------------------------------------------

SOLVED, NONE, OPEN = "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"
"""The statuses of an `Explanation`; families import no solver modules."""


class NonogramExplaining:
    """Explains the solution of puzzles step by step: line logic, and lookahead after it."""

    def explain(
        self, puzzle: Nonogram, *, depth: int = DEPTH, looks: int = LOOKS, most: int | None = None, boards: Boards | None = None
    ) -> Explanation:
        """The steps from the known cells of the puzzle; each step is the easiest one. They end after `most` steps that determine
        some part of the board; with 1, a hint, only the steps that this one needs are included.

        At most `depth` assumptions are nested (0: none), and at most `looks` lines are examined for them. `boards` only show
        which assumptions need no attempt, because they hold in some solution; no step depends on them.
        """
        solving = Solving(puzzle, depth, Work(looks), SolutionColors(puzzle, boards))
        steps: list[Step] = []
        cut, decided = False, 0
        for step in solving.steps():
            steps.append(step)
            decided += any(cell.color is not None for cell in step.cells)
            if decided == most:
                cut = solving.grid.open > 0
                steps = find_needed(puzzle, steps, solving.words) if most == 1 else steps
                break
        words = solving.words
        explained = tuple(
            ExplainedStep(words.text(step), {"step": number, **words.to_json(step)}) for number, step in enumerate(steps, start=1)
        )
        status = NONE if solving.contradicted is not None else OPEN if solving.grid.open else SOLVED
        known = solving.grid.known
        board = known if puzzle.inks > 1 else tuple(tuple(None if cell is None else bool(cell) for cell in row) for row in known)
        hard = {} if cut else difficulty(puzzle, solving, steps, status)
        return Explanation(puzzle, explained, status, sentence(solving, steps, status, cut), board, hard)

    def board_to_json(self, puzzle: Nonogram, board: Any) -> list[list[int | None]]:
        """A partly known board as JSON: rows of colors as numbers; null for open cells."""
        return [[None if cell is None else int(cell) for cell in row] for row in board]


def sentence(solving: Solving, steps: Sequence[Step], status: str, cut: bool) -> str:
    """The reason for the end."""
    looks = [step for step in steps if isinstance(step, AheadStep)]
    count = f"{len(steps)} step{'s' * (len(steps) != 1)}"
    left = solving.grid.open
    cells = f"{left} cell{'s are' if left != 1 else ' is'} open"
    if cut:
        return f"the first {count}; {cells}"
    if status == SOLVED and not steps:
        return "every cell is known: a solution"
    if status == SOLVED:
        ahead = f"{len(looks)} look{'s' * (len(looks) > 1)} ahead"
        how = f"with {ahead}, at most {max(step.depth for step in looks)} deep" if looks else "by line logic alone"
        only = "the only solution with the known cells" if solving.puzzle.known else "the only solution"
        return f"every cell follows in {count} {how}: {only}"
    if solving.contradicted is not None:
        after = f"after {count} " if steps else ""
        return f"no solution: {after}no arrangement of {solving.words.line_name(solving.contradicted)} is left"
    if (differing := solving.solutions.differing) == left:
        return f"nothing else follows: {left} cells are open, in which solutions differ"
    ends = f"line logic and looking ahead to depth {solving.depth} end here" if solving.depth else "line logic ends here"
    if solving.exhausted:
        ends = f"line logic ends here, and looking ahead gave up after {solving.work.most} lines"
    return f"{ends}: {cells}{f', in {differing} of which solutions differ' if differing else ''}"


def difficulty(puzzle: Nonogram, solving: Solving, steps: Sequence[Step], status: str) -> dict[str, Any]:
    """The measures of difficulty; docs/how-to/hints.md defines each."""
    by_lines = propagate(puzzle)
    given = sum(cell is not None for row in puzzle.known for cell in row)
    cells = puzzle.height * puzzle.width - given
    looks = [step for step in steps if isinstance(step, AheadStep)]
    depth = max((step.depth for step in looks), default=0)  # of nested assumptions
    ended = "several solutions" if solving.solutions.differing else "not solved"
    kind = ended if status == OPEN else f"looking ahead, depth {depth}" if depth else "line logic"
    return {
        "class": kind,
        "score": sum(step.weight for step in steps),
        "steps": len(steps),
        "techniques": dict(Counter(step.technique for step in steps).most_common()),
        "rounds": by_lines.sweeps,
        "by lines": round(1 - by_lines.grid.open / cells, 3) if cells else 1.0,
        "looks ahead": len(looks),
        "depth": depth,
        "longest look": max((step.lines for step in looks), default=0),
        "assumptions": solving.work.assumptions,
        "lines looked at": solving.work.looks,
    }


EXPLAINING = NonogramExplaining()
