"""A portfolio: several solvers race on one formula, and the first checked answer counts.

    portfolio = pick_portfolio("kissat --sat,minisat-core")
    outcome = solve_by(instance, portfolio, FormulaTask(limits=Limits(cpu=60)))

The limits apply to each solver separately. A checked model counts at once, and so does UNSATISFIABLE with a verified proof. An
unverified UNSATISFIABLE counts at once if no other solver can prove it; otherwise, the race waits for a proof or a model, as
long as the check of a proof may take. If a proof is refused, its answer is dropped and the next answer counts. `solving.race`
has the race itself, and `solve` the call of one solver.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.evidence.evidence import Evidence
from cnfgen_puzzles.evidence.proofs import certified
from cnfgen_puzzles.pipeline.answer import FormulaAnswer
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import (
    NO_PROOFS,
    CheckedRun,
    FormulaTask,
    answer_of,
    limits_of_check,
    pick_solver,
    run_on_instance,
    why_open,
)
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.race import race
from cnfgen_puzzles.solving.run import FAILED, Run
from cnfgen_puzzles.solving.supervision import INTERRUPTED
from cnfgen_puzzles.solving.table import Solver, find_solver, solver_with_options, split_names

AUTO = "auto"
"""The name of the default portfolio (`scripts/measure/measure_portfolio.py`, docs/explanation/portfolio.md)."""

HELPER, JOINS_AFTER = "minisat-core", 1.0
"""The solver that joins the preferred one on two cores, and the delay in seconds."""

GUIDED, GUIDED_AFTER = "guided", 3.0
"""The solver that joins them if the puzzle's family guesses boards (`Family.guesses`), and the delay in seconds."""

HELPER_SECONDS = 2.0
"""The CPU time of HELPER if GUIDED joins: it solves most of its puzzles by then, and three solvers on two cores are slow."""

TOWARD_FALSE: Mapping[str, str] = {name: f"{name} --phase=false" for name in ("kissat", "cadical")}
"""Solvers with the options for the initial phase false: most variables of puzzles are false (a piece lies in one of many
places)."""

Portfolio = tuple["Entrant", ...]


class Entrant(NamedTuple):
    """A solver of a portfolio, its delay in seconds, and its CPU time if that is less than the limit of the others."""

    solver: Solver
    after: float = 0.0
    seconds: float | None = None


def pick_portfolio(
    named: str | Sequence[str] | None = None, *, proof: bool = False, cores: int | None = None, guessed: bool = False
) -> Portfolio:
    """The solvers with these names and options, such as `kissat --sat,minisat-core`; for None and `auto`, the default.

    The default is the best installed solver (with `proof`, the best that writes proofs). On two cores, HELPER joins after
    JOINS_AFTER seconds. If the puzzle is `guessed`, GUIDED replaces HELPER after GUIDED_AFTER seconds. `cores` defaults to those
    of this process. InputError for names that are unknown or repeated, and for programs that are not installed.
    """
    names = [AUTO] if named in (None, ()) else split_names(named or "")
    if names == [AUTO]:
        best = pick_solver(proof=proof)
        if (cores or len(usable_cores())) == 1:
            return (Entrant(best),)
        guided = guessed and find_solver(GUIDED).available()
        joining = [Entrant(find_solver(HELPER), JOINS_AFTER, HELPER_SECONDS if guided else None)]
        joining += [Entrant(find_solver(GUIDED), GUIDED_AFTER)] if guided else []
        return Entrant(best), *(each for each in joining if each.solver.name != best.name and each.solver.available())
    if AUTO in names:
        raise InputError(f"found {AUTO} with other solvers: {AUTO} already selects several solvers")
    solvers = [*map(solver_with_options, names)]
    for solver in solvers:
        if [each.name for each in solvers].count(solver.name) > 1:
            raise InputError(f"found the solver {solver.name!r} a second time, expected another, or other options")
        if len(solvers) > 1:
            solver.locate()
    return tuple(map(Entrant, solvers))


def toward_false(portfolio: Portfolio) -> Portfolio:
    """The portfolio with the options of TOWARD_FALSE."""
    return tuple(
        each._replace(solver=solver_with_options(TOWARD_FALSE.get(each.solver.name, each.solver.name))) for each in portfolio
    )


def without_guesses(portfolio: Portfolio) -> Portfolio:
    """The portfolio for the search for another board: without GUIDED, because guesses do not help to prove that there is none."""
    return tuple(each._replace(seconds=None) for each in portfolio if not (each.after and each.solver.name == GUIDED))


def names_of(portfolio: Portfolio) -> str:
    """The names as part of a sentence."""
    *others, last = [each.solver.name for each in portfolio]
    return f"{', '.join(others)} and {last}" if others else last


def solve_by(instance: Instance, portfolio: Portfolio, task: FormulaTask = FormulaTask()) -> FormulaAnswer:  # noqa: B008
    """Like `solve` with one solver; with several, their first checked answer, with the runs of the others."""
    return answer_of(instance, run_portfolio(portfolio, task, partial(run_on_instance, instance)))


