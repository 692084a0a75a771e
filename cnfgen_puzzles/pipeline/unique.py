"""The uniqueness of a board: one call finds a board, and another call excludes it.

For small puzzles, most of the time is the start of programs, so the solver that starts fastest is the first of the portfolio. If
the family finds a board without a solver (`Family.plain_model`), as for most puzzles by human authors, one call is left.
"""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.pipeline.answer import Answer, FormulaAnswer
from cnfgen_puzzles.pipeline.instance import Instance, project_model, symmetry_of, with_blocked
from cnfgen_puzzles.pipeline.portfolio import Entrant, Portfolio, solve_by, without_guesses
from cnfgen_puzzles.pipeline.solve import FormulaTask, plain_board
from cnfgen_puzzles.solving.table import solver_with_options

QUICK = "cadical --plain --phase=false"
"""Writes proofs with hints for cake_lpr or lrat-check, which start in milliseconds; drat-trim takes a tenth of a second.
Without `--plain`, preprocessing takes longer than these calls."""
FINDER = "minisat-core"
"""Finds a first board faster than others, but writes no proof."""
QUICK_SECONDS = 0.5
"""The CPU time of each call of these solvers; the portfolio solves harder puzzles."""
LATER = 1.0
"""The elapsed time in seconds after which the portfolio starts in any case, such as on a busy machine."""
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
        finder = QUICK if len(instance.cnf.literals) <= SMALL else FINDER
        first = solve_by(instance, with_quick(portfolio, finder) if quick else portfolio, task)
    if first.model is None:
        return first.with_second()
    # a board that line logic finds is the only one, so no other board is near it
    phase = first.model if free and isinstance(first, FormulaAnswer) else ()
    blocked = replace(task, cnf=with_blocked(instance.cnf, instance.projection, first.model), phase=phase)
    others = without_guesses(portfolio)
    second = solve_by(instance, with_quick(others, QUICK) if quick else others, blocked)
    if not instance.map.up_to:
        return first.with_second(second)
    symmetry = symmetry_of(instance)
    orbit = symmetry.canonical(project_model(instance, first.model))[1] if symmetry else None
    return first.with_second(second, instance.map.up_to, orbit)


def with_quick(portfolio: Portfolio, name: str) -> Portfolio:
    """The solver of that name, if it is installed, and then the portfolio, which starts when that solver gives up."""
    solver = solver_with_options(name)
    if not solver.available():
        return portfolio
    return (Entrant(solver, seconds=QUICK_SECONDS), *(replace(each, after=each.after + LATER) for each in portfolio))
