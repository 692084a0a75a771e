"""The published encoding of mazes, `article`: gates for every position, cells reached so far.

For each maze, at[t, c] for every step t and every cell c that can be reached, by gates with constants folded: at[t+1, c] is
(at[t, c] and OR of dir[t, d] with m(c, d) = c) or OR of (at[t, b] and dir[t, d]) with m(b, d) = c; not at[t, b] or not at[t, c];
reached[t+1, c] = reached[t, c] or at[t+1, c]; reached[T, c] for every cell that must be visited. The positions are functions of
the directions, so that each string has one model. The default encoding and what the two share is in `__init__.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from cnfgen_puzzles.families.maze.encode import Encoder
from cnfgen_puzzles.families.maze.model import DIRECTIONS, Maze, members
from cnfgen_puzzles.formula.formula import FALSE, TRUE


class ArticleEncoder(Encoder):
    """The published encoding: gates for every position, at most one a step, cells reached so far."""

    def add_maze(self, maze: Maze) -> None:
        self.mazes.append(maze)
        cells = list(members(maze.reachable))
        at = {cell: TRUE if cell == maze.start else FALSE for cell in cells}
        reached = dict(at)
        for moves in self.moves:
            at = self._moved(maze, at, moves)
            self._at_most_one(at.values())
            reached = {cell: self.either((reached[cell], at[cell])) for cell in cells}
        for cell in members(maze.must):
            self.formula.add_folded(reached.get(cell, FALSE))

    def _moved(self, maze: Maze, at: dict[int, int], moves: Sequence[int]) -> dict[int, int]:
        """Where the walk is after a step: it came from a neighbour, or it was there and was stopped."""
        coming: dict[int, list[int]] = {cell: [] for cell in at}
        for cell, here in at.items():
            if here != FALSE:
                stopped = self.either(moves[d] for d in DIRECTIONS if maze.moves[cell][d] == cell)
                coming[cell].append(self.both(here, stopped))
                for d in DIRECTIONS:
                    if maze.moves[cell][d] != cell:
                        coming[maze.moves[cell][d]].append(self.both(here, moves[d]))
        return {cell: self.either(ways) for cell, ways in coming.items()}

    def _at_most_one(self, positions: Iterable[int]) -> None:
        for one, other in combinations([literal for literal in positions if literal != FALSE], 2):
            self.formula.add_folded(-one, -other)


ENCODER = ArticleEncoder
