"""Dominance of blocked mazes: a maze dominates another one if every string that solves it solves the other one, too.

It removes 10% of the mazes of blocked 4x4 that the other reductions leave (`families/maze/sets.py`), and 5% of 5x4.
"""

from __future__ import annotations

import random

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.maze.model import LETTERS, Maze, members
from cnfgen_puzzles.families.maze.puzzle import Mazes

STRINGS = 3000
"""The number of random strings that find candidates."""
SEED = 4


def undominated(mazes: Mazes) -> Mazes:
    """The blocked mazes that no other maze dominates; of mazes that dominate each other, the first. InputError for too many."""
    steps = STRINGS * len(mazes)
    checked_amount("steps", steps, found=f"{len(mazes)} mazes to compare with each other in {steps} steps")
    implied = _candidates(mazes)
    dropped = 0
    for number, maze in enumerate(mazes):
        rest = members(implied[number] & ~dropped & ~(1 << number))
        if any(counterexample(mazes[other], maze) is None for other in rest):
            dropped |= 1 << number
    return mazes.chosen(number for number in range(len(mazes)) if not dropped >> number & 1)


def _candidates(mazes: Mazes) -> list[int]:
    """For each maze, the mazes (as bits) that may dominate it: no random string solves one of them but not the maze."""
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
    """A shortest string that solves the first blocked maze and not the second; None if none exists, so the first dominates."""
    first, second, goal = one.moves_until_solved, other.moves_until_solved, one.goal
    layer = {(0, 0): ""}
    seen = {(0, 0)}
    while layer:
        following = {}
        for (a, b), string in layer.items():
            if b == goal:
                continue
            if a == goal:
                return string
            for d, letter in enumerate(LETTERS):
                pair = (first[a][d], second[b][d])
                if pair not in seen:
                    seen.add(pair)
                    following[pair] = string + letter
        layer = following
    return None
