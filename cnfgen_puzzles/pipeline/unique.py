"""Whether a puzzle has one board, several or none: a board, then another call that forbids it.

What small puzzles take is the start of programs: they go to the solver and the checker that start quickest, and where the family
finds a board by itself (`Family.plain_model`), as for most puzzles that people make, the second question is the only one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from cnfgen_puzzles.evidence.basis import Evidence, evidence_json
from cnfgen_puzzles.evidence.checkers import LRAT
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.families.shown import html_of_board
from cnfgen_puzzles.formula.cnf import Cnf
from cnfgen_puzzles.ground import showing
from cnfgen_puzzles.pipeline.asking.sides import Side, solve_by
from cnfgen_puzzles.pipeline.contradiction.result import Contradiction
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.pipeline.solve import FormulaOutcome, Outcome, PlainOutcome, plain, solve, with_blocked
from cnfgen_puzzles.pipeline.symmetries import orbit_of
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import ERROR
from cnfgen_puzzles.solving.table import find_solver

ONE, SEVERAL, NONE, UNDECIDED = "one", "several", "none", "undecided"
ONE_UP_TO = "one up to symmetry"
"""The only one of a formula that leaves out symmetric ones, where nobody knows how many these are."""

SHOWN_DIFFERENCES = 10

QUICK = "cadical"
"""Writes proofs with hints for lrat-check: both start in milliseconds, drat-trim takes a tenth of a second for any proof."""
QUICK_SECONDS = 0.5
"""CPU time of each of its calls; what takes longer is not so plain, and goes the way of all others."""
SMALL = 40_000
"""Literals of formulas that are small."""


@dataclass(frozen=True)
class Uniqueness:
    """How many boards: the outcome of looking for one, and after a board that of looking for a `second`.

    Where the formula leaves out symmetric solutions, `up_to` says which, and `orbit` how many solutions the first board stands
    for, itself among them; None if nobody knows.
    """

    first: Outcome
    second: Outcome | None = None
    up_to: str = ""
    orbit: int | None = 1

    def __repr__(self) -> str:
        puzzle = self.first.family.describe(self.first.puzzle)
        return showing.in_brackets("Uniqueness", self.verdict, puzzle, self.sentence().partition("\n")[0])

    def _repr_html_(self) -> str:
        family, puzzle = self.first.family, self.first.puzzle
        told = [f"{family.describe(puzzle)}: {self.sentence()}", *self.outcomes[-1].measured(*self.outcomes[:-1])]
        drawn = zip(self.boards, (None, self.first.board), strict=False)
        boards = [html_of_board(family, puzzle, board, other) for board, other in drawn]
        return showing.words("\n".join(told)) + showing.side_by_side(boards)

    @property
    def verdict(self) -> str:
        """ONE, SEVERAL, NONE, or UNDECIDED within the limits; ONE_UP_TO if there is one board and those symmetric to it."""
        if self.second is None:
            return NONE if self.first.status == UNSATISFIABLE else UNDECIDED
        if self.second.status == UNSATISFIABLE and self.orbit != 1:
            return ONE_UP_TO if self.orbit is None else SEVERAL
        return {SATISFIABLE: SEVERAL, UNSATISFIABLE: ONE}.get(self.second.status, UNDECIDED)

    @property
    def outcomes(self) -> list[Outcome]:
        return [self.first] if self.second is None else [self.first, self.second]

    @property
    def status(self) -> str:
        """Whether there is a board at all."""
        return self.first.status

    @property
    def evidence(self) -> Evidence | None:
        """What the verdict rests on; None if it is UNDECIDED."""
        return self.outcomes[-1].evidence

    @property
    def contradiction(self) -> Contradiction | None:
        """What of the puzzle contradicts, if that is why it has no board."""
        return self.first.contradiction

    @property
    def boards(self) -> list[Board]:
        """At most two, which differ."""
        return [board for outcome in self.outcomes for board in outcome.boards]

    @property
    def alarms(self) -> tuple[str, ...]:
        """What other solvers, asked side by side, said wrongly."""
        return tuple(alarm for outcome in self.outcomes for alarm in outcome.alarms)

    @property
    def failed(self) -> bool:
        """Whether a solver failed, its proof was refused, or a proof that was required is missing."""
        return any(outcome.failed for outcome in self.outcomes)

    def sentence(self) -> str:
        """What is true of the puzzle; where two boards differ, in lines of their own."""
        if self.second is None:
            return self.first.sentence()
        if self.second.status == UNSATISFIABLE:
            up_to = f" {self.up_to}" if self.orbit != 1 else ""
            raw = f"; {self.orbit} in all" if self.orbit not in (None, 1) else ""
            return f"The only solution{up_to}{raw}{self.second.grounds}."
        if self.verdict == UNDECIDED:
            return f"A solution; not decided whether it is the only one: {self.second.reason}."
        places = differing(self.first.family, self.first.puzzle, *self.boards)
        return "\n".join(["Several solutions. Two of them differ in:", *places])

    def measured(self) -> list[str]:
        """Who decided it and what was used, a line each."""
        *earlier, last = self.outcomes
        return last.measured(*earlier)

    def to_json(self) -> dict[str, Any]:
        """Puzzle, verdict, what it rests on, boards and work as JSON."""
        *earlier, last = self.outcomes
        entry = last.to_json(*earlier) | {"solutions": self.verdict, "evidence": evidence_json(self.evidence)}
        return entry | ({"up_to": self.up_to, "orbit": self.orbit} if self.up_to else {})


def differing(family: Family, puzzle: Puzzle, board: Board, other: Board) -> Iterator[str]:
    """The places in which two boards differ, a line each; not too many."""
    places = family.differences(puzzle, board, other)
    yield from (f"  {place}" for place in places[:SHOWN_DIFFERENCES])
    if len(places) > SHOWN_DIFFERENCES:
        yield f"  and {len(places) - SHOWN_DIFFERENCES} more lines"


def unique(
    instance: Instance,
    sides: Sequence[Side],
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    proof: bool = True,
    certify: bool = False,
    checker: str | None = None,
    proof_to: Path | None = None,
    incremental: bool = False,
    quick: bool = False,
) -> Uniqueness:
    """Whether the instance has one board, several or none; each of the two calls runs under `limits`.

    `incremental`: both questions go to one solver that goes on where it was, and to the `sides` what it gives up. `quick`: QUICK
    may answer before all of these.
    """
    how: dict[str, Any] = {"limits": limits, "proof": proof, "certify": certify, "checker": checker, "proof_to": proof_to}
    tried: list[FormulaOutcome] = []
    if quick and proof and proof_to is None and (answer := _quick(instance, limits, checker, tried)):
        return answer
    # a first answer that there is none needs its proof, so one is written there, too
    ask = partial(solve_by, instance, sides, seed=seed, **how)
    if incremental:
        from cnfgen_puzzles.pipeline.asking.incremental import both_questions  # a call for one board needs no session

        first, *rest = both_questions(instance, ask, **how)
    else:
        first, rest = ask(), []
    first = _together(first, [each for each in tried if each.cnf is instance.cnf])
    if first.model is None:
        return Uniqueness(first)
    second = rest[0] if rest else ask(cnf=with_blocked(instance.cnf, instance.projection, first.model))
    return _both(instance, first, _together(second, [each for each in tried if each.cnf is not instance.cnf]))


def _together(outcome: FormulaOutcome, tried: Sequence[FormulaOutcome]) -> FormulaOutcome:
    """The outcome with those that gave up before it: they used time, too, and what is wrong with them is told."""
    alarms = [f"{each.run.solver.name}: {each.reason}" for each in tried if each.run.status == ERROR]
    others = (*outcome.others, *(each.run for each in tried))
    return replace(outcome, others=others, alarms=(*outcome.alarms, *alarms))


def _quick(instance: Instance, limits: Limits | None, checker: str | None, tried: list[FormulaOutcome]) -> Uniqueness | None:
    """The answer where a board is there without a solver, or the formula is small, if it is soon found and proved.

    `tried` gets what QUICK says.
    """
    solver = find_solver(QUICK)
    if checker not in (None, LRAT.name) or not (solver.available() and LRAT.available("lrat")):
        return None
    given = limits or Limits()
    within = replace(given, cpu=QUICK_SECONDS if given.cpu is None else min(QUICK_SECONDS, given.cpu))

    def ask(cnf: Cnf = instance.cnf) -> FormulaOutcome:
        tried.append(solve(instance, solver, limits=within, checker=LRAT.name, cnf=cnf))
        return tried[-1]

    first = plain(instance) or (ask() if len(instance.cnf.literals) <= SMALL else None)
    if first is None or not _certain(first):
        return None
    if first.model is None:
        return Uniqueness(first)
    second = ask(cnf=with_blocked(instance.cnf, instance.projection, first.model))
    return _both(instance, first, second) if _certain(second) else None


def _certain(outcome: Outcome) -> bool:
    return outcome.evidence is not None and outcome.evidence.certain


def _both(instance: Instance, first: FormulaOutcome | PlainOutcome, second: Outcome) -> Uniqueness:
    orbit = orbit_of(instance, first.model or ()) if instance.map.up_to else 1
    return Uniqueness(first, second, instance.map.up_to, orbit)
