"""Incremental solving: a session takes clauses, answers, and takes more clauses.

    with open_session("cadical195") as session:
        session.add(clauses)
        step = session.solve(assumptions=[3, -5])

Three classes have this interface: a solver of python-sat, which keeps its learned clauses, in a worker process under limits; the
same in this process as long as it answers quickly; and a solver binary, which runs on the whole formula for each answer. They
check a model against every clause of the session.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import uuid
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self

from cnfgen_puzzles.common.errors import CnfgenError, InputError, unknown_name
from cnfgen_puzzles.common.files import ScratchFolder, scratch_folder
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import DEFAULT, SOLVERS, IncrementalSolver, SessionTask, clauses_of, is_installed
from cnfgen_puzzles.solving.process import Limits, Measurement, interrupt_runs, owner_of_runs, runs_of
from cnfgen_puzzles.solving.race import race
from cnfgen_puzzles.solving.run import FAILED, run_solver
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, INTERRUPTED, MEMORY_LIMIT, WALL_LIMIT
from cnfgen_puzzles.solving.table import load_solvers, solver_with_options, split_names
from cnfgen_puzzles.solving.workerprocess import INTS, receive_message, run_worker, send_message

QUICK_CONFLICTS = 2_000
"""Conflicts of a call of a quick session, after which a worker process takes over: a fraction of a second."""
QUICK_SOLVERS = ("glucose4", "minisat22")


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
    """Common parts of both classes: the formula so far, and the check of models."""

    def __init__(self) -> None:
        self.cnf = Cnf()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.stop()
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

    def stop(self) -> None:
        """End the current call."""

    def solve(self, assumptions: Sequence[int] = (), budget: int | None = None, *, check: bool = True) -> SessionAnswer:
        """Search a model in which the assumptions are true; UNKNOWN after `budget` conflicts, if the solver supports that.

        Without `check`, the caller checks the models that count: `check_model`.
        """
        begun = time.monotonic()
        self.cnf.num_variables = max([self.cnf.num_variables, *map(abs, assumptions)])
        step = self._solve(list(assumptions), budget)
        model = step.model
        if step.status == SATISFIABLE:
            model = tuple({*model, *assumptions})  # solvers omit variables without a clause
            stray = next((literal for literal in model if abs(literal) > self.cnf.num_variables), None)
            if stray is not None:
                raise CnfgenError(f"the solver's model contains variable {abs(stray)}, the formula has {self.cnf.num_variables}")
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


def session_solvers() -> list[str]:
    """The names for `open_session`: python-sat's solvers first, then the binaries."""
    binaries = [solver.name for solver in load_solvers().values() if solver.kind == "solver"]
    return [*SOLVERS, *(name for name in binaries if name not in SOLVERS)]


