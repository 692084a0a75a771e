"""Joint states of several mazes as numpy arrays: levels of the exhaustive search, tables of joint distances.

The rows of a level are mazes and its columns joint states, so a move of one maze in all states is one look-up in a contiguous
array. `exhaustive.py` chooses tuples of mazes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import prod
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.maze.model import DIRECTIONS
from cnfgen_puzzles.families.maze.puzzle import Mazes
from studies.mazes.automata import automaton_of

try:
    import numpy as np
    import numpy.typing as npt
except ImportError:
    raise InputError("joint states of mazes need numpy, which is not installed: pip install numpy") from None

FAR = 255
"""A joint distance of this many letters, more, or infinity."""

CHUNK = 1 << 15
"""The number of states that are expanded together; a row of them fits in the cache."""

LARGE = 20_000
"""The number of joint states of a table that is worth compiling for."""

COMPACT = 32
"""The number of tuples after which states without children are removed."""

ALL_DEAD = 0b1111
MULTIPLIER, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)

Tuple = tuple[int, ...]
"""Numbers of mazes, ascending."""

Array = npt.NDArray[Any]
"""An array of integers or truth values."""


class Tables:
    """The moves of one letter in some automata: `next[m][d, s]` is the state of automaton m after direction d from its state s.

    It has `sizes[m]` states before the letter and `after[m]` states after it. Joint states are numbers; the first automaton has
    the greatest weight.
    """

    def __init__(self, following: Sequence[Array], sizes: Sequence[int], after: Sequence[int]):
        self.next, self.sizes, self.after = following, sizes, after
        self._pages = None
        if following and following[0].dtype == np.uint8:
            self._pages = [[bytes(row).ljust(256) for row in each] for each in following]

    def moved(self, maze: int, direction: int, states: Array) -> Array:
        """The states after the move."""
        if self._pages is None:
            moved: Array = self.next[maze][direction].take(states)
            return moved
        return np.frombuffer(states.tobytes().translate(self._pages[maze][direction]), np.uint8)  # ten times as fast

    def halves(self, tuple_: Tuple) -> tuple[Array, Array]:
        """The successors of the first mazes of a tuple and of the others: a table of its joint states is a matrix of these."""
        return self.successors(tuple_[: len(tuple_) // 2]), self.successors(tuple_[len(tuple_) // 2 :])

    def successors(self, tuple_: Tuple) -> Array:
        """`[d, j]` is the joint state after direction d."""
        joint: Array = np.zeros((4, 1), np.intp)
        for maze in tuple_:
            joint = (joint[:, :, None] * self.after[maze] + self.next[maze][:, None, :]).reshape(4, -1)
        return joint

    def index(self, tuple_: Tuple, rows: Sequence[Any] | Array, places: dict[int, int] | None = None) -> Array:
        """The joint states of a tuple before the letter; row m, or row `places[m]`, holds the states of maze m."""
        joint: Array = np.zeros(np.shape(rows)[1:], np.intp)
        for maze in tuple_:  # in place, which is ten times as fast
            joint *= self.sizes[maze]
            joint += rows[places[maze] if places else maze]
        return joint


class Machines(ABC):
    """The automata of a set of mazes."""

    dtype: type[np.unsignedinteger[Any]]
    """The type of their states."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of automata."""

    @abstractmethod
    def at(self, left: int) -> Tables:
        """The moves of the next letter of the `left` remaining letters."""

    @abstractmethod
    def size(self, tuple_: Tuple) -> int:
        """The largest number of joint states of the tuple."""

    @abstractmethod
    def unsolved(self, states: Array, left: int) -> list[int]:
        """The mazes that not every string of `left` letters solves from this joint state."""

    @abstractmethod
    def hopeless(self, states: Array, left: int) -> int | None:
        """A maze that no string of `left` letters solves from here."""

    @abstractmethod
    def bound(self, tuple_: Tuple) -> Bound:
        """The joint states that the tuple refutes."""


