"""A window of a maze string cut into cubes: which prefixes of the filling are left, and the formula of each.

    tree = WindowTree(mazes, pattern, tuples)
    tree.prefixes(64)                              # at least so many cubes, if there are
    cube_formula(mazes, numbers, pattern, prefix, tuples)

A cube is the set of all fillings that begin with some letters. It is left out if from its joint state no filling of exactly
the letters left is accepted by some tuple of mazes (`windowsearch.py`), or if another prefix of as many letters leads to the same
states in *all* mazes of the grid: what completes one then completes the other, whichever mazes a formula has.

The formula of a cube is that of the encoding `states` for the pattern in which the cube's letters are fixed too, of those mazes
that not every filling left solves, one for each automaton. For each tuple of them it has lemmas. joint[0] is the joint state
after the cube's letters, joint[t] are the joint states one letter after joint[t-1] from which the letters left can lead to
acceptance; the others exclude each other: OR of not state[m, t], over the mazes m of the tuple. A lemma follows from the clauses
of its mazes, but a solver that meets it by itself has to go through all fillings that are left.

Not here: solvers and the journal (`studies/maze_windows/cuberun.py`); cubes of whole strings (`cubes.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from cnfgen_puzzles.families.maze.encode import Positions
from cnfgen_puzzles.families.maze.encode.states import StateLayers, StatesEncoder
from cnfgen_puzzles.families.maze.model import LETTERS
from cnfgen_puzzles.families.maze.model.puzzle import FREE, Mazes, Window
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.studies.maze_windows.windowsearch import WindowMachines, WindowSearch
from cnfgen_puzzles.studies.mazes.jointstates import Tuple, expand, first_level

FEW, EFFORT = 5, 60
"""Exploring goes on while it adds more tuples than this, for so many seconds."""

SEARCHES = 4
"""Through a cube, for the tuples that it needs."""

MOST_BYTES = 1 << 28
"""A larger level ends such a search."""


def fixed(pattern: str, prefix: str) -> str:
    """The pattern with the first letters of its filling fixed."""
    first = pattern.index(FREE) if prefix else 0
    return pattern[:first] + prefix + pattern[first + len(prefix) :]


class WindowTree:
    """The prefixes of the fillings of one window."""

    def __init__(self, mazes: Mazes, pattern: str, tuples: Iterable[Tuple]):
        self._machines = WindowMachines(mazes, Window(pattern))
        self._bounds = [self._machines.bound(each) for each in sorted(self._machines.translated(tuples))]
        self._seen: dict[tuple[int, bytes], str] = {}
        self.letters = self._machines.letters

    def children(self, prefix: str) -> tuple[str, ...]:
        """The prefixes with one more letter that are left, without those that lead where one met before leads."""
        return tuple(longer for longer in map(prefix.__add__, LETTERS) if len(longer) <= self.letters and self._is_left(longer))

    def prefixes(self, count: int) -> tuple[str, ...]:
        """At least so many, if there are, all of the same length; the empty one is always one, so that there is a formula."""
        found: tuple[str, ...] = ("",)
        while 0 < len(found) < count and len(found[0]) < self.letters:
            found = tuple(child for prefix in found for child in self.children(prefix))
        return found

    def _is_left(self, prefix: str) -> bool:
        states, left = self._states(prefix), self.letters - len(prefix)
        if any(bound.refutes(int(self._machines.index(bound.mazes, states)), left) for bound in self._bounds):
            return False
        return self._seen.setdefault((left, states.tobytes()), prefix) == prefix

    def _states(self, prefix: str) -> np.ndarray:
        """The states of all mazes after the prefix."""
        states = np.zeros(len(self._machines), np.uint16)
        for d in map(LETTERS.index, prefix):
            states = np.array([table[d, state] for table, state in zip(self._machines.next, states, strict=True)], np.uint16)
        return states


def explored_tuples(mazes: Mazes, pattern: str) -> list[Tuple]:
    """Tuples of mazes that refute joint states of the window, as hill climbing finds them; they need not refute it all."""
    search = WindowSearch(mazes, pattern)
    begun = time.process_time()
    while search.explore(stop=False)[0] > FEW and time.process_time() - begun < EFFORT:
        pass
    numbers = search.machines.mazes
    return sorted(tuple(numbers[maze] for maze in bound) for bound in search.bounds)


def needed_tuples(mazes: Mazes, pattern: str, prefix: str, tuples: Sequence[Tuple]) -> tuple[Tuple, ...] | None:
    """Those of the tuples by which a search refutes the cube, None if all do not. Fewer mazes make a solver's propagation cheap.

    They are those that refuted a joint state which none before them did, in a search through the cube; those that refuted most
    come first in the next search.
    """
    if not tuples:
        return None
    numbers = sorted({maze for each in tuples for maze in each})
    place = {number: index for index, number in enumerate(numbers)}
    machines = WindowMachines(mazes.chosen(numbers), Window(fixed(pattern, prefix)))
    bounds = [machines.bound(each) for each in sorted(machines.translated(tuple(map(place.get, each)) for each in tuples))]
    for _ in range(SEARCHES):
        for bound in bounds:
            bound.refuted = 0
        used = tuple(sorted({maze for bound in bounds for maze in bound.mazes}))
        level = first_level(machines, used, (), machines.letters)
        for left in reversed(range(machines.letters)):
            level = expand(machines, level, bounds, left, MOST_BYTES)
            if level is None or not len(level):
                break
        if level is None or len(level):
            return None
        bounds = sorted((bound for bound in bounds if bound.refuted), key=lambda bound: (-bound.refuted, bound.mazes))
    return tuple(tuple(sorted(numbers[machines.mazes[maze]] for maze in bound.mazes)) for bound in bounds)


def cube_formula(mazes: Mazes, numbers: Sequence[int], pattern: str, prefix: str, tuples: Iterable[Tuple]) -> Formula:
    """The fillings that begin with the prefix and solve the mazes of these numbers. `tuples` are of numbers in `mazes` too.

    Directions come first: dir[t, d] of the t-th letter after the prefix is the variable 4 t + d + 1.
    """
    chosen, place = mazes.chosen(numbers), {number: index for index, number in enumerate(numbers)}
    pattern = fixed(pattern, prefix)
    machines = WindowMachines(chosen, Window(pattern))
    encoder = _CubeEncoder(pattern)
    encoder.add_mazes(chosen[number] for number in machines.mazes)
    own = [tuple(place[maze] for maze in each) for each in tuples if place.keys() >= set(each)]
    encoder.add_lemmas(machines, sorted(machines.translated(own)))
    return encoder.formula


class _CubeEncoder(StatesEncoder):
    """Keeps the literals of all states, for the lemmas; machine i is that of the i-th maze added."""

    def __init__(self, pattern: str):
        super().__init__(pattern)
        self._at: dict[int, list[Positions]] = {}
        self._known: set[tuple[int, ...]] = set()

    def _walk(self, layers: StateLayers) -> list[Positions]:
        at = self._at[len(self.mazes) - 1] = super()._walk(layers)
        return at

    def add_lemmas(self, machines: WindowMachines, tuples: Iterable[Tuple]) -> None:
        """Joint states that no filling completes, after ones that some filling does."""
        for tuple_ in tuples:
            if len(tuple_) > 1 and all(maze in self._at for maze in tuple_):
                for step, states in lost(machines, tuple_):
                    self._exclude(step, tuple_, states)

    def _exclude(self, step: int, tuple_: Tuple, states: Sequence[int]) -> None:
        literals = [self._at[maze][step].get(state) for maze, state in zip(tuple_, states, strict=True)]
        if None in literals:  # a state that its maze excludes by itself
            return
        clause = tuple(sorted(-literal for literal in literals))
        if clause not in self._known:
            self._known.add(clause)
            self.formula.add_folded(*clause)


def lost(machines: WindowMachines, tuple_: Tuple) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Joint states of a tuple, with the number of letters before them: those met first from which no filling is accepted."""
    bound, successors = machines.bound(tuple_), machines.successors(tuple_)
    sizes = [machines.next[maze].shape[1] for maze in tuple_]
    joint = np.zeros(1, np.intp)
    for step in range(1, machines.letters + 1):
        joint = np.unique(successors[:, joint])
        dead = bound.refutes(joint, machines.letters - step)
        for states in zip(*(part.tolist() for part in np.unravel_index(joint[dead], sizes)), strict=True):
            yield step, states
        joint = joint[~dead]
