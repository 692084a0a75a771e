"""Mazes and walks drawn with characters: for people, for scripts, and as a strip of frames.

+---+---+---+
| 4   3   2 |      the number of letters after which the walk is first in each cell
+   +---+   +
| 5   - | 1 |      (-: never, ###: blocked)
+---+---+   +
| 8   7   0 |
+---+---+---+
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import Area, Drawing, Rect, Shape, ShapeGroup, Stroke, Text, picture_views, side_by_side
from cnfgen_puzzles.families.family import View, by_name
from cnfgen_puzzles.families.maze.model import BLOCKED, Maze
from cnfgen_puzzles.families.maze.puzzle import MazeString, solved_last

MOST_FRAMES = 200


def render_plain(puzzle: MazeString, string: str, other: str | None = None) -> str:
    """The string; if it differs from the other string, a second line marks the differences."""
    return f"{string}\n" + (f"{_marks(string, other)}\n" if other is not None else "")


def render_text(puzzle: MazeString, string: str, other: str | None = None) -> str:
    """The string, the number of mazes that it solves, and its walks in those that it solves last."""
    solved, found = solved_last(puzzle.mazes, string)
    lines = [string] + ([_marks(string, other)] if other is not None else [])
    count, last = len(puzzle.mazes), "; last:" if found else ""
    lines.append(f"{len(string)} letters, solves {solved} of {count} {puzzle.mazes.kind} mazes{last}")
    lines += ["", ""] if found else [""]
    drawn = [draw_numbers(puzzle.mazes[number], string) for number, _ in found]
    return "\n".join(lines) + (side_by_side(drawn, [caption(*each) for each in found]) if drawn else "")


def render_frames(puzzle: MazeString, string: str, other: str | None = None) -> str:
    """The walk in the maze that the string solves last, one frame for each letter: @ is the walk, . visited, o still to visit."""
    _, found = solved_last(puzzle.mazes, string, 1)
    if not found:
        return f"{string}\n"
    [(number, steps)] = found
    maze = puzzle.mazes[number]
    cells = maze.walk(string)
    shown = cells[: (steps if steps >= 0 else len(string)) + 1][:MOST_FRAMES]
    frames = [draw_frame(maze, cells[: count + 1]) for count in range(len(shown))]
    captions = ["start", *(f"{count} {string[count - 1]}" for count in range(1, len(shown)))]
    return f"{string}\n{caption(number, steps)}\n\n" + side_by_side(frames, captions)


def caption(number: int, steps: int) -> str:
    """The caption of a maze."""
    return f"maze {number + 1}: " + (f"after {steps}" if steps >= 0 else "not solved")


def _marks(string: str, other: str | None) -> str:
    """A sign below each letter that differs from the other string."""
    padded = (other or "").ljust(len(string))
    return "".join(" ^"[letter != sign] for letter, sign in zip(string, padded, strict=False)).rstrip()


def draw_numbers(maze: Maze, string: str) -> str:
    """The maze with the number of letters after which each cell is first visited."""
    first: dict[int, int] = {}
    for count, cell in enumerate(maze.walk(string)):
        first.setdefault(cell, count)
        if maze.kind == BLOCKED and cell == maze.goal:
            break
    width = max(3, *(len(str(count)) + 2 for count in first.values()))
    return draw_text(maze, width, lambda cell: str(first.get(cell, "-" if maze.reachable >> cell & 1 else "")))


def draw_frame(maze: Maze, cells: list[int]) -> str:
    """The maze after some letters: the position of the walk, the visited cells, and the cells that it must still visit."""

    def sign(cell: int) -> str:
        if cell == cells[-1]:
            return "@"
        return "." if cell in cells else "o" if maze.must >> cell & 1 else ""

    return draw_text(maze, 1, sign)


def draw_text(maze: Maze, width: int, content: Callable[[int], str]) -> str:
    """The maze with walls between the cells; each cell is `width` characters wide."""
    grid, moves = maze.grid, maze.moves

    def closed(cell: int, d: int) -> bool:
        return grid.neighbours[cell][d] is None if maze.kind == BLOCKED else moves[cell][d] == cell

    lines = []
    for r in range(grid.height):
        row = range(r * grid.width, (r + 1) * grid.width)
        lines.append("+" + "".join(("-" if closed(cell, 0) else " ") * width + "+" for cell in row))
        signs = (
            "#" * width if maze.kind == BLOCKED and not maze.open >> cell & 1 else content(cell).center(width) for cell in row
        )
        lines.append("|" + "".join(sign + ("|" if closed(cell, 1) else " ") for sign, cell in zip(signs, row, strict=True)))
    lines.append("+" + "".join("-" * width + "+" for _ in range(grid.width)))
    return "\n".join(lines)


# -- pictures -----------------------------------------------------------------------------------------------------------


PAPER, WALL, GRID, BLOCK, FAINT = "#fdfcf9", "#23232b", "#e4e0d8", "#3a3a44", "#efece5"
START, END = "#0072b2", "#d55e00"
FIRST_HUE, LAST_HUE = (86, 180, 233), (213, 94, 0)
"""The colors of the walk, from sky blue to vermilion, are distinguishable for color-blind people."""

CELL, LEAST_CELL = 60, 8
SPREAD = 0.5
"""The share of a cell over which the points of repeated visits are spread."""


def draw_walk(maze: Maze, string: str, caption: str, cell: int) -> Drawing:
    """A maze and the walk of the string until it solves the maze."""
    edge, below = cell // 2, round(0.5 * cell)
    drawing = Drawing(maze.grid.width * cell + 2 * edge, maze.grid.height * cell + 2 * edge + below, PAPER)
    drawing.shapes.append(ShapeGroup(edge, edge, [*_maze(maze, cell), *_walk(maze, string, cell)]))
    drawing.shapes.append(Text(drawing.width / 2, drawing.height - 0.6 * below, caption, round(cell * 0.25), WALL))
    return drawing


def _maze(maze: Maze, cell: int) -> list[Shape]:
    """Draws irrelevant cells shaded and blocked ones dark, then faint grid lines and walls."""
    grid = maze.grid
    shapes: list[Shape] = []
    for number in range(grid.cells):
        r, c = divmod(number, grid.width)
        if maze.kind == BLOCKED and not maze.open >> number & 1:
            shapes.append(Rect(c * cell, r * cell, cell, cell, BLOCK))
        elif not maze.reachable >> number & 1:
            shapes.append(Rect(c * cell, r * cell, cell, cell, FAINT))
    width, height = grid.width * cell, grid.height * cell
    shapes += [Stroke(((0, r * cell), (width, r * cell)), 1, GRID, crisp=True) for r in range(1, grid.height)]
    shapes += [Stroke(((c * cell, 0), (c * cell, height)), 1, GRID, crisp=True) for c in range(1, grid.width)]
    thick = max(2, cell // 12)
    for a, b in grid.edges if maze.kind != BLOCKED else ():
        if b not in maze.moves[a]:
            r, c = divmod(b, grid.width)
            end = (c + 1, r) if b - a == grid.width else (c, r + 1)
            shapes.append(Stroke(((c * cell, r * cell), (end[0] * cell, end[1] * cell)), thick, WALL))
    corners = ((0, 0), (width, 0), (width, height), (0, height), (0, 0))
    shapes.append(Stroke(tuple((float(x), float(y)) for x, y in corners), thick, WALL))
    return shapes


def _walk(maze: Maze, string: str, cell: int) -> list[Shape]:
    """Draws a line from cell to cell, moved a little at each visit so that all parts are visible; its color shows the time."""
    cells, missing = [maze.start], maze.must & ~(1 << maze.start)
    for number in maze.walk(string)[1:]:
        if not missing:
            break
        missing &= ~(1 << number)
        if number != cells[-1]:
            cells.append(number)
    visits, seen, points = Counter(cells), Counter[int](), []
    for number in cells:
        r, c = divmod(number, maze.grid.width)
        shift = SPREAD * ((seen[number] + 0.5) / visits[number] - 0.5) if visits[number] > 1 else 0.0
        seen[number] += 1
        points.append(((c + 0.5 + shift) * cell, (r + 0.5 + shift) * cell))
    width = max(1.5, cell / 24)
    shapes: list[Shape] = [
        Stroke((start, end), width, _color(place / max(1, len(points) - 2)))
        for place, (start, end) in enumerate(pairwise(points))
    ]
    size = cell * 0.09
    shapes.append(_diamond(points[0], size, START))
    shapes.append(_diamond(points[-1], size, END))
    for number in range(maze.grid.cells):
        if missing >> number & 1:
            r, c = divmod(number, maze.grid.width)
            shapes.append(Text((c + 0.5) * cell, (r + 0.5) * cell, "?", cell * 0.5, END))
    return shapes


def _diamond(point: tuple[float, float], size: float, fill: str) -> Area:
    x, y = point
    return Area((((x - size, y), (x, y - size), (x + size, y), (x, y + size)),), fill)


def _color(part: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(FIRST_HUE, LAST_HUE, strict=True))


def draw_string(puzzle: MazeString, string: str, other: str | None = None, cell: int | None = None) -> Drawing:
    """The mazes that the string solves last (or not at all), each with the walk; cells have at most `cell` pixels."""
    _, found = solved_last(puzzle.mazes, string)
    grid = puzzle.mazes.grid
    if not found:
        return Drawing(CELL, CELL, PAPER, title=string)
    cell = sheets.cell_size(len(found), grid.width + 1, grid.height + 1.5, most=cell or CELL, least=LEAST_CELL)
    tiles = [draw_walk(puzzle.mazes[number], string, caption(number, steps), cell) for number, steps in found]
    return sheets.page(tiles, string)


VIEWS = by_name(
    View("text", "the string, and the times at which it visits the cells of the mazes that it solves last", render_text, ".txt"),
    View("plain", "only the string, for scripts", render_plain, ".txt"),
    View("frames", "the walk through the maze that is solved last, one frame for each letter", render_frames, ".txt"),
    *picture_views(draw_string, CELL, summary="the walks through the mazes that are solved last, as a picture"),
)
"""The views of a string, in the order of lists."""
