"""Numbers of solutions, or lower bounds, for the puzzles that two model counters do not finish.

One solution is fixed outside some cells, and two programs count the solutions that agree with it there. The free cells are those
whose color some solution changes that differs from the first one only inside one window. All windows of one size are tried, in
steps of a third of it. If the window is the whole board, the other cells have one color in all solutions, and the number is
exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from pysat.solvers import Solver

import cnfgen_puzzles as cp
from cnfgen_puzzles.counting.enginenames import BOTH
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from studies.claims import Claim, Measured, Place
from studies.nonogram_survey.rowbyrow import RowByRow
from studies.nonogram_survey.solutioncounts import NOT_HERE, SOURCE, puzzle_file, shown

SOLVER = "glucose4"


@dataclass(frozen=True)
class Nearby:
    """The number of solutions near one, the size of the windows, and the approximate seconds on one core.

    Without a size, the window is the whole board. `counter` counts, and a second program must agree: for BOTH, the two model
    counters agree; otherwise `rowbyrow.py` is the second.
    """

    puzzle: str
    number: int
    seconds: float
    window: tuple[int, int] | None = None
    counter: str = BOTH


NEARBY = (
    Nearby("webpbn-02712", 11_587_557_534, 1500, counter="ganak"),
    Nearby("webpbn-09892", 609_723, 30, (16, 16)),
    Nearby("webpbn-10088", 7_497_936, 60, (16, 16)),
    Nearby("webpbn-12548", 26_304_512, 30, (14, 47)),
    Nearby("webpbn-22336", 23_040, 60),
)


class Neighborhood:
    """A solution `board` of a puzzle, by a SAT solver, and the solutions that differ from it inside a window."""

    def __init__(self, puzzle: cp.Puzzle):
        instance = cp.encode(puzzle, "order")
        self._cells = instance.projection  # row by row
        self._solver = Solver(SOLVER, bootstrap_with=map(list, instance.cnf.clauses()))
        self._next = instance.cnf.num_variables
        self.board = self._solution([])

    def _solution(self, assumptions: list[int]) -> list[int]:
        """A literal for each cell; empty without a solution."""
        if not self._solver.solve(assumptions=assumptions):
            return []
        true = set(self._solver.get_model())
        return [cell if cell in true else -cell for cell in self._cells]

    def changing(self, window: set[int]) -> set[int]:
        """The cells of the window that some solution changes which changes no cell outside."""
        fixed = [literal for cell, literal in enumerate(self.board) if cell not in window]
        same = set(window)
        while same:
            self._next += 1  # a new variable that implies a change
            self._solver.add_clause([-self._next, *(-self.board[cell] for cell in same)])
            found = self._solution([*fixed, self._next])
            if not found:
                break
            same = {cell for cell in same if found[cell] == self.board[cell]}
        return window - same


def windows(height: int, width: int, rows: int, columns: int) -> Iterator[set[int]]:
    """The cells, numbered row by row, of windows of this size in a board."""
    steps = [(side - part, max(1, part // 3)) for side, part in ((height, rows), (width, columns))]
    tops, lefts = (range(0, max(1, last + step), step) for last, step in steps)
    for top, left in product(tops, lefts):
        cells = product(range(top, min(top + rows, height)), range(left, min(left + columns, width)))
        yield {row * width + column for row, column in cells}


def fix_cells(puzzle: Nonogram, window: tuple[int, int] | None) -> tuple[Nonogram, int]:
    """The puzzle with all but the free cells fixed as in one solution, and the number of free cells."""
    near, width = Neighborhood(puzzle), puzzle.width
    size = window or (puzzle.height, puzzle.width)
    free = set().union(*map(near.changing, windows(puzzle.height, width, *size)))
    colors = [None if cell in free else int(literal > 0) for cell, literal in enumerate(near.board)]
    known = tuple(tuple(colors[row * width : (row + 1) * width]) for row in range(puzzle.height))
    return replace(puzzle, known=known), len(free)


def measure_near(case: Nearby, place: Place) -> Measured:
    """Counts the solutions near one, by two programs."""
    path = puzzle_file(case.puzzle, place)
    if path is None:
        return Measured(None, "", NOT_HERE)
    puzzle = cp.read(path, family="nonogram")
    assert isinstance(puzzle, Nonogram)
    near, free = fix_cells(puzzle, case.window)
    by_rows = RowByRow(near).count() if case.counter != BOTH else None
    found = cp.count(cp.encode(near, "order"), engine=case.counter)
    if not found.complete:
        return Measured(None, "", found.reason)
    programs = found.engine
    if by_rows is not None:
        programs += " and row by row"
        if by_rows != found.solutions:
            return Measured(None, "", f"{found.engine} counts {found.solutions:,}, and row by row {by_rows:,}")
    cells = puzzle.height * puzzle.width
    evidence = f"{found.solutions:,} solutions agree outside {free} of {cells} cells: counted by {programs}, which agree"
    if case.window is None:
        evidence += f"; the other cells have one color in all solutions ({SOLVER}; not independently verified)"
        return Measured(shown(found.solutions), evidence)
    if found.solutions < case.number:
        return Measured(None, evidence, f"{SOLVER} found another first solution, with fewer solutions near it")
    return Measured(at_least(case.number), evidence, "the number of all solutions is not known")


def at_least(number: int) -> str:
    return f"at least {shown(number)}"


def nearby_claims() -> Iterator[Claim]:
    """A claim for each puzzle."""
    for each in NEARBY:
        text, claimed = f"{each.puzzle}: number of solutions", (at_least if each.window else shown)(each.number)
        yield Claim(f"nonogram-counts/{each.puzzle}", SOURCE, text, claimed, partial(measure_near, each), each.seconds, full=True)
