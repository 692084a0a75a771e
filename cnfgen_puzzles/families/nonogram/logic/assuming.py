"""An assumption followed by line logic to a contradiction, and what of that way is needed.

A refutation is an assumption, the links of a chain in order, and the line that is contradicted after them. A link is a line that
is looked at, or another refutation, made within the assumption: its cell has not that colour. What a link gives is seen by
replaying the chain, so that links can be left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cnfgen_puzzles.families.nonogram.logic.propagation import ColourGrid
from cnfgen_puzzles.families.nonogram.logic.steps import AheadStep, LineStep, Step, news


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


class Refutation(NamedTuple):
    """The assumption leads to the contradicted line by these links."""

    assumption: Assumption
    links: tuple[int | Refutation, ...]
    contradicted: int

    @property
    def lines(self) -> int:
        """The lines to be thought through."""
        return 1 + sum(1 if isinstance(link, int) else link.lines for link in self.links)

    @property
    def reads(self) -> set[int]:
        """The lines that are looked at on the way."""
        inner = (({link} if isinstance(link, int) else link.reads) for link in self.links)
        return {self.contradicted}.union(*inner)


def assumed(grid: ColourGrid, assumption: Assumption) -> ColourGrid:
    """A copy of the grid in which the cell has this colour."""
    made = grid.copy()
    made.fix(*assumption)
    return made


def crossing(grid: ColourGrid, assumption: Assumption) -> set[int]:
    """The two lines of the cell."""
    return {assumption[0], grid.lines.height + assumption[1]}


class Following:
    """Line logic from an assumption on, as far as it was followed: to a contradicted line, or to nothing yet.

    `waiting` are the lines to look at next, none where nothing follows any more; `seen` those looked at, as bits.
    """

    def __init__(self, grid: ColourGrid, assumption: Assumption):
        self.assumption, self.grid, self.waiting = assumption, assumed(grid, assumption), crossing(grid, assumption)
        self.links: list[int | Refutation] = []
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
        """The same, followed to the end after these refutations within it."""
        self.waiting, self.generation = set(), 0
        for each in refuted:
            row, column, colour = each.assumption
            if colour in self.grid.colours(row, column):
                self.grid.fix(row, column, colour, allowed=False)
                self.links.append(each)
                self.waiting |= crossing(self.grid, each.assumption)
        return self.go_on(1 << 30, work)

    @property
    def refutation(self) -> Refutation:
        assert self.contradicted is not None
        return Refutation(self.assumption, tuple(self.links), self.contradicted)


def replayed(grid: ColourGrid, refutation: Refutation, work: Work) -> Refutation | None:
    """The refutation as it comes out in this grid, up to the first line that is contradicted, without links that give nothing to
    any line after them; None if no line is contradicted."""
    assumption, made = refutation.assumption, assumed(grid, refutation.assumption)
    kept: list[tuple[int | Refutation, Collection[int]]] = []
    for link in refutation.links:
        if isinstance(link, int):
            work.look()
            touched = made.narrow(link)
            if touched is None:
                return _sliced(assumption, kept, link)
            if touched:
                kept.append((link, touched))
            continue
        row, column, colour = link.assumption
        left = made.colours(row, column)
        again = replayed(made, link, work) if colour in left else None
        if again is not None and len(left) == 1:  # it is known already: its contradiction is one of what is assumed here
            return replayed(grid, Refutation(assumption, (*(link for link, _ in kept), *again.links), again.contradicted), work)
        if again is not None:
            made.fix(row, column, colour, allowed=False)
            kept.append((again, crossing(made, again.assumption)))
    work.look()
    return _sliced(assumption, kept, refutation.contradicted) if made.narrow(refutation.contradicted) is None else None


def _sliced(assumption: Assumption, links: Sequence[tuple[int | Refutation, Collection[int]]], contradicted: int) -> Refutation:
    """Of the links, each with the lines in which it changed something, those on which the contradicted line depends."""
    needed, found = {contradicted}, []
    for link, touched in reversed(links):
        if not needed.isdisjoint(touched):
            found.append(link)
            needed |= {link} if isinstance(link, int) else link.reads
    return Refutation(assumption, tuple(reversed(found)), contradicted)


def shortened(grid: ColourGrid, refutation: Refutation, work: Work) -> Refutation:
    """The refutation without whatever its contradiction does not need: no link of its own can be left out."""
    found = replayed(grid, refutation, work)
    assert found is not None
    needed = 0  # links at the end
    while needed < len(found.links):
        place = len(found.links) - 1 - needed
        fewer = replayed(grid, found._replace(links=found.links[:place] + found.links[place + 1 :]), work)
        if fewer is None:
            needed += 1
        else:
            found = fewer
    if any(isinstance(link, Refutation) for link in found.links):
        found = replayed(grid, found._replace(links=_shortened_within(grid, found, work)), work)
        assert found is not None
    return found


def _shortened_within(grid: ColourGrid, refutation: Refutation, work: Work) -> tuple[int | Refutation, ...]:
    """The links, those that are refutations without what they do not need."""
    made, links = assumed(grid, refutation.assumption), list[int | Refutation]()
    for link in refutation.links:
        if isinstance(link, int):
            made.narrow(link)
            links.append(link)
        else:
            links.append(shortened(made, link, work))
            made.fix(*link.assumption, allowed=False)
    return tuple(links)


def as_step(grid: ColourGrid, refutation: Refutation) -> AheadStep:
    """The refutation as a step, with all that its links give."""
    row, column, colour = refutation.assumption
    made, chain = assumed(grid, refutation.assumption), list[Step]()
    for link in refutation.links:
        if isinstance(link, int):
            before = made.can[link]
            made.narrow(link)
            chain.append(LineStep(link, "arrangements", "", news(made, link, before)))
        else:
            chain.append(as_step(made, link))
            made.fix(*link.assumption, allowed=False)
    after = grid.copy()
    after.fix(row, column, colour, allowed=False)
    return AheadStep((row, column), colour, tuple(chain), refutation.contradicted, news(after, row, grid.can[row]))
