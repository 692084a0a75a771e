"""The number of solutions of a problem, by an enumeration, by model counters, or by a race of both.

    total = Total(problem, plan_for("auto", problem), limits=Limits(cpu=60))
    for true in total:                 # the solutions, if they are enumerated
        ...
    total.number, total.complete, total.evidence()

An enumeration does not finish if there are billions of solutions, and a model counter often does not if there are few that are
hard to find. With `auto`, a counter therefore starts when an enumeration has found MANY. This module does not depend on puzzles.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.activity import update_activity
from cnfgen_puzzles.common.errors import CnfgenError, InputError, unknown_name
from cnfgen_puzzles.counting.counters import (
    COUNTERS,
    Clauses,
    CounterVerdict,
    ModelCounter,
    choose_counters,
    count_all,
    divide_limits,
)
from cnfgen_puzzles.counting.enginenames import AUTO, BY_NUMBER, ENGINES
from cnfgen_puzzles.counting.engines import EngineChoice, choose_engine
from cnfgen_puzzles.counting.enumeration import Enumeration
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.evidence.evidence import CLAIMED, MODEL, Evidence
from cnfgen_puzzles.solving.process import Limits, interrupt_runs, owner_of_runs, runs_of

CounterQuestion = tuple[Problem, Sequence[Clauses]]
"""A formula, and restrictions with each of which it is counted; the first number is that of all solutions."""
MANY = 3_000
"""Solutions. An enumeration that has found this many may have billions."""


@dataclass(frozen=True)
class CountPlan:
    """The engine that enumerates, the model counters, or both; then the counters start after `start` solutions."""

    engine: EngineChoice | None
    counters: tuple[ModelCounter, ...] = ()
    start: int = MANY

    def __str__(self) -> str:
        return str(self.engine) if self.engine else " and ".join(counter.name for counter in self.counters)


def plan_for(name: str, problem: Problem, solver: str | None = None, *, listed: bool = False) -> CountPlan:
    """The plan for the engine of that name. With `listed`, the solutions are needed, so counters are excluded.

    `auto` is the best engine that enumerates, in parallel with the first installed model counter. InputError if an engine is not
    installed or not suitable.
    """
    if name not in (AUTO, *ENGINES, *BY_NUMBER):
        raise InputError(unknown_name("engine", name, (AUTO, *ENGINES, *BY_NUMBER)))
    if name in BY_NUMBER:
        if listed:
            raise InputError(f"the engine {name} counts solutions without listing them, expected one that enumerates")
        if solver is not None:
            raise InputError(f"found the solver {solver!r} for the engine {name}, which is none of python-sat's solvers")
        return CountPlan(None, tuple(choose_counters(name)))
    engine = choose_engine(name, problem, solver)
    if name != AUTO or solver is not None or listed:
        return CountPlan(engine)
    return CountPlan(engine, tuple(each for each in COUNTERS.values() if each.available())[:1])


class Total:
    """Iterating (once) counts; it yields the solutions, as `Enumeration` does, as long as they are enumerated.

    Afterwards, `verdict` is that of the model counters if they gave the number, otherwise None. `limits` apply to all processes
    together. If counters may run in parallel with an enumeration, each gets half of CPU time and memory; when the enumeration has
    used its half, it waits for the counters. `question` creates the question for the counters, by default the problem itself.
    `enumeration` is None if nothing is enumerated. `stop` sets the reason why the caller ends the iteration; `interrupted` is
    True after Ctrl-C.
    """

    def __init__(
        self,
        problem: Problem,
        plan: CountPlan,
        *,
        question: Callable[[], CounterQuestion] | None = None,
        jobs: int | None = None,
        state: Path | None = None,
        limits: Limits | None = None,
        on_look: Callable[[], None] | None = None,
        executor: Executor | None = None,
    ):
        self.plan = plan
        self.verdict: CounterVerdict | None = None
        self.proved: Evidence | None = None  # set by the caller after a proof that there are no other solutions
        self.found = 0
        self.interrupted = False
        self._stopped = "not finished"
        self._began = time.monotonic()
        self._seconds: float | None = None
        self._question = question or (lambda: (problem, [()]))
        self._limits = limits or Limits()
        self._look: Callable[[], None] = on_look or (lambda: None)
        self._call: Future[CounterVerdict] | None = None  # of the counters in parallel with an enumeration
        self._fault = ""  # why they gave no number; the enumeration then continues
        self.enumeration: Enumeration | None = None
        if plan.engine is not None:
            mine = divide_limits(self._limits, 2) if plan.counters else self._limits
            self.enumeration = Enumeration(
                problem, plan.engine, jobs=jobs, state=state, limits=mine, on_look=self._count_look, executor=executor
            )

    def __iter__(self) -> Iterator[frozenset[int]]:
        self._stopped = "stopped"  # unless the iteration reaches its end
        try:
            yield from self._count()
            self._stopped = ""
        except KeyboardInterrupt:
            self.interrupt()
            raise
        finally:
            self._seconds = time.monotonic() - self._began

    def stop(self, reason: str) -> None:
        """Set the reason why the caller is about to end the iteration."""
        self._stopped = reason

    def interrupt(self) -> None:
        """Record Ctrl-C, which came here or while the solutions were used."""
        self._stopped, self.interrupted = "interrupted", True

    def _count(self) -> Iterator[frozenset[int]]:
        if self.enumeration is None:
            verdict = count_all(self.plan.counters, *self._question(), self._limits)
            if verdict.interrupted:
                raise KeyboardInterrupt
            self.verdict = verdict
            return
        with contextlib.ExitStack() as ends:
            solutions = ends.enter_context(contextlib.closing(iter(self.enumeration)))  # type: ignore[type-var]  # ends the workers
            self._executor, self._owner = ThreadPoolExecutor(1), f"{owner_of_runs()}/{uuid.uuid4()}"
            ends.callback(self._executor.shutdown, cancel_futures=True)
            ends.callback(interrupt_runs, self._owner)  # first
            try:
                for true in solutions:
                    self.found += 1
                    yield true
                    self._look_at_counters()
                if self.plan.counters and not self.enumeration.complete:
                    self._wait_for_counters()
            except _CountersFirst:
                pass

    def _count_look(self) -> None:
        update_activity(f"{self.plan.engine}: {self.found} solutions so far{self.parts_text()}")
        self._look()
        self._look_at_counters()

    def _look_at_counters(self) -> None:
        """Start the counters when the plan says so. Raises _CountersFirst if they have their number."""
        if self._call is None:
            if self.plan.counters and self.found >= self.plan.start:
                self._start_counters()
        elif self._call.done() and not self._fault:
            self._wait_for_counters()

    def _start_counters(self) -> Future[CounterVerdict]:
        def count() -> CounterVerdict:
            with runs_of(self._owner):
                return count_all(self.plan.counters, *self._question(), divide_limits(self._limits, 2))

        self._call = self._executor.submit(count)
        return self._call

    def _wait_for_counters(self) -> None:
        """Wait for the counters, which start now if they have not yet. Raises _CountersFirst if they have their number."""
        if self._fault:
            return
        try:
            verdict = (self._call or self._start_counters()).result()
            numbers = verdict.numbers
        except CnfgenError as error:
            self._fault = str(error)
            return
        if numbers is None:
            self._fault = f"{verdict.by}: {verdict.reason}"
            return
        check_found(self.found, numbers[0], verdict.by)
        self.verdict = verdict
        raise _CountersFirst

    # -- the result -----------------------------------------------------------------------------------------------------------

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The numbers of the model counters, if they gave the number of solutions."""
        return self.verdict.numbers if self.verdict else None

    @property
    def number(self) -> int:
        """The number of all solutions, or of those found so far."""
        return self.numbers[0] if self.numbers else self.found

    @property
    def complete(self) -> bool:
        """True if these are all solutions."""
        if self._stopped:
            return False
        return self.numbers is not None or (self.enumeration is not None and self.enumeration.complete)

    @property
    def reason(self) -> str:
        """The reason why the count is not complete."""
        if self._stopped or self.complete:
            return self._stopped
        return self.verdict.reason if self.verdict else self.enumeration.reason if self.enumeration else ""

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return time.monotonic() - self._began if self._seconds is None else self._seconds

    @property
    def by(self) -> str:
        """The engine or counters that gave the number."""
        return self.verdict.by if self.verdict else str(self.plan)

    @property
    def listed(self) -> bool:
        """True if each counted solution was listed."""
        return self.verdict is None and self.enumeration is not None

    @property
    def cpu(self) -> float:
        """The CPU time of all processes together, in seconds."""
        return (self.enumeration.cpu if self.enumeration else 0.0) + (self.verdict.cpu if self.verdict else 0.0)

    def evidence(self) -> Evidence | None:
        """The evidence of the number."""
        if not self.complete:
            return Evidence(MODEL) if self.found else None
        if self.proved is not None:
            return self.proved
        return self.verdict.evidence() if self.verdict else Evidence(CLAIMED, str(self.plan.engine))

    def parts_text(self) -> str:
        """The number of finished parts, for the end of a clause; empty if there is only one part."""
        search = self.enumeration
        return f", {search.parts_done} of {search.parts} parts done" if search and search.parts > 1 else ""

    def used_text(self) -> str:
        """The engine that the counters overtook, or why they gave no number, for the end of a clause; otherwise empty."""
        if self.plan.engine and not self.listed:
            return f", before {self.plan.engine}, which had found {self.found}"
        return f" ({self._fault})" if self._fault and self.listed else ""


class _CountersFirst(Exception):
    """The counters were faster than the enumeration."""


def check_found(found: int, number: int, by: str) -> None:
    """CnfgenError if more solutions were found than a counter reports."""
    if found > number:
        raise CnfgenError(f"{by} counts {number} solutions, but {found} were found: at least one of the programs is wrong")
