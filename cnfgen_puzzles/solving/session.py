"""Incremental solving: a session takes clauses, answers, and takes more clauses.

    with open_session("cadical195") as session:
        session.add(clauses)
        step = session.solve(assumptions=[3, -5])

Two classes have this interface: a solver of python-sat, which keeps its learned clauses, and a solver binary, which runs on the
whole formula for each answer. They check a model against every clause of the session.

A solver of python-sat works in this process while the formula is small and its answers take few conflicts, as for most puzzles.
Otherwise it works in a worker process under limits.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import threading
import time
import uuid
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from cnfgen_puzzles.common.errors import CnfgenError, InputError, unknown_name
from cnfgen_puzzles.common.files import ScratchFolder, scratch_folder
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import DEFAULT, INTS, SOLVERS, IncrementalSolver, SessionTask, is_installed
from cnfgen_puzzles.solving.process import Limits, Measurement, interrupt_runs, owner_of_runs, runs_of
from cnfgen_puzzles.solving.race import race
from cnfgen_puzzles.solving.run import FAILED, run_solver
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, INTERRUPTED, MEMORY_LIMIT, WALL_LIMIT
from cnfgen_puzzles.solving.table import load_solvers, solver_with_options, split_names
from cnfgen_puzzles.solving.workerprocess import failure_of, run_worker

LOCAL_CONFLICTS = 2_000
"""Conflicts of a call in this process, after which a worker process takes over: a fraction of a second."""
LOCAL_LITERALS = 2_000_000
"""The most literals of a formula in this process."""
LOCAL_SOLVERS = ("glucose4", "minisat22")
"""Solvers that can stop after a number of conflicts, as they must in this process."""


@dataclass(frozen=True)
class SessionAnswer:
    """One answer: SATISFIABLE with the true literals of a model, UNSATISFIABLE with a `core`, or UNKNOWN, WRONG, or ERROR with
    the reason. A core is a sufficient subset of the assumptions as the solver claims it, not necessarily minimal.

    `seconds` is wall time, `statistics` are the solver's counters since its start (conflicts, decisions, propagations, restarts).
    """

    status: str
    model: tuple[int, ...] = ()
    core: tuple[int, ...] = ()
    reason: str = ""
    seconds: float = 0.0
    statistics: Mapping[str, int] = field(default_factory=dict)


class Session:
    """Common parts of both classes: the formula so far, the check of models, and the CPU time so far in seconds."""

    def __init__(self) -> None:
        self.cnf = Cnf()
        self.cpu = 0.0
        self.closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        self.add_flat(array(INTS, (literal for clause in clauses for literal in (*clause, 0))))

    def add_flat(self, literals: array[int]) -> None:
        """Add clauses, flat and zero-terminated as in a `Cnf`: `formula.literals[seen:]`."""
        self.cnf.literals.extend(literals)
        self.cnf.num_clauses += literals.count(0)
        if literals:
            self.cnf.num_variables = max(self.cnf.num_variables, max(literals), -min(literals))

    def prefer(self, literals: Sequence[int]) -> None:
        """Set the preferred phases of the following solves; solver binaries ignore them."""

    def solve(self, assumptions: Sequence[int] = (), budget: int | None = None, *, check: bool = True) -> SessionAnswer:
        """Search a model in which the assumptions are true; UNKNOWN after `budget` conflicts, if the solver supports that.

        Without `check`, the caller checks the models that count: `check_model`.
        """
        if self.closed:
            raise InputError("the session is closed, expected an open one: open another session")
        begun = time.monotonic()
        self.cnf.num_variables = max([self.cnf.num_variables, *map(abs, assumptions)])
        step = self._solve(list(assumptions), budget)
        model = step.model
        if step.status == SATISFIABLE:
            if assumptions:  # solvers omit variables without a clause
                model = tuple({*model, *assumptions})
            largest = max(max(model), -min(model)) if model else 0
            if largest > self.cnf.num_variables:
                raise CnfgenError(f"the solver's model contains variable {largest}, the formula has {self.cnf.num_variables}")
            if check:
                self.check_model(model)
            if any(-literal in model for literal in assumptions):
                raise CnfgenError("the solver's model falsifies an assumption")
        if not set(step.core) <= set(assumptions):
            raise CnfgenError("the solver's core contains literals that are not assumptions")
        return replace(step, model=model, seconds=time.monotonic() - begun)

    def check_model(self, model: Sequence[int]) -> None:
        """CnfgenError if the model falsifies a clause."""
        broken = self.cnf.falsified_clause(model)
        if broken is not None:
            raise CnfgenError(f"the solver's model falsifies clause {broken}")

    def _solve(self, assumptions: list[int], budget: int | None) -> SessionAnswer:
        raise NotImplementedError

    def close(self) -> None:
        """End all runs."""
        self.closed = True


def session_solvers() -> list[str]:
    """The names for `open_session`: python-sat's solvers first, then the binaries."""
    binaries = [solver.name for solver in load_solvers().values() if solver.kind == "solver"]
    return [*SOLVERS, *(name for name in binaries if name not in SOLVERS)]


