"""The main loop of a benchmark: runs in parallel, and every result stored at once.

Processes make the formulas, then threads wait for solvers (on a cluster, its workers do both); the calling thread distributes
work and takes results. `job.py` makes a run, `workers.py` has the cores and the cluster, `bench.run_suite` is the entry point.
`longest` computes the maximum duration from the limits.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import Prepared
from cnfgen_puzzles.bench.run.job import BenchJob, RunInterrupted, failed_record
from cnfgen_puzzles.bench.run.remote import SourceMissing, unpacked
from cnfgen_puzzles.bench.run.workers import Workers
from cnfgen_puzzles.bench.runs import Store
from cnfgen_puzzles.bench.suite.plan import FormulaKey, SolverChoice, Suite, Task, proof_limits, solver_of
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.distribute import Work, distribute
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.run import FAILED, MEMOUT, TIMEOUT

RERUN: Mapping[str, Collection[str] | None] = {
    "failed": FAILED,
    "timeouts": (TIMEOUT, MEMOUT),
    "all": None,
}
"""The values of `rerun` besides labels of solvers, with their statuses."""


# -- selection of runs ----------------------------------------------------------------------------------------------------


def without_missing_solvers(suite: Suite) -> tuple[Suite, dict[str, InputError]]:
    """The suite without solvers that are not installed, and the errors by label."""
    missing: dict[str, InputError] = {}
    for choice in suite.solvers:
        try:
            solver_of(choice).locate()
        except InputError as error:
            missing[choice.label] = error
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.solver.label not in missing)), missing


def missing_tasks(suite: Suite, latest: Mapping[str, Record], rerun: Collection[str] = ()) -> list[Task]:
    """The runs without a result, with a result under other limits, or to be repeated."""

    def repeated(task: Task, record: Record) -> bool:
        wanted = (None if word == task.solver.label else RERUN.get(word, ()) for word in rerun)
        return any(statuses is None or record["status"] in statuses for statuses in wanted)

    found = ((task, latest.get(task.key)) for task in suite.tasks)
    return [task for task, r in found if r is None or has_other_limits(suite, r) or repeated(task, r)]


def has_other_limits(suite: Suite, record: Record) -> bool:
    """Whether a record has other limits than the suite; scores over several limits are meaningless."""
    limits = record.get("limits") or {}
    return any(limits.get(name) != getattr(suite.limits, name) for name in ("cpu", "wall", "memory"))


def binaries(suite: Suite) -> dict[str, str]:
    """The checksums of the programs by name of the solver; InputError for another version than the suite requires."""
    found = {}
    for choice in suite.solvers:
        executable = solver_of(choice).locate()
        try:
            found[choice.solver] = checksum(executable)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", source=str(executable)) from None
        if problem := other_version(choice, executable):
            raise InputError(problem, source=suite.name)
    return found


def other_version(choice: SolverChoice, executable: Path) -> str:
    """An error message if the program has another version than the suite requires; else empty."""
    if choice.version is None:
        return ""
    try:
        line = solver_of(choice).version_line(executable)
    except CnfgenError as error:
        return f"found no version of {choice.label} ({error}), expected one that contains {choice.version!r}"
    found = f"found version {line!r} of {choice.label} ({executable}), expected one that contains {choice.version!r}"
    return "" if choice.version in line else found


# -- the loop -------------------------------------------------------------------------------------------------------------


@dataclass
class Execution:
    """Makes these tasks of a suite: all formulas first, then the runs. `report` is called with each new record.

    After `halt()`, which a signal handler may call, no run starts, and `run` returns when the running solvers have ended. An
    exception in `run` ends the running solvers at once.
    """

    suite: Suite
    folder: Path
    store: Store
    workers: Workers
    tasks: list[Task]
    report: Callable[[Record], object] | None
    made: int = 0
    halted: bool = False
    in_flight: int = 0
    """The number of started runs."""

    def halt(self) -> None:
        self.halted = True

    def run(self) -> None:
        """Make all runs, until `halt`."""
        prepared = self._formulas()
        suite = replace(self.suite, tasks=(), folder=self.suite.folder.absolute())
        # runs with several threads come last, so that no core is idle
        waiting = deque(sorted((task for task in self.tasks if task.formula_key in prepared), key=lambda task: task.solver.cores))

        def next_jobs() -> Iterator[BenchJob | None]:
            """The next run, or None without a free worker."""
            while not self.halted:
                job = self.workers.start(BenchJob(waiting[0], suite, prepared[waiting[0].formula_key])) if waiting else None
                if job is not None:
                    waiting.popleft()
                    self.in_flight += 1
                yield job

        # the workers limit the number of calls
        work = distribute(self.workers.executor, next_jobs(), self.workers.work, "runs", at_once=sys.maxsize)
        with closing(work) as results:
            for result in filter(None, results):
                self.workers.release(result.unit)
                self.in_flight -= 1
                job = result.unit
                try:
                    record = unpacked(result.result(), self.workers.kept)
                except SourceMissing:
                    self.workers.send_sources = True
                    waiting.appendleft(job.task)
                except RunInterrupted:
                    pass
                except CnfgenError as error:
                    self._keep(failed_record(self.suite, job.task, job.prepared, str(error)))
                else:
                    self._keep(record)

    def _formulas(self) -> dict[FormulaKey, Prepared]:
        """The formulas by their keys. The runs of a formula that cannot be made are errors."""
        groups: dict[FormulaKey, list[Task]] = {}
        for task in self.tasks:
            groups.setdefault(task.formula_key, []).append(task)
        waiting = deque(groups)

        def next_keys() -> Iterator[FormulaKey | None]:
            while not self.halted:
                yield waiting.popleft() if waiting else None

        def work(key: FormulaKey) -> Work:
            return self.workers.formula_work(groups[key][0], self.suite.folder.absolute())

        found: dict[FormulaKey, Prepared] = {}
        with (
            doing("making formulas"),
            self.workers.formula_makers() as makers,
            closing(distribute(makers, next_keys(), work, "formulas")) as results,
        ):
            for result in filter(None, results):
                try:
                    found[result.unit] = result.result()
                except SourceMissing:
                    self.workers.send_sources = True
                    waiting.append(result.unit)
                except CnfgenError as error:
                    for task in groups[result.unit]:
                        self._keep(failed_record(self.suite, task, None, f"no formula: {error}"))
        return found

    def _keep(self, record: Record) -> None:
        """Store a record. Names of files in the folder become relative."""
        for name in ("cnf_file", "kept"):
            if record.get(name) and Path(record[name]).is_relative_to(self.folder):
                record[name] = str(Path(record[name]).relative_to(self.folder))
        self.store.add(record)
        self.made += 1
        if self.report is not None:
            self.report(record)


ENDING = 0.5
"""The maximum seconds between a limit and the end of all processes of a run."""


def longest(suite: Suite, tasks: Iterable[Task], cores: int) -> float:
    """The maximum duration of these runs on this number of cores in seconds.

    Runs with the same number of cores start in order on free cores, so the last one starts at the latest when all others, evenly
    distributed, have ended (Graham 1966); runs with more cores start later.
    """
    by_width: dict[int, list[float]] = {}
    run, check = ((limits.wall or inf) + ENDING for limits in (suite.limits, proof_limits(suite.limits)))
    for task in tasks:
        checked = suite.proofs and bool(solver_of(task.solver).proof_arguments)
        by_width.setdefault(cores // min(task.solver.cores, cores), []).append(run + check if checked else run)
    return sum((sum(runs) - max(runs)) / width + max(runs) for width, runs in by_width.items())
