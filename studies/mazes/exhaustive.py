"""Exhaustive search for universal maze strings: breadth-first over joint states, pruned by joint distances of a few mazes.

A joint state consists of the state of each of some mazes (of its automaton) after a string. Level t has the joint states of the
strings of t letters, without duplicates. A state of level t is dropped if some tuple of a few mazes has a joint distance greater
than length - t from there: no string of the remaining letters solves them all. If a level is empty, no string of that length
solves all mazes, and the tuples are a certificate (`docs/results/maze-optimality.md`).

The search alternates two parts. `explore` samples at most `WIDTH` states of each level with all mazes, and finds tuples that
refute them by hill climbing. `sweep` is the search itself: all states, but only of the mazes in the tuples.

It needs numpy. `jointstates.py` has the arrays. The checker of certificates (`scripts/check/check_maze_certificate.py`) shares no
code with this module.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.families.maze.model import LETTERS, maze_text
from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.families.maze.sets import size_of
from studies.mazes.jointstates import (
    FAR,
    Array,
    Bound,
    DistanceBound,
    Level,
    Machines,
    StringMachines,
    Tuple,
    expand,
    expand_within,
    first_level,
)

WIDTH = 5000
"""The number of states of a level that are explored."""

TRIES = 300
"""The number of exchanges of a maze in one hill climbing."""

PATIENCE = ((100, 1), (1000, 2), (10**9, 6))
"""Pairs of a number of states of a level and the consecutive failed hill climbings after which the level is left."""

REMEMBERED = 2000
"""The number of cached tables of joint distances."""

LEAST_SHARE = 0.003
"""The share of the states of a level that a successful tuple must refute."""

NEEDED_SHARE = 0.8
"""The share of useful tuples of a refutation above which it is not shortened."""

MOST_JOINT = (30_000, 200_000)
"""The largest table of joint distances that hill climbing makes: three mazes with margin."""

MOST_BYTES = 3 << 30
"""The largest level of a sweep, before removing duplicates."""

MOST_STRINGS = 10_000
"""The number of strings of a sweep that are examined."""


@dataclass(frozen=True)
class Sweep:
    """The result of a sweep: the number of states of each level, and strings that solve all mazes of the tuples."""

    mazes: tuple[int, ...]
    tuples: tuple[Tuple, ...]
    levels: tuple[int, ...]
    strings: tuple[str, ...]
    capped: bool = False


@dataclass(frozen=True)
class SearchResult:
    """`strings` solve all mazes: every such string or one of them, as requested; if none exists, `sweep` is the refutation."""

    length: int
    strings: tuple[str, ...]
    sweep: Sweep | None
    bounds: tuple[Bound, ...]


class Unfinished(CnfgenError):
    """The search reached a limit of time or memory without a decision."""


class ExhaustiveSearch:
    """The strings of one length that solve all mazes of a set.

    `seconds` limit the processor time from now on; `progress` gets messages.
    """

    worthwhile = 8
    """Exploring continues until a sweep takes at most this share of the spent time."""

    def __init__(
        self,
        mazes: Mazes,
        length: int,
        bounds: Iterable[Bound] = (),
        seed: int = 1,
        progress: Callable[[str], None] | None = None,
        machines: Machines | None = None,
        seconds: float | None = None,
    ):
        if not 0 <= length < FAR:
            raise InputError(f"found the length {length}, expected 0 to {FAR - 1}", source="--length")
        self.mazes, self.length = mazes, length
        self.machines = machines or StringMachines(mazes, essential=True)
        self.bounds = {bound.mazes: bound for bound in bounds}
        self.chance = random.Random(seed)
        self._bound = lru_cache(REMEMBERED)(self.machines.bound)
        states = sum(self.machines.size((maze,)) for maze in range(len(mazes)))
        self.most_joint = sorted((*MOST_JOINT, 4 * (states // max(len(mazes), 1)) ** 3))[1]
        self._barren: set[int] = set()  # levels without a result of the last exploration
        self._say = progress or (lambda line: None)
        self._deadline = inf if seconds is None else time.process_time() + seconds

    def run(self, every: bool = False) -> SearchResult:
        """One string, or all strings; none if a sweep has refuted the length. Unfinished if a limit is reached before."""
        begun = time.process_time()
        while True:
            added, states, found = self.explore(stop=not every)
            if found and not every:
                return self._outcome((found,), None)
            if added > 5 and self._seconds(states) > (time.process_time() - begun) / self.worthwhile:
                continue
            sweep = self.sweep()
            if sweep is None:
                if not added:
                    raise Unfinished(f"a level needs more than {MOST_BYTES >> 30} GiB, and no further tuple of mazes was found")
                continue
            solutions, failing = self._judged(sweep.strings)
            if not sweep.strings:
                return self._outcome((), self.shortened(sweep))
            if solutions and not (every and (failing or sweep.capped)):
                return self._outcome(solutions if every else solutions[:1], None)
            if sweep.capped and not failing:
                raise CnfgenError(
                    f"more than {MOST_STRINGS:,} strings of {self.length} letters solve all mazes, expected fewer to list"
                )
            self._add_failed(failing)

    def whole(self, string: str) -> str:
        """The string to simulate for a string of the search."""
        return string

    def shortened(self, sweep: Sweep) -> Sweep:
        """The refutation without tuples that refuted only states that others refuted, if there are many; it is faster to
        check."""
        needed = {bound.mazes: bound for bound in self.bounds.values() if bound.refuted > bound.refuted_before}
        if not needed or len(needed) > NEEDED_SHARE * len(self.bounds):
            return sweep
        self._say(f"{len(self.bounds) - len(needed)} of {len(self.bounds)} tuples refuted nothing; sweeping again without them")
        self.bounds = needed
        try:
            again = self.sweep()
        except Unfinished:  # the length is refuted in any case
            return sweep
        return sweep if again is None or again.strings else again

    def _outcome(self, strings: tuple[str, ...], sweep: Sweep | None) -> SearchResult:
        return SearchResult(self.length, strings, sweep, tuple(self.bounds.values()))

    def _seconds(self, states: float) -> float:
        """The estimated time of a sweep over this number of states."""
        mazes = {maze for bound in self.bounds for maze in bound}
        return states * (len(self.bounds) + 2 * len(mazes)) * 5e-9

    def _check_time(self) -> None:
        if time.process_time() > self._deadline:
            raise Unfinished("processor time limit")

    # -- exploring ------------------------------------------------------------------------------------------------------

    def explore(self, stop: bool) -> tuple[int, float, str | None]:
        """Descends through a sample of the levels and adds tuples. Returns the number of new tuples, the estimated number of
        states, and a string, if found.

        With `stop`, a string ends the exploration.
        """
        everything = tuple(range(len(self.machines)))
        level = first_level(self.machines, everything, (), self.length)
        self._climb_on(level, self.length)
        edges: list[Level] = []
        share, states, before = 1.0, 0.0, len(self.bounds)
        for left in range(self.length - 1, -1, -1):
            self._check_time()
            level = expand(self.machines, level, self._in_order(), left)
            self._climb_on(level, left)
            states += len(level) / share
            if len(level) > WIDTH:
                share *= WIDTH / len(level)
                level.keep(np.sort(np.random.default_rng(self.chance.getrandbits(32)).choice(len(level), WIDTH, replace=False)))
            edges.append(level.without_rows())
        found = self.whole(strings_of(edges, 1)[0]) if len(level) else None
        added = len(self.bounds) - before
        self._say(f"explored: {added} tuples added, {len(self.bounds)} in total; a sweep may have {states:,.0f} states")
        return added, states, found if stop else None

    def _climb_on(self, level: Level, left: int) -> None:
        """Samples states of a level, refutes them, and drops all states that their tuples refute, as long as this is
        worthwhile."""
        patience = 1 if left in self._barren else next(most for size, most in PATIENCE if len(level) <= size)
        begun, failed, found = len(level), 0, False
        while failed < patience and len(level):
            place = self.chance.randrange(len(level))
            bound = self._climb(level.rows[:, place], left)
            if bound is None:
                failed += 1
                continue
            refuted = bound.refutes(self.machines.at(left).index(bound.mazes, level.rows), left)
            share = refuted.mean()
            failed = failed + 1 if share < LEAST_SHARE and begun > 500 else 0
            bound.refuted += int(refuted.sum())
            self.bounds[bound.mazes] = bound
            level.keep(np.flatnonzero(~refuted))
            found = True
        (self._barren.discard if found else self._barren.add)(left)

    def _climb(self, states: Array, left: int) -> Bound | None:
        """A tuple that no string of `left` letters solves from here, by exchanging one maze at a time."""
        machines = self.machines
        unsolved = machines.unsolved(states, left)
        if not unsolved:
            return None
        hopeless = machines.hopeless(states, left)
        if hopeless is not None:
            return machines.bound((hopeless,))
        chosen: Tuple = ()
        best = -inf
        for _ in range(TRIES):
            trial = self.neighbour(chosen, unsolved)
            if trial == chosen:
                continue
            farness = self.farness(trial, states, left)
            if farness is None:
                return self.bounds.get(trial) or self._bound(trial)
            if farness >= best:
                chosen, best = trial, farness
        return None

    def farness(self, trial: Tuple, states: Array, left: int) -> float | None:
        """The objective of hill climbing: the joint distance. None if it is more than `left`."""
        bound = self.bounds.get(trial) or self._bound(trial)
        assert isinstance(bound, DistanceBound)  # searches with other bounds have other objectives
        distance = int(bound.distance[self.machines.at(left).index(trial, states)])
        return None if distance > left else distance

    def neighbour(self, chosen: Tuple, mazes: list[int]) -> Tuple:
        """The tuple with a random maze exchanged, added, or removed; it starts with three mazes."""
        if not chosen:
            trial = set(self.chance.sample(mazes, min(3, len(mazes))))
        else:
            trial = {maze for maze in chosen if self.chance.random() * len(chosen) > 1} | {self.chance.choice(mazes)}
        while self.machines.size(tuple(trial)) > self.most_joint and len(trial) > 1:
            trial.remove(self.chance.choice(sorted(trial)))
        return tuple(sorted(trial))

    # -- sweeping -------------------------------------------------------------------------------------------------------

    def sweep(self) -> Sweep | None:
        """The search with the mazes in the tuples; None if a level is too large."""
        bounds = self._in_order()
        for bound in bounds:
            bound.refuted_before = bound.refuted
        numbers = tuple(sorted({maze for bound in bounds for maze in bound.mazes}))
        level = first_level(self.machines, numbers, bounds, self.length)
        edges: list[Level] = []
        sizes = [len(level)]
        self._say(f"sweep: {len(numbers)} mazes, {len(bounds)} tuples")
        for left in range(self.length - 1, -1, -1):
            if not len(level):
                break
            self._check_time()
            following = expand_within(self.machines, level, bounds, left, MOST_BYTES)
            if following is None:
                self._say(f"sweep: level {len(sizes)} is too large, after {sizes[-1]:,} states")
                return None
            level = following
            sizes.append(len(level))
            self._say(f"sweep: level {len(sizes) - 1} has {len(level):,} states")
            edges.append(level.without_rows())
        found = strings_of(edges, MOST_STRINGS) if len(level) else []
        tuples = tuple(bound.mazes for bound in bounds)
        return Sweep(numbers, tuples, tuple(sizes), tuple(sorted(found)), len(found) == MOST_STRINGS)

    def _in_order(self) -> list[Bound]:
        """The bounds, sorted by the number of refuted states, largest first."""
        return sorted(self.bounds.values(), key=lambda bound: (-bound.refuted, bound.mazes))

    def _judged(self, strings: Iterable[str]) -> tuple[tuple[str, ...], list[list[int]]]:
        """The strings that solve all mazes, and for each other string, the mazes that it does not solve."""
        verdicts = [(whole := self.whole(string), self.mazes.unsolved(whole)) for string in strings]
        return tuple(string for string, unsolved in verdicts if not unsolved), [unsolved for _, unsolved in verdicts if unsolved]

    def _add_failed(self, failing: list[list[int]]) -> None:
        """A small set of mazes, found greedily, such that each string leaves one of them unsolved."""
        while failing:
            count = np.bincount(np.concatenate(failing))
            worst = int(count.argmax())
            self.bounds[worst,] = self.machines.bound((worst,))
            failing = [unsolved for unsolved in failing if worst not in unsolved]


def strings_of(edges: list[Level], most: int) -> list[str]:
    """Strings that lead to the states of the last level, at most this number."""
    if not edges:
        return [""]
    suffixes: dict[int, list[str]] = {state: [""] for state in range(len(edges[-1]))}
    for level in reversed(edges):
        longer: dict[int, list[str]] = {}
        for edge in np.flatnonzero(np.isin(level.child, list(suffixes))):
            words = (LETTERS[level.letter[edge]] + suffix for suffix in suffixes[int(level.child[edge])])
            known = longer.setdefault(int(level.parent[edge]), [])
            known.extend(word for word, _ in zip(words, range(most - len(known)), strict=False))
        suffixes = longer
    return suffixes[0][:most]


def refutation_certificate(mazes: Mazes, length: int, sweep: Sweep) -> dict[str, Any]:
    """The refutation in the format of the checker (`docs/results/maze-optimality.md`)."""
    place = {maze: number for number, maze in enumerate(sweep.mazes)}
    return {
        "certificate": "no universal maze string",
        "kind": mazes.kind,
        "size": size_of(mazes.grid),
        "length": length,
        "mazes": [maze_text(mazes[maze]) for maze in sweep.mazes],
        "tuples": [[place[maze] for maze in tuple_] for tuple_ in sweep.tuples],
        "levels": list(sweep.levels),
    }
