"""Maze strings made at random: some mazes of a grid, and a length.

`subset` draws mazes among those that the reductions leave. Few mazes and much length make easy puzzles; the hard ones lie where a
string just exists, or just not. Not here: what the command line is told of the generator's options (`formats/`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.maze.model import BLOCKED, Grid
from cnfgen_puzzles.families.maze.model.puzzle import FREE, MazeString, read_size
from cnfgen_puzzles.families.maze.sets import ARTICLE, check_size, chosen_steps, reduced


class Drawn(NamedTuple):
    """From what a puzzle is drawn: `mazes` of those that the steps of reduction leave, `length` to `longest` free steps."""

    kind: str
    grid: Grid
    steps: tuple[str, ...]
    mazes: int
    length: int
    longest: int


def subset(seed: int, **options: Any) -> MazeString:
    """A string of random length for mazes drawn from those of a grid."""
    drawn = checked(**options)
    choice = SeededChoice("maze subset", seed)
    length = drawn.length + choice.below(drawn.longest - drawn.length + 1)
    every = reduced(drawn.kind, drawn.grid, drawn.steps)
    return MazeString(every.chosen(sorted(choice.shuffled(range(len(every)))[: drawn.mazes])), FREE * length)


def checked(
    kind: str = BLOCKED,
    size: str = "3x3",
    mazes: int = 10,
    length: int = 10,
    longest: int | None = None,
    reduce: str = ARTICLE,
) -> Drawn:
    """What the options mean; InputError for what cannot be."""
    longest = length if longest is None else longest
    if length > longest:
        raise InputError(f"found a length from {length} to {longest}, expected the greater last")
    grid = read_size(size)
    check_size(kind, grid)
    return Drawn(kind, grid, chosen_steps(kind, reduce), mazes, length, longest)
