"""Exhaustive search for the fillings of a window: the search of `exhaustive.py`, with automata that end with a fixed suffix.

    search = WindowSearch(mazes, "NNW***...SEES")
    outcome = search.run()           # outcome.strings: whole strings; none, and outcome.sweep refutes the window

Differences: the automata of the mazes start after the prefix and accept if the suffix completes them (`encodings.py`), mazes with
equal automata are merged, and a tuple of mazes refutes a joint state if all of them accept no filling of *exactly* the remaining
letters. It needs numpy. The module also finds the tuples of mazes that a search through a part of a window needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.maze.encodings import WindowAutomaton, window_automaton
from cnfgen_puzzles.families.maze.puzzle import FREE, Mazes, Window
from studies.mazes.exhaustive import ExhaustiveSearch, Sweep, refutation_certificate
from studies.mazes.jointstates import Array, Bound, Level, Machines, Tuple, before, expand_within, first_level

MOST_JOINT = 5000
"""The largest table of joint states that hill climbing makes: small tables are fast, and five mazes fit."""

MOST_TRANSLATED = 50_000
"""The largest table for given tuples; automata are larger in some windows."""

LONGEST = 63
"""The most letters of a window: the bits of a word are the numbers of letters after which a joint state is accepted."""

FEW, EFFORT = 5, 60
"""Exploring continues while it adds more tuples than this within this number of seconds."""

SEARCHES = 4
"""The limit of a search through a cube for the tuples that it needs."""

MOST_BYTES = 1 << 28
"""The largest level of such a search."""


class WindowMachines(Machines):
    """The automata of the mazes that not every filling solves; `mazes` are their numbers, one for each automaton."""

    def __init__(self, mazes: Mazes, window: Window):
        self.letters = len(window.steps)
        numbers: dict[WindowAutomaton, list[int]] = {}  # of the mazes that have this automaton
        automata: list[WindowAutomaton] = []
        for number, maze in enumerate(mazes):
            automaton = window_automaton(maze, window)
            alike = numbers.setdefault(automaton, [])
            if not alike and not _solved_anyway(automaton, self.letters):
                automata.append(automaton)
            alike.append(number)
        classes = [numbers[each] for each in automata]
        self.mazes = tuple(each[0] for each in classes)
        self._place = {number: place for place, each in enumerate(classes) for number in each}
        self._set_tables([each.next for each in automata])
        self.accepts = [np.array(each.accepts) for each in automata]
        self._alone = self._padded([self.bound((maze,)).alive for maze in range(len(self))], 0)
        self._solved = self._padded([self._ever_solved(maze) for maze in range(len(self))], True)

    def translated(self, tuples: Iterable[Tuple]) -> set[Tuple]:
        """Tuples of mazes by the numbers of their automata, without tuples with large tables."""
        own = {tuple(sorted({self._place[maze] for maze in tuple_ if maze in self._place})) for tuple_ in tuples}
        return {tuple_ for tuple_ in own if tuple_ and self.size(tuple_) <= MOST_TRANSLATED}

    @staticmethod
    def _padded(rows: list[Array], value: object) -> Array:
        table = np.full((len(rows), max(map(len, rows), default=0)), value, rows[0].dtype if rows else bool)
        for place, row in enumerate(rows):
            table[place, : len(row)] = row
        return table

    def _ever_solved(self, maze: int) -> Array:
        """The state that accepts all fillings."""
        stays: Array = (self.next[maze] == np.arange(self.next[maze].shape[1])).all(axis=0)
        return self.accepts[maze] & stays

    def unsolved(self, states: Array) -> list[int]:
        return np.flatnonzero(~self._solved[np.arange(len(self)), states]).tolist()

    def hopeless(self, states: Array, left: int) -> int | None:
        alive = self._alone[np.arange(len(self)), states] >> np.uint64(left) & np.uint64(1)
        place = int(alive.argmin()) if len(alive) else 0
        return place if len(alive) and not alive[place] else None

    def bound(self, tuple_: Tuple) -> WindowBound:
        rows, columns = self.halves(tuple_)
        middle = len(tuple_) // 2
        known = np.outer(self.all_accept(tuple_[:middle]), self.all_accept(tuple_[middle:]))
        alive: Array = known.astype(np.uint64)
        for letters in range(1, self.letters + 1):
            known = before(known, rows, columns)
            alive |= known.astype(np.uint64) << np.uint64(letters)
        alive = alive.ravel()
        distance = np.bitwise_count((alive & -alive) - np.uint64(1))  # trailing zeros; 64 if there is no bit
        return WindowBound(tuple_, distance, alive=alive)

    def all_accept(self, tuple_: Tuple) -> Array:
        """For each joint state, whether all mazes accept."""
        accepts = np.ones(1, bool)
        for maze in tuple_:
            accepts = np.outer(accepts, self.accepts[maze]).ravel()
        return accepts

    def fillings(self, tuple_: Tuple, states: Array, left: int) -> float:
        """The number of fillings of `left` letters that all mazes of the tuple accept from a joint state."""
        rows, columns = self.halves(tuple_)
        middle = len(tuple_) // 2
        count = np.outer(self.all_accept(tuple_[:middle]), self.all_accept(tuple_[middle:])).astype(np.float32)
        for _ in range(left):
            following = np.zeros_like(count)
            for row, column in zip(rows, columns, strict=True):
                following += count.take(row, 0).take(column, 1)
            count = following
        return float(count.flat[int(self.index(tuple_, states))])


@dataclass(eq=False)
class WindowBound(Bound):
    """Bit k of `alive`, for each joint state of a tuple: some filling of k letters is accepted by all its mazes.

    The `distance` is the least of them.
    """

    alive: Array = field(default_factory=lambda: np.zeros(0, np.uint64))

    def refutes(self, joint: Array | slice, left: int) -> Array:
        refuted: Array = (self.alive[joint] >> np.uint64(left) & np.uint64(1)) == 0
        return refuted


class WindowSearch(ExhaustiveSearch):
    """The fillings of one window: free steps between a fixed prefix and a fixed suffix.

    `tuples`, of numbers in `mazes`, are tried first, for example those of a neighboring window.
    """

    machines: WindowMachines
    worthwhile = 1

    def __init__(
        self,
        mazes: Mazes,
        pattern: str,
        tuples: Iterable[Tuple] = (),
        seed: int = 1,
        progress: Callable[[str], None] | None = None,
        seconds: float | None = None,
    ):
        self.window = Window(pattern)
        letters = len(self.window.steps)
        if letters != pattern.count(FREE):
            raise InputError("found fixed letters between free ones, expected one window of free steps", source="--pattern")
        if letters > LONGEST:
            raise InputError(f"found {letters} free steps, expected at most {LONGEST}", source="--pattern")
        machines = WindowMachines(mazes, self.window)
        bounds = map(machines.bound, machines.translated(tuples))
        super().__init__(mazes.chosen(machines.mazes), letters, bounds, seed, progress, machines, seconds)
        self.most_joint = MOST_JOINT

    def whole(self, filling: str) -> str:
        return self.window.prefix + filling + self.window.suffix

    def farness(self, trial: Tuple, states: Array, left: int) -> float | None:
        """The objective: the fewer fillings the better, which is finer than the joint distance."""
        count = self.machines.fillings(trial, states, left)
        return -count if count else None

    def certificate(self, sweep: Sweep) -> dict[str, Any]:
        """The refutation in the format of the checker (`docs/maze-windows.md`)."""
        entry = refutation_certificate(self.mazes, self.length, sweep)
        return {
            "certificate": "no filling of a maze window",
            "kind": entry["kind"],
            "size": entry["size"],
            "pattern": self.whole(FREE * self.length),
            "mazes": entry["mazes"],
            "tuples": entry["tuples"],
            "levels": entry["levels"],
        }


def fixed(pattern: str, prefix: str) -> str:
    """The pattern with the first letters of its filling fixed."""
    first = pattern.index(FREE) if prefix else 0
    return pattern[:first] + prefix + pattern[first + len(prefix) :]


def explored_tuples(mazes: Mazes, pattern: str) -> list[Tuple]:
    """Tuples of mazes that refute joint states of the window, found by hill climbing; they need not refute all states."""
    search = WindowSearch(mazes, pattern)
    begun = time.process_time()
    while search.explore(stop=False)[0] > FEW and time.process_time() - begun < EFFORT:
        pass
    numbers = search.machines.mazes
    return sorted(tuple(numbers[maze] for maze in bound) for bound in search.bounds)


def needed_tuples(mazes: Mazes, pattern: str, prefix: str, tuples: Sequence[Tuple]) -> tuple[Tuple, ...] | None:
    """The tuples with which a search refutes the cube; None if all do not suffice. Fewer mazes make propagation faster.

    They are the tuples that refuted a joint state which no earlier tuple refuted; the next search starts with those that refuted
    most.
    """
    if not tuples:
        return None
    numbers = sorted({maze for each in tuples for maze in each})
    place = {number: index for index, number in enumerate(numbers)}
    machines = WindowMachines(mazes.chosen(numbers), Window(fixed(pattern, prefix)))
    own = machines.translated(tuple(place[maze] for maze in each) for each in tuples)
    bounds = [machines.bound(each) for each in sorted(own)]
    for _ in range(SEARCHES):
        if not _refute(machines, bounds):
            return None
        bounds = sorted((bound for bound in bounds if bound.refuted), key=lambda bound: (-bound.refuted, bound.mazes))
    return tuple(tuple(sorted(numbers[machines.mazes[maze]] for maze in bound.mazes)) for bound in bounds)


def _refute(machines: WindowMachines, bounds: Sequence[Bound]) -> bool:
    """True if a search with only these tuples, in this order, leaves no joint state; it counts the refuted states of each."""
    for bound in bounds:
        bound.refuted = 0
    used = tuple(sorted({maze for bound in bounds for maze in bound.mazes}))
    level: Level | None = first_level(machines, used, (), machines.letters)
    for left in reversed(range(machines.letters)):
        if level is None or not len(level):
            break
        level = expand_within(machines, level, bounds, left, MOST_BYTES)
    return level is not None and not len(level)


def _solved_anyway(automaton: WindowAutomaton, letters: int) -> bool:
    """True if every filling of this length solves the maze."""
    sure = automaton.accepts
    for _ in range(letters):
        sure = tuple(all(sure[after] for after in row) for row in automaton.next)
    return sure[0]
