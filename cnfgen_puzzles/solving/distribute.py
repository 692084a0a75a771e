"""Many calls by an executor of `concurrent.futures`: `distribute` yields their results in the order of arrival.

    with open_executor(jobs=4) as executor:
        with closing(distribute(executor, cubes, lambda cube: (refute, cube), "cubes")) as results:
            for done in filter(None, results):
                print(done.unit, done.result())

- executors: a ThreadPoolExecutor for calls that wait for programs; `executors.open_executor` for calls that compute in Python,
  in processes of this machine or on a Dask cluster;
- interrupt: Ctrl-C, the deadline, and leaving the iteration end the current calls with the runs of their programs;
- death: the call of a lost worker is repeated once; then its result is an error.
"""

from __future__ import annotations

import contextlib
import os
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving.executors import Processes, check_connection, end_calls, jobs_of
from cnfgen_puzzles.solving.process import owner_of_runs, runs_of

CHECK_INTERVAL = 0.1
"""Seconds between two checks of the clock and of the executor while no result arrives."""

U = TypeVar("U")
Work = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function and its arguments."""


class WorkerLost(CnfgenError):
    """A call may raise this if a process that it needs was killed: then it is repeated like the call of a lost worker."""


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


@dataclass(frozen=True)
class _Attempt(Generic[U]):
    """A current call. Only one call of a pool of processes is `alone`: if its process dies again, no other call is to blame."""

    unit: U
    executor: Executor
    repeated: bool
    alone: bool


def distribute(
    executor: Executor | Callable[[U], Executor],
    units: Iterable[U | None],
    call: Callable[[U], Work],
    name: str,
    *,
    at_once: int | None = None,
    deadline: float | None = None,
) -> Generator[CallResult[U] | None]:
    """Make the call of each unit; yield the results as they arrive, and None if none has arrived for CHECK_INTERVAL.

    A unit is any value; `call(unit)` gives its function and arguments when it starts, and again if it is repeated. At most
    `at_once` calls run at the same time, by default as many as the executor can run. The units may depend on results: None is no
    unit at the moment, and the next one is asked for after the next event. The iteration ends when no call runs and none follows.
    An exception of a call is the result of its unit, and the others continue.

    `executor` can be a function that selects one for each unit. `name` is the plural of the unit, for messages. TimeoutError
    after the `deadline` (monotonic clock). CnfgenError if a cluster is lost.
    """
    owner = f"{owner_of_runs()}/{uuid.uuid4().hex}"
    left, lost = iter(units), deque[U]()
    running: dict[Future[Any], _Attempt[U]] = {}
    ended: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
    used: set[Executor] = set()
    alone = 0

    def start() -> bool:
        """Start a call, if one is ready and may run."""
        nonlocal alone
        most = at_once if at_once is not None else jobs_of(executor) if isinstance(executor, Executor) else 1
        if len(running) >= max(most, 1):
            return False
        unit = lost[0] if lost else None if alone else next(left, None)
        if unit is None:
            return False
        where = executor if isinstance(executor, Executor) else executor(unit)
        attempt = _Attempt(unit, where, bool(lost), bool(lost) and isinstance(where, Processes))
        if attempt.alone and any(each.executor is where for each in running.values()):
            return False
        if lost:
            lost.popleft()
        used.add(where)
        function, *arguments = call(unit)
        future = where.submit(_make_call, owner, function, *arguments)
        running[future] = attempt
        alone += attempt.alone
        future.add_done_callback(ended.put)
        return True

    try:
        while True:
            while start():
                pass
            if not running:
                return
            future = None
            with contextlib.suppress(queue.Empty):
                future = ended.get(timeout=CHECK_INTERVAL)
            for where in used:
                check_connection(where)
            if future is None:
                yield None
            else:
                attempt = running.pop(future)
                alone -= attempt.alone
                if (result := _result(future, attempt, name)) is None:
                    lost.append(attempt.unit)
                else:
                    yield result
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"the time for {name} is over")
    except BaseException:  # also GeneratorExit
        for where in used:
            end_calls(where, [future for future, each in running.items() if each.executor is where], owner)
        raise


def _make_call(owner: str, function: Callable[..., Any], /, *arguments: Any) -> Any:
    """In a worker: make the call in a way that its runs can be ended from outside."""
    with runs_of(owner):
        return function(*arguments)


def _result(future: Future[Any], attempt: _Attempt[U], name: str) -> CallResult[U] | None:
    """The result of a call that has ended; None if its worker was lost, and it must be repeated."""
    try:
        return CallResult(attempt.unit, future.result())
    except (WorkerLost, BrokenExecutor, CancelledError) as error:
        if not attempt.repeated:
            return None
        reason = "a process ended without a result" if isinstance(error, BrokenExecutor) else str(error) or "its input was lost"
        failure = CnfgenError(f"the workers of {name} died repeatedly ({reason})")
    except CnfgenError as error:
        failure = error
    except OSError as error:  # a full disk or no file descriptors left: a problem of the machine
        source = None if error.filename is None else os.fsdecode(error.filename)
        failure = InputError(f"a call of {name} failed: {error.strerror or error}", source=source)
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # Dask itself has repeated the call on other workers
            failure = CnfgenError(f"the workers of {name} died repeatedly ({error})")
        else:
            failure = CnfgenError(f"a call of {name} failed: {type(error).__name__}: {error}")
        failure.__cause__ = error
    return CallResult(attempt.unit, error=failure)
