"""Formulas that grow a maze at a time: the strings that fit a pattern and solve all mazes added so far.

An encoder owns the formula. It begins with the directions, dir[step, d] for every free step, d = 0..3 for N E S W, exactly one a
step; they are the projection set. `add_maze` appends clauses (over the directions and auxiliary variables of its own) that say
that the string solves one more maze, and never changes an earlier clause; so a solver session is fed what came since a mark:

    encoder = PrunedEncoder(pattern)
    encoder.add_maze(maze)
    mark = encoder.mark()
    encoder.add_maze(another)
    session.add(encoder.since(mark))        # flat literals, each clause ended by 0

Here are the encoder's base, the published encoding, and the constants and gates that it folds; the better encoding is in
`pruned.py`. The clauses as formulas are in `encodings.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from cnfgen_puzzles.families.maze.model.grid import DIRECTIONS, LETTERS, GridSymmetry, members
from cnfgen_puzzles.families.maze.model.puzzle import FREE, Maze
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.formula import FALSE, TRUE


class Mark(NamedTuple):
    """How much of a formula there was at some moment."""

    variables: int
    clauses: int
    literals: int


class Encoder(ABC):
    """The formula of a pattern and the mazes added so far.

    `group` are symmetries that map the whole puzzle to itself (`symmetry.py`): of the strings that they map to one another only
    the first in the order N < E < S < W is kept.
    """

    def __init__(self, pattern: str, group: Sequence[GridSymmetry] = ()):
        self.pattern = pattern
        self.formula = Formula()
        self.mazes: list[Maze] = []
        free = [step for step, letter in enumerate(pattern) if letter == FREE]
        direction = self.formula.keyed("dir", ((step, d) for step in free for d in DIRECTIONS))
        self.formula.projection = direction.variables
        variables = iter(direction.variables)
        self.moves: list[tuple[int, ...]] = [
            tuple(next(variables) for _ in DIRECTIONS)
            if letter == FREE
            else tuple(TRUE if LETTERS[d] == letter else FALSE for d in DIRECTIONS)
            for letter in pattern
        ]
        for step in free:
            self.formula.exactly_one(self.moves[step], "pairwise")
        for symmetry in group:
            self._least_of_orbit(symmetry)

    def _least_of_orbit(self, symmetry: GridSymmetry) -> None:
        """The first letter that the symmetry changes is changed to a later one."""
        changed = [d for d in DIRECTIONS if symmetry.directions[d] != d]
        earlier: list[int] = []
        for moves in self.moves:
            for d in changed:
                if symmetry.directions[d] < d:
                    self.formula.add_folded(-moves[d], *earlier)
            earlier += [moves[d] for d in changed]

    @abstractmethod
    def add_maze(self, maze: Maze) -> None:
        """Appends the clauses that say that the string solves the maze."""

    def add_mazes(self, mazes: Iterable[Maze]) -> None:
        """Appends one maze after the other."""
        for maze in mazes:
            self.add_maze(maze)

    def mark(self) -> Mark:
        """The formula's present size."""
        return Mark(self.formula.num_variables, self.formula.num_clauses, len(self.formula.literals))

    def since(self, mark: Mark) -> array:
        """The clauses that came after a mark: flat literals, each clause ended by 0."""
        return self.formula.literals[mark.literals :]

    def string(self, true: Iterable[int]) -> str:
        """The string of a model, given by its true variables or by all its literals."""
        true = set(true)
        return "".join(
            letter if letter != FREE else "".join(LETTERS[d] for d in DIRECTIONS if moves[d] in true)
            for letter, moves in zip(self.pattern, self.moves, strict=True)
        )

    # -- variables and gates, with constants folded ---------------------------------------------------------------------

    def new(self) -> int:
        """A new auxiliary variable."""
        return self.formula.auxiliary(1)[0]

    def either(self, literals: Iterable[int]) -> int:
        """A literal that is true exactly if one of these is; a constant or one of them where that is clear."""
        chosen = {literal for literal in literals if literal != FALSE}
        if TRUE in chosen:
            return TRUE
        if len(chosen) < 2:
            return next(iter(chosen), FALSE)
        gate = self.new()
        for literal in sorted(chosen):
            self.formula.add(-literal, gate)
        self.formula.add(-gate, *sorted(chosen))
        return gate

    def both(self, one: int, other: int) -> int:
        """A literal that is true exactly if both are."""
        return -self.either((-one, -other))


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
