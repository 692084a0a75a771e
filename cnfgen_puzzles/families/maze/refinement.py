"""The CEGAR loop for maze strings: the formula contains only mazes that a counterexample has violated.

    refinement = MazeRefinement(puzzle, ENCODINGS["pruned"], symmetry="representatives")
    refinement.add([0, 17])                        # the formula grows by two mazes
    string, broken = refinement.inspect(model)
    refinement.add(refinement.choose(broken, 5))

This module finds the mazes that a string does not solve and chooses which of them to add; `pipeline/cegar.py` has the loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import inf
from typing import Any

from cnfgen_puzzles.families.capabilities import Refinement
from cnfgen_puzzles.families.family import Encoding
from cnfgen_puzzles.families.maze.encodings import ALL, REPRESENTATIVES, make_encoder
from cnfgen_puzzles.families.maze.model import BLOCKED, THIN
from cnfgen_puzzles.families.maze.puzzle import MazeString, string_of

LEMMAS = {BLOCKED: {"mutex": True, "lemmas": 20}, THIN: {"lemmas": 12}}
"""The number of previous mazes with which a maze is compared (docs/how-to/maze.md has the times)."""

OTHER_START = 2
"""The weight of different starts, in walls, in the distance of two mazes."""


class MazeRefinement(Refinement):
    """The lazy constraints are the mazes of the puzzle, by their numbers in its set."""

    noun = "mazes"

    @staticmethod
    def helpful_options(puzzle: MazeString, *, every: bool) -> dict[str, Any]:
        lemmas = LEMMAS[puzzle.mazes.kind]
        return lemmas if every else lemmas | {"symmetry": REPRESENTATIVES}

    def __init__(self, puzzle: MazeString, encoding: Encoding, symmetry: str = ALL, **options: Any):
        self.puzzle = puzzle
        self._encoder = make_encoder(puzzle, encoding.name, symmetry, **options)
        self.formula = self._encoder.formula
        self.added: list[int] = []
        self.total = len(puzzle.mazes)
        self.keeps_all = not self._encoder.group

    def add(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._encoder.add_maze(self.puzzle.mazes[number])
            self.added.append(number)

    def decode(self, true: Collection[int]) -> str:
        return string_of(self.puzzle.pattern, self.formula.blocks["dir"], true)

    def inspect(self, true: Collection[int]) -> tuple[str, list[int]]:
        board = self.decode(true)
        return board, self.puzzle.mazes.unsolved(board)

    def choose(self, broken: Sequence[int], count: int) -> list[int]:
        """Mazes whose walls differ: the first maze, then repeatedly one whose least distance from the chosen ones is largest."""
        entries = [self.puzzle.mazes.entries[number] for number in broken]
        chosen = [0]
        distance: list[float] = [inf] * len(entries)
        while len(chosen) < min(count, len(broken)):
            here, start = entries[chosen[-1]]
            apart = ((here ^ open).bit_count() + OTHER_START * (start != other) for open, other in entries)
            distance = [min(pair) for pair in zip(distance, apart, strict=True)]
            distance[chosen[-1]] = -1  # never chosen again
            chosen.append(max(range(len(entries)), key=distance.__getitem__))
        return [broken[place] for place in chosen]

    def part(self) -> MazeString:
        """The mazes added so far and their images under the symmetries that removed strings."""
        mazes = self.puzzle.mazes
        numbers = dict.fromkeys(self.added)
        if self._encoder.group:
            of_form = {maze.normal_form: number for number, maze in enumerate(mazes)}
            for number in self.added:
                images = (mazes[number].image(symmetry) for symmetry in self._encoder.group)
                numbers.update(dict.fromkeys(of_form[maze.normal_form] for maze in images))
        return MazeString(mazes.chosen(numbers), self.puzzle.pattern)
