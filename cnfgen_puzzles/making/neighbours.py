"""Other solutions of a picture's puzzle, and the flaws that they show, each made small."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.families.capabilities import Flaw, Making, Place, Rows
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.solving.incremental import IncrementalSolver

SOLVER = "glucose4"
"""Of python-sat's solvers the one that follows a preferred picture most closely."""
SMALL = 4
"""Cells of a flaw that need not be made smaller."""


class TimeOver(Exception):
    """The time that is left is not enough to find another solution, or that there is none."""


def places_of(picture: Rows) -> list[Place]:
    """All cells of a picture."""
    return [(row, column) for row, cells in enumerate(picture) for column in range(len(cells))]


def other_solutions(family: Family, making: Making, puzzle: Puzzle, picture: Rows, deadline: float) -> list[Flaw]:
    """The flaws of a picture that other solutions of its puzzle show, no cell differing in two of them; empty: it has no other.

    TimeOver if that is not known before the `deadline`, on the monotonic clock.
    """
    with _Neighbours(family, making, puzzle, picture, deadline) as neighbours:
        return neighbours.flaws()


def has_other_solution(family: Family, making: Making, puzzle: Puzzle, picture: Rows, deadline: float) -> bool:
    """Whether the picture's puzzle has another one; TimeOver as above."""
    with _Neighbours(family, making, puzzle, picture, deadline) as neighbours:
        return neighbours.another(()) is not None


class _Neighbours:
    """Solutions that differ from the picture, which solves the puzzle; near ones are found first."""

    def __init__(self, family: Family, making: Making, puzzle: Puzzle, picture: Rows, deadline: float):
        self.family, self.making, self.puzzle, self.picture, self.deadline = family, making, puzzle, picture, deadline
        formula: Formula = family.encode(puzzle)
        self.blocks = formula.blocks
        self.as_drawn = {
            place: making.literals(puzzle, self.blocks, place, int(picture[place[0]][place[1]])) for place in places_of(picture)
        }
        self.next = formula.num_variables + 1
        self.solver = IncrementalSolver(SOLVER)
        self.solver.add_all(formula.clauses())
        drawn = [literal for literals in self.as_drawn.values() for literal in literals]
        self.solver.prefer(drawn)
        self.solver.add([-literal for literal in drawn])

    def __enter__(self) -> _Neighbours:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.__exit__()

    def flaws(self) -> list[Flaw]:
        """Flaws until every other solution differs in a cell of one of them."""
        found: list[Flaw] = []
        fixed: set[Place] = set()
        while (other := self.another(fixed)) is not None:
            for flaw in self.making.flaws(self.picture, other):
                found.append(self._smallest(flaw))
                fixed |= found[-1].differing
        return found

    def another(self, fixed: Collection[Place], *assumptions: int) -> Rows | None:
        """A solution with these cells as they are drawn, and some other as it is not."""
        as_drawn = [literal for place in fixed for literal in self.as_drawn[place]]
        answer = self.solver.solve_within(self.deadline - time.monotonic(), [*assumptions, *as_drawn])
        if answer is None:
            raise TimeOver
        if not answer:
            return None
        true = {literal for literal in self.solver.model if literal > 0}
        board: Any = self.family.decode(self.puzzle, self.blocks, true)
        if board == self.picture or self.family.check(self.puzzle, board):
            raise AssertionError(f"{SOLVER}'s model is no other solution")
        return board

    def _smallest(self, flaw: Flaw) -> Flaw:
        """One whose differing cells are among those of the flaw, none of whose parts is a flaw itself."""
        while len(flaw.differing) > SMALL:
            switch, self.next = self.next, self.next + 1
            some_stay = [literal for place in flaw.differing for literal in self._stays(place)]
            self.solver.add([-switch, *some_stay])
            others = [place for place in self.as_drawn if place not in flaw.differing]
            other = self.another(others, switch)
            if other is None:
                return flaw
            flaw = min(self.making.flaws(self.picture, other), key=lambda part: len(part.decisive))
        return flaw

    def _stays(self, place: Place) -> list[int]:
        """A literal that is true only if the cell is as it is drawn."""
        literals = self.as_drawn[place]
        if len(literals) == 1:
            return literals
        stays, self.next = self.next, self.next + 1
        for literal in literals:
            self.solver.add([-stays, literal])
        return [stays]
