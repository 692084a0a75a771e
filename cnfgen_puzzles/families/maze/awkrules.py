"""Universal maze strings as the awk program of certificates reads them: `families/awk/maze-rules.awk`."""

from __future__ import annotations

from cnfgen_puzzles.families.maze.formats import puzzle_to_json
from cnfgen_puzzles.families.maze.model import THIN
from cnfgen_puzzles.families.maze.puzzle import MazeString
from cnfgen_puzzles.families.maze.sets import reduced

MOST_SETS = {True: 1 << 12, False: 1 << 16}
"""The most sets of walls (thin) or of blocked cells that the program tries, in a few seconds."""
MOST_LISTED = 20_000


def rules(puzzle: MazeString, string: str) -> tuple[str, str] | None:
    """The program of the rules and its input; None for too many mazes."""
    mazes, thin = puzzle.mazes, puzzle.mazes.kind == THIN
    places = len(mazes.grid.edges) if thin else max(mazes.grid.cells - 2, 0)
    if "mazes" in puzzle_to_json(puzzle):
        checked = len(mazes) <= MOST_LISTED
    else:  # the program makes all mazes of the grid
        checked = 1 << places <= MOST_SETS[thin] and not reduced(mazes.kind, mazes.grid, ()).unsolved(string)
    return ("maze-rules", f"{string}\n") if checked else None