class StringMachines(Machines):
    """The automata for whole strings; every letter has the same `tables`, and `done[m]` is the state that has solved maze m.

    With `essential`, states contain the visits of essential cells only (`automata.essential_cells`).
    """

    def __init__(self, mazes: Mazes, essential: bool = False):
        automata = [automaton_of(maze, essential) for maze in mazes]
        self.dtype = dtype_of(max(map(len, automata), default=0))
        following = [np.array(each.next, self.dtype).T.copy() for each in automata]
        sizes = [len(each) for each in automata]
        self.tables = Tables(following, sizes, sizes)
        self.done = np.array([each.done for each in automata], self.dtype)
        self.distance = [each.distance for each in automata]

    def __len__(self) -> int:
        return len(self.done)

    def at(self, left: int) -> Tables:
        return self.tables

    def unsolved(self, states: Array, left: int) -> list[int]:
        return np.flatnonzero(states != self.done).tolist()

    def hopeless(self, states: Array, left: int) -> int | None:
        farthest = max(self.unsolved(states, left), key=lambda maze: self.distance[maze][states[maze]], default=None)
        return farthest if farthest is not None and self.distance[farthest][states[farthest]] > left else None

    def bound(self, tuple_: Tuple) -> DistanceBound:
        return DistanceBound(tuple_, self._joint_distances(tuple_))

    def _joint_distances(self, tuple_: Tuple) -> Array:
        """By layers from the joint state where all are solved.

        A layer is a matrix, the first mazes by the others: its states before a move are rows and columns of it.
        """
        rows, columns = self.tables.halves(tuple_)
        if rows.shape[1] * columns.shape[1] >= LARGE and find_spec("numba"):
            from studies.mazes.compiled import joint_distances

            goal = int(self.tables.index(tuple_, self.done))
            found: Array = joint_distances(rows.astype(np.int32), columns.astype(np.int32), goal, FAR)
            return found
        distance = np.full((rows.shape[1], columns.shape[1]), FAR, np.uint8)
        distance.flat[int(self.tables.index(tuple_, self.done))] = 0
        known = distance == 0
        for letters in range(1, FAR):
            reached = known | before(known, rows, columns)
            new = reached & ~known
            if not new.any():
                break
            distance[new] = letters
            known = reached
        return distance.ravel()

    def size(self, tuple_: Tuple) -> int:
        return prod(self.tables.after[maze] for maze in tuple_)


def dtype_of(states: int) -> type[np.unsignedinteger[Any]]:
    """The type of the states of automata with at most this number of states."""
    if states > 1 << 16:
        raise InputError("found a maze with more than 65,536 states, expected smaller mazes for an exhaustive search")
    return np.uint8 if states <= 256 else np.uint16


def before(known: Array, rows: Array, columns: Array) -> Array:
    """The joint states of a matrix (`Tables.halves`) from which one letter leads to a known one."""
    found = np.zeros((rows.shape[1], columns.shape[1]), known.dtype)
    for row, column in zip(rows, columns, strict=True):
        found |= known.take(row, 0).take(column, 1)
    return found


class Bound(ABC):
    """States that a tuple of mazes refutes, how many it has refuted so far, and how many before the last sweep."""

    def __init__(self, mazes: Tuple):
        self.mazes, self.refuted, self.refuted_before = mazes, 0, 0

    @abstractmethod
    def refutes(self, joint: Array | slice, left: int) -> Array:
        """True if no string of `left` letters solves the tuple from these joint states, or from this one."""

    def dead(self, machines: Machines, left: int) -> Array | None:
        """For each joint state the directions (bits) after which `left` letters do not solve all; None if there is none."""
        far = self.refutes(slice(None), left).astype(np.uint8)
        if not far.any():
            return None
        successors = machines.at(left + 1).successors(self.mazes)
        dead = np.zeros(successors.shape[1], np.uint8)
        for d, after in enumerate(successors):
            dead |= far[after] << d
        return dead


class DistanceBound(Bound):
    """The joint distances of a tuple of mazes."""

    def __init__(self, mazes: Tuple, distance: Array):
        super().__init__(mazes)
        self.distance = distance

    def refutes(self, joint: Array | slice, left: int) -> Array:
        refuted: Array = self.distance[joint] > left
        return refuted


@dataclass
class Level:
    """Joint states: `rows[i, s]` is the state of maze `numbers[i]`.

    Edge e leads from the state `parent[e]` of the level before to `child[e]`.
    """

    numbers: tuple[int, ...]
    rows: Array
    parent: Array
    letter: Array
    child: Array
    size: int

    def __len__(self) -> int:
        return self.size

    def keep(self, states: Array) -> None:
        """Keeps only these states (ascending)."""
        place = np.full(self.size, -1, np.int32)
        place[states] = np.arange(len(states), dtype=np.int32)
        child = place[self.child]
        left = child >= 0
        self.parent, self.letter, self.child = self.parent[left], self.letter[left], child[left]
        self.rows, self.size = self.rows[:, states], len(states)

    def without_rows(self) -> Level:
        """The edges, from which strings are reconstructed."""
        return Level(self.numbers, self.rows[:, :0].copy(), self.parent, self.letter, self.child, self.size)


