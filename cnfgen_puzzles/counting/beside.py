"""Model counters beside an enumeration: whichever ends first has the answer.

Where there are billions of solutions an enumeration never ends, and where there are a few that are hard to find a model counter
does not. Nobody knows beforehand, so a counter begins when an enumeration seems to grow large (`start_for`), on a core of its
own. It is told again and again how many solutions were found; when it has its number, that is told by the exception `Overtaken`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.counters.agreement import Verdict, count_by
from cnfgen_puzzles.counting.counters.table import ModelCounter
from cnfgen_puzzles.counting.counters.worker import Clauses
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.pool import ThreadExecutor
from cnfgen_puzzles.solving.process import Limits

LOCAL = 32
"""Options of an exact cover with one item in common, up to which the problem falls apart where it is cut: good for counters."""
FEW = 50
"""Options of an exact cover whose solutions are listed while a counter starts."""


@dataclass(frozen=True)
class Start:
    """A counter begins after so many solutions, or so many seconds; None: not by these."""

    solutions: int
    seconds: float | None


AT_ONCE, SOON, LATE = Start(0, 0.0), Start(1000, 30.0), Start(50_000, None)


def start_for(problem: Problem) -> Start:
    """When a model counter should begin beside an enumeration of this.

    Dominoes on a board: each cell has a handful of them, and counters do in a second what takes an enumeration an hour. Twelve
    pieces that are used once: a piece has hundreds of places that exclude each other wherever they are, and counters get nowhere.
    """
    if problem.cover is None:
        return SOON
    options = problem.cover.options
    places = Counter(item for option in options for item in option)
    if max(places.values(), default=0) > LOCAL or problem.cover.counted:
        return LATE
    return AT_ONCE if len(options) >= FEW else SOON


@dataclass(frozen=True)
class Question:
    """What counters are asked: the numbers of models of a formula, projected, with each of the restrictions besides. The first
    of these numbers is that of all solutions."""

    cnf: Cnf
    projection: Sequence[int]
    restrictions: Sequence[Clauses] = ((),)

    def answer(self, counters: Sequence[ModelCounter], limits: Limits) -> Verdict:
        """Ask these counters."""
        return count_by(counters, self.cnf, self.projection, self.restrictions, limits)


class Overtaken(Exception):
    """The counters were first: `verdict` has numbers."""

    def __init__(self, verdict: Verdict):
        super().__init__("the model counters were first")
        self.verdict = verdict


class Beside:
    """Counters that begin when `start` says so. On leaving the block what is still counted is ended.

    `fault` says what became of counters that gave no number.
    """

    def __init__(self, question: Callable[[], Question], counters: Sequence[ModelCounter], start: Start, limits: Limits):
        self.fault = ""
        self._question, self._counters, self._start, self._limits = question, counters, start, limits
        self._executor = ThreadExecutor(1)
        self._began = time.monotonic()
        self._call: Future[Verdict] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._executor.stop()

    def look(self, found: int) -> None:
        """So many solutions have been found. Raises Overtaken if the counters have their number."""
        if self._call is None:
            late = self._start.seconds is not None and time.monotonic() - self._began >= self._start.seconds
            if late or found >= self._start.solutions:
                self._call = self._begun()
        elif self._call.done() and not self.fault:
            self._take(self._call, found)

    def last(self, found: int) -> None:
        """The enumeration has met a limit: wait for the counters, which begin now if they have not yet."""
        self._call = self._call or self._begun()
        if not self.fault:
            self._take(self._call, found)

    def _begun(self) -> Future[Verdict]:
        return self._executor.submit(self._asked)

    def _asked(self) -> Verdict:
        return self._question().answer(self._counters, self._limits)

    def _take(self, call: Future[Verdict], found: int) -> None:
        """What came of the counters. What is wrong with them is no reason to end the enumeration."""
        try:
            verdict = call.result()
            numbers = verdict.numbers
        except CnfgenError as error:
            self.fault = str(error)
            return
        if numbers is None:
            self.fault = f"{verdict.by}: {verdict.reason}"
            return
        check_found(found, numbers[0], verdict.by)
        raise Overtaken(verdict)


def check_found(found: int, number: int, by: str) -> None:
    """CnfgenError if more solutions were found than a counter says that there are."""
    if found > number:
        raise CnfgenError(f"{by} counts {number} solutions, but {found} were found: at least one of the programs is wrong")
