"""Simulated annealing for strings: small changes minimize the number of unsolved mazes.

    trial = anneal(puzzle, seconds=60, random=Random(1))
    trial.string, trial.cost, trial.tried

The fixed letters of a pattern stay; changes apply to its free steps (`moves.py`). The result can be a string that does not solve
all mazes; annealing never proves that no string exists. Two engines evaluate the changes from the first changed letter on, with
the same results for the same random numbers: `PlainEngine` uses the integers of `Mazes`, and `compiled.py` is used if numba is
installed and there are many mazes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import inf, sqrt
from random import Random
from typing import ClassVar, cast

from cnfgen_puzzles.families.maze.model import LETTERS, members
from cnfgen_puzzles.families.maze.puzzle import FREE, Mazes, MazeString, Walks
from studies.maze_search.changes import Vector, allowance, change

COLD = 0.4
"""The temperature at the end of a descent, in unsolved mazes."""

COMPILED_FROM = 1000
"""The least number of mazes for the compiled engine; below, plain integers are fast enough."""

SORTED_AGAIN = 6
"""The number of times in a descent that the mazes are sorted: those that changed strings solve least often come first."""


@dataclass
class Trial:
    """A string, the number of unsolved mazes, and the number of strings that were tried."""

    string: str
    cost: int
    tried: int = 0


class PlainEngine:
    """Evaluates strings of one length, given as directions 0..3: sets of mazes are integers, and all mazes are simulated
    together.

    It needs no compiler and no numpy; `Kernel` has the same members. An engine stores the walks of the current string. `stride`
    is the number of changes that take some hundredths of a second; `gives_up_early` is true if the order of the mazes matters.
    """

    stride: ClassVar[int] = 100
    gives_up_early: ClassVar[bool] = False

    @staticmethod
    def vector(numbers: Sequence[int]) -> Vector:
        """A sequence of integers for this engine."""
        return list(numbers)

    def __init__(self, mazes: Mazes, length: int):
        self._mazes = mazes
        self._walks = [mazes.begin()] * (length + 1)

    def cost(self, string: Vector) -> int:
        """The number of unsolved mazes of this string, which becomes the current string."""
        return self._cost(string, 0, self._walks)

    def _cost(self, string: Vector, first: int, walks: list[Walks]) -> int:
        """Stores the walks after each letter from `first` on in `walks`."""
        for step in range(first, len(string)):
            walks[step + 1] = self._mazes.advance(walks[step], LETTERS[string[step]])
        return self._mazes.open_bits(walks[-1]).bit_count()

    def anneal(
        self, string: Vector, free: Vector, cost: int, steps: int, temperature: float, generator: Vector, best: Vector
    ) -> tuple[int, int, int]:
        """Makes this number of changes of the current `string` at its steps `free`; ends early with another string of cost 0.

        The results are the current cost, the least cost, whose string is in `best`, and the number of changes.
        """
        least, best[:] = cost, string
        letters, others = [string[step] for step in free], [0] * len(free)
        for done in range(1, steps + 1):
            place = change(letters, others, generator)
            if place == len(free):
                continue
            limit = cost + allowance(generator, temperature)
            new = list(string)
            for step, letter in zip(free, others, strict=True):
                new[step] = letter
            walks = list(self._walks)
            new_cost = self._cost(new, free[place], walks)
            if new_cost > limit:
                continue
            letters, others = others, letters
            string[:], cost, self._walks = new, new_cost, walks
            if cost < least or not cost:
                least, best[:] = cost, string
            if not cost:
                return cost, least, done
        return cost, least, steps


def engine_class(mazes: Mazes, compiled: bool | None = None) -> type[PlainEngine]:
    """The compiled engine if requested; without a request, if it is installed and worth its compilation."""
    if compiled is None:
        compiled = len(mazes) >= COMPILED_FROM and find_spec("numba") is not None
    if not compiled:
        return PlainEngine
    from studies.maze_search.compiled import Kernel  # numba takes a second to import

    return cast(type[PlainEngine], Kernel)


class LocalSearch:
    """A local search with one engine; the mazes are sorted from time to time."""

    def __init__(self, puzzle: MazeString, random: Random, start: str | None = None, compiled: bool | None = None):
        self._puzzle, self._random = puzzle, random
        self._mazes = puzzle.mazes
        self.engine = engine_class(puzzle.mazes, compiled)(puzzle.mazes, len(puzzle.pattern))
        vector = self.engine.vector
        start = start or "".join(random.choice(LETTERS) if letter == FREE else letter for letter in puzzle.pattern)
        self._string = vector([LETTERS.index(letter) for letter in start])
        self._best, self._free = vector(self._string), vector(puzzle.free)
        self._generator = vector([random.getrandbits(48)])
        self.cost = self.engine.cost(self._string)
        self.best = Trial(self.string, self.cost)

    @property
    def string(self) -> str:
        """The current string."""
        return _text(self._string)

    def go(self, steps: int, temperature: float) -> None:
        """Makes this number of changes; fewer if one leads to a string that solves all mazes."""
        if not len(self._free):
            return
        self.cost, least, tried = self.engine.anneal(
            self._string, self._free, self.cost, steps, temperature, self._generator, self._best
        )
        self.best.tried += tried
        if least < self.best.cost or not least:
            self.best.cost, self.best.string = least, _text(self._best)

    def sort(self, samples: int = 100) -> None:
        """Sorts the mazes: those that changed copies of the current string solve least often come first, so that a high cost
        shows early."""
        if not self.engine.gives_up_early:
            return
        string = [LETTERS.index(letter) for letter in self.string]
        letters, generator = [string[step] for step in self._free], [self._random.getrandbits(48)]
        failed = [0] * len(self._mazes)
        for _ in range(samples):
            others = list(letters)
            change(letters, others, generator)
            for step, letter in zip(self._free, others, strict=True):
                string[step] = letter
            for number in members(self._mazes.open_bits(self._mazes.advance(self._mazes.begin(), _text(string)))):
                failed[number] += 1
        self._mazes = self._mazes.chosen(sorted(range(len(failed)), key=lambda number: -failed[number]))
        self.engine = type(self.engine)(self._mazes, len(self._puzzle.pattern))
        self.engine.cost(self._string)


def hot_for(mazes: Mazes) -> float:
    """The initial temperature, which grows with the number of mazes. Tuned on grids of 8 to 10,000 mazes."""
    return max(1.0, 6 * sqrt(len(mazes) / 8000))


def anneal(
    puzzle: MazeString,
    seconds: float,
    random: Random,
    start: str | None = None,
    *,
    hot: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    deadline: float = inf,
) -> Trial:
    """The best string of one descent from `hot` (`hot_for`) to COLD in this number of seconds of `clock`.

    It ends early with a string that solves all mazes, or at the `deadline` of `time.monotonic`.
    """
    walk = LocalSearch(puzzle, random, start)
    hot = hot_for(puzzle.mazes) if hot is None else hot
    begun, sorted_until = clock(), 0
    while walk.best.cost and (gone := (clock() - begun) / seconds) < 1 and time.monotonic() < deadline:
        if seconds > 1 and gone * SORTED_AGAIN >= sorted_until:
            walk.sort()
            sorted_until += 1
        walk.go(walk.engine.stride, hot * (COLD / hot) ** gone)
        if not puzzle.free:
            break
    return walk.best


def descents(puzzle: MazeString, seconds: float, random: Random, each: float = 20.0) -> Iterator[Trial]:
    """Repeated descents until the time limit, each longer than the previous one by half."""
    begun = time.monotonic()
    while (left := seconds - (time.monotonic() - begun)) > 0:
        yield anneal(puzzle, min(each, left), random)
        each *= 1.5


def _text(string: Sequence[int]) -> str:
    return "".join(LETTERS[direction] for direction in string)
