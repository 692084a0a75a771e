"""Which solvers work on a puzzle side by side, and the first checked answer of them: `solve` of each, in a race.

    sides = pick_sides("kissat --sat,minisat-core")
    outcome = solve_by(instance, sides, limits=Limits(cpu=60))

Each has the limits for itself. Who decides what counts as an answer is `evidence.first`; what one solver does is `solve`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.evidence.first import First, first_checked
from cnfgen_puzzles.evidence.proofs import certified
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.pipeline.solve import FormulaOutcome, limits_of_check, pick_solver, solve, why_open
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import Run
from cnfgen_puzzles.solving.table import Solver, find_solver, solver_with_options, split_names

AUTO = "auto"
"""The solver's name that stands for what measurement says: `scripts/measure_sides.py`, docs/sides.md."""

HELPER, JOINS_AFTER = "minisat-core", 1.0
"""Who joins the preferred solver where there are two cores, and after how many seconds."""

GUIDED, GUIDED_AFTER = "guided", 3.0
"""Who joins these, and after how many seconds, where the puzzle's family guesses boards (`Family.guesses`): docs/hardest.md."""

HELPER_SECONDS = 2.0
"""CPU time of HELPER where GUIDED joins: of what it solves it solves most by then, and three on two cores are slow."""

TOWARD_FALSE: Mapping[str, str] = {name: f"{name} --phase=false" for name in ("kissat", "cadical")}
"""Solvers with the options by which they begin with false: in puzzles most is (a piece lies in one place of many)."""


@dataclass(frozen=True)
class Side:
    """A solver of a race, how many seconds after the others it begins, and its CPU time if that is less than the others'."""

    solver: Solver
    after: float = 0.0
    seconds: float | None = None

    def limits(self, given: Limits | None) -> Limits | None:
        """Those of its run, where these are given to all."""
        if self.seconds is None:
            return given
        given = given or Limits()
        return replace(given, cpu=self.seconds if given.cpu is None else min(given.cpu, self.seconds))


def pick_sides(
    named: str | Sequence[str] | None = None, *, proof: bool = False, cores: int | None = None, guessed: bool = False
) -> tuple[Side, ...]:
    """The solvers of these names, each with its options: `kissat --sat,minisat-core`; for None and `auto` what is best here.

    That is the best solver that is there (that writes proofs, with `proof`), on two cores joined by HELPER where it has no answer
    after JOINS_AFTER seconds. After GUIDED_AFTER seconds GUIDED takes HELPER's place for a puzzle that is `guessed`. `cores` are
    by default those of this process. InputError for names that are none or stand there twice, and programs that are not there.
    """
    names = [AUTO] if named is None else split_names(named)
    if names == [AUTO]:
        best = pick_solver(proof=proof)
        if (cores or own_cores()) == 1:
            return (Side(best),)
        guided = guessed and find_solver(GUIDED).available()
        joining = [Side(find_solver(HELPER), JOINS_AFTER, HELPER_SECONDS if guided else None)]
        joining += [Side(find_solver(GUIDED), GUIDED_AFTER)] if guided else []
        return Side(best), *(side for side in joining if side.solver.name != best.name and side.solver.available())
    if AUTO in names:
        raise InputError(f"found {AUTO} among others: it stands for several solvers itself")
    solvers = [*map(solver_with_options, names)]
    for solver in solvers:
        if [each.name for each in solvers].count(solver.name) > 1:
            raise InputError(f"found the solver {solver.name!r} a second time, expected another, or other options")
        if len(solvers) > 1:
            solver.locate()
    return tuple(map(Side, solvers))


def toward_false(sides: Sequence[Side]) -> tuple[Side, ...]:
    """The same, as TOWARD_FALSE has them."""
    return tuple(
        replace(side, solver=solver_with_options(TOWARD_FALSE.get(side.solver.name, side.solver.name))) for side in sides
    )


def without_guesses(sides: Sequence[Side]) -> tuple[Side, ...]:
    """The same for the question whether there is another board: a solver that joins with guesses brings nothing to 'no'."""
    return tuple(replace(side, seconds=None) for side in sides if not (side.after and side.solver.name == GUIDED))


def own_cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def solve_by(
    instance: Instance,
    sides: Sequence[Side],
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    proof: bool = True,
    certify: bool = False,
    proof_to: Path | None = None,
    check_seconds: float | None = None,
    **how: Any,
) -> FormulaOutcome:
    """As `solve` by one solver; by several their first checked answer, with the runs of the others.

    The seed is for those that take one. With `certify` those that write no proofs can still find a board.
    """
    same: dict[str, Any] = {"check_seconds": check_seconds, **how}
    if len(sides) == 1:
        only = sides[0].solver
        return solve(instance, only, seed=seed, proof=proof, certify=certify, proof_to=proof_to, limits=limits, **same)
    if seed is not None and not any(side.solver.seed_arguments for side in sides):
        raise InputError(f"found the seed {seed}, and none of the solvers takes one: {names_of(sides)}")
    if certify and not any(side.solver.proof_format for side in sides):
        raise InputError(f"none of the solvers writes proofs: {names_of(sides)}")
    with scratch_folder("sides") as folder:
        proofs = [folder / f"proof{number}" for number in range(len(sides))]

        def one(number: int, side: Side) -> FormulaOutcome:
            solver = side.solver
            return solve(
                instance, solver, seed=seed if solver.seed_arguments else None, proof=proof,
                certify=certify and bool(solver.proof_format), proof_to=proofs[number] if proof_to is not None else None,
                limits=side.limits(limits), **same,
            )  # fmt: skip

        def patience(run: Run) -> float | None:
            return None if certify else limits_of_check(run, check_seconds).wall

        calls: list[Callable[[], FormulaOutcome]] = [partial(one, number, side) for number, side in enumerate(sides)]
        able = [bool(side.solver.proof_format) and (proof or certify) for side in sides]
        with doing(f"{names_of(sides)} are solving side by side"):
            first = first_checked(calls, able, patience, after=[side.after for side in sides])
        if proof_to is not None and proofs[first.number].exists():
            shutil.move(proofs[first.number], proof_to)
    return _of_all(first, certify)


def _of_all(first: First[FormulaOutcome], certify: bool) -> FormulaOutcome:
    """The first answer, with the runs of the others; where none decides it, with the reasons of all. With `certify` that there is
    no board, which none of them proved, is an ERROR."""
    found = first.answer
    if certify and found.status == UNSATISFIABLE and not (found.evidence and found.evidence.certain):
        run, _ = certified(found.run, None, why_none="it writes no proofs", required=True)
        found = replace(found, run=run, status=run.status, evidence=None, reason=why_open(run))
    if not found.run.decided:
        reasons = [found.reason, *(why_open(run) for run in first.others)]
        found = replace(found, reason="; ".join(dict.fromkeys(reasons)))
    return replace(found, others=first.others, alarms=first.alarms)


def names_of(sides: Sequence[Side]) -> str:
    """In a sentence."""
    *others, last = [side.solver.name for side in sides]
    return f"{', '.join(others)} and {last}" if others else last
