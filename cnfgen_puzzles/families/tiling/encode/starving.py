"""Placements of a tiling that starve a cell or a piece; `formula.dead_ends` says what that is, and why no solution is lost.

Two placements *clash* if they share a cell, are of a piece that is used at most once, or of a group of which one piece is used
at most. *Needs* are the placements on a cell that must be covered, those of a piece, or of a group, that must be used.
Dead regions (`regions`) of fewer cells than any piece has are starving cells; most larger ones show in the second round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cnfgen_puzzles.families.tiling.model.colouring import open_groups
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.formula import dead_ends
from cnfgen_puzzles.formula.dead_ends import bits


class Starving:
    """What starves among these placements (numbers of the puzzle), of which pairs in `excluded` are known to exclude each other.

    `kept` are those that can be used, as far as this shows; `pairs` yields p < q that exclude each other and do not clash by
    themselves, those of `excluded` among them; `later` yields each p with all such q.
    """

    def __init__(self, puzzle: Tiling, numbers: Sequence[int], excluded: Iterable[tuple[int, int]] = ()):
        self._numbers = sorted(numbers)
        needs, sharing = _needs_and_sharing(puzzle, self._numbers)
        self._by_rule = [1 << i for i in range(len(self._numbers))]
        for members in sharing:
            for i in bits(members):
                self._by_rule[i] |= members
        clashing = list(self._by_rule)
        index = {p: i for i, p in enumerate(self._numbers)}
        for p, q in excluded:
            clashing[index[p]] |= 1 << index[q]
            clashing[index[q]] |= 1 << index[p]
        starved = dead_ends.DeadEnds(needs, clashing)
        self._alive, self._clashing = starved.alive, starved.clashing
        self.kept = [self._numbers[i] for i in bits(self._alive)]

    def pairs(self) -> Iterator[tuple[int, int]]:
        return ((p, q) for p, others in self.later() for q in others)

    def later(self) -> Iterator[tuple[int, list[int]]]:
        for i in bits(self._alive):
            others = self._clashing[i] & ~self._by_rule[i] & (self._alive >> i << i)
            yield self._numbers[i], [self._numbers[j] for j in bits(others)]


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
