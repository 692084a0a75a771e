"""Runs an enumeration: workers in processes of their own under limits, their solutions one by one, the finished parts kept.

Workers of this machine stream their solutions through files; with an executor, parts are calls of it instead (`calls`).

Solutions are believed only with the worker's word that its part is complete, and all parts are complete or the enumeration is
not. A worker that fails is an error: there is no silent partial result.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cnfgen_puzzles.counting.calls import SLICE, Calls
from cnfgen_puzzles.counting.engines import COVER, Engine
from cnfgen_puzzles.counting.problem import Parts, Problem
from cnfgen_puzzles.counting.splitting import split
from cnfgen_puzzles.counting.state import State
from cnfgen_puzzles.counting.worker import Transcript, give_work
from cnfgen_puzzles.counting.workerprocess import BY_LIMIT, failure, is_regular, worker_command
from cnfgen_puzzles.distribution.executors import ClusterExecutor, LocalExecutor
from cnfgen_puzzles.ground.errors import CnfgenError
from cnfgen_puzzles.solving.process import Limits, Measurement, interrupt_runs, run_process, runs_of

LOOK = 0.02  # seconds between two looks at what the workers have printed
PARTS_PER_JOB = 8  # enough that no core idles for long at the end
OUTPUT = 64 << 30  # bytes of stdout: solutions are results, however many there are
LEAST_PARTS = 32  # with an executor: workers may join later


class Enumeration:
    """Iterating (once) gives each solution of `problem`: the frozenset of its true projection variables.

    `jobs` workers run side by side; `limits` are for all of them together: CPU time and memory are divided evenly. `state` is
    a folder for finished parts; `on_look` is called again and again meanwhile. After the last solution `complete` tells whether
    these were all, else `reason` why not; a KeyboardInterrupt or an abandoned iteration ends all workers before it goes on.

    With an `executor` (of `open_executor`) at most `jobs` of its calls are in flight, by default as many as it has workers, each
    for about `slice_seconds` of CPU time. The limit of memory is then that of each call. An enumeration that ends early stops
    the executor.
    """

    def __init__(
        self,
        problem: Problem,
        engine: Engine,
        *,
        jobs: int | None = None,
        state: Path | None = None,
        limits: Limits | None = None,
        on_look: Callable[[], None] | None = None,
        executor: LocalExecutor | ClusterExecutor | None = None,
        slice_seconds: float = SLICE,
    ):
        self.problem = problem
        self.engine = engine
        self.executor = executor
        self.slice_seconds = slice_seconds
        self._jobs = jobs
        self.state = state
        self.limits = limits or Limits()
        self.on_look = on_look or (lambda: None)
        self.complete = False
        self.reason = "not finished"
        self.parts = 0
        self.parts_done = 0
        self.cpu = 0.0

    @property
    def jobs(self) -> int:
        """Workers side by side; those of a cluster may become more or fewer."""
        there = len(os.sched_getaffinity(0)) if self.executor is None else self.executor.jobs
        return self._jobs or there

    def __iter__(self) -> Iterator[frozenset[int]]:
        with contextlib.ExitStack() as cleanup:
            parts, kept, cubes = None, None, self._cubes()
            if self.state is not None:
                kept = cleanup.enter_context(contextlib.closing(State(self.state, self.problem, cubes)))
                parts = kept.parts
            parts = parts or Parts(cubes)
            self.parts = len(parts)
            seen: set[str] = set()
            todo = []
            for number in parts.numbers():
                lines = kept.finished(number) if kept else None
                if lines is None:
                    todo.append(number)
                else:
                    self.parts_done += 1
                    yield from _unseen(lines, seen)
            search = self._searched if self.executor is None else self._called
            for line in search(parts, todo, kept):
                yield from _unseen([line], seen)
            self.complete = self.parts_done == self.parts
            if self.complete:
                self.reason = ""

    def _cubes(self) -> list[tuple[int, ...]]:
        """One process needs no parts, unless they are kept. An exact cover is not searched faster in parts, and where it must be,
        cubes of one literal are best: only then is the rest easily seen to be empty."""
        covering = self.engine.name == COVER
        if self.executor is not None:
            return [] if covering else split(self.problem, self._wanted())
        if self.state is None and (self.jobs == 1 or covering):
            return []
        return split(self.problem, self.jobs * PARTS_PER_JOB, further=not covering)

    def _wanted(self) -> int:
        """Parts to begin with, for an executor."""
        return max(self.jobs * PARTS_PER_JOB, LEAST_PARTS)

    # -- by an executor -------------------------------------------------------------------------------------------------

    def _called(self, parts: Parts, todo: list[int], kept: State | None) -> Iterator[str]:
        """The solutions of the parts in `todo` as lines, as the calls bring them."""
        if not todo:
            return
        seconds = self.slice_seconds
        calls = Calls(self.problem, self.engine, self.executor, parts, self.limits, lambda: self.jobs, seconds)
        if todo == [0] and not parts.cubes:
            calls.divide_to(self._wanted())
            todo, self.parts = parts.numbers(), len(parts)
        try:
            with contextlib.closing(calls.results(todo, self.on_look)) as results:
                for result in results:
                    if result.finished:
                        if kept:
                            kept.keep(result.part, result.lines)
                        self.parts_done += 1
                    yield from result.lines
                    self.parts, self.cpu = len(parts), calls.cpu
        finally:
            self.parts, self.cpu = len(parts), calls.cpu
        if calls.reason:
            self.reason = calls.reason
        elif self.parts_done < self.parts:
            raise CnfgenError("the calls ended, but some parts of the search are not done")

    # -- by processes of our own ----------------------------------------------------------------------------------------

    def _searched(self, parts: Parts, todo: Sequence[int], kept: State | None) -> Iterator[str]:
        """The solutions of the parts in `todo` as lines, as the workers print them."""
        with tempfile.TemporaryDirectory(prefix="cnfgen-enumeration-") as name:
            folder = Path(name)
            give_work(folder, self.problem.to_json(), {number: parts[number] for number in todo}, self.engine.for_worker())
            yield from self._streamed(folder, min(self.jobs, len(todo)), kept)

    def _streamed(self, folder: Path, count: int, kept: State | None) -> Iterator[str]:
        workers = [_Worker(folder, number, self._share(count)) for number in range(count)]
        try:
            while any(worker.running for worker in workers):
                time.sleep(LOOK)
                self.on_look()
                yield from self._news(workers, kept)
                if any(worker.ended_early for worker in workers):
                    break
        finally:
            _end(workers)
            self.cpu += sum(worker.measurement.cpu for worker in workers if worker.measurement)
        yield from self._news(workers, kept)
        for worker in workers:
            worker.close()
            self._judge(worker)
        if self.parts_done < self.parts and self.reason == "not finished":
            raise CnfgenError("the workers ended, but some parts of the search are not done")

    def _share(self, workers: int) -> Limits:
        """The limits of one of so many workers."""
        cpu, memory = self.limits.cpu, self.limits.memory
        return replace(
            self.limits,
            cpu=None if cpu is None else cpu / workers,
            memory=None if memory is None else max(1, memory // workers),
            output=OUTPUT,
        )

    def _news(self, workers: list[_Worker], kept: State | None) -> Iterator[str]:
        for worker in workers:
            for line in worker.lines():
                finished = worker.transcript.read(line)
                if line.startswith("s"):
                    yield worker.transcript.found[-1]
                elif finished is not None:
                    if kept:
                        kept.keep(finished, worker.transcript.found)
                    self.parts_done += 1

    def _judge(self, worker: _Worker) -> None:
        """Take a limit as the reason why the enumeration is partial; raise for all else that is not a worker's regular end."""
        if worker.error is not None:
            raise worker.error
        if worker.measurement.ended in BY_LIMIT:
            self.reason = BY_LIMIT[worker.measurement.ended]
        elif message := failure(worker.measurement, worker.stderr):
            raise CnfgenError(f"a worker of the engine {self.engine} {message}")


