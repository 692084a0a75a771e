"""Runs an enumeration: its parts as calls of an executor, their solutions one by one as they are found, finished parts kept.

A part is complete only if its worker says so, and the enumeration is complete only if all parts are. Each solution must belong to
the part that brings it, and is given once (`UniqueSolutions`). A worker that fails is an error: there is no silent partial
result.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.counting.enginenames import COVER
from cnfgen_puzzles.counting.engines import EngineChoice
from cnfgen_puzzles.counting.problem import Cube, Parts, Problem
from cnfgen_puzzles.counting.schedule import ELSEWHERE, HERE, Schedule, SolutionLines
from cnfgen_puzzles.counting.splitting import split
from cnfgen_puzzles.counting.state import AGAIN, EnumerationState
from cnfgen_puzzles.solving.pool import ThreadExecutor, WorkExecutor
from cnfgen_puzzles.solving.process import Limits

PARTS_PER_JOB = 8  # enough that no core idles for long at the end
TRIAL = 2.5  # CPU seconds of the whole in one call: to split and to start more processes takes as long
PARTS_AFTER_TRIAL = 4  # a job: fewer, since each reads the whole formula
LEAST_PARTS = 32  # with an executor of the caller's: workers may join later


class Enumeration:
    """Iterating (once) gives each solution of `problem`: the frozenset of its true projection variables.

    `jobs` calls are made in parallel; `limits` are for all of them together. `state` is a folder for finished parts; `on_look` is
    called repeatedly meanwhile. After the last solution `complete` tells whether these were all, else `reason` why not; a
    KeyboardInterrupt or an abandoned iteration ends all workers before it propagates. `source` is the file of the state that the
    last solution is from, None if it is new; `doing` is what a worker does besides searching, such as compiling; `cpu` is in
    seconds.

    Without an `executor` the workers are processes of this machine, one a core, and divide the limit of memory evenly among
    them. One (of `open_executor`) may have others: `jobs` is then by default as many as it has, a call comes back after about
    `slice_seconds` of CPU time, and the limit of memory is that of each call.
    """

    def __init__(
        self,
        problem: Problem,
        engine: EngineChoice,
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
        self.source: Path | None = None
        self.cpu = 0.0
        self._jobs = jobs
        self._slice = HERE if executor is None else replace(ELSEWHERE, cpu=slice_seconds)

    @property
    def jobs(self) -> int:
        """Calls in parallel; workers of a cluster may become more or fewer."""
        available = len(os.sched_getaffinity(0)) if self.executor is None else self.executor.jobs
        return self._jobs or available

    def __iter__(self) -> Iterator[frozenset[int]]:
        with contextlib.ExitStack() as cleanup:
            state, cubes = None, self._cubes()
            if self.state is not None:
                state = cleanup.enter_context(contextlib.closing(EnumerationState(self.state, self.problem, cubes)))
            parts = state.parts if state else Parts(cubes)
            self.parts = len(parts)
            unique = UniqueSolutions(parts, self.problem.projection)
            todo = []
            for number in parts.numbers():
                lines = state.finished(number) if state else None
                if state is None or lines is None:
                    todo.append(number)
                    continue
                self.source = state.path
                if complaint := unique.complaint(number, lines):
                    raise InputError(f"damaged state: {complaint}; {AGAIN}", source=str(self.source))
                self.parts_done += 1
                yield from unique.finish(number, lines)
            self.source = None
            if todo:
                with contextlib.closing(self._search(parts, todo, state, unique)) as found:
                    yield from found
            if self.parts_done == self.parts:
                unique.close()
                self.complete, self.reason = True, ""

    def _cubes(self) -> list[Cube]:
        """Without a state the search is split here only if it turns out to be long (`_tried_whole`): one process needs no parts.
        An exact cover is not searched faster in parts, and where it must be, cubes of one literal are best: only then is the rest
        easily seen to be empty."""
        covering = self.engine.name == COVER
        if self.executor is not None:
            return [] if covering else split(self.problem, self._least_parts)
        return [] if self.state is None else split(self.problem, self.jobs * PARTS_PER_JOB, further=not covering)

    @property
    def _tried_whole(self) -> bool:
        """Whether the whole is searched for a moment, and split if that was not enough."""
        return self.executor is None and self.state is None and self.jobs > 1 and self.engine.name != COVER

    @property
    def _least_parts(self) -> int:
        """Parts to begin with, for an executor of the caller's."""
        return max(self.jobs * PARTS_PER_JOB, LEAST_PARTS)

    def _search(
        self, parts: Parts, todo: list[int], state: EnumerationState | None, unique: UniqueSolutions
    ) -> Generator[frozenset[int]]:
        """The new solutions of the parts in `todo`."""
        with contextlib.ExitStack() as cleanup:
            path = cleanup.enter_context(scratch_folder("enumeration")) / "problem"
            self.problem.write(path)
            path = path.rename(path.with_name(f"problem-{digest_of_file(path)}"))  # no other problem's file has this name
            executor, limits = self.executor, self.limits
            if executor is None:
                executor = cleanup.enter_context(ThreadExecutor(self.jobs))
                calls = self.jobs if self._tried_whole else min(self.jobs, len(todo))
                limits = replace(limits, memory=limits.memory and max(1, limits.memory // calls))
            schedule = Schedule(self.problem, path, self.engine, parts, limits, lambda: self.jobs, self._slice)
            if self._tried_whole:
                schedule.try_whole(TRIAL, self.jobs * PARTS_AFTER_TRIAL)
            elif self.executor is not None and todo == [0] and not parts.cubes:
                schedule.divide_to(self._least_parts)
                todo = parts.numbers()
            self.parts = len(parts)

            def look() -> None:
                self.doing = schedule.doing
                self.on_look()

            found = cleanup.enter_context(contextlib.closing(schedule.found(todo, executor, look)))
            try:
                for each in found:
                    self._take(each, state, unique)
                    self.parts, self.cpu = len(parts), schedule.cpu
                    yield from unique.announce(each.lines) if each.part is None else unique.finish(each.part, each.lines)
            finally:
                self.parts, self.cpu = len(parts), schedule.cpu
        if schedule.reason:
            self.reason = schedule.reason
        elif self.parts_done < self.parts:
            raise CnfgenError("the calls ended, but some parts of the search are not done")

    def _take(self, found: SolutionLines, state: EnumerationState | None, unique: UniqueSolutions) -> None:
        """Check and keep a part that is finished."""
        if found.part is not None:
            if complaint := unique.complaint(found.part, found.lines):
                raise CnfgenError(f"a worker of the engine {self.engine} is wrong: {complaint}")
            self.parts_done += 1
            if state:
                state.keep(found.part, found.lines)


class UniqueSolutions:
    """Each solution once: compares the solutions of the parts of one search, given as lines of ascending true variables.

    A solution belongs to one part, which its true variables tell (`Parts.home`). So nothing needs to be remembered of a finished
    part: another part that brings one of its solutions has a cube that overlaps with its cube. Only solutions that are announced
    before their part is finished are remembered, as hashes of 16 bytes; when all parts are finished, none may be left.
    """

    def __init__(self, parts: Parts, projection: Iterable[int]):
        self._parts = parts
        self._variables = {str(variable): variable for variable in projection}
        self._finished: set[int] = set()
        self._early: set[bytes] = set()

    def complaint(self, number: int, lines: Sequence[str]) -> str:
        """Why these cannot be the solutions of a part: one is none, comes twice, or belongs to another. Empty if they can."""
        seen = set()
        for line in lines:
            try:
                variables = [self._variables[word] for word in line.split(" ")] if line else []
            except KeyError as error:
                return f"{error.args[0]!r} in a solution is none of the projection variables"
            if variables != sorted(set(variables)):
                return f"the solution {line[:80]!r} is not in ascending order"
            if line in seen:
                return f"the solution {line[:80]!r} is there twice"
            seen.add(line)
            true = frozenset(variables)
            if self._parts.home(true) != number and not self._parts[number].has(true):
                return f"the solution {line[:80]!r} is none of part {number}"
        return ""

    def announce(self, lines: Iterable[str]) -> Iterator[frozenset[int]]:
        """The new ones of the solutions that a worker tells before their part is finished."""
        for line in lines:
            true = _true(line)
            if self._parts.home(true) not in self._finished and (key := _hash(line)) not in self._early:
                self._early.add(key)
                yield true

    def finish(self, number: int, lines: Iterable[str]) -> Iterator[frozenset[int]]:
        """The new ones of all solutions of a part, about which there was no complaint."""
        self._finished.add(number)
        for line in lines:
            true, key = _true(line), _hash(line)
            home = self._parts.home(true)
            if home == number and key in self._early:
                self._early.remove(key)
            elif home == number:
                yield true
            elif home not in self._finished and key not in self._early:  # its own part must bring it, too
                self._early.add(key)
                yield true

    def close(self) -> None:
        """All parts are finished: CnfgenError if a part lacks a solution that was announced, or that another part has of it."""
        if self._early:
            raise CnfgenError(
                f"{len(self._early)} solutions were told while their parts were searched, and are not in what these brought"
            )


def _true(line: str) -> frozenset[int]:
    return frozenset(map(int, line.split()))


def _hash(line: str) -> bytes:
    return hashlib.blake2b(line.encode(), digest_size=16).digest()
