"""Where work is done: processes of this machine, or the workers of a Dask cluster, both behind `concurrent.futures.Executor`.

    with open_executor(scheduler=None, jobs=4) as executor:
        future = executor.submit(function, argument)

`LocalExecutor` differs from the standard library's pool in what benchmarks need. A worker that is killed takes only its own call
with it (`WorkerLost`), and another takes its place. Workers die with their parent, whatever kills it, and end their runs first.
Signals of the terminal do not reach them: whoever submitted the work decides what an interrupt means.

Nothing here knows of solvers or puzzles; functions and arguments must be picklable.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
import uuid
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.process import interrupt_runs, runs_of

GOODBYE = 15.0
"""Seconds for a worker to end its run and itself; then it is killed, and the run ends as if its caller had been."""
CONNECT_TIMEOUT = 10.0
"""Seconds for a Dask scheduler to answer."""

COUNT_EVERY = 2.0
"""Seconds for which the number of a cluster's workers is believed."""


class WorkerLost(CnfgenError):
    """The process that did the work is gone, and the result with it."""


@contextlib.contextmanager
def open_executor(scheduler: str | None = None, jobs: int | None = None) -> Iterator[LocalExecutor | ClusterExecutor]:
    """An executor of so many processes of this machine, or that of the Dask scheduler at an address. On an exception that leaves
    the block, work in flight is stopped rather than waited for."""
    if scheduler is not None:
        with dask_client(scheduler) as client:
            executor = ClusterExecutor(client, scheduler)
            try:
                yield executor
            except BaseException:
                executor.stop()
                raise
        return
    with LocalExecutor(jobs) as executor:
        yield executor


@contextlib.contextmanager
def dask_client(address: str) -> Iterator[Any]:
    """A client of the Dask scheduler at `address` (`tcp://host:port`, or the path of a scheduler file)."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("a scheduler needs another package: pip install 'cnfgen-puzzles[cluster]'") from None
    where = {"scheduler_file": address} if os.path.isfile(address) else {"address": address}
    try:
        client = Client(**where, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"found no Dask scheduler that answers ({error})", source=address) from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # it may be gone: nothing of ours is lost by that
            client.close(timeout=5)


class LocalExecutor(Executor):
    """So many worker processes, each started when there is work for it and replaced when it dies."""

    def __init__(self, jobs: int | None = None):
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._workers: list[_Worker] = []
        self._idle = threading.Semaphore(0)
        self._closed = False

    def submit(self, function: Callable, /, *args: Any, **kwargs: Any) -> Future:
        with self._lock:
            if self._closed:
                raise RuntimeError("the executor is shut down")
            call = _Call(Future(), (function, args, kwargs))
            self._calls.put(call)
            if not self._idle.acquire(blocking=False) and len(self._workers) < self.jobs:
                self._workers.append(_Worker(self._calls, self._idle))
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                if cancel_futures:
                    self._cancel()
                for _ in self._workers:
                    self._calls.put(None)
        if wait:
            for worker in self._workers:
                worker.thread.join()

    def check(self) -> None:
        """Nothing can be wrong with this machine that the futures would not tell."""

    def stop(self) -> None:
        """End the calls in flight and all workers now; what was submitted and not finished fails or is cancelled."""
        self._cancel()
        self.shutdown(wait=False)
        for worker in self._workers:
            worker.terminate()
        self.shutdown()

    def __exit__(self, kind, *_) -> None:
        if kind is None:
            self.shutdown()
        else:
            self.stop()

    def _cancel(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                call = self._calls.get_nowait()
                if call is not None:
                    call.future.cancel()


class ClusterExecutor(Executor):
    """The workers of a Dask cluster, or those with certain `resources`. A call whose worker dies is made again by another."""

    def __init__(self, client: Any, address: str, **resources: float):
        self._client, self._address = client, address
        self._executor = client.get_executor(pure=False, **({"resources": resources} if resources else {}))
        self._futures: weakref.WeakSet[Future] = weakref.WeakSet()
        self._owner = uuid.uuid4().hex
        self._counted, self._threads = -COUNT_EVERY, 0

    @property
    def jobs(self) -> int:
        """Calls that the workers can make side by side, as far as is known."""
        if time.monotonic() - self._counted > COUNT_EVERY:
            with contextlib.suppress(OSError):  # no scheduler at the moment: `check` tells if it is gone for good
                self._threads = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._threads

    def submit(self, function: Callable, /, *args: Any, **kwargs: Any) -> Future:
        future = self._executor.submit(_owned, self._owner, function, *args, **kwargs)
        self._futures.add(future)
        return future

    def check(self) -> None:
        """CnfgenError if the scheduler is gone: no future would ever tell."""
        if self._client.status not in ("running", "connecting"):
            raise CnfgenError(f"the scheduler {self._address} is gone; what was done is kept if there is a place for it")

    def stop(self) -> None:
        """Cancel what was submitted, and end the runs of the calls in flight now."""
        for future in list(self._futures):
            future.cancel()
        with contextlib.suppress(Exception):  # no cluster, nothing to stop
            self._client.run(interrupt_runs, self._owner)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            self.stop()
        self._executor.shutdown(wait)


def _owned(owner: str, function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """A call on a cluster's worker, whose runs can be ended with those of all other calls of that executor."""
    with runs_of(owner):
        return function(*args, **kwargs)


