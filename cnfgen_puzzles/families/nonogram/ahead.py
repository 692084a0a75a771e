"""Lookahead: a color that a cell cannot have, because line logic would then contradict a line.

The cheapest refutation comes first. Assumptions are followed for one generation of lines (the lines through the cell, then those
through changed cells), then for two, and so on. Of the contradictions in the first generation that has any, the one with the
shortest chain is used, after omitting unnecessary links; then the others, if they are still useful, before new ones are searched.
An assumption that was not refuted is not followed again until one of its examined lines changes. The colors of known solutions
are not assumed, because nothing refutes them. Nested assumptions are tried only if line logic refutes no assumption.

The measure of work is the number of examined lines, so it is the same on every machine, and it has a limit.

A refutation consists of an assumption, a chain of links in order, and the line that they contradict. A link is a line to examine,
or a nested refutation: its cell does not have that color. Replaying the chain shows the effect of each link, so links can be
omitted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from cnfgen_puzzles.families.clued.puzzle import Board
from cnfgen_puzzles.families.nonogram.lines import Can, ColorGrid, several
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.formula.dead_ends import bits

# -- what solutions have ------------------------------------------------------------------------------------------------


class SolutionColors:
    """The colors of cells in the solutions that `boards` finds, after `ask`.

    `had[row]` has, for each color, the cells of the row that have it in a solution, as bits.
    """

    def __init__(self, puzzle: Nonogram, boards: Callable[[], Iterable[Board]] | None):
        self._boards = boards
        self.had: list[Can] = [(0,) * (puzzle.inks + 1) for _ in range(puzzle.height)]

    def ask(self) -> None:
        """Ask once; later calls have no effect."""
        boards, self._boards = self._boards, None
        for board in boards() if boards else ():
            for row, cells in enumerate(board):
                masks = list(self.had[row])
                for column, color in enumerate(cells):
                    masks[color] |= 1 << column
                self.had[row] = tuple(masks)

    @property
    def differing(self) -> int:
        """The cells that have more than one color in the solutions."""
        return sum(several(masks).bit_count() for masks in self.had)


# -- assumptions --------------------------------------------------------------------------------------------------------


class Exhausted(Exception):
    """The limit on examined lines is reached."""


@dataclass
class Work:
    """The number of examined lines, and its limit."""

    most: int
    looks: int = 0
    assumptions: int = 0

    def look(self) -> None:
        self.looks += 1
        if self.looks > self.most:
            raise Exhausted


Assumption = tuple[int, int, int]
"""Row, column, and color of a cell."""


class Refutation(NamedTuple):
    """An assumption whose links lead to a contradicted line."""

    assumption: Assumption
    links: tuple[int | Refutation, ...]
    contradicted: int

    @property
    def lines(self) -> int:
        """The lines that must be examined."""
        return 1 + sum(1 if isinstance(link, int) else link.lines for link in self.links)

    @property
    def reads(self) -> set[int]:
        """The lines that the links examine."""
        inner = (({link} if isinstance(link, int) else link.reads) for link in self.links)
        return {self.contradicted}.union(*inner)


def assume(grid: ColorGrid, assumption: Assumption) -> ColorGrid:
    """A copy of the grid in which the cell has this color."""
    made = grid.copy()
    made.fix(*assumption)
    return made


def crossing(grid: ColorGrid, assumption: Assumption) -> set[int]:
    """The two lines through the cell."""
    return {assumption[0], grid.lines.height + assumption[1]}


class Following:
    """Line logic from an assumption: followed to a contradicted line, or without one so far.

    `waiting` are the next lines to examine, empty if there are no further consequences; `seen` are the examined lines, as bits.
    """

    def __init__(self, grid: ColorGrid, assumption: Assumption):
        self.assumption, self.grid, self.waiting = assumption, assume(grid, assumption), crossing(grid, assumption)
        self.links: list[int | Refutation] = []
        self.contradicted: int | None = None
        self.generation = self.seen = 0

    def go_on(self, generations: int, work: Work) -> Following:
        """Continue until the given number of generations is examined."""
        grid = self.grid
        while self.waiting and self.generation < generations:
            self.generation += 1
            following: set[int] = set()
            for line in sorted(self.waiting):
                work.look()
                self.seen |= 1 << line
                touched = grid.narrow(line)
                if touched is None:
                    self.contradicted = line
                    return self
                if touched:
                    following.update(touched)
                    self.links.append(line)
            self.waiting = following
        return self

    def without(self, refuted: Sequence[Refutation], work: Work) -> Following:
        """The same probe, followed to the end after these nested refutations."""
        self.waiting, self.generation = set(), 0
        for each in refuted:
            row, column, color = each.assumption
            if color in self.grid.colors(row, column):
                self.grid.fix(row, column, color, allowed=False)
                self.links.append(each)
                self.waiting |= crossing(self.grid, each.assumption)
        return self.go_on(1 << 30, work)

    @property
    def refutation(self) -> Refutation:
        assert self.contradicted is not None
        return Refutation(self.assumption, tuple(self.links), self.contradicted)


def replay(grid: ColorGrid, refutation: Refutation, work: Work) -> Refutation | None:
    """The refutation replayed in this grid, up to the first contradicted line, without links that affect no later line; None if
    no line is contradicted."""
    assumption, made = refutation.assumption, assume(grid, refutation.assumption)
    kept: list[tuple[int | Refutation, Collection[int]]] = []
    for link in refutation.links:
        if isinstance(link, int):
            work.look()
            touched = made.narrow(link)
            if touched is None:
                return _slice(assumption, kept, link)
            if touched:
                kept.append((link, touched))
            continue
        row, column, color = link.assumption
        left = made.colors(row, column)
        again = replay(made, link, work) if color in left else None
        if again is not None and len(left) == 1:  # it is known already: its contradiction is one of the assumption itself
            return replay(grid, Refutation(assumption, (*(link for link, _ in kept), *again.links), again.contradicted), work)
        if again is not None:
            made.fix(row, column, color, allowed=False)
            kept.append((again, crossing(made, again.assumption)))
    work.look()
    return _slice(assumption, kept, refutation.contradicted) if made.narrow(refutation.contradicted) is None else None


def _slice(assumption: Assumption, links: Sequence[tuple[int | Refutation, Collection[int]]], contradicted: int) -> Refutation:
    """The links, each with the lines that it changed, on which the contradicted line depends."""
    needed, found = {contradicted}, []
    for link, touched in reversed(links):
        if not needed.isdisjoint(touched):
            found.append(link)
            needed |= {link} if isinstance(link, int) else link.reads
    return Refutation(assumption, tuple(reversed(found)), contradicted)


def shorten(grid: ColorGrid, refutation: Refutation, work: Work) -> Refutation:
    """The refutation without unnecessary links: none of the remaining links can be omitted."""
    found = replay(grid, refutation, work)
    assert found is not None
    needed = 0  # links at the end
    while needed < len(found.links):
        place = len(found.links) - 1 - needed
        fewer = replay(grid, found._replace(links=found.links[:place] + found.links[place + 1 :]), work)
        if fewer is None:
            needed += 1
        else:
            found = fewer
    if any(isinstance(link, Refutation) for link in found.links):
        made, links = assume(grid, found.assumption), list[int | Refutation]()
        for link in found.links:
            if isinstance(link, int):
                made.narrow(link)
                links.append(link)
            else:
                links.append(shorten(made, link, work))
                made.fix(*link.assumption, allowed=False)
        found = replay(grid, found._replace(links=tuple(links)), work)
        assert found is not None
    return found


# -- looking ahead ------------------------------------------------------------------------------------------------------

GENERATIONS = (2, 3, 4, 6, 10, 1 << 30)
"""The generations up to which assumptions are followed, in order."""
SHORTENED = 8
"""The number of contradictions of one generation, those with the shortest chains, that are shortened to find the shortest."""
PATIENCE = 10_000
"""The number of examined lines after which solutions are requested."""


class LookingAhead:
    """Finds the next step by lookahead in a growing grid; call `changed` for changed lines."""

    def __init__(self, work: Work, depth: int, solutions: SolutionColors | None = None):
        self.work, self.depth, self.solutions = work, depth, solutions
        self._nowhere: dict[Assumption, tuple[int, int]] = {}  # assumptions: followed generations, examined lines
        self._changed = 0  # lines that changed since then
        self._refuted: dict[Assumption, Refutation] = {}  # not reported yet
        self._withstood: Counter[Assumption] = Counter()  # how often nested lookahead did not refute them

    def changed(self, lines: Collection[int]) -> None:
        """Record that these lines changed; assumptions that examined them may have more consequences now."""
        for line in lines:
            self._changed |= 1 << line

    def next_step(self, grid: ColorGrid) -> Refutation | None:
        """The cheapest refutation with one assumption; else the first one with nested assumptions. None if there is none up to
        the depth; Exhausted if the limit on lines is reached."""
        found = self._cheapest(grid)
        if found is None:
            self._refuted.update((each.assumption, each) for each in self._refutations(grid))
            found = self._cheapest(grid)
        return found

    def _cheapest(self, grid: ColorGrid) -> Refutation | None:
        """Of the refuted assumptions that are still open, the one with the shortest chain; of several, the one after which lines
        determine most."""
        self._refuted = {(r, c, color): each for (r, c, color), each in self._refuted.items() if color in grid.colors(r, c)}
        first = sorted(self._refuted.values(), key=lambda each: each.lines)[:SHORTENED]
        found = [shorten(grid, each, self.work) for each in first]
        return min(found, key=lambda each: (each.lines, _left_open(grid, each.assumption)), default=None)

    def _refutations(self, grid: ColorGrid) -> list[Refutation]:
        """The refutations of the first generation that has any; else one with nested assumptions; else none."""
        self._nowhere = {key: followed for key, followed in self._nowhere.items() if not followed[1] & self._changed}
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

    def _to_refute(self, grid: ColorGrid) -> Iterator[Assumption]:
        """The colors of open cells that no known solution has."""
        for row in range(grid.lines.height):
            if several := grid.open_in(row):
                had = self.solutions.had[row] if self.solutions else (0,) * grid.lines.colors
                masks = [mask & ~other & several for mask, other in zip(grid.can[row], had, strict=True)]
                for column in bits(several):
                    yield from ((row, column, color) for color, mask in enumerate(masks) if mask >> column & 1)

    def _contradictions(
        self, grid: ColorGrid, generations: int, begun: dict[Assumption, Following], assumptions: Iterator[Assumption]
    ) -> Iterator[Refutation]:
        """The assumptions that line logic refutes in this number of generations; `begun` keeps those followed for fewer."""
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
            else:  # nor can a contradiction follow from it, and less follows from it
                for each in chain([key], _decided(grid, followed.grid)):
                    self._nowhere[each] = (GENERATIONS[-1], followed.seen)

    def _nested(self, grid: ColorGrid, depth: int) -> Refutation | None:
        """The first assumption that nested lookahead refutes. Assumptions that determine most cells come first, those tried
        before come last."""
        if self.solutions:
            self.solutions.ask()
        followed = [Following(grid, key).go_on(GENERATIONS[-1], self.work) for key in self._to_refute(grid)]
        followed.sort(key=lambda each: (self._withstood[each.assumption], each.grid.open, each.assumption))
        if (
            followed and self.solutions
        ):  # nothing refutes the colors of solutions, here or within assumptions that change nothing there
            had = ((row, column, c) for row, column in grid.open_cells() for c in grid.colors(row, column))
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
        """Continue a finished probe by lookahead and line logic in turn until a line is contradicted; False if they end without a
        contradiction."""
        while found := self._refutations(followed.grid):
            before = followed.grid.copy()
            if followed.without(found, self.work).contradicted is not None:
                return True
            self.changed(_differing(before, followed.grid))
        return False


def _left_open(grid: ColorGrid, assumption: Assumption) -> int:
    """The cells that are open after the refutation and line logic."""
    made = grid.copy()
    made.fix(*assumption, allowed=False)
    return made.narrow_all(crossing(grid, assumption)).grid.open


def _differing(before: ColorGrid, after: ColorGrid) -> list[int]:
    """The lines in which more is known after than before."""
    return [line for line, (old, new) in enumerate(zip(before.can, after.can, strict=True)) if old != new]


def _decided(before: ColorGrid, after: ColorGrid) -> Iterator[Assumption]:
    """The cells that are open before and not after, with their color."""
    for row in range(before.lines.height):
        if before.can[row] != after.can[row]:
            new = before.open_in(row) & ~after.open_in(row)
            yield from ((row, column, color) for color, mask in enumerate(after.can[row]) for column in bits(mask & new))
