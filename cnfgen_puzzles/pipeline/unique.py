"""Whether a puzzle has one board, several or none: a board, then another call that forbids it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.pipeline.solve import Outcome, solve, with_blocked
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import Solver

ONE, SEVERAL, NONE, UNDECIDED = "one", "several", "none", "undecided"

SHOWN_DIFFERENCES = 10


@dataclass(frozen=True)
class Uniqueness:
    """How many boards: the outcome of looking for one, and after a board that of looking for a `second`."""

    first: Outcome
    second: Outcome | None = None

    @property
    def verdict(self) -> str:
        """ONE, SEVERAL, NONE, or UNDECIDED within the limits."""
        if self.second is None:
            return NONE if self.first.status == UNSATISFIABLE else UNDECIDED
        return {SATISFIABLE: SEVERAL, UNSATISFIABLE: ONE}.get(self.second.status, UNDECIDED)

    @property
    def outcomes(self) -> list[Outcome]:
        return [self.first] if self.second is None else [self.first, self.second]

    @property
    def status(self) -> str:
        """Whether there is a board at all."""
        return self.first.status

    @property
    def boards(self) -> list[Board]:
        """At most two, which differ."""
        return [board for outcome in self.outcomes for board in outcome.boards]

    @property
    def failed(self) -> bool:
        """Whether a solver failed or a proof was refused, so that nothing is certain."""
        return any(outcome.failed for outcome in self.outcomes)

    def sentence(self) -> str:
        """What is true of the puzzle; where two boards differ, in lines of their own."""
        if self.second is None:
            return self.first.sentence()
        if self.verdict == ONE:
            return f"The only solution{self.second.evidence}."
        if self.verdict == UNDECIDED:
            return f"A solution; not decided whether it is the only one: {self.second.reason}."
        places = differing(self.first.family, self.first.puzzle, *self.boards)
        return "\n".join(["Several solutions. Two of them differ in:", *places])

    def measured(self) -> list[str]:
        """Who decided it and what was used, a line each."""
        *earlier, last = self.outcomes
        return last.measured(*earlier)

    def to_json(self) -> dict[str, Any]:
        """Puzzle, verdict, boards and work as JSON."""
        *earlier, last = self.outcomes
        return last.to_json(*earlier) | {"solutions": self.verdict}


def differing(family: Family, puzzle: Puzzle, board: Board, other: Board) -> Iterator[str]:
    """The places in which two boards differ, a line each; not too many."""
    places = family.differences(puzzle, board, other)
    yield from (f"  {place}" for place in places[:SHOWN_DIFFERENCES])
    if len(places) > SHOWN_DIFFERENCES:
        yield f"  and {len(places) - SHOWN_DIFFERENCES} more lines"


def unique(
    instance: Instance,
    solver: Solver,
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    certify: bool = False,
) -> Uniqueness:
    """Whether the instance has one board, several or none; each of the two calls runs under `limits`."""
    first = solve(instance, solver, limits=limits, seed=seed, certify=certify)
    if first.run.model is None:
        return Uniqueness(first)
    blocked = with_blocked(instance.cnf, instance.projection, first.run.model)
    return Uniqueness(first, solve(instance, solver, limits=limits, seed=seed, certify=certify, cnf=blocked))
