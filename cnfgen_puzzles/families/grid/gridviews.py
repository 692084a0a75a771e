"""Views of grid puzzles: numbers and circles in cells, walls of rooms, and lines, as text, for terminals, and in pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin
from typing import Any

from cnfgen_puzzles.families.cellviews import NUMBERS, CellViews, Shown
from cnfgen_puzzles.families.drawing import Area, Drawing, Rect, Segment, Shape, Text
from cnfgen_puzzles.families.grid.genre import DOWN, LEFT, RIGHT, Loop, Numbers, room_borders
from cnfgen_puzzles.families.grid.pzpr import NONE, UNKNOWN
from cnfgen_puzzles.families.looks import INK, PAPER, Cells, ink_on

LINE = "#1d6f42"
"""The color of lines that a solution draws."""
ARROWS = ["", "↑", "↓", "←", "→"]
CIRCLE_TEXT = {1: "○", 2: "●"}


class GridViews(CellViews):
    """The views of a genre."""

    def written(self, puzzle: Any, cell: tuple[int, int]) -> str:
        """What stands in a cell: a number, a question mark, or a circle."""
        number = puzzle.number(cell)
        if number == NONE:
            return ""
        if self.family.circles:
            return CIRCLE_TEXT.get(number, "?")
        arrow = ARROWS[puzzle.arrow(cell)]
        return arrow + ("" if arrow else "?") if number == UNKNOWN else f"{number}{arrow}"

    def _ground(self, puzzle: Any, board: Cells, cell: tuple[int, int]) -> str | None:
        shown: str | None = None if self.family.around_cells else self.family.looks[board[cell[0]][cell[1]] or 0].fill
        return shown or self.family.ground(puzzle, cell)

    def show_cells(self, puzzle: Any, board: Cells, other: Cells | None, letters: bool = False) -> list[list[Shown]]:
        """The cells with what is written in them; the picture of a line is drawn elsewhere."""
        rows = super().show_cells(puzzle, board, other, letters)
        if isinstance(self.family, Loop):
            return rows
        numbers = isinstance(self.family, Numbers)
        for r, c in puzzle.cells:
            if sign := str(board[r][c]) if numbers and board[r][c] else self.written(puzzle, (r, c)):
                rows[r][c] = replace(rows[r][c], look=replace(rows[r][c].look, sign=sign, written=True))
        return rows

    def text(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = True) -> str:
        if not isinstance(self.family, Loop):
            return super().text(puzzle, board, other, letters=letters)
        rows = _bridges if self.family.bridges else _between if self.family.around_cells else _through
        lines = rows(self, puzzle, board)
        return "".join(f"{line.rstrip()}\n" for line in lines)

    def drawing(
        self,
        puzzle: Any,
        board: Cells,
        other: Cells | None = None,
        *,
        cell: int | None = None,
        clues: bool = True,
        letters: bool = False,
    ) -> Drawing:
        cell = cell or self.png_cell(puzzle)
        if not isinstance(self.family, Loop):
            picture = super().drawing(puzzle, board, other, cell=cell, clues=clues, letters=letters)
            picture.add(_walls(puzzle, cell, max(2, cell // 2)))
            return picture
        edge = max(2, cell // 2)
        picture = Drawing(puzzle.width * cell + 2 * edge, puzzle.height * cell + 2 * edge, PAPER)
        for k in range(puzzle.width + 1):
            picture.add([Segment(edge + k * cell, edge, edge + k * cell, edge + puzzle.height * cell, 1, "#cfcbc3")])
        for k in range(puzzle.height + 1):
            picture.add([Segment(edge, edge + k * cell, edge + puzzle.width * cell, edge + k * cell, 1, "#cfcbc3")])
        picture.add(_walls(puzzle, cell, edge))
        if self.family.ends_at_numbers:
            picture.add(_lines(self, board, cell, edge))
        for r, c in puzzle.cells:
            if fill := self._ground(puzzle, board, (r, c)):
                left, top = edge + c * cell, edge + r * cell
                picture.add([Rect(left, top, cell, cell, INK), Rect(left + 1, top + 1, cell - 2, cell - 2, fill)])
            x, y = edge + (c + 0.5) * cell, edge + (r + 0.5) * cell
            if self.family.bridges and puzzle.number((r, c)) != NONE:
                picture.add([*_circle(x, y, cell * 0.44, INK), replace(next(_circle(x, y, cell * 0.39, INK)), fill=PAPER)])
            if (number := puzzle.number((r, c))) != NONE and self.family.circles:
                picture.add(_circle(x, y, cell * 0.36, INK if number == 2 else PAPER))
            elif sign := self.written(puzzle, (r, c)):
                if self.family.ends_at_numbers and not self.family.bridges:
                    picture.add([Rect(x - 0.3 * cell, y - 0.35 * cell, 0.6 * cell, 0.7 * cell, PAPER)])
                color = ink_on(fill) if fill else NUMBERS
                picture.add([Text(x, y, sign, cell * (0.56 if len(sign) < 3 else 0.4), color)])
        if not self.family.ends_at_numbers:
            picture.add(_lines(self, board, cell, edge))
        return picture


def _lines(views: GridViews, board: Cells, cell: int, edge: int) -> Iterator[Shape]:
    shift = 0.0 if views.family.around_cells else 0.5
    for r, row in enumerate(board):
        for c, value in enumerate(row):
            x, y = edge + (c + shift) * cell, edge + (r + shift) * cell
            right, down = views.family.lines_from(value or 0)
            for k in range(right):
                beside = (k - (right - 1) / 2) * 0.24 * cell
                yield Segment(x, y + beside, x + cell, y + beside, max(2, cell // 7), LINE, crisp=False)
            for k in range(down):
                beside = (k - (down - 1) / 2) * 0.24 * cell
                yield Segment(x + beside, y, x + beside, y + cell, max(2, cell // 7), LINE, crisp=False)


def _circle(x: float, y: float, radius: float, fill: str) -> Iterator[Area]:
    def ring(size: float) -> tuple[tuple[float, float], ...]:
        return tuple((round(x + size * cos(k * pi / 16), 1), round(y + size * sin(k * pi / 16), 1)) for k in range(32))

    yield Area((ring(radius),) if fill == INK else (ring(radius), ring(radius * 0.86)), INK)


def _walls(puzzle: Any, cell: int, edge: int) -> Iterator[Shape]:
    """The borders of rooms."""
    if not puzzle.rooms:
        return
    for (r, c), (k, m) in room_borders(puzzle):
        x, y = edge + m * cell, edge + k * cell
        yield Segment(x, y, x + cell * (k > r), y + cell * (m > c), max(2, cell // 10), INK)


def _between(views: GridViews, puzzle: Any, board: Cells) -> Iterator[str]:
    """Lines along the sides of cells, with what is written in the cells between them."""
    for r, row in enumerate(board):
        yield "".join("·" + ("───" if (mask or 0) & RIGHT else "   ") for mask in row)
        if r < puzzle.height:
            signs = [views.written(puzzle, (r, c)) for c in range(puzzle.width)] + [""]
            yield "".join(("│" if (mask or 0) & DOWN else " ") + sign.center(3) for mask, sign in zip(row, signs, strict=True))


def _bridges(views: GridViews, puzzle: Any, board: Cells) -> Iterator[str]:
    """Numbers, and one or two lines between them; a line below each row has those that lead down."""
    for r, row in enumerate(board):
        text, below = "", ""
        for c, value in enumerate(row):
            right, down = views.family.lines_from(value or 0)
            passing = " ─═"[right] if right else " │║"[down]
            text += (views.written(puzzle, (r, c)) or passing) + " ─═"[right] * 2
            below += " │║"[down] + "  "
        yield text
        if r + 1 < len(board):
            yield below


def _through(views: GridViews, puzzle: Any, board: Cells) -> Iterator[str]:
    """Lines through the centers of cells; what is written in a cell takes the place of its line."""
    signs = {cell: views.written(puzzle, cell) for cell in puzzle.cells}
    width = max(map(len, signs.values()))

    def sign(cell: tuple[int, int], mask: int) -> str:
        fill = " ─"[bool(mask & LEFT)] * ((width - 1) // 2), " ─"[bool(mask & RIGHT)] * (width // 2)
        shown = views.family.looks[mask].sign if mask else "#" if views.family.ground(puzzle, cell) else "·"
        return signs[cell].center(width) if signs[cell] else shown.join(fill)

    for r, row in enumerate(board):
        yield "".join(sign((r, c), mask or 0) + " ─"[bool((mask or 0) & RIGHT)] for c, mask in enumerate(row))
