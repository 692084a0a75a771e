"""Grids, mazes, and the walk of a string through a maze.

Cell (r, c) of a grid has the number r * width + c; a set of cells is an integer with these bits. Directions are 0..3 = N, E,
S, W.

There are two kinds of mazes. `thin`: walls stand on edges between cells; a string solves the maze if its walk from the start
visits every reachable cell. `blocked`: cells are blocked; the walk from the top left cell must visit the bottom right cell, the
goal. In both, a move against a wall, a blocked cell, or the border has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

LETTERS = "NESW"
DIRECTIONS = range(4)
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The changes of row and column of each direction."""

THIN, BLOCKED = "thin", "blocked"
KINDS = (THIN, BLOCKED)

Moves = tuple[tuple[int, ...], ...]
"""`moves[cell][direction]` is the cell after the move; the same cell if the move has no effect."""


@dataclass(frozen=True)
class Grid:
    """`height` rows of `width` cells."""

    height: int
    width: int

    @property
    def cells(self) -> int:
        return self.height * self.width

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of neighboring cells, in the order of the first cell; the eastern neighbor comes before the southern
        one."""
        found = []
        for cell in range(self.cells):
            if (cell + 1) % self.width:
                found.append((cell, cell + 1))
            if cell + self.width < self.cells:
                found.append((cell, cell + self.width))
        return tuple(found)

    @cached_property
    def edge_number(self) -> dict[tuple[int, int], int]:
        """The number of the edge between two cells, in either order."""
        numbers = {edge: number for number, edge in enumerate(self.edges)}
        return numbers | {(b, a): number for (a, b), number in numbers.items()}

    @property
    def deltas(self) -> tuple[int, int, int, int]:
        """The change of the cell number for each direction."""
        return (-self.width, 1, self.width, -1)

    @cached_property
    def neighbours(self) -> tuple[tuple[int | None, ...], ...]:
        """The neighbor `neighbours[cell][direction]`; None beyond the border."""
        return tuple(
            tuple(
                (r + down) * self.width + c + right if 0 <= r + down < self.height and 0 <= c + right < self.width else None
                for down, right in STEPS
            )
            for r in range(self.height)
            for c in range(self.width)
        )

    @cached_property
    def all(self) -> int:
        """All cells."""
        return (1 << self.cells) - 1

    @cached_property
    def top(self) -> int:
        """The cells of the first row."""
        return (1 << self.width) - 1

    @cached_property
    def left(self) -> int:
        """The cells of the first column."""
        return sum(1 << r * self.width for r in range(self.height))

    def around(self, cells: int) -> int:
        """The set of all neighbors of these cells."""
        right = self.left << (self.width - 1)
        return (cells >> self.width | cells << self.width | (cells & ~self.left) >> 1 | (cells & ~right) << 1) & self.all

    def reached(self, free: int) -> int:
        """The free cells that can be reached from the first cell."""
        cells, grown = 0, 1
        while grown != cells:
            cells = grown
            grown |= self.around(cells) & free
        return cells

    def distance(self, free: int, start: int) -> int | None:
        """The length of the shortest path over free cells from the start to the last cell; None if no path exists."""
        cells, steps, goal = 1 << start, 0, 1 << (self.cells - 1)
        while not cells & goal:
            grown = cells | self.around(cells) & free
            if grown == cells:
                return None
            cells, steps = grown, steps + 1
        return steps

    def shifts(self, cells: int) -> Iterator[int]:
        """The differences of cell numbers for all translations that keep the set inside the grid."""
        rows = [cell // self.width for cell in members(cells)]
        columns = [cell % self.width for cell in members(cells)]
        for down in range(-min(rows), self.height - max(rows)):
            for right in range(-min(columns), self.width - max(columns)):
                yield down * self.width + right

    @cached_property
    def symmetries(self) -> tuple[GridSymmetry, ...]:
        """The four symmetries of the rectangle, or eight of the square; the identity comes first."""
        both = (False, True)
        return tuple(self._symmetry(*flips) for flips in product(both if self.height == self.width else both[:1], both, both))

    def _symmetry(self, swap: bool, flip_rows: bool, flip_columns: bool) -> GridSymmetry:
        def image(r: int, c: int) -> tuple[int, int]:
            if swap:
                r, c = c, r
            return (-r if flip_rows else r), (-c if flip_columns else c)

        corner = [min(image(r, c)[axis] for r in (0, self.height - 1) for c in (0, self.width - 1)) for axis in (0, 1)]
        cells = []
        for cell in range(self.cells):
            r, c = image(*divmod(cell, self.width))
            cells.append((r - corner[0]) * self.width + c - corner[1])
        return GridSymmetry(tuple(cells), tuple(STEPS.index(image(*step)) for step in STEPS))


@dataclass(frozen=True)
class GridSymmetry:
    """The images of the cells and of the directions."""

    cells: tuple[int, ...]
    directions: tuple[int, ...]

    def string(self, letters: str) -> str:
        """The image of a string or a pattern; a free step stays free."""
        table = {LETTERS[d]: LETTERS[e] for d, e in enumerate(self.directions)}
        return "".join(table.get(letter, letter) for letter in letters)


def members(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, in ascending order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def bits_of(numbers: Iterable[int]) -> int:
    """The set of these numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


