"""The parts of an enumeration as calls of an executor: processes of this machine or workers of a cluster (`executors`).

A call takes some parts to a machine that need not share files with this one, runs there the same worker process as a local
enumeration does, under limits, and brings back the solutions of the parts that it finished. A part that takes more than a slice
of CPU time, or has too many solutions for one answer, is divided, and its children are searched by other calls. A call whose
process or machine is gone is made again. What is finished, kept and told is the affair of `search`.
"""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field
from pathlib import Path

from cnfgen_puzzles.counting.engines import Engine, available
from cnfgen_puzzles.counting.problem import Part, Parts, Problem
from cnfgen_puzzles.counting.splitting import Divider
from cnfgen_puzzles.counting.worker import Transcript, give_work
from cnfgen_puzzles.counting.workerprocess import BY_LIMIT, failure, worker_command
from cnfgen_puzzles.distribution.executors import ClusterExecutor, LocalExecutor, WorkerLost
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.version import __version__
from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.process import Limits, run_process

LOOK = 0.2  # seconds between two looks at the clock while calls are in flight
SLICE = 60.0  # CPU seconds of a call: far more than the second in which a worker process starts
WORTH = 5.0  # CPU seconds of a call on several small parts
OUTPUT = 256 << 20  # bytes of solutions of a call
LEAST = 1.0  # CPU seconds that are worth a call, unless there are less for all
ATTEMPTS = 4  # calls on a part whose workers die
DYING = "the workers that search a part die again and again"


@dataclass(frozen=True)
class Task:
    """What a call does. `problem` is compressed, and there only if the worker is known not to have it."""

    name: str
    problem: bytes | None
    engine: Engine
    parts: dict[int, Part]
    limits: Limits
    version: str = __version__


@dataclass(frozen=True)
class Answer:
    """What a call brings back: solutions of finished parts, and those that it met in an unfinished one; all compressed."""

    finished: dict[int, bytes] = field(default_factory=dict)
    met: bytes = b""
    reason: str = ""
    ended: str = process.EXIT
    cpu: float = 0.0
    unknown: bool = False
    """The worker does not have the problem."""


def packed(lines: Sequence[str]) -> bytes:
    return zlib.compress(json.dumps(lines).encode(), 1)


def unpacked(content: bytes) -> list[str]:
    return json.loads(zlib.decompress(content)) if content else []


# -- where the work is done -----------------------------------------------------------------------------------------------

_problems: dict[str, bytes] = {}
"""The problems that this process has been sent, by name: the last two."""


def search_parts(task: Task) -> Answer:
    """In a worker of the executor: search the parts one after the other until the limits are met."""
    if task.version != __version__:
        raise InputError(f"found cnfgen-puzzles {__version__} on a worker, expected {task.version}")
    if not available(task.engine.name):
        raise InputError(f"the engine {task.engine.name} is not there on a worker")
    if task.problem is not None:
        _problems[task.name] = task.problem
        for name in list(_problems)[:-2]:
            _problems.pop(name, None)
    content = task.problem or _problems.get(task.name)
    if content is None:
        return Answer(unknown=True)
    with tempfile.TemporaryDirectory(prefix="cnfgen-enumeration-") as folder:
        return _search(task, zlib.decompress(content).decode(), Path(folder))


def _search(task: Task, problem: str, folder: Path) -> Answer:
    give_work(folder, problem, task.parts, task.engine.for_worker())
    stdout, stderr = folder / "stdout", folder / "stderr"
    measurement = run_process(worker_command(folder, "worker"), stdout=stdout, stderr=stderr, limits=task.limits)
    if measurement.ended == process.INTERRUPTED:
        raise WorkerLost("the call was interrupted")
    reason = BY_LIMIT.get(measurement.ended, "")
    if not reason and (message := failure(measurement, stderr)):
        raise CnfgenError(f"a worker of the engine {task.engine} {message}")
    transcript, finished, met = Transcript(), {}, []
    with stdout.open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            if not line.endswith("\n"):  # a limit was met in the middle of it
                break
            number = transcript.read(line[:-1])
            if number is not None:
                finished[number] = packed(transcript.found)
                transcript.found = []
    met = transcript.found
    if not reason and finished.keys() != task.parts.keys():
        raise CnfgenError(f"a worker of the engine {task.engine} ended, but left parts undone")
    return Answer(finished, packed(met), reason, measurement.ended, measurement.cpu)


# -- where it is asked for ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """Solutions of a part as lines; `finished` if these are all."""

    part: int
    lines: list[str]
    finished: bool


@dataclass(frozen=True)
class _Flight:
    """The parts of a call; `cut_short` if it has less CPU time than others since there is hardly any left."""

    numbers: list[int]
    limits: Limits
    cut_short: bool


