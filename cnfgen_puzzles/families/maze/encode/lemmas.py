"""Joint distances of two mazes within a window: which pairs of positions a solving string never takes.

A pair of positions at a step is dead if no string leads both walks there, or if no string in the steps left leads both to where
the suffix solves both mazes. For blocked mazes that is exact; for thin ones, whose visited cells are not part of a position, only
ends that no suffix can complete count. Not here: the automaton of one maze without a pattern (`model/automaton.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from cnfgen_puzzles.families.maze.model import Moves, members

Pair = tuple[int, int]


class Walked(Protocol):
    """What is known of the walk through a maze: the positions (bits) before each step and after the last, and where they lead."""

    @property
    def moves(self) -> Moves: ...

    @property
    def allowed(self) -> Sequence[int]: ...


def dead_pairs(one: Walked, other: Walked, steps: Sequence[tuple[int, ...]]) -> Iterator[list[Pair]]:
    """For each layer the pairs of allowed positions, one of each maze, that exclude each other; `steps` has the directions."""
    forward = [_pairs(one, other, 0)]
    for place, directions in enumerate(steps):
        allowed = _pairs(one, other, place + 1)
        forward.append({pair for before in forward[-1] for pair in _next(one, other, before, directions)} & allowed)
    alive = [forward[-1]]
    for place in reversed(range(len(steps))):
        after = alive[-1]
        alive.append({pair for pair in forward[place] if not after.isdisjoint(_next(one, other, pair, steps[place]))})
    for place, pairs in enumerate(reversed(alive)):
        yield sorted(_pairs(one, other, place) - pairs)


def _pairs(one: Walked, other: Walked, place: int) -> set[Pair]:
    return {(a, b) for a in members(one.allowed[place]) for b in members(other.allowed[place])}


def _next(one: Walked, other: Walked, pair: Pair, directions: tuple[int, ...]) -> list[Pair]:
    here, there = one.moves[pair[0]], other.moves[pair[1]]
    return [(here[d], there[d]) for d in directions]
