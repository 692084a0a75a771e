"""Views of grid puzzles: numbers and circles in cells, walls of rooms, and lines, as text, for terminals, and in pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin
from typing import Any

from cnfgen_puzzles.families.cellviews import NUMBERS, CellViews, Shown
from cnfgen_puzzles.families.drawing import Area, Drawing, Segment, Shape, Text
from cnfgen_puzzles.families.grid.genre import DOWN, RIGHT, Loop, Numbers, room_borders
from cnfgen_puzzles.families.grid.pzpr import NONE, UNKNOWN
from cnfgen_puzzles.families.looks import INK, PAPER, Cells

LINE = "#1d6f42"
"""The color of lines that a solution draws."""
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
        return "?" if number == UNKNOWN else str(number)

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
            text = super().text(puzzle, board, other, letters=letters)
            if puzzle.outside:
                return "".join(f"{line}\n" for line in _framed(puzzle, text.splitlines()))
            return "".join(_dotted(puzzle, text.splitlines(keepends=True))) if puzzle.between else text
        lines = _between(self, puzzle, board) if self.family.around_cells else _through(self, puzzle, board)
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
            picture.add(_dots(puzzle, cell, max(2, cell // 2)))
            if clues and puzzle.outside and other is None:
                right, bottom = picture.width - max(2, cell // 2), picture.height - max(2, cell // 2)
                picture.add(_behind(puzzle, cell, right, bottom))
                picture.width, picture.height = right + cell, bottom + cell
            return picture
        edge = max(2, cell // 2)
        picture = Drawing(puzzle.width * cell + 2 * edge, puzzle.height * cell + 2 * edge, PAPER)
        for k in range(puzzle.width + 1):
            picture.add([Segment(edge + k * cell, edge, edge + k * cell, edge + puzzle.height * cell, 1, "#cfcbc3")])
        for k in range(puzzle.height + 1):
            picture.add([Segment(edge, edge + k * cell, edge + puzzle.width * cell, edge + k * cell, 1, "#cfcbc3")])
        picture.add(_walls(puzzle, cell, edge))
        for r, c in puzzle.cells:
            x, y = edge + (c + 0.5) * cell, edge + (r + 0.5) * cell
            if (number := puzzle.number((r, c))) != NONE and self.family.circles:
                picture.add(_circle(x, y, cell * 0.36, INK if number == 2 else PAPER))
            elif sign := self.written(puzzle, (r, c)):
                picture.add([Text(x, y, sign, cell * 0.56, NUMBERS)])
        shift = 0.0 if self.family.around_cells else 0.5
        for r, row in enumerate(board):
            for c, mask in enumerate(row):
                x, y = edge + (c + shift) * cell, edge + (r + shift) * cell
                ends = [(x + cell, y)] * bool((mask or 0) & RIGHT) + [(x, y + cell)] * bool((mask or 0) & DOWN)
                picture.add(Segment(x, y, *end, max(2, cell // 7), LINE, crisp=False) for end in ends)
        return picture


def _framed(puzzle: Any, lines: list[str]) -> Iterator[str]:
    """The text of a board, with the numbers to its right and below it."""
    first = int(set(puzzle.outside[0]) != {NONE})
    margin = max(0 if number == NONE else len(str(number)) for number in puzzle.outside[2])
    width = max(map(len, lines[: first + puzzle.height]))
    cell = -(-(width - margin) // puzzle.width)
    yield from lines[:first]
    for line, number in zip(lines[first:], puzzle.outside[3], strict=False):
        yield line if number == NONE else line.ljust(width) + f" {number}"
    if set(puzzle.outside[1]) != {NONE}:
        numbers = ("" if number == NONE else str(number) for number in puzzle.outside[1])
        yield (" " * margin + "".join(number.rjust(cell) for number in numbers)).rstrip()
    yield from lines[first + puzzle.height :]


def _behind(puzzle: Any, cell: int, right: int, bottom: int) -> Iterator[Shape]:
    """The numbers below the board and to its right, whose corner this is."""
    for c, number in enumerate(puzzle.outside[1]):
        if number != NONE:
            yield Text(right + (c + 0.5 - puzzle.width) * cell, bottom + cell * 0.42, str(number), cell * 0.56, NUMBERS)
    for r, number in enumerate(puzzle.outside[3]):
        if number != NONE:
            yield Text(right + cell * 0.42, bottom + (r + 0.5 - puzzle.height) * cell, str(number), cell * 0.56, NUMBERS)


def _dotted(puzzle: Any, lines: list[str]) -> Iterator[str]:
    """The text of a board with dots between cells, which may have other lines below it."""
    marks = {(a, b): CIRCLE_TEXT.get(mark, " ") for a, b, mark in puzzle.marks()}
    cell = -(-(max(map(len, lines[: puzzle.height])) - 1) // puzzle.width)
    for r, line in enumerate(lines[: puzzle.height]):
        cells = [line[c * cell : (c + 1) * cell].strip("\n").rjust(cell) for c in range(puzzle.width)]
        yield "".join(sign + marks.get(((r, c), (r, c + 1)), "") for c, sign in enumerate(cells)).rstrip() + "\n"
        if r + 1 < puzzle.height:
            yield "".join(marks[(r, c), (r + 1, c)].rjust(cell) + " " for c in range(puzzle.width)).rstrip() + "\n"
    yield from lines[puzzle.height :]


def _dots(puzzle: Any, cell: int, edge: int) -> Iterator[Shape]:
    """White and black dots between cells."""
    for (r, c), (k, m), mark in puzzle.marks():
        if mark != NONE:
            x, y = edge + cell * (c + m + 1) / 2, edge + cell * (r + k + 1) / 2
            yield Area((_ring(x, y, cell * 0.14),), INK)
            if mark == 1:
                yield Area((_ring(x, y, cell * 0.11),), PAPER)


def _circle(x: float, y: float, radius: float, fill: str) -> Iterator[Shape]:
    yield Area((_ring(x, y, radius),) if fill == INK else (_ring(x, y, radius), _ring(x, y, radius * 0.86)), INK)


def _ring(x: float, y: float, size: float) -> tuple[tuple[float, float], ...]:
    return tuple((round(x + size * cos(k * pi / 16), 1), round(y + size * sin(k * pi / 16), 1)) for k in range(32))


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


def _through(views: GridViews, puzzle: Any, board: Cells) -> Iterator[str]:
    """Lines through the centers of cells; what is written in a cell takes the place of its line."""
    looks = views.family.looks
    for r, row in enumerate(board):
        yield "".join(
            (views.written(puzzle, (r, c)) or (looks[mask].sign if mask else "·")) + ("─" if (mask or 0) & RIGHT else " ")
            for c, mask in enumerate(row)
        )
