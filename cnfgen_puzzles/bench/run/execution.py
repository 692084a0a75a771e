"""Running a suite: every run once, as many at a time as there is room for, every result kept as soon as it is there.

One loop in the calling thread hands out work and takes results; formulas are made and solvers run in other processes. What a
run is stands in `job.py`, where it is made in `backends.py`; `bench.run_suite` is the entrance. `longest` tells how long the runs
take at most, from their limits alone.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.backends import Backend
from cnfgen_puzzles.bench.run.job import BenchJob, RunInterrupted, failed_record, prepare, run_job, solver_of
from cnfgen_puzzles.bench.run.remote import FormulaMissing, Reply
from cnfgen_puzzles.bench.run.store import Store
from cnfgen_puzzles.bench.suite.features import file_checksum
from cnfgen_puzzles.bench.suite.plan import FormulaKey, SolverChoice, Suite, Task, proof_limits
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.confinement import is_enforced
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.pool import CallResult, Distributor, Work
from cnfgen_puzzles.solving.run import FAILED, MEMOUT, TIMEOUT

CNF_FOLDER, KEPT_FOLDER = "cnf", "kept"
RERUN: Mapping[str, Collection[str] | None] = {
    "failed": FAILED,
    "timeouts": (TIMEOUT, MEMOUT),
    "all": None,
}
"""What can be made again besides the runs of a solver, with the statuses that it means."""


# -- what is to be run ----------------------------------------------------------------------------------------------------


def without_missing_solvers(suite: Suite) -> tuple[Suite, dict[str, InputError]]:
    """The suite less the solvers that are not there, and what is wrong with these by their labels."""
    missing: dict[str, InputError] = {}
    for choice in suite.solvers:
        try:
            choice.found().locate()
        except InputError as error:
            missing[choice.label] = error
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.solver.label not in missing)), missing


def missing_tasks(suite: Suite, latest: Mapping[str, Record], rerun: Collection[str] = ()) -> list[Task]:
    """The runs that have no result yet, one under other limits, or one that is to be made again."""
    return [task for task in suite.tasks if not is_done(suite, task, latest.get(task.key), rerun)]


def is_done(suite: Suite, task: Task, record: Record | None, rerun: Collection[str] = ()) -> bool:
    """Whether this result counts for the task."""
    if record is None or has_other_limits(suite, record):
        return False
    for word in rerun:
        statuses = RERUN.get(word, ()) if word != task.solver.label else None
        if statuses is None or record["status"] in statuses:
            return False
    return True


def has_other_limits(suite: Suite, record: Record) -> bool:
    """Scores over runs under several limits would mean nothing.

    Versions before 0.3.0 set no wall limit where the suite names none; those results count as long as they kept within the one
    that is set now.
    """
    limits, wanted = record.get("limits") or {}, suite.limits
    if (limits.get("cpu"), limits.get("memory")) != (wanted.cpu, wanted.memory):
        return True
    if suite.wall_by_default and wanted.wall is not None and limits.get("wall") is None:
        return float(record["wall"]) > wanted.wall
    return bool(limits.get("wall") != wanted.wall)


def check_rerun(suite: Suite, rerun: Iterable[str]) -> None:
    labels = [solver.label for solver in suite.solvers]
    for word in rerun:
        if word not in RERUN and word not in labels:
            expected = ", ".join([*RERUN, *labels])
            raise InputError(f"found {word!r} to be made again, expected one of {expected}", source=suite.name)


def binaries(suite: Suite) -> dict[str, str]:
    """The checksums of the suite's programs, by the solver's name; InputError for a version that is not the wanted one."""
    found = {}
    for choice in suite.solvers:
        executable = choice.found().locate()
        try:
            found[choice.solver] = checksum(executable)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", source=str(executable)) from None
        if choice.version is not None and (problem := other_version(choice, executable)):
            raise InputError(problem, source=suite.name)
    return found


def other_version(choice: SolverChoice, executable: Path) -> str:
    """What the version of a program is, if it is not the one that the suite wants; empty if it is."""
    try:
        line = choice.found().version_line(executable)
    except CnfgenError as error:
        return f"found no version of {choice.label} ({error}), expected one that contains {choice.version!r}"
    if choice.version is None or choice.version in line:
        return ""
    return f"found version {line!r} of {choice.label} ({executable}), expected one that contains {choice.version!r}"


def files_of(suite: Suite) -> tuple[tuple[Path, str], ...]:
    """The files of a suite with their checksums: itself, its puzzles and formulas, the programs of its solvers."""
    found = {(suite.folder / source).absolute() for task in suite.tasks if (source := task.instance.source)}
    found |= {choice.found().locate() for choice in suite.solvers}
    found |= {suite.file.absolute()} if suite.file else set()
    return tuple((path, file_checksum(path)) for path in sorted(found) if path.is_file())


Unit = list[Task] | BenchJob
"""A unit of work: a formula to make, with the tasks that need it, or a run."""


# -- the loop -------------------------------------------------------------------------------------------------------------


class Execution:
    """Makes these tasks of a suite. `report` is called with each new record.

    `halt()` begins no more runs, as a signal handler may: `run` then returns when those in flight have ended. An exception out
    of `run` ends those in flight now.
    """

    def __init__(
        self,
        suite: Suite,
        folder: Path,
        store: Store,
        backend: Backend,
        tasks: list[Task],
        report: Callable[[Record], object] | None,
    ):
        self.suite = suite
        self.folder = folder.absolute()
        self.store = store
        self.backend = backend
        self.report = report
        self.made = 0
        self.tasks = tasks
        groups: dict[tuple[int, FormulaKey], list[Task]] = {}
        for task in tasks:
            groups.setdefault((task.solver.cores, task.formula_key), []).append(task)
        # runs of several threads come after all others, so that no core waits
        self._groups = deque(groups[key] for key in sorted(groups, key=lambda key: key[0]))
        self._ready: deque[BenchJob] = deque()
        # the backend says what there is room for
        self._work = Distributor[Unit](backend, self._call, "runs", at_once=sys.maxsize)
        self._guarded = () if is_enforced() else files_of(suite)
        self._boards = {_board_key(record) for record in store.latest.values() if record.get("board") is not None}

    @property
    def halted(self) -> bool:
        return self._work.halted

    @property
    def in_flight(self) -> list[BenchJob]:
        """The runs that have begun."""
        return [work for work in self._work.in_flight if isinstance(work, BenchJob)]

    def halt(self) -> None:
        self._work.halt()

    def run(self) -> None:
        """Until every run is made, or `halt`."""
        with closing(self._work.results(self._next)) as results:
            for result in results:
                self._take(result)

    def _next(self) -> Unit | None:
        """A run or a formula for which there is room."""
        if self._ready and self.backend.room(self._ready[0].task.solver.cores):
            return self._ready.popleft()
        if self._groups and self.backend.room_to_prepare(len(self._ready)):
            return self._groups.popleft()
        return None

    def _call(self, work: Unit) -> Work:
        if isinstance(work, BenchJob):
            return run_job, work
        return prepare, self.suite.folder.absolute(), self.folder / CNF_FOLDER, work[0]

    def _take(self, result: CallResult[Unit]) -> None:
        """Keep the record of a run; make a formula's runs ready."""
        work = result.unit
        try:
            value = result.result()
            if isinstance(value, Reply):
                value = value.opened(self.backend.kept)
        except FormulaMissing:
            assert isinstance(work, BenchJob)
            self.backend.send_formulas = True
            self._ready.appendleft(work)
        except RunInterrupted:
            pass
        except CnfgenError as error:
            if isinstance(work, BenchJob):
                self._keep(failed_record(self.suite, work.task, work.prepared, str(error)))
            else:
                for task in work:
                    self._keep(failed_record(self.suite, task, None, f"no formula: {error}"))
        else:
            if isinstance(work, BenchJob):
                self._keep(value)
            else:
                suite = replace(self.suite, tasks=())
                jobs = [*self._ready, *(BenchJob(task, suite, value, guarded=self._guarded) for task in work)]
                self._ready = deque(sorted(jobs, key=lambda job: job.task.solver.cores))

    def _keep(self, record: Record) -> None:
        """Into the file. Of an instance in one encoding one board is enough; files inside the folder, which may be moved, are
        named relative to it.
        """
        if "board" in record:
            if _board_key(record) in self._boards:
                del record["board"]
            self._boards.add(_board_key(record))
        for name in ("cnf_file", "kept"):
            if record.get(name) and Path(record[name]).is_relative_to(self.folder):
                record[name] = str(Path(record[name]).relative_to(self.folder))
        self.store.add(record)
        self.made += 1
        if self.report is not None:
            self.report(record)


def _board_key(record: Record) -> tuple[Any, ...]:
    return record["family"], record["instance"], record.get("encoding")


ENDING = 0.5
"""Seconds that a run may go on beyond a limit: until it is looked at, for its last words, until all of its processes are gone."""


def longest(suite: Suite, tasks: Iterable[Task], cores: int) -> float | None:
    """Seconds that these runs take at most on so many cores, None if a limit on wall time is missing.

    Runs of equally many cores are handed out one after the other to whoever is free, so that the last one begins when at most
    all others, spread evenly, have ended (Graham 1966); those of more cores begin after those of fewer.
    """
    by_width: dict[int, list[float]] = {}
    wall, check = suite.limits.wall, proof_limits(suite.limits).wall
    for task in tasks:
        checked = suite.proofs and bool(solver_of(task.solver).proof_arguments)
        if wall is None or (checked and check is None):
            return None
        seconds = wall + ENDING + (check + ENDING if checked and check is not None else 0)
        by_width.setdefault(cores // min(task.solver.cores, cores), []).append(seconds)
    return sum((sum(runs) - max(runs)) / width + max(runs) for width, runs in by_width.items())
