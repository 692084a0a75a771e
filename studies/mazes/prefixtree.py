"""The tree of cubes: prefixes that joint distances of a few mazes do not exclude.

    tree = PrefixTree(machines, bounds, letters)
    tree.at_least(64)                 # the first cubes
    tree.children("NES")              # the cubes that replace a cube that is too hard

Up to the symmetries of the `group`, every solution has one of the prefixes of a level. A prefix is removed if a tuple of mazes
needs more than the remaining letters, or if another prefix of the same length, fixed by the same symmetries, leads to the same
states in all mazes. Of letters that symmetries which fix the prefix map to each other, only the first is tried.

`exhaustive.py` finds tuples of mazes, and each study has the formula of a cube.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np

from cnfgen_puzzles.families.maze.model import LETTERS
from studies.mazes.jointstates import Array, Bound, Machines, Tables


class PrefixTree:
    """The prefixes of strings of this length. `group` are the images of NESW under symmetries, the identity first."""

    def __init__(self, machines: Machines, bounds: Iterable[Bound], letters: int, group: Sequence[str] = (LETTERS,)):
        self.letters = letters
        self._machines, self._bounds, self._group = machines, list(bounds), group
        self._seen: dict[tuple[int, tuple[str, ...], bytes], str] = {}
        self._moves = lru_cache(_Moves)

    def states(self, prefix: str) -> Array:
        """The states of all mazes after the prefix."""
        states: Array = np.zeros(len(self._machines), np.intp)
        for place, letter in enumerate(prefix):
            moves = self._moves(self._machines.at(self.letters - place))
            states = moves.next[LETTERS.index(letter), moves.offsets + states]
        return states

    def children(self, prefix: str) -> tuple[str, ...]:
        """The extensions of the prefix by one letter that are not excluded, without those that lead to the states of an earlier
        one."""
        if len(prefix) == self.letters:
            return ()
        return tuple(prefix + letter for letter in self._first_letters(prefix) if self._is_alive(prefix + letter))

    def level(self, prefixes: Iterable[str]) -> tuple[str, ...]:
        """The children of all these prefixes."""
        return tuple(child for prefix in prefixes for child in self.children(prefix))

    def at_least(self, count: int, log: Callable[[str], None] | None = None) -> tuple[str, ...]:
        """The first level with this many prefixes, or the last level that is not empty."""
        found: tuple[str, ...] = ("",)
        while len(found) < count and (longer := self.level(found)):
            found = longer
            if log:
                log(f"{len(found):,} prefixes of {len(found[0])} letters are left")
        return found

    def _first_letters(self, prefix: str) -> list[str]:
        """The first of each set of letters that the symmetries which fix the prefix map to each other."""
        fixing = self._fixing(prefix)
        return [letter for place, letter in enumerate(LETTERS) if all(LETTERS.index(image[place]) >= place for image in fixing)]

    def _is_alive(self, prefix: str) -> bool:
        states, left = self.states(prefix), self.letters - len(prefix)
        if any(bound.refutes(self._machines.at(left).index(bound.mazes, states), left) for bound in self._bounds):
            return False
        key = (left, self._fixing(prefix), states.astype(np.uint16).tobytes())
        return self._seen.setdefault(key, prefix) == prefix

    def _fixing(self, prefix: str) -> tuple[str, ...]:
        """The symmetries that fix the prefix."""
        return tuple(image for image in self._group if all(image[LETTERS.index(letter)] == letter for letter in set(prefix)))


class _Moves:
    """The tables of all mazes in one: the states of maze m begin at `offsets[m]`."""

    def __init__(self, tables: Tables):
        self.offsets = np.cumsum([0, *tables.sizes], dtype=np.intp)[:-1]
        self.next = np.concatenate([np.zeros((4, 0), np.intp), *tables.next], axis=1)