class Calls:
    """The calls of one enumeration: `results` gives what they bring; `reason` says why not all is done, if it is not.

    `limits.cpu` and `limits.wall` are for all calls together, `limits.memory` is for each.
    """

    def __init__(
        self,
        problem: Problem,
        engine: Engine,
        executor: LocalExecutor | ClusterExecutor,
        parts: Parts,
        limits: Limits,
        jobs: Callable[[], int],
        seconds: float = SLICE,
    ):
        self.cpu = 0.0
        self.reason = ""
        self._finished = 0
        self._problem, self._engine, self._executor, self._parts = problem, engine, executor, parts
        self._limits, self._jobs = limits, jobs
        self._slice = seconds
        text = problem.to_json().encode()
        self._content, self._name = zlib.compress(text), hashlib.sha256(text).hexdigest()
        self._divider: Divider | None = None
        self._slices: dict[int, float] = {}
        self._waiting: deque[int] = deque()
        self._flying: dict[Future, _Flight] = {}
        self._lost: Counter[int] = Counter()
        self._end = None if limits.wall is None else time.monotonic() + limits.wall

    def results(self, todo: Sequence[int], on_look: Callable[[], None]) -> Iterator[Result]:
        """What there is of the parts to do, as it comes. Abandoning it ends the calls in flight, and with them the executor."""
        self._waiting.extend(todo)
        try:
            while (self._waiting or self._flying) and not self.reason:
                self._submit()
                done, _ = wait(self._flying, timeout=LOOK, return_when=FIRST_COMPLETED)
                self._executor.check()
                on_look()
                for future in done:
                    yield from self._take(future)
                if self._end is not None and time.monotonic() > self._end and (self._waiting or self._flying):
                    self.reason = BY_LIMIT[process.WALL_LIMIT]
        finally:
            if self._flying:
                self._executor.stop()

    def divide_to(self, at_least: int) -> None:
        """Divide parts until there are so many, or none can be."""
        numbers = deque(self._parts.numbers())
        while numbers and len(self._parts) < at_least:
            numbers.extend(self._divided(numbers.popleft()))

    def _submit(self) -> None:
        jobs = max(self._jobs(), 1)
        while self._waiting and len(self._flying) < jobs:
            cpu = min(self._slices.get(self._waiting[0], self._share()), self._left())
            if cpu <= 0:
                if not self._flying:
                    self.reason = BY_LIMIT[process.CPU_LIMIT]
                return
            numbers = [self._waiting.popleft() for _ in range(self._together(jobs))]
            wall = None if self._end is None else max(self._end - time.monotonic(), LEAST)
            self._call(_Flight(numbers, Limits(cpu, wall, self._limits.memory, OUTPUT), cpu < self._share()), None)

    def _together(self, jobs: int) -> int:
        """How many parts the next call gets: several if they are small, since each call starts a process; few towards the end."""
        if not self._finished:
            return 1
        mean = max(self.cpu / self._finished, 0.01)
        return max(1, min(int(WORTH / mean), len(self._waiting) // (2 * jobs)))

    def _share(self) -> float:
        """The CPU time of a call: a slice, or less where so many slices side by side would pass the limit."""
        if self._limits.cpu is None:
            return self._slice
        return min(self._slice, max(self._limits.cpu / max(self._jobs(), 1), LEAST))

    def _left(self) -> float:
        """The CPU time that is not used and that no call in flight may use."""
        if self._limits.cpu is None:
            return math.inf
        return self._limits.cpu - self.cpu - sum(flight.limits.cpu for flight in self._flying.values())

    def _call(self, flight: _Flight, content: bytes | None) -> None:
        parts = {number: self._parts[number] for number in flight.numbers}
        task = Task(self._name, content, self._engine, parts, flight.limits)
        self._flying[self._executor.submit(search_parts, task)] = flight

    def _take(self, future: Future) -> Iterator[Result]:
        flight = self._flying.pop(future)
        answer = self._answer(future, flight)
        if answer is None:
            return
        if answer.unknown:
            self._call(flight, self._content)
            return
        self.cpu += answer.cpu
        self._finished += len(answer.finished)
        for number, content in answer.finished.items():
            yield Result(number, unpacked(content), True)
        left = [number for number in flight.numbers if number not in answer.finished]
        if not left:
            return
        yield Result(left[0], unpacked(answer.met), False)
        if answer.ended == process.MEMORY_LIMIT:
            self.reason = answer.reason
        elif answer.finished or answer.ended == process.WALL_LIMIT or flight.cut_short:
            self._waiting.extendleft(reversed(left))
        else:
            self._waiting.extendleft(reversed([*self._smaller(left[0]), *left[1:]]))

    def _answer(self, future: Future, flight: _Flight) -> Answer | None:
        """What the call brought; None if it is lost and its parts wait again."""
        try:
            return future.result()
        except (WorkerLost, CancelledError) as error:
            lost = str(error)
        except CnfgenError:
            raise  # the engine failed, or the worker is none for us: another call would tell the same
        except Exception as error:
            if type(error).__name__ == "KilledWorker":  # distributed has tried several workers itself
                raise CnfgenError(f"{DYING} ({error})") from None
            raise CnfgenError(f"a call of the enumeration failed: {type(error).__name__}: {error}") from error
        self._lost.update(flight.numbers)
        if max(self._lost[number] for number in flight.numbers) >= ATTEMPTS:
            raise CnfgenError(f"{DYING} ({lost or 'cancelled'})")
        self._waiting.extendleft(reversed(flight.numbers))
        return None

    def _smaller(self, number: int) -> list[int]:
        """What is to be done instead of a part that is too large: its children, or the part itself with more time."""
        children = self._divided(number)
        if not children:
            self._slices[number] = 2 * self._slices.get(number, self._share())
        return children or [number]

    def _divided(self, number: int) -> list[int]:
        self._divider = self._divider or Divider(self._problem)
        literals = self._divider.literals(self._parts[number])
        return self._parts.divide(number, literals) if literals else []
