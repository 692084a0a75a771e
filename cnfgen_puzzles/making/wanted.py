"""A difficulty that is asked for, and the way to it: one cell after the other, each change nearer, until the puzzle has it.

How hard a puzzle is, is what `explain` measures. Which changes make it harder is not known beforehand: cells are tried in the
order of a fixed seed, and of `COMPARED` whose puzzles have one solution the one that comes nearest is taken. At last what is not
needed is undone.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.capabilities import DEPTH, Explaining, Place, Rows
from cnfgen_puzzles.making.changes import changed, differences
from cnfgen_puzzles.solving.answers import SATISFIABLE

LINES = "line-logic"
EXPECTED = "line-logic, ahead-1 (or 2, ...: so many assumptions within each other), or a score as 100-300"
LOOKS = 50_000
"""Lines looked at for each puzzle on the way: about two seconds; what is not solved by then counts as too hard."""
COMPARED = 12
"""So many puzzles are measured before one is taken."""
REACHED = (0, 0)


@dataclass(frozen=True)
class Wanted:
    """A difficulty: so many assumptions within each other, neither more nor fewer, or a score from `low` to `high`."""

    text: str
    depth: int | None = None
    low: int = 0
    high: int = 0

    def distance(self, found: Mapping[str, Any] | None) -> tuple[float, int]:
        """How far a difficulty is from it, REACHED where it is; None is one that thought does not solve, and beyond all.

        Of two that lie apart by as many assumptions, the one is nearer whose score is more like it.
        """
        if found is None:
            return math.inf, 0
        if self.depth is None:
            return max(self.low - found["score"], found["score"] - self.high, 0), 0
        missing = self.depth - found["depth"]
        return (abs(missing), found["score"] * (-1 if missing > 0 else 1)) if missing else REACHED

    def too_easy(self, found: Mapping[str, Any]) -> bool:
        """Whether it takes a harder one."""
        return bool(found["score"] < self.low if self.depth is None else found["depth"] < self.depth)


def wanted_of(text: str) -> Wanted:
    """The difficulty that these words say; InputError for others.

    >>> wanted_of("ahead-2").depth, wanted_of("100-300").high
    (2, 300)
    """
    if text == LINES:
        return Wanted(text, 0)
    if match := re.fullmatch(r"ahead-([1-9])", text):
        return Wanted(text, int(match[1]))
    if (match := re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)) and int(match[1]) <= int(match[2]):
        return Wanted(text, None, int(match[1]), int(match[2]))
    raise InputError(f"found the difficulty {text!r:.40}, expected {EXPECTED}")


@dataclass
class Walk:
    """The way from a picture, whose puzzles are made by `puzzle`, to one that is as hard as is wanted.

    `single` tells whether a picture's puzzle has one solution; `choices` are the changes that a picture can get, in any
    order. `deadline` is on the monotonic clock.
    """

    wanted: Wanted
    explaining: Explaining
    puzzle: Callable[[Rows], Any]
    single: Callable[[Rows], bool]
    choices: Callable[[Rows], Iterator[tuple[Place, int]]]
    deadline: float

    def measured(self, board: Rows, looks: int = LOOKS) -> Mapping[str, Any] | None:
        """How hard its puzzle is; None if thought does not solve it."""
        found = self.explaining.explain(self.puzzle(board), depth=max(DEPTH, self.wanted.depth or 0), looks=looks)
        return found.difficulty if found.status == SATISFIABLE else None

    def distance(self, board: Rows) -> tuple[float, int]:
        """How far a picture's puzzle is from what is wanted."""
        return self.wanted.distance(self.measured(board))

    def reached(self, board: Rows) -> Rows:
        """The nearest picture that is found in the time, from this one on."""
        here = self.distance(board)
        while here != REACHED and (step := self.nearer(board, here)):
            board, here = step
        return board

    def nearer(self, board: Rows, here: tuple[float, int]) -> tuple[Rows, tuple[float, int]] | None:
        """A picture with another cell, and its distance, less than `here`; None if there is none, or the time is over."""
        best, compared = None, 0
        for choice in self.choices(board):
            if time.monotonic() > self.deadline or (best is not None and (compared == COMPARED or here == REACHED)):
                break
            candidate = changed(board, dict([choice]))
            if self.single(candidate):
                compared += 1
                if (there := self.distance(candidate)) < here:
                    best, here = (candidate, there), there
        return best

    def leaner(self, board: Rows, picture: Rows) -> Rows:
        """The picture that was reached, without those changes of the original that it does not need."""
        for row, column in differences(picture, board):
            if time.monotonic() > self.deadline:
                break
            candidate = changed(board, {(row, column): int(picture[row][column])})
            if self.single(candidate) and self.distance(candidate) == REACHED:
                board = candidate
        return board
