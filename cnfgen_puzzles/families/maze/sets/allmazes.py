"""All mazes of a grid, before any reduction, and how many there are: told before they are made.

`thin`: every set of walls with every start from which some other cell can be reached. `blocked`: every set of blocked cells that
leaves a way from the top left cell to the bottom right one. Not here: which of them can be left out (`reductions.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from cnfgen_puzzles.families.maze.model.grid import Grid, bits_of, members
from cnfgen_puzzles.families.maze.model.puzzle import THIN
from cnfgen_puzzles.ground.errors import InputError

MOST = 2_000_000
"""Grids with more mazes (counted with their starts, before any check) are not enumerated: thin 3x4 has 1,572,864."""


@dataclass(frozen=True)
class Shape:
    """Where a walk can be: the set `open` of a maze (edges or cells) and one of its components, `cells`."""

    grid: Grid
    open: int
    cells: int

    @property
    def size(self) -> int:
        return self.cells.bit_count()

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The edges of the component, of a thin maze."""
        return tuple(edge for edge in map(self.grid.edges.__getitem__, members(self.open)) if self.cells >> edge[0] & 1)

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        """How many edges each cell of the grid has in the component."""
        degrees = [0] * self.grid.cells
        for a, b in self.edges:
            degrees[a] += 1
            degrees[b] += 1
        return tuple(degrees)

    @cached_property
    def leaves(self) -> int:
        """The cells with one edge."""
        return bits_of(cell for cell, degree in enumerate(self.degrees) if degree == 1)

    @property
    def is_path(self) -> bool:
        """One way without branches, from one end to another."""
        return max(self.degrees) <= 2 and self.leaves != 0

    @property
    def is_loop(self) -> bool:
        """One way without branches that closes upon itself."""
        return max(self.degrees) == 2 and not self.leaves

    @cached_property
    def roomy(self) -> int:
        """The cells that have a neighbour outside the component, perhaps only after a shift of the whole."""
        found = 0
        for shift in self.grid.shifts(self.cells):
            cells = self.cells << shift if shift >= 0 else self.cells >> -shift
            rim = self.grid.around(self.grid.all & ~cells) & cells
            found |= rim >> shift if shift >= 0 else rim << -shift
        return found


def candidates(kind: str, grid: Grid) -> int:
    """How many sets of walls (times starts) or of blocked cells there are: a bound on the number of mazes."""
    return (1 << len(grid.edges)) * grid.cells if kind == THIN else 1 << max(grid.cells - 2, 0)


def check_size(kind: str, grid: Grid) -> None:
    """InputError for a grid with too many mazes to enumerate; it takes no time, whatever the size."""
    height, width = grid.height, grid.width
    power = 2 * grid.cells - height - width if kind == THIN else max(grid.cells - 2, 0)
    factor = grid.cells if kind == THIN else 1
    if power < 64 and factor << power <= MOST:
        return
    each = f" with {factor} starts each" if kind == THIN else ""
    told = f"2^{power} sets of {'walls' if kind == THIN else 'blocked cells'}{each}"
    bound = f"{factor << power:,}" if power < 64 else "more than 10^19"
    raise InputError(
        f"found a {height}x{width} grid with {told} ({bound} mazes before any reduction), expected at most {MOST:,}; "
        "choose a smaller grid or list the mazes in a file",
        source="--size",
    )


def shapes(kind: str, grid: Grid) -> Iterator[Shape]:
    """All mazes: a thin shape stands for one with each of its cells as the start. InputError where they are too many."""
    check_size(kind, grid)
    return _thin(grid) if kind == THIN else _blocked(grid)


def _thin(grid: Grid) -> Iterator[Shape]:
    """The components, of at least two cells, of each set of walls."""
    ends = [1 << a | 1 << b for a, b in grid.edges]
    for open in range(1 << len(ends)):
        rest = [ends[edge] for edge in members(open)]
        while rest:
            cells, size = rest[0], 0
            while size != cells:
                size = cells
                for pair in rest:
                    if pair & cells:
                        cells |= pair
            yield Shape(grid, open, cells)
            rest = [pair for pair in rest if not pair & cells]


def _blocked(grid: Grid) -> Iterator[Shape]:
    """Each set of free cells, first and last among them, in which the goal can be reached."""
    goal = 1 << (grid.cells - 1)
    for inner in range(1 << max(grid.cells - 2, 0)):
        free = goal | inner << 1 | 1
        cells = reached(grid, free)
        if cells & goal:
            yield Shape(grid, free, cells)


def reached(grid: Grid, free: int) -> int:
    """The free cells that can be reached from the first one."""
    cells, grown = 0, 1
    while grown != cells:
        cells = grown
        grown |= grid.around(cells) & free
    return cells
