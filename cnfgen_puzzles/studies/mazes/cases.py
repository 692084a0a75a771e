"""A case of the studies: the mazes of a grid, whole or reduced, and the last word on a string that was found for them.

Not here: which mazes a grid has and why some may be left out (`families/maze`).
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from cnfgen_puzzles.families.maze.model.puzzle import Mazes, read_size
from cnfgen_puzzles.families.maze.sets import ARTICLE, EVERY, NO_STEP, chosen_steps, reduced
from cnfgen_puzzles.ground.errors import CnfgenError

ALL_REDUCTIONS, NO_REDUCTION = EVERY, NO_STEP

PAGE_79, PAGE_BLOCKED, THIS_PROJECT = "article on maze strings", "article on blocked mazes", "this project"
"""Who claims something of mazes."""

PUBLISHED = "NNWSWNNSENESESWSSWNSEENWWNWSSEWWNENWEENWSWNWSSENENWNWNESENESESWNWSESEWWNENWNEES"
"""The shortest string that is known for thin 3x3: 79 letters, from the article."""


@lru_cache(maxsize=8)
def mazes_of(kind: str, size: str, reduce: str = ARTICLE) -> Mazes:
    """The mazes that are left by some steps of reduction. `size` is rows x columns; InputError if it is none, or too large."""
    return reduced(kind, read_size(size), chosen_steps(kind, reduce))


def size_of(mazes: Mazes) -> str:
    """Rows x columns."""
    return f"{mazes.grid.height}x{mazes.grid.width}"


def maze_checksum(mazes: Mazes) -> str:
    """SHA-256 of the mazes and their order: plans of cubes are found to be of this case by it."""
    grid = f"Grid(height={mazes.grid.height}, width={mazes.grid.width})"
    return hashlib.sha256(json.dumps([mazes.kind, grid, mazes.entries]).encode()).hexdigest()


def verified(kind: str, size: str, string: str) -> str:
    """The string, if it solves every maze of the grid with every start; not a reduction, not an encoding is asked."""
    if not mazes_of(kind, size, NO_REDUCTION).solves_all(string):
        raise CnfgenError(f"{string} fails: a reduction, the encoding or the search is at fault")
    return string
