"""What all executors of this package have in common: the contract, a lost worker, and what a call tells while it runs.

No executor is here; `executors` has them, and `distributor` is how they are used for many units of work.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any, ParamSpec, Protocol, TypeVar

from cnfgen_puzzles.common.errors import CnfgenError

P = ParamSpec("P")
R = TypeVar("R")
Follow = Callable[[str], None]


class WorkerLost(CnfgenError):
    """The process that did the work is gone, and the result with it. The work was tried `attempts` times before this is said."""

    def __init__(self, message: str, attempts: int = 1):
        super().__init__(message)
        self.attempts = attempts

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.attempts)


class WorkExecutor(Protocol):
    """A `concurrent.futures` executor whose calls can be ended and followed. Functions and arguments must be picklable.

    A future gives the function's value or exception, or WorkerLost, or it was cancelled by its owner: nothing else.
    """

    @property
    def jobs(self) -> int:
        """Calls that are made side by side, as far as is known."""

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call the function some time."""

    def submit_followed(self, follow: Follow, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Like `submit`; what the call tells of itself meanwhile goes to `follow`, on some thread.

        What is told is for the impatient: some of it may be lost, or come after the result.
        """

    def check(self) -> None:
        """CnfgenError if no future will ever tell anything any more."""

    def end(self, futures: Iterable[Future[Any]]) -> None:
        """End these calls now, and the processes that they run; the executor can be used on."""

    def stop(self) -> None:
        """End all calls and the executor."""


_follow: ContextVar[Follow | None] = ContextVar("follow", default=None)


def follower() -> Follow | None:
    """In a call: what takes its messages, short texts, from any thread until the call ends; None if nobody follows it."""
    return _follow.get()


@contextlib.contextmanager
def followed_by(follow: Follow | None) -> Iterator[None]:
    """For executors: what is called in the block is followed by this."""
    token = _follow.set(follow)
    try:
        yield
    finally:
        _follow.reset(token)
