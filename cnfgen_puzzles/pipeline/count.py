"""All boards of a puzzle: each checked against the rules, counted up to symmetry and in all.

    solutions = Solutions(instance)
    for solution in solutions:           # solution.board; the first of every orbit
        ...
    print(solutions.count().sentence())  # 2339 solutions up to the 4 symmetries of board and pieces; 9356 in all

How the solutions are found is the affair of `counting`. What an engine gives is certified there against the formula (or
is an exact cover), and here by decoding it and checking the board, every one of them.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.counting import AUTO, Engine, Enumeration, Problem, choose_engine
from cnfgen_puzzles.counting.engines import BLOCKING, CLASP, COVER
from cnfgen_puzzles.distribution.executors import ClusterExecutor, LocalExecutor
from cnfgen_puzzles.evidence.basis import MODEL, WORD, Evidence
from cnfgen_puzzles.families import Board, Family, Puzzle, Symmetry
from cnfgen_puzzles.families.shown import ShownBoard
from cnfgen_puzzles.ground import showing
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.solve import ArgumentOutcome, obeying
from cnfgen_puzzles.solving.process import Limits

SEARCHING = (BLOCKING, CLASP)
"""Engines that are known to search the formula before there is one."""

TOLD_APART = "symmetric solutions told apart"


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
        return self.board._repr_svg_() if isinstance(self.board, ShownBoard) else None


@dataclass(frozen=True)
class Count:
    """How many solutions were found: `solutions` by `convention`, `raw` where symmetric ones are told apart.

    Only if `complete` are these all; else `reason` says why not, and there may be more. `seconds` are of wall time, `cpu` of
    the processor, all processes together. The search has so many `parts`; `unsealed` of them are from files of an old state, of
    which nobody can see whether a solution is missing. Each solution has been checked; `evidence` says what it rests on that
    there are no more, or, of a partial count, that there are so many.
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
    interrupted: bool = False
    evidence: Evidence | None = None
    unsealed: int = 0

    def __repr__(self) -> str:
        return showing.in_brackets("Count", self.sentence())

    def _repr_html_(self) -> str:
        rows = [
            (f"solutions {self.convention}".strip(), str(self.solutions)),
            *([("in all", str(self.raw))] if self.raw != self.solutions else []),
            ("complete", "yes" if self.complete else f"no: {self.reason}"),
            ("engine", self.engine or "none"),
            ("wall time, CPU time", f"{self.seconds:.2f} s, {self.cpu:.2f} s"),
        ]
        return showing.words(self.sentence()) + showing.table((), rows, words=2)

    def to_json(self) -> dict[str, Any]:
        """The numbers as JSON."""
        entry = asdict(self)
        del entry["interrupted"]  # `reason` says so
        return entry

    def sentence(self) -> str:
        """The result in words, with the convention and what it rests on."""
        grounds = self.evidence.words() if self.evidence else ""
        noun = "solution" if self.solutions == 1 else "solutions"
        number = str(self.solutions) if self.solutions else "no"
        if self.complete and not self.solutions:
            return f"No solution{grounds}."
        convention = f" {self.convention}" if self.convention.startswith("up to") else ""
        raw = f"; {self.raw} in all" if convention and self.raw != self.solutions else ""
        if self.convention == TOLD_APART:
            raw = f", {TOLD_APART}"
        if self.complete:
            return f"{number} {noun}{convention}{raw}." + (f" No others{grounds}." if grounds else "")
        done = f", {self.parts_done} of {self.parts} parts done" if self.parts > 1 else ""
        return f"Partial ({self.reason}{done}): at least {self.solutions} {noun}{convention}{raw}."


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


def symmetry_of(instance: Instance) -> Symmetry | None:
    """The symmetries of its solutions, told by the variables of the map."""
    return instance.family.counting.symmetry(instance.puzzle, instance.map.blocks)


def orbit_of(instance: Instance, model: Collection[int]) -> int | None:
    """How many solutions the puzzle's symmetries make of this one; None where the family does not tell its symmetries."""
    symmetry = symmetry_of(instance)
    return None if symmetry is None else symmetry.canonical(projected(instance, model))[1]


