"""Exhaustive search for the fillings of a pattern: the search of `exhaustive.py`, with automata of the free letters.

    search = WindowSearch(mazes, "***NNW***...SEES")
    outcome = search.run()           # outcome.strings: whole strings; none, and outcome.sweep refutes the pattern

Differences: the automata of the mazes read only the free letters; fixed letters belong to the move of the free letter before
them. An automaton accepts if the pattern's last letters solve the maze. Mazes with equal automata are merged, and a tuple of
mazes refutes a joint state if all of them accept no filling of *exactly* the remaining letters. It needs numpy. The module also
finds the tuples of mazes that a search through a part of a window needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from cnfgen_puzzles.families.maze.encodings import window_automaton
from cnfgen_puzzles.families.maze.model import LETTERS, Maze
from cnfgen_puzzles.families.maze.puzzle import FREE, Mazes, Window
from studies.mazes.automata import Automaton
from studies.mazes.exhaustive import ExhaustiveSearch, Sweep, refutation_certificate
from studies.mazes.jointstates import Array, Bound, Level, Machines, Tables, Tuple, before, dtype_of, expand_within, first_level

MOST_JOINT = 5000
"""The largest table of joint states that hill climbing makes: small tables are fast, and five mazes fit."""

MOST_TRANSLATED = 50_000
"""The largest table for given tuples; automata are larger in some windows."""

FEW, EFFORT = 5, 60
"""Exploring continues while it adds more tuples than this within this number of seconds."""

SEARCHES = 4
"""The limit of a search through a cube for the tuples that it needs."""

MOST_BYTES = 1 << 28
"""The largest level of such a search."""


class WindowAutomata(NamedTuple):
    """A maze as an automaton of the free letters: whether it accepts in each state after the last one, and for each letter, the
    last one first, a table `[d, s]` of the states after direction d."""

    accepts: Array
    tables: list[Array]


def automata_by_letter(maze: Maze, pattern: str) -> WindowAutomata:
    """The minimal automaton for each number of remaining letters: two states are merged if the same fillings of exactly the
    remaining letters solve the maze. The fixed letters after a free letter belong to its move.

    States are numbered by their successors, so that mazes with equal fillings have equal automata.
    """
    automaton = Automaton(maze)
    moves = np.array(automaton.next).T
    prefix, *rest = pattern.split(FREE)
    after = [_followed(moves, fixed_letters)[moves] for fixed_letters in rest]
    reached = [np.array([automaton.run(prefix)])]
    for following in after:
        reached.append(np.unique(following[:, reached[-1]]))
    number = (np.arange(len(automaton)) == automaton.done).astype(np.intp)  # of each state, after the last letter
    count, tables = 2, []
    for states, following in zip(reached[-2::-1], after[::-1], strict=True):
        rows = number[following[:, states]]
        _, first, place = np.unique(_joined(rows, count), return_index=True, return_inverse=True)
        tables.append(rows[:, first])
        number[states], count = place, len(first)
    return WindowAutomata(np.array([False, True]) if rest else number[reached[0]] == 1, tables)


def _followed(moves: Array, letters: str) -> Array:
    """The state after the letters, from each state."""
    states: Array = np.arange(moves.shape[1])
    for letter in letters:
        states = moves[LETTERS.index(letter)][states]
    return states


def _joined(rows: Array, base: int) -> Array:
    """The columns as numbers in this base."""
    joined: Array = np.zeros(rows.shape[1], np.intp)
    for row in rows:
        joined = joined * base + row
    return joined


def same_automaton(maze: Maze, pattern: str) -> WindowAutomata:
    """The automaton of the encoding `states`, which is the same for each letter, for a pattern with one window."""
    automaton = window_automaton(maze, Window(pattern))
    return WindowAutomata(np.array(automaton.accepts), [np.array(automaton.next).T] * pattern.count(FREE))


class WindowMachines(Machines):
    """The automata of the mazes that not every filling solves; `mazes` are their numbers, one for each automaton."""

    def __init__(self, mazes: Mazes, pattern: str, automata: Callable[[Maze, str], WindowAutomata] = automata_by_letter):
        self.letters = pattern.count(FREE)
        numbers: dict[tuple[bytes, ...], list[int]] = {}  # of the mazes that have this automaton
        found: list[tuple[WindowAutomata, list[int]]] = []
        for number, maze in enumerate(mazes):
            automaton = automata(maze, pattern)
            alike = numbers.setdefault((automaton.accepts.tobytes(), *(each.tobytes() for each in automaton.tables)), [])
            if not alike and not _accepting(automaton, np.all)[-1][0]:
                found.append((automaton, alike))
            alike.append(number)
        self.mazes = tuple(alike[0] for _, alike in found)
        self._place = {number: place for place, (_, alike) in enumerate(found) for number in alike}
        chosen = [automaton for automaton, _ in found]
        sizes = [[len(each.accepts) for each in chosen]]
        sizes += [[each.tables[left].shape[1] for each in chosen] for left in range(self.letters)]
        self._sizes = np.array(sizes)  # [letters left, maze]
        self.dtype = dtype_of(int(self._sizes.max(initial=0)))
        self._tables = [Tables((), sizes[0], ())]
        for left in range(self.letters):
            following = [each.tables[left].astype(self.dtype) for each in chosen]
            self._tables.append(Tables(following, sizes[left + 1], sizes[left]))
        self.accepts = [each.accepts for each in chosen]
        self._alone = _padded([_accepting(each, np.any) for each in chosen], False)
        self._solved = _padded([_accepting(each, np.all) for each in chosen], True)

    def __len__(self) -> int:
        return len(self.mazes)

    def at(self, left: int) -> Tables:
        return self._tables[left]

    def translated(self, tuples: Iterable[Tuple]) -> set[Tuple]:
        """Tuples of mazes by the numbers of their automata, without tuples with large tables."""
        own = {tuple(sorted({self._place[maze] for maze in tuple_ if maze in self._place})) for tuple_ in tuples}
        return {tuple_ for tuple_ in own if tuple_ and self.size(tuple_) <= MOST_TRANSLATED}

    def size(self, tuple_: Tuple) -> int:
        """The largest number of joint states before a letter."""
        return int(self._sizes[:, tuple_].prod(axis=1).max(initial=1))

    def unsolved(self, states: Array, left: int) -> list[int]:
        return np.flatnonzero(~self._solved[left][np.arange(len(self)), states]).tolist()

    def hopeless(self, states: Array, left: int) -> int | None:
        alive = self._alone[left][np.arange(len(self)), states]
        place = int(alive.argmin()) if len(alive) else 0
        return place if len(alive) and not alive[place] else None

    def bound(self, tuple_: Tuple) -> WindowBound:
        known = self._all_accept(tuple_)
        alive = [known.ravel()]
        for left in range(1, self.letters + 1):
            known = before(known, *self.at(left).halves(tuple_))
            alive.append(known.ravel())
        return WindowBound(tuple_, alive)

    def _all_accept(self, tuple_: Tuple) -> Array:
        """For each joint state after the last letter, whether all mazes accept, as a matrix (`Tables.halves`)."""
        middle = len(tuple_) // 2
        rows, columns = np.ones(1, bool), np.ones(1, bool)
        for maze in tuple_[:middle]:
            rows = np.outer(rows, self.accepts[maze]).ravel()
        for maze in tuple_[middle:]:
            columns = np.outer(columns, self.accepts[maze]).ravel()
        return np.outer(rows, columns)

    def fillings(self, tuple_: Tuple, states: Array, left: int) -> float:
        """The number of fillings of `left` letters that all mazes of the tuple accept from a joint state."""
        count = self._all_accept(tuple_).astype(np.float32)
        for letters in range(1, left + 1):
            rows, columns = self.at(letters).halves(tuple_)
            following = np.zeros((rows.shape[1], columns.shape[1]), np.float32)
            for row, column in zip(rows, columns, strict=True):
                following += count.take(row, 0).take(column, 1)
            count = following
        return float(count.flat[int(self.at(left).index(tuple_, states))])


def _accepting(automaton: WindowAutomata, fold: Callable[..., Any]) -> list[Array]:
    """For each number of remaining letters, whether any or all fillings are accepted from each state."""
    found = [automaton.accepts]
    for table in automaton.tables:
        found.append(fold(found[-1][table], axis=0))
    return found


def _padded(automata: Sequence[Sequence[Array]], value: bool) -> list[Array]:
    """`[maze, state]` for each number of remaining letters."""
    padded = []
    for rows in zip(*automata, strict=True):
        table = np.full((len(rows), max(map(len, rows))), value)
        for place, row in enumerate(rows):
            table[place, : len(row)] = row
        padded.append(table)
    return padded


class WindowBound(Bound):
    """`alive[k]`: from which joint states of the tuple some filling of k letters is accepted by all its mazes."""

    def __init__(self, mazes: Tuple, alive: Sequence[Array]):
        super().__init__(mazes)
        self.alive = alive

    def refutes(self, joint: Array | slice, left: int) -> Array:
        refuted: Array = ~self.alive[left][joint]
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
        self.pattern = pattern
        machines = WindowMachines(mazes, pattern)
        bounds = map(machines.bound, machines.translated(tuples))
        super().__init__(mazes.chosen(machines.mazes), machines.letters, bounds, seed, progress, machines, seconds)
        self.most_joint = MOST_JOINT

    def whole(self, filling: str) -> str:
        letters = iter(filling)
        return "".join(next(letters) if letter == FREE else letter for letter in self.pattern)

    def farness(self, trial: Tuple, states: Array, left: int) -> float | None:
        """The objective: the fewer fillings the better, which is finer than the joint distance."""
        count = self.machines.fillings(trial, states, left)
        return -count if count else None

    def certificate(self, sweep: Sweep) -> dict[str, Any]:
        """The refutation in the format of the checker (`docs/results/maze-windows.md`)."""
        entry = refutation_certificate(self.mazes, self.length, sweep)
        return {
            "certificate": "no filling of a maze window",
            "kind": entry["kind"],
            "size": entry["size"],
            "pattern": self.pattern,
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
    machines = WindowMachines(mazes.chosen(numbers), fixed(pattern, prefix), same_automaton)
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