def first_level(machines: Machines, numbers: tuple[int, ...], bounds: Sequence[Bound], left: int) -> Level:
    """The level with every maze at its start; empty if a tuple needs more letters."""
    none = np.zeros(0, np.int32)
    size = int(not any(bound.refutes(slice(1), left).any() for bound in bounds))
    return Level(numbers, np.zeros((len(numbers), size), machines.dtype), none, none, none, size)


def expand(machines: Machines, level: Level, bounds: Sequence[Bound], left: int) -> Level:
    """The next level, with `left` remaining letters."""
    following = expand_within(machines, level, bounds, left, None)
    assert following is not None  # there is no limit
    return following


def expand_within(machines: Machines, level: Level, bounds: Sequence[Bound], left: int, most_bytes: int | None) -> Level | None:
    """The next level; None if it is larger than `most_bytes` before merging."""
    places = {maze: place for place, maze in enumerate(level.numbers)}
    tables = [(bound, table) for bound in bounds if (table := bound.dead(machines, left)) is not None]
    moves = machines.at(left + 1)
    blocks: list[tuple[Array, ...]] = []  # of children: states, fingerprints, parents, letters
    size = 0
    for begin in range(0, len(level), CHUNK):
        rows, states, dead = _pruned(moves, level.rows[:, begin : begin + CHUNK], places, tables)
        for d in DIRECTIONS:
            alive = np.flatnonzero(~dead >> d & 1)
            if len(alive):
                children, prints = _moved(moves, level.numbers, rows[:, alive], d)
                blocks.append((children, prints, states[alive] + begin, np.full(len(alive), d, np.uint8)))
                size += children.nbytes
        if most_bytes is not None and size > most_bytes:
            return None
    return _merged(level, blocks)


def _pruned(moves: Tables, rows: Array, places: dict[int, int], tables: list[tuple[Bound, Array]]) -> tuple[Array, Array, Array]:
    """The states that have children, which states they are, and for each the directions (bits) that are dead."""
    states = np.arange(rows.shape[1], dtype=np.int32)
    dead = np.zeros(len(states), np.uint8)
    refuted = 0
    for number, (bound, table) in enumerate(tables, start=1):
        dead |= table.take(moves.index(bound.mazes, rows, places))
        count = int(np.bitwise_count(dead).sum())
        bound.refuted += count - refuted
        refuted = count
        if number % COMPACT == 0:
            alive = np.flatnonzero(dead != ALL_DEAD)
            if len(alive) < 0.6 * len(dead):
                rows, states, dead = rows[:, alive], states[alive], dead[alive]
                refuted = int(np.bitwise_count(dead).sum())
    return rows, states, dead


def _moved(moves: Tables, numbers: Sequence[int], rows: Array, direction: int) -> tuple[Array, Array]:
    """The states after a move, in place, and a fingerprint of each."""
    prints = np.zeros(rows.shape[1], np.uint64)
    for row, maze in zip(rows, numbers, strict=True):
        row[:] = moves.moved(maze, direction, row)
        prints *= MULTIPLIER
        prints += row
        prints ^= prints >> SHIFT
    return rows, prints


def _merged(level: Level, blocks: list[tuple[Array, ...]]) -> Level:
    """One level of all children; equal fingerprints count as equal states (the checker of certificates compares whole states)."""
    if not blocks:
        none = np.zeros(0, np.int32)
        return Level(level.numbers, level.rows[:, :0], none, none, none, 0)
    prints, parent, letter = (np.concatenate([block[part] for block in blocks]) for part in (1, 2, 3))
    _, first, child = np.unique(prints, return_index=True, return_inverse=True)
    order = np.argsort(first)
    first, child = first[order], np.argsort(order)[child].astype(np.int32)
    rows = np.empty((len(level.numbers), len(first)), level.rows.dtype)
    begin = end = base = 0
    for number, (children, *_) in enumerate(blocks):
        end = begin + int(np.searchsorted(first[begin:], base + children.shape[1]))
        rows[:, begin:end] = children[:, first[begin:end] - base]
        begin, base = end, base + children.shape[1]
        blocks[number] = ()  # free its memory
    return Level(level.numbers, rows, parent, letter, child, len(first))
