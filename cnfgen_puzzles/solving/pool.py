"""The worker pool: calls on threads or processes of this machine, and `Distributor`, which passes units of work to a pool.

    with LocalExecutor(4) as executor:
        work = Distributor(executor, lambda cube: (refute, cube), "cubes")
        for result in work.results(next_cube):  # next_cube() gives a unit, or None if none is ready
            print(result.unit, result.result())

All pools implement the same protocol (`WorkExecutor`):

- start: threads and processes start when there is work for them; `cluster.open_executor` connects to a Dask cluster instead;
- request: a function and its arguments, which must be picklable unless the pool is a `ThreadExecutor`;
- answer: the future has the value or the exception; messages of the call go to a callback (`submit_call`);
- interrupt: `end` ends calls with the solvers that they run; workers end with their parent, even if it is killed;
- death: the call of a worker that died raises WorkerLost; another worker replaces it;
- retry: `Distributor` repeats such a call, ATTEMPTS times in all.
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
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar

from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.process import interrupt_runs, owner_of_runs, runs_of

ATTEMPTS = 4
"""Maximal number of calls for a unit of work if its workers die."""

CHECK_INTERVAL = 0.1
"""Seconds between two checks of the clock and of the executor while no result arrives."""

END_PATIENCE = 15.0
"""Seconds for a worker process to end its runs and itself; then it is killed, and its runs end, too."""

P = ParamSpec("P")
R = TypeVar("R")
U = TypeVar("U")
OnMessage = Callable[[str], None]
Work = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function and its arguments."""


class WorkerLost(CnfgenError):
    """The worker died without a result. The pool has tried the call `attempts` times."""

    def __init__(self, message: str, attempts: int = 1):
        super().__init__(message)
        self.attempts = attempts

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.attempts)


class WorkExecutor(Executor, ABC):
    """A `concurrent.futures` executor whose calls can be ended and can send messages.

    A future gives the function's value, its exception, or WorkerLost, unless its owner cancels it.
    """

    @property
    @abstractmethod
    def jobs(self) -> int:
        """The number of calls that can run at the same time, as far as known."""

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call the function when a worker is free."""
        return self.submit_call(None, function, *args, **kwargs)

    @abstractmethod
    def submit_call(
        self, on_message: OnMessage | None, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        """Like `submit`; messages of the call (`message_callback`) go to `on_message`, in any thread. A cluster may lose some of
        them, or deliver them after the result."""

    def check(self) -> None:
        """CnfgenError if no future can finish any more."""

    @abstractmethod
    def end(self, futures: Iterable[Future[Any]]) -> None:
        """End these calls and their processes now. The executor remains usable."""

    @abstractmethod
    def stop(self) -> None:
        """End all calls and the executor."""


_on_message: ContextVar[OnMessage | None] = ContextVar("on_message", default=None)


def message_callback() -> OnMessage | None:
    """In a call: the function for its messages (short texts) from any thread until the call ends; None without a listener."""
    return _on_message.get()


@contextlib.contextmanager
def messages_to(on_message: OnMessage | None) -> Iterator[None]:
    """For executors: calls in the block send their messages here."""
    token = _on_message.set(on_message)
    try:
        yield
    finally:
        _on_message.reset(token)


# -- many units of work ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CallMessage(Generic[U]):
    """A text that the call of a unit sent while it ran."""

    unit: U
    text: str


@dataclass(frozen=True)
class CallResult(Generic[U]):
    """The value of a unit's call, or the error that ended it."""

    unit: U
    value: Any = None
    error: CnfgenError | None = None

    def result(self) -> Any:
        """The value of the call; raises its exception if it raised one."""
        if self.error is not None:
            raise self.error
        return self.value


