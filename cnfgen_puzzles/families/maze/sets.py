"""All mazes of a grid, and reductions: named steps, with proofs, that remove mazes which need not be tried.

All mazes. `thin`: every set of walls with every start from which some other cell can be reached. `blocked`: every set of blocked
cells that leaves a path from the top left cell to the bottom right one. The number of mazes is computed before they are
enumerated.

Reductions. A maze may be removed if every string that solves the remaining mazes also solves it. Each argument below leads from a
maze to others with more reachable cells, or as many cells and fewer edges, or to another copy of the same; so there are no
circles, and any choice of steps is correct. The arguments use these facts (`thin`):

* (a) If a string fails, some cell u other than the start is never visited. A change only behind u, or at edges of u, that keeps u
  and all other cells reachable changes no move of this walk: the string also fails in the changed maze.
* (b) On a path, a move never lets two walks pass each other. So a walk that begins between two others stays between them.

    mazes_of("thin", "3x3")  # the 10,772 mazes that a string must solve to solve all
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.maze.model import BLOCKED, KINDS, THIN, Grid, bits_of, members
from cnfgen_puzzles.families.maze.puzzle import FREE, Mazes, MazeString
from cnfgen_puzzles.families.options import read_size

STEPS_EACH = 10
"""The steps of work, of about a microsecond, for each set of walls with a start: thin 4x3 has 1,572,864 of them."""
MOST_POWER = 40
"""The most walls or blocked cells of a grid whose mazes can be listed with a higher limit, in months."""

SMALL = 4


# -- all mazes ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """The space of a walk: the set `open` of a maze (edges or cells) and one of its components, `cells`."""

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
        """The number of edges of each cell of the grid in the component."""
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
        """True if the component is a path without branches."""
        return max(self.degrees) <= 2 and self.leaves != 0

    @cached_property
    def roomy(self) -> int:
        """The cells that have a neighbor outside the component, possibly after a shift of the whole."""
        found = 0
        for shift in self.grid.shifts(self.cells):
            cells = self.cells << shift if shift >= 0 else self.cells >> -shift
            rim = self.grid.around(self.grid.all & ~cells) & cells
            found |= rim >> shift if shift >= 0 else rim << -shift
        return found


def check_size(kind: str, grid: Grid) -> None:
    """InputError for a grid with too many mazes to enumerate; it takes no time for any size."""
    height, width = grid.height, grid.width
    power = 2 * grid.cells - height - width if kind == THIN else max(grid.cells - 2, 0)
    factor = grid.cells if kind == THIN else 1
    each = f" with {factor} starts each" if kind == THIN else ""
    found = f"a {size_of(grid)} grid with 2^{power} sets of {'walls' if kind == THIN else 'blocked cells'}{each}"
    if power > MOST_POWER:
        raise InputError(f"found {found}, too many to list; a file can list some mazes of a large grid", source="--size")
    checked_amount("steps", STEPS_EACH * factor << power, found=f"{found} (a file can list some of them)", source="--size")


def shapes(kind: str, grid: Grid) -> Iterator[Shape]:
    """All mazes; a thin shape represents one maze for each of its cells as the start. InputError for too many mazes."""
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
    """Each set of free cells, including the first and the last, in which the goal can be reached."""
    goal = 1 << (grid.cells - 1)
    for inner in range(1 << max(grid.cells - 2, 0)):
        free = goal | inner << 1 | 1
        cells = grid.reached(free)
        if cells & goal:
            yield Shape(grid, free, cells)


# -- reductions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A reduction: its name, its proof, and the starts (a set of cells) of a shape that it keeps."""

    name: str
    argument: str
    keeps: Callable[[Shape, int], int]
    standard: bool = True


def _leaves(shape: Shape, starts: int) -> int:
    """The starts except for the only enclosed leaf."""
    hemmed = shape.leaves & ~shape.roomy
    if hemmed.bit_count() == 1:
        return starts & ~hemmed
    return starts if hemmed else 0


def _before_goal(shape: Shape, starts: int) -> int:
    """True if all cells except the goal can be reached without it."""
    goal = 1 << (shape.grid.cells - 1)
    return starts if shape.cells in (goal, shape.grid.reached(shape.cells & ~goal) | goal) else 0


