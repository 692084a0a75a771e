"""Decides which parts of a search go into which call, and what follows from the results: `Schedule`, one for each enumeration.

A call takes one part, or several small ones, and has a slice of CPU time. A part that takes more than a slice, or has too many
solutions for one result, is divided, and other calls search its children. `solving.pool` makes the calls, again if their worker
is lost; `enumeration` checks, keeps, and gives the solutions.
"""

from __future__ import annotations

import contextlib
import math
import time
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.counting.calls import BY_LIMIT, NOTE, SearchCall, SearchResult, search_parts, unpack_lines
from cnfgen_puzzles.counting.engines import EngineChoice
from cnfgen_puzzles.counting.problem import Parts, Problem
from cnfgen_puzzles.counting.splitting import Divider
from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.pool import CallMessage, CallResult, Distributor, Work, WorkExecutor
from cnfgen_puzzles.solving.process import Limits

WORTH = 5.0  # CPU seconds of a call on several small parts
LEAST = 1.0  # CPU seconds that are worth a call, unless there are less for all
GRACE = 2.0  # seconds for calls to bring what they met until the wall time was over


@dataclass(frozen=True)
class Slice:
    """The most that a call may do before it must come back: seconds of CPU time, bytes of solutions."""

    cpu: float
    output: int


HERE = Slice(math.inf, 64 << 30)
"""On this machine nothing is gained by coming back: solutions show at once, and a worker that dies takes us with it."""

ELSEWHERE = Slice(60.0, 256 << 20)
"""Far more than the second in which a worker process starts."""


@dataclass(frozen=True)
class SolutionLines:
    """Solutions as lines; `part` if they are all of that part."""

    lines: list[str]
    part: int | None = None


@dataclass(eq=False)
class _Batch:
    """The parts of a call; `cut_short` if it has less CPU time than others since there is hardly any left."""

    numbers: list[int]
    cpu: float
    cut_short: bool
    sent: bool = False
    """Whether the problem goes with it."""


