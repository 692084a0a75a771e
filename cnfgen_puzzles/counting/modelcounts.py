"""Numbers of models by model counters, each in a confined worker process under limits. Several counters must agree.

    count = count_models(cnf, projection, "ganak", Limits(cpu=60))
    if count.number is not None:       # otherwise, see count.status and count.reason
        ...

If a counter fails, its call has a status instead of raising an exception: TIMEOUT, MEMOUT, INTERRUPTED or ERROR, otherwise
COUNTED. If the numbers of two counters differ, that is an alarm and there is no answer (`CounterVerdict.numbers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, printable
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.numbers import digits
from cnfgen_puzzles.counting.counters import Clauses, CounterWork, ModelCounter, choose_counters
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.evidence.evidence import AGREEMENT, CLAIMED, Evidence
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.distribute import distribute
from cnfgen_puzzles.solving.process import LIMITS, Limits, Measurement, SupervisorLost
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, MEMORY_LIMIT, WALL_LIMIT
from cnfgen_puzzles.solving.supervision import INTERRUPTED as ENDED
from cnfgen_puzzles.solving.workerprocess import failure_of, run_worker

COUNTED, TIMEOUT, MEMOUT, INTERRUPTED, ERROR = "COUNTED", "TIMEOUT", "MEMOUT", "INTERRUPTED", "ERROR"

ENDS = {CPU_LIMIT: TIMEOUT, WALL_LIMIT: TIMEOUT, MEMORY_LIMIT: MEMOUT, ENDED: INTERRUPTED}


@dataclass(frozen=True)
class ModelCount:
    """The result of a call. `numbers` are exact, one for each formula of the question; some are missing unless COUNTED."""

    numbers: tuple[int, ...]
    counter: ModelCounter
    version: str
    status: str
    reason: str
    measurement: Measurement | None

    @property
    def number(self) -> int | None:
        """The number of the first formula; None unless all formulas were counted."""
        return self.numbers[0] if self.status == COUNTED else None

    @property
    def cpu(self) -> float:
        """The CPU time in seconds."""
        return self.measurement.cpu if self.measurement else 0.0


@dataclass(frozen=True)
class CounterQuestion:
    """The numbers of projected models of a formula, with each of the restrictions (further clauses). The first number is that of
    all solutions. Variables of the projection set that occur in no clause count; an empty set gives 1 or 0."""

    cnf: Cnf
    projection: Sequence[int]
    restrictions: Sequence[Clauses] = ((),)

    def count(self, counter: ModelCounter, limits: Limits | None = None) -> ModelCount:
        """The answer of one counter; one process counts all formulas, and `limits` apply to their total."""
        with scratch_folder("counter") as folder, doing(f"{counter.name} is counting"):
            problem, scratch = folder / "problem", folder / "scratch"
            Problem(self.cnf, self.projection).write(problem)
            scratch.mkdir()
            restrictions = [list(map(list, each)) for each in self.restrictions]
            try:
                work = CounterWork(problem, counter.name, restrictions)
                measurement = run_worker(folder, work, limits or Limits(), scratch=scratch)
                numbers = read_counts((folder / "stdout").read_text())
            except (SupervisorLost, CnfgenError) as error:
                return ModelCount((), counter, counter.version(), ERROR, str(error), None)
            status, reason = ENDS.get(measurement.ended, ERROR), LIMITS.get(measurement.ended, "interrupted")
            if status == ERROR:
                reason = failure_of(measurement, folder)
                if not reason and len(numbers) != len(restrictions):
                    reason = f"it gave {len(numbers)} numbers for {len(restrictions)} formulas"
                status = status if reason else COUNTED
        return ModelCount(tuple(numbers), counter, counter.version(), status, printable(reason), measurement)

    def count_all(self, counters: Sequence[ModelCounter], limits: Limits) -> CounterVerdict:
        """The answers of these counters, in parallel if there are enough cores; `limits` are divided evenly among them."""
        if len(counters) == 1:
            return CounterVerdict((self.count(counters[0], limits),))
        share = divide_limits(limits, len(counters))
        with (
            ThreadPoolExecutor(min(len(counters), len(usable_cores()))) as executor,
            closing(distribute(executor, counters, lambda counter: (self.count, counter, share), "model counters")) as results,
        ):
            found = {done.unit.name: done.result() for done in filter(None, results)}
        return CounterVerdict(tuple(found[counter.name] for counter in counters))


def count_models(cnf: Cnf, projection: Sequence[int], counter: str, limits: Limits | None = None) -> ModelCount:
    """The number of assignments of the projection variables that can be extended to models of the formula, by the counter with
    that name. InputError if it is not installed."""
    (chosen,) = choose_counters(counter)
    return CounterQuestion(cnf, projection).count(chosen, limits)


def read_counts(text: str) -> list[int]:
    """The numbers that a worker has printed; a truncated line is ignored."""
    counts = []
    for line in text.splitlines(keepends=True):
        word, _, number = line.partition(" ")
        if word != "count" or not number.startswith("0x"):
            raise CnfgenError(f"a worker of a model counter printed {line[:80]!r}")
        if line.endswith("\n"):
            counts.append(int(number, 16))
    return counts


def divide_limits(limits: Limits, among: int) -> Limits:
    """The limits of each of `among` calls: CPU time and memory are divided evenly."""
    cpu = None if limits.cpu is None else limits.cpu / among
    memory = None if limits.memory is None else max(1, limits.memory // among)
    return replace(limits, cpu=cpu, memory=memory)


@dataclass(frozen=True)
class CounterVerdict:
    """The results of several counters for the same question."""

    calls: tuple[ModelCount, ...]

    @property
    def counted(self) -> list[ModelCount]:
        """The calls that returned all numbers."""
        return [call for call in self.calls if call.status == COUNTED]

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The numbers of the calls that counted; None if none did. CnfgenError if they differ, or a counter failed."""
        for call in self.calls:
            if call.status == ERROR:
                raise CnfgenError(f"the model counter {call.counter.name} {call.version}: {call.reason}")
        for each in zip(*(call.numbers for call in self.counted), strict=True):
            if len(set(each)) > 1:
                said = zip(self.counted, each, strict=True)
                numbers = ", ".join(f"{call.counter.name} {call.version} counts {digits(number)}" for call, number in said)
                raise CnfgenError(f"the model counters disagree, so at least one of them is wrong: {numbers}")
        return self.counted[0].numbers if self.counted else None

    @property
    def reason(self) -> str:
        """The reason why there is no number: the end of the first call that did not count."""
        return next((call.reason for call in self.calls if call.status != COUNTED), "")

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended a call."""
        return any(call.status == INTERRUPTED for call in self.calls)

    @property
    def by(self) -> str:
        """The counters that gave the number."""
        return " and ".join(call.counter.name for call in self.counted or self.calls)

    @property
    def cpu(self) -> float:
        """The CPU time of all counters together, in seconds."""
        return sum(call.cpu for call in self.calls)

    @property
    def caveats(self) -> list[str]:
        """A sentence if the only counter that gave a number is probabilistic."""
        alone = self.counted[0].counter if len(self.counted) == 1 else None
        return [f"{alone.name} is {alone.caveat}"] if alone and alone.caveat else []

    def evidence(self) -> Evidence:
        """The evidence of the numbers."""
        if len(self.counted) > 1:
            return Evidence(AGREEMENT, self.by)
        notes = [call.counter.caveat for call in self.counted if call.counter.caveat]
        notes += [f"{call.counter.name} gave no number: {call.reason}" for call in self.calls if call.status != COUNTED]
        return Evidence(CLAIMED, self.by, "; ".join(notes))