def open_session(solver: str = DEFAULT, limits: Limits | None = None, *, quick: bool = False) -> Session:
    """A session with python-sat's solver of that name, with the solver binary of that name or path, or with several binaries.

    `limits` apply to the whole session with python-sat, to each call with binaries. If there are none, a `quick` session begins
    without a worker process, which is better where most sessions take less time than the start of a process. `lingeling` is
    python-sat's solver, `bin:lingeling` the binary. `kissat,minisat-core` is a portfolio: the first answer counts.
    """
    named = split_names(solver)
    if len(named) > 1 and (kept := [name for name in named if name in SOLVERS]):
        raise InputError(f"found {kept[0]}, a solver of python-sat, in a portfolio, expected binaries (bin:NAME)")
    if solver in SOLVERS:
        if not is_installed():
            raise InputError(f"{solver} is a solver of python-sat, which is not installed: {install_extra('counting')}")
        at_once = quick and solver in QUICK_SOLVERS and limits in (None, Limits())
        return QuickSession(solver) if at_once else IncrementalSession(solver, limits)
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
    """A solver of python-sat in a worker process, with messages through two named pipes."""

    def __init__(self, solver: str, limits: Limits | None):
        super().__init__()
        self.measurement: Measurement | None = None
        self._solver, self._limits = solver, limits or Limits()
        self._new: array[int] = array(INTS)
        self._preferred: array[int] = array(INTS)
        self._awaits_answer = False
        self._owner = f"{owner_of_runs()}/{uuid.uuid4()}"
        self._folder = ScratchFolder("session")
        folder = self._folder.path
        for name in ("stdin", "stdout"):
            os.mkfifo(folder / name)
        (folder / "scratch").mkdir()
        self._thread = threading.Thread(target=self._run, args=(folder,), daemon=True)
        self._thread.start()
        self._requests = (folder / "stdin").open("wb")
        self._answers = (folder / "stdout").open("rb")

    def _run(self, folder: Path) -> None:
        task, scratch = SessionTask(self._solver), folder / "scratch"
        with runs_of(self._owner):
            self.measurement = run_worker(folder, task, self._limits, scratch=scratch, stdin=folder / "stdin")

    def add_flat(self, literals: array[int]) -> None:
        super().add_flat(literals)
        self._new.extend(literals)

    def prefer(self, literals: Sequence[int]) -> None:
        self._preferred = array(INTS, literals)

    def stop(self) -> None:
        interrupt_runs(self._owner)

    def _solve(self, assumptions: list[int], budget: int | None) -> SessionAnswer:
        try:
            self._awaits_answer = True
            request = {"assumptions": assumptions, "budget": budget, "phases": len(self._preferred)}
            send_message(self._requests, request, self._new + self._preferred)
            self._new, self._preferred = array(INTS), array(INTS)
            answer = receive_message(self._answers)
            self._awaits_answer = False
        except BrokenPipeError:
            answer = None
        if answer is None:
            return SessionAnswer(UNKNOWN, reason=self._why_it_ended())
        message, numbers = answer
        status = {True: SATISFIABLE, False: UNSATISFIABLE, None: UNKNOWN}[message["satisfiable"]]
        reason = f"gave up after {budget} conflicts" if status == UNKNOWN else ""
        model, core = (tuple(numbers), ()) if status == SATISFIABLE else ((), tuple(numbers))
        return SessionAnswer(status, model, core, reason, statistics=message["statistics"])

    def _why_it_ended(self) -> str:
        """The limit that ended the worker; CnfgenError for any other end."""
        self._thread.join()
        ended = self.measurement.ended if self.measurement else "failed"
        if ended in (CPU_LIMIT, WALL_LIMIT, MEMORY_LIMIT, INTERRUPTED):
            return f"{self._solver}: {ended}"
        words = (self._folder.path / "stderr").read_text(errors="replace").strip().splitlines()
        raise CnfgenError(f"the worker of {self._solver} ended ({ended}){': ' + words[-1] if words else ''}")

    def close(self) -> None:
        if self._awaits_answer:  # Ctrl-C during the search: its answer is not needed
            self.stop()
        for stream in (self._requests, self._answers):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._thread.join()
        self._folder.close()


class QuickSession(Session):
    """A solver of python-sat in this process, until a call takes more than QUICK_CONFLICTS; then in a worker process."""

    def __init__(self, solver: str):
        super().__init__()
        self._name, self._here = solver, IncrementalSolver(solver)
        self._worker: IncrementalSession | None = None

    def add_flat(self, literals: array[int]) -> None:
        super().add_flat(literals)
        if self._worker is None:
            self._here.add_all(clauses_of(literals))
        else:
            self._worker.add_flat(literals)

    def stop(self) -> None:
        if self._worker is not None:
            self._worker.stop()

    def _solve(self, assumptions: list[int], budget: int | None) -> SessionAnswer:
        if self._worker is None:
            satisfiable = self._here.solve(assumptions, QUICK_CONFLICTS)
            if satisfiable is not None:
                status = SATISFIABLE if satisfiable else UNSATISFIABLE
                found = tuple(self._here.model), tuple(self._here.core)
                return SessionAnswer(status, *found, statistics=self._here.statistics())
            self._worker = IncrementalSession(self._name, None)
            self._worker.add_flat(self.cnf.literals)
        return self._worker._solve(assumptions, budget)

    def close(self) -> None:
        self._here.close()
        if self._worker is not None:
            self._worker.close()
