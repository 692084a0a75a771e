"""Minimal unsatisfiable sets (MUS) of the givens of a puzzle: a set contradicts the rest of the puzzle; its proper subsets do
not.

An incremental solver extracts the sets (`extract_sets`). Each board that shows that a set is minimal is checked against the rules
of the puzzle with these givens. A final run of a solver shows that all sets are unsatisfiable: its formula is that of the puzzle
with the condition that all givens of at least one set hold. Its proof is checked like every other proof. If no literals tell that
a given holds, its clauses have the negation of a selector, and the condition makes the selectors of a set true. If no clauses
belong to one given alone, each question of the search has another formula, with the givens in question. In encodings of the
CEGAR loop, the formula has the constraints that models of the search violated.
"""

from __future__ import annotations

import contextlib
import time
from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.evidence.evidence import CLAIMED, Evidence
from cnfgen_puzzles.families.capabilities import Given, Givens, Refinement
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.answer import MusResult, Outcome, UnsatSet
from cnfgen_puzzles.pipeline.cegar import default_solver
from cnfgen_puzzles.pipeline.instance import Instance, checked_board, make_instance
from cnfgen_puzzles.pipeline.request import MusRequest, SolveRequest
from cnfgen_puzzles.pipeline.solve import (
    CHECK_FACTOR,
    CHECK_SECONDS,
    WAITING,
    FormulaTask,
    decide_by_argument,
    pick_solver,
    solve,
)
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.session import Session, SessionAnswer, open_session

# -- the search --------------------------------------------------------------------------------------------------------------

INTERRUPTED = "interrupted"


@dataclass
class FoundSets:
    """The sets that were found, each with its groups (by index) and whether it is minimal.

    `alone` is a model of the formula; None if it has none (`refuted`) or if none was found. `rest` is a model with all groups
    that are in no set. `reason` says why the search ended early.
    """

    sets: list[tuple[tuple[int, ...], bool]] = field(default_factory=list)
    alone: tuple[int, ...] | None = None
    refuted: bool = False
    rest: tuple[int, ...] | None = None
    reason: str = ""


class _SearchEnded(Exception):
    """A limit ended the solver, or the solver failed."""


def extract_sets(
    session: Session,
    groups: Sequence[Sequence[int]],
    check_model: Callable[[Sequence[int], Sequence[int]], None],
    refinement: Refinement | None = None,
) -> FoundSets:
    """Extract the sets, until a limit or Ctrl-C.

    `check_model(model, places)` is called for every model that shows a fact, with the groups that hold in it. The constraints of
    the refinement that a model violates are added first.
    """
    return _MusSearch(session, groups, check_model, refinement).search()


class _MusSearch:
    def __init__(
        self,
        session: Session,
        groups: Sequence[Sequence[int]],
        check_model: Callable[[Sequence[int], Sequence[int]], None],
        refinement: Refinement | None,
    ):
        self.session, self.groups, self.check_model, self.refinement = session, groups, check_model, refinement
        self.of = {literal: place for place, group in enumerate(groups) for literal in group}
        self.left = list(range(len(groups)))
        self.suspects: list[int] = []  # unsatisfiable according to the solver, and not minimal yet
        self.found = FoundSets()

    def search(self) -> FoundSets:
        """The sets, until a limit or Ctrl-C."""
        try:
            self.run()
        except (_SearchEnded, KeyboardInterrupt) as ended:
            self.found.reason = INTERRUPTED if isinstance(ended, KeyboardInterrupt) else str(ended)
            if self.suspects:  # unsatisfiable, but perhaps not minimal
                self.take(self.suspects, minimal=False)
        return self.found

    def run(self) -> None:
        """Search for the sets and store them in `found`."""
        found = self.found
        found.rest = found.alone = self.model(self.left)
        if found.alone is not None:
            return
        found.alone = self.model([])
        if found.alone is None:
            found.refuted = True
            return
        self.singles(found.alone)
        while (rest := self.model(self.left)) is None:
            self.shrink()
            self.take(self.suspects, minimal=True)
        found.rest = rest

    def model(self, places: Sequence[int]) -> tuple[int, ...] | None:
        """A model in which these groups hold; None if there is none, and then `suspects` is an unsatisfiable subset."""
        step = self.ask([literal for place in places for literal in self.groups[place]])
        if step.status == SATISFIABLE:
            self.check_model(step.model, places)
            return step.model
        self.suspects = sorted({self.of[literal] for literal in step.core})
        return None

    def ask(self, assumed: Sequence[int]) -> SessionAnswer:
        """Whether a model of these literals violates no constraint."""
        step = self.session.solve(assumed)
        while step.status == SATISFIABLE and self.refine(step.model):
            step = self.session.solve(assumed)
        if step.status not in (SATISFIABLE, UNSATISFIABLE):
            raise _SearchEnded(step.reason)
        return step

    def refine(self, model: Sequence[int]) -> bool:
        """Whether the model violates constraints; they are added."""
        broken = self.refinement.inspect({literal for literal in model if literal > 0})[1] if self.refinement else []
        if self.refinement and broken:
            sent = len(self.refinement.formula.literals)
            self.refinement.add(broken)
            self.add(self.refinement.formula.literals[sent:])
        return bool(broken)

    def add(self, literals: array[int]) -> None:
        """Add clauses of the refinement."""
        self.session.add_flat(literals)

    def singles(self, model: Sequence[int]) -> None:
        """Take each group that holds in no model as a set. A group that holds in `model` is not tried."""
        enough, pending = self.suspects, self.find_failing(self.left, model)
        while pending:
            place = pending.pop(0)
            model_with = self.model([place])
            if model_with is None:
                self.take([place], minimal=True)
            else:
                pending = self.find_failing(pending, model_with)
            self.suspects = [] if self.found.sets else enough

    def find_failing(self, places: Sequence[int], model: Sequence[int]) -> list[int]:
        """The groups of `places` that do not hold in the model."""
        true = set(model)
        return [place for place in places if not true.issuperset(self.groups[place])]

    def shrink(self) -> None:
        """Make `suspects` minimal by removing its elements one after another."""
        needed: set[int] = set()
        while open_ones := [place for place in self.suspects if place not in needed]:
            kept = self.suspects
            if self.model([place for place in kept if place != open_ones[0]]) is not None:
                needed.add(open_ones[0])
                self.suspects = kept

    def take(self, places: Sequence[int], *, minimal: bool) -> None:
        """Add a set, and exclude its groups from the search."""
        self.found.sets.append((tuple(places), minimal))
        self.left = [place for place in self.left if place not in places]
        self.suspects = []


