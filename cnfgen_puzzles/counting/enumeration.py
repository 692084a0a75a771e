"""Runs an enumeration: its parts as calls of an executor, their solutions one by one as they are found, the finished parts kept.

Solutions are believed only with the worker's word that its part is complete, and all parts are complete or the enumeration is
not. Each must be of the part that brings it, and comes once (`ledger`). A worker that fails is an error: there is no silent
partial result.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.counting.enginenames import COVER
from cnfgen_puzzles.counting.engines import Engine
from cnfgen_puzzles.counting.ledger import Ledger
from cnfgen_puzzles.counting.problem import Cube, Parts, Problem
from cnfgen_puzzles.counting.problemfile import write_problem
from cnfgen_puzzles.counting.schedule import ELSEWHERE, HERE, Found, Schedule
from cnfgen_puzzles.counting.splitting import split
from cnfgen_puzzles.counting.state import AGAIN, State
from cnfgen_puzzles.solving.pool import ThreadExecutor, WorkExecutor
from cnfgen_puzzles.solving.process import Limits

PARTS_PER_JOB = 8  # enough that no core idles for long at the end
TRIAL = 2.5  # CPU seconds of the whole in one call: to split and to start more processes takes as long
PARTS_AFTER_TRIAL = 4  # a job: fewer, since each reads the whole formula
LEAST_PARTS = 32  # with an executor of the caller's: workers may join later


class Enumeration:
    """Iterating (once) gives each solution of `problem`: the frozenset of its true projection variables.

    `jobs` calls are made side by side; `limits` are for all of them together. `state` is a folder for finished parts; `on_look`
    is called again and again meanwhile. After the last solution `complete` tells whether these were all, else `reason` why not; a
    KeyboardInterrupt or an abandoned iteration ends all workers before it goes on. `unsealed` is how many parts are from files of
    an old state, which have no checksum; `source` is the file of the state that the last solution is from, None if it is new;
    `doing` is what a worker does besides searching, such as compiling.

    Without an `executor` the workers are processes of this machine, one a core, and divide the limit of memory evenly among
    them. One (of `open_executor`) may have others: `jobs` is then by default as many as it has, a call comes back after about
    `slice_seconds` of CPU time, and the limit of memory is that of each call.
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
        executor: WorkExecutor | None = None,
        slice_seconds: float = ELSEWHERE.cpu,
    ):
        self.problem = problem
        self.engine = engine
        self.executor = executor
        self.state = state
        self.limits = limits or Limits()
        self.on_look = on_look or (lambda: None)
        self.complete = False
        self.reason = "not finished"
        self.parts = 0
        self.parts_done = 0
        self.doing = ""
        self.unsealed = 0
        self.source: Path | None = None
        self.cpu = 0.0
        self._jobs = jobs
        self._slice = HERE if executor is None else replace(ELSEWHERE, cpu=slice_seconds)

    @property
    def jobs(self) -> int:
        """Calls side by side; workers of a cluster may become more or fewer."""
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
            ledger = Ledger(parts, self.problem.projection)
            todo = []
            for number in parts.numbers():
                lines = kept.finished(number) if kept else None
                if kept is None or lines is None:
                    todo.append(number)
                else:
                    self.source = kept.path(number)
                    if complaint := ledger.complaint(number, lines):
                        raise InputError(f"damaged part: {complaint}; {AGAIN}", source=str(self.source))
                    self.parts_done += 1
                    self.unsealed += number in kept.unsealed
                    yield from ledger.finished(number, lines)
            self.source = None
            if todo:
                with contextlib.closing(self._searched(parts, todo, kept, ledger)) as found:
                    for each in found:
                        yield from ledger.told(each.lines) if each.part is None else ledger.finished(each.part, each.lines)
            if self.parts_done == self.parts:
                ledger.close()
            self.complete = self.parts_done == self.parts
            if self.complete:
                self.reason = ""

    def _cubes(self) -> list[Cube]:
        """Without a state the search is split here only if it turns out to be long (`_tried_whole`): one process needs no parts.
        An exact cover is not searched faster in parts, and where it must be, cubes of one literal are best: only then is the rest
        easily seen to be empty."""
        covering = self.engine.name == COVER
        if self.executor is not None:
            return [] if covering else split(self.problem, self._wanted())
        return [] if self.state is None else split(self.problem, self.jobs * PARTS_PER_JOB, further=not covering)

    @property
    def _tried_whole(self) -> bool:
        """Whether the whole is searched for a moment, and split if that was not enough."""
        return self.executor is None and self.state is None and self.jobs > 1 and self.engine.name != COVER

    def _wanted(self) -> int:
        """Parts to begin with, for an executor of the caller's."""
        return max(self.jobs * PARTS_PER_JOB, LEAST_PARTS)

    def _searched(self, parts: Parts, todo: list[int], kept: State | None, ledger: Ledger) -> Generator[Found]:
        """The solutions of the parts in `todo`, some of them twice."""
        with contextlib.ExitStack() as cleanup:
            file = self._problem_file(cleanup.enter_context(scratch_folder("enumeration")))
            executor, limits = self.executor, self.limits
            if executor is None:
                executor = cleanup.enter_context(ThreadExecutor(self.jobs))
                calls = self.jobs if self._tried_whole else min(self.jobs, len(todo))
                limits = replace(limits, memory=limits.memory and max(1, limits.memory // calls))
            schedule = Schedule(self.problem, file, self.engine, parts, limits, lambda: self.jobs, self._slice)
            if self._tried_whole:
                schedule.try_whole(TRIAL, self.jobs * PARTS_AFTER_TRIAL)
            elif self.executor is not None and todo == [0] and not parts.cubes:
                schedule.divide_to(self._wanted())
                todo = parts.numbers()
            self.parts = len(parts)

            def look() -> None:
                self.doing = schedule.doing
                self.on_look()

            found = cleanup.enter_context(contextlib.closing(schedule.found(todo, executor, look)))
            try:
                for each in found:
                    if each.part is not None:
                        if complaint := ledger.complaint(each.part, each.lines):
                            raise CnfgenError(f"a worker of the engine {self.engine} is wrong: {complaint}")
                        self.parts_done += 1
                        if kept:
                            kept.keep(each.part, each.lines)
                    self.parts, self.cpu = len(parts), schedule.cpu
                    yield each
            finally:
                self.parts, self.cpu = len(parts), schedule.cpu
        if schedule.reason:
            self.reason = schedule.reason
        elif self.parts_done < self.parts:
            raise CnfgenError("the calls ended, but some parts of the search are not done")

    def _problem_file(self, folder: Path) -> Path:
        """The problem in a file that is named by its content."""
        path = folder / "problem"
        write_problem(self.problem, path)
        with path.open("rb") as stream:
            return path.rename(folder / f"problem-{hashlib.file_digest(stream, 'sha256').hexdigest()}")
