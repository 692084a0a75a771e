"""Starving pairs: what leaves a need without anything to meet it, and so can never be true (together).

Given are literals by number, from 0, as bit masks (bit i is literal i): `clashing[i]` are those that are false where i is true,
and a *need* is a set of which at least one is true. Then, whatever has been excluded so far,

* a literal can be dropped if it clashes with all members of a need, and is none itself;
* two literals exclude each other if each member of a need clashes with one of them, and neither is a member.

Proof: a solution with them meets the need by a third, which is true beside them, so clashes with neither. The same holds if
'clash' is made wider by the pairs excluded so far, since no solution has both of such a pair, and if dropped literals are no
members any more, since no solution has them. So no solution is lost, and each clause has a proof by unit propagation from the
clauses before it and those that say what clashes and what is needed. What is excluded makes more needs starve: hence rounds.

Of two that starve a need together one clashes with at least half of its members, so only such are looked at from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

ROUNDS = 2
"""In the first two almost all pairs are found: more take longer than they save a search of a second."""

MOST_PAIRS = 2_000_000
"""When so many have been found no more are looked for."""

MOST_WORK = 1 << 30
"""Nor after so many looks at a need, times literals."""


class Starving:
    """What starves: `alive` are those that are not dropped (a bit mask); `clashing` is then as wide as it was made."""

    def __init__(self, needs: Sequence[int], clashing: Sequence[int], rounds: int = ROUNDS):
        """`clashing` must be symmetric, and each literal is to clash with itself, so that no pair is of one."""
        self.clashing = list(clashing)
        self.alive = (1 << len(self.clashing)) - 1
        self._one = [1 << i for i in range(len(self.clashing))]
        self._needs = list(needs)
        self._work = MOST_WORK // max(len(self.clashing) * len(self._needs), 1)
        self._found = 0
        for _ in range(rounds):
            if not self._round():
                break

    def _round(self) -> bool:
        """Whether anything was found."""
        before = self._found, self.alive
        needs = [(need & self.alive, (need & self.alive).bit_count() // 2) for need in self._needs]
        for i in bits(self.alive):
            if self._work <= 0 or self._found > MOST_PAIRS:
                return False
            self._work -= 1
            found = self._starved_with(i, needs)
            if found is None:
                self.alive ^= self._one[i]
            elif found:
                self._found += found.bit_count()
                self._exclude(i, found)
        return before != (self._found, self.alive)

    def _starved_with(self, i: int, needs: Sequence[tuple[int, int]]) -> int | None:
        """Those that starve a need together with i; None if i does so by itself. A need comes with half of its size."""
        clashing, one, me = self.clashing, self._one, self._one[i]
        free = self.alive & ~clashing[i]
        found = 0
        for need, half in needs:
            left = need & free
            if left.bit_count() > half or need & me:
                continue
            if not left:
                return None
            first, last = clashing[(left & -left).bit_length() - 1], clashing[left.bit_length() - 1]
            suspects = free & first & last & ~(need | found)
            while suspects:
                suspect = suspects.bit_length() - 1
                saving = left & ~clashing[suspect]
                if saving:  # any of these clears all suspects that do not clash with it
                    suspects &= clashing[saving.bit_length() - 1]
                else:
                    found |= one[suspect]
                    suspects ^= one[suspect]
        return found

    def _exclude(self, i: int, others: int) -> None:
        clashing, me = self.clashing, self._one[i]
        clashing[i] |= others
        for j in bits(others):
            clashing[j] |= me


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, in ascending order."""
    digits = f"{mask:b}".encode().translate(_TRUTH)
    return compress(range(len(digits)), reversed(digits))


_TRUTH = bytes(byte == ord("1") for byte in range(256))
"""Turns digits of a binary number into bytes that are 0 or 1."""
