"""The workers of a benchmark: threads that wait for solvers on cores of this machine, or the workers of a Dask scheduler.

Each kind says whether a run may start, which executor makes it, and with which cores, program, and files. `execution.py` has the
order of the runs, results, and failures.
"""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.run.formulacache import CNF_FOLDER, KEPT_FOLDER, Formulas
from cnfgen_puzzles.bench.run.job import BenchJob, run_job
from cnfgen_puzzles.bench.run.remote import prepare_elsewhere, probe, run_elsewhere
from cnfgen_puzzles.bench.suite.plan import Task
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import read_regular
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.distribute import Work
from cnfgen_puzzles.solving.executors import Processes, dask_client, jobs_of

KEPT_SOURCES = 8
"""The number of sent files that the cluster keeps besides those in use."""


class LocalWorkers(contextlib.ExitStack):
    """Cores of this machine. Each run has its own cores.

    `folder` is the result folder; `binaries` has the checksums of the programs at the start of the suite, by name of the solver.
    """

    send_sources = False
    """Workers of this machine see the files."""

    def __init__(self, cores: Sequence[int], folder: Path, binaries: Mapping[str, str]):
        super().__init__()
        self.kept, self._cache = folder / KEPT_FOLDER, folder / CNF_FOLDER
        self._jobs = len(cores)
        self._binaries = binaries
        self._free = sorted(cores)
        self._threads = self.enter_context(ThreadPoolExecutor(len(cores)))

    def formula_makers(self) -> Processes:
        """The executor that makes formulas, to be closed before the first run."""
        return Processes(self._jobs)

    def formula_work(self, task: Task, suite_folder: Path) -> Work:
        """The call that makes the formula of a task."""
        return Formulas(suite_folder, self._cache).get, task

    def start(self, job: BenchJob) -> BenchJob | None:
        """The run with its cores and its program, if the cores are free."""
        count = job.task.solver.cores
        if count > len(self._free):
            return None
        cores, self._free = tuple(self._free[:count]), self._free[count:]
        return replace(job, cores=cores, kept=self.kept, binary=self._binaries.get(job.task.solver.solver))

    def executor(self, job: BenchJob) -> Executor:
        return self._threads

    def release(self, job: BenchJob) -> None:
        self._free = sorted([*self._free, *(job.cores or ())])

    def work(self, job: BenchJob) -> Work:
        """The call that makes the run."""
        return run_job, job


class ClusterWorkers(contextlib.ExitStack):
    """The workers of a Dask scheduler with one run each.

    `folder` is the result folder; `binaries` has the checksums of the local programs, by name of the solver. InputError if a
    worker has another version of this package, another program (unless `other_binaries`), or more than one thread.
    """

    def __init__(self, address: str, folder: Path, binaries: dict[str, str], *, other_binaries: bool = False):
        super().__init__()
        self.kept, self._cache = folder / KEPT_FOLDER, folder / CNF_FOLDER
        self.send_sources = False
        """Whether the files of instances are sent, because a worker does not have them."""
        self._solvers = list(binaries)
        self._binaries = {} if other_binaries else binaries
        self._client = self.enter_context(dask_client(address))
        self._address = address
        self._executors: dict[int, Executor] = {1: self._client.get_executor(pure=False)}
        self._sent: dict[Path, Any] = {}
        self._runs = 0

    # -- before the first run -------------------------------------------------------------------------------------------

    def check_workers(self, most_threads: int = 1) -> int:
        """The number of workers; InputError if a worker cannot make the runs like this machine."""
        found = self._client.run(probe, self._solvers)
        for address, facts in found.items():
            worker = f"the worker {facts['name']} ({address})"
            if facts["version"] != __version__:
                raise self._fault(f"found cnfgen-puzzles {facts['version']} on {worker}, expected {__version__}")
            if facts["threads"] != 1:
                advice = "dask worker --nthreads 1 --nworkers N"
                raise self._fault(f"found {facts['threads']} threads on {worker}, expected 1: {advice}")
            for solver, checksum in facts["binaries"].items():
                if self._binaries.get(solver) not in (None, checksum):
                    has = f"another {solver} ({checksum[:12]})" if checksum else f"no {solver}"
                    expected = f"the program of this machine ({self._binaries[solver][:12]})"
                    raise self._fault(f"found {has} on {worker}, expected {expected}")
        resources: float = self._client.run_on_scheduler(_most_cores)
        if found and most_threads > 1 and resources < most_threads:
            expected = f"one with the options --nthreads 1 --resources cores={most_threads}"
            raise self._fault(f"found no worker for runs with {most_threads} threads, expected {expected}")
        return len(found)

    def _fault(self, message: str) -> InputError:
        return InputError(message, source=self._address)

    # -- formulas and runs ----------------------------------------------------------------------------------------------

    def formula_makers(self) -> contextlib.nullcontext[Executor]:
        return contextlib.nullcontext(self._executors[1])

    def formula_work(self, task: Task, suite_folder: Path) -> Work:
        return prepare_elsewhere, task, suite_folder, self._cache, self._source(task, suite_folder)

    def start(self, job: BenchJob) -> BenchJob | None:
        """The run with its program, if it may start: each of the known workers has the next run queued."""
        if self._runs > 2 * jobs_of(self._executors[1]):
            return None
        self._runs += 1
        return replace(job, binary=self._binaries.get(job.task.solver.solver))

    def executor(self, job: BenchJob) -> Executor:
        """Runs with several threads go to workers that declare this number of cores."""
        threads = job.task.solver.cores
        if threads not in self._executors:
            self._executors[threads] = self._client.get_executor(pure=False, resources={"cores": threads})
        return self._executors[threads]

    def release(self, job: BenchJob) -> None:
        self._runs -= 1

    def work(self, job: BenchJob) -> Work:
        """The call that makes the run."""
        return run_elsewhere, job, self._cache, self._source(job.task, job.suite.folder)

    def _source(self, task: Task, suite_folder: Path) -> Any:
        """The file of an instance on the workers, if files are sent: once for all of its runs, and again if their workers were
        lost."""
        if not self.send_sources or task.instance.source is None:
            return None
        path = suite_folder / task.instance.source
        if path in self._sent and self._sent[path].status != "finished":
            del self._sent[path]
        if path not in self._sent:
            while len(self._sent) >= KEPT_SOURCES:
                self._sent.pop(next(iter(self._sent)))
            try:
                content = gzip.compress(read_regular(path), 1, mtime=0)
            except OSError as error:
                raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None
            [self._sent[path]] = self._client.scatter([content])
        return self._sent[path]


Workers = LocalWorkers | ClusterWorkers


def _most_cores(dask_scheduler: Any = None) -> float:
    """The maximum number of cores that a worker offers to a run; this function runs in the scheduler."""
    return max((worker.resources.get("cores", 0) for worker in dask_scheduler.workers.values()), default=0)
