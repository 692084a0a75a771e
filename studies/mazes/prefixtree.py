"""Prefixes of the strings that are sought, as joint distances of a few mazes leave them alive: the tree of cubes.

    tree = PrefixTree(machines, bounds, letters)
    tree.at_least(64)                 # the first cubes
    tree.children("NES")              # what takes the place of a cube that is too hard

Every string that is sought has one of the prefixes of a level, up to the symmetries of the `group`. A prefix is left out if a
tuple of mazes needs more letters than are left, or if another prefix of the same length, fixed by the same symmetries, leads to
the same states in all mazes. Of the letters that the symmetries which fix the prefix map to one another only the first is tried.

Not here: tuples of mazes (`exhaustive.py`), the formula of a cube (each study's).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from cnfgen_puzzles.families.maze.model import LETTERS
from studies.mazes.jointstates import Array, Bound, Machines


class PrefixTree:
    """The prefixes of the strings of so many letters. `group` are the images of NESW under symmetries, the identity first."""

    def __init__(self, machines: Machines, bounds: Iterable[Bound], letters: int, group: Sequence[str] = (LETTERS,)):
        self.letters = letters
        self._machines, self._bounds, self._group = machines, list(bounds), group
        self._seen: dict[tuple[int, tuple[str, ...], bytes], str] = {}
        sizes = [each.shape[1] for each in machines.next]
        self._offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp) if sizes else np.zeros(0, np.intp)
        self._next = np.concatenate(machines.next, axis=1).astype(np.intp) if sizes else np.zeros((4, 0), np.intp)

    def states(self, prefix: str) -> Array:
        """The states of all mazes after the prefix."""
        states: Array = np.zeros(len(self._machines), np.intp)
        for letter in prefix:
            states = self._next[LETTERS.index(letter), self._offsets + states]
        return states

    def children(self, prefix: str) -> tuple[str, ...]:
        """The prefixes with one more letter that are alive, without those that lead where one met before leads."""
        if len(prefix) == self.letters:
            return ()
        return tuple(prefix + letter for letter in self._first_letters(prefix) if self._is_alive(prefix + letter))

    def level(self, prefixes: Iterable[str]) -> tuple[str, ...]:
        """The children of all of them."""
        return tuple(child for prefix in prefixes for child in self.children(prefix))

    def at_least(self, count: int, log: Callable[[str], None] | None = None) -> tuple[str, ...]:
        """The first level of so many prefixes, or the last that is not empty: so there is always a formula to refute."""
        found: tuple[str, ...] = ("",)
        while len(found) < count and (longer := self.level(found)):
            found = longer
            if log:
                log(f"{len(found):,} prefixes of {len(found[0])} letters are alive")
        return found

    def _first_letters(self, prefix: str) -> list[str]:
        """Of letters that the symmetries which fix the prefix map to one another, the first."""
        fixing = self._fixing(prefix)
        return [letter for place, letter in enumerate(LETTERS) if all(LETTERS.index(image[place]) >= place for image in fixing)]

    def _is_alive(self, prefix: str) -> bool:
        states, left = self.states(prefix), self.letters - len(prefix)
        if any(bound.refutes(self._machines.index(bound.mazes, states), left) for bound in self._bounds):
            return False
        key = (left, self._fixing(prefix), states.astype(np.uint16).tobytes())
        return self._seen.setdefault(key, prefix) == prefix

    def _fixing(self, prefix: str) -> tuple[str, ...]:
        """The symmetries that leave the prefix as it is."""
        return tuple(image for image in self._group if all(image[LETTERS.index(letter)] == letter for letter in set(prefix)))