def projected(instance: Instance, model: Collection[int]) -> frozenset[int]:
    """The true projection variables of a model of the instance's formula, by the numbers of the map."""
    return frozenset(instance.map.original(model)).intersection(instance.map.projection)


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
    searching = family.counting.searching_options
    if searching and (solver is not None or engine in SEARCHING):
        return make(general, searching)
    instance = make(general)
    if not searching or choose_engine(engine, problem_of(instance), solver).name == COVER:
        return instance
    return make(general, searching)


# -- solutions ------------------------------------------------------------------------------------------------------------


class Solutions:
    """Iterating (once) gives the solutions of an instance: the first found of every orbit, or with `raw` each one.

    `engine` is one of `counting.ENGINES` or `auto`; `solver` one of python-sat's. `limits` hold for the search, all
    its processes together; `state` is a folder by which it can be continued; `most` ends it after so many solutions. An
    `executor` (of `open_executor`) makes the search elsewhere; `counting.enumeration` says what is different then.
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
        if raw and instance.map.up_to:
            raise InputError(f"found a formula that leaves out solutions ({instance.map.up_to}), which do not go with raw counts")
        self.instance = instance
        self.engine: Engine = choose_engine(engine, problem, solver)
        self.enumeration = Enumeration(
            problem, self.engine, jobs=jobs, state=state, limits=limits, on_look=self._look, executor=executor
        )
        self.most = most
        self._symmetry = None if raw else symmetry_of(instance)
        self._raw = raw
        self._progress = progress
        self._keys: set[Hashable] = set()
        self._solutions = self._total = 0
        self._stopped = ""
        self._interrupted = False
        self._started = time.monotonic()
        self._seconds: float | None = None

    def __repr__(self) -> str:
        found = self.count()
        puzzle = self.instance.family.describe(self.instance.puzzle)
        return showing.in_brackets(type(self).__name__, puzzle, f"{found.solutions} found so far", found.engine)

    def __iter__(self) -> Iterator[Solution]:
        self._stopped = "stopped"  # unless we come to the end
        found: Any = iter(self.enumeration)  # a generator: to close it ends the workers
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
            self._stopped, self._interrupted = "interrupted", True
            raise
        finally:
            self._seconds = time.monotonic() - self._started

    @property
    def doing(self) -> str:
        """What is being done besides searching, such as compiling the engine when it is used for the first time; else `""`."""
        return self.enumeration.doing

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
            if (kept := self.enumeration.source) is None:
                raise
            raise InputError(f"found a solution in it that is none: {error}", source=str(kept)) from None
        self._solutions += 1
        self._total += orbit
        return Solution(self._solutions, board, true, orbit)

    def count(self) -> Count:
        """What has been found so far, and whether it is all."""
        enumeration = self.enumeration
        convention = self._symmetry.convention if self._symmetry else self.instance.map.up_to
        complete = enumeration.complete and not self._stopped
        return Count(
            solutions=self._solutions,
            raw=self._total,
            convention=TOLD_APART if self._raw else convention,
            complete=complete,
            reason=self._stopped or enumeration.reason,
            engine=str(self.engine),
            seconds=time.monotonic() - self._started if self._seconds is None else self._seconds,
            cpu=enumeration.cpu,
            parts=enumeration.parts,
            parts_done=enumeration.parts_done,
            interrupted=self._interrupted,
            evidence=self._evidence(complete),
            unsealed=enumeration.unsealed,
        )

    def _evidence(self, complete: bool) -> Evidence | None:
        """What it rests on that there are no more, or that there are so many."""
        if not complete:
            return Evidence(MODEL) if self._solutions else None
        unsealed, parts = self.enumeration.unsealed, self.enumeration.parts
        old = f"{unsealed} of {parts} parts were kept by an older version, without a checksum" if unsealed else ""
        return Evidence(WORD, str(self.engine), old)

    def to_json(self, solution: Solution) -> dict[str, Any]:
        """One of the solutions as JSON."""
        board = self.instance.family.board_to_json(self.instance.puzzle, solution.board)
        return {"solution": solution.number, "orbit": solution.orbit, "board": board}

    def measured(self) -> str:
        """How they were found and what was used, in a line."""
        found = self.count()
        return f"{found.engine}, {self.instance.map.encoding}: {found.seconds:.2f} s, {found.cpu:.2f} s CPU"


class Refuted(Solutions):
    """The solutions of a puzzle that has none by an argument: nothing is searched."""

    def __init__(self, outcome: ArgumentOutcome):
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
    with contextlib.suppress(KeyboardInterrupt):
        for _ in solutions:
            pass
    return solutions.count()
