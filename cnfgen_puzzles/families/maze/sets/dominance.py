"""Dominance between blocked mazes: one is left out if every string that solves some other one solves it.

It is decided by the product of two automata. Only few of the millions of pairs come so far: a string that solves one maze and
not the other settles a pair, and random strings, bit-parallel over all mazes, settle nearly all of them.
"""

from __future__ import annotations

import random

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.maze.model import LETTERS, Maze, members
from cnfgen_puzzles.families.maze.model.automaton import automaton_of
from cnfgen_puzzles.families.maze.model.puzzle import Entry, Mazes

STRINGS = 3000
SEED = 4


def undominated(mazes: Mazes) -> tuple[Entry, ...]:
    """The mazes that no other maze dominates; of several that dominate each other, the first. InputError for too many."""
    steps = STRINGS * len(mazes)
    checked_amount("steps", steps, found=f"{len(mazes)} mazes to compare with each other in {steps} steps", source="--reduce")
    implied = _candidates(mazes)
    dropped = 0
    for number, maze in enumerate(mazes):
        for other in members(implied[number] & ~dropped & ~(1 << number)):
            witness = counterexample(mazes[other], maze)
            if witness is None:
                dropped |= 1 << number
                break
    return tuple(entry for number, entry in enumerate(mazes.entries) if not dropped >> number & 1)


def _candidates(mazes: Mazes) -> list[int]:
    """For each maze those (as bits) that may dominate it: no random string solves such a one and not the maze."""
    chance = random.Random(SEED)
    everything = (1 << len(mazes)) - 1
    implied = [everything] * len(mazes)
    longest = 8 * mazes.grid.cells
    for _ in range(STRINGS):
        letters = [chance.choice("ESESESNW") for _ in range(chance.randrange(1, longest))]
        failed = mazes.open_bits(mazes.advance(mazes.begin(), "".join(letters)))
        for number in members(failed):
            implied[number] &= failed
    return implied


def counterexample(one: Maze, other: Maze) -> str | None:
    """A shortest string that solves the first maze and not the second; None if there is none: then the first dominates."""
    first, second = automaton_of(one), automaton_of(other)
    layer = {(0, 0): ""}
    seen = {(0, 0)}
    while layer:
        following = {}
        for (a, b), string in layer.items():
            if a == first.done and b != second.done:
                return string
            if b == second.done:
                continue
            for d, letter in enumerate(LETTERS):
                pair = (first.next[a][d], second.next[b][d])
                if pair not in seen:
                    seen.add(pair)
                    following[pair] = string + letter
        layer = following
    return None