def open_session(solver: str = DEFAULT, limits: Limits | None = None) -> Session:
    """A session with python-sat's solver of that name, with the solver binary of that name or path, or with several binaries.

    `limits` apply to the whole session with python-sat, to each call with binaries. `lingeling` is python-sat's solver,
    `bin:lingeling` the binary. `kissat,minisat-core` is a portfolio: the first answer counts.
    """
    named = split_names(solver)
    if len(named) > 1 and (kept := [name for name in named if name in SOLVERS]):
        raise InputError(f"found {kept[0]}, a solver of python-sat, in a portfolio, expected binaries (bin:NAME)")
    if solver in SOLVERS:
        if not is_installed():
            raise InputError(f"{solver} is a solver of python-sat, which is not installed: {install_extra('counting')}")
        return IncrementalSession(solver, limits)
    binaries = [name.removeprefix("bin:") for name in named]
    for name in binaries:
        if "/" not in name and name.partition(" ")[0] not in load_solvers():
            raise InputError(unknown_name("solver", name, session_solvers()))
    return RerunSession(binaries, limits)


class RerunSession(Session):
    """A solver binary, or a portfolio of them, that runs on the whole formula for each answer."""

    def __init__(self, solvers: Sequence[str], limits: Limits | None):
        super().__init__()
        self._solvers, self._limits = [*map(solver_with_options, solvers)], limits
        for solver in self._solvers:
            solver.locate()

    def _solve(self, assumptions: list[int], budget: int | None) -> SessionAnswer:
        whole = Cnf(self.cnf.num_variables, self.cnf.num_clauses, self.cnf.literals[:])
        for literal in assumptions:
            whole.literals.extend((literal, 0))
        whole.num_clauses += len(assumptions)
        with scratch_folder("session") as folder:
            path = Path(folder) / "formula.cnf"
            with path.open("wb") as stream:
                write_dimacs(whole, stream)
            calls = [partial(run_solver, solver, path, cnf=whole, limits=self._limits) for solver in self._solvers]
            runs = race(calls, lambda found: 0 if any(run.decided for run in found.values()) else None).values()
        self.cpu += sum(run.measurement.cpu for run in runs)
        # a checked model counts more than a claim of UNSATISFIABLE, a limit more than a failure
        run = min(runs, key=lambda run: (run.status != SATISFIABLE, not run.decided, run.status in FAILED))
        if run.decided:
            return SessionAnswer(run.status, run.model or (), () if run.model else tuple(assumptions))
        status = run.status if run.status in FAILED else UNKNOWN
        reasons = []
        for run in runs:
            kept = f"; its output is kept in {run.kept}" if run.kept else ""
            reasons.append(f"{run.solver.name}: {run.status}, {run.reason}{kept}")
        return SessionAnswer(status, reason="; ".join(reasons))


