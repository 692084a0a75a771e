"""Mazes, how a walk goes through one, and the puzzle: find a string that fits a pattern and solves every maze of a set.

A maze is of one of two kinds. `thin`: walls stand on edges between cells; a string solves the maze if its walk from the start
visits every cell that can be reached. `blocked`: whole cells are blocked; the walk from the top left cell must visit the bottom
right one, the goal, at some moment. In both a move against a wall, a blocked cell or the border does nothing.

Not here: which mazes a grid has (`enumeration.py`), sets of them and what a string does to all at once (`mazes.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cnfgen_puzzles.families.maze.model.grid import ALIASES, DIRECTIONS, LETTERS, Grid, members
from cnfgen_puzzles.ground.errors import InputError

if TYPE_CHECKING:
    from cnfgen_puzzles.families.maze.model.mazeset import Mazes

THIN, BLOCKED = "thin", "blocked"
KINDS = (THIN, BLOCKED)

FREE = "*"
MAX_LENGTH = 10_000
"""The longest pattern that is read; beyond it a length is more likely a slip than a wish."""

MAX_CELLS = 10_000
"""The largest grid of a file of mazes."""


@dataclass(frozen=True, slots=True)
class Maze:
    """One maze. `open` is the set of edges that can be passed (`thin`) or of cells that are free (`blocked`)."""

    kind: str
    grid: Grid
    open: int
    start: int = 0

    @property
    def goal(self) -> int:
        """The cell to reach in a blocked maze."""
        return self.grid.cells - 1

    @property
    def moves(self) -> tuple[tuple[int, ...], ...]:
        """`moves[cell][direction]` is the cell after the move; the cell itself if it is stopped."""
        return _moves(self.kind, self.grid, self.open)

    @property
    def reachable(self) -> int:
        """The cells that some walk from the start visits."""
        return flood(self.moves, self.start)

    @property
    def must(self) -> int:
        """The cells that a solving walk visits: all it can (`thin`), or the goal (`blocked`)."""
        return self.reachable if self.kind == THIN else 1 << self.goal

    @property
    def walls(self) -> int:
        """The number of edges inside the grid that cannot be passed, or of blocked cells."""
        places = len(self.grid.edges) if self.kind == THIN else self.grid.cells
        return places - self.open.bit_count()

    def walk(self, string: str) -> list[int]:
        """The cells where the walk is, from the start on: one more than the string has letters."""
        cells, moves = [self.start], self.moves
        for letter in string:
            cells.append(moves[cells[-1]][LETTERS.index(letter)])
        return cells


@lru_cache(maxsize=1 << 14)
def _moves(kind: str, grid: Grid, open: int) -> tuple[tuple[int, ...], ...]:
    table = []
    for cell, around in enumerate(grid.neighbours):
        row = []
        for other in around:
            if other is None:
                passes = False
            elif kind == THIN:
                passes = open >> grid.edge_number[cell, other] & 1
            else:
                passes = open >> cell & 1 and open >> other & 1
            row.append(other if passes else cell)
        table.append(tuple(row))
    return tuple(table)


def layers(moves: tuple[tuple[int, ...], ...], start: int) -> Iterator[int]:
    """The sets of cells at distance 0, 1, 2, ... from the start."""
    seen = layer = 1 << start
    while layer:
        yield layer
        following = 0
        for cell in members(layer):
            for other in moves[cell]:
                following |= 1 << other
        layer = following & ~seen
        seen |= layer


def flood(moves: tuple[tuple[int, ...], ...], start: int) -> int:
    """The cells that can be reached."""
    return sum(layers(moves, start))


@dataclass(frozen=True)
class MazeString:
    """The puzzle: a string that fits `pattern`, over N E S W and `*` for a free step, and solves all `mazes`."""

    mazes: Mazes
    pattern: str

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The steps whose letter is to be found."""
        return tuple(step for step, letter in enumerate(self.pattern) if letter == FREE)

    def contradictions(self) -> list[str]:
        """Why no string can do, as far as distances show."""
        if not self.mazes:
            return []
        number, bound = self.mazes.hardest()
        if bound is None:
            return [f"maze {number + 1} has no way from its start to its goal"]
        if bound > len(self.pattern):
            return [f"maze {number + 1} needs at least {bound} moves, the pattern has {len(self.pattern)}"]
        return []


def letters_allowed(letter: str) -> tuple[int, ...]:
    """The directions that a place of a pattern allows."""
    return tuple(DIRECTIONS) if letter == FREE else (LETTERS.index(letter),)


def read_pattern(text: str, source: str | None = None) -> str:
    """The pattern in N E S W and `*`; U R D L and small letters are read too, blanks are passed over."""
    return _read(text, LETTERS + FREE, "N, E, S, W (or U, R, D, L) and * for a free step", "pattern", source)


def read_string(text: str, source: str | None = None) -> str:
    """As `read_pattern`, without free steps."""
    return _read(text, LETTERS, "N, E, S, W (or U, R, D, L)", "string", source)


def _read(text: str, known: str, expected: str, what: str, source: str | None) -> str:
    if len(text) > 2 * MAX_LENGTH:
        raise InputError(f"found a {what} of {len(text)} characters, expected at most {MAX_LENGTH}", source=source)
    found = []
    for place, character in enumerate(text, start=1):
        if character.isspace():
            continue
        letter = ALIASES.get(character.upper(), character.upper())
        if letter not in known:
            raise InputError(f"found {character!r} at place {place} of the {what}, expected {expected}", source=source)
        found.append(letter)
    if len(found) > MAX_LENGTH:
        raise InputError(f"found a {what} of length {len(found)}, expected at most {MAX_LENGTH}", source=source)
    return "".join(found)