class _Call:
    """What is to be called, and the future of it."""

    def __init__(self, future: Future, content: tuple[Callable, tuple, dict]):
        self.future = future
        self.content = content


class _Worker:
    """One worker process after another, and the thread that hands it calls and takes the results."""

    def __init__(self, calls: queue.SimpleQueue, idle: threading.Semaphore):
        self._calls = calls
        self._idle = idle
        self._process: Any = None
        self._pipe: Any = None
        self._stopped = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # workers inherit it, until they can ignore it
        while (call := self._calls.get()) is not None:
            if call.future.set_running_or_notify_cancel():
                self._answer(call)
            self._idle.release()
        self._end()

    def _answer(self, call: _Call) -> None:
        """The future's result; `content` is let go of first, since a result may be waited for a long time."""
        try:
            if self._process is None or not self._process.is_alive():
                self._start()
            self._pipe.send(call.content)
            done, value = self._pipe.recv()
        except (EOFError, OSError) as error:
            call.future.set_exception(WorkerLost(f"the worker process is gone ({self._obituary(error)})"))
        except Exception as error:  # it cannot be pickled
            call.future.set_exception(error)
        else:
            if done:
                call.future.set_result(value)
            else:
                call.future.set_exception(value)

    def _start(self) -> None:
        """Another process. `spawn`, since a fork of a process with threads and open sockets is no clean beginning."""
        if self._stopped.is_set():
            raise EOFError("stopped")
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def _obituary(self, error: Exception) -> str:
        if self._process is None:
            return str(error)
        self._process.join(GOODBYE)
        self._pipe.close()
        code, self._process = self._process.exitcode, None
        return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"

    def terminate(self) -> None:
        """Ask the process to end its run and itself."""
        self._stopped.set()
        process = self._process
        if process is not None:
            with contextlib.suppress(Exception):  # it has ended meanwhile
                process.terminate()

    def _end(self) -> None:
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError):
            self._pipe.close()
        process.join(GOODBYE)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()


def _work(pipe: Any) -> None:
    """The life of a worker process: calls from the pipe, one by one, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    with contextlib.suppress(OSError):
        os.setsid()  # signals to the parent's group (Ctrl-C, `timeout`) are the parent's affair
    threading.Thread(target=_die_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            function, args, kwargs = pipe.recv()
            _reply(pipe, function, args, kwargs)


def _reply(pipe: Any, function: Callable, args: tuple, kwargs: dict) -> None:
    try:
        answer = True, function(*args, **kwargs)
    except Exception as error:
        answer = False, error
        error.add_note(f"in a worker process:\n{traceback.format_exc()}")
    try:
        pipe.send(answer)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError) as error:  # pickling fails before anything is sent
        pipe.send((False, CnfgenError(f"a worker's answer cannot be sent: {error}; it was {answer[1]!r:.500}")))


def _leave(_number: int, _frame: Any) -> None:
    """SIGTERM: leave by an exception, so that a run in flight is ended and waited for on the way out."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def _die_with_parent() -> None:
    """A pipe tells of the parent's end, whatever ended it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GOODBYE)
    os.kill(os.getpid(), signal.SIGKILL)
