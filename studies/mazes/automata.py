"""A maze as a finite automaton over the four letters, for searches over joint states of several mazes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from cnfgen_puzzles.families.maze.model import DIRECTIONS, LETTERS, Maze, bits_of, members

UNREACHABLE = -1


class Automaton:
    """The automaton of one maze.

    `states[s]` is (cell, visited cells); state 0 is the start and `done` the accepting state (it may be 0 too); `next[s]` holds
    the four successors; `distance[s]` is the length of a shortest string that solves the maze from s. With `essential`, only the
    visits of `essential_cells` are part of the states, and there are fewer of them.
    """

    def __init__(self, maze: Maze, essential: bool = False):
        moves, must = maze.moves, essential_cells(maze) if essential else maze.must
        number: dict[tuple[int, int], int] = {}
        self.states: list[tuple[int, int]] = []

        def state(cell: int, visited: int) -> int:
            visited &= must
            key = (-1, must) if visited == must else (cell, visited)
            if key not in number:
                number[key] = len(self.states)
                self.states.append(key)
            return number[key]

        state(maze.start, 1 << maze.start)
        self.next: list[tuple[int, ...]] = []
        for here, (cell, visited) in enumerate(self.states):  # grows during the loop
            if visited == must:
                self.next.append((here,) * 4)
            else:
                self.next.append(tuple(state(moves[cell][d], visited | 1 << moves[cell][d]) for d in DIRECTIONS))
        self.done = number.get((-1, must), UNREACHABLE)

    @cached_property
    def distance(self) -> list[int]:
        """The distance of each state; UNREACHABLE if no string solves the maze from there."""
        return _distances(self.next, self.done)

    def __len__(self) -> int:
        return len(self.states)

    def run(self, string: str, state: int = 0) -> int:
        """The state after the string."""
        for letter in string:
            state = self.next[state][LETTERS.index(letter)]
        return state


def essential_cells(maze: Maze) -> int:
    """The cells that a walk must visit, without each cell that the walk to another one cannot avoid.

    A walk that visits these has visited all. A path from one of its ends keeps the other end, a tree its leaves.
    """
    must, moves = maze.must, maze.moves

    def is_avoidable(cell: int) -> bool:
        within, new = 0, 1 << maze.start & ~(1 << cell)
        while new:
            within |= new
            new = bits_of(other for here in members(new) for other in moves[here]) & ~within & ~(1 << cell)
        return not must & ~within & ~(1 << cell)

    return bits_of(cell for cell in members(must) if is_avoidable(cell))


@lru_cache(maxsize=4096)
def automaton_of(maze: Maze, essential: bool = False) -> Automaton:
    """The cached automaton of a maze."""
    return Automaton(maze, essential)


def _distances(following: Sequence[Sequence[int]], done: int) -> list[int]:
    """The distance from each state to `done`; UNREACHABLE without a path."""
    before: list[list[int]] = [[] for _ in following]
    for state, successors in enumerate(following):
        for other in successors:
            before[other].append(state)
    distance = [UNREACHABLE] * len(following)
    if done == UNREACHABLE:
        return distance
    distance[done] = 0
    layer = [done]
    while layer:
        reached = []
        for state in layer:
            for other in before[state]:
                if distance[other] == UNREACHABLE:
                    distance[other] = distance[state] + 1
                    reached.append(other)
        layer = reached
    return distance
