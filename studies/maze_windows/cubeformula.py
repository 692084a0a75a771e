"""The formula of a cube of a window: the fillings that begin with some letters, with joint states of a few mazes as lemmas.

    cube_formula(mazes, numbers, pattern, prefix, tuples)

It is the formula of the encoding `states` for the pattern with the letters of the cube, for the mazes that not every remaining
filling solves, one for each automaton. It has lemmas for each tuple of these mazes. joint[0] is the joint state after the letters
of the cube; joint[t] are the joint states one letter after joint[t-1] from which the remaining letters can lead to acceptance.
The others exclude each other: OR of not state[m, t], over the mazes m of the tuple. A lemma follows from the clauses of its
mazes, but a solver would need all remaining fillings to derive it.

`windowsearch.py` chooses the mazes of a cube.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from cnfgen_puzzles.families.maze.encodings import Layers, Positions, StateLayers, StatesEncoder
from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.formula import Formula
from studies.maze_windows.windowsearch import WindowMachines, fixed, same_automaton
from studies.mazes.jointstates import Tuple


def cube_formula(mazes: Mazes, numbers: Sequence[int], pattern: str, prefix: str, tuples: Iterable[Tuple]) -> Formula:
    """The formula of the fillings that begin with the prefix and solve the mazes with these numbers. `tuples` are numbers in
    `mazes`, too.

    Directions come first: dir[t, d] of letter t after the prefix is the variable 4 t + d + 1.
    """
    chosen, place = mazes.chosen(numbers), {number: index for index, number in enumerate(numbers)}
    pattern = fixed(pattern, prefix)
    machines = WindowMachines(chosen, pattern, same_automaton)
    encoder = _CubeEncoder(pattern)
    encoder.add_mazes(chosen[number] for number in machines.mazes)
    own = [tuple(place[maze] for maze in each) for each in tuples if place.keys() >= set(each)]
    encoder.add_lemmas(machines, sorted(machines.translated(own)))
    return encoder.formula


class _CubeEncoder(StatesEncoder):
    """An encoder that keeps the literals of all states for the lemmas; machine i belongs to maze i."""

    def __init__(self, pattern: str):
        super().__init__(pattern)
        self._at: dict[int, list[Positions]] = {}
        self._known: set[tuple[int, ...]] = set()

    def _walk(self, layers: Layers | StateLayers) -> list[Positions]:
        at = self._at[len(self.mazes) - 1] = super()._walk(layers)
        return at

    def add_lemmas(self, machines: WindowMachines, tuples: Iterable[Tuple]) -> None:
        """Adds the lemmas: joint states that no filling completes, after states that some filling completes."""
        for tuple_ in tuples:
            if len(tuple_) > 1 and all(maze in self._at for maze in tuple_):
                for step, states in lost(machines, tuple_):
                    self._exclude(step, tuple_, states)

    def _exclude(self, step: int, tuple_: Tuple, states: Sequence[int]) -> None:
        positions = [self._at[maze][step] for maze in tuple_]
        if not all(state in at for at, state in zip(positions, states, strict=True)):  # excluded by its maze alone
            return
        literals = [at[state] for at, state in zip(positions, states, strict=True)]
        clause = tuple(sorted(-literal for literal in literals))
        if clause not in self._known:
            self._known.add(clause)
            self.formula.add_folded(*clause)


def lost(machines: WindowMachines, tuple_: Tuple) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The joint states of a tuple from which no filling is accepted, with the number of letters before their first occurrence."""
    bound, tables = machines.bound(tuple_), machines.at(machines.letters)  # the same for each letter
    successors, sizes = tables.successors(tuple_), [tables.sizes[maze] for maze in tuple_]
    joint = np.zeros(1, np.intp)
    for step in range(1, machines.letters + 1):
        joint = np.unique(successors[:, joint])
        dead = bound.refutes(joint, machines.letters - step)
        for states in zip(*(part.tolist() for part in np.unravel_index(joint[dead], sizes)), strict=True):
            yield step, states
        joint = joint[~dead]