class _WholeSearch(_MusSearch):
    """The search for givens to which no clauses belong alone: each question adds the formula of the puzzle with the givens in
    question, with new variables and a literal in each clause that switches it off. Its models are boards."""

    def __init__(self, session: Session, request: MusRequest, kind: Givens):
        super().__init__(session, [()] * kind.count(request.puzzle), lambda model, places: None, None)
        self.request, self.kind = request, kind
        self.until = time.process_time() + ((request.limits and request.limits.cpu) or float("inf"))
        self.switch, self.shift = 0, 0
        self.asked: dict[tuple[int, ...], tuple[int, int, int]] = {}
        """The switch of each question, and the places of its clauses."""

    def model(self, places: Sequence[int]) -> Any:
        instance, self.refinement = _begin(self.request, self.kind.only(self.request.puzzle, set(places)))
        if time.process_time() > self.until:
            raise _SearchEnded("CPU time limit")
        self.session.add([[-self.switch]] if self.switch else [])
        start, self.shift = len(self.session.cnf.literals), self.switch
        self.switch = self.shift + instance.cnf.num_variables + 1
        self.add(instance.cnf.literals)
        step = self.ask([self.switch])
        self.asked[tuple(places)] = self.switch, start, len(self.session.cnf.literals)
        if step.status == SATISFIABLE:
            return checked_board(self.request.family, instance.puzzle, instance.map, self.own(step.model))
        self.suspects = list(places)
        return None

    def own(self, model: Sequence[int]) -> list[int]:
        """The part of a model that belongs to the last question."""
        return [x - self.shift if x > 0 else x + self.shift for x in model if self.shift < abs(x) < self.switch]

    def refine(self, model: Sequence[int]) -> bool:
        return super().refine(self.own(model))

    def add(self, literals: array[int]) -> None:
        moved = ((x + self.shift if x > 0 else x - self.shift,) if x else (-self.switch, 0) for x in literals)
        self.session.add_flat(array("i", [x for part in moved for x in part]))

    def find_failing(self, places: Sequence[int], board: Any) -> list[int]:
        puzzle, family = self.request.puzzle, self.request.family
        return [place for place in places if family.check(self.kind.only(puzzle, {place}), board)]

    def whole(self) -> Cnf:
        """The condition that the formula of at least one set has a model."""
        flat, switches = array("i"), []
        for places in [places for places, _ in self.found.sets] or [()]:
            switch, start, end = self.asked[places]
            switches.append(switch)
            flat += self.session.cnf.literals[start:end]
        flat.extend([*switches, 0])
        return Cnf(self.session.cnf.num_variables, flat.count(0), flat)


# -- the sets of a puzzle ----------------------------------------------------------------------------------------------------


