"""Each solution once: what the parts of a search bring, held against each other, and given on as it comes.

A solution belongs to one part, which its true variables tell (`Parts.home`). So nothing must be remembered of a part that is
finished: whoever brings a solution must be its part, or a part whose cube overlaps with that one's. Remembered, by a hash of 16
bytes each, are only solutions that were told before their part was finished; when all parts are, none may be left.

States of versions 0.1.0 and 0.2.0 may have cubes of other variables than the projection's. Then nobody can tell to which part a
solution belongs, and all are remembered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.problem import Parts


class Ledger:
    """The solutions of the `parts` of one search, as lines: the true projection variables in ascending order."""

    def __init__(self, parts: Parts, projection: Iterable[int]):
        self._parts = parts
        self._words = {str(variable): variable for variable in projection}
        self._finished: set[int] = set()
        self._early: set[bytes] = set()
        self._apart = parts.variables().issubset(self._words.values())

    def complaint(self, number: int, lines: Sequence[str]) -> str:
        """Why these cannot be the solutions of a part: one is none, is there twice or belongs elsewhere. Empty if they can."""
        seen = set()
        for line in lines:
            try:
                variables = [self._words[word] for word in line.split(" ")] if line else []
            except KeyError as error:
                return f"{error.args[0]!r} in a solution is none of the projection variables"
            if variables != sorted(set(variables)):
                return f"the solution {line[:80]!r} is not in ascending order"
            if line in seen:
                return f"the solution {line[:80]!r} is there twice"
            seen.add(line)
            true = frozenset(variables)
            if self._apart and self._parts.home(true) != number and not self._parts[number].has(true):
                return f"the solution {line[:80]!r} is none of part {number}"
        return ""

    def told(self, lines: Iterable[str]) -> Iterator[frozenset[int]]:
        """Of solutions that a part tells before it is finished, or again: those that are new."""
        for line in lines:
            true = self._true(line)
            if not (self._apart and self._parts.home(true) in self._finished) and (key := _hash(line)) not in self._early:
                self._early.add(key)
                yield true

    def finished(self, number: int, lines: Iterable[str]) -> Iterator[frozenset[int]]:
        """Of all solutions of a part, about which there was no complaint: those that are new."""
        self._finished.add(number)
        if not self._apart:
            yield from self.told(lines)
            return
        for line in lines:
            true, key = self._true(line), _hash(line)
            home = self._parts.home(true)
            if home == number and key in self._early:
                self._early.remove(key)
            elif home == number:
                yield true
            elif home not in self._finished and key not in self._early:  # its own part must bring it, too
                self._early.add(key)
                yield true

    def close(self) -> None:
        """All parts are finished: CnfgenError if a part lacks a solution that was told, or that another one found in it."""
        if self._apart and self._early:
            raise CnfgenError(
                f"{len(self._early)} solutions were told while their parts were searched, and are not in what these brought"
            )

    def _true(self, line: str) -> frozenset[int]:
        return frozenset(map(int, line.split()))


def _hash(line: str) -> bytes:
    return hashlib.blake2b(line.encode(), digest_size=16).digest()