def _unseen(lines: list[str], seen: set[str]) -> Iterator[frozenset[int]]:
    """Solutions that have not been seen before; parts that overlap would give some twice."""
    for line in lines:
        if line not in seen:
            seen.add(line)
            yield frozenset(map(int, line.split()))


class _Worker:
    """One worker process, the thread that waits for it, and what it has printed so far."""

    def __init__(self, folder: Path, number: int, limits: Limits):
        self.transcript = Transcript()
        self.measurement: Measurement | None = None
        self.error: BaseException | None = None
        self.stopped = False
        self._stdout, self.stderr = folder / f"stdout-{number}", folder / f"stderr-{number}"
        self._stdout.touch()
        self._stream = self._stdout.open("rb")
        self._rest = b""
        self._command = worker_command(folder, f"worker-{number}")
        self._limits = limits
        self.owner = str(self._stdout)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            with runs_of(self.owner):
                self.measurement = run_process(self._command, stdout=self._stdout, stderr=self.stderr, limits=self._limits)
        except BaseException as error:
            self.error = error

    @property
    def running(self) -> bool:
        return self.thread.is_alive()

    @property
    def ended_early(self) -> bool:
        """Whether it is over without a regular end, so that the others need not go on."""
        if self.running:
            return False
        return self.error is not None or not is_regular(self.measurement)

    def lines(self) -> Iterator[str]:
        """The whole lines printed since the last call."""
        *lines, self._rest = (self._rest + self._stream.read()).split(b"\n")
        for line in lines:
            yield line.decode("ascii", "replace")

    def close(self) -> None:
        self._stream.close()


def _end(workers: list[_Worker]) -> None:
    """End the workers that still run, and wait until they are gone."""
    for worker in workers:
        interrupt_runs(worker.owner)
    for worker in workers:
        worker.thread.join()