def extract_mus(request: MusRequest) -> MusResult | None:
    """Extract the sets within the limits (for the search, and again for the proof) or until Ctrl-C; None if the puzzle has no
    givens or its family does not list them.

    The solver of the request finds the proof (default: the best one that writes proofs). Without a proof, the sets rest on the
    incremental solver alone.
    """
    family, puzzle = request.family, request.puzzle
    kind = family.givens and family.givens.of(puzzle)
    if kind is None or not kind.count(puzzle):
        return None
    bare = kind.only(puzzle, ())
    if (outcome := decide_by_argument(family, bare, request.encoding)) is not None:
        return MusResult(family, puzzle, UNSATISFIABLE, evidence=outcome.evidence)
    instance, refinement = _begin(request, bare)
    givens = kind.entries(puzzle, instance.map.blocks)
    if (cnf := kind.selecting(puzzle, instance.map.encoding)) is not None:
        selectors = range(cnf.num_variables - len(givens) + 1, cnf.num_variables + 1)
        givens = [replace(given, literals=(selector,)) for given, selector in zip(givens, selectors, strict=True)]
        instance = replace(instance, cnf=cnf)

    def check_model(model: Sequence[int], places: Collection[int]) -> None:
        checked_board(family, kind.only(puzzle, set(places)), instance.map, model)

    name = default_solver()
    with doing(f"looking for the {kind.name}s that contradict"), open_session(name, request.limits) as session:
        if all(given.literals for given in givens):
            session.add_flat(instance.cnf.literals)
            session.prefer([literal for given in givens for literal in given.literals] if cnf is not None else ())
            found = extract_sets(session, [given.literals for given in givens], check_model, refinement)
            whole, rest = any_whole(session.cnf, givens, found), found.rest
            board = None if rest is None else checked_board(family, bare, instance.map, rest)
        else:
            search = _WholeSearch(session, request, kind)
            found = search.search()
            whole, board = search.whole(), cast(Any, found.rest)
    evidence = Evidence(CLAIMED, name.removeprefix("bin:"))
    if request.proof and found.reason != INTERRUPTED and (found.sets or found.refuted):
        evidence = _proved(instance, whole, request) or evidence
    return MusResult(
        family,
        puzzle,
        alone=SATISFIABLE if found.alone is not None else UNSATISFIABLE if found.refuted else UNKNOWN,
        sets=tuple(UnsatSet(tuple(givens[place] for place in places), places, minimal) for places, minimal in found.sets),
        rest=board,
        evidence=evidence,
        reason=found.reason,
        interrupted=found.reason == INTERRUPTED,
    )


def _begin(request: MusRequest, puzzle: Any) -> tuple[Instance, Refinement | None]:
    """The formula of a puzzle, without constraints in encodings of the CEGAR loop."""
    family, encoding, refinement = request.family, request.encoding, None
    if family.refinement is not None and family.uses_cegar(encoding):
        encoding = encoding or next(iter(family.refinement.encodings), None)
        refinement = family.refinement(puzzle, family.encoding(encoding), **request.options)
    return make_instance(family, refinement.part() if refinement else puzzle, encoding, **request.options), refinement


def _proved(instance: Instance, cnf: Cnf, request: MusRequest) -> Evidence | None:
    """The evidence that the sets are unsatisfiable, by a separate run; None if the run decides nothing within the limits."""
    chosen = pick_solver(request.solver[0]) if request.solver else None
    for proof in (True, False):  # the best solver that writes proofs, otherwise the best solver
        with contextlib.suppress(InputError):
            chosen = chosen or pick_solver(proof=proof)
    if chosen is None:
        return None
    task = FormulaTask(limits=request.limits, checker=request.checker, cnf=cnf)
    outcome = solve(instance, chosen, task)
    if outcome.status == SATISFIABLE:
        raise CnfgenError(f"{outcome.run.solver.name} satisfies what was found to contradict: one of the solvers is wrong")
    return outcome.evidence if outcome.status == UNSATISFIABLE else None


def any_whole(cnf: Cnf, givens: Sequence[Given], found: FoundSets) -> Cnf:
    """The formula with the condition that all givens of at least one set hold: a new variable for each set implies its literals.
    If the formula itself is unsatisfiable, it does not change."""
    if found.refuted:
        return cnf
    clauses = [list(range(cnf.num_variables + 1, cnf.num_variables + 1 + len(found.sets)))]
    for chosen, (places, _) in zip(clauses[0], found.sets, strict=True):
        clauses += [[-chosen, literal] for place in places for literal in givens[place].literals]
    flat = cnf.literals[:]
    for clause in clauses:
        flat.extend([*clause, 0])
    return Cnf(cnf.num_variables + len(found.sets), cnf.num_clauses + len(clauses), flat)


def with_mus(outcome: Outcome, request: SolveRequest, seconds: float) -> Outcome:
    """The outcome of an unsatisfiable puzzle, extended by the minimal unsatisfiable sets of its givens.

    Without limits on time, the search takes at most CHECK_SECONDS, or CHECK_FACTOR times the `seconds` of the solving if that is
    more.
    """
    try:
        limits = bound_limits(request.limits, seconds)
        found = extract_mus(replace(request, encoding=outcome.encoding, limits=limits, solver=()))
    except InputError as error:  # an argument decided the puzzle, and no solver is installed
        found = MusResult(outcome.family, outcome.puzzle, UNKNOWN, reason=error.message)
    return replace(outcome, mus=found)


def bound_limits(limits: Limits | None, seconds: float) -> Limits:
    """The limits; if they do not bound the time, a bound in proportion to the `seconds` of the solving is added."""
    limits = limits or Limits()
    if limits.cpu is not None or limits.wall is not None:
        return limits
    within = max(CHECK_SECONDS, CHECK_FACTOR * seconds)
    return replace(limits, cpu=within, wall=WAITING * within)
