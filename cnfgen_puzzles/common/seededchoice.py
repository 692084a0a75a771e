"""Random choices that are the same for a seed on every machine and under every version of Python.

Python promises that for `Random.random()` alone, so everything here is made of it: `random.shuffle` and `random.randrange` may
change. For generators of puzzles, whose seeds stand in suites.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class SeededChoice:
    """A sequence of random choices that a seed and a purpose determine: other purposes have other sequences.

    >>> SeededChoice("example", 1).shuffled("abcdef")
    ['d', 'a', 'f', 'b', 'c', 'e']
    """

    def __init__(self, purpose: str, seed: int):
        self.random = Random(f"{purpose} {seed}").random  # a text, since its use as a seed is promised not to change either

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        return int(self.random() * count)

    def chosen(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order."""
        keys = [self.random() for _ in items]
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]
