"""Sources of claims about mazes, the published string, and checksums of sets of mazes."""

from __future__ import annotations

import hashlib
import json

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.families.maze.sets import NO_STEP, mazes_of

PAGE_79, PAGE_BLOCKED, THIS_PROJECT = "article on maze strings", "article on blocked mazes", "this project"
"""The sources of claims."""

PUBLISHED = "NNWSWNNSENESESWSSWNSEENWWNWSSEWWNENWEENWSWNWSSENENWNWNESENESESWNWSESEWWNENWNEES"
"""The shortest string that is known for thin 3x3: 79 letters, from the article."""


def maze_checksum(mazes: Mazes) -> str:
    """SHA-256 of the mazes and their order, which identifies the case of stored cubes."""
    grid = f"Grid(height={mazes.grid.height}, width={mazes.grid.width})"
    return hashlib.sha256(json.dumps([mazes.kind, grid, mazes.entries]).encode()).hexdigest()


def verified(kind: str, size: str, string: str) -> str:
    """The string, if it solves every maze of the grid without any reduction; CnfgenError if it does not."""
    failed = mazes_of(kind, size, NO_STEP).unsolved(string)
    if failed:
        raise CnfgenError(
            f"{string} does not solve {len(failed)} {kind} mazes of {size}: internal error in a reduction or the search"
        )
    return string
