"""Looking ahead: a colour that a cell cannot have, because line logic then contradicts some line.

The cheapest is looked for first: assumptions are followed for one generation of lines (those that cross the cell, then those that
cross where something changed), then for two, and so on; of the contradictions in the first generation that has some, the one
with the shortest chain is taken, after whatever it does not need was left out, and the others after it, as far as they are still
of use, before new ones are looked for. An assumption that led nowhere is not followed again before a line changes that was looked
at for it; what some solution has (`solutions.py`) is not assumed at all, since nothing refutes it. Only where line logic refutes
no assumption is one looked at within another.

Work is counted in lines looked at: so much is done on every machine, and no more than is allowed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain

from cnfgen_puzzles.families.nonogram.logic.assuming import (
    Assumption,
    Following,
    Refutation,
    Work,
    as_step,
    crossing,
    shortened,
)
from cnfgen_puzzles.families.nonogram.logic.propagation import ColourGrid, bits
from cnfgen_puzzles.families.nonogram.logic.solutions import Solutions
from cnfgen_puzzles.families.nonogram.logic.steps import AheadStep

GENERATIONS = (2, 3, 4, 6, 10, 1 << 30)
"""How far assumptions are followed, one after the other."""
SHORTENED = 8
"""So many contradictions of one generation are shortened, those with the shortest chains, to find the shortest."""
PATIENCE = 10_000
"""After so many lines looked at, it is time to ask what solutions have."""


class LookingAhead:
    """Finds the next step by looking ahead, in a grid that grows; `changed` tells it which lines did."""

    def __init__(self, work: Work, depth: int, solutions: Solutions | None = None):
        self.work, self.depth, self.solutions = work, depth, solutions
        self._nowhere: dict[Assumption, tuple[int, int]] = {}  # assumptions: generations followed, lines seen
        self._changed = 0  # lines, since that was true
        self._refuted: dict[Assumption, Refutation] = {}  # not told yet
        self._withstood: Counter[Assumption] = Counter()  # how often looking ahead within them did not refute them

    def changed(self, lines: Collection[int]) -> None:
        """These lines are not what they were: what was looked at with them may lead further now."""
        for line in lines:
            self._changed |= 1 << line

    def next_step(self, grid: ColourGrid) -> AheadStep | None:
        """The cheapest step by one assumption; where there is none, the first that is found with assumptions within. None if
        there is none up to the depth; Exhausted if too many lines would have to be looked at."""
        found = self._cheapest(grid)
        if found is None:
            self._refuted.update((each.assumption, each) for each in self._refutations(grid))
            found = self._cheapest(grid)
        return None if found is None else as_step(grid, found)

    def _cheapest(self, grid: ColourGrid) -> Refutation | None:
        """Of the assumptions that were refuted and are still open, the one with the shortest chain; of several such, the one
        after which lines tell most."""
        self._refuted = {(r, c, colour): each for (r, c, colour), each in self._refuted.items() if colour in grid.colours(r, c)}
        first = sorted(self._refuted.values(), key=lambda each: each.lines)[:SHORTENED]
        found = [shortened(grid, each, self.work) for each in first]
        least = min((each.lines for each in found), default=0)
        shortest = [each for each in found if each.lines == least]
        return (
            min(shortest, key=lambda each: _left_open(grid, each.assumption)) if len(shortest) > 1 else next(iter(shortest), None)
        )

    def _refutations(self, grid: ColourGrid) -> list[Refutation]:
        """Those of the first generation that has some; else one by assumptions within assumptions; else none."""
        self._nowhere = {key: told for key, told in self._nowhere.items() if not told[1] & self._changed}
        self._changed = 0
        begun: dict[Assumption, Following] = {}
        for generations in GENERATIONS if self.depth else ():
            if self.solutions and self.work.looks > PATIENCE:
                self.solutions.ask()
            if found := list(self._contradictions(grid, generations, begun, self._to_refute(grid))):
                return found
        for depth in range(2, self.depth + 1):
            if nested := self._nested(grid, depth):
                return [nested]
        return []

    def _to_refute(self, grid: ColourGrid) -> Iterator[Assumption]:
        """The colours of open cells that no solution is known to have."""
        for row in range(grid.lines.height):
            if several := grid.open_in(row):
                had = self.solutions.had[row] if self.solutions else (0,) * grid.lines.colours
                masks = [mask & ~other & several for mask, other in zip(grid.can[row], had, strict=True)]
                for column in bits(several):
                    yield from ((row, column, colour) for colour, mask in enumerate(masks) if mask >> column & 1)

    def _contradictions(
        self, grid: ColourGrid, generations: int, begun: dict[Assumption, Following], assumptions: Iterator[Assumption]
    ) -> Iterator[Refutation]:
        """Of the assumptions those that line logic refutes in so many generations; those of fewer are in `begun` as far as they
        went."""
        for key in assumptions:
            if self._nowhere.get(key, (0, 0))[0] >= generations:
                continue
            if key not in begun:
                self.work.assumptions += 1
                begun[key] = Following(grid, key)
            followed = begun[key].go_on(generations, self.work)
            if followed.contradicted is not None:
                yield followed.refutation
            elif followed.waiting:
                self._nowhere[key] = (generations, followed.seen)
            else:  # nor will anything contradict what follows from it, and less follows from that
                for each in chain([key], _decided(grid, followed.grid)):
                    self._nowhere[each] = (GENERATIONS[-1], followed.seen)

    def _nested(self, grid: ColourGrid, depth: int) -> Refutation | None:
        """The first assumption that is refuted by looking ahead within it; those that decide most cells are tried first, and
        those last that were tried before."""
        if self.solutions:
            self.solutions.ask()
        followed = [Following(grid, key).go_on(GENERATIONS[-1], self.work) for key in self._to_refute(grid)]
        followed.sort(key=lambda each: (self._withstood[each.assumption], each.grid.open, each.assumption))
        if (
            followed and self.solutions
        ):  # what solutions have leads nowhere: here, and within assumptions that change nothing there
            had = ((row, column, c) for row, column in grid.open_cells() for c in grid.colours(row, column))
            list(self._contradictions(grid, GENERATIONS[-1], {}, had))
        for each in followed:
            within = LookingAhead(self.work, depth - 1)
            within._nowhere = self._nowhere
            within.changed(_differing(grid, each.grid))
            if within.refutes(each):
                return each.refutation
            self._withstood[each.assumption] += 1
        return None

    def refutes(self, followed: Following) -> bool:
        """Go on with what was followed to its end, by looking ahead and line logic in turn, until a line is contradicted; False
        where they end before that."""
        while found := self._refutations(followed.grid):
            before = followed.grid.copy()
            if followed.without(found, self.work).contradicted is not None:
                return True
            self.changed(_differing(before, followed.grid))
        return False


def _left_open(grid: ColourGrid, assumption: Assumption) -> int:
    """The cells that are open once the assumption is refuted, and after line logic."""
    made = grid.copy()
    made.fix(*assumption, allowed=False)
    return made.narrow_all(crossing(grid, assumption)).grid.open


def _differing(before: ColourGrid, after: ColourGrid) -> list[int]:
    """The lines of which more is known after than before."""
    return [line for line, (old, new) in enumerate(zip(before.can, after.can, strict=True)) if old != new]


def _decided(before: ColourGrid, after: ColourGrid) -> Iterator[Assumption]:
    """The cells that are open before and not after, and which colour they have then."""
    for row in range(before.lines.height):
        if before.can[row] != after.can[row]:
            new = before.open_in(row) & ~after.open_in(row)
            yield from ((row, column, colour) for colour, mask in enumerate(after.can[row]) for column in bits(mask & new))
