"""Mazes and walks drawn with characters: for people, for scripts, and as a strip of frames.

    +---+---+---+
    | 4   3   2 |      the number of letters after which the walk is first in each cell
    +   +---+   +
    | 5   - | 1 |      (-: never, ###: blocked)
    +---+---+   +
    | 8   7   0 |
    +---+---+---+

Not here: pictures (`pictures.py`).
"""

from __future__ import annotations

from collections.abc import Callable

from cnfgen_puzzles.families.contactsheet import side_by_side
from cnfgen_puzzles.families.maze.model import BLOCKED, Maze
from cnfgen_puzzles.families.maze.model.puzzle import MazeString, Verdict, verdict

MOST_FRAMES = 200


def render_plain(puzzle: MazeString, string: str, other: str | None = None) -> str:
    """The string and nothing else; where it differs from the other, a second line says so."""
    return f"{string}\n" + (f"{_marks(string, other)}\n" if other is not None else "")


def render_text(puzzle: MazeString, string: str, other: str | None = None) -> str:
    """The string, how many mazes it solves, and its walks in those that it solves last."""
    found = verdict(puzzle.mazes, string)
    lines = [string] + ([_marks(string, other)] if other is not None else [])
    lines += [_summary(puzzle, string, found), *([""] if found.last else []), ""]
    drawn = [numbered(puzzle.mazes[number], string) for number, _ in found.last]
    return "\n".join(lines) + (side_by_side(drawn, [caption(*each) for each in found.last]) if drawn else "")


def render_frames(puzzle: MazeString, string: str, other: str | None = None) -> str:
    """The walk in the maze that the string solves last, a frame a letter: @ is the walk, . visited, o still to visit."""
    found = verdict(puzzle.mazes, string, 1)
    if not found.last:
        return f"{string}\n"
    number, steps = found.last[0]
    maze = puzzle.mazes[number]
    cells = maze.walk(string)
    shown = cells[: (steps if steps >= 0 else len(string)) + 1][:MOST_FRAMES]
    frames = [frame(maze, cells[: count + 1]) for count in range(len(shown))]
    captions = ["start", *(f"{count} {string[count - 1]}" for count in range(1, len(shown)))]
    return f"{string}\n{caption(number, steps)}\n\n" + side_by_side(frames, captions)


def caption(number: int, steps: int) -> str:
    """A line below or above a maze."""
    return f"maze {number + 1}: " + (f"after {steps}" if steps >= 0 else "not solved")


def _summary(puzzle: MazeString, string: str, found: Verdict) -> str:
    count = len(puzzle.mazes)
    return f"{len(string)} letters, solves {found.solved} of {count} {puzzle.mazes.kind} mazes" + ("; last:" if count else "")


def _marks(string: str, other: str | None) -> str:
    """A sign below each letter that differs from the other string."""
    padded = (other or "").ljust(len(string))
    return "".join(" ^"[letter != there] for letter, there in zip(string, padded, strict=False)).rstrip()


def numbered(maze: Maze, string: str) -> str:
    """The maze with the number of letters after which each cell is first visited."""
    first: dict[int, int] = {}
    for count, cell in enumerate(maze.walk(string)):
        first.setdefault(cell, count)
        if maze.kind == BLOCKED and cell == maze.goal:
            break
    width = max(3, *(len(str(count)) + 2 for count in first.values()))
    return drawn(maze, width, lambda cell: str(first.get(cell, "-" if maze.reachable >> cell & 1 else "")))


def frame(maze: Maze, cells: list[int]) -> str:
    """The maze at a moment: where the walk is, where it was, where it has still to go."""

    def sign(cell: int) -> str:
        if cell == cells[-1]:
            return "@"
        return "." if cell in cells else "o" if maze.must >> cell & 1 else ""

    return drawn(maze, 1, sign)


def drawn(maze: Maze, width: int, content: Callable[[int], str]) -> str:
    """The maze with walls between the cells, each of which is `width` characters wide."""
    grid, moves = maze.grid, maze.moves

    def closed(cell: int, d: int) -> bool:
        if maze.kind == BLOCKED:
            return grid.neighbours[cell][d] is None
        return moves[cell][d] == cell

    lines = []
    for r in range(grid.height):
        row = range(r * grid.width, (r + 1) * grid.width)
        lines.append("+" + "".join(("-" if closed(cell, 0) else " ") * width + "+" for cell in row))
        inside = (_cell(maze, cell, width, content) + ("|" if closed(cell, 1) else " ") for cell in row)
        lines.append("|" + "".join(inside))
    lines.append("+" + "".join("-" * width + "+" for _ in range(grid.width)))
    return "\n".join(lines)


def _cell(maze: Maze, cell: int, width: int, content: Callable[[int], str]) -> str:
    if maze.kind == BLOCKED and not maze.open >> cell & 1:
        return "#" * width
    return content(cell).center(width)
