"""Views of grid puzzles: numbers and circles in cells, walls of rooms, and lines, as text, for terminals, and in pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from math import cos, pi, sin
from typing import Any

from cnfgen_puzzles.families.cellviews import HERE, NUMBERS, THERE, THIN, CellViews, Shown, legend
from cnfgen_puzzles.families.drawing import Area, Drawing, Rect, Segment, Shape, Text
from cnfgen_puzzles.families.grid.genre import DOWN, LEFT, RIGHT, Division, Loop, Numbers, room_borders
from cnfgen_puzzles.families.grid.pieces import Cell, piece_cells
from cnfgen_puzzles.families.grid.pzpr import HOLE, NONE, UNKNOWN
from cnfgen_puzzles.families.looks import INK, PAPER, Cells, ink_on

LINE = "#1d6f42"
"""The color of lines that a solution draws."""
PLACES = {
    0: (),
    1: ((0, 0),),
    2: ((-0.2, -0.2), (0.2, 0.2)),
    3: ((-0.22, -0.2), (0.22, -0.2), (0, 0.22)),
    4: ((0, -0.28), (-0.28, 0), (0.28, 0), (0, 0.28)),
}
"""Where so many numbers stand in a cell, from its center."""
BESIDE = ((-0.3, -0.28),)
ARROWS = ["", "↑", "↓", "←", "→"]
CIRCLE_TEXT = {1: "○", 2: "●"}


class GridViews(CellViews):
    """The views of a genre."""

    def written(self, puzzle: Any, cell: tuple[int, int]) -> str:
        """What stands in a cell: a number, a question mark, or a circle."""
        number = puzzle.number(cell)
        if puzzle.lists:
            joint: str = self.family.joint
            return joint.join("" if joint and not n else _sign(n) for n in puzzle.lists[cell[0]][cell[1]])
        if number == NONE:
            return ""
        if self.family.circles:
            return CIRCLE_TEXT.get(number, "?")
        if number in self.family.signs:
            return str(self.family.signs[number])
        arrow = ARROWS[puzzle.arrow(cell)]
        return arrow or "?" if number == UNKNOWN else f"{number}{arrow}"

    def _ground(self, puzzle: Any, board: Cells, cell: tuple[int, int]) -> str | None:
        shown: str | None = None if self.family.around_cells else self.family.looks[board[cell[0]][cell[1]] or 0].fill
        return shown or self.family.ground(puzzle, cell)

    def inscribed(self, puzzle: Any, board: Cells, rows: list[list[Shown]], view: str) -> list[list[Shown]]:
        """The cells with their numbers or clues, in text also with the sign of a filled cell; `drawing` draws clues itself."""
        if isinstance(self.family, Loop):
            return rows
        numbers = isinstance(self.family, Numbers)
        for r, c in puzzle.cells:
            solid = self.family.solid and puzzle.number((r, c)) != NONE
            look = replace(rows[r][c].look, fill=INK) if solid else rows[r][c].look
            sign = str(board[r][c]) if numbers and board[r][c] else self.written(puzzle, (r, c))
            if view == "drawing" and (not numbers or (puzzle.lists and puzzle.lists[r][c])):
                sign_only = not (self.family.circles or self.family.polygons or solid)
                look = replace(look, written=look.written and sign_only)
                rows[r][c] = replace(rows[r][c], look=look)
            elif sign:
                filled = view == "text" and look.fill and not solid and not self.family.joint
                sign += look.sign if self.family.beside or filled else ""
                rows[r][c] = replace(rows[r][c], look=replace(look, sign=sign.replace("?", "#") if solid else sign, written=True))
        return rows

    def text(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = True) -> str:
        if isinstance(self.family, Division):
            rows = self.show_cells(puzzle, board, other)
            if puzzle.points:
                return "".join(_pointed(puzzle, board)) + legend(rows)
            lines = _divided(self, puzzle, board)
            return "".join(f"{line.rstrip()}\n" for line in lines) + legend(rows)
        if not isinstance(self.family, Loop):
            if puzzle.corners:
                rows = self.show_cells(puzzle, board, other)
                return "".join(f"{line.rstrip()}\n" for line in _cornered(puzzle, rows)) + legend(rows)
            text = super().text(puzzle, board, other, letters=letters)
            if puzzle.outside:
                return "".join(f"{line}\n" for line in _framed(puzzle, text.splitlines()))
            if all(mark == NONE for row in puzzle.between for mark in row):
                return text
            return "".join(_dotted(puzzle, text.splitlines(keepends=True), self.family.bordered))
        write = _bridges if self.family.bridges else _between if self.family.around_cells else _through
        lines = write(self, puzzle, board)
        return "".join(f"{line.rstrip()}\n" for line in lines)

    def ansi(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = False) -> str:
        return (self.text if puzzle.corners or isinstance(self.family, Division) else super().ansi)(
            puzzle, board, other, letters=letters
        )

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
            if self.family.bordered:
                picture.add(_walls(replace(puzzle, rooms=board), cell, left, top))
            picture.add(_points(puzzle, cell, left, top))
            picture.add(_dots(puzzle, cell, left, self.family.bordered))
            if clues and puzzle.outside and other is None:
                right, bottom = picture.width - max(2, cell // 2), picture.height - max(2, cell // 2)
                picture.add(_behind(puzzle, cell, right, bottom))
                picture.width, picture.height = right + cell, bottom + cell
                picture.add(_sums(puzzle, cell, right, bottom))
            if not isinstance(self.family, Numbers):
                rows = self.show_cells(puzzle, board, other, letters)
                picture.add(self.clue_shapes(puzzle, board, rows, cell, left, top))
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

    def clue_shapes(self, puzzle: Any, board: Cells, rows: list[list[Shown]], cell: int, left: int, top: int) -> Iterator[Shape]:
        """Numbers and circles in cells, and numbers at corners."""
        for r, c in puzzle.cells:
            x, y, shown = left + (c + 0.5) * cell, top + (r + 0.5) * cell, rows[r][c]
            if shown.mark in (HERE, THERE):
                continue
            if self.family.circles and (circle := board[r][c] if self.family.states[0] else max(puzzle.number((r, c)), 0)):
                yield from _circle(x, y, cell * 0.36, INK if circle == 2 else PAPER)
            if polygon := self.family.polygons.get(board[r][c]):
                yield Area((tuple((x + (a - 0.5) * cell, y + (b - 0.5) * cell) for a, b in polygon),), INK)
            ink = ink_on(shown.look.fill) if shown.look.fill and not shown.mark else NUMBERS
            ink = PAPER if self.family.solid else ink
            signs = list(map(_sign, puzzle.lists[r][c])) if puzzle.lists else [self.written(puzzle, (r, c))]
            if self.family.ringed and signs[0]:
                yield from _circle(x, y, cell * 0.42, PAPER)
                signs = [signs[0].replace("?", "")]
            for sign, (across, down) in zip(signs, BESIDE if self.family.beside else PLACES[len(signs)], strict=True):
                if sign and not self.family.circles and not (self.family.solid and sign == "?"):
                    size = (0.56, 0.42, 0.36, 0.34)[min(max(len(signs), len(sign) - 1, 3 * self.family.beside), 4) - 1]
                    yield Text(x + across * cell, y + down * cell, sign, cell * size, ink)
        for r, row in enumerate(puzzle.corners):
            for c, number in enumerate(row):
                if number != NONE:
                    yield from _circle(left + c * cell, top + r * cell, cell * 0.28, PAPER)
                    yield Text(left + c * cell, top + r * cell, _sign(number), cell * 0.42, NUMBERS)


def _sign(number: int) -> str:
    return {UNKNOWN: "?", NONE: ""}.get(number, str(number))


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


def _sums(puzzle: Any, cell: int, right: int, bottom: int) -> Iterator[Shape]:
    """The sums in clue cells: of the cells to the right above the diagonal, of those below it under the diagonal."""
    for r, row in enumerate(puzzle.lists):
        for c, sums in enumerate(row):
            if sums:
                x, y = right + (c - puzzle.width) * cell, bottom + (r - puzzle.height) * cell
                yield Segment(x, y, x + cell, y + cell, 1, THIN, crisp=False)
                for number, (across, down) in zip(sums, ((0.7, 0.3), (0.3, 0.72)), strict=False):
                    yield Text(x + across * cell, y + down * cell, str(number or ""), cell * 0.38, PAPER)


def _divided(views: GridViews, puzzle: Any, board: Cells) -> Iterator[str]:
    """The borders of regions around cells with what is written in them."""
    padded = [[-1] * (puzzle.width + 2), *([-1, *row, -1] for row in board), [-1] * (puzzle.width + 2)]
    for r, (upper, row) in enumerate(pairwise(padded)):
        yield "".join("·" + ("───" if upper[c] != row[c] else "   ") for c in range(1, puzzle.width + 1)) + "·"
        if r < puzzle.height:
            signs = [*(views.written(puzzle, (r, c)) for c in range(puzzle.width)), ""]
            walls = ["│" if a != b else " " for a, b in pairwise(row)]
            yield "".join(wall + sign.center(3) for wall, sign in zip(walls, signs, strict=True))


def _pointed(puzzle: Any, board: Cells) -> Iterator[str]:
    """The borders of regions, and what stands at the centers of cells, sides, and corners."""
    padded = [[-1] * (puzzle.width + 2), *([-1, *row, -1] for row in board), [-1] * (puzzle.width + 2)]
    signs = {1: "○", 2: "●", HOLE: "#"}
    for y, x in product(range(1, 2 * puzzle.height + 2), range(1, 2 * puzzle.width + 2)):
        border = padded[y // 2][x // 2] != padded[(y + 1) // 2][(x + 1) // 2]
        blank = "·" if x % 2 and y % 2 else " " if not border else "│" if x % 2 else "─"
        inner = 2 <= y <= 2 * puzzle.height and 2 <= x <= 2 * puzzle.width
        sign = signs.get(puzzle.points[y - 2][x - 2], blank) if inner else blank
        end = "\n" if x == 2 * puzzle.width + 1 else ""
        yield (sign if x % 2 else sign * 3 if sign in "─#" else f" {sign} ") + end


def _dotted(puzzle: Any, lines: list[str], walls: bool) -> Iterator[str]:
    """The text of a board with dots or walls between cells, which may have other lines below it."""
    marks = {(a, b): " " if mark == NONE else "│─"[a[1] == b[1]] if walls else CIRCLE_TEXT[mark] for a, b, mark in puzzle.pairs()}
    cell = -(-(max(map(len, lines[: puzzle.height])) - 1) // puzzle.width)
    for r, line in enumerate(lines[: puzzle.height]):
        cells = [line[c * cell : (c + 1) * cell].strip("\n").rjust(cell) for c in range(puzzle.width)]
        yield "".join(sign + marks.get(((r, c), (r, c + 1)), "") for c, sign in enumerate(cells)).rstrip() + "\n"
        if r + 1 < puzzle.height:
            yield "".join(marks[(r, c), (r + 1, c)].rjust(cell) + " " for c in range(puzzle.width)).rstrip() + "\n"
    yield from lines[puzzle.height :]


def _dots(puzzle: Any, cell: int, edge: int, walls: bool) -> Iterator[Shape]:
    """White and black dots between cells, or walls."""
    for (r, c), (k, m), mark in puzzle.pairs():
        if mark != NONE and walls:
            x, y = edge + m * cell, edge + k * cell
            yield Segment(x, y, x + cell * (k > r), y + cell * (m > c), max(2, cell // 7), INK)
        elif mark != NONE:
            x, y = edge + cell * (c + m + 1) / 2, edge + cell * (r + k + 1) / 2
            yield from _circle(x, y, cell * 0.14, INK if mark == 2 else PAPER)


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

    yield Area((ring(radius),), INK)
    if fill != INK:
        yield Area((ring(radius * 0.86),), fill)


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
    for (r, c), (k, m) in room_borders(puzzle):
        x, y = left + m * cell, top + k * cell
        yield Segment(x, y, x + cell * (k > r), y + cell * (m > c), max(2, cell // 10), INK)


def _points(puzzle: Any, cell: int, left: int, top: int) -> Iterator[Shape]:
    """Circles at the centers of cells, sides, and corners, and black cells."""
    for y, row in enumerate(puzzle.points):
        for x, mark in enumerate(row):
            if mark == HOLE:
                yield Rect(left + x // 2 * cell, top + y // 2 * cell, cell, cell, INK)
            elif mark:
                yield from _circle(left + (x + 1) * cell / 2, top + (y + 1) * cell / 2, cell * 0.18, INK if mark == 2 else PAPER)


def _cornered(puzzle: Any, rows: list[list[Shown]]) -> Iterator[str]:
    """Cells between their corners."""
    for r, corners in enumerate(puzzle.corners):
        yield "   ".join(_sign(number) or "·" for number in corners)
        if r < puzzle.height:
            yield "".join(f" {shown.text:^3}" for shown in rows[r])


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
