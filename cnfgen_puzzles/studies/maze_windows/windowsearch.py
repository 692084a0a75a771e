"""Exhaustive search for the fillings of a window: that of `exhaustive.py`, with automata that end with a fixed suffix.

    search = WindowSearch(mazes, "NNW***...SEES")
    outcome = search.run()           # outcome.strings: whole strings; none, and outcome.sweep refutes the window

What differs: the mazes' automata begin after the prefix and accept where the suffix completes them (`windows.py`), mazes with
equal automata are one, and a tuple of mazes refutes a joint state if no filling of *exactly* the letters that are left is
accepted by all of them. It needs numpy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cnfgen_puzzles.families.maze.encode.states import WindowAutomaton
from cnfgen_puzzles.families.maze.model.puzzle import FREE, Mazes, Window
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.studies.mazes.exhaustive import Progress, Search, Sweep, certificate
from cnfgen_puzzles.studies.mazes.jointstates import Bound, Machines, Tuple

MOST_JOINT = 5000
"""The largest table of joint states that hill climbing makes: small tables are made fast, and five mazes fit in."""

MOST_TRANSLATED = 50_000
"""The same for tuples that are given: the automata of a maze are larger in some windows."""

LONGEST = 63
"""Letters of a window: the numbers of letters after which a joint state is accepted are the bits of a word."""


class WindowMachines(Machines):
    """The automata of the mazes that not every filling solves; `mazes` are their numbers, one for each automaton."""

    def __init__(self, mazes: Mazes, window: Window):
        self.letters = len(window.steps)
        numbers: dict[tuple, list[int]] = {}  # of the mazes that have this automaton
        automata: list[WindowAutomaton] = []
        for number, maze in enumerate(mazes):
            automaton = WindowAutomaton(maze, window.prefix, window.suffix)
            alike = numbers.setdefault(automaton.form, [])
            if not alike and not automaton.solved_anyway(self.letters):
                automata.append(automaton)
            alike.append(number)
        alike = [numbers[each.form] for each in automata]
        self.mazes = tuple(each[0] for each in alike)
        self._place = {number: place for place, each in enumerate(alike) for number in each}
        self._set_tables([each.next for each in automata])
        self.accepts = [np.array(each.accepts) for each in automata]
        self._alone = self._padded([self.bound((maze,)).alive for maze in range(len(self))], 0)
        self._solved = self._padded([self._ever_solved(maze) for maze in range(len(self))], True)

    def translated(self, tuples: Iterable[Tuple]) -> set[Tuple]:
        """Tuples of mazes by the numbers of their automata, those with large tables left out."""
        own = {tuple(sorted({self._place[maze] for maze in tuple_ if maze in self._place})) for tuple_ in tuples}
        return {tuple_ for tuple_ in own if tuple_ and self.size(tuple_) <= MOST_TRANSLATED}

    @staticmethod
    def _padded(rows: list[np.ndarray], value: object) -> np.ndarray:
        table = np.full((len(rows), max(map(len, rows), default=0)), value, rows[0].dtype if rows else bool)
        for place, row in enumerate(rows):
            table[place, : len(row)] = row
        return table

    def _ever_solved(self, maze: int) -> np.ndarray:
        """The state that accepts whatever follows."""
        return self.accepts[maze] & (self.next[maze] == np.arange(self.next[maze].shape[1])).all(axis=0)

    def unsolved(self, states: np.ndarray) -> list[int]:
        return np.flatnonzero(~self._solved[np.arange(len(self)), states]).tolist()

    def hopeless(self, states: np.ndarray, left: int) -> int | None:
        alive = self._alone[np.arange(len(self)), states] >> np.uint64(left) & np.uint64(1)
        place = int(alive.argmin()) if len(alive) else 0
        return place if len(alive) and not alive[place] else None

    def bound(self, tuple_: Tuple) -> WindowBound:
        return WindowBound.of(self, tuple_)

    def all_accept(self, tuple_: Tuple) -> np.ndarray:
        """For each joint state whether all mazes accept."""
        accepts = np.ones(1, bool)
        for maze in tuple_:
            accepts = np.outer(accepts, self.accepts[maze]).ravel()
        return accepts

    def fillings(self, tuple_: Tuple, states: np.ndarray, left: int) -> float:
        """How many fillings of `left` letters all mazes of the tuple accept from a joint state."""
        halves = [tuple_[: len(tuple_) // 2], tuple_[len(tuple_) // 2 :]]
        rows, columns = (self.successors(half) for half in halves)
        count = np.outer(*(self.all_accept(half) for half in halves)).astype(np.float32)
        for _ in range(left):
            count = sum(count.take(row, 0).take(column, 1) for row, column in zip(rows, columns, strict=True))
        return float(count.flat[int(self.index(tuple_, states))])


@dataclass(eq=False)
class WindowBound(Bound):
    """Bit k of `alive`, for each joint state of a tuple: some filling of k letters is accepted by all its mazes.

    The `distance` is the least of them.
    """

    alive: np.ndarray | None = None

    @classmethod
    def of(cls, machines: WindowMachines, tuple_: Tuple) -> WindowBound:
        halves = [tuple_[: len(tuple_) // 2], tuple_[len(tuple_) // 2 :]]
        rows, columns = (machines.successors(half) for half in halves)
        known = np.outer(*(machines.all_accept(half) for half in halves))
        alive = known.astype(np.uint64)
        for letters in range(1, machines.letters + 1):
            reached = np.zeros_like(known)
            for row, column in zip(rows, columns, strict=True):
                reached |= known.take(row, 0).take(column, 1)
            known = reached
            alive |= known.astype(np.uint64) << np.uint64(letters)
        alive = alive.ravel()
        distance = np.bitwise_count((alive & -alive) - np.uint64(1))  # trailing zeros; 64 if there is no bit
        return cls(tuple_, distance, alive=alive)

    def refutes(self, joint: int | slice | np.ndarray, left: int) -> bool | np.ndarray:
        return (self.alive[joint] >> np.uint64(left) & np.uint64(1)) == 0


class WindowSearch(Search):
    """The fillings of one window: free steps between a fixed prefix and a fixed suffix.

    `tuples`, of numbers in `mazes`, are tried first: those that refuted a neighbouring window, say.
    """

    worthwhile = 1

    def __init__(
        self,
        mazes: Mazes,
        pattern: str,
        tuples: Iterable[Tuple] = (),
        seed: int = 1,
        progress: Progress | None = None,
    ):
        self.window = Window(pattern)
        letters = len(self.window.steps)
        if letters != pattern.count(FREE):
            raise InputError("found fixed letters between free ones, expected one window of free steps", source="--pattern")
        if letters > LONGEST:
            raise InputError(f"found {letters} free steps, expected at most {LONGEST}", source="--pattern")
        machines = WindowMachines(mazes, self.window)
        bounds = map(machines.bound, machines.translated(tuples))
        super().__init__(mazes.chosen(machines.mazes), letters, bounds, seed, progress, machines)
        self._most_joint = MOST_JOINT

    def whole(self, filling: str) -> str:
        return self.window.prefix + filling + self.window.suffix

    def _farness(self, trial: Tuple, states: np.ndarray, left: int) -> float | None:
        """The fewer fillings the better: a finer measure than the joint distance."""
        count = self.machines.fillings(trial, states, left)
        return -count if count else None

    def certificate(self, sweep: Sweep) -> dict:
        """The refutation as the checker reads it (`docs/maze-windows.md`)."""
        entry = certificate(self.mazes, self.length, sweep)
        return {
            "certificate": "no filling of a maze window",
            "kind": entry["kind"],
            "size": entry["size"],
            "pattern": self.whole(FREE * self.length),
            "mazes": entry["mazes"],
            "tuples": entry["tuples"],
            "levels": entry["levels"],
        }
