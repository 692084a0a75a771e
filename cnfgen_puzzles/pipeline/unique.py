"""Whether a puzzle has one board, several or none: a board, then another call that forbids it.

What small puzzles take is the start of programs: they go to the solver and the checker that start quickest, and where the family
finds a board by itself (`Family.plain_model`), as for most puzzles that people make, the second question is the only one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.evidence.basis import Evidence, evidence_json
from cnfgen_puzzles.evidence.checkers import LRAT
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.families.family import html_of_board
from cnfgen_puzzles.formula.cnf import Cnf
from cnfgen_puzzles.pipeline.asking.sides import Side, solve_by, without_guesses
from cnfgen_puzzles.pipeline.contradiction.result import Contradiction
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.pipeline.solve import FormulaOutcome, Outcome, plain, solve, with_blocked
from cnfgen_puzzles.pipeline.symmetries import orbit_of
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import FAILED
from cnfgen_puzzles.solving.table import solver_with_options

ONE, SEVERAL, NONE, UNDECIDED = "one", "several", "none", "undecided"
ONE_UP_TO = "one up to symmetry"
"""The only one of a formula that leaves out symmetric ones, where nobody knows how many these are."""

SHOWN_DIFFERENCES = 10

QUICK = "cadical --plain --phase=false"
"""Writes proofs with hints for lrat-check: both start in milliseconds, drat-trim takes a tenth of a second for any proof.
Without `--plain` what it does to a formula beforehand takes longer than these questions."""
FINDER = "minisat-core"
"""Finds a first board sooner than others, and proves nothing."""
QUICK_SECONDS = 0.5
"""CPU time of each call of these; what takes longer is not so plain, and goes the way of all others."""
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
    free: bool = False,
) -> Uniqueness:
    """Whether the instance has one board, several or none; each of the two calls runs under `limits`.

    `free`: nobody has chosen who answers, so that the family, FINDER and QUICK may before the `sides`, and another board is
    looked for near the first. A certificate (`proof_to`) is made of what the `sides` say.
    """
    how: dict[str, Any] = {
        "limits": limits, "seed": seed, "proof": proof, "certify": certify, "checker": checker, "proof_to": proof_to,
    }  # fmt: skip
    quick = _Quick(instance, limits, proof, checker) if free and proof_to is None else None
    # a first answer that there is none needs its proof, so one is written there, too
    first = (quick and (plain(instance) or quick.board())) or _together(solve_by(instance, sides, **how), quick)
    if first.model is None:
        return Uniqueness(first)
    blocked = with_blocked(instance.cnf, instance.projection, first.model)
    # what line logic solves has no other board: then there is nothing near it
    near = first.model if free and isinstance(first, FormulaOutcome) else ()
    second = (quick and quick.another(blocked, near)) or _together(
        solve_by(instance, without_guesses(sides), cnf=blocked, near=near, **how), quick
    )
    orbit = orbit_of(instance, first.model) if instance.map.up_to else 1
    return Uniqueness(first, second, instance.map.up_to, orbit)


class _Quick:
    """Tries that end soon; `gave_up` has those that came to nothing since somebody asked for them."""

    def __init__(self, instance: Instance, limits: Limits | None, proof: bool, checker: str | None):
        self.instance, self.proof = instance, proof
        given = limits or Limits()
        self.limits = replace(given, cpu=QUICK_SECONDS if given.cpu is None else min(QUICK_SECONDS, given.cpu))
        self.gave_up: list[FormulaOutcome] = []
        self.proves = checker in (None, LRAT.name) and LRAT.available("lrat")

    def board(self) -> FormulaOutcome | None:
        """A board, or the proof that there is none; by QUICK, which writes it, where the formula is SMALL."""
        small = len(self.instance.cnf.literals) <= SMALL
        return self._asked(QUICK if small else FINDER, self.instance.cnf, ())

    def another(self, blocked: Cnf, near: Sequence[int]) -> FormulaOutcome | None:
        """Another board, or the proof that there is none."""
        return self._asked(QUICK, blocked, near)

    def _asked(self, named: str, cnf: Cnf, near: Sequence[int]) -> FormulaOutcome | None:
        solver = solver_with_options(named)
        proof = self.proof and bool(solver.proof_format)
        if not solver.available() or (proof and not self.proves):
            return None
        how: dict[str, Any] = {"limits": self.limits, "proof": proof, "checker": LRAT.name if proof else None}
        outcome = solve(self.instance, solver, **how, cnf=cnf, near=near)
        certain = outcome.evidence is not None and outcome.evidence.certain
        if certain or (outcome.run.decided and not self.proof):
            return outcome
        self.gave_up.append(outcome)
        return None

    def all_that_gave_up(self) -> list[FormulaOutcome]:
        """Since the last time."""
        told, self.gave_up = self.gave_up, []
        return told


def _together(outcome: FormulaOutcome, quick: _Quick | None) -> FormulaOutcome:
    """The outcome with those that gave up before it: they used time, too, and what is wrong with them is told."""
    tried = quick.all_that_gave_up() if quick else []
    alarms = [f"{each.run.solver.name}: {each.reason}" for each in tried if each.run.status in FAILED]
    others = (*outcome.others, *(each.run for each in tried))
    return replace(outcome, others=others, alarms=(*outcome.alarms, *alarms))
