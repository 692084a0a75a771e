"""Maze strings made at random: some mazes of a grid, and a length.

`subset` draws mazes among those that the reductions leave. Few mazes and much length make easy puzzles; the hard ones lie where a
string just exists, or just not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.maze.formats.options import read_size
from cnfgen_puzzles.families.maze.model.grid import Grid
from cnfgen_puzzles.families.maze.model.mazeset import Mazes
from cnfgen_puzzles.families.maze.model.puzzle import BLOCKED, FREE, KINDS, MAX_LENGTH, MazeString
from cnfgen_puzzles.families.maze.sets.allmazes import check_size
from cnfgen_puzzles.families.maze.sets.reductions import ARTICLE, chosen_steps, reduced
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.seededchoice import SeededChoice

OPTIONS = (
    Option("kind", "walls between cells, or blocked cells", BLOCKED, choices=KINDS),
    Option("size", "rows x columns, such as 3x3", "3x3"),
    Option("mazes", "how many mazes, at most", 10, int, least=1),
    Option("length", "free steps of the string", 10, int, least=0, most=MAX_LENGTH),
    Option(
        "longest", "if given, the number of free steps is drawn between `length` and this", None, int, least=0, most=MAX_LENGTH
    ),
    Option("reduce", f"which mazes are left out before: {ARTICLE}, all, none, or steps apart by commas", ARTICLE),
)


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
    every = _every(drawn.kind, drawn.grid, drawn.steps)
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


@lru_cache(maxsize=4)
def _every(kind: str, grid: Grid, steps: tuple[str, ...]) -> Mazes:
    return reduced(kind, grid, steps)


GENERATORS = by_name(Generator("subset", "some mazes of a grid, and a length", subset, OPTIONS, checked))
