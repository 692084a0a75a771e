"""Runs an enumeration: its parts as calls of an executor, their solutions one by one as they are found, finished parts kept.

A call takes one part, or several small ones, and has a slice of CPU time. A part that takes more than a slice, or has too many
solutions for one result, is divided, and other calls search its children. `solving.pool` makes the calls, again if their worker
is lost. A part is complete only if its worker says so, and the enumeration is complete only if all parts are. Each solution must
belong to the part that brings it, and is given once (`UniqueSolutions`). A worker that fails is an error: there is no silent
partial result.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import time
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.counting.calls import NOTE, SearchCall, SearchResult, search_parts, unpack_lines
from cnfgen_puzzles.counting.enginenames import COVER
from cnfgen_puzzles.counting.engines import EngineChoice
from cnfgen_puzzles.counting.problem import Cube, Parts, Problem
from cnfgen_puzzles.counting.splitting import Divider, split
from cnfgen_puzzles.counting.state import AGAIN, EnumerationState
from cnfgen_puzzles.solving.pool import CallMessage, CallResult, Distributor, ThreadExecutor, Work, WorkExecutor
from cnfgen_puzzles.solving.process import LIMITS, Limits
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, MEMORY_LIMIT, WALL_LIMIT

PARTS_PER_JOB = 8  # enough that no core idles for long at the end
TRIAL = 2.5  # CPU seconds of the whole in one call: to split and to start more processes takes as long
PARTS_AFTER_TRIAL = 4  # a job: fewer, since each reads the whole formula
LEAST_PARTS = 32  # with an executor of the caller's: workers may join later
WORTH = 5.0  # CPU seconds of a call on several small parts
LEAST = 1.0  # CPU seconds that are worth a call, unless there are less for all
GRACE = 2.0  # seconds for calls to bring what they found until the wall time was over


@dataclass(frozen=True)
class Slice:
    """The most that a call may do before it must come back: seconds of CPU time, bytes of solutions."""

    cpu: float
    output: int


HERE = Slice(math.inf, 64 << 30)
"""On this machine nothing is gained by coming back: solutions show at once, and a worker that dies takes us with it."""

ELSEWHERE = Slice(60.0, 256 << 20)
"""Far more than the second in which a worker process starts."""


@dataclass(eq=False)
class _Batch:
    """The parts of a call; `cut_short` if it has less CPU time than others since there is hardly any left."""

    numbers: list[int]
    cpu: float
    cut_short: bool


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
        self.limits = limits or Limits()
        self.complete = False
        self.reason = "not finished"
        self.parts_done = 0
        self.doing = ""
        self.source: Path | None = None
        self.cpu = 0.0
        self._problem, self._engine, self._state = problem, engine, state
        self._executor, self._jobs, self._on_look = executor, jobs, on_look or (lambda: None)
        self._slice = HERE if executor is None else replace(ELSEWHERE, cpu=slice_seconds)
        # of the search
        self._parts = Parts([])
        self._waiting: deque[int] = deque()
        self._flying: set[_Batch] = set()
        self._searched = 0
        self._limit = ""  # that was met
        self._slices: dict[int, float] = {}  # CPU seconds of parts that have another slice than all
        self._parts_after_trial = 0
        self._divider: Divider | None = None
        self._file = Path()  # of the problem
        self._content: bytes | None = None

    @property
    def parts(self) -> int:
        """How many parts the search has."""
        return len(self._parts)

    @property
    def jobs(self) -> int:
        """Calls in parallel; workers of a cluster may become more or fewer."""
        available = len(os.sched_getaffinity(0)) if self._executor is None else self._executor.jobs
        return self._jobs or available

    def __iter__(self) -> Iterator[frozenset[int]]:
        with contextlib.ExitStack() as cleanup:
            state, cubes = None, self._cubes()
            if self._state is not None:
                state = cleanup.enter_context(contextlib.closing(EnumerationState(self._state, self._problem, cubes)))
            self._parts = state.parts if state else Parts(cubes)
            unique = UniqueSolutions(self._parts, self._problem.projection)
            for number in self._parts.numbers():
                lines = state.finished(number) if state else None
                if state is None or lines is None:
                    self._waiting.append(number)
                    continue
                self.source = state.path
                if complaint := unique.complaint(number, lines):
                    raise InputError(f"damaged state: {complaint}; {AGAIN}", source=str(self.source))
                self.parts_done += 1
                yield from unique.finish(number, lines)
            self.source = None
            if self._waiting:
                with contextlib.closing(self._search(state, unique)) as found:
                    yield from found
            if self.parts_done == self.parts:
                unique.close()
                self.complete, self.reason = True, ""

    def _cubes(self) -> list[Cube]:
        """Without a state the search is split here only if it turns out to be long (`_tried_whole`): one process needs no parts.
        An exact cover is not searched faster in parts, and if it must be, cubes of one literal are best: only then is the rest
        easily seen to be empty."""
        covering = self._engine.name == COVER
        if self._executor is not None:
            return [] if covering else split(self._problem, self._least_parts)
        return [] if self._state is None else split(self._problem, self.jobs * PARTS_PER_JOB, further=not covering)

    @property
    def _tried_whole(self) -> bool:
        """Whether the whole is searched for a moment, and split if that was not enough."""
        return self._executor is None and self._state is None and self.jobs > 1 and self._engine.name != COVER

    @property
    def _least_parts(self) -> int:
        """Parts to begin with, for an executor of the caller's."""
        return max(self.jobs * PARTS_PER_JOB, LEAST_PARTS)

    def _search(self, state: EnumerationState | None, unique: UniqueSolutions) -> Generator[frozenset[int]]:
        """The new solutions of the parts that wait. Abandoning it ends the calls in flight."""
        with contextlib.ExitStack() as cleanup:
            self._file = cleanup.enter_context(scratch_folder("enumeration")) / "problem"
            self._problem.write(self._file)
            executor = self._executor
            if executor is not None:  # perhaps on other machines
                self._content = zlib.compress(self._file.read_bytes())
            else:
                executor = cleanup.enter_context(ThreadExecutor(self.jobs))
                calls = self.jobs if self._tried_whole else min(self.jobs, len(self._waiting))
                self.limits = replace(self.limits, memory=self.limits.memory and max(1, self.limits.memory // calls))
            if self._tried_whole:
                self._slices[0], self._parts_after_trial = TRIAL, self.jobs * PARTS_AFTER_TRIAL
            elif self._executor is not None and list(self._waiting) == [0] and not self._parts.cubes:
                self._waiting = deque(self._divide_to(self._least_parts))
            self._end = None if self.limits.wall is None else time.monotonic() + self.limits.wall
            deadline = None if self._end is None else self._end + GRACE
            work = Distributor[_Batch](
                executor, self._call, "an enumeration", at_once=lambda: self.jobs, deadline=deadline, on_look=self._on_look
            )
            events = cleanup.enter_context(contextlib.closing(work.events(self._next)))
            for event in events:
                if isinstance(event, CallMessage):
                    yield from unique.announce(self._without_notes(event.text.splitlines()))
                else:
                    yield from self._take(event, state, unique)
                if self._limit == LIMITS[MEMORY_LIMIT]:
                    break
        if limit := LIMITS[WALL_LIMIT] if work.timed_out else self._limit:
            self.reason = limit
        elif self.parts_done < self.parts:
            raise CnfgenError("the calls ended without finishing all parts of the search")

    def _without_notes(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            if line.startswith(NOTE):
                self.doing = line.removeprefix(NOTE)
            else:
                yield line

    # -- the next call --------------------------------------------------------------------------------------------------------

    def _next(self) -> _Batch | None:
        if not self._waiting:
            return None
        if self._end is not None and time.monotonic() > self._end:
            self._limit = LIMITS[WALL_LIMIT]
            return None
        wanted = self._slices.get(self._waiting[0], self._share())
        cpu = min(wanted, self._left())
        if cpu <= 0:
            if not self._flying:
                self._limit = LIMITS[CPU_LIMIT]
            return None
        batch = _Batch([self._waiting.popleft() for _ in range(self._together())], cpu, cpu < wanted)
        self._flying.add(batch)
        return batch

    def _together(self) -> int:
        """How many parts the next call gets: several if they are small, since each call starts a process; few towards the end."""
        if not self._searched:
            return 1
        mean = max(self.cpu / self._searched, 0.01)
        return max(1, min(int(WORTH / mean), len(self._waiting) // (2 * max(self.jobs, 1))))

    def _share(self) -> float:
        """The CPU time of a call: a slice, or less if so many slices in parallel would pass the limit."""
        if self.limits.cpu is None:
            return self._slice.cpu
        parallel = min(self.jobs, len(self._waiting) + len(self._flying))
        return min(self._slice.cpu, max(self.limits.cpu / max(parallel, 1), LEAST))

    def _left(self) -> float:
        """The CPU time that is not used and that no call in flight may use."""
        if self.limits.cpu is None:
            return math.inf
        return self.limits.cpu - self.cpu - sum(batch.cpu for batch in self._flying)

    def _call(self, batch: _Batch) -> Work:
        wall = None if self._end is None else max(self._end - time.monotonic(), 0.01)
        limits = Limits(None if batch.cpu == math.inf else batch.cpu, wall, self.limits.memory, self._slice.output)
        parts = {number: self._parts[number] for number in batch.numbers}
        return search_parts, SearchCall(self._file, self._content, self._engine, parts, limits)

    # -- the result of a call -------------------------------------------------------------------------------------------------

    def _take(
        self, event: CallResult[_Batch], state: EnumerationState | None, unique: UniqueSolutions
    ) -> Iterator[frozenset[int]]:
        """The new solutions of a call; its finished parts are checked and kept, the others wait again."""
        batch = event.unit
        result: SearchResult = event.result()
        self._flying.discard(batch)
        self.cpu += result.cpu
        self._searched += len(result.finished)
        for number, content in result.finished.items():
            lines = unpack_lines(content)
            if complaint := unique.complaint(number, lines):
                raise CnfgenError(f"a worker of the engine {self._engine} is wrong: {complaint}")
            self.parts_done += 1
            if state:
                state.keep(number, lines)
            yield from unique.finish(number, lines)
        left = [number for number in batch.numbers if number not in result.finished]
        if not left:
            return
        yield from unique.announce(unpack_lines(result.unfinished))
        if result.ended == MEMORY_LIMIT:
            self._limit = LIMITS[result.ended]
        elif result.finished or result.ended == WALL_LIMIT or batch.cut_short:
            self._waiting.extendleft(reversed(left))
        else:
            self._waiting.extendleft(reversed([*self._smaller(left[0]), *left[1:]]))

    def _smaller(self, number: int) -> list[int]:
        """The parts to search instead of one that is too large: its children, or the part itself with more time."""
        if self._parts_after_trial:
            children = [other for other in self._divide_to(self._parts_after_trial) if other != number]
            self._parts_after_trial = 0
        else:
            children = self._divide(number)
        if not children:
            self._slices[number] = 2 * self._slices.get(number, self._share())
        return children or [number]

    def _divide_to(self, at_least: int) -> list[int]:
        """Divide parts until there are so many, or none can be; the numbers of all parts."""
        numbers = deque(self._parts.numbers())
        while numbers and len(self._parts) < at_least:
            numbers.extend(self._divide(numbers.popleft()))
        return self._parts.numbers()

    def _divide(self, number: int) -> list[int]:
        self._divider = self._divider or Divider(self._problem)
        literals = self._divider.literals(self._parts[number])
        return self._parts.divide(number, literals) if literals else []


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
                return f"the solution {line[:80]!r} occurs twice"
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
