"""Where work is done: threads or processes of this machine, or the workers of a Dask cluster, all behind one contract (`work`).

    with open_executor(scheduler=None, jobs=4) as executor:
        future = executor.submit(function, argument)

Nothing here knows of solvers or puzzles; functions and arguments must be picklable. Many units of work go by `distributor`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from cnfgen_puzzles.distribution.cluster import ClusterExecutor, dask_client
from cnfgen_puzzles.distribution.processes import LocalExecutor
from cnfgen_puzzles.distribution.threads import ThreadExecutor
from cnfgen_puzzles.distribution.work import WorkerLost, WorkExecutor

__all__ = ["ClusterExecutor", "LocalExecutor", "ThreadExecutor", "WorkExecutor", "WorkerLost", "dask_client", "open_executor"]


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
    with LocalExecutor(jobs) as local:
        yield local
