"""Views of boards of triangles: text and terminal on a lattice of characters, SVG and PNG with triangles.

Clues of rows are at the left, of rising lines above and at the upper right, of falling lines below and at the lower right, each
along its line. So all clues are read in the direction of their lines: to the right, or down. Differences have the same marks as
on other boards (`families/cellviews.py`).

In text, a row has two lines, and a half cell is two characters wide. Along a rising line, each line of text is one character
further left than the one above it; along a falling line, one character further right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

from cnfgen_puzzles.families import cellviews, drawing
from cnfgen_puzzles.families.cells import Cells
from cnfgen_puzzles.families.cellviews import HERE, OTHER, THERE, WRONG, CellViews, Shown
from cnfgen_puzzles.families.drawing import Area, Drawing, Point, Shape, ShapeGroup, Stroke, Text, TextCanvas
from cnfgen_puzzles.families.family import title_of
from cnfgen_puzzles.families.looks import INK, PAPER, Clue, ink_on
from cnfgen_puzzles.families.triddler.puzzle import Hexagon, Triddler

HEIGHT = sqrt(3) / 2
"""The height of a triangle with side 1."""
CLUE_GROUND = "#f2eee5"
OUTWARD = ((-1.0, 0.0), (0.5, -HEIGHT), (0.5, HEIGHT))
"""The unit vector along the lines of each direction that points away from the board on the side of their clues."""


class TriangleViews(CellViews):
    """The views of boards of triangles."""

    svg_cell, most_png_cell = 28, cellviews.PNG_CELL * 5 // 4

    def text(self, puzzle: Triddler, board: Cells, other: Cells | None = None, *, letters: bool = True) -> str:
        """The board with its clues; slashes draw its triangles: for people."""
        rows, page = self.show_cells(puzzle, board, other), TextCanvas()
        for line, x, up, shown in _spread(puzzle.hexagon, rows):
            for down, right, sign in (
                ((0, 1, "/"), (0, 2, "\\"), (1, 0, "/"), (1, 3, "\\"))
                if up
                else ((0, 0, "\\"), (0, 3, "/"), (1, 1, "\\"), (1, 2, "/"))
            ):
                page.put(line + down, x + right, sign)
            for right, sign in enumerate(_signs(shown, "_" if up else " ")):
                page.put(line + up, x + 1 + right, sign)
            if not line and not up:
                page.put(-1, x, "____")
        for line, end, clue in _margins(puzzle.hexagon, self.clue_lines(puzzle), above=2):
            page.put(line, end - len(clue.text) + 1, clue.text)
        return page.text() + cellviews.legend(rows)

    def ansi(self, puzzle: Triddler, board: Cells, other: Cells | None = None, *, letters: bool = False) -> str:
        """The board with its clues for a terminal with 256 colors; cells that point up are slightly darker."""
        rows, page = self.show_cells(puzzle, board, other, letters), TextCanvas()
        for line, x, up, shown in _spread(puzzle.hexagon, rows):
            colors = cellviews.ansi_colors(shown, 0 if up else 1)
            sign = shown.look.sign if shown.look.written and shown.mark not in (HERE, THERE) else shown.mark[:1]
            page.put(line + up, x + 1, f" {sign or ' '} ", colors)
            page.put(line + (not up), x + 2, " ", colors)
        for line, end, clue in _margins(puzzle.hexagon, self.clue_lines(puzzle), above=1):
            page.put(line, end - len(clue.text) + 1, clue.text, cellviews.ansi_clue(clue, "").removesuffix(drawing.RESET))
        return page.text() + cellviews.ansi_legend(rows, 2)

    def clue_lines(self, puzzle: Triddler, letters: bool = True) -> list[list[list[Clue]]]:
        """The clues of every line of each direction; with `letters`, colored clues have their letters."""
        return [cellviews.show_clues(self.family.line_clues(puzzle, direction), letters) for direction in range(3)]

    # -- pictures -------------------------------------------------------------------------------------------------------

    def extent(self, puzzle: Triddler) -> tuple[float, float]:
        """Width and height of the board, in sides of a triangle."""
        xs = [x for x, _ in puzzle.hexagon.corners]
        return (max(xs) - min(xs)) / 2, puzzle.hexagon.counts[0] * HEIGHT

    def drawing(
        self,
        puzzle: Triddler,
        board: Cells,
        other: Cells | None = None,
        *,
        cell: int | None = None,
        clues: bool = True,
        letters: bool = False,
    ) -> Drawing:
        cell = cell or self.png_cell(puzzle)
        clues = clues and cell >= cellviews.LEAST_CELL_WITH_CLUES
        rows = self.show_cells(puzzle, board, other, letters)
        picture = _Picture(puzzle.hexagon, cell)
        shapes: list[Shape] = [*picture.grid(cellviews.THIN, lambda k: k % self.family.guides)]
        for (r, place), shown in _places(rows):
            shapes += picture.cell_shapes(r, place, shown)
        shapes += picture.grid(cellviews.THICK, lambda k: not k % self.family.guides)
        shapes.append(Stroke(picture.outline(), max(2, cell // 9), INK))
        around = list(picture.outline())
        for direction, lines in enumerate(self.clue_lines(puzzle, letters) if clues else []):
            slot = cell * (0.74 if direction else 0.34 + 0.3 * max(len(clue.text) for line in lines for clue in line))
            for ends, line in zip(picture.ends(direction), lines, strict=True):
                for place, clue in enumerate(line if direction == 2 else reversed(line)):
                    corners = picture.slot(direction, ends, slot, place)
                    around += corners
                    color = ink_on(clue.fill) if clue.fill else cellviews.NUMBERS
                    shapes.append(Area((_shrunk(corners, 1 - 3 / cell),), clue.fill or CLUE_GROUND))
                    shapes.append(Text(*_middle(corners), clue.text, cell * 0.5, color))
        return _framed(shapes, around, cellviews.marks_of(rows), cell, title_of(puzzle))


def _places(rows: list[list[Shown]]) -> Iterator[tuple[tuple[int, int], Shown]]:
    return (((r, place), shown) for r, row in enumerate(rows) for place, shown in enumerate(row))


def _framed(shapes: Sequence[Shape], around: Sequence[Point], marks: Sequence[str], cell: int, title: str) -> Drawing:
    """The shapes, moved into a drawing with space for all these points and for a legend below them."""
    edge = max(2, cell // 2)
    xs, ys = ([point[k] for point in around] for k in (0, 1))
    dx, dy = edge - min(xs), edge - min(ys)
    width, bottom = ceil(max(xs) + dx) + edge, ceil(max(ys) + dy) + edge
    below = cell * len(marks) + edge if marks else 0
    drawing = Drawing(max(width, 12 * cell if marks else 0), bottom + below, PAPER, title=title)
    drawing.shapes.append(ShapeGroup(dx, dy, shapes))
    drawing.add(cellviews.legend_shapes(marks, edge, bottom, cell))
    return drawing


def _middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _shrunk(points: Sequence[Point], share: float) -> tuple[Point, ...]:
    """The polygon scaled around its middle."""
    cx, cy = _middle(points)
    return tuple((cx + (x - cx) * share, cy + (y - cy) * share) for x, y in points)


@dataclass(frozen=True)
class _Picture:
    """The positions of all parts of a hexagon, for a cell size."""

    hexagon: Hexagon
    cell: int

    def point(self, x: float, y: float) -> Point:
        """The point at an x in half cells and a y in rows."""
        return x * self.cell / 2, y * self.cell * HEIGHT

    def triangle(self, r: int, place: int) -> tuple[Point, ...]:
        """The corners of a cell."""
        return tuple(self.point(*corner) for corner in self.hexagon.triangle(r, place))

    def outline(self) -> tuple[Point, ...]:
        corners = [self.point(*corner) for corner in self.hexagon.corners]
        return (*corners, corners[0])

    def grid(self, stroke: str, chosen: Any) -> Iterator[Stroke]:
        """The borders between the lines of each direction whose numbers are chosen."""
        width = max(1, self.cell // 14) if stroke == cellviews.THICK else 1
        for direction in range(3):
            for k, (start, end) in enumerate(self.hexagon.borders(direction), start=1):
                if chosen(k):
                    yield Stroke((self.point(*start), self.point(*end)), width, stroke)

    def cell_shapes(self, r: int, place: int, shown: Shown) -> Iterator[Shape]:
        """A filled cell, with a thin gap if it is large enough; a different cell; or a sign."""
        corners, gap = self.triangle(r, place), 1 - (3.5 / self.cell if self.cell >= 8 else 0)
        x, y = _middle(corners)
        look, mark = shown.look, shown.mark
        if mark:
            size = self.cell // 2
            square = cellviews.marked_cell(mark, round(x - size / 2), round(y - size / 2), size)
            yield Area((_shrunk(corners, gap),), square[0].fill)
            yield from square[1:]  # a cross, or a frame with a bar
        if mark in (HERE, THERE):
            return
        if mark == WRONG and not look.written:
            yield Area((_shrunk(corners, 0.6),), look.fill or PAPER)
        elif look.fill is not None and not mark:
            yield Area((_shrunk(corners, gap),), look.fill)
        if mark == OTHER or (look.written and mark in ("", WRONG)):
            yield Text(x, y, look.sign, self.cell * 0.4, ink_on(look.fill) if look.fill and not mark else INK)

    def ends(self, direction: int) -> Iterator[tuple[Point, ...]]:
        """For every line of a direction, the edge of the board at its clue: without the corner that is least far outward."""
        dx, dy = OUTWARD[direction]
        for cells in self.hexagon.lines(direction):
            corners = self.triangle(*(cells[-1] if direction == 2 else cells[0]))
            inner = min(corners, key=lambda corner: corner[0] * dx + corner[1] * dy)
            yield tuple(corner for corner in corners if corner != inner)

    def slot(self, direction: int, ends: tuple[Point, ...], size: float, place: int) -> list[Point]:
        """The space of a clue, the first next to the board; the line continues beyond its edge."""
        dx, dy = OUTWARD[direction]
        near, far = 0.12 * self.cell + size * place, 0.12 * self.cell + size * (place + 1)
        (x1, y1), (x2, y2) = ends
        corners = ((x1, y1, near), (x2, y2, near), (x2, y2, far), (x1, y1, far))
        return [(x + dx * way, y + dy * way) for x, y, way in corners]


# -- text ---------------------------------------------------------------------------------------------------------------


def _spread(hexagon: Hexagon, rows: list[list[Shown]]) -> Iterator[tuple[int, int, bool, Shown]]:
    """For every cell, the upper of its two lines, its first column, and whether it points up."""
    for (r, place), shown in _places(rows):
        yield 2 * r, 2 * (hexagon.start(r) + place), hexagon.points_up(r, place), shown


def _signs(shown: Shown, ground: str) -> str:
    """The two characters of a cell in text: its sign twice for a filled cell, none for an empty one."""
    if shown.mark in (HERE, THERE):
        return shown.mark * 2
    sign = ground if shown.look.blank else shown.look.sign
    return sign + (shown.mark or sign)


def _margins(hexagon: Hexagon, lines: list[list[list[Clue]]], above: int) -> Iterator[tuple[int, int, Clue]]:
    """For each clue, the line and the column of its last character; clues of rising lines begin this number of lines above the
    board."""
    a, _, c, _, _, f = hexagon.sides
    rows, rising, falling = lines
    for r, clues in enumerate(rows):
        end = 2 * hexagon.start(r) - 2
        for clue in reversed(clues):
            yield 2 * r + (r < a), end, clue
            end -= len(clue.text) + 1
    for k, clues in enumerate(rising):
        first = 2 * (k - f) - 1 if k >= f else -above
        for line, clue in zip(range(first, first - len(clues), -1), reversed(clues), strict=True):
            yield line, 4 * k + 2 - line, clue
    height = 2 * hexagon.counts[0]
    for k, clues in enumerate(falling):
        first = height if k < c else height - 2 * (k - c)
        for line, clue in enumerate(clues, start=first):
            yield line, 4 * (k - a) + 3 + line, clue
