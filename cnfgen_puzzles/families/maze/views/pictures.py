"""Pictures of mazes with the walk of a string, and the table of all views of a string.

Not here: how shapes become SVG or PNG (`families/drawing.py`), characters (`text.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from cnfgen_puzzles.families import contactsheet as sheets
from cnfgen_puzzles.families.drawing import Area, Drawing, Line, Rect, Shape, Stroke, Text
from cnfgen_puzzles.families.family import View
from cnfgen_puzzles.families.maze.model import BLOCKED, Maze
from cnfgen_puzzles.families.maze.model.puzzle import MazeString, verdict
from cnfgen_puzzles.families.maze.views import text

PAPER, WALL, GRID, BLOCK, FAINT = "#fdfcf9", "#23232b", "#e4e0d8", "#3a3a44", "#efece5"
START, END = "#0072b2", "#d55e00"
FIRST_HUE, LAST_HUE = (86, 180, 233), (213, 94, 0)
"""The walk goes from sky blue to vermilion, which colour-blind people can tell apart."""

CELL, LEAST_CELL = 60, 8
SPREAD = 0.5
"""Over how much of a cell the points of repeated visits are spread."""


def draw_walk(maze: Maze, string: str, caption: str = "", cell: int = CELL) -> Drawing:
    """One maze and the walk of the string; the walk ends where the maze is solved."""
    edge = cell // 2
    below = round(0.5 * cell) if caption else 0
    drawing = Drawing(maze.grid.width * cell + 2 * edge, maze.grid.height * cell + 2 * edge + below, PAPER)
    drawing.add(shape.moved(edge, edge) for shape in _maze(maze, cell))
    drawing.add(shape.moved(edge, edge) for shape in _walk(maze, string, cell))
    if caption:
        drawing.shapes.append(Text(drawing.width / 2, drawing.height - 0.6 * below, caption, round(cell * 0.25), WALL))
    return drawing


def _maze(maze: Maze, cell: int) -> list[Shape]:
    """Cells that do not count are shaded, blocked ones dark; then faint grid lines, and walls."""
    grid = maze.grid
    shapes: list[Shape] = []
    for number in range(grid.cells):
        r, c = divmod(number, grid.width)
        if maze.kind == BLOCKED and not maze.open >> number & 1:
            shapes.append(Rect(c * cell, r * cell, cell, cell, BLOCK))
        elif not maze.reachable >> number & 1:
            shapes.append(Rect(c * cell, r * cell, cell, cell, FAINT))
    width, height = grid.width * cell, grid.height * cell
    shapes += [Line(0, r * cell, width, r * cell, 1, GRID) for r in range(1, grid.height)]
    shapes += [Line(c * cell, 0, c * cell, height, 1, GRID) for c in range(1, grid.width)]
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
    """A line from cell to cell, moved a little at each visit so that all parts can be seen, its colour telling the time."""
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
        Stroke((here, there), width, _colour(place / max(1, len(points) - 2)))
        for place, (here, there) in enumerate(pairwise(points))
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


def _colour(part: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(FIRST_HUE, LAST_HUE, strict=True))


def draw_string(puzzle: MazeString, string: str, most: int = CELL) -> Drawing:
    """The mazes that the string solves last (or not at all), each with the walk; cells are of `most` pixels at most."""
    found = verdict(puzzle.mazes, string)
    grid = puzzle.mazes.grid
    if not found.last:
        return Drawing(CELL, CELL, PAPER, title=string)
    cell = sheets.cell_size(len(found.last), grid.width + 1, grid.height + 1.5, most=most, least=LEAST_CELL)
    tiles = [draw_walk(puzzle.mazes[number], string, text.caption(number, steps), cell) for number, steps in found.last]
    return sheets.page(tiles, PAPER, string)


def draw_strings(puzzle: MazeString, strings: Sequence[str]) -> Drawing:
    """What `draw_string` shows of each of many strings, on one page."""
    first = draw_string(puzzle, strings[0])
    shrunk = (sheets.PAGE_PIXELS / (len(strings) * first.width * first.height)) ** 0.5
    most = max(LEAST_CELL, min(CELL, int(CELL * shrunk)))
    return sheets.page([draw_string(puzzle, string, most) for string in strings], PAPER)


def svg_sheet(puzzle: MazeString, strings: Sequence[str]) -> str:
    """Many strings as SVG."""
    return draw_strings(puzzle, strings).svg()


def png_sheet(puzzle: MazeString, strings: Sequence[str]) -> bytes:
    """Many strings as PNG."""
    return draw_strings(puzzle, strings).png()


def render_svg(puzzle: MazeString, string: str, other: str | None = None) -> str:
    """The walks as SVG."""
    return draw_string(puzzle, string).svg()


def render_png(puzzle: MazeString, string: str, other: str | None = None) -> bytes:
    """The walks as PNG."""
    return draw_string(puzzle, string).png()


VIEWS = {
    view.name: view
    for view in (
        View("text", "the string, and when it visits the cells of the mazes that it solves last", text.render_text, ".txt"),
        View("plain", "the string and nothing else, for scripts", text.render_plain, ".txt"),
        View("frames", "the walk through the maze that is solved last, a frame a letter", text.render_frames, ".txt"),
        View("svg", "the walks through the mazes that are solved last, a picture that scales", render_svg, ".svg", svg_sheet),
        View("png", "the same as a picture (needs the extra `pictures`)", render_png, ".png", png_sheet),
    )
}
"""The views of a string, in the order in which they are listed."""
