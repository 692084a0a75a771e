"""Dead-end elimination: literals, and pairs of literals, that leave a need unmet and so are false in every solution.

Given are literals by number, from 0, as bit masks (bit i is literal i). `clashing[i]` are those that are false where i is true. A
*need* is a set of which at least one is true. Whatever was excluded before,

* a literal is excluded if it clashes with all members of a need and is no member itself;
* a pair is excluded if each member of a need clashes with one of the two, and neither is a member.

Proof: a solution that contains them meets the need by a third literal, which clashes with neither. The argument also holds if
excluded pairs count as clashes and excluded literals as no members, since no solution contains them. So no solution is lost, and
unit propagation proves each clause from the clauses before it. Each exclusion can leave more needs unmet: hence rounds.

One literal of an excluded pair clashes with at least half of the need's members, so the search starts only from such literals.
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


class DeadEnds:
    """What was excluded: `alive` is the bit mask of the literals left; `clashing` then includes the excluded pairs."""

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
            found = self._excluded_with(i, needs)
            if found is None:
                self.alive ^= self._one[i]
            elif found:
                self._found += found.bit_count()
                self._exclude(i, found)
        return before != (self._found, self.alive)

    def _excluded_with(self, i: int, needs: Sequence[tuple[int, int]]) -> int | None:
        """The literals whose pair with i leaves a need unmet; None if i alone does. Each need comes with half of its size."""
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