class Distributor(Generic[U]):
    """Passes units of work to an executor, at most `at_once` at a time (by default as many as it runs at the same time).

    A unit is any value; `call(unit)` gives its function and arguments when it starts. Units may depend on other units' results:
    the function for the next unit is called again after each event. An exception of a call is the result of its unit, and the
    others continue. A call whose worker was lost is repeated. At the `deadline` (monotonic clock; `timed_out`), and if the caller
    leaves the iteration or is interrupted, the current calls are ended. A lost cluster is an error.

    `name` is the plural of the unit, for messages. `on_look` is called at least every CHECK_INTERVAL seconds.
    """

    def __init__(
        self,
        executor: WorkExecutor,
        call: Callable[[U], Work],
        name: str,
        *,
        at_once: int | Callable[[], int] | None = None,
        deadline: float | None = None,
        on_look: Callable[[], None] = lambda: None,
    ):
        self.timed_out = False
        self.halted = False
        self._executor, self._call, self._name = executor, call, name
        self._at_once, self._deadline, self._on_look = at_once, deadline, on_look
        self._flying: dict[Future[Any], U] = {}
        self._lost: dict[Future[Any], int] = {}  # number of attempts of a repeated call
        self._repeat: deque[tuple[U, int]] = deque()
        self._news: queue.SimpleQueue[Future[Any] | CallMessage[U]] = queue.SimpleQueue()

    def halt(self) -> None:
        """Start no more calls; the iteration ends after the current ones. Signal handlers may call this."""
        self.halted = True

    @property
    def in_flight(self) -> list[U]:
        """The units whose calls have started."""
        return list(self._flying.values())

    def results(self, next_unit: Callable[[], U | None]) -> Generator[CallResult[U]]:
        """The results of the units in the order of their arrival, until no call is running and no unit is left."""
        with contextlib.closing(self.events(next_unit, messages=False)) as events:
            for event in events:
                if isinstance(event, CallResult):
                    yield event

    def events(self, next_unit: Callable[[], U | None], *, messages: bool = True) -> Generator[CallResult[U] | CallMessage[U]]:
        """Like `results`, with the messages of running calls in between."""
        try:
            while self._hand_out(next_unit, messages):
                for news in self._next_news():
                    event = news if isinstance(news, CallMessage) else self._result(news)
                    if event is not None:
                        yield event
                if self._deadline is not None and time.monotonic() > self._deadline:
                    self.timed_out = True
                    return
        finally:
            if self._flying:
                self._executor.end(list(self._flying))

    def _hand_out(self, next_unit: Callable[[], U | None], messages: bool) -> bool:
        """Fill the executor; returns whether any call is running."""
        at_once = self._executor.jobs if self._at_once is None else self._at_once
        most = max(at_once() if callable(at_once) else at_once, 1)
        while not self.halted and len(self._flying) < most:
            if self._repeat:
                unit, lost = self._repeat.popleft()
            elif (new := next_unit()) is not None:
                unit, lost = new, 0
            else:
                break
            function, *arguments = self._call(unit)
            on_message = partial(lambda unit, text: self._news.put(CallMessage(unit, text)), unit) if messages else None
            future = self._executor.submit_call(on_message, function, *arguments)
            self._flying[future], self._lost[future] = unit, lost
            future.add_done_callback(self._news.put)
        return bool(self._flying)

    def _next_news(self) -> list[Future[Any] | CallMessage[U]]:
        """The events since the last call, after a short wait if there are none."""
        try:
            news = [self._news.get(timeout=CHECK_INTERVAL)]
        except queue.Empty:
            news = []
        while not self._news.empty():
            news.append(self._news.get())
        self._executor.check()
        self._on_look()
        return news

    def _result(self, future: Future[Any]) -> CallResult[U] | None:
        """The result of a call that has ended; None if the call will be repeated."""
        unit, lost = self._flying.pop(future), self._lost.pop(future)
        try:
            return CallResult(unit, future.result())
        except WorkerLost as error:
            if lost + error.attempts < ATTEMPTS:
                self._repeat.append((unit, lost + error.attempts))
                return None
            return CallResult(unit, error=CnfgenError(f"the workers of {self._name} died repeatedly ({error})"))
        except CnfgenError as error:
            return CallResult(unit, error=error)
        except OSError as error:  # a full disk or no file descriptors left: a problem of the machine
            source = None if error.filename is None else os.fsdecode(error.filename)
            return CallResult(unit, error=InputError(f"a call of {self._name} failed: {error.strerror or error}", source=source))
        except Exception as error:
            failure = CnfgenError(f"a call of {self._name} failed: {type(error).__name__}: {error}")
            failure.__cause__ = error
            return CallResult(unit, error=failure)


