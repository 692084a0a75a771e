"""What makes a picture's nonogram ambiguous: where two solutions differ, where line logic is stuck, and which cells decide that.

Let a line of the picture X and one of another solution Y differ. A window is a run of neighbouring cells in which both have the
same blocks and, at each of its ends, either the same cell or the end of the line. Then, whatever stands outside of the window,
exchanging what X has in it for what Y has gives a line with the same clue. So where a set of cells D is made of whole windows in
all rows and columns, every picture that agrees with X in the windows has a second solution, which differs from it in D alone: a
picture with one solution differs from X in some cell of the windows of D. Those cells are the flaw's decisive ones.

Line logic is stuck in a set S of cells if, with all other cells known, each cell of S has in its row and in its column an
arrangement that gives it another value. Such an arrangement again differs from X in windows, and with the same argument every
picture that agrees with X in these is stuck in S too, at least.

>>> from cnfgen_puzzles.families.nonogram.puzzle import runs
>>> list(windows((1, 0, 0, 1, 1, 0, 1), (0, 1, 0, 1, 1, 0, 1)))
[range(0, 3)]
>>> sorted(*(flaw.decisive for flaw in MAKING.flaws(((1, 0), (0, 1)), ((0, 1), (1, 0)))))
[(0, 0), (0, 1), (1, 0), (1, 1)]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.families.capabilities import Flaw, Making, Place
from cnfgen_puzzles.families.family import Generator
from cnfgen_puzzles.families.nonogram.encodings import ink_literals
from cnfgen_puzzles.families.nonogram.generators import DRAWN
from cnfgen_puzzles.families.nonogram.logic.propagation import propagate
from cnfgen_puzzles.families.nonogram.palette import Palette
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram, clues_of, runs
from cnfgen_puzzles.formula import Block

Cells = Sequence[int]
"""The values of a line's cells."""


class NonogramMaking(Making):
    """Nonograms of pictures."""

    def puzzle(self, picture: Board, values: Sequence[str] = (), about: Mapping[str, str] | None = None) -> Nonogram:
        palette = Palette()
        for number, value in enumerate(values[1:]):
            palette.add(str(number), "", value)
        colours = palette.colours(values[0]) if values else ()
        if not colours:
            picture = tuple(tuple(map(bool, row)) for row in picture)
        return replace(clues_of(picture, colours), about=dict(about or {}))

    @property
    def generators(self) -> Mapping[str, Generator]:
        return DRAWN

    def picture(self, puzzle: Nonogram) -> tuple[Board, tuple[str, ...]] | None:
        return None if puzzle.goal is None else (puzzle.goal, tuple(colour.value for colour in puzzle.colours))

    def literals(self, puzzle: Nonogram, blocks: Mapping[str, Block], place: Place, value: int) -> list[int]:
        return ink_literals(blocks["cell"], *place, value)

    def flaws(self, picture: Board, other: Board) -> list[Flaw]:
        parts = _Parts()
        for line, (cells, others) in _lines(picture, other):
            for window in windows(cells, others):
                places = [line[q] for q in window]
                parts.join([line[q] for q in window if cells[q] != others[q]], places)
        return parts.flaws()

    def open_cells(self, puzzle: Nonogram) -> frozenset[Place]:
        return frozenset(propagate(puzzle, ()).grid.open_cells())

    def stuck(self, picture: Board, left: Collection[Place]) -> list[Flaw]:
        needs: dict[Place, set[Place]] = {place: set() for place in left}
        decisive: dict[Place, set[Place]] = {place: set() for place in left}
        for line, (cells, _) in _lines(picture, picture):
            free = [place in needs for place in line]
            for q, place in enumerate(line):
                if free[q]:
                    nearest = nearest_arrangement(cells, free, q)
                    needs[place].update(line[p] for p in range(len(line)) if nearest[p] != cells[p])
                    decisive[place].update(line[p] for window in windows(cells, nearest) for p in window)
        return [
            Flaw(frozenset(part), frozenset(cell for place in part for cell in decisive[place])) for part in closed_parts(needs)
        ]


MAKING = NonogramMaking()


def _lines(picture: Board, other: Board) -> Iterator[tuple[list[Place], tuple[Cells, Cells]]]:
    """The rows and the columns of both, each with the places of its cells."""
    height, width = len(picture), len(picture[0])
    for r, pair in enumerate(zip(picture, other, strict=True)):
        yield [(r, c) for c in range(width)], pair
    for c, columns in enumerate(zip(zip(*picture, strict=True), zip(*other, strict=True), strict=True)):
        yield [(r, c) for r in range(height)], columns


