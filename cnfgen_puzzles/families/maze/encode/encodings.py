"""Maze strings as formulas: the table of encodings, and what each of them says.

The pattern has letters 0 .. T-1, free steps F. Every encoding has dir[t, d] for t in F and d = N, E, S, W (0..3), exactly one a
step, which is the projection set; for a fixed letter dir[t, d] is a constant. For each maze, with m(c, d) the cell after a move:

* `article` (the published one): at[t, c] for every step and cell that can be reached, by gates with constants folded,
  at[t+1, c] = (at[t, c] and OR of dir[t, d] with m(c, d) = c) or OR of (at[t, b] and dir[t, d]) with m(b, d) = c; not at[t, b] or
  not at[t, c]; reached[t+1, c] = reached[t, c] or at[t+1, c]; reached[T, c] for every cell that must be visited.
* `pruned` (the default): at[t, c] only between the first free step and the last, and only for cells that are allowed
  (`layers.py`); one a step, in thin mazes exactly one; (1) at[t, c] and dir[t, d] imply at[t+1, m(c, d)]; (2) at[t+1, b] implies
  some at[t, c] that leads there; (3) for every cell c that must be visited, and is not by prefix or suffix for sure: OR of
  at[t, c] over all t, or of at[last, b] where the suffix visits c from b. In blocked mazes (3) says nothing new: the last
  positions that are allowed are those from which the suffix reaches the goal, which is never left.

* `states`: as `pruned`, with the states of the maze's minimal automaton (`windows.py`) in place of cells: what is still to be
  visited is part of the position, only states that can be reached and completed are allowed, and (3) is not needed.

The solutions, projected to the directions, are the strings. In `article`, and in the others for thin mazes or with `mutex`, the
positions are functions of the directions, so that each string has one model. With
`symmetry=representatives` one string of each orbit under the puzzle's symmetry group is kept (`symmetry.py`): for every g but the
identity, and d with g(d) < d, dir[t, d] implies OR of dir[u, e] over u < t and e with g(e) != e.

A small case in full: one row of two cells, start at the left, two free letters; the walk ends at the right if one is E:

>>> from cnfgen_puzzles.families.maze.model.grid import Grid
>>> from cnfgen_puzzles.families.maze.model.mazeset import Mazes
>>> puzzle = MazeString(Mazes("thin", Grid(1, 2), ((1, 0),)), "E*")
>>> build(puzzle, encoder=PrunedEncoder).num_clauses  # only the direction: exactly one of four
7
>>> list(build(MazeString(puzzle.mazes, "W"), encoder=PrunedEncoder).clauses())
[[]]
"""

from __future__ import annotations

from functools import partial
from typing import Any

from cnfgen_puzzles.families.family import Encoding, by_name
from cnfgen_puzzles.families.maze.encode.encoders import ArticleEncoder, Encoder
from cnfgen_puzzles.families.maze.encode.pruned import PrunedEncoder, StatesEncoder
from cnfgen_puzzles.families.maze.model.puzzle import MazeString
from cnfgen_puzzles.families.maze.model.symmetry import symmetries
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.ground.errors import InputError

MOST_CLAUSES = 50_000_000
"""About a gigabyte of memory. All mazes of 3x3 with 78 free letters have 57 million (`pruned`)."""

SAMPLE = 10
"""Mazes by which the size of a formula is estimated."""

ALL, REPRESENTATIVES = "all", "representatives"

ENCODERS: dict[str, type[Encoder]] = {"pruned": PrunedEncoder, "states": StatesEncoder, "article": ArticleEncoder}
"""What a loop that adds one maze after another starts from: `make_encoder`."""


def make_encoder(puzzle: MazeString, encoder: type[Encoder], symmetry: str = ALL, **options: Any) -> Encoder:
    """An encoder for the puzzle that knows no maze yet. The symmetries are those of all its mazes."""
    group = symmetries(puzzle.mazes, puzzle.pattern)[1:] if symmetry == REPRESENTATIVES else ()
    return encoder(puzzle.pattern, group, **options)


def build(
    puzzle: MazeString, encoder: type[Encoder], symmetry: str = ALL, most_clauses: int = MOST_CLAUSES, **options: Any
) -> Formula:
    """The formula of all mazes of the puzzle; InputError for one that would be too large."""
    made = make_encoder(puzzle, encoder, symmetry, **options)
    expected = estimated_clauses(puzzle, encoder, **options)
    if expected > most_clauses:
        raise too_large(expected, most_clauses)
    made.add_mazes(puzzle.mazes)
    return made.formula


def estimated_clauses(puzzle: MazeString, encoder: type[Encoder], **options: Any) -> int:
    """About how many clauses the formula of all mazes will have: counted for a few mazes, spread over the list."""
    count = len(puzzle.mazes)
    if count <= SAMPLE:
        return 0
    trial = encoder(puzzle.pattern, (), **options)
    trial.add_mazes(puzzle.mazes.chosen(place * (count - 1) // (SAMPLE - 1) for place in range(SAMPLE)))
    return trial.formula.num_clauses * count // SAMPLE


def too_large(clauses: int, most: int) -> InputError:
    """What the user is told."""
    return InputError(
        f"found a formula of about {clauses:,} clauses, expected at most {most:,}; take fewer mazes (--first K), add them one by "
        "one (solve-puzzle maze), or raise --most-clauses"
    )


SYMMETRY = Option("symmetry", "which strings: all, or at least one of every orbit", ALL, choices=(ALL, REPRESENTATIVES))
MUTEX = Option("mutex", "in blocked mazes also say that a walk is in one place only", False, bool)
LEMMAS = Option("lemmas", "binary clauses from joint distances of each maze and so many before it", 0, int, least=0)
MOST = Option("most_clauses", "refuse to make a formula of more clauses, before it is made", MOST_CLAUSES, int, least=0)

ENCODINGS = by_name(
    Encoding(
        "pruned",
        "positions only where they can matter, ends of the pattern simulated: small and fast",
        partial(build, encoder=PrunedEncoder),
        (SYMMETRY, LEMMAS, MUTEX, MOST),
    ),
    Encoding(
        "states",
        "what a walk has visited as part of its position: exact, for windows between fixed letters",
        partial(build, encoder=StatesEncoder),
        (SYMMETRY, LEMMAS, MUTEX, MOST),
    ),
    Encoding(
        "article",
        "gates for every position, cells reached so far: the published one",
        partial(build, encoder=ArticleEncoder),
        (SYMMETRY, MOST),
    ),
)
