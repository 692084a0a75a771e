"""A set of mazes of one kind and size, and what a string does to all of them at once: the judge of every string.

The simulation is bit-parallel. For every cell there is one integer whose bit i says that in maze i the walk is there, and for
every cell and direction one whose bit i says that the move is possible in maze i; a move of all walks is then a few operations
on integers of as many bits as there are mazes. `Mazes` is what the rest of the package passes around:

* `mazes.unsolved(string)`: the numbers (from 0) of the mazes that a string does not solve, in the order of the set;
* `mazes.begin()`, `mazes.advance(walks, letters)`, `mazes.open_bits(walks)`: the same step by step, for searches;
* `mazes[i]`, iteration, `len`; `mazes.chosen(numbers)` is a subset in the given order.

Not here: which mazes a grid has (`enumeration.py`), encodings. The tests hold this against a walk in each maze by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cnfgen_puzzles.families.maze.model.grid import DIRECTIONS, LETTERS, Grid, members
from cnfgen_puzzles.families.maze.model.puzzle import THIN, Maze

Entry = tuple[int, int]
"""What tells a maze from the others of its set: `open` and `start`."""


@dataclass(frozen=True)
class Origin:
    """How a set can be made again: all mazes of the grid, by these reductions, and only the first so many of them."""

    reductions: tuple[str, ...]
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Walks:
    """Where the walks in all mazes are: `at[cell]` and `visited[cell]` are sets of mazes."""

    at: tuple[int, ...]
    visited: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Mazes(Sequence[Maze]):
    """Mazes of one kind on one grid. `origin` is None for mazes that were listed one by one."""

    kind: str
    grid: Grid
    entries: tuple[Entry, ...]
    origin: Origin | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, number: int) -> Maze:  # slices: see `chosen`
        return Maze(self.kind, self.grid, *self.entries[number])

    def __iter__(self) -> Iterator[Maze]:
        return (Maze(self.kind, self.grid, *entry) for entry in self.entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mazes):
            return NotImplemented
        return (self.kind, self.grid, self.entries) == (other.kind, other.grid, other.entries)

    def __hash__(self) -> int:
        return hash((self.kind, self.grid, self.entries))

    def chosen(self, numbers: Iterable[int]) -> Mazes:
        """The mazes of these numbers, in this order."""
        return Mazes(self.kind, self.grid, tuple(self.entries[number] for number in numbers))

    def first(self, count: int) -> Mazes:
        """The first `count` mazes."""
        origin = self.origin and Origin(self.origin.reductions, count)
        return Mazes(self.kind, self.grid, self.entries[:count], origin)

    # -- simulation -----------------------------------------------------------------------------------------------------

    def unsolved(self, string: str) -> list[int]:
        """The numbers of the mazes that the string does not solve."""
        return list(members(self.open_bits(self.advance(self.begin(), string))))

    def solves_all(self, string: str) -> bool:
        """Whether the string solves every maze."""
        return not self.open_bits(self.advance(self.begin(), string))

    def begin(self) -> Walks:
        """All walks at their starts."""
        return Walks(self._starts, self._starts)

    def advance(self, walks: Walks, letters: str) -> Walks:
        """The walks after these letters."""
        at, visited = list(walks.at), list(walks.visited)
        for letter in letters:
            sources, passes, targets = self._passages[LETTERS.index(letter)]
            going = [at[source] & passing for source, passing in zip(sources, passes, strict=True)]
            for source, leaving in zip(sources, going, strict=True):
                at[source] ^= leaving
            for target, coming in zip(targets, going, strict=True):
                at[target] |= coming
                visited[target] |= coming
        return Walks(tuple(at), tuple(visited))

    def open_bits(self, walks: Walks) -> int:
        """The set of the mazes (bit i is maze i) that these walks have not solved."""
        unsolved = 0
        for must, visited in zip(self.must_bits, walks.visited, strict=True):
            unsolved |= must & ~visited
        return unsolved

    def solved_after(self, string: str) -> list[int]:
        """How many letters each maze takes until it is solved; -1 for a maze that the string does not solve."""
        steps = [-1] * len(self)
        walks = self.begin()
        still_open = self._everything
        for count in range(len(string) + 1):
            if count:
                walks = self.advance(walks, string[count - 1])
            open_now = self.open_bits(walks)
            for number in members(still_open & ~open_now):
                steps[number] = count
            still_open = open_now
        return steps

    # -- sets of mazes as bits ------------------------------------------------------------------------------------------

    @property
    def _everything(self) -> int:
        return (1 << len(self)) - 1

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts = bytes(start for _, start in self.entries) if self.grid.cells <= 256 else [start for _, start in self.entries]
        return tuple(_bits(start == cell for start in starts) if cell in starts else 0 for cell in range(self.grid.cells))

    @cached_property
    def _passages(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...]:
        """For each direction: the cells with a neighbour that way, in which mazes the move is possible, the neighbours."""
        places = len(self.grid.edges) if self.kind == THIN else self.grid.cells
        opens = [open for open, _ in self.entries]
        is_open = [_bits(open >> place & 1 for open in opens) for place in range(places)]
        found = []
        for direction in DIRECTIONS:
            sources, passes, targets = [], [], []
            for cell in range(self.grid.cells):
                other = self.grid.neighbours[cell][direction]
                if other is not None:
                    sources.append(cell)
                    targets.append(other)
                    passes.append(
                        is_open[self.grid.edge_number[cell, other]] if self.kind == THIN else is_open[cell] & is_open[other]
                    )
            found.append((tuple(sources), tuple(passes), tuple(targets)))
        return tuple(found)

    @cached_property
    def must_bits(self) -> tuple[int, ...]:
        """For each cell the mazes in which a solving walk visits it."""
        if self.kind == THIN:
            return self._layers[-1]
        return (*(0 for _ in range(self.grid.cells - 1)), self._everything)

    @cached_property
    def _layers(self) -> list[tuple[int, ...]]:
        """For each number of moves and each cell the mazes in which it can be reached so fast; the last: at all."""
        found = [self._starts]
        while True:
            reached = list(found[-1])
            for sources, passes, targets in self._passages:
                for source, passing, target in zip(sources, passes, targets, strict=True):
                    reached[target] |= found[-1][source] & passing
            if tuple(reached) == found[-1]:
                return found
            found.append(tuple(reached))

    def hardest(self) -> tuple[int, int | None]:
        """A maze and a lower bound on the length of any string that solves it, as large as distances show.

        Blocked: the longest way to a goal; None if there is no way. Thin: most cells to visit.
        """
        if self.kind == THIN:
            counts = [0] * len(self)
            for bits in self.must_bits:
                for number in members(bits):
                    counts[number] += 1
            number = max(range(len(self)), key=counts.__getitem__)
            return number, counts[number] - 1
        for distance in range(len(self._layers), 0, -1):
            missing = self._everything & ~self._layers[distance - 1][-1]
            if missing:
                return next(members(missing)), distance if distance < len(self._layers) else None
        return 0, 0


def _bits(flags: Iterable[object]) -> int:
    """The integer whose bit i is the flag i."""
    return int("".join("1" if flag else "0" for flag in flags)[::-1] or "0", 2)
