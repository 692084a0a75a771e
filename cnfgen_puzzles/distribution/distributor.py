"""Hands units of work to an executor and takes what becomes of them: one story for counting, studies, here and elsewhere.

    work = Distributor(executor, lambda prefix: (refute, cube_of(prefix)), "cubes", at_once=4)
    for event in work.results(next_prefix):   # next_prefix() gives a prefix, or None if there is nothing to begin now
        record = event.result()               # of event.unit; raises what went wrong

A unit is anything; it becomes a call when its turn comes. Units may be made of what others brought: whoever is asked for the next
one is asked again after each event. What can happen:

- The call's function returns or raises: that is the unit's result, and the others go on.
- Its worker is lost: the call is made again, up to ATTEMPTS times; then that is the unit's result, an error.
- The time is over (`timed_out`), the iteration is abandoned or interrupted: the calls in flight are ended, with their processes.
- The scheduler of a cluster is gone: an error, which ends all.
"""

from __future__ import annotations

import contextlib
import os
import queue
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.distribution.work import WorkerLost, WorkExecutor

ATTEMPTS = 4
"""Calls on a unit whose workers die."""

LOOK = 0.1
"""Seconds between two looks at the clock while nothing comes."""

U = TypeVar("U")
Work = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function and its arguments."""


@dataclass(frozen=True)
class Told(Generic[U]):
    """What the call of a unit tells while it runs."""

    unit: U
    text: str


@dataclass(frozen=True)
class Done(Generic[U]):
    """What became of a unit."""

    unit: U
    value: Any = None
    error: CnfgenError | None = None

    def result(self) -> Any:
        """What the call returned; raises what it raised instead."""
        if self.error is not None:
            raise self.error
        return self.value


@dataclass(eq=False)
class _Flight(Generic[U]):
    unit: U
    lost: int = 0


class Distributor(Generic[U]):
    """Units of work, `call(unit)` being what is called for one, at most `at_once` of them in flight.

    `name` is what units are, for messages. `at_once` may change, then it is a function; None is as many as the executor makes
    side by side. `deadline` is on the monotonic clock. `on_look` is called again and again, at least every LOOK seconds.
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
        self._executor, self._call, self._name = executor, call, name
        self._at_once, self._deadline, self._on_look = at_once, deadline, on_look
        self._follow = False
        self._flying: dict[Future[Any], _Flight[U]] = {}
        self._again: deque[_Flight[U]] = deque()
        self._news: queue.SimpleQueue[Future[Any] | Told[U]] = queue.SimpleQueue()

    def results(self, next_unit: Callable[[], U | None]) -> Generator[Done[U]]:
        """What becomes of the units, as it comes, until none is in flight and there is no next one."""
        with contextlib.closing(self._events(next_unit)) as events:
            for event in events:
                if isinstance(event, Done):
                    yield event

    def followed(self, next_unit: Callable[[], U | None]) -> Generator[Done[U] | Told[U]]:
        """Like `results`, and between them what calls tell while they run, as far as the executor brings it."""
        self._follow = True
        yield from self._events(next_unit)

    def _events(self, next_unit: Callable[[], U | None]) -> Generator[Done[U] | Told[U]]:
        try:
            while self._hand_out(next_unit):
                for news in self._look():
                    event = news if isinstance(news, Told) else self._done(news)
                    if event is not None:
                        yield event
                if self._deadline is not None and time.monotonic() > self._deadline:
                    self.timed_out = True
                    return
        finally:
            if self._flying:
                self._executor.end(list(self._flying))

    def _hand_out(self, next_unit: Callable[[], U | None]) -> bool:
        """Fill the executor; whether anything is in flight."""
        room = self._room()
        while len(self._flying) < room:
            if self._again:
                flight = self._again.popleft()
            elif (unit := next_unit()) is not None:
                flight = _Flight(unit)
            else:
                break
            self._submit(flight)
        return bool(self._flying)

    def _room(self) -> int:
        at_once = self._executor.jobs if self._at_once is None else self._at_once
        return max(at_once() if callable(at_once) else at_once, 1)

    def _submit(self, flight: _Flight[U]) -> None:
        function, *arguments = self._call(flight.unit)
        if self._follow:
            future = self._executor.submit_followed(partial(self._tell, flight.unit), function, *arguments)
        else:
            future = self._executor.submit(function, *arguments)
        self._flying[future] = flight
        future.add_done_callback(self._news.put)

    def _tell(self, unit: U, text: str) -> None:
        self._news.put(Told(unit, text))

    def _look(self) -> Iterator[Future[Any] | Told[U]]:
        """What has come, after a short wait if nothing has."""
        try:
            news = [self._news.get(timeout=LOOK)]
        except queue.Empty:
            news = []
        while not self._news.empty():
            news.append(self._news.get())
        self._executor.check()
        self._on_look()
        yield from news

    def _done(self, future: Future[Any]) -> Done[U] | None:
        """The event of a call that has ended; None if it is to be made again."""
        flight = self._flying.pop(future)
        try:
            return Done(flight.unit, future.result())
        except WorkerLost as error:
            flight.lost += error.attempts
            if flight.lost < ATTEMPTS:
                self._again.append(flight)
                return None
            return Done(flight.unit, error=CnfgenError(f"the workers of {self._name} die again and again ({error})"))
        except CnfgenError as error:
            return Done(flight.unit, error=error)
        except OSError as error:  # no room, no more descriptors: the machine's, not ours
            where = None if error.filename is None else os.fsdecode(error.filename)
            told = f"a call of {self._name} failed: {error.strerror or error}"
            return Done(flight.unit, error=InputError(told, source=where))
        except Exception as error:
            failure = CnfgenError(f"a call of {self._name} failed: {type(error).__name__}: {error}")
            failure.__cause__ = error
            return Done(flight.unit, error=failure)
