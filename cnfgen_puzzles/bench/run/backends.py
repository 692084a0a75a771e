"""Where the runs of a benchmark are made: `Local`, on cores of this machine, or `Cluster`, on the workers of a Dask scheduler.

Both give futures of `concurrent.futures`. They know how much can be in flight and which cores a run gets; the order of the
runs, results and failures are the affair of `execution.py`.
"""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import Prepared
from cnfgen_puzzles.bench.run.job import Job, prepare, run_job
from cnfgen_puzzles.bench.run.remote import FormulaMissing, package_of, probe, run_elsewhere
from cnfgen_puzzles.bench.suite.plan import Task
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.cluster import ClusterExecutor, dask_client
from cnfgen_puzzles.solving.pool import LocalExecutor, WorkerLost

KEPT_PACKAGES = 8
"""Formulas that the cluster holds for us besides those that its runs are using."""


class Local:
    """Processes of this machine. Each run has cores of its own, and making a formula takes one, too.

    `binaries` are the checksums of the suite's programs when it was begun, by the solver's name.
    """

    def __init__(self, cores: Sequence[int], kept: Path, binaries: Mapping[str, str]):
        self.kept = kept
        self._binaries = binaries
        self.jobs = len(cores)
        self._free = list(cores)
        self._executor = LocalExecutor(len(cores))
        self._held: dict[Future[Any], Sequence[int]] = {}

    def room(self, threads: int) -> bool:
        return threads <= len(self._free)

    def room_to_prepare(self, ready: int) -> bool:
        """Formulas are made when there is nothing else to do: a run that waits for more cores than are free shall get them."""
        return not ready and bool(self._free)

    def prepare(self, suite_folder: Path, cache: Path, task: Task) -> Future[Any]:
        return self._submit(self._take(1), prepare, suite_folder, cache, task)

    def run(self, job: Job) -> Future[Any]:
        cores = self._take(job.task.solver.cores)
        binary = self._binaries.get(job.task.solver.solver)
        return self._submit(cores, run_job, replace(job, cores=tuple(cores), kept=self.kept, binary=binary))

    def take(self, future: Future[Any]) -> Any:
        """The result of a future that is done; its cores are free again."""
        self._free = sorted(self._free + list(self._held.pop(future)))
        if future.cancelled():
            raise WorkerLost("cancelled")
        return future.result()

    def _take(self, count: int) -> list[int]:
        cores, self._free = self._free[:count], self._free[count:]
        return cores

    def _submit(self, cores: Sequence[int], *call: Any) -> Future[Any]:
        future = self._executor.submit(*call)
        self._held[future] = cores
        return future

    def check(self) -> None:
        """Nothing can be wrong with this machine that the runs would not tell."""

    def stop(self) -> None:
        """End the runs in flight now."""
        self._executor.stop()

    def __enter__(self) -> Local:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.stop() if kind else self._executor.shutdown()


