"""Looking ahead: a colour that a cell cannot have, because line logic then contradicts some line.

The cheapest is looked for first: assumptions are followed for one generation of lines (those that cross the cell, then those that
cross where something changed), then for two, and so on; of the contradictions in the first generation that has some, the one
with the shortest chain is taken, after whatever it does not need was left out, and the others after it, as far as they are still
of use, before new ones are looked for. An assumption that led nowhere is not followed again before a line changes that was looked
at for it. Only where line logic refutes no assumption is one looked at within another.

Work is counted in lines looked at: so much is done on every machine, and no more than is allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from cnfgen_puzzles.families.nonogram.logic.propagation import Grid
from cnfgen_puzzles.families.nonogram.logic.steps import AheadStep, LineStep, Step, news

GENERATIONS = (2, 3, 4, 6, 10, 1 << 30)
"""How far assumptions are followed, one after the other."""
SHORTENED = 8
"""So many contradictions of one generation are shortened, those with the shortest chains, to find the shortest."""


class Exhausted(Exception):
    """No more lines may be looked at."""


@dataclass
class Work:
    """Lines looked at, and how many may be."""

    most: int
    looks: int = 0
    assumptions: int = 0

    def look(self) -> None:
        self.looks += 1
        if self.looks > self.most:
            raise Exhausted


Assumption = tuple[int, int, int]
"""Row, column and colour of a cell."""


def assumed(grid: Grid, assumption: Assumption) -> tuple[Grid, set[int]]:
    """A copy of the grid in which the cell has this colour, and the two lines to look at."""
    made = grid.copy()
    made.fix(*assumption)
    row, column, _ = assumption
    return made, {row, grid.lines.height + column}


class Following:
    """Line logic from an assumption (or any change) on, as far as it was followed: to a contradicted line, or to nothing yet.

    `waiting` are the lines to look at next, none where nothing follows any more; `seen` those looked at, as bits.
    """

    def __init__(self, grid: Grid, waiting: set[int]):
        self.grid, self.waiting = grid, waiting
        self.steps: list[Step] = []
        self.contradicted: int | None = None
        self.generation = self.seen = 0

    def go_on(self, generations: int, work: Work) -> Following:
        """Until so many generations of lines were looked at."""
        grid = self.grid
        while self.waiting and self.generation < generations:
            self.generation += 1
            following: set[int] = set()
            for line in sorted(self.waiting):
                work.look()
                self.seen |= 1 << line
                before = grid.can[line]
                touched = grid.narrow(line)
                if touched is None:
                    self.contradicted = line
                    return self
                if touched:
                    following.update(touched)
                    self.steps.append(LineStep(line, "arrangements", "", news(grid, line, before)))
            self.waiting = following
        return self


def shortened(grid: Grid, assumption: Assumption, followed: Following, work: Work) -> AheadStep:
    """The refuted assumption as a step, without whatever its contradiction does not need."""
    assert followed.contradicted is not None
    links = list(followed.steps)
    found = replayed(grid, assumption, links, followed.contradicted, work)
    for place in range(len(links) - 1, -1, -1):
        fewer = links[:place] + links[place + 1 :]
        if enough := replayed(grid, assumption, fewer, followed.contradicted, work):
            links, found = fewer, enough
    assert found is not None
    row, column, colour = assumption
    after = grid.copy()
    after.fix(row, column, colour, allowed=False)
    return AheadStep((row, column), colour, *found, news(after, row, grid.can[row]))


def replayed(
    grid: Grid, assumption: Assumption, links: Sequence[Step], contradicted: int, work: Work
) -> tuple[tuple[Step, ...], int] | None:
    """The steps as they come out when only these are done, without those that give nothing then, and the line that is
    contradicted after them: this one, or one of theirs where more is known than when they were found. None if none is."""
    made, _ = assumed(grid, assumption)
    chain: list[Step] = []
    for link in links:
        if isinstance(link, LineStep):
            work.look()
            before = made.can[link.line]
            touched = made.narrow(link.line)
            if touched is None:
                return tuple(chain), link.line
            if touched:
                chain.append(replace(link, cells=news(made, link.line, before)))
        elif link.colour in made.colours(*link.cell):
            again = replayed(made, (*link.cell, link.colour), link.chain, link.contradicted, work)
            if again is not None:
                before = made.can[link.cell[0]]
                made.fix(*link.cell, link.colour, allowed=False)
                chain.append(replace(link, chain=again[0], contradicted=again[1], cells=news(made, link.cell[0], before)))
    work.look()
    return (tuple(chain), contradicted) if made.narrow(contradicted) is None else None


class LookingAhead:
    """Finds the next step by looking ahead, in a grid that grows; `changed` tells it which lines did."""

    def __init__(self, work: Work, depth: int):
        self.work, self.depth = work, depth
        self._nowhere: dict[Assumption, tuple[int, int]] = {}  # assumptions: generations followed, lines seen
        self._refuted: dict[Assumption, Following] = {}  # not told yet

    def changed(self, lines: Collection[int]) -> None:
        """These lines are not what they were: what was looked at with them may lead further now."""
        mask = sum(1 << line for line in lines)
        self._nowhere = {key: told for key, told in self._nowhere.items() if not told[1] & mask}

    def next_step(self, grid: Grid) -> AheadStep | None:
        """The cheapest step by one assumption; where there is none, the first that is found with assumptions within. None if
        there is none up to the depth; Exhausted if too many lines would have to be looked at."""
        if step := self._cheapest_refuted(grid):
            return step
        begun: dict[Assumption, Following] = {}
        for generations in GENERATIONS if self.depth else ():
            self._refuted.update(self._contradictions(grid, generations, begun))
            if step := self._cheapest_refuted(grid):
                return step
        for depth in range(2, self.depth + 1):
            if step := self._nested(grid, depth):
                return step
        return None

    def _cheapest_refuted(self, grid: Grid) -> AheadStep | None:
        """Of the assumptions that were refuted and are still open, the one with the shortest chain; of several such, the one
        after which lines tell most."""
        self._refuted = {(r, c, colour): each for (r, c, colour), each in self._refuted.items() if colour in grid.colours(r, c)}
        shortest = sorted(self._refuted.items(), key=lambda pair: len(pair[1].steps))[:SHORTENED]
        steps = [shortened(grid, assumption, followed, self.work) for assumption, followed in shortest]
        return min(steps, key=lambda step: (step.lines, _left_open(grid, step)), default=None)

    def _contradictions(
        self, grid: Grid, generations: int, begun: dict[Assumption, Following]
    ) -> Iterator[tuple[Assumption, Following]]:
        """The assumptions that line logic refutes in so many generations; those of fewer are in `begun` as far as they went."""
        for row, column in list(grid.open_cells()):
            for colour in grid.colours(row, column):
                key = (row, column, colour)
                if self._nowhere.get(key, (0, 0))[0] >= generations:
                    continue
                if key not in begun:
                    self.work.assumptions += 1
                    begun[key] = Following(*assumed(grid, key))
                followed = begun[key].go_on(generations, self.work)
                if followed.contradicted is not None:
                    yield key, followed
                elif followed.waiting:
                    self._nowhere[key] = (generations, followed.seen)
                else:  # nor will anything contradict what follows from it, and less follows from that
                    for each in (key, *_decided(followed.steps)):
                        self._nowhere[each] = (GENERATIONS[-1], followed.seen)

    def _nested(self, grid: Grid, depth: int) -> AheadStep | None:
        """The first assumption that is refuted by looking ahead within it; those that decide most cells are tried first."""
        tries = []
        for row, column in grid.open_cells():
            for colour in grid.colours(row, column):
                followed = Following(*assumed(grid, (row, column, colour))).go_on(GENERATIONS[-1], self.work)
                tries.append((followed.grid.open, (row, column, colour), followed))
        tries.sort(key=lambda each: each[:2])
        for _, assumption, followed in tries:
            inner = LookingAhead(self.work, depth - 1)
            inner._nowhere = self._nowhere  # what leads nowhere here does so there too, where the assumption changed nothing
            inner.changed({assumption[0], grid.lines.height + assumption[1]} | _lines_of(grid, followed.steps))
            if _refuted(followed, inner):
                return shortened(grid, assumption, followed, self.work)
        return None


def _left_open(grid: Grid, step: AheadStep) -> int:
    """The cells that are open after the step and line logic."""
    made = grid.copy()
    made.fix(*step.cell, step.colour, allowed=False)
    return made.narrow_all([step.cell[0], grid.lines.height + step.cell[1]]).grid.open


def _decided(steps: Sequence[Step]) -> Iterator[Assumption]:
    """The cells that the steps decided, and how."""
    return ((cell.row, cell.column, cell.colour) for step in steps for cell in step.cells if cell.colour is not None)


def _refuted(followed: Following, inner: LookingAhead) -> bool:
    """Go on by looking ahead and line logic in turn, until a line is contradicted; False where they end before that."""
    grid, work = followed.grid, inner.work
    while step := inner.next_step(grid):
        row, column = step.cell
        grid.fix(row, column, step.colour, allowed=False)
        followed.steps.append(step)
        followed.waiting = {row, grid.lines.height + column}
        inner.changed(followed.waiting)
        done = len(followed.steps)
        followed.generation = 0
        if followed.go_on(GENERATIONS[-1], work).contradicted is not None:
            return True
        inner.changed(_lines_of(grid, followed.steps[done:]))
    return False


def _lines_of(grid: Grid, steps: Sequence[Step]) -> set[int]:
    """All lines that have a cell in which something changed."""
    return {line for step in steps for cell in step.cells for line in (cell.row, grid.lines.height + cell.column)}
