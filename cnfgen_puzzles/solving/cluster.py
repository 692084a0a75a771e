"""The worker pool of a Dask cluster (`ClusterExecutor`), and `open_executor`, which opens this pool or the local one.

    with open_executor(scheduler=None, jobs=4) as executor:
        future = executor.submit(function, argument)

Only this module uses Dask; `pool` defines the protocol.
"""

from __future__ import annotations

import contextlib
import os
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, InvalidStateError
from functools import partial
from typing import Any, cast

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.solving.pool import LocalExecutor, OnMessage, P, R, WorkerLost, WorkExecutor, messages_to
from cnfgen_puzzles.solving.process import interrupt_runs, runs_of

CONNECT_TIMEOUT = 10.0
"""Seconds for a Dask scheduler to answer."""

COUNT_INTERVAL = 2.0
"""Seconds between two counts of a cluster's workers."""

TOPIC = "cnfgen-puzzles"
MESSAGES_PER_SECOND = 32 << 10
"""Characters of messages that a call may send per second: the scheduler forwards them and keeps the last thousand."""


@contextlib.contextmanager
def open_executor(scheduler: str | None = None, jobs: int | None = None) -> Iterator[LocalExecutor | ClusterExecutor]:
    """The pool of the Dask scheduler at an address, or without one `jobs` local processes (by default one per core).

    An exception that leaves the block ends the current work.
    """
    if scheduler is None:
        with LocalExecutor(jobs) as local:
            yield local
        return
    with dask_client(scheduler) as client:
        executor = ClusterExecutor(client, scheduler)
        try:
            yield executor
        except BaseException:
            executor.stop()
            raise


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


class ClusterExecutor(WorkExecutor):
    """The workers of a Dask cluster, or those with certain `resources`. If a worker dies, Dask repeats its call on other workers,
    a few times; then the call raises WorkerLost."""

    def __init__(self, client: Any, address: str, **resources: float):
        self._client, self._address = client, address
        self._executor = client.get_executor(pure=False, **({"resources": resources} if resources else {}))
        self._owners: weakref.WeakKeyDictionary[Future[Any], str] = weakref.WeakKeyDictionary()
        self._counted, self._threads = -COUNT_INTERVAL, 0

    @property
    def jobs(self) -> int:
        """Threads of all workers, as far as known."""
        if time.monotonic() - self._counted > COUNT_INTERVAL:
            with contextlib.suppress(OSError):  # no scheduler at the moment: `check` detects a permanent loss
                self._threads = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._threads

    def submit_call(
        self, on_message: OnMessage | None, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        owner, future = uuid.uuid4().hex, Future[Any]()
        if on_message is not None:
            self._client.subscribe_topic(TOPIC, _deliver)
            _listeners[owner] = on_message
        self._owners[future] = owner
        theirs = self._executor.submit(_run_call, owner, on_message is not None, function, *args, **kwargs)
        future.add_done_callback(partial(_forget_call, owner, theirs))
        theirs.add_done_callback(partial(_copy_result, future))
        return future

    def check(self) -> None:
        """CnfgenError if the scheduler was lost: then no future can finish."""
        if self._client.status not in ("running", "connecting"):
            raise CnfgenError(
                f"the connection to the scheduler {self._address} was lost; finished work is kept if a folder for it was given"
            )

    def end(self, futures: Iterable[Future[Any]]) -> None:
        running = [future for future in futures if not future.done()]
        owners = [self._owners[future] for future in running]
        for future in running:
            future.cancel()
        if owners:
            with contextlib.suppress(Exception):  # no cluster: nothing to end
                self._client.run(_interrupt_calls, owners)

    def stop(self) -> None:
        """Cancel all calls, and end the runs of the current ones now."""
        self.end(list(self._owners))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            self.stop()
        self._executor.shutdown(wait)


def _copy_result(future: Future[Any], theirs: Future[Any]) -> None:
    """Copy the result of Dask's future to the future of this package."""
    from distributed import KilledWorker

    with contextlib.suppress(InvalidStateError):  # its owner has canceled it
        if theirs.cancelled():
            future.set_exception(WorkerLost("the scheduler gave up the call or its input"))
            return
        error = theirs.exception()
        if error is None:
            future.set_result(theirs.result())
        elif isinstance(error, KilledWorker):
            future.set_exception(WorkerLost(str(error), error.allowed_failures + 1))
        else:
            future.set_exception(error)


def _forget_call(owner: str, theirs: Future[Any], future: Future[Any]) -> None:
    _listeners.pop(owner, None)
    if future.cancelled():
        theirs.cancel()


_listeners: dict[str, OnMessage] = {}
"""The receivers of messages, by the owner of the call."""


def _deliver(event: tuple[float, tuple[str, str]]) -> None:
    """Deliver a message of a call, which may be of another client."""
    owner, text = event[1]
    on_message = _listeners.get(owner)
    if on_message is not None:
        on_message(text)


# -- on the workers -----------------------------------------------------------------------------------------------------------


def _run_call(owner: str, has_listener: bool, function: Callable[..., R], /, *args: Any, **kwargs: Any) -> R:
    """Make the call in a way that its runs can be ended from outside."""
    with runs_of(owner), messages_to(_EventSender(owner) if has_listener else None):
        return function(*args, **kwargs)


class _EventSender:
    """Sends messages of a call as events of Dask; messages above the allowed rate are dropped."""

    def __init__(self, owner: str):
        from distributed import get_worker

        self._owner, self._worker = owner, get_worker()
        self._second, self._left = 0, MESSAGES_PER_SECOND

    def __call__(self, text: str) -> None:
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._left = second, MESSAGES_PER_SECOND
        self._left -= len(text)
        if self._left >= 0:
            self._worker.log_event(TOPIC, (self._owner, text))


def _interrupt_calls(owners: list[str]) -> None:
    for owner in owners:
        interrupt_runs(owner)
