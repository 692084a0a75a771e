"""All mazes of a grid, before any reduction, and how many there are: told before they are made.

`thin`: every set of walls with every start from which some other cell can be reached. `blocked`: every set of blocked cells that
leaves a way from the top left cell to the bottom right one. Not here: which of them can be left out (`reductions.py`).
"""

from __future__ import annotations

from cnfgen_puzzles.errors import InputError
from cnfgen_puzzles.families.maze.grid import Grid, members
from cnfgen_puzzles.families.maze.mazes import Entry
from cnfgen_puzzles.families.maze.puzzle import THIN

MOST = 2_000_000
"""Grids with more mazes (counted with their starts, before any check) are not enumerated: thin 3x4 has 1,572,864."""

MOST_SHOWN = 10**15


def candidates(kind: str, grid: Grid) -> int:
    """How many sets of walls (times starts) or of blocked cells there are: a bound on the number of mazes."""
    return (1 << len(grid.edges)) * grid.cells if kind == THIN else 1 << max(grid.cells - 2, 0)


def check_size(kind: str, grid: Grid) -> None:
    """InputError for a grid with too many mazes to enumerate."""
    if grid.cells > 64 or candidates(kind, grid) > MOST:
        number, words = _told(kind, grid)
        raise InputError(
            f"found {words} on a grid of {grid.height}x{grid.width} ({number} mazes at most), expected at most {MOST:,} to "
            "enumerate; choose a smaller grid or list the mazes in a file",
            source="--size",
        )


def _told(kind: str, grid: Grid) -> tuple[str, str]:
    edges = 2 * grid.cells - grid.height - grid.width
    power = edges if kind == THIN else grid.cells - 2
    words = f"2^{power} sets of walls with {grid.cells} starts each" if kind == THIN else f"2^{power} sets of blocked cells"
    if power < 60:
        return f"{candidates(kind, grid):,}", words
    return f"about 10^{round(power * 0.30103)}" + ("" if kind != THIN else f" times {grid.cells}"), words


def enumerate_mazes(kind: str, grid: Grid) -> list[Entry]:
    """All mazes of the grid; raises InputError where they are too many."""
    check_size(kind, grid)
    return _thin(grid) if kind == THIN else _blocked(grid)


def _thin(grid: Grid) -> list[Entry]:
    """Each set of walls with each start that has a neighbour to go to."""
    ends = [1 << a | 1 << b for a, b in grid.edges]
    found: list[Entry] = []
    for open in range(1 << len(ends)):
        cells = 0
        for edge in members(open):
            cells |= ends[edge]
        found += [(open, start) for start in members(cells)]
    return found


def _blocked(grid: Grid) -> list[Entry]:
    """Each set of free cells, first and last among them, in which the goal can be reached."""
    if grid.cells == 1:
        return [(1, 0)]
    goal = 1 << (grid.cells - 1)
    found = []
    for inner in range(1 << (grid.cells - 2)):
        free = goal | inner << 1 | 1
        if component(grid, free, 1) & goal:
            found.append((free, 0))
    return found


def component(grid: Grid, free: int, cells: int) -> int:
    """The free cells that can be reached from these."""
    while True:
        grown = cells | grid.around(cells) & free
        if grown == cells:
            return cells
        cells = grown
