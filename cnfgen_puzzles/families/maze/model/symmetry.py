"""Symmetries of a puzzle: those of the grid that map its set of mazes and its pattern to themselves, which is verified.

Two mazes count as the same if they have the same walks: what cannot be reached is left out, and a thin maze may be shifted. A
symmetry of the puzzle maps solutions to solutions. Not here: clauses that keep one string of each orbit (`encode/`).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping

from cnfgen_puzzles.families.capabilities import Symmetry
from cnfgen_puzzles.families.maze.model import BLOCKED, LETTERS, THIN, Grid, GridSymmetry, Maze, members
from cnfgen_puzzles.families.maze.model.puzzle import Mazes, MazeString
from cnfgen_puzzles.formula import Block

Form = tuple[int, int]


def symmetries(mazes: Mazes, pattern: str) -> tuple[GridSymmetry, ...]:
    """The symmetries of the puzzle, the identity first."""
    grid = mazes.grid
    identity, *others = grid.symmetries
    fitting = [symmetry for symmetry in others if symmetry.string(pattern) == pattern]
    if mazes.kind == BLOCKED:
        fitting = [symmetry for symmetry in fitting if symmetry.cells[0] == 0 and symmetry.cells[-1] == grid.cells - 1]
    if not fitting:
        return (identity,)
    forms = {normal_form(maze) for maze in mazes}
    form = {THIN: _thin_image, BLOCKED: _blocked_image}[mazes.kind]
    return (identity, *(symmetry for symmetry in fitting if all(form(grid, *each, symmetry) in forms for each in forms)))


def normal_form(maze: Maze) -> Form:
    """Equal for mazes with the same walks but for a shift: the edges or cells that matter, and the start."""
    grid, cells = maze.grid, maze.reachable
    if maze.kind == BLOCKED:
        goal = 1 << maze.goal
        return (grid.reached(cells & ~goal) | goal, 0) if cells & goal else (cells, 0)
    edges = [grid.edges[edge] for edge in members(maze.open)]
    return _shifted(grid, [edge for edge in edges if cells >> edge[0] & 1], cells, maze.start)


def _shifted(grid: Grid, edges: list[tuple[int, int]], cells: int, start: int) -> Form:
    shift = grid.corner_shift(cells)
    numbers = grid.edge_number
    return sum(1 << numbers[a + shift, b + shift] for a, b in edges), start + shift


def _thin_image(grid: Grid, open: int, start: int, symmetry: GridSymmetry) -> Form:
    place = symmetry.cells
    edges = [(place[a], place[b]) for a, b in (grid.edges[edge] for edge in members(open))]
    cells = 1 << place[start]
    for a, b in edges:
        cells |= 1 << a | 1 << b
    return _shifted(grid, edges, cells, place[start])


def _blocked_image(grid: Grid, open: int, start: int, symmetry: GridSymmetry) -> Form:
    return symmetry.moved(open), start


class StringSymmetry(Symmetry):
    """The symmetries of a puzzle as they act on strings."""

    def __init__(self, puzzle: MazeString, blocks: Mapping[str, Block]):
        self._group = symmetries(puzzle.mazes, puzzle.pattern)
        self._letters = {variable: (step, d) for (step, d), variable in blocks["dir"].items()}
        self.order = len(self._group)
        self.convention = f"up to the {self.order} symmetries of the puzzle" if self.order > 1 else "there is no symmetry"

    def canonical(self, true: Collection[int]) -> tuple[Hashable, int]:
        chosen = dict(self._letters[variable] for variable in true if variable in self._letters)
        string = "".join(LETTERS[chosen[step]] for step in sorted(chosen))
        images = {symmetry.string(string) for symmetry in self._group}
        return min(images, key=lambda image: [LETTERS.index(letter) for letter in image]), len(images)

    def permutations(self) -> list[dict[int, int]] | None:
        variable = {key: number for number, key in self._letters.items()}
        found = []
        for symmetry in self._group:
            moved = {number: variable.get((step, symmetry.directions[d]), 0) for number, (step, d) in self._letters.items()}
            if 0 in moved.values():  # some steps have not all letters
                return None
            found.append(moved)
        return found