STEPS: dict[str, tuple[Step, ...]] = {
    THIN: (
        Step(
            "component",
            "walls around unreachable cells do not matter; all of them are closed",
            lambda shape, starts: starts if len(shape.edges) == shape.open.bit_count() else 0,
        ),
        Step(
            "shift",
            "the same strings solve a shifted copy; the copy at the top row and the left column is kept",
            lambda shape, starts: starts if shape.cells & shape.grid.top and shape.cells & shape.grid.left else 0,
        ),
        Step(
            "small",
            f"at most {SMALL} cells, and the argument of `leaves` applies",
            lambda shape, starts: _leaves(shape, starts) if shape.size <= SMALL else starts,
        ),
        Step(
            "paths",
            "a path that leaves out two cells or more, and can be made longer at an end: a string that walks the longer one from "
            "both ends walks the shorter one from both ends, by (b)",
            lambda shape, starts: (
                0 if shape.size <= shape.grid.cells - 2 and shape.is_path and shape.leaves & shape.roomy else starts
            ),
        ),
        Step(
            "ends",
            "a path needs its two ends as starts: by (b) a walk from between them meets both ends too",
            lambda shape, starts: starts & shape.leaves if shape.is_path else starts,
        ),
        Step(
            "loops",
            "a loop: by (a) a wall at the unvisited cells gives a path of the same cells that fails too",
            lambda shape, starts: 0 if max(shape.degrees) == 2 and not shape.leaves else starts,
        ),
        Step(
            "leaves",
            "no cell except the start is a dead end whose neighbors all belong to the maze: by (a) an unvisited cell may become "
            "such a dead end, or have one more cell behind it, and the string still fails",
            _leaves,
            standard=False,
        ),
    ),
    BLOCKED: (
        Step(
            "component",
            "unreachable cells do not matter; they are blocked",
            lambda shape, starts: starts if shape.open == shape.cells else 0,
        ),
        Step("goal", "cells that can only be reached through the goal do not matter; they are blocked", _before_goal),
    ),
}

ARTICLE, EVERY, NO_STEP = "article", "all", "none"


def step_names(kind: str) -> tuple[str, ...]:
    """All steps for mazes of this kind, in the order in which they are applied."""
    return tuple(step.name for step in STEPS[kind])


def chosen_steps(kind: str, text: str = ARTICLE) -> tuple[str, ...]:
    """The steps of an option: `article`, `all`, `none`, or names separated by commas."""
    known = step_names(kind)
    if text == ARTICLE:
        return tuple(step.name for step in STEPS[kind] if step.standard)
    if text == EVERY:
        return known
    if text in (NO_STEP, ""):
        return ()
    wanted = [name.strip() for name in text.split(",")]
    for name in wanted:
        if name not in known:
            raise InputError(
                unknown_name(f"reduction of {kind} mazes", name, (*known, ARTICLE, EVERY, NO_STEP)), source="--reduce"
            )
    return tuple(name for name in known if name in wanted)


@lru_cache(maxsize=4)
def reduced(kind: str, grid: Grid, names: tuple[str, ...]) -> Mazes:
    """The mazes of the grid that these steps leave, in the order in which a loop should add them.

    Mazes with most cells to visit come first, among those with most walls (thin); or with the longest path to the goal, then with
    most blocked cells.
    """
    steps = [step for step in STEPS[kind] if step.name in names]
    kept = []
    for shape in shapes(kind, grid):
        starts = shape.cells if kind == THIN else 1
        for step in steps:
            starts = starts and step.keeps(shape, starts)
        if starts:
            kept.append((shape, starts))
    return Mazes(kind, grid, tuple(_in_order(kind, grid, kept)), (tuple(names), None))


def mazes_of(kind: str, size: str, reduce: str = ARTICLE) -> Mazes:
    """The mazes of a grid: kind, width x height, and the steps of reduction (`chosen_steps`).

    InputError for unknown values and for a grid that is too large. The last set is cached.
    """
    if kind not in KINDS:
        raise InputError(unknown_name("kind of maze", kind, KINDS), source="--kind")
    return reduced(kind, grid_of(size), chosen_steps(kind, reduce))


def grid_of(size: str) -> Grid:
    """The grid of a size, width x height."""
    width, height = read_size(size)
    return Grid(height, width)


def size_of(grid: Grid) -> str:
    """The inverse of `grid_of`."""
    return f"{grid.width}x{grid.height}"


def _in_order(kind: str, grid: Grid, kept: Iterable[tuple[Shape, int]]) -> Iterator[tuple[int, int]]:
    if kind == THIN:
        for shape, starts in sorted(kept, key=lambda item: (-item[0].size, item[0].open.bit_count(), item[0].open)):
            yield from ((shape.open, start) for start in members(starts))
        return
    ways = [(-(grid.distance(shape.open, 0) or 0), shape.open.bit_count(), shape.open) for shape, _ in kept]
    yield from ((open, 0) for _, _, open in sorted(ways))


# -- random subsets -----------------------------------------------------------------------------------------------------


def subset(
    seed: int,
    kind: str = BLOCKED,
    size: str = "3x3",
    mazes: int = 10,
    length: int = 10,
    longest: int | None = None,
    reduce: str = ARTICLE,
) -> MazeString:
    """A puzzle with `mazes` random mazes of a grid and `length` to `longest` free steps."""
    steps = check_subset(kind, size, length=length, longest=longest, reduce=reduce)
    choice = SeededChoice("maze subset", seed)
    length += choice.below((length if longest is None else longest) - length + 1)
    every = reduced(kind, grid_of(size), steps)
    return MazeString(every.chosen(sorted(choice.shuffled(range(len(every)))[:mazes])), FREE * length)


def check_subset(
    kind: str = BLOCKED, size: str = "3x3", *, length: int = 10, longest: int | None = None, reduce: str = ARTICLE, **_: int
) -> tuple[str, ...]:
    """The steps of reduction; InputError for invalid options."""
    if longest is not None and length > longest:
        raise InputError(f"found length {length} and longest {longest}, expected longest to be at least length")
    check_size(kind, grid_of(size))
    return chosen_steps(kind, reduce)
