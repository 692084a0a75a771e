"""Runs an enumeration: workers in processes of their own under limits, their solutions one by one, the finished parts kept.

Solutions are believed only with the worker's word that its part is complete, and all parts are complete or the enumeration is
not. A worker that fails is an error: there is no silent partial result.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from cnfgen_puzzles.errors import CnfgenError
from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.enumeration.engines import COVER, Engine
from cnfgen_puzzles.solving.enumeration.problem import Problem, parts_of
from cnfgen_puzzles.solving.enumeration.splitting import split
from cnfgen_puzzles.solving.enumeration.state import State
from cnfgen_puzzles.solving.process import Limits, Measurement, interrupt_runs, run_process

WORKER = "cnfgen_puzzles.solving.enumeration.worker"
LOOK = 0.02  # seconds between two looks at what the workers have printed
PARTS_PER_JOB = 8  # enough that no core idles for long at the end
OUTPUT = 64 << 30  # bytes of stdout: solutions are results, however many there are

BY_LIMIT = {
    process.CPU_LIMIT: "CPU time limit",
    process.WALL_LIMIT: "wall time limit",
    process.MEMORY_LIMIT: "memory limit",
    process.OUTPUT_LIMIT: "more output than the limit",
}


class Enumeration:
    """Iterating (once) gives each solution of `problem`: the frozenset of its true projection variables.

    `jobs` workers run side by side; `limits` are for all of them together: CPU time and memory are divided evenly. `state` is
    a folder for finished parts; `on_look` is called again and again meanwhile. After the last solution `complete` tells whether
    these were all, else `reason` why not; a KeyboardInterrupt or an abandoned iteration ends all workers before it goes on.
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
    ):
        self.problem = problem
        self.engine = engine
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self.state = state
        self.limits = limits or Limits()
        self.on_look = on_look or (lambda: None)
        self.complete = False
        self.reason = "not finished"
        self.parts = 0
        self.parts_done = 0
        self.cpu = 0.0

    def __iter__(self) -> Iterator[frozenset[int]]:
        with contextlib.ExitStack() as cleanup:
            folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="cnfgen-enumeration-")))
            cubes = self._cubes()
            kept = None
            if self.state is not None:
                kept = cleanup.enter_context(contextlib.closing(State(self.state, self.problem, cubes)))
                cubes = kept.cubes
            self.parts = len(parts_of(cubes))
            seen: set[str] = set()
            todo = []
            for number in range(self.parts):
                lines = kept.finished(number) if kept else None
                if lines is None:
                    todo.append(number)
                else:
                    self.parts_done += 1
                    yield from _unseen(lines, seen)
            self.problem.write(folder, cubes=cubes, todo=todo, **self.engine.for_worker())
            for line in self._searched(folder, todo, kept):
                yield from _unseen([line], seen)
            self.complete = self.parts_done == self.parts
            if self.complete:
                self.reason = ""

    def _cubes(self) -> list[tuple[int, ...]]:
        """One process needs no parts, unless they are kept. An exact cover is not searched faster in parts, and where it must be,
        cubes of one literal are best: only then is the rest easily seen to be empty."""
        covering = self.engine.name == COVER
        if self.state is None and (self.jobs == 1 or covering):
            return []
        return split(self.problem, self.jobs * PARTS_PER_JOB, further=not covering)

    def _searched(self, folder: Path, todo: list[int], kept: State | None) -> Iterator[str]:
        """The solutions of the parts in `todo` as lines, as the workers print them."""
        count = min(self.jobs, len(todo))
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
                word, _, rest = line.partition(" ")
                if word == "s":
                    worker.found.append(rest)
                    yield rest
                elif word == "part":
                    worker.found.clear()
                elif line == f"end {rest.split(' ')[0]} {len(worker.found)}":
                    if kept:
                        kept.keep(int(rest.split(" ")[0]), worker.found)
                    self.parts_done += 1
                else:
                    raise CnfgenError(f"a worker of the engine {self.engine} printed {line[:80]!r}")

    def _judge(self, worker: _Worker) -> None:
        """Take a limit as the reason why the enumeration is partial; raise for all else that is not a worker's regular end."""
        if worker.error is not None:
            raise worker.error
        measurement = worker.measurement
        if measurement.ended in BY_LIMIT:
            self.reason = BY_LIMIT[measurement.ended]
        elif measurement.ended == process.LAUNCH_FAILED:
            raise CnfgenError(f"a worker of the engine {self.engine} could not be started: {measurement.detail}")
        elif measurement.ended != process.INTERRUPTED and (measurement.ended, measurement.exit_code) != (process.EXIT, 0):
            how = f"signal {measurement.signal}" if measurement.signal else f"exit code {measurement.exit_code}"
            words = worker.last_words()
            raise CnfgenError(f"a worker of the engine {self.engine} failed with {how}{f': {words}' if words else ''}")


def _unseen(lines: list[str], seen: set[str]) -> Iterator[frozenset[int]]:
    """Solutions that have not been seen before; parts that overlap would give some twice."""
    for line in lines:
        if line not in seen:
            seen.add(line)
            yield frozenset(map(int, line.split()))


class _Worker:
    """One worker process, the thread that waits for it, and what it has printed so far."""

    def __init__(self, folder: Path, number: int, limits: Limits):
        self.found: list[str] = []
        self.measurement: Measurement | None = None
        self.error: BaseException | None = None
        self.stopped = False
        self._stdout, self._stderr = folder / f"stdout-{number}", folder / f"stderr-{number}"
        self._stdout.touch()
        self._stream = self._stdout.open("rb")
        self._rest = b""
        self._command = [sys.executable, "-m", WORKER, str(folder), f"worker-{number}"]
        self._limits = limits
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.measurement = run_process(self._command, stdout=self._stdout, stderr=self._stderr, limits=self._limits)
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
        return self.error is not None or (self.measurement.ended, self.measurement.exit_code) != (process.EXIT, 0)

    def lines(self) -> Iterator[str]:
        """The whole lines printed since the last call."""
        *lines, self._rest = (self._rest + self._stream.read()).split(b"\n")
        for line in lines:
            yield line.decode("ascii", "replace")

    def close(self) -> None:
        self._stream.close()

    def last_words(self) -> str:
        lines = self._stderr.read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def _end(workers: list[_Worker]) -> None:
    """End the workers that still run, and wait until they are gone."""
    while running := [worker for worker in workers if worker.running]:
        interrupt_runs(threads={worker.thread.ident for worker in running})
        running[0].thread.join(0.1)
