"""Views of grid puzzles: numbers and circles in cells, walls of rooms, and lines, as text, for terminals, and in pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin
from typing import Any

from cnfgen_puzzles.families.cellviews import NUMBERS, CellViews, Shown
from cnfgen_puzzles.families.drawing import Area, Drawing, Rect, Segment, Shape, Text
from cnfgen_puzzles.families.grid.genre import DOWN, RIGHT, Loop
from cnfgen_puzzles.families.grid.pieces import Cell, piece_cells
from cnfgen_puzzles.families.grid.pzpr import NONE, UNKNOWN, sides
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
        return self.family.signs.get(number) or ("?" if number == UNKNOWN else str(number))

    def show_cells(self, puzzle: Any, board: Cells, other: Cells | None, letters: bool = False) -> list[list[Shown]]:
        """The cells with what is written in them; the picture of a line is drawn elsewhere."""
        rows = super().show_cells(puzzle, board, other, letters)
        if isinstance(self.family, Loop):
            return rows
        for r, c in puzzle.cells:
            if sign := self.written(puzzle, (r, c)):
                shown, plain = rows[r][c], self.family.solid and sign == "?"
                look = replace(shown.look, sign="#" if plain else sign, written=not plain)
                rows[r][c] = replace(shown, look=replace(look, fill=INK) if self.family.solid else look)
        return rows

    def text(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = True) -> str:
        if not isinstance(self.family, Loop):
            return super().text(puzzle, board, other, letters=letters)
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
            left, top = self.origin(puzzle, cell, clues)
            picture.add(_walls(puzzle, cell, left, top))
            if self.family.circles:
                for (r, c), number in puzzle.clues():
                    picture.add(_disc(left + (c + 0.5) * cell, top + (r + 0.5) * cell, cell * 0.36, number == 2))
            if puzzle.bank and clues:
                picture.add(_bank(puzzle, cell // 2, left, picture.height))
                picture.height += _bank_height(puzzle, cell // 2)
            return picture
        edge = max(2, cell // 2)
        picture = Drawing(puzzle.width * cell + 2 * edge, puzzle.height * cell + 2 * edge, PAPER)
        for k in range(puzzle.width + 1):
            picture.add([Segment(edge + k * cell, edge, edge + k * cell, edge + puzzle.height * cell, 1, "#cfcbc3")])
        for k in range(puzzle.height + 1):
            picture.add([Segment(edge, edge + k * cell, edge + puzzle.width * cell, edge + k * cell, 1, "#cfcbc3")])
        picture.add(_walls(puzzle, cell, edge, edge))
        for r, c in puzzle.cells:
            x, y = edge + (c + 0.5) * cell, edge + (r + 0.5) * cell
            if (number := puzzle.number((r, c))) != NONE and self.family.circles:
                picture.add(_disc(x, y, cell * 0.36, number == 2))
            elif sign := self.written(puzzle, (r, c)):
                picture.add([Text(x, y, sign, cell * 0.56, NUMBERS)])
        shift = 0.0 if self.family.around_cells else 0.5
        for r, row in enumerate(board):
            for c, mask in enumerate(row):
                x, y = edge + (c + shift) * cell, edge + (r + shift) * cell
                ends = [(x + cell, y)] * bool((mask or 0) & RIGHT) + [(x, y + cell)] * bool((mask or 0) & DOWN)
                picture.add(Segment(x, y, *end, max(2, cell // 7), LINE, crisp=False) for end in ends)
        return picture


def _disc(x: float, y: float, radius: float, black: bool) -> Iterator[Shape]:
    """A circle, black or white."""
    for size, fill in ((radius, INK), *([] if black else [(radius * 0.86, PAPER)])):
        ring = tuple((round(x + size * cos(k * pi / 16), 1), round(y + size * sin(k * pi / 16), 1)) for k in range(32))
        yield Area((ring,), fill)


def _bank_rows(puzzle: Any) -> list[list[list[Cell]]]:
    """The pieces of the bank in rows of at most twice the width of the board."""
    rows: list[list[list[Cell]]] = [[]]
    used = 0
    for piece in map(piece_cells, puzzle.bank):
        width = max(c for _, c in piece) + 2
        if rows[-1] and used + width > 2 * puzzle.width + 1:
            rows.append([])
            used = 0
        rows[-1].append(piece)
        used += width
    return rows


def _bank_height(puzzle: Any, cell: int) -> int:
    return sum(cell * (2 + max(r for piece in row for r, _ in piece)) for row in _bank_rows(puzzle))


def _bank(puzzle: Any, cell: int, left: int, top: int) -> Iterator[Shape]:
    """The pieces of the bank, below the board."""
    for row in _bank_rows(puzzle):
        x = left
        for piece in row:
            yield from (Rect(x + c * cell, top + r * cell, cell - 1, cell - 1, NUMBERS) for r, c in piece)
            x += cell * (max(c for _, c in piece) + 2)
        top += cell * (2 + max(r for piece in row for r, _ in piece))


def _walls(puzzle: Any, cell: int, left: int, top: int) -> Iterator[Shape]:
    """The borders of rooms."""
    if not puzzle.rooms:
        return
    for (r, c), (k, m) in sides(puzzle):
        if puzzle.rooms[r][c] != puzzle.rooms[k][m]:
            x, y = left + m * cell, top + k * cell
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