@dataclass(frozen=True, slots=True)
class Maze:
    """A maze. `open` is the set of open edges (`thin`) or of free cells (`blocked`)."""

    kind: str
    grid: Grid
    open: int
    start: int = 0

    @property
    def goal(self) -> int:
        """The goal of a blocked maze."""
        return self.grid.cells - 1

    @property
    def moves(self) -> Moves:
        """The result of each move from each cell."""
        return _moves(self.kind, self.grid, self.open)

    @property
    def moves_until_solved(self) -> Moves:
        """As `moves`, but the goal of a blocked maze is never left, because later moves do not matter."""
        return (*self.moves[:-1], (self.goal,) * 4) if self.kind == BLOCKED else self.moves

    @property
    def reachable(self) -> int:
        """The cells that some walk from the start visits."""
        cells, new, moves = 0, 1 << self.start, self.moves
        while new:
            cells |= new
            new = bits_of(other for cell in members(new) for other in moves[cell]) & ~cells
        return cells

    @property
    def must(self) -> int:
        """The cells that a walk must visit to solve the maze: all reachable cells (`thin`), or the goal (`blocked`)."""
        return self.reachable if self.kind == THIN else 1 << self.goal

    def image(self, symmetry: GridSymmetry) -> Maze:
        """The image of the maze under a symmetry."""
        grid, place = self.grid, symmetry.cells
        if self.kind == THIN:
            edges, numbers = grid.edges, grid.edge_number
            open = bits_of([numbers[place[edges[edge][0]], place[edges[edge][1]]] for edge in members(self.open)])
        else:
            open = bits_of(place[cell] for cell in members(self.open))
        return Maze(self.kind, grid, open, place[self.start])

    @property
    def normal_form(self) -> Maze:
        """The maze with only the edges or cells that walks can use, shifted to the corner. Mazes with the same walks, up to a
        shift, have the same normal form."""
        grid, cells = self.grid, self.reachable
        if self.kind == THIN:
            open = bits_of(edge for edge in members(self.open) if cells >> grid.edges[edge][0] & 1)
            return Maze(self.kind, grid, open, self.start).in_corner
        goal = 1 << self.goal
        return Maze(self.kind, grid, grid.reached(cells & ~goal) | goal if cells & goal else cells)

    @property
    def in_corner(self) -> Maze:
        """The thin maze, whose edges must all be reachable, moved as far as possible to the north and the west."""
        if self.kind == BLOCKED:
            return self
        width, numbers = self.grid.width, self.grid.edge_number
        edges = [self.grid.edges[edge] for edge in members(self.open)]
        cells = {self.start}.union(*edges)
        shift = min(cells) // width * width + min([cell % width for cell in cells])
        return Maze(self.kind, self.grid, bits_of([numbers[a - shift, b - shift] for a, b in edges]), self.start - shift)

    def walk(self, string: str) -> list[int]:
        """The cells of the walk: the start, and one cell for each letter."""
        cells, moves = [self.start], self.moves
        for letter in string:
            cells.append(moves[cells[-1]][LETTERS.index(letter)])
        return cells


@lru_cache(maxsize=1 << 14)
def _moves(kind: str, grid: Grid, open: int) -> Moves:
    def passes(cell: int, other: int) -> bool:
        places = open >> grid.edge_number[cell, other] if kind == THIN else open >> cell & open >> other
        return bool(places & 1)

    return tuple(
        tuple(other if other is not None and passes(cell, other) else cell for other in around)
        for cell, around in enumerate(grid.neighbours)
    )


def follow(moves: Moves, cell: int, letters: str) -> tuple[int, int]:
    """The cell after the letters, and the set of all visited cells, with the first one."""
    visited = 1 << cell
    for letter in letters:
        cell = moves[cell][LETTERS.index(letter)]
        visited |= 1 << cell
    return cell, visited


def maze_text(maze: Maze) -> str:
    """The maze as a line for files, JSON, and messages: `6ac/1.1 0,0`, `..#/#../#..` (`formats.py` reads it)."""
    grid = maze.grid
    if maze.kind == BLOCKED:
        cells = "".join(".#"[not maze.open >> cell & 1] for cell in range(grid.cells))
    else:
        moves = maze.moves
        sides = (sum(1 << d for d in DIRECTIONS if moves[cell][d] != cell) for cell in range(grid.cells))
        cells = "".join(f"{side:x}" if side else "." for side in sides)
    rows = "/".join(cells[r * grid.width : (r + 1) * grid.width] for r in range(grid.height))
    return rows if maze.kind == BLOCKED else f"{rows} {maze.start // grid.width},{maze.start % grid.width}"
