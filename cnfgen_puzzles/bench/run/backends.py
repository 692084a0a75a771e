"""The worker pools of a benchmark: `Local`, on cores of this machine, or `Cluster`, on the workers of a Dask scheduler.

They limit the number of parallel calls and assign cores; `execution.py` has the order of the runs, results, and failures.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from cnfgen_puzzles.bench.run.formulacache import Prepared
from cnfgen_puzzles.bench.run.job import BenchJob
from cnfgen_puzzles.bench.run.remote import package_of, probe, run_elsewhere
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.cluster import ClusterExecutor, dask_client
from cnfgen_puzzles.solving.pool import LocalExecutor, OnMessage, P, R, WorkerLost, WorkExecutor

KEPT_PACKAGES = 8
"""The number of formulas that the cluster keeps besides those in use."""


class Local(LocalExecutor):
    """Processes of this machine. Each run has its own cores, and making a formula takes one, too.

    `binaries` has the checksums of the programs at the start of the suite, by name of the solver.
    """

    send_formulas = False
    """Workers of this machine see the files."""

    def __init__(self, cores: Sequence[int], kept: Path, binaries: Mapping[str, str]):
        super().__init__(len(cores))
        self.kept = kept
        self._binaries = binaries
        self._free = sorted(cores)
        self._cores_lock = threading.Lock()

    def room(self, threads: int) -> bool:
        return threads <= len(self._free)

    def room_to_prepare(self, ready: int) -> bool:
        """Whether to make a formula: only if no run is ready, so that a run that waits for more cores gets them."""
        return not ready and bool(self._free)

    def submit_call(
        self, on_message: OnMessage | None, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        submit: Any = super().submit_call
        call: Any = args
        job = args[0]
        count = job.task.solver.cores if isinstance(job, BenchJob) else 1
        with self._cores_lock:
            cores, self._free = self._free[:count], self._free[count:]
        if isinstance(job, BenchJob):
            binary = self._binaries.get(job.task.solver.solver)
            call = (replace(job, cores=tuple(cores), kept=self.kept, binary=binary),)
        future: Future[R] = submit(on_message, function, *call, **kwargs)
        future.add_done_callback(lambda _: self._release(cores))
        return future

    def _release(self, cores: Sequence[int]) -> None:
        with self._cores_lock:
            self._free = sorted([*self._free, *cores])


class Cluster(WorkExecutor):
    """The workers of a Dask scheduler with one run each. A separate local process makes the formulas.

    `binaries` has the checksums of the local programs, by name of the solver. InputError if a worker has another version of this
    package, another program (unless `other_binaries`), or more than one thread.
    """

    def __init__(self, address: str, binaries: dict[str, str], *, kept: Path, other_binaries: bool = False):
        self.kept = kept
        self.send_formulas = False
        """Whether formulas are sent with the runs, because a worker does not have the files."""
        self._solvers = list(binaries)
        self._binaries = {} if other_binaries else binaries
        self._stack = contextlib.ExitStack()
        self._client = self._stack.enter_context(dask_client(address))
        self._address = address
        self._local = self._stack.enter_context(LocalExecutor(1))
        self._any_worker = ClusterExecutor(self._client, address)
        self._executors = {1: self._any_worker}
        self._packages: dict[Path, Any] = {}
        self._runs: list[Future[Any]] = []
        self._preparing: Future[Any] | None = None
        self._stopped = False

    # -- before the first run -------------------------------------------------------------------------------------------

    def check_workers(self, most_threads: int = 1) -> int:
        """The number of workers; InputError if a worker cannot make the runs like this machine."""
        found = self._client.run(probe, self._solvers)
        faults = (fault for worker, facts in found.items() for fault in self._faults(f"{facts['name']} ({worker})", facts))
        for fault in faults:
            raise InputError(fault, source=self._address)
        resources: float = self._client.run_on_scheduler(_most_cores)
        if found and most_threads > 1 and resources < most_threads:
            raise InputError(
                f"found no worker for runs with {most_threads} threads, expected one with the options "
                f"--nthreads 1 --resources cores={most_threads}",
                source=self._address,
            )
        return len(found)

    def _faults(self, worker: str, facts: dict[str, Any]) -> Iterator[str]:
        if facts["version"] != __version__:
            yield f"found cnfgen-puzzles {facts['version']} on the worker {worker}, expected {__version__}"
        if facts["threads"] != 1:
            yield f"found {facts['threads']} threads on the worker {worker}, expected 1: dask worker --nthreads 1 --nworkers N"
        for solver, checksum in facts["binaries"].items():
            if self._binaries.get(solver) not in (None, checksum):
                has = f"another {solver} ({checksum[:12]})" if checksum else f"no {solver}"
                yield f"found {has} on the worker {worker}, expected the program of this machine ({self._binaries[solver][:12]})"

    # -- runs -----------------------------------------------------------------------------------------------------------

    @property
    def jobs(self) -> int:
        """The known number of workers with one thread each."""
        return self._any_worker.jobs

    def room(self, _threads: int) -> bool:
        """Whether to submit another run: each worker has the next run queued."""
        self._runs = [future for future in self._runs if not future.done()]
        return len(self._runs) < 2 * self.jobs + 1

    def room_to_prepare(self, ready: int) -> bool:
        return (self._preparing is None or self._preparing.done()) and ready < 2 * self.jobs + 1

    def submit_call(
        self, on_message: OnMessage | None, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        job = args[0]
        if not isinstance(job, BenchJob):
            self._preparing = self._local.submit_call(on_message, function, *args, **kwargs)
            return self._preparing
        job = replace(job, binary=self._binaries.get(job.task.solver.solver))
        package = self._scattered(job.prepared) if self.send_formulas else None
        future: Future[Any] = self._executor(job.task.solver.cores).submit(run_elsewhere, job, package)
        future.add_done_callback(lambda future: self._forget_package(job, future))
        self._runs.append(future)
        return future

    def _forget_package(self, job: BenchJob, future: Future[Any]) -> None:
        """Forget the package of a formula if its worker was lost."""
        if not future.cancelled() and isinstance(future.exception(), WorkerLost):
            self._packages.pop(job.prepared.cnf_file, None)

    def _executor(self, threads: int) -> ClusterExecutor:
        """Runs with several threads go to workers that declare this number of cores."""
        if threads not in self._executors:
            self._executors[threads] = ClusterExecutor(self._client, self._address, cores=threads)
        return self._executors[threads]

    def _scattered(self, prepared: Prepared) -> Any:
        """The files of a formula on the workers, sent once for all of its runs."""
        key = prepared.cnf_file
        if key not in self._packages:
            while len(self._packages) >= KEPT_PACKAGES:
                self._packages.pop(next(iter(self._packages)))
            [self._packages[key]] = self._client.scatter([package_of(prepared)], broadcast=True)
        return self._packages[key]

    def check(self) -> None:
        self._any_worker.check()

    def end(self, futures: Iterable[Future[Any]]) -> None:
        self.stop()  # a benchmark ends either all of its calls or none

    def stop(self) -> None:
        """Cancel queued calls and end running ones, also those that workers start meanwhile."""
        if not self._stopped:
            self._stopped = True
            for executor in self._executors.values():
                executor.stop()
            self._local.stop()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        if kind:
            self.stop()
        self._stack.close()


Backend = Local | Cluster


def _most_cores(dask_scheduler: Any = None) -> float:
    """The maximum number of cores that a worker offers to a run; this function runs in the scheduler."""
    return max((worker.resources.get("cores", 0) for worker in dask_scheduler.workers.values()), default=0)
