"""Calls on threads of this process: for functions that hardly compute but run supervised processes and wait for them.

Such a call needs no Python process around it, which would cost more than starting what it runs. `Pool` is what these threads
have in common with worker processes (`processes`): a queue of calls, and threads that each make one after the other.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from cnfgen_puzzles.distribution.work import Follow, P, R, followed_by
from cnfgen_puzzles.solving.process import interrupt_runs, runs_of


@dataclass(eq=False)
class Call:
    """What is to be called, who follows it, and the future of it. Its runs belong to `owner`."""

    content: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
    follow: Follow | None = None
    future: Future[Any] = field(default_factory=Future)
    owner: str = field(default_factory=lambda: uuid.uuid4().hex)


class Pool(Executor, ABC):
    """So many threads, each started when there is work for it. A subclass says how a thread makes a call (`worker`)."""

    def __init__(self, jobs: int | None = None):
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self._calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._workers: list[Worker] = []
        self._idle = threading.Semaphore(0)
        self._closed = False

    @abstractmethod
    def worker(self) -> Worker:
        """Another maker of calls."""

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        return self._put(Call((function, args, kwargs)))

    def submit_followed(self, follow: Follow, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        return self._put(Call((function, args, kwargs), follow))

    def _put(self, call: Call) -> Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("the executor is shut down")
            self._calls.put(call)
            if not self._idle.acquire(blocking=False) and len(self._workers) < self.jobs:
                worker = self.worker()
                worker.thread = threading.Thread(target=worker.serve, args=(self._calls, self._idle), daemon=True)
                self._workers.append(worker)
                worker.thread.start()
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            self._cancel()
        with self._lock:
            self._closed = True
            for _ in self._workers:
                self._calls.put(None)
        if wait:
            for worker in self._workers:
                worker.thread.join()

    def check(self) -> None:
        """Nothing can be wrong with this machine that the futures would not tell."""

    def end(self, futures: Iterable[Future[Any]]) -> None:
        running = {future for future in futures if not future.cancel()}
        for worker in self._workers:
            worker.end(running)
        wait(running)

    def stop(self) -> None:
        """End the calls in flight and all workers now; what was submitted and not finished fails or is cancelled."""
        self.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.end(None)
        self.shutdown()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
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


class Worker(ABC):
    """A thread of a pool, that makes one call after the other."""

    thread: threading.Thread

    def __init__(self) -> None:
        self._at: Call | None = None
        self._lock = threading.Lock()

    def serve(self, calls: queue.SimpleQueue[Call | None], idle: threading.Semaphore) -> None:
        """The life of the thread."""
        while (call := calls.get()) is not None:
            if self._begun(call):
                answer = self.answered(call)
                with self._lock:
                    self._at = None
                if isinstance(answer, BaseException):
                    call.future.set_exception(answer)
                else:
                    call.future.set_result(answer[0])
                del answer
            del call  # a result may be waited for a long time
            idle.release()

    def _begun(self, call: Call) -> bool:
        """Whether the call is still wanted; from now on `end` ends it."""
        with self._lock:
            wanted = call.future.set_running_or_notify_cancel()
            self._at = call if wanted else None
        return wanted

    def end(self, futures: set[Future[Any]] | None) -> None:
        """End the call in flight if it is one of these; None: whichever it is, and those to come."""
        with self._lock:
            if self._at is not None and (futures is None or self._at.future in futures):
                self.interrupt(self._at)

    @abstractmethod
    def answered(self, call: Call) -> tuple[Any] | BaseException:
        """Make the call: its value, or what it raised."""

    @abstractmethod
    def interrupt(self, call: Call) -> None:
        """Make the call that this thread is at return soon. Called by another thread, which holds the lock."""


class ThreadExecutor(Pool):
    """Calls on threads of this process. What they tell comes at once and whole, and before the result."""

    def worker(self) -> Worker:
        return _Thread()


class _Thread(Worker):
    def answered(self, call: Call) -> tuple[Any] | BaseException:
        function, args, kwargs = call.content
        try:
            with runs_of(call.owner), followed_by(call.follow):
                return (function(*args, **kwargs),)
        except BaseException as error:
            return error

    def interrupt(self, call: Call) -> None:
        interrupt_runs(call.owner)
