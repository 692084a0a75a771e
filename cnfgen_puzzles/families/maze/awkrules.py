"""The rules of universal maze strings as an awk program for certificates, which walks through every maze.

If the string solves all mazes of its grid, the program enumerates these without any reduction; otherwise it contains the mazes of
the puzzle. It reads the string.
"""

from __future__ import annotations

from cnfgen_puzzles.families.awktemplate import fill, template
from cnfgen_puzzles.families.maze.model import THIN, maze_text
from cnfgen_puzzles.families.maze.puzzle import MazeString
from cnfgen_puzzles.families.maze.sets import reduced

MOST_SETS = {True: 1 << 12, False: 1 << 16}
"""The most sets of walls (thin) or of blocked cells that the program enumerates, in a few seconds."""
MOST_LISTED = 20_000


def rules(puzzle: MazeString, string: str) -> tuple[str, str] | None:
    """The program and its input; None for too many mazes."""
    mazes, found = puzzle.mazes, _all_of_grid(puzzle, string) or _listed(puzzle)
    if found is None:
        return None
    heading, text = found
    words = {"KIND": mazes.kind, "HEIGHT": mazes.grid.height, "WIDTH": mazes.grid.width, "PATTERN": puzzle.pattern, "MAZES": text}
    return f"{heading}\n{fill(template(__file__, 'rules'), words)}\n", f"{string}\n"


def _all_of_grid(puzzle: MazeString, string: str) -> tuple[str, str] | None:
    """The part that walks through all mazes of the grid; None if there are too many or the string does not solve all of them."""
    mazes, thin = puzzle.mazes, puzzle.mazes.kind == THIN
    places = len(mazes.grid.edges) if thin else max(mazes.grid.cells - 2, 0)
    if 1 << places > MOST_SETS[thin] or mazes.grid.cells < 2 or not reduced(mazes.kind, mazes.grid, ()).solves_all(string):
        return None
    heading = "# Does the string solve every maze of this kind on this grid? The mazes are made here, one by one."
    return heading, template(__file__, "all-thin" if thin else "all-blocked")


def _listed(puzzle: MazeString) -> tuple[str, str] | None:
    """The part that walks through the mazes of the puzzle."""
    if len(puzzle.mazes) > MOST_LISTED:
        return None
    listed = "\n".join(f'    maze[{number}] = "{maze_text(maze)}"' for number, maze in enumerate(puzzle.mazes, start=1))
    text = fill(template(__file__, "listed"), {"LIST": listed, "COUNT": len(puzzle.mazes)})
    return "# Does the string solve each of these mazes?", text
