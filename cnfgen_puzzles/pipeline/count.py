"""All boards of a puzzle: each checked against the rules, counted up to symmetry and in all.

    search = Search(instance)
    for solution in search:           # solution.board; the first of every orbit
        ...
    print(search.count().sentence())  # 2339 solutions up to the 4 symmetries of board and pieces; 9356 in all

How the boards are found is the affair of `counting`. What an engine gives is certified there against the formula (or
is an exact cover), and here by decoding it and checking the board, every one of them.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.counting import AUTO, Engine, Enumeration, Problem, choose_engine
from cnfgen_puzzles.counting.engines import COVER
from cnfgen_puzzles.distribution.executors import ClusterExecutor, LocalExecutor
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.solve import checked_board
from cnfgen_puzzles.solving.process import Limits

INTERRUPTED = "interrupted"
TOLD_APART = "symmetric solutions told apart"


@dataclass(frozen=True)
class Solution:
    """A board with the true projection variables that stand for it, and how many solutions its orbit has."""

    board: Board
    true: frozenset[int]
    orbit: int


@dataclass(frozen=True)
class Count:
    """How many solutions were found: `solutions` by `convention`, `raw` where symmetric ones are told apart.

    Only if `complete` are these all; else `reason` says why not, and there may be more.
    """

    solutions: int
    raw: int
    convention: str
    complete: bool
    reason: str
    engine: str
    seconds: float
    cpu: float
    parts: int
    parts_done: int

    def sentence(self) -> str:
        """The result in words, with the convention."""
        noun = "solution" if self.solutions == 1 else "solutions"
        number = str(self.solutions) if self.solutions else "no"
        if self.complete and not self.solutions:
            return "No solution."
        convention = f" {self.convention}" if self.convention.startswith("up to") else ""
        raw = f"; {self.raw} in all" if convention and self.raw != self.solutions else ""
        if self.convention == TOLD_APART:
            raw = f", {TOLD_APART}"
        if self.complete:
            return f"{number} {noun}{convention}{raw}."
        done = f", {self.parts_done} of {self.parts} parts done" if self.parts > 1 else ""
        return f"Partial ({self.reason}{done}): at least {self.solutions} {noun}{convention}{raw}."


def problem_of(instance: Instance) -> Problem:
    """The instance as `counting` sees it."""
    family, puzzle, blocks = instance.family, instance.puzzle, instance.map.blocks
    return Problem(
        instance.cnf,
        instance.map.projection,
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
    raw: bool = False,
) -> Instance:
    """The puzzle encoded as suits counting by that engine: the family's options for it, under those that are given.

    With `raw` none of them is used that might leave out solutions.
    """
    given = dict(options or {})
    known = {option.name for option in family.encoding(encoding).options}

    def make(*suggested: Mapping[str, Any]) -> Instance:
        merged = {name: value for each in suggested for name, value in each.items() if name in known}
        return make_instance(family, puzzle, encoding, **(merged | given))

    general = {} if raw else family.counting.options
    instance = make(general)
    if not family.counting.searching_options or choose_engine(engine, problem_of(instance), solver).name == COVER:
        return instance
    return make(general, family.counting.searching_options)


class Search:
    """Iterating (once) gives the solutions of an instance: the first found of every orbit, or with `raw` each one.

    `engine` is one of `counting.ENGINES` or `auto`; `solver` one of python-sat's. `limits` hold for the search, all
    its processes together; `state` is a folder by which it can be continued; `most` ends it after so many solutions. An
    `executor` (of `open_executor`) makes the search elsewhere; `counting.search` says what is different then.
    `count()` tells at any time what has been found, and `progress` is told every now and then.
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
        progress: Callable[[Count], None] | None = None,
        executor: LocalExecutor | ClusterExecutor | None = None,
    ):
        problem = problem_of(instance)
        self.instance = instance
        self.engine: Engine = choose_engine(engine, problem, solver)
        self.enumeration = Enumeration(
            problem, self.engine, jobs=jobs, state=state, limits=limits, on_look=self._look, executor=executor
        )
        self.most = most
        self._symmetry = None if raw else instance.family.counting.symmetry(instance.puzzle, instance.map.blocks)
        self._raw = raw
        self._progress = progress
        self._keys: set[Hashable] = set()
        self._solutions = self._total = 0
        self._stopped = ""
        self._started = time.monotonic()
        self._seconds: float | None = None

    def __iter__(self) -> Iterator[Solution]:
        self._stopped = "stopped"  # unless we come to the end
        try:
            with contextlib.closing(iter(self.enumeration)) as found:
                for true in found:
                    solution = self._solution(true)
                    if solution is not None:
                        yield solution
                    if self._solutions == self.most:
                        self._stopped = f"limit of {self.most} solutions"
                        return
            self._stopped = ""
        except KeyboardInterrupt:
            self._stopped = INTERRUPTED
            raise
        finally:
            self._seconds = time.monotonic() - self._started

    def _look(self) -> None:
        if self._progress:
            self._progress(self.count())

    def _solution(self, true: frozenset[int]) -> Solution | None:
        """The solution, counted and with its board checked; None if another of its orbit has been found."""
        orbit = 1
        if self._symmetry is not None:
            key, orbit = self._symmetry.canonical(true)
            if key in self._keys:
                return None
            self._keys.add(key)
        instance = self.instance
        board = checked_board(instance.family, instance.puzzle, instance.map, true)
        self._solutions += 1
        self._total += orbit
        return Solution(board, true, orbit)

    def count(self) -> Count:
        """What has been found so far, and whether it is all."""
        enumeration = self.enumeration
        convention = TOLD_APART if self._raw else self._symmetry.convention if self._symmetry else ""
        return Count(
            solutions=self._solutions,
            raw=self._total,
            convention=convention,
            complete=enumeration.complete and not self._stopped,
            reason=self._stopped or enumeration.reason,
            engine=str(self.engine),
            seconds=time.monotonic() - self._started if self._seconds is None else self._seconds,
            cpu=enumeration.cpu,
            parts=enumeration.parts,
            parts_done=enumeration.parts_done,
        )


def count(instance: Instance, engine: str = AUTO, **settings: Any) -> Count:
    """How many solutions the instance has; settings are those of `Search`. Ctrl-C gives the partial count that there is."""
    search = Search(instance, engine, **settings)
    with contextlib.suppress(KeyboardInterrupt):
        for _ in search:
            pass
    return search.count()
