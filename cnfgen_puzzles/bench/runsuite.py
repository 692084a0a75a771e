"""Running a suite: the entry point of the library and of `bench-cnf`.

    results = run_suite("instances/suites/default.yaml", "results/today", report=print)

`run_suite` makes the missing runs, stores every result at once, and returns the records of the suite. It prints nothing and
reports by callbacks.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.bench.analyse.results import Results, read_results
from cnfgen_puzzles.bench.planfile import PLAN, keep_plan, write_plans
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.execution import (
    RERUN,
    Execution,
    binaries,
    has_other_limits,
    missing_tasks,
    without_missing_solvers,
)
from cnfgen_puzzles.bench.run.formulacache import KEPT_FOLDER
from cnfgen_puzzles.bench.run.machine import core_locks, cores_for_runs, warnings_before
from cnfgen_puzzles.bench.run.shares import collect, divide, share_folder, suite_of_share
from cnfgen_puzzles.bench.run.workers import ClusterWorkers, LocalWorkers
from cnfgen_puzzles.bench.runs import RESULTS, Store
from cnfgen_puzzles.bench.show.tables import score_table
from cnfgen_puzzles.bench.suite.plan import WORDS, SolverChoice, Suite, Task
from cnfgen_puzzles.bench.suite.reader import only, read_suite
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError

FOLDER = Path("results")
"""The default folder of result folders."""


@dataclass(kw_only=True, repr=False)
class SuiteResults(Results):
    """The records of the runs of a suite; `notes` includes the warnings before the first run."""

    suite: Suite
    """The suite without runs that were filtered out or have no solver."""
    path: Path
    """The result file."""
    made: int
    """The number of new runs."""
    halted: bool
    """Whether runs are missing after an interruption; the same call resumes."""
    shares: int = 0
    """The number of shares that were written instead of runs."""

    def _repr_html_(self) -> str:
        message = showing.words("\n".join(self.notes)) if self.notes else ""
        return message + score_table(self.records, title=self.suite.name)._repr_html_()


def run_suite(
    suite: Suite | str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    include: Mapping[str, str | Sequence[str]] | None = None,
    rerun: Collection[str] = (),
    fresh: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    shares: int | None = None,
    share: int | None = None,
    other_binaries: bool = False,
    strict: bool = False,
    durable: bool = False,
    whole: bool = True,
    report: Callable[[Record], object] | None = None,
    warn: Callable[[str], object] | None = None,
    guard: Callable[[Execution], AbstractContextManager[object]] = contextlib.nullcontext,
) -> SuiteResults:
    """Make the missing runs of a suite (or of its YAML file) in `folder` (by default results/NAME).

    `include` is a filter as in suites (`{"solver": ["kissat", "glucose*"]}`): only these runs are made and returned. `rerun`
    repeats runs: failed, timeouts, all, or the label of a solver; `fresh` deletes earlier results. `jobs` is the number of cores,
    by default that of the suite; with `scheduler`, the workers of that Dask scheduler make the runs, with the same programs as
    here unless `other_binaries`. `strict` refuses to measure on a disturbed machine, `durable` waits for the disk after each run.
    The records are whole unless `whole` is false; then they have the fields that scores need.

    `shares` makes no runs; it divides the missing runs among so many processes with `jobs` cores (by default as many as a run
    needs), and writes the script of a Slurm job array, which calls this function with `share`, from 1 on. The next call without
    both collects their results.

    `report` is called with each new record, `warn` with each note. `guard` gets the `Execution` before the first run and returns
    a context manager for all runs, which can watch or halt them.

    InputError for a mistake in the suite or in the arguments. An exception, also KeyboardInterrupt, ends the running solvers;
    finished runs are kept.
    """
    notes: list[str] = []

    def warn_user(text: str) -> None:
        notes.append(text)
        if warn is not None:
            warn(text)

    if (share and (fresh or rerun or shares)) or (shares and scheduler):
        raise InputError("found options that cannot be combined: a share without others, or a job array without a scheduler")
    asked = suite = suite if isinstance(suite, Suite) else read_suite(Path(suite))
    suite = only(suite, include) if include else suite
    folder = Path(folder) if folder is not None else FOLDER / suite.name
    home = folder if share is None else share_folder(folder, share)
    """The folder of the result file and its plan."""
    if share is not None:
        asked = suite = suite_of_share(suite, home)
    suite, missing = without_missing_solvers(suite)
    if missing and not suite.tasks:
        raise next(iter(missing.values()))
    labels = [choice.label for choice in suite.solvers]
    for word in rerun:
        if word not in RERUN and word not in labels:
            expected = ", ".join([*RERUN, *labels])
            raise InputError(f"found {word!r} for the runs to repeat, expected one of {expected}", source=suite.name)
    for note in (*(f"runs of {label} are left out: {error}" for label, error in missing.items()), *suite.notes):
        warn_user(note)
    programs = binaries(suite)
    kept = folder / KEPT_FOLDER
    made, halted, written = 0, False, 0
    if asked.file is not None and os.path.realpath(asked.file) in (os.path.realpath(home / name) for name in (RESULTS, PLAN)):
        raise InputError("is the suite itself; choose another folder for its results", source=str(asked.file))
    with Store(home / RESULTS, fresh=fresh, durable=durable) as store:
        collect(home, store, discard=fresh)
        if fresh:
            shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True, exist_ok=True)
        plans = keep_plan(home, asked)
        tasks = missing_tasks(suite, store.latest, rerun)
        latest = [(task, record) for task in suite.tasks if (record := store.latest.get(task.key)) is not None]
        other = sum(has_other_limits(suite, record) for _, record in latest)
        if other and not rerun:
            warn_user(f"{other} results in {store.path} have other limits: these runs are repeated")
        if unsealed := sum(task.key in store.unsealed for task in tasks):
            warn_user(
                f"{unsealed} results in {store.path} have no seal (an earlier version wrote them, or they were edited): these "
                f"runs are repeated; `bench-cnf merge {shlex.quote(str(folder))} -o NEW` accepts them unchanged"
            )
        _warn_of_other_programs(latest, tasks, programs, warn_user)
        most_threads = max((choice.cores for choice in suite.solvers), default=1)
        if tasks and shares:
            written = divide(folder, suite, tasks, shares, max(jobs or 1, most_threads))
        elif tasks:
            with (
                ClusterWorkers(scheduler, folder.absolute(), programs, other_binaries=other_binaries)
                if scheduler
                else _local_workers(suite, jobs or suite.jobs, folder.absolute(), programs, strict, warn_user)
            ) as workers:
                if isinstance(workers, ClusterWorkers) and not workers.check_workers(most_threads):
                    warn_user(f"no workers at {scheduler} yet: waiting for workers")
                execution = Execution(suite, folder.absolute(), store, workers, tasks, report)
                with guard(execution):
                    execution.run()
                made, halted = execution.made, execution.halted
            write_plans(home, plans)  # again, because a solver without confinement may have changed it
        found = Results([]) if written else read_results([store.path], whole=whole)
    wanted = {task.words for task in suite.tasks}
    records, revoked = (
        [record for record in part if tuple(record[name] for name in WORDS) in wanted] for part in (found.records, found.revoked)
    )
    notes += found.notes
    alarms = [alarm for alarm in found.alarms if alarm[0][0] == suite.name]
    path = home / RESULTS
    return SuiteResults(records, notes, revoked, alarms, suite=suite, path=path, made=made, halted=halted, shares=written)


def _warn_of_other_programs(
    latest: Iterable[tuple[Task, Record]], tasks: Iterable[Task], programs: Mapping[str, str], warn_user: Callable[[str], object]
) -> None:
    """Tell about earlier results of another program with the same name, which still count."""
    again = {task.key for task in tasks}
    others: dict[SolverChoice, Counter[str]] = {}
    for task, record in latest:
        binary = record.get("binary_sha256")
        if binary and task.key not in again and binary != programs[task.solver.solver]:
            others.setdefault(task.solver, Counter())[binary] += 1
    for choice, found in others.items():
        earlier = ", ".join(f"{count} by {binary[:12]}" for binary, count in found.items())
        warn_user(
            f"{choice.label} is another program now ({programs[choice.solver][:12]}) than in earlier results ({earlier}): "
            f"scores would mix them; --rerun {shlex.quote(choice.label)} repeats these runs"
        )


@contextlib.contextmanager
def _local_workers(
    suite: Suite, jobs: int, folder: Path, programs: Mapping[str, str], strict: bool, warn_user: Callable[[str], object]
) -> Iterator[LocalWorkers]:
    """Cores of this machine that no other benchmark uses, with warnings about disturbances, which `strict` refuses."""
    cores, warnings = cores_for_runs(jobs)
    most_threads = max(choice.cores for choice in suite.solvers)
    if most_threads > len(cores):
        found = f"found a solver with {most_threads} threads, expected at most {len(cores)}, the number of usable cores"
        raise InputError(found, source=suite.name)
    warnings += warnings_before(len(cores), suite.limits)
    with core_locks(len(cores)) as free:
        if free is None:
            warnings.append(f"fewer than {len(cores)} cores are free of other benchmarks: runs share cores")
        for warning in warnings:
            warn_user(warning)
        if warnings and strict:
            found = f"the machine is disturbed: {'; '.join(warnings)}; leave out --strict to measure anyway"
            raise InputError(found, source=suite.name)
        with LocalWorkers(free or cores, folder, programs) as workers:
            yield workers