class IncrementalSession(Session):
    """A solver of python-sat: in this process while the formula is small and the answers are quick, then in a worker process."""

    def __init__(self, solver: str, limits: Limits | None):
        super().__init__()
        self._solver, self._limits, self._began = solver, limits or Limits(), time.monotonic()
        self._new: array[int] = array(INTS)
        self._preferred: array[int] = array(INTS)
        self._local = IncrementalSolver(solver) if solver in LOCAL_SOLVERS else None
        self._worker: Worker | None = None
        self._cpu_before = 0.0  # the CPU time of the session when its worker process started

    def add_flat(self, literals: array[int]) -> None:
        super().add_flat(literals)
        self._new.extend(literals)

    def prefer(self, literals: Sequence[int]) -> None:
        self._preferred = array(INTS, literals)

    def _solve(self, assumptions: list[int], budget: int | None) -> SessionAnswer:
        step = None if self._local is None else self._solve_here(self._local, assumptions, budget)
        if self._worker is None:
            for limit, used, ended in self._used():
                if limit is not None and used >= limit:
                    return SessionAnswer(UNKNOWN, reason=f"{self._solver}: {ended}")
        return step or self._solve_in_worker(assumptions, budget)

    def _used(self) -> list[tuple[float | None, float, str]]:
        """The limits of the session, its use of them, and the reason of an end by them."""
        wall = time.monotonic() - self._began
        return [(self._limits.cpu, self.cpu, CPU_LIMIT), (self._limits.wall, wall, WALL_LIMIT)]

    def _solve_here(self, solver: IncrementalSolver, assumptions: list[int], budget: int | None) -> SessionAnswer | None:
        """The answer in this process; None if the worker process has to answer, from now on."""
        if len(self.cnf.literals) <= LOCAL_LITERALS:
            begun, bound = time.thread_time(), LOCAL_CONFLICTS if budget is None else min(budget, LOCAL_CONFLICTS)
            satisfiable = solver.answer(self._new, self._preferred, assumptions, bound)
            self._new = array(INTS)
            self.cpu += time.thread_time() - begun
            if satisfiable is not None or bound == budget:
                return _answered(satisfiable, solver.model if satisfiable else solver.core, budget, solver.statistics())
        solver.close()
        self._local, self._new = None, self.cnf.literals[:]
        return None

    def _solve_in_worker(self, assumptions: list[int], budget: int | None) -> SessionAnswer:
        if self._worker is None:
            cpu, wall = (None if limit is None else limit - used for limit, used, _ in self._used())
            self._cpu_before = self.cpu
            self._worker = Worker(SessionTask(self._solver), Limits(cpu=cpu, wall=wall, memory=self._limits.memory))
        answer = self._worker.ask(self._new, self._preferred, assumptions, budget)
        self._new = array(INTS)
        if answer is None:
            measurement = self._worker.end()
            self.cpu = self._cpu_before + measurement.cpu
            return SessionAnswer(UNKNOWN, reason=f"{self._solver}: {measurement.ended}")
        satisfiable, literals, statistics, cpu = answer
        self.cpu = self._cpu_before + cpu
        return _answered(satisfiable, literals, budget, statistics)

    def close(self) -> None:
        super().close()
        if self._local is not None:
            self._local.close()
        if self._worker is not None:
            self._worker.close()


def _answered(
    satisfiable: bool | None, literals: Sequence[int], budget: int | None, statistics: Mapping[str, int]
) -> SessionAnswer:
    """The answer of an incremental solver."""
    if satisfiable is None:
        return SessionAnswer(UNKNOWN, reason=f"gave up after {budget} conflicts", statistics=statistics)
    if satisfiable:
        return SessionAnswer(SATISFIABLE, tuple(literals), statistics=statistics)
    return SessionAnswer(UNSATISFIABLE, core=tuple(literals), statistics=statistics)


class Worker:
    """A worker process that answers requests until it is closed, or until a limit or a signal ends it."""

    def __init__(self, task: SessionTask, limits: Limits):
        self._solver = task.solver
        self._measurement: Measurement | None = None
        self._busy = False
        self._owner = f"{owner_of_runs()}/{uuid.uuid4()}"
        self._folder = ScratchFolder("session")
        folder = self._folder.path
        for name in ("stdin", "stdout"):
            os.mkfifo(folder / name)
        (folder / "stderr").touch()
        self._errors = (folder / "stderr").open("rb")
        self._thread = threading.Thread(target=self._run, args=(folder, task, limits), daemon=True)
        self._thread.start()
        self._requests = (folder / "stdin").open("wb")
        self._answers = (folder / "stdout").open("rb")

    def _run(self, folder: Path, task: SessionTask, limits: Limits) -> None:
        with runs_of(self._owner):
            self._measurement = run_worker(folder, task, limits, scratch=folder / "scratch", stdin=folder / "stdin")

    def ask(self, *request: Any) -> tuple[bool | None, list[int], dict[str, int], float] | None:
        """The answer to a request (`SessionTask`); None if the process has ended."""
        self._busy = True
        answer: tuple[bool | None, list[int], dict[str, int], float] | None = None
        with contextlib.suppress(BrokenPipeError, ValueError):  # a last line that is cut off is no JSON
            pickle.dump(request, self._requests)
            self._requests.flush()
            answer = json.loads(self._answers.readline())
        self._busy = False
        self._folder.close()  # the process has opened its files; a worker that outlives a call leaves none
        return answer

    def end(self) -> Measurement:
        """Wait until a limit has ended the process, and return its measurement; CnfgenError for any other end."""
        self._thread.join()
        if self._measurement is None:
            raise CnfgenError(f"the worker of {self._solver} lost its supervisor")
        if self._measurement.ended not in (CPU_LIMIT, WALL_LIMIT, MEMORY_LIMIT, INTERRUPTED):
            failure = failure_of(self._measurement, self._errors.read()) or "ended without an answer"
            raise CnfgenError(f"the worker of {self._solver} {failure}")
        return self._measurement

    def close(self) -> None:
        """End the process, and its current call if the answer was not read (Ctrl-C during a call)."""
        if self._busy:
            interrupt_runs(self._owner)
        for stream in (self._requests, self._answers, self._errors):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._thread.join()
        self._folder.close()
