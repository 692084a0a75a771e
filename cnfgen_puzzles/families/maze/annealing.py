"""Strings by simulated annealing: the number of mazes that a string does not solve, made small by small changes.

The bit-parallel simulation (`mazes.py`) judges a change in well under a millisecond, from the first letter that changed on. A
pattern's fixed letters stay; its free steps are the letters that move. What comes out is a string, solved or not; nothing is ever
shown impossible here. Not here: strings by SAT (`refinement.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from math import exp
from random import Random

from cnfgen_puzzles.families.maze.grid import LETTERS
from cnfgen_puzzles.families.maze.mazes import Mazes, Walks
from cnfgen_puzzles.families.maze.puzzle import MazeString

HOT, COLD = 8.0, 0.7
"""The temperatures at the beginning and at the end, in mazes not solved."""

BETWEEN_LOOKS = 100


@dataclass
class Trial:
    """A string, the walks after each of its letters, and how many mazes it does not solve."""

    string: str
    walks: list[Walks]
    cost: int


def anneal(
    puzzle: MazeString, seconds: float, random: Random, start: str | None = None, hot: float = HOT, cold: float = COLD
) -> Trial:
    """The best string of one descent from `hot` to `cold`; it ends early with a string that solves all."""
    now = _trial(puzzle.mazes, start or _random_string(puzzle, random))
    best = now
    begun = time.monotonic()
    while best.cost and (gone := (time.monotonic() - begun) / seconds) < 1:
        temperature = hot * (cold / hot) ** gone
        for _ in range(BETWEEN_LOOKS if puzzle.free else 1):
            letters = _changed(puzzle, now.string, random)
            if letters == now.string:
                continue
            new = _trial(puzzle.mazes, letters, now)
            if new.cost <= now.cost or random.random() < exp((now.cost - new.cost) / temperature):
                now = new
                best = min(best, now, key=lambda trial: trial.cost)
            if not best.cost:
                break
    return best


def descents(puzzle: MazeString, seconds: float, random: Random, each: float = 20.0) -> Iterator[Trial]:
    """One descent after the other until the time is over, each a little longer than the one before."""
    begun = time.monotonic()
    while (left := seconds - (time.monotonic() - begun)) > 0:
        yield anneal(puzzle, min(each, left), random)
        each *= 1.5


def _random_string(puzzle: MazeString, random: Random) -> str:
    return _filled(puzzle, [random.choice(LETTERS) for _ in puzzle.free])


def _filled(puzzle: MazeString, letters: list[str]) -> str:
    """The pattern with these letters at its free steps."""
    string = list(puzzle.pattern)
    for step, letter in zip(puzzle.free, letters, strict=True):
        string[step] = letter
    return "".join(string)


def _changed(puzzle: MazeString, string: str, random: Random) -> str:
    """The string with another letter, or with one taken out and one put in elsewhere, or with one moved."""
    letters = [string[step] for step in puzzle.free]
    if not letters:
        return string
    kind, place, other = random.random(), random.randrange(len(letters)), random.randrange(len(letters))
    letter = letters.pop(place)
    if kind < 0.4:
        letters.insert(place, random.choice(LETTERS))
    elif kind < 0.8:
        letters.insert(other, random.choice(LETTERS))
    elif kind < 0.9:
        letters.insert(min(place + 1, len(letters)), letter)
    else:
        letters.insert(other, letter)
    return _filled(puzzle, letters)


def _trial(mazes: Mazes, string: str, before: Trial | None = None) -> Trial:
    """The string simulated, from where it departs from the one before."""
    walks = [mazes.begin()]
    if before is not None:
        pairs = zip(string, before.string, strict=True)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        walks = before.walks[: same + 1]
    for letter in string[len(walks) - 1 :]:
        walks.append(mazes.advance(walks[-1], letter))
    return Trial(string, walks, mazes.open_bits(walks[-1]).bit_count())
