"""Random choices that a seed determines, on each machine and with each version of Python.

Python guarantees this only for `Random.random()`, so everything here uses that: `random.shuffle` and `random.randrange` may
change. Generators of puzzles need it, because suites contain their seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class SeededChoice:
    """A sequence of random choices that a seed and a purpose determine: other purposes have other sequences.

    >>> SeededChoice("example", 1).shuffled("abcdef")
    ['d', 'a', 'f', 'b', 'c', 'e']
    """

    def __init__(self, purpose: str, seed: int):
        from random import Random  # seldom needed

        self.random = Random(f"{purpose} {seed}").random  # a text: Python guarantees its use as a seed, too

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        return int(self.random() * count)

    def chosen(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order."""
        keys = [self.random() for _ in items]
        return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]
