"""All boards of a puzzle: each checked against the rules, counted up to symmetry and in all.

    solutions = Solutions(instance)
    for solution in solutions:           # solution.board; the first of every orbit
        ...
    print(solutions.count().sentence())  # 2339 solutions up to the 4 symmetries of board and pieces; 9356 in all

How the solutions are found is the affair of `counting`. What an engine gives is certified there against the formula (or
is an exact cover), and here by decoding it and checking the board, every one of them. Where model counters give the number
(alone, or because they end before the enumeration beside which they run) there are no boards to check; up to symmetry they count
by `burnside`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.counting.enginenames import AUTO, BLOCKING, BY_NUMBER, CLASP, COVER
from cnfgen_puzzles.counting.engines import choose_engine
from cnfgen_puzzles.counting.modelcounts import CounterQuestion
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.total import CountPlan, Total, plan_for
from cnfgen_puzzles.evidence.basis import MODEL, Evidence
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.pipeline.answer import Outcome
from cnfgen_puzzles.pipeline.burnside import FixedPoints, permutations_of
from cnfgen_puzzles.pipeline.countresult import TOLD_APART, Count
from cnfgen_puzzles.pipeline.instance import Instance, make_instance, obeying
from cnfgen_puzzles.pipeline.symmetries import NOTHING, SYMMETRY, one_convention, projected, symmetry_of
from cnfgen_puzzles.solving.cluster import ClusterExecutor
from cnfgen_puzzles.solving.pool import LocalExecutor
from cnfgen_puzzles.solving.process import Limits

SEARCHING = (BLOCKING, CLASP)
"""Engines that are known to search the formula before there is one."""


@dataclass(frozen=True)
class Solution:
    """The board found as number so-and-so (from 1), its true projection variables, and how many solutions its orbit has."""

    number: int
    board: Board
    true: frozenset[int]
    orbit: int

    def __repr__(self) -> str:
        stands_for = f"one of {self.orbit} symmetric ones" if self.orbit != 1 else ""
        return showing.in_brackets("Solution", f"number {self.number}", stands_for)

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_() if isinstance(self.board, Board) else None


# -- what the family knows ------------------------------------------------------------------------------------------------


def problem_of(instance: Instance) -> Problem:
    """The instance as `counting` sees it. What a family says of its variables does not hold for scrambled ones."""
    if instance.map.renaming is not None:
        return Problem(instance.cnf, instance.projection)
    family, puzzle, blocks = instance.family, instance.puzzle, instance.map.blocks
    return Problem(
        instance.cnf,
        instance.projection,
        cover=family.counting.exact_cover(puzzle, blocks),
        antichain=family.counting.antichain(puzzle, blocks),
        cubes=family.counting.cubes(puzzle, blocks),
    )


def counting_instance(
    family: Family,
    puzzle: Puzzle,
    encoding: str | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    engine: str = AUTO,
    solver: str | None = None,
    up_to: str = SYMMETRY,
) -> Instance:
    """The puzzle encoded as suits counting by that engine: the family's options for it, under those that are given.

    None of them is used that might leave out solutions if each counts: up to less than all symmetries, and by numbers alone.
    """
    given = dict(options or {})
    known = {option.name for option in family.encoding(encoding).options}

    def make(*suggested: Mapping[str, Any]) -> Instance:
        merged = {name: value for each in suggested for name, value in each.items() if name in known}
        return make_instance(family, puzzle, encoding, **(merged | given))

    general = family.counting.options if up_to == SYMMETRY and engine not in BY_NUMBER else {}
    searching = family.counting.searching_options
    if searching and (solver is not None or engine in SEARCHING):
        return make(general, searching)
    instance = make(general)
    if engine in BY_NUMBER or not searching or choose_engine(engine, problem_of(instance), solver).name == COVER:
        return instance
    return make(general, searching)


# -- solutions ------------------------------------------------------------------------------------------------------------


class Solutions:
    """Iterating (once) gives the solutions of an instance: the first found of every orbit under what `up_to` names.

    `engine` is one of `counting.ENGINES` or `auto`; `solver` one of python-sat's. `limits` hold for the search, all
    its processes together; `state` is a folder by which it can be continued; `most` ends it after so many solutions. An
    `executor` (of `open_executor`) makes the search elsewhere; `counting.enumeration` says what is different then.
    `count()` tells at any time what has been found, and `progress` is told every now and then.

    If only the number is wanted (`listed` is False), `engine` may be a model counter too, and `auto` lets one run beside the
    search; what iterating gives are then not all solutions. `whole` makes the instance that it counts, where this one leaves out
    solutions.
    """

    def __init__(
        self,
        instance: Instance,
        engine: str = AUTO,
        *,
        solver: str | None = None,
        jobs: int | None = None,
        state: Path | None = None,
        limits: Limits | None = None,
        most: int | None = None,
        raw: bool = False,
        up_to: str | None = None,
        progress: Callable[[Count], None] | None = None,
        executor: LocalExecutor | ClusterExecutor | None = None,
        listed: bool = True,
        whole: Callable[[], Instance] | None = None,
    ):
        problem = problem_of(instance)
        self.up_to = one_convention(raw, up_to)
        if instance.map.up_to and (self.up_to != SYMMETRY or engine in BY_NUMBER):
            what = f"the engine {engine}" if self.up_to == SYMMETRY else "raw counts" if raw else f"counts up to {self.up_to}"
            raise InputError(f"found a formula that leaves out solutions ({instance.map.up_to}), which do not go with {what}")
        self.instance = instance
        self._symmetry = symmetry_of(instance, self.up_to)
        self._fixed: FixedPoints | None = None
        self._whole = whole or (lambda: instance)
        search = state is not None or executor is not None or most is not None or jobs == 1
        search = search or (whole is None and bool(instance.map.up_to))
        self.plan: CountPlan = plan_for(engine, problem, solver, listed=listed or (search and engine not in BY_NUMBER))
        if self.plan.engine is None and self._symmetry is not None and permutations_of(instance, self._symmetry) is None:
            self._symmetry, self.up_to = None, NOTHING  # more than can be listed: the convention says so
        self.total = Total(
            problem,
            self.plan,
            question=self._question,
            jobs=jobs,
            state=state,
            limits=limits,
            on_look=self._look,
            executor=executor,
        )
        self.most = most
        self._progress = progress
        self._keys: set[Hashable] = set()
        self._solutions = self._total = 0
        self._stopped = ""
        self._interrupted = False
        self._started = time.monotonic()
        self._seconds: float | None = None

    def _question(self) -> CounterQuestion:
        """What model counters are asked."""
        instance = self._whole()
        self._fixed = FixedPoints(instance, symmetry_of(instance, self.up_to))
        return self._fixed.question()

    def __repr__(self) -> str:
        found = self.count()
        puzzle = self.instance.family.describe(self.instance.puzzle)
        return showing.in_brackets(type(self).__name__, puzzle, f"{found.solutions} found so far", found.engine)

    def __iter__(self) -> Iterator[Solution]:
        self._stopped = "stopped"  # unless we come to the end
        found: Any = iter(self.total)  # a generator: to close it ends the workers
        try:
            with contextlib.closing(found):
                for true in found:
                    solution = self._solution(true)
                    if solution is not None:
                        yield solution
                    if self._solutions == self.most:
                        self._stopped = f"limit of {self.most} solutions"
                        return
            self._stopped = ""
        except KeyboardInterrupt:
            self.interrupt()
            raise
        finally:
            self._seconds = time.monotonic() - self._started

    def interrupt(self) -> None:
        """Ctrl-C came, here or where the solutions are used."""
        self._stopped, self._interrupted = "interrupted", True

    @property
    def doing(self) -> str:
        """What is being done besides searching, such as compiling the engine when it is used for the first time; else `""`."""
        enumeration = self.total.enumeration
        return enumeration.doing if enumeration else ""

    def _look(self) -> None:
        if self._progress:
            self._progress(self.count())

    def _solution(self, true: frozenset[int]) -> Solution | None:
        """The solution, counted and with its board checked; None if another of its orbit has been found."""
        orbit = 1
        instance = self.instance
        if instance.map.renaming is not None:
            true = projected(instance, true)
        if self._symmetry is not None:
            key, orbit = self._symmetry.canonical(true)
            if key in self._keys:
                return None
            self._keys.add(key)
        try:
            board = obeying(instance.family, instance.puzzle, instance.family.decode(instance.puzzle, instance.map.blocks, true))
        except CnfgenError as error:
            if (kept := self.total.enumeration and self.total.enumeration.source) is None:
                raise
            raise InputError(f"found a solution in it that is none: {error}", source=str(kept)) from None
        self._solutions += 1
        self._total += orbit
        return Solution(self._solutions, board, true, orbit)

    def count(self) -> Count:
        """What has been found so far, and whether it is all."""
        total, enumeration = self.total, self.total.enumeration
        convention = self._symmetry.convention if self._symmetry else self.instance.map.up_to
        numbers = total.verdict.numbers if total.verdict and not self._stopped else None
        return Count(
            solutions=self._fixed.orbits(numbers) if numbers and self._fixed else self._solutions,
            raw=numbers[0] if numbers else self._total,
            convention=TOLD_APART if self.up_to == NOTHING else convention,
            complete=total.complete and not self._stopped,
            reason=self._stopped or total.reason,
            engine=total.by,
            seconds=time.monotonic() - self._started if self._seconds is None else self._seconds,
            cpu=total.cpu,
            parts=enumeration.parts if enumeration and not numbers else 0,
            parts_done=enumeration.parts_done if enumeration and not numbers else 0,
            interrupted=self._interrupted,
            evidence=total.evidence() if not self._stopped else Evidence(MODEL) if self._solutions else None,
            listed=total.listed,
        )

    def to_json(self, solution: Solution) -> dict[str, Any]:
        """One of the solutions as JSON."""
        board = self.instance.family.board_to_json(self.instance.puzzle, solution.board)
        return {"solution": solution.number, "orbit": solution.orbit, "board": board}

    def measured(self) -> str:
        """How they were found and what was used, in a line."""
        found = self.count()
        engine = f"{found.engine}, {self.instance.map.encoding}{self.total.used_text()}"
        return f"{engine}: {found.seconds:.2f} s, {found.cpu:.2f} s CPU"


class NoSolutions(Solutions):
    """The solutions of a puzzle that has none by an argument: nothing is searched."""

    def __init__(self, outcome: Outcome):
        self.outcome = outcome

    doing = ""

    def __repr__(self) -> str:
        return showing.in_brackets(type(self).__name__, self.outcome.sentence())

    def __iter__(self) -> Iterator[Solution]:
        return iter(())

    def count(self) -> Count:
        return Count(0, 0, "", True, "", "", 0.0, 0.0, 0, 0, evidence=self.outcome.evidence)

    def measured(self) -> str:
        return "no search was needed"


def count(solutions: Solutions) -> Count:
    """How many there are. Ctrl-C gives the partial count that there is."""
    try:
        for _ in solutions:
            pass
    except KeyboardInterrupt:
        solutions.interrupt()
    return solutions.count()
