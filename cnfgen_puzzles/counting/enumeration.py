"""Runs an enumeration: searches its parts by calls of an executor, yields solutions when they are found, and keeps finished
parts.

A call searches one part and has a slice of CPU time. A part that takes more than a slice, or has too many solutions for one
result, is divided, and other calls search its children, which have twice as much time.
`solving.distribute` makes the calls, and repeats the call of a lost worker. A part is complete only if its worker reports that
it is; the enumeration is complete only if all parts are. Each solution must belong to the part that reports it, and is yielded
once (`UniqueSolutions`). A worker that fails is an error, so there are no silent partial results.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import shutil
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.counting.calls import RunningOutput, SearchCall, SearchResult, search_part
from cnfgen_puzzles.counting.enginenames import COVER
from cnfgen_puzzles.counting.engines import EngineChoice
from cnfgen_puzzles.counting.problem import Parts, Problem
from cnfgen_puzzles.counting.splitting import Divider
from cnfgen_puzzles.counting.state import AGAIN, EnumerationState
from cnfgen_puzzles.solving.distribute import CallResult, Work, distribute
from cnfgen_puzzles.solving.executors import jobs_of
from cnfgen_puzzles.solving.process import LIMITS, Limits
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, EXIT, MEMORY_LIMIT, WALL_LIMIT

MOST_CHILDREN = 16  # literals by which a part is divided at once; what satisfies none of them is one more part
PARTS_PER_JOB = 4  # few, because each part costs a search the clauses that it learned in others
LEAST_JOBS = 8  # jobs for which an external executor gets parts at least, since workers may join later
TRIAL = 2.0  # CPU seconds of a first call for the whole problem; splitting and starting more processes would take as long
SLICE = 15.0  # CPU seconds of a call before it must return: much longer than the start of a worker process
LEAST = 1.0  # the least CPU seconds of a call, unless less is left for all of them
GRACE = 2.0  # seconds after the wall time limit in which calls return what they found
LOOK = 0.1  # seconds between two looks at the output of running calls
LOCAL_OUTPUT, OUTPUT = 64 << 30, 256 << 20  # bytes of solutions of a call; on this machine, returning has no advantage


class Enumeration:
    """Iterating (once) yields each solution of `problem`: the frozenset of its true projection variables.

    `jobs` calls run in parallel; `limits` apply to all of them together. `state` is a folder for finished parts; `on_look` is
    called repeatedly. After the last solution, `complete` is True if these are all solutions, otherwise `reason` says why not. A
    KeyboardInterrupt or an abandoned iteration ends all workers before it propagates. `source` is the state file of the last
    solution, None for a new one; `cpu` is in seconds.

    Without an `executor`, the workers are processes of this machine, one for each core, which divide the memory limit evenly.
    An executor (of `open_executor`) can have others: then `jobs` defaults to their number, a call returns its solutions after
    about SLICE seconds of CPU time, and the memory limit applies to each call.
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
        executor: Executor | None = None,
    ):
        self.limits = limits or Limits()
        self.complete = False
        self.reason = "not finished"
        self.parts_done = 0
        self.source: Path | None = None
        self.cpu = 0.0
        self._problem, self._engine, self._state = problem, engine, state
        self._executor, self._jobs, self._on_look = executor, jobs, on_look or (lambda: None)
        divides = (
            executor is not None or engine.name != COVER
        )  # on this machine, dividing does not speed up an exact cover search
        self._divides_at_once = divides and (executor is not None or state is not None)
        self._slice = SLICE if divides and (executor is not None or self.jobs > 1) else math.inf
        # the state of the search
        self._parts = Parts()
        self._waiting: deque[int] = deque()
        self._running: dict[int, float] = {}  # from a part to the CPU seconds of its call
        self._outputs: dict[int, RunningOutput] = {}  # of calls on this machine
        self._looked = 0.0
        self._limit = ""  # the limit that was reached
        self._slices: dict[int, float] = {}  # CPU seconds of parts with a different slice
        self._file = Path()  # the file of the problem
        self._content: bytes | None = None

    @property
    def parts(self) -> int:
        """The number of parts of the search."""
        return len(self._parts)

    @property
    def jobs(self) -> int:
        """The number of parallel calls; it changes if workers join or leave a cluster."""
        available = len(usable_cores()) if self._executor is None else jobs_of(self._executor)
        return self._jobs or available

    def __iter__(self) -> Iterator[frozenset[int]]:
        with contextlib.ExitStack() as cleanup:
            state = None
            if self._state is not None:
                state = cleanup.enter_context(contextlib.closing(EnumerationState(self._state, self._problem)))
                self._parts = state.parts
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

    def _search(self, state: EnumerationState | None, unique: UniqueSolutions) -> Generator[frozenset[int]]:
        """The new solutions of the waiting parts. Abandoning the iteration ends the calls in flight."""
        with contextlib.ExitStack() as cleanup:
            self._file = cleanup.enter_context(scratch_folder("enumeration")) / "problem"
            self._problem.write(self._file)
            executor = self._executor
            if executor is not None:  # calls may run on other machines
                self._content = zlib.compress(self._file.read_bytes())
            else:
                executor = cleanup.enter_context(ThreadPoolExecutor(self.jobs))
            if self._divides_at_once:
                if len(self._parts) == 1:  # a new search
                    self._waiting = deque(self._divide_all())
            elif self._slice < math.inf:
                self._slices[0] = TRIAL
            if self._executor is None:
                calls = min(self.jobs, len(self._waiting)) if self._slice == math.inf else self.jobs
                self.limits = replace(self.limits, memory=self.limits.memory and max(1, self.limits.memory // calls))
            self._end = None if self.limits.wall is None else time.monotonic() + self.limits.wall
            deadline = None if self._end is None else self._end + GRACE
            work = distribute(executor, iter(self._next, -1), self._call, "an enumeration", at_once=self._jobs, deadline=deadline)
            results = cleanup.enter_context(contextlib.closing(work))
            try:
                for result in results:
                    if result is not None:
                        yield from self._take(result, state, unique)
                    yield from self._look(unique)
                    if self._limit == LIMITS[MEMORY_LIMIT]:
                        break
            except TimeoutError:
                self._limit = LIMITS[WALL_LIMIT]
        if self._limit:
            self.reason = self._limit
        elif self.parts_done < self.parts:
            raise CnfgenError("the calls ended without finishing all parts of the search")

    def _look(self, unique: UniqueSolutions) -> Iterator[frozenset[int]]:
        """The new solutions of running calls on this machine."""
        if time.monotonic() < self._looked + LOOK:
            return
        self._looked = time.monotonic()
        self._on_look()
        for output in list(self._outputs.values()):
            yield from unique.announce(output.news())

    # -- the next call --------------------------------------------------------------------------------------------------------

    def _next(self) -> int | None:
        if not self._waiting:
            return None
        if self._end is not None and time.monotonic() > self._end:
            self._limit = LIMITS[WALL_LIMIT]
            return None
        cpu = self._slices.get(self._waiting[0], self._slice)
        if self.limits.cpu is not None:
            parallel = max(min(self.jobs, len(self._waiting) + len(self._running)), 1)
            cpu = min(cpu, max(self.limits.cpu / parallel, LEAST), self._left())
        if cpu <= 0:
            if not self._running:
                self._limit = LIMITS[CPU_LIMIT]
            return None
        number = self._waiting.popleft()
        self._running[number] = cpu
        return number

    def _left(self) -> float:
        """The CPU time that is neither used nor reserved for calls in flight."""
        return math.inf if self.limits.cpu is None else self.limits.cpu - self.cpu - sum(self._running.values())

    def _call(self, number: int) -> Work:
        wall = None if self._end is None else max(self._end - time.monotonic(), 0.01)
        output = LOCAL_OUTPUT if self._executor is None else OUTPUT
        cpu = self._running[number]
        limits = Limits(None if cpu == math.inf else cpu, wall, self.limits.memory, output)
        folder = None
        if self._executor is None:  # another one for each attempt
            folder = Path(tempfile.mkdtemp(prefix="call-", dir=self._file.parent))
            self._outputs[number] = RunningOutput(folder)
        return search_part, SearchCall(self._file, self._content, self._engine, self._parts[number], limits, folder)

    # -- the result of a call -------------------------------------------------------------------------------------------------

    def _take(self, event: CallResult[int], state: EnumerationState | None, unique: UniqueSolutions) -> Iterator[frozenset[int]]:
        """The new solutions of a call. A finished part is checked and kept; another one waits again."""
        number = event.unit
        result: SearchResult = event.result()
        del self._running[number]
        if output := self._outputs.pop(number, None):
            shutil.rmtree(output.folder, ignore_errors=True)
        self.cpu += result.cpu
        lines, complete = result.solutions()
        if complete:
            if complaint := unique.complaint(number, lines):
                raise CnfgenError(f"a worker of the engine {self._engine} is wrong: {complaint}")
            self.parts_done += 1
            if state:
                state.keep(number, lines)
            yield from unique.finish(number, lines)
            return
        yield from unique.announce(lines)
        if result.ended == MEMORY_LIMIT:
            self._limit = LIMITS[result.ended]
        elif result.ended == WALL_LIMIT or self._left() <= 0:
            self._waiting.appendleft(number)
        elif result.ended == EXIT:
            raise CnfgenError(f"a worker of the engine {self._engine} ended without finishing its part")
        else:
            self._waiting.extendleft(reversed(self._smaller(number)))

    def _smaller(self, number: int) -> list[int]:
        """The parts to search instead of a part that is too large: its children, or the part itself with more time."""
        smaller = self._divide_all() if len(self._parts) == 1 else [number]
        if smaller == [number]:
            smaller = self._divide(number) or [number]
        more = max(self._slice, 2 * self._slices.get(number, self._slice))
        self._slices |= dict.fromkeys(smaller, more)
        return smaller

    def _divide_all(self) -> list[int]:
        """Divide the parts until all jobs have some, or none can be divided; returns all parts."""
        at_least = PARTS_PER_JOB * (self.jobs if self._executor is None else max(self.jobs, LEAST_JOBS))
        left = deque(self._parts.numbers())
        whole: list[int] = []
        while left and len(self._parts) < at_least:
            number = left.popleft()
            children = self._divide(number)
            left += children
            whole += [] if children else [number]
        return [*whole, *left]

    @cached_property
    def divider(self) -> Divider:
        """Divides the parts of the problem."""
        return Divider(self._problem)

    def _divide(self, number: int) -> list[int]:
        literals = self.divider.choices(self._parts[number])[:-1][:MOST_CHILDREN]  # the last one follows if the others are false
        return self._parts.divide(number, literals) if literals else []


class UniqueSolutions:
    """Yields each solution once, and compares the parts of a search. Solutions are lines of ascending true variables.

    The true variables of a solution determine its part (`Parts.home`). Only solutions that are announced before their part is
    finished are remembered, as hashes of 16 bytes; when all parts are finished, none may remain.
    """

    def __init__(self, parts: Parts, projection: Iterable[int]):
        self._parts = parts
        self._variables = {str(variable): variable for variable in projection}
        self._finished: set[int] = set()
        self._early: set[bytes] = set()

    def complaint(self, number: int, lines: Sequence[str]) -> str:
        """The reason why these are not the solutions of a part: one is invalid, repeated, or of another part; or empty."""
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
            if self._parts.home(set(variables)) != number:
                return f"the solution {line[:80]!r} is none of part {number}"
        return ""

    def announce(self, lines: Iterable[str]) -> Iterator[frozenset[int]]:
        """The new solutions among those that a worker announces before their part is finished."""
        for line in lines:
            true = _true(line)
            if self._parts.home(true) not in self._finished and (key := _hash(line)) not in self._early:
                self._early.add(key)
                yield true

    def finish(self, number: int, lines: Iterable[str]) -> Iterator[frozenset[int]]:
        """The new solutions of a finished part without complaints."""
        self._finished.add(number)
        for line in lines:
            if (key := _hash(line)) in self._early:
                self._early.remove(key)
            else:
                yield _true(line)

    def close(self) -> None:
        """Check that all is consistent: CnfgenError if a part lacks an announced solution."""
        if self._early:
            raise CnfgenError(f"{len(self._early)} solutions were announced, but the finished parts do not contain them")


def _true(line: str) -> frozenset[int]:
    return frozenset(map(int, line.split()))


def _hash(line: str) -> bytes:
    return hashlib.blake2b(line.encode(), digest_size=16).digest()
