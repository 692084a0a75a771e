"""Calls by the workers of a Dask cluster: `ClusterExecutor`. All that is particular to Dask is in this file."""

from __future__ import annotations

import contextlib
import os
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from functools import partial
from typing import Any, cast

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.distribution.work import Follow, P, R, WorkerLost, followed_by
from cnfgen_puzzles.solving.process import interrupt_runs, runs_of

CONNECT_TIMEOUT = 10.0
"""Seconds for a Dask scheduler to answer."""

COUNT_EVERY = 2.0
"""Seconds for which the number of a cluster's workers is believed."""

TOPIC = "cnfgen-puzzles"
TOLD_A_SECOND = 32 << 10
"""Characters that a call may tell a second: they go through the scheduler, which keeps the last thousand messages."""


@contextlib.contextmanager
def dask_client(address: str) -> Iterator[Any]:
    """A client of the Dask scheduler at `address` (`tcp://host:port`, or the path of a scheduler file)."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("a scheduler needs another package: pip install 'cnfgen-puzzles[cluster]'") from None
    where = {"scheduler_file": address} if os.path.isfile(address) else {"address": address}
    try:
        client: Any = cast(Any, Client)(**where, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"found no Dask scheduler that answers ({error})", source=address) from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # it may be gone: nothing of ours is lost by that
            client.close(timeout=5)


class ClusterExecutor(Executor):
    """The workers of a Dask cluster, or those with certain `resources`. Dask makes a call whose worker dies again elsewhere, some
    times; then it is lost. Of what calls tell, what is too much for the scheduler is lost."""

    def __init__(self, client: Any, address: str, **resources: float):
        self._client, self._address = client, address
        self._executor = client.get_executor(pure=False, **({"resources": resources} if resources else {}))
        self._owners: weakref.WeakKeyDictionary[Future[Any], str] = weakref.WeakKeyDictionary()
        self._counted, self._threads = -COUNT_EVERY, 0

    @property
    def jobs(self) -> int:
        """Calls that the workers can make side by side, as far as is known."""
        if time.monotonic() - self._counted > COUNT_EVERY:
            with contextlib.suppress(OSError):  # no scheduler at the moment: `check` tells if it is gone for good
                self._threads = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._threads

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        return self._submit(None, function, *args, **kwargs)

    def submit_followed(self, follow: Follow, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        self._client.subscribe_topic(TOPIC, _deliver)
        return self._submit(follow, function, *args, **kwargs)

    def _submit(self, follow: Follow | None, function: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        owner, future = uuid.uuid4().hex, Future[Any]()
        if follow is not None:
            _followed[owner] = follow
        self._owners[future] = owner
        theirs = self._executor.submit(_owned, owner, follow is not None, function, *args, **kwargs)
        future.add_done_callback(partial(_ended, owner, theirs))
        theirs.add_done_callback(partial(_pass_on, future))
        return future

    def check(self) -> None:
        """CnfgenError if the scheduler is gone: no future would ever tell."""
        if self._client.status not in ("running", "connecting"):
            raise CnfgenError(f"the scheduler {self._address} is gone; what was done is kept if there is a place for it")

    def end(self, futures: Iterable[Future[Any]]) -> None:
        running = [future for future in futures if not future.done()]
        owners = [self._owners[future] for future in running]
        for future in running:
            future.cancel()
        if owners:
            with contextlib.suppress(Exception):  # no cluster, nothing to end
                self._client.run(_interrupt, owners)

    def stop(self) -> None:
        """Cancel what was submitted, and end the runs of the calls in flight now."""
        self.end(list(self._owners))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            self.stop()
        self._executor.shutdown(wait)


def _pass_on(future: Future[Any], theirs: Future[Any]) -> None:
    """What became of a call, in this package's words."""
    from distributed import KilledWorker

    with contextlib.suppress(InvalidStateError):  # cancelled by its owner
        if theirs.cancelled():
            future.set_exception(WorkerLost("the scheduler gave the call up, or what it needed"))
            return
        error = theirs.exception()
        if error is None:
            future.set_result(theirs.result())
        elif isinstance(error, KilledWorker):
            future.set_exception(WorkerLost(str(error), error.allowed_failures + 1))
        else:
            future.set_exception(error)


def _ended(owner: str, theirs: Future[Any], future: Future[Any]) -> None:
    _followed.pop(owner, None)
    if future.cancelled():
        theirs.cancel()


_followed: dict[str, Follow] = {}
"""Who follows which call."""


def _deliver(event: tuple[float, tuple[str, str]]) -> None:
    """A message of some call, perhaps of another client."""
    owner, text = event[1]
    follow = _followed.get(owner)
    if follow is not None:
        follow(text)


# -- on the workers -----------------------------------------------------------------------------------------------------------


def _owned(owner: str, followed: bool, function: Callable[..., R], /, *args: Any, **kwargs: Any) -> R:
    """A call on a cluster's worker, whose runs can be ended from outside."""
    with runs_of(owner), followed_by(_Teller(owner) if followed else None):
        return function(*args, **kwargs)


class _Teller:
    """Sends messages of a call to whoever follows it, as events of Dask."""

    def __init__(self, owner: str):
        from distributed import get_worker

        self._owner, self._worker = owner, get_worker()
        self._second, self._left = 0, TOLD_A_SECOND

    def __call__(self, text: str) -> None:
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._left = second, TOLD_A_SECOND
        self._left -= len(text)
        if self._left >= 0:
            self._worker.log_event(TOPIC, (self._owner, text))


def _interrupt(owners: list[str]) -> None:
    for owner in owners:
        interrupt_runs(owner)
