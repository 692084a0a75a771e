"""Simulation and annealing compiled by numba, about a hundred times as fast.

As in `Mazes`, each bit is a maze, and a move of all walks takes a few operations on words, here in blocks of `WORDS` words. Each
block is simulated through the whole string before the next one begins, so a change is rejected as soon as its cost in the first
blocks is too high; therefore mazes that are rarely solved come first. The walks of a block after each letter are stored and
updated on demand. Needs numpy and numba, which `annealing.py` does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numba import njit
from numba.extending import register_jitable

from cnfgen_puzzles.families.maze.model import DIRECTIONS
from cnfgen_puzzles.families.maze.puzzle import Mazes
from studies.maze_search.changes import allowance, below, carry, change, change_segment, first_difference

WORDS = 32
"""The number of words of a block; with fewer the compiled loops are too short, with more changes are rejected late."""

WORD = np.uint64
M1, M2, M4, ONES = WORD(0x5555555555555555), WORD(0x3333333333333333), WORD(0x0F0F0F0F0F0F0F0F), WORD(0x0101010101010101)
S1, S2, S4, S56 = WORD(1), WORD(2), WORD(4), WORD(56)

Array = np.ndarray[Any, Any]
State = tuple[Array, Array, Array, Array, Array, Array, Array]
"""The state of `Kernel`: must, passages, moves, numbers of moves, stored walks, the letters up to which they are stored, walks of
a trial."""
Function = TypeVar("Function", bound=Callable[..., Any])

for plain in (below, allowance, carry, change_segment, first_difference, change):
    register_jitable(plain)  # compiled code can call them


def compiled(function: Function) -> Function:
    """The function, compiled at its first call and cached on disk."""
    return cast(Function, njit(cache=True)(function))


class Kernel:
    """An engine with the interface of `PlainEngine`: the mazes as arrays of words, and the walks of the current string."""

    stride: ClassVar[int] = 2000
    gives_up_early: ClassVar[bool] = True

    @staticmethod
    def vector(numbers: Sequence[int]) -> Array:
        return np.array(numbers, np.int64)

    def __init__(self, mazes: Mazes, length: int):
        self.blocks = -(-len(mazes) // (64 * WORDS))
        cells = mazes.grid.cells
        passages, moves, counts = self._passages(mazes)
        self._start = self._words(mazes.begin()[0])
        tables = (self._words(mazes.must_bits), self._words(passages), moves, counts)
        kept = np.zeros((self.blocks, length + 1, 2, cells, WORDS), WORD)
        kept[:, 0, 0] = kept[:, 0, 1] = self._start
        self._state: State = (*tables, kept, np.zeros(self.blocks, np.int64), np.zeros((2, cells, WORDS), WORD))

    def _words(self, sets: Sequence[int]) -> Array:
        """Sets of mazes as blocks x sets x words."""
        size = self.blocks * WORDS
        rows = [np.frombuffer(bits.to_bytes(size * 8, "little"), "<u8").reshape(self.blocks, WORDS) for bits in sets]
        return np.ascontiguousarray(np.stack(rows, axis=1), WORD)

    @staticmethod
    def _passages(mazes: Mazes) -> tuple[list[int], Array, Array]:
        """The sets of mazes in which a move is possible, and for each direction the moves: source, number of that set, target.

        The order of the moves ensures that no walk moves twice.
        """
        numbers: dict[int, int] = {}
        moves, counts = np.zeros((4, mazes.grid.cells, 3), np.int64), np.zeros(4, np.int64)
        for direction in DIRECTIONS:
            rows = list(zip(*mazes.passages[direction], strict=True))
            if mazes.grid.deltas[direction] > 0:
                rows.reverse()
            counts[direction] = len(rows)
            for row, (source, passing, target) in enumerate(rows):
                moves[direction, row] = source, numbers.setdefault(passing, len(numbers)), target
        return list(numbers), moves, counts

    def cost(self, letters: Array) -> int:
        self._state[5][:] = 0
        return int(evaluate(letters, letters, 0, 1 << 40, self._state))

    def anneal(
        self, string: Array, free: Array, cost: int, steps: int, temperature: float, generator: Array, best: Array
    ) -> tuple[int, int, int]:
        return stretch(string, free, cost, steps, temperature, generator, best, self._state)


@compiled
def stretch(
    string: Array, free: Array, cost: int, steps: int, temperature: float, generator: Array, best: Array, state: State
) -> tuple[int, int, int]:
    count = len(free)
    letters, others, trial = np.zeros(count, np.int64), np.zeros(count, np.int64), string.copy()
    for place in range(count):
        letters[place] = string[free[place]]
    least = cost
    best[:] = string
    for done in range(1, steps + 1):
        place = change(letters, others, generator)
        if place == count:
            continue
        first = free[place]
        limit = cost + allowance(generator, temperature)
        for other in range(place, count):
            trial[free[other]] = others[other]
        new = evaluate(string, trial, first, limit, state)
        if new > limit:
            for other in range(place, count):
                trial[free[other]] = letters[other]
            continue
        letters[:] = others
        string[first:] = trial[first:]
        cost = new
        kept_until = state[5]
        for block in range(len(kept_until)):
            kept_until[block] = min(kept_until[block], first)
        if cost < least or cost == 0:
            least = cost
            best[:] = string
        if cost == 0:
            return cost, least, done
    return cost, least, steps


@compiled
def evaluate(string: Array, trial: Array, first: int, limit: int, state: State) -> int:
    """The number of unsolved mazes of `trial`, or more than `limit`; up to letter `first`, it equals `string`."""
    must, passages, moves, counts, kept, kept_until, walks = state
    total = 0
    for block in range(len(must)):
        for step in range(kept_until[block], first):
            kept[block, step + 1] = kept[block, step]
            advance(kept[block, step + 1], passages[block], moves, counts, string[step])
        kept_until[block] = max(kept_until[block], first)
        walks[:] = kept[block, first]
        for step in range(first, len(trial)):
            advance(walks, passages[block], moves, counts, trial[step])
        total += unsolved(must[block], walks[1])
        if total > limit:
            break
    return total


@compiled
def advance(walks: Array, passages: Array, moves: Array, counts: Array, letter: int) -> None:
    at, visited = walks[0], walks[1]
    for row in range(counts[letter]):
        source, passage, target = moves[letter, row, 0], moves[letter, row, 1], moves[letter, row, 2]
        for word in range(WORDS):
            going = at[source, word] & passages[passage, word]
            at[source, word] ^= going
            at[target, word] |= going
            visited[target, word] |= going


@compiled
def unsolved(must: Array, visited: Array) -> int:
    total = WORD(0)
    for word in range(WORDS):
        bits = WORD(0)
        for cell in range(len(must)):
            bits |= must[cell, word] & ~visited[cell, word]
        bits -= (bits >> S1) & M1
        bits = (bits & M2) + ((bits >> S2) & M2)
        bits = (bits + (bits >> S4)) & M4
        total += (bits * ONES) >> S56
    return np.int64(total)  # type: ignore[return-value]  # an integer to numba
