"""Starving pairs: placements that leave some cell, or some piece, without any placement, and so can never be used (together).

Two placements *clash* if they share a cell, are of a piece that is used at most once, or of a group of which one piece is used
at most. A *need* is a set of placements of which at least one is used: those on a cell that must be covered, those of a piece,
or of a group, that must be used. Then, whatever has been excluded so far,

* a placement can be dropped if it clashes with all members of a need, and is none itself;
* two placements exclude each other if each member of a need clashes with one of them, and neither is a member.

Proof: a solution with them meets the need by a third placement, which is in the solution beside them, so clashes with neither.
The same holds if 'clash' is made wider by the pairs excluded so far, since no solution has both placements of such a pair, and
if dropped placements are no members any more, since no solution has them. So no solution is lost, and each clause has a proof
by unit propagation from the formula and the clauses before it. What is excluded makes more needs starve: so `ROUNDS` searches.
Dead regions (`regions`) of fewer cells than any piece has are starving cells; most larger ones show in the second round.

Sets of placements are bit masks: bit i is the i-th placement that was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cnfgen_puzzles.families.tiling.model.colouring import open_groups
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling

ROUNDS = 2
"""In the first two almost all pairs are found: more take longer than they save."""

MOST_PAIRS = 2_000_000
"""When so many have been found no more are looked for."""

MOST_WORK = 1 << 30
"""Nor after so many looks at a need, times placements."""


class Starving:
    """What starves among these placements (numbers of the puzzle), of which pairs in `excluded` are known to exclude each other.

    `kept` are those that can be used, as far as this shows; `pairs` yields p < q that exclude each other and do not clash by
    themselves, those of `excluded` among them.
    """

    def __init__(self, puzzle: Tiling, numbers: Sequence[int], excluded: Iterable[tuple[int, int]] = ()):
        self._numbers = list(numbers)
        self._needs, sharing = _needs_and_sharing(puzzle, self._numbers)
        self._clashing = [1 << i for i in range(len(self._numbers))]  # with itself, so that no pair is of one placement
        for members in sharing:
            for i in _bits(members):
                self._clashing[i] |= members
        self._by_rule = list(self._clashing)
        index = {p: i for i, p in enumerate(self._numbers)}
        for p, q in excluded:
            self._exclude(index[p], 1 << index[q])
        self._alive = (1 << len(self._numbers)) - 1
        self._work = MOST_WORK // max(len(self._numbers) * len(self._needs), 1)
        self._found = 0
        for _ in range(ROUNDS):
            if not self._round():
                break

    @property
    def kept(self) -> list[int]:
        return [self._numbers[i] for i in _bits(self._alive)]

    def pairs(self) -> Iterator[tuple[int, int]]:
        for i in _bits(self._alive):
            later = self._alive >> i << i
            for j in _bits(self._clashing[i] & ~self._by_rule[i] & later):
                yield self._numbers[i], self._numbers[j]

    def _round(self) -> bool:
        """Whether anything was found."""
        before = self._found, self._alive
        for i in _bits(self._alive):
            if self._work <= 0 or self._found > MOST_PAIRS:
                return False
            self._work -= 1
            found = self._starved_with(i)
            if found is None:
                self._alive &= ~(1 << i)
            else:
                self._found += found.bit_count()
                self._exclude(i, found)
        return before != (self._found, self._alive)

    def _starved_with(self, i: int) -> int | None:
        """Those that starve a need together with i; None if i does so by itself."""
        clashing, me = self._clashing, 1 << i
        free = self._alive & ~clashing[i]
        found = 0
        for need in self._needs:
            if need & me:
                continue
            left = need & free
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
                    found |= 1 << suspect
                    suspects ^= 1 << suspect
        return found

    def _exclude(self, i: int, others: int) -> None:
        self._clashing[i] |= others
        for j in _bits(others):
            self._clashing[j] |= 1 << i


def _needs_and_sharing(puzzle: Tiling, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """The sets of placements of which at least one is used, and those of which at most one is."""
    at_cell = dict.fromkeys(puzzle.coverable, 0)
    of_piece = [0] * len(puzzle.pieces)
    for i, p in enumerate(numbers):
        placement = puzzle.placements[p]
        of_piece[placement.piece] |= 1 << i
        for cell in placement.cells:
            at_cell[cell] |= 1 << i
    needs = [at_cell[cell] for cell in puzzle.coverable if cell in puzzle.must_cover]
    sharing = list(at_cell.values())
    bounded = [(of_piece[n], piece.least, piece.most) for n, piece in enumerate(puzzle.pieces)]
    for group in open_groups(puzzle):
        members = 0
        for n in group.pieces:
            members |= of_piece[n]
        bounded.append((members, group.least, group.most))
    needs += [members for members, least, _ in bounded if least]
    sharing += [members for members, _, most in bounded if most == 1]
    return needs, sharing


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
