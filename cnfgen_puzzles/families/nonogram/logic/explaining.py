"""Explanations of nonograms: the steps of `solving.py` told, and how hard they are together (docs/hints.md has the score)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cnfgen_puzzles.families.capabilities import DEPTH, LOOKS, Boards, ExplainedStep, Explaining, Explanation
from cnfgen_puzzles.families.nonogram.logic.assuming import Work
from cnfgen_puzzles.families.nonogram.logic.needed import needed
from cnfgen_puzzles.families.nonogram.logic.propagation import propagate
from cnfgen_puzzles.families.nonogram.logic.solutions import Solutions
from cnfgen_puzzles.families.nonogram.logic.solving import Solving
from cnfgen_puzzles.families.nonogram.logic.steps import AheadStep, Step, Telling
from cnfgen_puzzles.families.nonogram.logic.words import line_name
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

SOLVED, NONE, OPEN = "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"
"""An `Explanation`'s statuses; rooms of families import none of solvers."""


class NonogramExplaining(Explaining):
    """Line logic, and looking ahead where it ends."""

    def explain(
        self, puzzle: Nonogram, *, depth: int = DEPTH, looks: int = LOOKS, most: int | None = None, boards: Boards | None = None
    ) -> Explanation:
        solving = Solving(puzzle, depth, Work(looks), Solutions(puzzle, boards))
        steps: list[Step] = []
        cut, decided = False, 0
        for step in solving.steps():
            steps.append(step)
            decided += any(cell.colour is not None for cell in step.cells)
            if decided == most:
                cut = solving.grid.open > 0
                steps = needed(puzzle, steps, solving.words) if most == 1 else steps
                break
        telling = Telling(solving.grid, solving.words)
        told = tuple(ExplainedStep(telling.text(step), entry) for step, entry in zip(steps, telling.all(steps), strict=True))
        status = NONE if solving.contradicted is not None else OPEN if solving.grid.open else SOLVED
        known = solving.grid.known
        board = known if puzzle.inks > 1 else tuple(tuple(None if cell is None else bool(cell) for cell in row) for row in known)
        hard = {} if cut else difficulty(puzzle, solving, steps, status)
        return Explanation(puzzle, told, status, sentence(solving, steps, status, cut), board, hard)

    def board_to_json(self, puzzle: Nonogram, board: Any) -> list[list[int | None]]:
        """Rows of colours, as numbers; null where a cell is open."""
        return [[None if cell is None else int(cell) for cell in row] for row in board]


def sentence(solving: Solving, steps: Sequence[Step], status: str, cut: bool) -> str:
    """How it ended, and on what that rests."""
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
        how = f"with {ahead}, at most {depth_of(looks)} deep" if looks else "by line logic alone"
        only = "the only solution with the known cells" if solving.puzzle.known else "the only solution"
        return f"every cell follows in {count} {how}: {only}"
    if solving.contradicted is not None:
        after = f"after {count} " if steps else ""
        return f"no solution: {after}no arrangement of {line_name(solving.grid.lines, solving.contradicted)} is left"
    if (differing := solving.solutions.differing) == left:
        return f"nothing else follows: {left} cells are open, in which solutions differ"
    ends = f"line logic and looking ahead to depth {solving.depth} end here" if solving.depth else "line logic ends here"
    if solving.exhausted:
        ends = f"line logic ends here, and looking ahead gave up after {solving.work.most} lines"
    return f"{ends}: {cells}{f', in {differing} of which solutions differ' if differing else ''}"


def depth_of(steps: Sequence[Step]) -> int:
    """The most assumptions within each other."""
    return max((step.depth for step in steps), default=0)


def difficulty(puzzle: Nonogram, solving: Solving, steps: Sequence[Step], status: str) -> dict[str, Any]:
    """The numbers behind 'how hard': docs/hints.md says what each is."""
    by_lines = propagate(puzzle)
    given = sum(cell is not None for row in puzzle.known for cell in row)
    cells = puzzle.height * puzzle.width - given
    looks = [step for step in steps if isinstance(step, AheadStep)]
    depth = depth_of(looks)
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
