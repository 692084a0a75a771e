"""Exhaustive search for universal maze strings: breadth-first over joint states, pruned by joint distances of a few mazes.

A joint state says where the walk of a string is in each of some chosen mazes (as a state of its automaton). Level t holds the
joint states of the strings of t letters, equal ones merged. A state of level t is dropped if some tuple of mazes (two or three)
has a joint distance greater than length - t from there: no string of the remaining letters solves them all. If a level is empty,
no string of that length solves all mazes; what it took, mazes and tuples, is the certificate (`docs/maze-optimality.md`).

The search finds its tuples itself: when a level is large, it samples a joint state and looks for a tuple that refutes it, by
hill climbing. It then begins anew with the mazes and the tuples that were of use, until a pass finds nothing to add.

It needs numpy. Not here: the checker of certificates (`scripts/check_maze_certificate.py`, which shares no code with this).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from cnfgen_puzzles.errors import CnfgenError, InputError
from cnfgen_puzzles.families.maze.automaton import automaton_of
from cnfgen_puzzles.families.maze.grid import DIRECTIONS, LETTERS
from cnfgen_puzzles.families.maze.mazes import Mazes

FAR = 255
"""As a joint distance: this many letters or more, or never."""

MAX_LENGTH = FAR - 1
CHUNK = 1 << 15
"""Joint states that are expanded together: what a processor's cache holds of a few mazes."""

MOST_JOINT = 40_000
"""The largest table of joint distances that hill climbing makes."""

Tuple = tuple[int, ...]
"""Numbers of mazes."""


class Machines:
    """The automata of a set of mazes as arrays: `next[m][d, s]` is the state after direction d, `done[m]` the accepting one."""

    def __init__(self, mazes: Mazes):
        automata = [automaton_of(maze) for maze in mazes]
        if any(len(each) > 1 << 16 for each in automata):
            raise InputError("found a maze with more than 65,536 states, expected smaller mazes for an exhaustive search")
        self.dtype = np.uint8 if all(len(each) <= 256 for each in automata) else np.uint16
        self.next = [np.array(each.next, self.dtype).T.copy() for each in automata]
        self.done = [each.done for each in automata]
        self.distance = [np.array(each.distance) for each in automata]
        self._pages = [[bytes(row) for row in each] for each in self.next] if self.dtype == np.uint8 else None

    def __len__(self) -> int:
        return len(self.next)

    def size(self, tuple_: Tuple) -> int:
        """The number of joint states."""
        return int(np.prod([self.next[maze].shape[1] for maze in tuple_], dtype=np.int64))

    def moved(self, maze: int, direction: int, states: np.ndarray) -> np.ndarray:
        """The states after the move."""
        if self._pages:
            page = self._pages[maze][direction]
            return np.frombuffer(states.tobytes().translate(page.ljust(256)), np.uint8)
        return self.next[maze][direction].take(states)

    def successors(self, tuple_: Tuple) -> np.ndarray:
        """`[d, j]` is the joint state after direction d; the first maze of the tuple has the greatest weight."""
        joint = np.zeros((4, 1), np.intp)
        for maze in tuple_:
            following = self.next[maze]
            joint = (joint[:, :, None] * following.shape[1] + following[:, None, :]).reshape(4, -1)
        return joint

    def index(self, tuple_: Tuple, rows: Sequence) -> np.ndarray | int:
        """The joint states of a tuple; `rows[m]` is the state, or an array of states, of maze m."""
        joint = 0
        for maze in tuple_:
            joint = joint * self.next[maze].shape[1] + rows[maze].astype(np.intp)
        return joint

    def joint_distances(self, tuple_: Tuple) -> np.ndarray:
        """The joint distance of each joint state of the mazes, by layers from the one where all are solved."""
        successors = self.successors(tuple_)
        distance = np.full(successors.shape[1], FAR, np.uint8)
        distance[self.index(tuple_, np.array(self.done))] = 0
        rest = np.flatnonzero(distance)
        for letters in range(1, FAR):
            near = (distance[successors[:, rest]] < letters).any(axis=0)
            if not near.any():
                break
            distance[rest[near]] = letters
            rest = rest[~near]
        return distance
