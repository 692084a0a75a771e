"""The uniqueness of a board: one call finds a board, and another call excludes it.

For small puzzles, most of the time is the start of programs, so the solver that starts fastest is the first one. If the family
finds a board without a solver (`Family.plain_model`), as for most puzzles by human authors, one call is left.
"""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.pipeline.answer import Answer, FormulaAnswer
from cnfgen_puzzles.pipeline.instance import Instance, project_model, symmetry_of, with_blocked
from cnfgen_puzzles.pipeline.portfolio import Portfolio, is_certain, solve_by, with_cpu, without_guesses
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import FormulaTask, plain_board, solve, why_open
from cnfgen_puzzles.solving.run import FAILED
from cnfgen_puzzles.solving.table import solver_with_options

QUICK = "cadical --plain --phase=false"
"""Writes proofs with hints for cake_lpr or lrat-check, which start in milliseconds; drat-trim takes a tenth of a second.
Without `--plain`, preprocessing takes longer than these calls."""
FINDER = "minisat-core"
"""Finds a first board faster than others, but writes no proof."""
QUICK_SECONDS, READ_PER_SECOND = 0.5, 2_000_000
"""The CPU time of each call of these solvers, and the literals that they read in a second, which takes longer for large formulas;
the portfolio solves harder puzzles."""
SMALL = 40_000
"""The most literals of a small formula."""


def decide_unique(instance: Instance, portfolio: Portfolio, task: FormulaTask, *, free: bool = False) -> Answer:
    """Decide whether the instance has one board, several or none; the limits of the task apply to each of the two calls.

    `free`: the user did not choose solvers, so the family, FINDER and QUICK may answer before the portfolio, and the search for
    another board starts near the first. A certificate (`proof_to`) uses the answers of the portfolio.
    """
    quick = free and task.proof_to is None
    first = plain_board(instance) if quick else None
    if first is None:
        # a certificate of "no board" needs the proof of the first call
        small = len(instance.cnf.literals) <= SMALL
        first = solve_quickly(instance, portfolio, task, (QUICK if small else FINDER) if quick else None)
    if first.model is None:
        return first.with_second()
    # a board that line logic finds is the only one, so no other board is near it
    phase = first.model if free and isinstance(first, FormulaAnswer) else ()
    blocked = task._replace(cnf=with_blocked(instance.cnf, instance.projection, first.model), phase=phase)
    second = solve_quickly(instance, without_guesses(portfolio), blocked, QUICK if quick else None)
    if not instance.map.up_to:
        return first.with_second(second)
    symmetry = symmetry_of(instance)
    orbit = symmetry.canonical(project_model(instance, first.model))[1] if symmetry else None
    return first.with_second(second, instance.map.up_to, orbit)


def solve_quickly(instance: Instance, portfolio: Portfolio, task: FormulaTask, name: str | None) -> FormulaAnswer:
    """The answer of the solver of that name, if it is installed and decides in a short time; else that of the portfolio, with
    the run that gave up before it."""
    solver = solver_with_options(name) if name else None
    if solver is None or not solver.available():
        return solve_by(instance, portfolio, task)
    policy = ProofPolicy.BOUNDED if task.proof is ProofPolicy.REQUIRED else task.proof
    limits = with_cpu(task.limits, max(QUICK_SECONDS, len(instance.cnf.literals) / READ_PER_SECOND))
    quick = solve(instance, solver, task._replace(limits=limits, proof=policy))
    if is_certain(quick) or (quick.run.decided and task.proof is ProofPolicy.NONE):
        return quick
    found = solve_by(instance, portfolio, task)
    alarms = [why_open(quick.run)] if quick.run.status in FAILED else []
    return replace(found, others=(*found.others, quick.run), alarms=(*found.alarms, *alarms))