def run_portfolio(portfolio: Portfolio, task: FormulaTask, call: Callable[..., CheckedRun]) -> CheckedRun:
    """The first checked answer; `call(solver, task)` is that of one solver, such as `run_on_instance`.

    Of several solvers, those without a seed ignore it. If a proof is required, solvers that write none can still find a model.
    """
    if len(portfolio) == 1:
        return call(portfolio[0].solver, task)
    required = task.proof is ProofPolicy.REQUIRED
    if task.seed is not None and not any(each.solver.seed_arguments for each in portfolio):
        raise InputError(f"found the seed {task.seed}, and none of the solvers takes one: {names_of(portfolio)}")
    if required and not any(each.solver.proof_format for each in portfolio):
        raise InputError(f"none of the solvers writes proofs: {names_of(portfolio)}")
    with scratch_folder("portfolio") as folder, doing(f"{names_of(portfolio)} are solving in parallel"):
        calls, proves = [], []
        for number, (solver, seconds) in enumerate((each.solver, each.seconds) for each in portfolio):
            proves.append(bool(solver.proof_format) and task.proof is not ProofPolicy.NONE)
            own = task._replace(
                limits=task.limits if seconds is None else with_cpu(task.limits, seconds),
                seed=task.seed if solver.seed_arguments else None,
                proof=ProofPolicy.BOUNDED if required and not solver.proof_format else task.proof,
                proof_to=None if task.proof_to is None else folder / f"proof{number}",
            )
            calls.append(partial(call, solver, own))
        patience = None if required else lambda run: limits_of_check(run, task.check_seconds).wall
        number, found = first_checked(calls, proves, patience, after=[each.after for each in portfolio])
        proof = folder / f"proof{number}"
        if task.proof_to is not None and proof.exists():
            shutil.copyfile(proof, task.proof_to)  # moving it would replace a device
    if found.run.status == UNSATISFIABLE and not is_certain(found):
        if required:
            run, evidence = certified(found.run, None, why_none=NO_PROOFS, required=True)
            found = found._replace(run=run, evidence=evidence)
        elif found.evidence is not None:
            found = found._replace(evidence=_with_reasons(found.evidence, found.others))
    return found


def _with_reasons(claimed: Evidence, others: Sequence[Run]) -> Evidence:
    """The evidence with the reasons why no other solver has proved the answer."""
    ended = [run for run in others if run.solver.proof_format and run.measurement.ended == INTERRUPTED and claimed.note]
    found = [f"{run.solver.name} was still searching after {run.measurement.wall:.0f} s" for run in ended if run.measurement.wall]
    return replace(claimed, note="; ".join([claimed.note, *found]))


def with_cpu(limits: Limits | None, seconds: float) -> Limits:
    """The limits with at most this CPU time."""
    limits = limits or Limits()
    return replace(limits, cpu=seconds if limits.cpu is None else min(limits.cpu, seconds))


# -- the first checked answer -------------------------------------------------------------------------------------------------


def first_checked(
    calls: Sequence[Callable[[], CheckedRun]],
    proves: Sequence[bool],
    patience: Callable[[Run], float | None] | None,
    *,
    after: Sequence[float] = (),
) -> tuple[int, CheckedRun]:
    """Run the calls as a race until an answer counts, and end the others. The result is the number of its call, and the answer.

    `proves` marks the calls whose proofs are checked, if proofs are wanted. `patience` is the elapsed time in seconds that an
    unproved UNSATISFIABLE waits for a proof (None: until all calls have ended). `after` is as in `race`. CnfgenError if two
    checked answers contradict each other.
    """
    until: float | None = None

    def enough(answers: Mapping[int, CheckedRun]) -> float | None:
        if any(map(is_certain, answers.values())):
            return 0
        unproved = [answer.run for answer in answers.values() if answer.run.status == UNSATISFIABLE]
        if not unproved:
            return None
        if not any(able for number, able in enumerate(proves) if number not in answers):
            return 0
        seconds = None if patience is None else patience(unproved[0])
        if seconds is None:
            return None
        nonlocal until
        until = until or time.monotonic() + seconds
        return max(until - time.monotonic(), 0)

    answers = race(calls, enough, after=after)
    # of equal answers, the one whose proof was checked, but not to the end; then the first
    (number, best), *ranked = sorted(answers.items(), key=lambda item: (_rank(item[1]), not proves[item[0]]))
    rest = [answer for _, answer in ranked]
    return number, best._replace(others=tuple(answer.run for answer in rest), alarms=tuple(_alarms(best, rest)))


def is_certain(answer: CheckedRun | FormulaAnswer) -> bool:
    """Whether the answer was checked; a model always is."""
    return answer.run.decided and answer.evidence is not None and answer.evidence.certain


def _rank(answer: CheckedRun) -> int:
    """The rank of an answer, best first: checked, not verified, none, a fault, ended from outside."""
    if answer.run.decided:
        return 0 if is_certain(answer) else 1
    if answer.run.measurement.ended == INTERRUPTED:
        return 4
    return 3 if answer.run.status in FAILED else 2


def _alarms(best: CheckedRun, rest: Sequence[CheckedRun]) -> Iterator[str]:
    """The wrong answers of other solvers, and the answers that contradict the best one."""
    by = best.run.solver.name
    for answer in rest:
        run, name = answer.run, answer.run.solver.name
        if run.status in FAILED:
            yield why_open(run)
        elif run.decided and best.run.decided and run.status != best.run.status:
            if is_certain(answer) and is_certain(best):
                raise CnfgenError(
                    f"{by} says {best.run.status}, {name} says {run.status}, and both were checked: "
                    "this cannot be, and is a fault of this program or of a checker"
                )
            model = best.run.status == SATISFIABLE
            why = f"the model of {by} was checked" if model else f"{by} has a proof that was verified"
            yield f"{name} says {run.status}, which is wrong: {why}"