# -- workers of this machine ------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Call:
    """A function with its arguments, and the future of its result. Its runs belong to `owner`, which is within the owner of the
    submitting thread: ending that one's runs ends these, too."""

    content: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
    on_message: OnMessage | None = None
    future: Future[Any] = field(default_factory=Future)
    owner: str = field(default_factory=lambda: f"{owner_of_runs()}/{uuid.uuid4().hex}")


class Pool(WorkExecutor):
    """A queue of calls and up to `jobs` threads for them. A subclass defines how a thread makes a call (`worker`)."""

    jobs: int = 1
    worker: type[Worker]

    def __init__(self, jobs: int | None = None):
        self.jobs = jobs or len(usable_cores())
        self._calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._workers: list[Worker] = []
        self._idle = threading.Semaphore(0)
        self._closed = False

    def submit_call(
        self, on_message: OnMessage | None, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        call = Call((function, args, kwargs), on_message)
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
            with contextlib.suppress(queue.Empty):
                while True:
                    call = self._calls.get_nowait()
                    if call is not None:
                        call.future.cancel()
        with self._lock:
            self._closed = True
            for _ in self._workers:
                self._calls.put(None)
        if wait:
            for worker in self._workers:
                worker.thread.join()

    def end(self, futures: Iterable[Future[Any]]) -> None:
        running = {future for future in futures if not future.cancel()}
        for worker in self._workers:
            worker.end(running)
        wait(running)

    def stop(self) -> None:
        """End the current calls and all workers now; unfinished calls fail or are canceled."""
        self.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.end(None)
        self.shutdown()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        if kind is None:
            self.shutdown()
        else:
            self.stop()


class Worker(ABC):
    """A thread of a pool, which makes one call after another."""

    thread: threading.Thread

    def __init__(self) -> None:
        self._current: Call | None = None
        self._stopped = False  # later calls are not started
        self._lock = threading.Lock()

    def serve(self, calls: queue.SimpleQueue[Call | None], idle: threading.Semaphore) -> None:
        """Take calls until the pool is shut down."""
        while (call := calls.get()) is not None:
            if self._begin(call):
                answer = self.make(call)
                with self._lock:
                    self._current = None
                if isinstance(answer, BaseException):
                    call.future.set_exception(answer)
                else:
                    call.future.set_result(answer[0])
                del answer
            del call  # free its result before the next call
            idle.release()

    def _begin(self, call: Call) -> bool:
        """Whether the call can start, since it was not canceled; then `end` ends it."""
        with self._lock:
            if self._stopped:
                call.future.cancel()
            wanted = call.future.set_running_or_notify_cancel()
            self._current = call if wanted else None
        return wanted

    def end(self, futures: set[Future[Any]] | None) -> None:
        """End the current call if it is one of these. None: end any current call, and start no other."""
        with self._lock:
            self._stopped = self._stopped or futures is None
            if self._current is not None and (futures is None or self._current.future in futures):
                self.interrupt(self._current)

    @abstractmethod
    def make(self, call: Call) -> tuple[Any] | BaseException:
        """Make the call; returns its value or its exception."""

    @abstractmethod
    def interrupt(self, call: Call) -> None:
        """Make the current call return soon. Another thread calls this with the lock."""


class _Thread(Worker):
    def make(self, call: Call) -> tuple[Any] | BaseException:
        function, args, kwargs = call.content
        try:
            with runs_of(call.owner), messages_to(call.on_message):
                return (function(*args, **kwargs),)
        except BaseException as error:
            return error

    def interrupt(self, call: Call) -> None:
        interrupt_runs(call.owner)


class ThreadExecutor(Pool):
    """Calls on threads of this process, for functions that wait for supervised processes: a Python process for such a call would
    cost more than the supervised process itself. All messages arrive immediately, before the result."""

    worker = _Thread


_VALUE, _ERROR, _MESSAGE = "value", "error", "message"
"""The kinds of data from a worker process: the value or exception of a call, or a message."""


class _Process(Worker):
    """A thread with a worker process, which is replaced if it dies."""

    def __init__(self) -> None:
        super().__init__()
        self._process: Any = None
        self._pipe: Any = None
        self._interrupted: Call | None = None
        self._timer: threading.Timer | None = None  # kills a process that does not end on request

    def serve(self, calls: queue.SimpleQueue[Call | None], idle: threading.Semaphore) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # workers inherit it until they ignore the signal
        super().serve(calls, idle)
        with self._lock:
            self._join_process()

    def make(self, call: Call) -> tuple[Any] | BaseException:
        try:
            self._start_process(call)
            self._pipe.send((call.content, call.on_message is not None))
            while (message := self._pipe.recv())[0] == _MESSAGE:
                if call.on_message:
                    call.on_message(message[1])
        except (EOFError, OSError) as error:
            with self._lock:
                code = self._join_process()
            how = str(error) if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
            return WorkerLost(f"the worker process died ({how})")
        except Exception as error:  # the call cannot be pickled
            return error
        kind, value = message
        return (value,) if kind == _VALUE else value

    def _start_process(self, call: Call) -> None:
        """Start the process if necessary, with `spawn`, since a fork would inherit threads and open sockets."""
        with self._lock:
            if self._interrupted is call:
                raise EOFError("ended")
            if self._process is not None and self._timer is None and self._process.is_alive():
                return
            self._join_process()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            with theirs:
                process = context.Process(target=_serve_calls, args=(theirs,), daemon=True)
                process.start()  # may fail if no file descriptors or processes are left
            self._process = process

    def _join_process(self) -> int | None:
        """Wait for the end of the process, and kill it if necessary; returns its exit code, None without a process."""
        process, self._process = self._process, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if process is None:
            return None
        with contextlib.suppress(OSError):
            self._pipe.close()
        process.join(END_PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
        code: int = process.exitcode
        process.close()
        return code

    def interrupt(self, call: Call) -> None:
        """Ask the process to end its runs and itself; kill it after a delay, since its thread waits for its answer."""
        self._interrupted = call
        if self._process is None:
            return
        with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
            self._process.terminate()
        if self._timer is None:
            self._timer = threading.Timer(END_PATIENCE, self._kill, [self._process])
            self._timer.daemon = True
            self._timer.start()

    @staticmethod
    def _kill(process: Any) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
            process.kill()


class LocalExecutor(Pool):
    """Calls in worker processes, each started when there is work for it and replaced when it dies.

    In contrast to the standard library's pool, a killed worker affects only its own call, and workers end their runs and
    themselves if the parent dies. Signals of the terminal do not reach them: the submitting process handles an interrupt. OSError
    if the working folder was removed, since no process can start in it.
    """

    worker = _Process

    def __init__(self, jobs: int | None = None):
        os.getcwd()
        super().__init__(jobs)


# -- in a worker process ----------------------------------------------------------------------------------------------------


def _serve_calls(pipe: Connection[Any, Any]) -> None:
    """Make the calls from the pipe until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _exit_on_signal)
    with contextlib.suppress(OSError):
        os.setsid()  # signals to the parent's group (Ctrl-C, `timeout`) are for the parent
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            (function, args, kwargs), has_listener = pipe.recv()
            with messages_to((lambda text: pipe.send((_MESSAGE, text))) if has_listener else None):
                _answer_call(pipe, function, args, kwargs)


def _answer_call(pipe: Connection[Any, Any], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    answer: tuple[str, Any]
    try:
        answer = _VALUE, function(*args, **kwargs)
    except Exception as error:
        answer = _ERROR, error
        error.add_note(f"in a worker process:\n{traceback.format_exc()}")
    try:
        pipe.send(answer)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError) as error:  # pickling fails before anything is sent
        pipe.send((_ERROR, CnfgenError(f"the answer of a worker cannot be sent: {error}; the answer is {answer[1]!r:.500}")))


def _exit_on_signal(_number: int, _frame: object) -> None:
    """SIGTERM: exit with an exception, which ends the current run and waits for it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def _exit_with_parent() -> None:
    """Wait for the end of the parent by a pipe of multiprocessing, which also shows that the parent was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_PATIENCE)
    os.kill(os.getpid(), signal.SIGKILL)
