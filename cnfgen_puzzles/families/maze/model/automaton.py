"""A maze as a finite automaton over the four letters, and distances in products of several.

A state is a cell together with the cells visited so far (`thin`), or a cell (`blocked`); all that have solved the maze are one
state that is never left. The strings that solve a maze are those that the automaton accepts; the joint distance of some mazes is
the length of the shortest string that solves all of them at once, from where each of them is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from math import prod

from cnfgen_puzzles.families.maze.model.grid import DIRECTIONS, LETTERS, Grid
from cnfgen_puzzles.families.maze.model.puzzle import Maze
from cnfgen_puzzles.ground.errors import InputError

MOST_STATES = 5_000_000
"""The largest table of joint distances: some hundred megabytes."""

UNREACHABLE = -1


class Automaton:
    """The automaton of one maze.

    `states[s]` is (cell, visited cells); state 0 is the start and `done` the accepting state (it may be 0 too); `next[s]` holds
    the four successors; `distance[s]` is the length of a shortest string that solves the maze from s.
    """

    def __init__(self, maze: Maze):
        moves, must = maze.moves, maze.must
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
        for here, (cell, visited) in enumerate(self.states):  # which grows meanwhile
            if visited == must:
                self.next.append((here,) * 4)
            else:
                self.next.append(tuple(state(moves[cell][d], visited | 1 << moves[cell][d]) for d in DIRECTIONS))
        self.done = number.get((-1, must), UNREACHABLE)
        self.distance = _distances(self.next, self.done)

    def __len__(self) -> int:
        return len(self.states)

    def run(self, string: str, state: int = 0) -> int:
        """The state after the string."""
        for letter in string:
            state = self.next[state][LETTERS.index(letter)]
        return state


@lru_cache(maxsize=4096)
def automaton(kind: str, grid: Grid, open: int, start: int) -> Automaton:
    """The automaton of a maze, kept for the next who asks."""
    return Automaton(Maze(kind, grid, open, start))


def automaton_of(maze: Maze) -> Automaton:
    """As `automaton`."""
    return automaton(maze.kind, maze.grid, maze.open, maze.start)


def _distances(following: Sequence[Sequence[int]], done: int) -> list[int]:
    """The distance from each state to `done`; UNREACHABLE where there is no way."""
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


class JointDistances:
    """How many letters it takes at least to solve several mazes at once, for all their joint states.

    >>> from cnfgen_puzzles.families.maze.model.puzzle import BLOCKED
    >>> corridors = [Maze(BLOCKED, Grid(2, 2), 0b1101), Maze(BLOCKED, Grid(2, 2), 0b1011)]
    >>> joint = JointDistances(corridors)  # one needs SE, the other ES
    >>> joint.distance((0, 0)), joint.shortest()
    (3, 'ESE')
    """

    def __init__(self, mazes: Iterable[Maze]):
        self.automata = [automaton_of(maze) for maze in mazes]
        sizes = [len(each) for each in self.automata]
        if prod(sizes) > MOST_STATES:
            told = " x ".join(map(str, sizes))
            raise InputError(f"found {told} joint states, expected at most {MOST_STATES:,}; choose fewer or smaller mazes")
        self._weights = [prod(sizes[place + 1 :]) for place in range(len(sizes))]
        columns = [self._shifted(d) for d in DIRECTIONS]
        solvable = all(each.done != UNREACHABLE for each in self.automata)
        done = self.index([each.done for each in self.automata]) if solvable else UNREACHABLE
        self._table = _distances(list(zip(*columns, strict=True)), done)

    def _shifted(self, direction: int) -> list[int]:
        """For each joint state the index of its successor."""
        parts = [
            [following[direction] * weight for following in each.next]
            for each, weight in zip(self.automata, self._weights, strict=True)
        ]
        return [sum(part) for part in product(*parts)]

    def index(self, states: Sequence[int]) -> int:
        """The place of a joint state in the table."""
        return sum(state * weight for state, weight in zip(states, self._weights, strict=True))

    def distance(self, states: Sequence[int]) -> int:
        """The joint distance from these states; UNREACHABLE if no string solves all."""
        return self._table[self.index(states)]

    def shortest(self) -> str | None:
        """A shortest string that solves all the mazes, the first in the order N E S W."""
        states = [0] * len(self.automata)
        if self.distance(states) == UNREACHABLE:
            return None
        found = ""
        while left := self.distance(states):
            for d, letter in enumerate(LETTERS):
                after = [each.next[state][d] for each, state in zip(self.automata, states, strict=True)]
                if self.distance(after) == left - 1:
                    states, found = after, found + letter
                    break
        return found
