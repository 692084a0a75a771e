"""Whether a puzzle has one board, several or none: a board, then another call that forbids it.

Small puzzles take mostly the start of programs: they go to the solver and the checker that start quickest, and where the family
finds a board by itself (`Family.plain_model`), as for most puzzles that people make, the second question is the only one.
"""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.evidence.checkers import LRAT
from cnfgen_puzzles.pipeline.answer import FormulaOutcome, Uniqueness
from cnfgen_puzzles.pipeline.instance import Instance, projected, symmetry_of, with_blocked
from cnfgen_puzzles.pipeline.portfolio import Portfolio, solve_by, without_guesses
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import FormulaTask, plain_board, solve
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import FAILED
from cnfgen_puzzles.solving.table import solver_with_options

QUICK = "cadical --plain --phase=false"
"""Writes proofs with hints for lrat-check: both start in milliseconds, drat-trim takes a tenth of a second for any proof.
Without `--plain` preprocessing takes longer than these questions."""
FINDER = "minisat-core"
"""Finds a first board sooner than others, and proves nothing."""
QUICK_SECONDS = 0.5
"""CPU time of each call of these; what takes longer is not so plain, and goes to the portfolio."""
SMALL = 40_000
"""Literals of formulas that are small."""


def decide_unique(instance: Instance, portfolio: Portfolio, task: FormulaTask, *, free: bool = False) -> Uniqueness:
    """Whether the instance has one board, several or none; each of the two calls runs under the limits of the task.

    `free`: nobody has chosen the solvers, so that the family, FINDER and QUICK may answer before the portfolio, and another board
    is looked for near the first. A certificate (`proof_to`) is made of the answers of the portfolio.
    """
    quick = free and task.proof_to is None
    first = plain_board(instance) if quick else None
    if first is None:
        # a first answer that there is none needs its proof, so one is written there, too
        small = len(instance.cnf.literals) <= SMALL
        first = _ask(instance, portfolio, task, (QUICK if small else FINDER) if quick else None)
    if first.model is None:
        return Uniqueness(first)
    # what line logic solves has no other board: then there is nothing near it
    phase = first.model if free and isinstance(first, FormulaOutcome) else ()
    blocked = replace(task, cnf=with_blocked(instance.cnf, instance.projection, first.model), phase=phase)
    second = _ask(instance, without_guesses(portfolio), blocked, QUICK if quick else None)
    symmetry = symmetry_of(instance) if instance.map.up_to else None
    orbit = 1 if not instance.map.up_to else symmetry.canonical(projected(instance, first.model))[1] if symmetry else None
    return Uniqueness(first, second, instance.map.up_to, orbit)


def _ask(instance: Instance, portfolio: Portfolio, task: FormulaTask, quick: str | None) -> FormulaOutcome:
    """The answer of the solver `quick`, if it decides soon, else that of the portfolio, with the run that gave up before it."""
    tried = None if quick is None else _try_quick(instance, quick, task)
    if tried is None:
        return solve_by(instance, portfolio, task)
    certain = tried.evidence is not None and tried.evidence.certain
    if certain or (tried.run.decided and task.proof is ProofPolicy.NONE):
        return tried
    outcome = solve_by(instance, portfolio, task)
    alarms = [f"{tried.run.solver.name}: {tried.reason}"] if tried.run.status in FAILED else []
    return replace(outcome, others=(*outcome.others, tried.run), alarms=(*outcome.alarms, *alarms))


def _try_quick(instance: Instance, named: str, task: FormulaTask) -> FormulaOutcome | None:
    """What the solver says in QUICK_SECONDS; None where it, or the quick checker of its proof, cannot be used."""
    solver = solver_with_options(named)
    proves = task.proof is not ProofPolicy.NONE and bool(solver.proof_format)
    if not solver.available() or (proves and not (task.checker in (None, LRAT.name) and LRAT.available("lrat"))):
        return None
    limits = task.limits or Limits()
    limits = replace(limits, cpu=QUICK_SECONDS if limits.cpu is None else min(QUICK_SECONDS, limits.cpu))
    quick = FormulaTask(
        cnf=task.cnf, phase=task.phase, limits=limits, proof=ProofPolicy.BOUNDED if proves else ProofPolicy.NONE,
        checker=LRAT.name if proves else None,
    )  # fmt: skip
    return solve(instance, solver, quick)
