"""What tells the cases of the studies apart, and whose claims are decided.

Not here: which mazes a grid has and why some may be left out, and the last word on a string (`families/maze/sets`).
"""

from __future__ import annotations

import hashlib
import json

from cnfgen_puzzles.families.maze.puzzle import Mazes

PAGE_79, PAGE_BLOCKED, THIS_PROJECT = "article on maze strings", "article on blocked mazes", "this project"
"""Who claims something of mazes."""

PUBLISHED = "NNWSWNNSENESESWSSWNSEENWWNWSSEWWNENWEENWSWNWSSENENWNWNESENESESWNWSESEWWNENWNEES"
"""The shortest string that is known for thin 3x3: 79 letters, from the article."""


def maze_checksum(mazes: Mazes) -> str:
    """SHA-256 of the mazes and their order: plans of cubes are found to be of this case by it."""
    grid = f"Grid(height={mazes.grid.height}, width={mazes.grid.width})"
    return hashlib.sha256(json.dumps([mazes.kind, grid, mazes.entries]).encode()).hexdigest()
