"""Minimal unsatisfiable sets (MUS) of the givens of a puzzle: a set contradicts the rest of the puzzle; its proper subsets do
not.

An incremental solver extracts the sets (`extract_sets`). Each board that shows that a set is minimal is checked against the rules
of the puzzle with these givens. A final run of a solver shows that all sets are unsatisfiable: its formula is that of the puzzle
with the condition that all givens of at least one set hold. Its proof is checked like every other proof. If no literals tell that
a given holds, its clauses have the negation of a selector, and the condition makes the selectors of a set true. If no clauses
belong to one given alone, each question of the search has another formula, with the givens in question (`extract_whole_sets`),
and there is a final run for each set.
In encodings of the CEGAR loop, the formula has the constraints that models of the search violated.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.evidence.evidence import CLAIMED, Evidence
from cnfgen_puzzles.families.capabilities import Given, Givens, Refinement
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.answer import Answer, MusResult, UnsatSet
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
from cnfgen_puzzles.solving.process import Limits, cpu_of_runs
from cnfgen_puzzles.solving.session import Session, SessionAnswer, open_session

# -- the search --------------------------------------------------------------------------------------------------------------

INTERRUPTED = "interrupted"

Reply = tuple[Any, Collection[int]]
"""A model, or a board, in which the groups in question hold; or None, and a subset of these groups that is unsatisfiable."""


class _SearchEnded(Exception):
    """A limit ended the solver, or the solver failed."""


class SetSearch:
    """The search for minimal unsatisfiable sets of groups, which are numbered from 0, until a limit or Ctrl-C.

    `ask` answers whether some groups hold together. The results: `sets`, each with its groups and whether it is minimal, single
    groups first; `alone`, a model without groups, or None if there is none (`refuted`) or none was found; `rest`, a model with
    all groups that are in no set; and the `reason` for an early end.
    """

    def __init__(self, count: int, ask: Callable[[Sequence[int]], Reply]):
        self.ask = ask
        self.sets: list[tuple[tuple[int, ...], bool]] = []
        self.alone: Any = None
        self.refuted = False
        self.rest: Any = None
        self.reason = ""
        self.left = list(range(count))
        self.suspects: list[int] = []  # unsatisfiable according to the solver, and not minimal yet
        try:
            self.search()
        except (_SearchEnded, KeyboardInterrupt) as ended:
            self.reason = INTERRUPTED if isinstance(ended, KeyboardInterrupt) else str(ended)
            if self.suspects:  # unsatisfiable, but perhaps not minimal
                self.take(self.suspects, minimal=False)
        self.sets.sort(key=lambda found: (len(found[0]), found[0]))

    def search(self) -> None:
        """Search for the sets."""
        self.rest = self.alone = self.model(self.left)
        if self.alone is not None:
            return
        self.alone = self.model([])
        if self.alone is None:
            self.refuted = True
            return
        self.shrink()
        self.take(self.suspects, minimal=True)
        while (rest := self.model(self.left)) is None:
            self.shrink()
            self.take(self.suspects, minimal=True)
        self.rest = rest

    def model(self, places: Sequence[int]) -> Any:
        """A model in which these groups hold; None if there is none, and then `suspects` is an unsatisfiable subset."""
        model, core = self.ask(places)
        if model is None:
            self.suspects = sorted(core)
        return model

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
        self.sets.append((tuple(places), minimal))
        self.left = [place for place in self.left if place not in places]
        self.suspects = []


def solve_refined(session: Session, assumed: Sequence[int], refinement: Refinement | None) -> SessionAnswer:
    """Whether a model of these literals violates no constraint of the refinement; the violated ones are added."""
    while True:
        step = session.solve(assumed)
        if step.status not in (SATISFIABLE, UNSATISFIABLE):
            raise _SearchEnded(step.reason)
        true = {literal for literal in step.model if literal > 0}
        broken = refinement.inspect(true)[1] if refinement and step.status == SATISFIABLE else []
        if refinement is None or not broken:
            return step
        sent = len(refinement.formula.literals)
        refinement.add(broken)
        session.add_flat(refinement.formula.literals[sent:])


def extract_sets(
    session: Session,
    groups: Sequence[Sequence[int]],
    check_model: Callable[[Sequence[int], Sequence[int]], None],
    refinement: Refinement | None = None,
) -> SetSearch:
    """Extract the sets of groups of literals. `check_model(model, places)` is called for every model that shows a fact, with the
    groups that hold in it."""
    group_of = {literal: place for place, group in enumerate(groups) for literal in group}

    def ask(places: Sequence[int]) -> Reply:
        step = solve_refined(session, [literal for place in places for literal in groups[place]], refinement)
        if step.status == UNSATISFIABLE:
            return None, {group_of[literal] for literal in step.core}
        check_model(step.model, places)
        return step.model, ()

    return SetSearch(len(groups), ask)


def extract_whole_sets(request: MusRequest, kind: Givens, solver: str) -> tuple[SetSearch, list[Cnf]]:
    """Extract the sets of givens to which no clauses belong alone: each question is the formula of the puzzle with the givens in
    question. Also returns the formula of each set, or that without givens."""
    family, puzzle = request.family, request.puzzle
    limits, begun = request.limits or Limits(), time.process_time() + cpu_of_runs()
    formulas: dict[tuple[int, ...], Cnf] = {}

    def ask(places: Sequence[int]) -> Reply:
        instance, refinement = _begin(request, kind.only(puzzle, set(places)))
        left = limits
        if limits.cpu is not None:  # for all questions together
            left = replace(limits, cpu=limits.cpu - (time.process_time() + cpu_of_runs() - begun))
            if left.cpu is not None and left.cpu <= 0:
                raise _SearchEnded("CPU time limit")
        with open_session(solver, left) as session:
            session.add_flat(instance.cnf.literals)
            step = solve_refined(session, (), refinement)
        formulas[tuple(places)] = session.cnf
        if step.status == UNSATISFIABLE:
            return None, places
        return checked_board(family, instance.puzzle, instance.map, step.model), ()

    found = SetSearch(kind.count(puzzle), ask)
    return found, [formulas.get(places, Cnf()) for places in [places for places, _ in found.sets] or [()]]


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
        givens = [given._replace(literals=(selector,)) for given, selector in zip(givens, selectors, strict=True)]
        instance = replace(instance, cnf=cnf)

    def check_model(model: Sequence[int], places: Collection[int]) -> None:
        checked_board(family, kind.only(puzzle, set(places)), instance.map, model)

    name = default_solver()
    with doing(f"looking for the {kind.name}s that contradict"):
        if all(given.literals for given in givens):
            with open_session(name, request.limits) as session:
                session.add_flat(instance.cnf.literals)
                session.prefer([literal for given in givens for literal in given.literals] if cnf is not None else ())
                found = extract_sets(session, [given.literals for given in givens], check_model, refinement)
            refuted = [any_whole(session.cnf, givens, found)]
            board = None if found.rest is None else checked_board(family, bare, instance.map, found.rest)
        else:
            found, refuted = extract_whole_sets(request, kind, name)
            board = found.rest
    evidence = Evidence(CLAIMED, name.removeprefix("bin:"))
    if request.proof and found.reason != INTERRUPTED and (found.sets or found.refuted):
        proved = [_proved(instance, cnf, request) or evidence for cnf in refuted]
        evidence = next((each for each in proved if not each.certain), proved[-1])
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


def any_whole(cnf: Cnf, givens: Sequence[Given], found: SetSearch) -> Cnf:
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


def with_mus(answer: Answer, request: SolveRequest, seconds: float) -> Answer:
    """The answer for an unsatisfiable puzzle, extended by the minimal unsatisfiable sets of its givens.

    Without limits on time, the search takes at most CHECK_SECONDS, or CHECK_FACTOR times the `seconds` of the solving if that is
    more.
    """
    try:
        limits = bound_limits(request.limits, seconds)
        found = extract_mus(replace(request, encoding=answer.encoding, limits=limits, solver=()))
    except InputError as error:  # an argument decided the puzzle, and no solver is installed
        found = MusResult(answer.family, answer.puzzle, UNKNOWN, reason=error.message)
    return replace(answer, mus=found)


def bound_limits(limits: Limits | None, seconds: float) -> Limits:
    """The limits; if they do not bound the time, a bound in proportion to the `seconds` of the solving is added."""
    limits = limits or Limits()
    if limits.cpu is not None or limits.wall is not None:
        return limits
    within = max(CHECK_SECONDS, CHECK_FACTOR * seconds)
    return replace(limits, cpu=within, wall=WAITING * within)
