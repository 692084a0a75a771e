"""Where the walk through one maze can be at each step, given a pattern: what the encoding `pruned` needs to know of a maze.

The fixed letters at both ends are simulated, so that variables are needed between the first free step and the last alone. A cell
is allowed at a step if, as far as single cells show, the walk can be there and the maze can still be solved in the steps left:
every cell that must be visited can have been visited before, or can be visited afterwards. Exact for blocked mazes, where the
walk stays at the goal; for thin ones a cell that is allowed may still be a dead end. Sets of cells are bits of an integer.

Not here: clauses (`encoders.py`).
"""

from __future__ import annotations

from cnfgen_puzzles.families.maze.model.grid import LETTERS, members
from cnfgen_puzzles.families.maze.model.puzzle import BLOCKED, FREE, Maze, letters_allowed


class Window:
    """A pattern cut into its fixed letters in front, the steps between, and its fixed letters at the end.

    `steps[i]` are the directions allowed at the i-th step of the middle, the pattern's step `first + i`.
    """

    def __init__(self, pattern: str):
        self.pattern = pattern
        free = [step for step, letter in enumerate(pattern) if letter == FREE]
        self.first, self.end = (free[0], free[-1] + 1) if free else (len(pattern), len(pattern))
        self.prefix, self.suffix = pattern[: self.first], pattern[self.end :]
        self.steps = [letters_allowed(letter) for letter in pattern[self.first : self.end]]


class Layers:
    """The cells `allowed[i]` before the i-th step of the window (the last: after it), and what they have to visit.

    `moves` are the maze's, except that a blocked maze's goal is never left. `missing` are the cells that must be visited and that
    prefix and suffix do not visit for sure; `covers[cell]` are those that the suffix visits from a cell of the last layer.
    """

    def __init__(self, maze: Maze, window: Window):
        self.moves = absorbing(maze)
        self._grid = maze.grid
        self._steps = window.steps
        self._passing = [
            sum(1 << cell for cell, row in enumerate(self.moves) if row[direction] != cell) for direction in range(4)
        ]
        cell, visited = self._follow(maze.start, window.prefix)
        self.allowed = [1 << cell]
        for allowed in self._steps:
            self.allowed.append(self._image(self.allowed[-1], allowed))
        self.covers = {last: self._follow(last, window.suffix)[1] for last in members(self.allowed[-1])}
        self.missing = maze.must & ~visited & ~self._covered_anyway()
        if self.missing:
            self._prune()

    @property
    def impossible(self) -> bool:
        """No string that fits the pattern solves the maze."""
        return not all(self.allowed)

    @property
    def solved(self) -> bool:
        """Every string that fits the pattern solves the maze."""
        return not self.missing

    def _covered_anyway(self) -> int:
        covered = -1
        for cells in self.covers.values():
            covered &= cells
        return covered

    def _follow(self, cell: int, letters: str) -> tuple[int, int]:
        """The cell after the letters, and all cells on the way with the first."""
        visited = 1 << cell
        for letter in letters:
            cell = self.moves[cell][LETTERS.index(letter)]
            visited |= 1 << cell
        return cell, visited

    def _image(self, cells: int, directions: tuple[int, ...]) -> int:
        """Where these cells lead in one step."""
        found = 0
        for d in directions:
            going, delta = cells & self._passing[d], self._grid.deltas[d]
            found |= cells ^ going | (going << delta if delta > 0 else going >> -delta)
        return found

    def _before(self, cells: int, directions: tuple[int, ...]) -> int:
        """The cells that lead to these in one step."""
        found = 0
        for d in directions:
            passing, delta = self._passing[d], self._grid.deltas[d]
            found |= (cells >> delta if delta > 0 else cells << -delta) & passing | cells & ~passing
        return found

    def _prune(self) -> None:
        """Removes cells from which something can neither have been visited nor be visited, until nothing changes."""
        while True:
            before = list(self.allowed)
            for cell in members(self.missing):
                self._prune_for(cell)
            for place, directions in enumerate(self._steps):
                self.allowed[place + 1] &= self._image(self.allowed[place], directions)
            for place in reversed(range(len(self._steps))):
                self.allowed[place] &= self._before(self.allowed[place + 1], self._steps[place])
            if before == self.allowed:
                return

    def _prune_for(self, cell: int) -> None:
        """Keeps the places of walks that visit the cell."""
        bit = 1 << cell
        later = [0] * len(self.allowed)
        later[-1] = sum(1 << last for last, covered in self.covers.items() if covered & bit) & self.allowed[-1]
        for place in reversed(range(len(self._steps))):
            later[place] = (self._before(later[place + 1], self._steps[place]) | bit) & self.allowed[place]
        earlier = 0
        for place in range(len(self.allowed)):
            earlier = (self._image(earlier, self._steps[place - 1]) if place else 0) | bit
            earlier &= self.allowed[place]
            self.allowed[place] = earlier | later[place]


def absorbing(maze: Maze) -> tuple[tuple[int, ...], ...]:
    """The maze's moves, where a blocked maze's goal is never left."""
    moves = maze.moves
    return (*moves[:-1], (maze.goal,) * 4) if maze.kind == BLOCKED else moves
