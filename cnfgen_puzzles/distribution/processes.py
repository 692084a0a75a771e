"""Calls in worker processes of this machine: `LocalExecutor`.

It differs from the standard library's pool in what long work needs. A worker that is killed takes only its own call with it
(`WorkerLost`), and another takes its place. Workers die with their parent, whatever kills it, and end their runs first. Signals
of the terminal do not reach them: whoever submitted the work decides what an interrupt means.
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
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.distribution.threads import Call, Pool, Worker
from cnfgen_puzzles.distribution.work import WorkerLost, followed_by

GOODBYE = 15.0
"""Seconds for a worker to end its run and itself; then it is killed, and the run ends as if its caller had been."""

DONE, FAILED, TOLD = "done", "failed", "told"
"""What a message from a worker brings: the value, the exception, or what the call tells meanwhile."""


class LocalExecutor(Pool):
    """So many worker processes, each started when there is work for it and replaced when it dies.

    OSError where the working folder is gone: none could be started in it.
    """

    def __init__(self, jobs: int | None = None):
        os.getcwd()
        super().__init__(jobs)

    def worker(self) -> Worker:
        return _Process()


class _Process(Worker):
    """One worker process after another, and the thread that hands it calls and takes the results."""

    def __init__(self) -> None:
        super().__init__()
        self._process: Any = None
        self._pipe: Any = None
        self._ending = False  # the process was told to end
        self._unwanted: Call | None = None
        self._stopped = False

    def serve(self, calls: queue.SimpleQueue[Call | None], idle: threading.Semaphore) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # workers inherit it, until they can ignore it
        super().serve(calls, idle)
        with self._lock:
            self._bury()

    def answered(self, call: Call) -> tuple[Any] | BaseException:
        try:
            self._begin(call)
            self._pipe.send((call.content, call.follow is not None))
            while (message := self._pipe.recv())[0] == TOLD:
                if call.follow:
                    call.follow(message[1])
        except (EOFError, OSError) as error:
            return WorkerLost(f"the worker process is gone ({self._obituary(error)})")
        except Exception as error:  # it cannot be pickled
            return error
        kind, value = message
        return (value,) if kind == DONE else value

    def _begin(self, call: Call) -> None:
        """A process to talk to. `spawn`, since a fork of a process with threads and open sockets is no clean beginning."""
        with self._lock:
            if self._stopped or self._unwanted is call:
                raise EOFError("ended")
            if self._process is not None and not self._ending and self._process.is_alive():
                return
            self._bury()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            with theirs:
                process = context.Process(target=_work, args=(theirs,), daemon=True)
                process.start()  # may fail, where there are no more files or processes to be had
            self._process = process
            self._ending = False

    def _obituary(self, error: Exception) -> str:
        """What became of the process."""
        with self._lock:
            code = self._bury()
        if code is None:
            return str(error)
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _bury(self) -> int | None:
        """Wait until the process is gone, by force if need be; its exit code, None if there is no process."""
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(OSError):
            self._pipe.close()
        process.join(GOODBYE)
        if process.is_alive():
            process.kill()
            process.join()
        code: int = process.exitcode
        process.close()
        return code

    def end(self, futures: set[Future[Any]] | None) -> None:
        with self._lock:
            self._stopped = self._stopped or futures is None
        super().end(futures)

    def interrupt(self, call: Call) -> None:
        """Ask the process to end its run and itself, and insist after a while."""
        process, self._unwanted = self._process, call
        if process is None:
            return
        self._ending = True
        with contextlib.suppress(Exception):  # it has ended meanwhile
            process.terminate()
            threading.Thread(target=_insist, args=(process.sentinel, process.kill), daemon=True).start()


def _insist(sentinel: int, kill: Callable[[], None]) -> None:
    """Kill a process that does not follow: its thread waits for what it never says."""
    with contextlib.suppress(OSError, ValueError):  # closed meanwhile
        if not wait_for([sentinel], GOODBYE):
            kill()


# -- in the worker process --------------------------------------------------------------------------------------------------


def _work(pipe: Connection[Any, Any]) -> None:
    """The life of a worker process: calls from the pipe, one by one, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    with contextlib.suppress(OSError):
        os.setsid()  # signals to the parent's group (Ctrl-C, `timeout`) are the parent's affair
    threading.Thread(target=_die_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            (function, args, kwargs), followed = pipe.recv()
            with followed_by((lambda text: pipe.send((TOLD, text))) if followed else None):
                _reply(pipe, function, args, kwargs)


def _reply(pipe: Connection[Any, Any], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    answer: tuple[str, Any]
    try:
        answer = DONE, function(*args, **kwargs)
    except Exception as error:
        answer = FAILED, error
        error.add_note(f"in a worker process:\n{traceback.format_exc()}")
    try:
        pipe.send(answer)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError) as error:  # pickling fails before anything is sent
        pipe.send((FAILED, CnfgenError(f"a worker's answer cannot be sent: {error}; it was {answer[1]!r:.500}")))


def _leave(_number: int, _frame: object) -> None:
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
