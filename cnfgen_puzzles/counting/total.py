"""How many solutions a problem has, by whatever suits: an enumeration, model counters, or both side by side.

    total = Total(problem, plan_for("auto", problem), limits=Limits(cpu=60))
    for true in total:                 # the solutions, where they are enumerated
        ...
    total.number, total.complete, total.evidence()

Commands and puzzles count by this. No puzzle is known here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.counting.beside import Beside, Overtaken, Question, Start, start_for
from cnfgen_puzzles.counting.counters.agreement import Verdict, divided
from cnfgen_puzzles.counting.counters.table import ModelCounter, choose_counters, those_there
from cnfgen_puzzles.counting.enginenames import AUTO, BY_NUMBER, ENGINES
from cnfgen_puzzles.counting.engines import Engine, choose_engine
from cnfgen_puzzles.counting.enumeration import Enumeration
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.evidence.basis import MODEL, WORD, Evidence
from cnfgen_puzzles.solving.pool import WorkExecutor
from cnfgen_puzzles.solving.process import Limits


@dataclass(frozen=True)
class Plan:
    """Who counts: an engine that enumerates, model counters, or both; then the counters begin at `start`."""

    engine: Engine | None
    counters: tuple[ModelCounter, ...] = ()
    start: Start | None = None

    def __str__(self) -> str:
        return str(self.engine) if self.engine else " and ".join(counter.name for counter in self.counters)


def plan_for(name: str, problem: Problem, solver: str | None = None, *, listed: bool = False) -> Plan:
    """Who counts by the engine of that name. With `listed` the solutions are wanted, so counters are of no use.

    `auto` is the best engine that enumerates, and beside it the first model counter that is there. InputError if something is
    not there or does not suit.
    """
    if name not in (AUTO, *ENGINES, *BY_NUMBER):
        raise InputError(unknown_name("engine", name, (AUTO, *ENGINES, *BY_NUMBER)))
    if name in BY_NUMBER:
        if listed:
            raise InputError(f"the engine {name} counts solutions and lists none, expected one that enumerates")
        if solver is not None:
            raise InputError(f"found the solver {solver!r} for the engine {name}, which is none of python-sat's solvers")
        return Plan(None, tuple(choose_counters(name)))
    engine = choose_engine(name, problem, solver)
    if name != AUTO or solver is not None or listed:
        return Plan(engine)
    return Plan(engine, tuple(those_there()[:1]), start_for(problem))


class Total:
    """Iterating (once) counts; it gives the solutions, as `Enumeration` does, as long as they are enumerated.

    Afterwards `verdict` is that of the model counters where theirs is the number, else None. `limits` are for all processes
    together: where counters may run beside an enumeration, each side has half of CPU time and memory, and the counters are
    waited for when the enumeration has used its own. `question` makes what the counters are asked, by default the problem itself;
    `enumeration` is None if nothing is enumerated; `fault` says what became of counters that gave no number.
    """

    def __init__(
        self,
        problem: Problem,
        plan: Plan,
        *,
        question: Callable[[], Question] | None = None,
        jobs: int | None = None,
        state: Path | None = None,
        limits: Limits | None = None,
        on_look: Callable[[], None] | None = None,
        executor: WorkExecutor | None = None,
    ):
        self.plan = plan
        self._question = question or (lambda: Question(problem.cnf, problem.projection))
        self.verdict: Verdict | None = None
        self.fault = ""
        self.proved: Evidence | None = None  # set by who proved afterwards that there are no others
        self.found = 0
        self._limits = limits or Limits()
        self._look: Callable[[], None] = on_look or (lambda: None)
        self._beside: Beside | None = None
        self._interrupted = False
        self.enumeration: Enumeration | None = None
        if plan.engine is not None:
            mine = divided(self._limits, 2) if plan.counters else self._limits
            self.enumeration = Enumeration(
                problem, plan.engine, jobs=jobs, state=state, limits=mine, on_look=self._looked, executor=executor
            )

    def __iter__(self) -> Iterator[frozenset[int]]:
        if self.enumeration is None:
            verdict = self._question().answer(self.plan.counters, self._limits)
            if verdict.interrupted:
                raise KeyboardInterrupt
            self.verdict = verdict
        elif not self.plan.counters or self.plan.start is None:
            yield from self._enumerated(self.enumeration)
        else:
            yield from self._raced(self.enumeration, self.plan.start)

    def _enumerated(self, enumeration: Enumeration) -> Iterator[frozenset[int]]:
        with contextlib.closing(iter(enumeration)) as solutions:  # type: ignore[type-var]  # a generator: to close it ends the workers
            for true in solutions:
                self.found += 1
                yield true

    def _raced(self, enumeration: Enumeration, start: Start) -> Iterator[frozenset[int]]:
        with Beside(self._question, self.plan.counters, start, divided(self._limits, 2)) as self._beside:
            try:
                for true in self._enumerated(enumeration):
                    yield true
                    self._beside.look(self.found)
                if not enumeration.complete:
                    self._beside.last(self.found)
            except Overtaken as overtaken:
                self.verdict = overtaken.verdict
            finally:
                self.fault, self._beside = self._beside.fault, None

    def _looked(self) -> None:
        self._look()
        if self._beside is not None:
            self._beside.look(self.found)

    # -- what came of it --------------------------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """How many solutions there are, or have been found."""
        return self.verdict.numbers[0] if self.verdict and self.verdict.numbers else self.found

    @property
    def complete(self) -> bool:
        """Whether those are all."""
        if self.verdict is not None:
            return self.verdict.numbers is not None
        return self.enumeration is not None and self.enumeration.complete

    @property
    def reason(self) -> str:
        """Why not."""
        if self.verdict is not None:
            return self.verdict.reason if self.verdict.numbers is None else ""
        return self.enumeration.reason if self.enumeration else "not finished"

    @property
    def by(self) -> str:
        """Whose number it is."""
        return self.verdict.by if self.verdict else str(self.plan)

    @property
    def listed(self) -> bool:
        """Whether the solutions that are counted have been seen, one by one."""
        return self.verdict is None and self.enumeration is not None

    @property
    def cpu(self) -> float:
        """Seconds, all processes together."""
        return (self.enumeration.cpu if self.enumeration else 0.0) + (self.verdict.cpu if self.verdict else 0.0)

    def evidence(self) -> Evidence | None:
        """What it rests on that there are so many."""
        if not self.complete:
            return Evidence(MODEL) if self.found else None
        if self.proved is not None:
            return self.proved
        if self.verdict is not None:
            return self.verdict.evidence()
        unsealed, parts = (self.enumeration.unsealed, self.enumeration.parts) if self.enumeration else (0, 0)
        old = f"{unsealed} of {parts} parts were kept by an older version, without a checksum" if unsealed else ""
        return Evidence(WORD, str(self.plan.engine), old)
