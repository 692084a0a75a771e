"""Dead-end elimination: placements, and pairs of placements, that no solution uses. No solution is lost.

A placement or a pair is a *dead end* if it leaves a cell or a piece without any placement (`dead_ends`; `formula.dead_ends`
proves that no solution is lost). A *dead region* (`Regions`) is a part of the board that placements cut off and that the
remaining pieces cannot fill. A dead region with fewer cells than any piece is also a dead end; the second round of elimination
finds most larger ones. A single placement that cuts off a dead region is removed; a pair that does so becomes a binary clause
(a no-good). A region is dead if

* its size is not a sum of sizes of the remaining pieces, or
* it is small, and exhaustive search finds no tiling of it by unused pieces.

Both criteria hold for pieces of any size; cells that may stay empty make a region easier to fill, never harder.
A disconnected piece can fill several regions at once, so a puzzle with such a piece has no dead regions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import mul, sub

from cnfgen_puzzles.families.tiling.puzzle import Tiling, open_groups
from cnfgen_puzzles.formula.dead_ends import DeadEnds, bits

TRIED_OUT = 10
"""The search for a tiling of a region is limited to regions of this many cells (two pentominoes)."""

PAIR_REGION = 8
"""The most cells of a region next to a pair of placements. Larger dead regions are rare and slow to find; a limit of 15 did not
make solvers measurably faster."""


class Regions:
    """Finds dead regions next to placements of the puzzle. Sets of cells are bit masks."""

    def __init__(self, puzzle: Tiling):
        self.puzzle = puzzle
        strides, least = _strides(puzzle), [min(axis) for axis in zip(*puzzle.cells, strict=True)]

        def moved(step: Iterable[int]) -> int:
            return sum(map(mul, strides, step))

        number = {cell: moved(map(sub, cell, least)) for cell in puzzle.cells}
        self.size = len(puzzle.coverable)
        self.shifts = () if any(puzzle.wrap) else tuple({abs(moved(step)) for step in puzzle.lattice.steps})
        self.near = {number[cell]: _mask(number[near] for near in puzzle.neighbours(cell)) for cell in puzzle.cells}
        self.board = _mask(number[cell] for cell in puzzle.coverable)
        self.must = _mask(number[cell] for cell in puzzle.must_cover)
        self.masks = [_mask(number[cell] for cell in placement.cells) for placement in puzzle.placements]
        self.around = [self._beside(mask) & self.board & ~mask for mask in self.masks]
        self.at_cell: dict[int, list[tuple[int, int]]] = {n: [] for n in number.values()}
        for mask, placement in zip(self.masks, puzzle.placements, strict=True):
            for n in bits(mask):
                self.at_cell[n].append((mask, placement.piece))
        self._connected = all(puzzle.lattice.connected(piece.shape) for piece in puzzle.pieces)
        self._sums = lru_cache(maxsize=None)(self._sums_without)
        self._tiled = lru_cache(maxsize=1 << 18)(self._tiled_by)

    # -- no-goods -------------------------------------------------------------------------------------------------------

    def dead_placements(self, numbers: Iterable[int]) -> Iterator[int]:
        """The placements among `numbers` that cut off a dead region."""
        for p in numbers if self._connected else ():
            free = self.board & ~self.masks[p]
            if any(self.is_dead(region, (p,)) for region in self._regions(free, self.around[p] & free, self.board.bit_length())):
                yield p

    def dead_pairs(self, numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Pairs p < q among `numbers`, disjoint and of different copies, that together cut off a dead region."""
        chosen = sorted(numbers) if self._connected else []
        single = [placement.piece for placement in self.puzzle.placements]
        once = [piece.most == 1 for piece in self.puzzle.pieces]
        for i, p in enumerate(chosen):
            mask, around, piece = self.masks[p], self.around[p], single[p]
            for q in chosen[i + 1 :]:
                if mask & self.masks[q] or (single[q] == piece and once[piece]):
                    continue
                free = self.board & ~(mask | self.masks[q])
                seeds = around & self.around[q] & free
                if seeds and any(self.is_dead(region, (p, q)) for region in self._regions(free, seeds, PAIR_REGION)):
                    yield p, q

    def _regions(self, free: int, seeds: int, most: int) -> Iterator[int]:
        """The connected parts of `free` that contain a seed and have at most `most` cells."""
        while seeds:
            region = frontier = seeds & -seeds
            while frontier:
                frontier = self._beside(frontier) & free & ~region
                region |= frontier
                if region.bit_count() > most:
                    break
            else:
                yield region
            seeds &= ~region

    def _beside(self, mask: int) -> int:
        """The neighbors of some cells; some bits of the result may not be cells of the board."""
        found = 0
        if self.shifts:
            for shift in self.shifts:
                found |= mask << shift | mask >> shift
        else:
            for n in bits(mask):
                found |= self.near[n]
        return found

    # -- one region -----------------------------------------------------------------------------------------------------

    def is_dead(self, region: int, used: tuple[int, ...]) -> bool:
        """True if the pieces that remain after the placements `used` cannot fill `region`."""
        placements = self.puzzle.placements
        pieces = tuple(sorted(placements[p].piece for p in used))
        least, most = (region & self.must).bit_count(), region.bit_count()
        sums = self._sums(pieces)
        if not any(sums >> size & 1 for size in range(least, most + 1)):
            return True
        if most > TRIED_OUT or least < most:
            return False
        most_of = {n: self.puzzle.pieces[n].most for n in pieces}
        gone = _mask(n for n, bound in most_of.items() if bound is not None and pieces.count(n) >= bound)
        return not any(not gone & needed for needed in self._tiled(region))

    def _sums_without(self, used: tuple[int, ...]) -> int:
        """All sums of sizes of the pieces without `used`, as a mask with the bits 0 .. cells of the board."""
        sums, counts = 1, Counter(used)
        limit = (1 << (self.size + 1)) - 1
        for number, piece in enumerate(self.puzzle.pieces):
            copies = self.size // piece.size if piece.most is None else piece.most - counts[number]
            for _ in range(min(copies, self.size // piece.size)):
                sums |= sums << piece.size & limit
        return sums

    def _tiled_by(self, region: int) -> tuple[int, ...]:
        """The sets of pieces, as masks, that tile a small region; no piece is used more often than its bound."""
        found: set[int] = set()
        self._tile(region, 0, Counter(), found)
        return tuple(found)

    def _tile(self, left: int, needed: int, counts: Counter[int], found: set[int]) -> None:
        if not left:
            found.add(needed)
            return
        first = (left & -left).bit_length() - 1
        for mask, piece in self.at_cell[first]:
            most = self.puzzle.pieces[piece].most
            if mask & ~left or (most is not None and counts[piece] >= most):
                continue
            counts[piece] += 1
            self._tile(left & ~mask, needed | 1 << piece, counts, found)
            counts[piece] -= 1


def _strides(puzzle: Tiling) -> list[int]:
    """The number of bits by which a step along each axis shifts a cell; constant except around a ring, because each row has the
    width of the board and a spare cell, and so on."""
    reach = max(abs(x) for step in puzzle.lattice.steps for x in step)
    strides: list[int] = []
    stride = 1
    for axis in reversed(list(zip(*puzzle.cells, strict=True))):
        strides.insert(0, stride)
        stride *= max(axis) - min(axis) + 1 + reach
    return strides


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for n in numbers:
        mask |= 1 << n
    return mask


# -- dead ends ----------------------------------------------------------------------------------------------------------


def dead_ends(
    puzzle: Tiling, numbers: Sequence[int], excluded: Iterable[tuple[int, int]] = ()
) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """The dead ends among these placements (numbers of the puzzle); the pairs in `excluded` are known to exclude each other.

    Two placements *clash* if they share a cell, belong to a piece that is used at most once, or belong to a group of which at
    most one piece is used. A *need* is a set of placements of which at least one is used: those on a cell that must be covered,
    those of a piece that must be used, or those of a group that must be used.

    The result is the placements that remain, and each p of them with all q > p that exclude it (the pairs in `excluded`
    included) without clashing with it.
    """
    numbers = sorted(numbers)
    needs, sharing = _needs_and_sharing(puzzle, numbers)
    by_rule = [1 << i for i in range(len(numbers))]
    for members in sharing:
        for i in bits(members):
            by_rule[i] |= members
    clashing = list(by_rule)
    index = {p: i for i, p in enumerate(numbers)}
    for p, q in excluded:
        clashing[index[p]] |= 1 << index[q]
        clashing[index[q]] |= 1 << index[p]
    found = DeadEnds(needs, clashing)
    kept = list(bits(found.alive))
    later = [(i, found.clashing[i] & ~by_rule[i] & (found.alive >> i << i)) for i in kept]
    return [numbers[i] for i in kept], [(numbers[i], [numbers[j] for j in bits(others)]) for i, others in later]


def _needs_and_sharing(puzzle: Tiling, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """The sets of placements of which at least one is used, and the sets of which at most one is used."""
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
