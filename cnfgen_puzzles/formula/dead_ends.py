"""Dead-end elimination: excludes literals and pairs of literals that leave a need unmet, so are false in every solution.

Literals are numbers from 0 in bit masks (bit i is literal i). `clashing[i]` are the literals that are false if i is true. A
*need* is a set with at least one true literal.

* A literal is excluded if it clashes with all members of a need and is not a member itself.
* A pair is excluded if each member of a need clashes with one of the two, and neither is a member.

Proof: a solution that contains them meets the need by a third literal, which clashes with neither. The argument also holds if
excluded pairs count as clashes and excluded literals are removed from the needs, since no solution contains them. So no solution
is lost, and unit propagation proves each clause from the earlier ones. Each exclusion can leave more needs unmet: hence rounds.

One literal of an excluded pair clashes with at least half of the need's members, so the search starts only from such literals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

ROUNDS = 2
"""The first two rounds find almost all pairs. More rounds cost more time than they save in a search of one second."""

MOST_PAIRS = 2_000_000
"""The search ends after this number of pairs."""

MOST_WORK = 1 << 30
"""The search ends after this amount of work: examined needs times literals."""


class DeadEnds:
    """The result: `alive` is the bit mask of the literals that were not excluded; `clashing` includes the excluded pairs."""

    def __init__(self, needs: Sequence[int], clashing: Sequence[int], rounds: int = ROUNDS):
        """`clashing` must be symmetric, and each literal must clash with itself, so that a pair has two different literals."""
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
        """Whether the round excluded anything."""
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
        """The literals whose pair with i leaves a need unmet; None if i alone does. `needs` are pairs: need, half of its size."""
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
    """The numbers of the set bits, in ascending order."""
    digits = f"{mask:b}".encode().translate(_TRUTH)
    return compress(range(len(digits)), reversed(digits))


_TRUTH = bytes(byte == ord("1") for byte in range(256))
"""Maps binary digits to bytes 0 and 1."""