class Cluster:
    """The workers of a Dask scheduler, one run at a time on each. Formulas are made here, in one process of their own.

    `binaries` are the checksums of the suite's programs here, by the solver's name. InputError if a worker has another
    version of this package, another program (unless `other_binaries` is allowed), or more than one thread.
    """

    def __init__(self, address: str, binaries: dict[str, str], *, kept: Path, other_binaries: bool = False):
        self.kept = kept
        self._solvers = list(binaries)
        self._binaries = {} if other_binaries else binaries
        self._stack = contextlib.ExitStack()
        self._client = self._stack.enter_context(dask_client(address))
        self._address = address
        self._local = self._stack.enter_context(LocalExecutor(1))
        self._any_worker = ClusterExecutor(self._client, address)
        self._executors = {1: self._any_worker}
        self._packages: dict[Path, Any] = {}
        self._send = False
        self._jobs: dict[Future[Any], Job | None] = {}
        self._stopped = False

    # -- before the first run -------------------------------------------------------------------------------------------

    def check_workers(self, most_threads: int = 1) -> int:
        """The number of workers there are; InputError if one of them cannot make the suite's runs as this machine would."""
        found = self._client.run(probe, self._solvers)
        for worker, told in found.items():
            self._check_worker(f"{told['name']} ({worker})", told)
        resources: float = self._client.run_on_scheduler(_most_cores)
        if found and most_threads > 1 and resources < most_threads:
            raise InputError(
                f"found no worker for runs of {most_threads} threads, expected one that was started with "
                f"--nthreads 1 --resources cores={most_threads}",
                source=self._address,
            )
        return len(found)

    def _check_worker(self, worker: str, told: dict[str, Any]) -> None:
        if told["version"] != __version__:
            message = f"found cnfgen-puzzles {told['version']} on the worker {worker}, expected {__version__}"
            raise InputError(message, source=self._address)
        if told["threads"] != 1:
            message = f"found {told['threads']} threads on the worker {worker}, expected 1: dask worker --nthreads 1 --nworkers N"
            raise InputError(message, source=self._address)
        for solver, checksum in told["binaries"].items():
            if self._binaries.get(solver) not in (None, checksum):
                has = f"another {solver} ({checksum[:12]})" if checksum else f"no {solver}"
                message = f"found {has} on the worker {worker}, expected that of this machine ({self._binaries[solver][:12]})"
                raise InputError(message, source=self._address)

    # -- runs -----------------------------------------------------------------------------------------------------------

    @property
    def jobs(self) -> int:
        """Workers, of one thread each, as far as is known."""
        return self._any_worker.jobs

    def room(self, _threads: int) -> bool:
        """A worker has its next run at hand when one ends."""
        return sum(job is not None for job in self._jobs.values()) < 2 * self.jobs + 1

    def room_to_prepare(self, ready: int) -> bool:
        return None not in self._jobs.values() and ready < 2 * self.jobs + 1

    def prepare(self, suite_folder: Path, cache: Path, task: Task) -> Future[Any]:
        future = self._local.submit(prepare, suite_folder, cache, task)
        self._jobs[future] = None
        return future

    def run(self, job: Job) -> Future[Any]:
        job = replace(job, binary=self._binaries.get(job.task.solver.solver))
        package = self._scattered(job.prepared) if self._send else None
        future = self._executor(job.task.solver.cores).submit(run_elsewhere, job, package)
        self._jobs[future] = job
        return future

    def take(self, future: Future[Any]) -> Any:
        """The result of a future that is done; outputs that were sent along are kept here."""
        job = self._jobs.pop(future)
        if job is None:
            return future.result()
        try:
            if future.cancelled():
                raise WorkerLost("its worker is gone, or the formula with the worker that had it")
            reply = future.result()
            return self._with_outputs(reply.opened(), reply.outputs)
        except FormulaMissing:
            self._send = True  # from now on to all
            raise
        except WorkerLost:
            self._packages.pop(job.prepared.cnf_file, None)
            raise
        except Exception as error:
            if type(error).__name__ == "KilledWorker":  # until the executor itself says WorkerLost for it
                raise WorkerLost(str(error)) from None
            raise

    def _executor(self, threads: int) -> ClusterExecutor:
        """Runs of several threads go to workers that say they have so many cores."""
        if threads not in self._executors:
            self._executors[threads] = ClusterExecutor(self._client, self._address, cores=threads)
        return self._executors[threads]

    def _scattered(self, prepared: Prepared) -> Any:
        """The formula's files on the workers: sent once, for all runs on it."""
        key = prepared.cnf_file
        if key not in self._packages:
            while len(self._packages) >= KEPT_PACKAGES:
                self._packages.pop(next(iter(self._packages)))
            [self._packages[key]] = self._client.scatter([package_of(prepared)], broadcast=True)
        return self._packages[key]

    def _with_outputs(self, record: Record, outputs: dict[str, bytes]) -> Record:
        if outputs:
            folder = self.kept / Path(record["kept"]).name
            folder.mkdir(parents=True, exist_ok=True)
            for name, compressed in outputs.items():
                (folder / name).write_bytes(gzip.decompress(compressed))
            record["kept"] = str(folder)
        return record

    def check(self) -> None:
        """CnfgenError if the scheduler is gone: no future would ever tell."""
        self._any_worker.check()

    def stop(self) -> None:
        """Cancel what waits and end the runs in flight now, and those that workers begin before they hear of it."""
        if not self._stopped:
            self._stopped = True
            for executor in self._executors.values():
                executor.stop()
            self._local.stop()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            self.stop()
        self._stack.close()


Backend = Local | Cluster


def _most_cores(dask_scheduler: Any = None) -> float:
    """Runs in the scheduler: the most cores that a worker offers to a run of several threads."""
    return max((worker.resources.get("cores", 0) for worker in dask_scheduler.workers.values()), default=0)
