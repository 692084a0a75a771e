"""The executors of `concurrent.futures` for calls: processes of this machine (`Processes`), or the workers of a Dask cluster.

    with open_executor(scheduler=None, jobs=4) as executor:
        future = executor.submit(function, argument)

Calls that wait for programs need no process: a ThreadPoolExecutor makes them. `distribute` makes many calls by any of the three.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from math import inf
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.solving.process import interrupt_runs

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

CONNECT_TIMEOUT = 10.0
"""Seconds for a Dask scheduler to answer."""

END_PATIENCE = 15.0
"""Seconds for a worker process to end its runs and itself; then it is killed, and its runs end, too."""

COUNT_INTERVAL = 1.0
"""Seconds between two counts of the threads of a cluster."""
_counts: WeakKeyDictionary[Executor, tuple[float, int]] = WeakKeyDictionary()
"""The time and the result of the last count."""

P = ParamSpec("P")
R = TypeVar("R")


@contextlib.contextmanager
def open_executor(scheduler: str | None = None, jobs: int | None = None) -> Iterator[Executor]:
    """The workers of the Dask scheduler at an address, or without one `jobs` local processes (by default one per core)."""
    if scheduler is None:
        with Processes(jobs) as local:
            yield local
    else:
        with dask_client(scheduler) as client:
            yield client.get_executor(pure=False)


@contextlib.contextmanager
def dask_client(address: str) -> Iterator[Any]:
    """A client of the Dask scheduler at `address` (`tcp://host:port`, or the path of a scheduler file)."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError(f"a scheduler needs another package: {install_extra('cluster')}") from None
    where = {"scheduler_file": address} if os.path.isfile(address) else {"address": address}
    try:
        client: Any = cast(Any, Client)(**where, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"no Dask scheduler answers ({error})", source=address) from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # the scheduler may have ended
            client.close(timeout=5)


def client_of(executor: Executor) -> Any:
    """The Dask client of an executor; None for an executor of this machine."""
    return getattr(executor, "_client", None)


def jobs_of(executor: Executor) -> int:
    """The number of calls that can run at the same time; of a cluster the known number of threads, which can change."""
    client = client_of(executor)
    if client is None:
        return executor.jobs if isinstance(executor, Processes) else int(cast(Any, executor)._max_workers)
    at, jobs = _counts.get(executor, (-inf, 0))
    if time.monotonic() > at + COUNT_INTERVAL:  # the answer of the scheduler has an entry for each worker
        try:
            jobs = sum(client.nthreads().values())
        except OSError:  # no scheduler at the moment: `check_connection` detects a permanent loss
            jobs = 0
        _counts[executor] = time.monotonic(), jobs
    return jobs


def check_connection(executor: Executor) -> None:
    """CnfgenError if the scheduler of the executor was lost: then no future can finish."""
    client = client_of(executor)
    if client is not None and client.status not in ("running", "connecting"):
        raise CnfgenError("the connection to the Dask scheduler was lost; finished work is kept if a folder for it was given")


def end_calls(executor: Executor, futures: list[Future[Any]], owner: str) -> None:
    """End these calls, whose runs belong to `owner`, now. The executor remains usable."""
    client = client_of(executor)
    if isinstance(executor, Processes):
        executor.end()
        return
    for future in futures:
        future.cancel()
    if client is None:
        interrupt_runs(owner)
        wait(futures)
        return
    with contextlib.suppress(Exception):  # no cluster: nothing to end
        client.run(interrupt_runs, owner)


# -- processes of this machine ------------------------------------------------------------------------------------------------


class Processes(Executor):
    """The standard pool of processes, for calls that compute in Python.

    It starts a process when there is work for it. If a process dies, its current calls and those of the other processes raise
    BrokenProcessPool, and the next call opens another pool. `end`, and an exception that leaves the block, end all calls with
    their runs. Processes end with their parent, even if it is killed. Signals of the terminal do not reach them: the submitting
    process handles an interrupt. OSError if the working folder was removed, since no process can start in it.
    """

    def __init__(self, jobs: int | None = None):
        os.getcwd()
        self.jobs = jobs or len(usable_cores())
        self._pool: ProcessPoolExecutor | None = None
        self._thread = ThreadPoolExecutor(1)  # starts and ends the processes, since no Ctrl-C interrupts it

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        return self._thread.submit(self._submit, function, *args, **kwargs).result()

    def _submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        import multiprocessing  # not at the start of commands: threads do not need it
        from concurrent.futures import ProcessPoolExecutor

        while True:
            if self._pool is None:  # `spawn`: a fork would inherit threads and open sockets
                self._pool = ProcessPoolExecutor(self.jobs, multiprocessing.get_context("spawn"), _start_worker)
            # processes inherit this until they ignore the signal; not before: opening a pool can unblock it
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                return self._pool.submit(_make_call, function, *args, **kwargs)
            except BrokenExecutor:
                self._end()

    def end(self) -> None:
        """End all calls now: ask the processes to end their runs and themselves, and kill them after a delay."""
        self._thread.submit(self._end).result()

    def _end(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes, results = [*(pool._processes or {}).values()], cast(Any, pool)._result_queue
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        end = time.monotonic() + END_PATIENCE
        for process in processes:
            process.join(max(end - time.monotonic(), 0.0))
            process.kill()
        results._writer.close()  # the pool must not wait for the rest of a result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait, cancel_futures=cancel_futures)
        self._thread.shutdown(wait)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        if kind is not None:
            self.end()
        self.shutdown()


def _start_worker() -> None:
    """In a worker process, before its first call."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _exit_on_signal)
    with contextlib.suppress(OSError):
        os.setsid()  # signals to the parent's group (Ctrl-C, `timeout`) are for the parent
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _make_call(function: Callable[..., R], /, *args: Any, **kwargs: Any) -> R:
    try:
        return function(*args, **kwargs)
    except SystemExit as error:  # of SIGTERM: its run has ended; the pool would send this as the result
        os._exit(error.code if isinstance(error.code, int) else 1)


def _exit_on_signal(_number: int, _frame: object) -> None:
    """SIGTERM: exit with an exception, which ends the current run and waits for it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def _exit_with_parent() -> None:
    """Wait for the end of the parent by a pipe of multiprocessing, which also shows that the parent was killed."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_PATIENCE)
    os.kill(os.getpid(), signal.SIGKILL)
