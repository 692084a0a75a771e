"""The workers of a benchmark: threads that wait for solvers on cores of this machine, or the workers of a Dask scheduler.

Each kind says whether a run may start, which executor makes it, and with which cores, program, and files. `execution.py` has the
order of the runs, results, and failures.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.run.formulacache import Prepared
from cnfgen_puzzles.bench.run.job import BenchJob, run_job
from cnfgen_puzzles.bench.run.remote import package_of, probe, run_elsewhere
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.distribute import Work
from cnfgen_puzzles.solving.executors import dask_client, jobs_of

KEPT_PACKAGES = 8
"""The number of formulas that the cluster keeps besides those in use."""


class LocalWorkers(contextlib.ExitStack):
    """Cores of this machine. Each run has its own cores.

    `binaries` has the checksums of the programs at the start of the suite, by name of the solver.
    """

    send_formulas = False
    """Workers of this machine see the files."""

    def __init__(self, cores: Sequence[int], kept: Path, binaries: Mapping[str, str]):
        super().__init__()
        self.kept = kept
        self.jobs = len(cores)
        """The number of processes that make formulas."""
        self._binaries = binaries
        self._free = sorted(cores)
        self._taken: dict[int, list[int]] = {}
        self._threads = self.enter_context(ThreadPoolExecutor(len(cores)))

    def start(self, job: BenchJob) -> bool:
        """Take the cores of a run, if they are free."""
        count = job.task.solver.cores
        if count > len(self._free):
            return False
        self._taken[id(job)], self._free = self._free[:count], self._free[count:]
        return True

    def executor(self, job: BenchJob) -> Executor:
        return self._threads

    def release(self, job: BenchJob) -> None:
        self._free = sorted([*self._free, *self._taken.pop(id(job))])

    def work(self, job: BenchJob) -> Work:
        """The call that makes the run."""
        binary = self._binaries.get(job.task.solver.solver)
        return run_job, replace(job, cores=tuple(self._taken[id(job)]), kept=self.kept, binary=binary)


class ClusterWorkers(contextlib.ExitStack):
    """The workers of a Dask scheduler with one run each.

    `binaries` has the checksums of the local programs, by name of the solver. InputError if a worker has another version of this
    package, another program (unless `other_binaries`), or more than one thread.
    """

    def __init__(self, address: str, binaries: dict[str, str], *, kept: Path, other_binaries: bool = False):
        super().__init__()
        self.kept = kept
        self.jobs = len(usable_cores())
        self.send_formulas = False
        """Whether formulas are sent with the runs, because a worker does not have the files."""
        self._solvers = list(binaries)
        self._binaries = {} if other_binaries else binaries
        self._client = self.enter_context(dask_client(address))
        self._address = address
        self._executors: dict[int, Executor] = {1: self._client.get_executor(pure=False)}
        self._packages: dict[Path, Any] = {}
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

    # -- runs -----------------------------------------------------------------------------------------------------------

    def start(self, job: BenchJob) -> bool:
        """Whether a run may start: each of the known workers has the next run queued."""
        started = self._runs < 2 * jobs_of(self._executors[1]) + 1
        self._runs += started
        return started

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
        binary = self._binaries.get(job.task.solver.solver)
        return run_elsewhere, replace(job, binary=binary), self._package(job.prepared) if self.send_formulas else None

    def _package(self, prepared: Prepared) -> Any:
        """The files of a formula on the workers, sent once for all of its runs, and again if their workers were lost."""
        key = prepared.cnf_file
        if key in self._packages and self._packages[key].status != "finished":
            del self._packages[key]
        if key not in self._packages:
            while len(self._packages) >= KEPT_PACKAGES:
                self._packages.pop(next(iter(self._packages)))
            [self._packages[key]] = self._client.scatter([package_of(prepared)], broadcast=True)
        return self._packages[key]


Workers = LocalWorkers | ClusterWorkers


def _most_cores(dask_scheduler: Any = None) -> float:
    """The maximum number of cores that a worker offers to a run; this function runs in the scheduler."""
    return max((worker.resources.get("cores", 0) for worker in dask_scheduler.workers.values()), default=0)