def windows(cells: Cells, others: Cells) -> Iterator[range]:
    """The windows, as short as they can be, outside of which two lines with the same clue are equal."""
    size, q = len(cells), 0
    while q < size:
        if cells[q] == others[q]:
            q += 1
            continue
        first = max(q - 1, 0)
        end = q + 1
        while end < size and (cells[end] != others[end] or runs(cells[first : end + 1]) != runs(others[first : end + 1])):
            end += 1
        end = min(end + 1, size)
        yield range(first, end)
        q = end


class _Parts:
    """Differing cells in the parts that windows join, with the cells of the windows."""

    def __init__(self) -> None:
        self._leader: dict[Place, Place] = {}
        self._windows: list[tuple[Place, list[Place]]] = []

    def _lead(self, place: Place) -> Place:
        while (leader := self._leader.setdefault(place, place)) != place:
            place = leader
        return place

    def join(self, differing: Sequence[Place], window: list[Place]) -> None:
        for place in differing:
            self._leader[self._lead(place)] = self._lead(differing[0])
        self._windows.append((differing[0], window))

    def flaws(self) -> list[Flaw]:
        parts: dict[Place, tuple[set[Place], set[Place]]] = {}
        for place in self._leader:
            parts.setdefault(self._lead(place), (set(), set()))[0].add(place)
        for place, window in self._windows:
            parts[self._lead(place)][1].update(window)
        return [Flaw(frozenset(differing), frozenset(decisive)) for differing, decisive in parts.values()]


# -- where line logic is stuck --------------------------------------------------------------------------------------------


def nearest_arrangement(cells: Cells, free: Sequence[bool], turned: int) -> list[int]:
    """The arrangement of the line's own clue that gives the cell `turned` another value and differs from the line in the fewest
    cells, all of them `free`. There must be one.

    States are the cells of the tightest line, a gap before, between and after the blocks; between two blocks of different
    colours it may be left out.
    """
    letters = [0]
    for length, colour in runs(cells):
        letters += [*[colour] * length, 0]
    steps = [tuple(_steps(letters, state)) for state in range(len(letters))]
    infinite = len(cells) + 1
    costs: list[list[int]] = []
    came: list[list[int]] = []
    before = [0] + [infinite] * (len(letters) - 1)  # in the first gap, before the first cell
    for q, value in enumerate(cells):
        after, origin = [infinite] * len(letters), [-1] * len(letters)
        for state, cost in enumerate(before):
            if cost < infinite:
                for target in steps[state]:
                    differs = letters[target] != value
                    if (differs and not free[q]) or (q == turned and not differs):
                        continue
                    if cost + differs < after[target]:
                        after[target], origin[target] = cost + differs, state
        costs.append(after)
        came.append(origin)
        before = after
    last = len(letters) - 1
    ends = [last, last - 1] if last else [0]
    state = min(ends, key=lambda state: before[state])
    found = []
    for origin in reversed(came):
        found.append(letters[state])
        state = origin[state]
    return found[::-1]


def _steps(letters: Sequence[int], state: int) -> Iterator[int]:
    """The states that can follow: a gap may last, and one between two colours may be left out."""
    if not letters[state]:
        yield state
    if state + 1 < len(letters):
        yield state + 1
    if letters[state] and state + 2 < len(letters) and not letters[state + 1] and letters[state + 2] != letters[state]:
        yield state + 2


def closed_parts(needs: Mapping[Place, Collection[Place]]) -> list[set[Place]]:
    """The smallest sets that hold, with a cell, all that it needs.

    >>> closed_parts({(0, 0): [(0, 1)], (0, 1): [(0, 2)], (0, 2): [(0, 1)]})
    [{(0, 1), (0, 2)}]
    """
    places = list(needs)
    bit = {place: 1 << number for number, place in enumerate(places)}
    reached = {place: sum(bit[other] for other in needs[place]) | bit[place] for place in places}
    grown = True
    while grown:
        grown = False
        for place in places:
            more = reached[place]
            for other in needs[place]:
                more |= reached[other]
            grown |= more != reached[place]
            reached[place] = more
    parts = {mask: {place for place in places if mask & bit[place]} for mask in set(reached.values())}
    return [part for mask, part in parts.items() if all(reached[place] == mask for place in part)]
