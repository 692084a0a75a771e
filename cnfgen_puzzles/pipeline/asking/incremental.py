"""Both questions of uniqueness to one incremental solver, which goes on with what it learnt; a proof through both of them.

What it learns before the first solution is blocked follows from the formula, what it learns later from the formula and the clause
that blocks it: so what it writes down is a proof for the formula with that clause, and is checked as one. It gives up after some
conflicts. Then the question goes to the solvers that are asked otherwise (`sides`); where these find the first solution, the
search for a second one begins there.

`solving.incremental.session` runs it under the runner's limits, which hold for both questions together.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.ground.activity import doing
from cnfgen_puzzles.ground.errors import CnfgenError
from cnfgen_puzzles.ground.scratch import scratch_folder
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.pipeline.solve import FormulaOutcome, checked_outcome, with_blocked
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.incremental.pysat_solver import PROVING
from cnfgen_puzzles.solving.incremental.session import IncrementalSession, Step
from cnfgen_puzzles.solving.process import EXIT, Limits, Measurement
from cnfgen_puzzles.solving.run import BY_LIMIT, ERROR, Run
from cnfgen_puzzles.solving.table import Solver

FIRST_CONFLICTS, SECOND_CONFLICTS = 2_000, 40_000
"""After how many it gives up each question: docs/sides.md has what was measured."""

Ask = Callable[..., FormulaOutcome]
"""The solvers that are asked otherwise; `cnf` is the formula, that of the instance without it."""


def both_questions(
    instance: Instance,
    ask: Ask,
    *,
    limits: Limits | None = None,
    proof: bool = True,
    certify: bool = False,
    checker: str | None = None,
    proof_to: Path | None = None,
) -> list[FormulaOutcome]:
    """The outcome of looking for a board, and after a board that of looking for another one; settings as of `solve`."""
    wanted = proof or certify
    if wanted:
        pick_checker(checker).locate("text")
    how: dict[str, Any] = {"limits": limits, "certify": certify, "checker": checker, "proof_to": proof_to}
    with scratch_folder("unique") as folder:
        written = folder / "proof.drat"

        def outcome(run: Run, cnf: Cnf) -> FormulaOutcome:
            """Of its answer once it was checked; of those that are asked otherwise where it has none."""
            if run.decided:
                return checked_outcome(instance, run, cnf, written if wanted else None, **how)
            answer = ask(cnf=cnf)
            alarms = (f"{PROVING}: {run.reason}",) if run.status == ERROR else ()
            return replace(answer, others=(*answer.others, run), alarms=(*answer.alarms, *alarms))

        def block(model: Sequence[int]) -> Cnf:
            return with_blocked(instance.cnf, instance.projection, model)

        runs = _session(instance.cnf, block, FIRST_CONFLICTS, limits, written)
        first = outcome(runs[0], instance.cnf)
        if (model := first.run.model) is None:
            return [first]
        blocked = block(model)
        if len(runs) == 1:  # anew, since what it has learnt leads it away from the solution that was found
            runs += _session(blocked, None, SECOND_CONFLICTS, limits, written, model)
        return [first, outcome(runs[1], blocked)]


def _session(
    cnf: Cnf,
    block: Callable[[Sequence[int]], Cnf] | None,
    conflicts: int,
    limits: Limits | None,
    proof: Path,
    prefer: Sequence[int] = (),
) -> list[Run]:
    """The answer to a formula as a run, and after a model that to the formula which `block` makes of it, with its proof."""
    proof.unlink(missing_ok=True)
    with IncrementalSession(PROVING, limits, proof) as session, doing(f"{PROVING} is solving"):
        session.add_flat(cnf.literals)
        session.prefer(prefer)
        steps = [_answer(session, conflicts)]
        if block is not None and steps[0].status == SATISFIABLE:
            session.add_flat(block(steps[0].model).literals[len(cnf.literals) :])
            steps.append(_answer(session, SECOND_CONFLICTS))
    used = session.measurement.cpu if session.measurement else 0.0
    later = [max(step.cpu - steps[0].cpu, 0.0) for step in steps[1:]]
    shares = [max(used - sum(later), 0.0), *later]
    return [_run(session, step, cpu, limits or Limits()) for step, cpu in zip(steps, shares, strict=True)]


def _answer(session: IncrementalSession, conflicts: int) -> Step:
    """What the session says; a fault of its worker, or a wrong model, is an answer as well."""
    try:
        return session.solve(budget=conflicts)
    except CnfgenError as error:
        return Step(ERROR, reason=str(error))


def _run(session: IncrementalSession, step: Step, cpu: float, limits: Limits) -> Run:
    """An answer of the session as a run: its own times, the memory of the whole session."""
    ended = session.measurement or Measurement(EXIT, None, None, 0.0, 0.0, 0, "", 0, "")
    status, reason = step.status, step.reason
    if status not in DECIDED and ended.ended in BY_LIMIT:
        status, reason = BY_LIMIT[ended.ended]
    _, library = _library()
    return Run(
        _solver(), library, checksum(library), session.command, limits, None, status, reason,
        replace(ended, cpu=cpu, wall=step.seconds), step.model if status == SATISFIABLE else None,
        statistics=step.statistics,
    )  # fmt: skip


@functools.cache
def _library() -> tuple[str, Path]:
    """python-sat's version, and the file of its solvers."""
    import pysat

    found = importlib.util.find_spec("pysolvers")
    if found is None or found.origin is None:
        raise CnfgenError("python-sat's library pysolvers is not there")
    return f"python-sat {pysat.__version__}", Path(found.origin)


@functools.cache
def _solver() -> Solver:
    """The solver as runs name it."""
    version, library = _library()
    return Solver(
        name=PROVING, title="Glucose 4.1 of python-sat", program=sys.executable, proof_format="text", source="python-sat",
        build={"prebuilt": {"version": version, "sha256": checksum(library)}},
    )  # fmt: skip