class Schedule:
    """The search of some parts of a problem: `found` gives the results of calls; `reason` says why not all is done, if it is not;
    `doing` what a worker said last that it does besides searching (`""`: nothing).

    `problem_file` is the problem's, with a name that no other problem's has. `limits.cpu` and `limits.wall` are for all calls
    together, `limits.memory` is for each.
    """

    def __init__(
        self,
        problem: Problem,
        problem_file: Path,
        engine: EngineChoice,
        parts: Parts,
        limits: Limits,
        jobs: Callable[[], int],
        size: Slice,
    ):
        self.cpu = 0.0
        self.reason = ""
        self.doing = ""
        self._problem, self._file, self._engine, self._parts = problem, problem_file, engine, parts
        self._limits, self._jobs, self._size = limits, jobs, size
        self._finished = 0
        self._content: bytes | None = None
        self._divider: Divider | None = None
        self._slices: dict[int, float] = {}
        self._after_trial = 0
        self._waiting: deque[int] = deque()
        self._unsent: deque[_Batch] = deque()
        self._flying: set[_Batch] = set()
        self._end = None if limits.wall is None else time.monotonic() + limits.wall

    def divide_to(self, at_least: int) -> None:
        """Divide parts until there are so many, or none can be."""
        numbers = deque(self._parts.numbers())
        while numbers and len(self._parts) < at_least:
            numbers.extend(self._divided(numbers.popleft()))

    def try_whole(self, cpu: float, at_least: int) -> None:
        """Where there is one part only: search it for so many seconds of CPU time, and only then divide it, into so many."""
        self._slices[0], self._after_trial = cpu, at_least

    def found(self, todo: Sequence[int], executor: WorkExecutor, on_look: Callable[[], None]) -> Generator[SolutionLines]:
        """Solutions of the parts to do, as they are found, some of them twice. Abandoning it ends the calls in flight."""
        self._waiting.extend(todo)
        deadline = None if self._end is None else self._end + GRACE
        work = Distributor[_Batch](executor, self._call, "an enumeration", at_once=self._jobs, deadline=deadline, on_look=on_look)
        with contextlib.closing(work.events(self._next)) as events:
            for event in events:
                if isinstance(event, CallMessage):
                    yield SolutionLines(list(self._without_notes(event.text.splitlines())))
                else:
                    yield from self._take(event)
                if self.reason == BY_LIMIT[process.MEMORY_LIMIT]:
                    break
        if work.timed_out:
            self.reason = BY_LIMIT[process.WALL_LIMIT]

    def _without_notes(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            if line.startswith(NOTE):
                self.doing = line.removeprefix(NOTE)
            else:
                yield line

    # -- what is next ---------------------------------------------------------------------------------------------------

    def _next(self) -> _Batch | None:
        if self._unsent:
            return self._unsent.popleft()
        if not self._waiting:
            return None
        if self._end is not None and time.monotonic() > self._end:
            self.reason = BY_LIMIT[process.WALL_LIMIT]
            return None
        wanted = self._slices.get(self._waiting[0], self._share())
        cpu = min(wanted, self._left())
        if cpu <= 0:
            if not self._flying:
                self.reason = BY_LIMIT[process.CPU_LIMIT]
            return None
        batch = _Batch([self._waiting.popleft() for _ in range(self._together())], cpu, cpu < wanted)
        self._flying.add(batch)
        return batch

    def _together(self) -> int:
        """How many parts the next call gets: several if they are small, since each call starts a process; few towards the end."""
        if not self._finished:
            return 1
        mean = max(self.cpu / self._finished, 0.01)
        return max(1, min(int(WORTH / mean), len(self._waiting) // (2 * max(self._jobs(), 1))))

    def _share(self) -> float:
        """The CPU time of a call: a slice, or less where so many slices side by side would pass the limit."""
        if self._limits.cpu is None:
            return self._size.cpu
        side_by_side = min(self._jobs(), len(self._waiting) + len(self._flying))
        return min(self._size.cpu, max(self._limits.cpu / max(side_by_side, 1), LEAST))

    def _left(self) -> float:
        """The CPU time that is not used and that no call in flight may use."""
        if self._limits.cpu is None:
            return math.inf
        return self._limits.cpu - self.cpu - sum(batch.cpu for batch in self._flying)

    def _call(self, batch: _Batch) -> Work:
        wall = None if self._end is None else max(self._end - time.monotonic(), 0.01)
        cpu = None if batch.cpu == math.inf else batch.cpu
        limits = Limits(cpu, wall, self._limits.memory, self._size.output)
        parts = {number: self._parts[number] for number in batch.numbers}
        content = self._compressed() if batch.sent else None
        return search_parts, SearchCall(self._file, content, self._engine, parts, limits)

    def _compressed(self) -> bytes:
        if self._content is None:
            self._content = zlib.compress(self._file.read_bytes(), 1)
        return self._content

    # -- what came ------------------------------------------------------------------------------------------------------

    def _take(self, event: CallResult[_Batch]) -> Iterator[SolutionLines]:
        batch = event.unit
        result: SearchResult = event.result()
        if result.unknown:
            batch.sent = True
            self._unsent.append(batch)
            return
        self._flying.discard(batch)
        self.cpu += result.cpu
        self._finished += len(result.finished)
        for number, content in result.finished.items():
            yield SolutionLines(unpack_lines(content), number)
        left = [number for number in batch.numbers if number not in result.finished]
        if not left:
            return
        yield SolutionLines(unpack_lines(result.unfinished))
        if result.ended == process.MEMORY_LIMIT:
            self.reason = BY_LIMIT[result.ended]
        elif result.finished or result.ended == process.WALL_LIMIT or batch.cut_short:
            self._waiting.extendleft(reversed(left))
        else:
            self._waiting.extendleft(reversed([*self._smaller(left[0]), *left[1:]]))

    def _smaller(self, number: int) -> list[int]:
        """What is to be done instead of a part that is too large: its children, or the part itself with more time."""
        if self._after_trial:
            self.divide_to(self._after_trial)
            self._after_trial = 0
            children = [other for other in self._parts.numbers() if other != number]
        else:
            children = self._divided(number)
        if not children:
            self._slices[number] = 2 * self._slices.get(number, self._share())
        return children or [number]

    def _divided(self, number: int) -> list[int]:
        self._divider = self._divider or Divider(self._problem)
        literals = self._divider.literals(self._parts[number])
        return self._parts.divide(number, literals) if literals else []
