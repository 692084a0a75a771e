"""Views of grid puzzles: numbers and circles in cells, walls of rooms, and lines, as text, for terminals, and in pictures.

Text and pictures have the same places: (2r + 1, 2c + 1) is the center of cell (r, c), and between are sides and corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from math import cos, pi, sin
from typing import Any

from cnfgen_puzzles.families.cellviews import (
    CONTRADICTS,
    HERE,
    LEAST_CELL_WITH_CLUES,
    LEGEND,
    NUMBERS,
    ONLY_HERE,
    ONLY_THERE,
    THERE,
    THIN,
    WRONG,
    CellViews,
    Shown,
    ansi_colors,
    legend,
)
from cnfgen_puzzles.families.drawing import RESET, Area, Drawing, Rect, Shape, ShapeGroup, Stroke, Text
from cnfgen_puzzles.families.links.pieces import piece_cells
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN, sides
from cnfgen_puzzles.families.looks import INK, PAPER, Cells, ink_on
from cnfgen_puzzles.families.squares import Cell, neighbors

LINE = "#1d6f42"
"""The color of lines that a solution draws."""
PLACES = {
    0: (),
    1: ((0, 0),),
    2: ((-0.2, -0.2), (0.2, 0.2)),
    3: ((-0.22, -0.2), (0.22, -0.2), (0, 0.22)),
    4: ((0, -0.28), (-0.28, 0), (0.28, 0), (0, 0.28)),
}
"""The places of so many numbers in a cell, from its center."""
BESIDE, SUMS = ((-0.3, -0.28),), ((0.17, -0.22), (-0.17, 0.24))
ARROWS = ["", "↑", "↓", "←", "→"]
POINTS = ["", "○", "●", "#", "◐"]


class GridViews(CellViews):
    """The views of a genre."""

    def __init__(self, family: Any):
        super().__init__(family)
        self.loop = family.kind == "loop"
        self.framed = not (self.loop and (family.around_cells or family.bridges))

    def numbers_in(self, puzzle: Any, cell: Cell) -> list[str]:
        """The numbers of a list in a cell."""
        return [
            "" if self.family.kind == "numbers" and not number else self.family.sign(number)
            for number in puzzle.lists[cell[0]][cell[1]]
        ]

    def written(self, puzzle: Any, cell: Cell) -> str:
        """The text of a cell: a number, a question mark, or a circle."""
        number, family = puzzle.number(cell), self.family
        if puzzle.lists:
            joint: str = family.joint
            return joint.join(self.numbers_in(puzzle, cell))
        if number == NONE:
            return ""
        if family.circles or (family.ringed and number == UNKNOWN):
            return POINTS[number] if number > 0 else "○" if family.ringed else "?"
        arrow = ARROWS[puzzle.arrow(cell)]
        if number in family.signs:
            return f"{family.signs[number]}{arrow}"
        return arrow or "?" if number == UNKNOWN else f"{family.sign(number)}{arrow}"

    def places(self, puzzle: Any, board: Cells) -> dict[Cell, str]:
        """The signs between cells, at corners, below the board, and to its right, and points in cells."""
        found = {}
        borders = [rows for rows in (puzzle.rooms, board if self.family.bordered else ()) if rows]
        for (r, c), (k, m) in sides(puzzle.size):
            pairs = [(rows[r][c], rows[k][m]) for rows in borders]
            if ((r, c), (k, m)) in puzzle.inner_walls or any(None not in pair and pair[0] != pair[1] for pair in pairs):
                found[r + k + 1, c + m + 1] = "│─"[k > r]
        for (r, c), (k, m), mark in puzzle.pairs():
            if mark != NONE:
                found[r + k + 1, c + m + 1] = "│─"[k > r] if self.family.bordered else POINTS[mark]
        found |= {(2 * r, 2 * c): self.family.sign(number) for (r, c), number in puzzle.given("corners")}
        found |= {(y + 1, x + 1): POINTS[point] for (y, x), point in puzzle.given("points") if point}
        if puzzle.outside:
            found |= {(2 * puzzle.height + 1, 2 * c + 1): self.family.sign(number) for c, number in enumerate(puzzle.outside[1])}
            found |= {(2 * r + 1, 2 * puzzle.width + 1): self.family.sign(number) for r, number in enumerate(puzzle.outside[3])}
        return {place: sign for place, sign in found.items() if sign}

    def wrong_corners(self, puzzle: Any, board: Cells) -> list[Cell]:
        """The places of clues that contradict, if this is a board of corners."""
        rows = () if self.loop or len(board) == puzzle.height else board
        return [(2 * r, 2 * c) for r, row in enumerate(rows) for c, value in enumerate(row) if value is not None]

    def lines(self, board: Cells) -> dict[Cell, str]:
        """The lines on the sides of cells, or between the centers of two cells."""
        shift, found = 1 - self.family.around_cells, dict[Cell, str]()
        for r, row in enumerate(board):
            for c, value in enumerate(row):
                right, down = self.family.lines_from(value or 0)
                found |= {(2 * r + shift, 2 * c + 1 + shift): " ─═"[right], (2 * r + 1 + shift, 2 * c + shift): " │║"[down]}
        return {place: sign for place, sign in found.items() if sign != " "}

    def inscribed(self, puzzle: Any, board: Cells, rows: list[list[Shown]], view: str) -> list[list[Shown]]:
        """The cells with their numbers or clues, in text also with the sign of a filled cell; `drawing` draws clues itself."""
        if self.loop:
            return rows
        family = self.family
        numbers = family.kind == "numbers"
        for r, c in puzzle.cells:
            solid = family.solid and puzzle.number((r, c)) != NONE
            look = rows[r][c].look._replace(fill=INK) if solid else rows[r][c].look
            value = board[r][c] if numbers else None
            sign = (family.signs.get(value) or family.sign(value)) if value else self.written(puzzle, (r, c))
            if view == "drawing" and (not numbers or family.beside or (puzzle.lists and puzzle.lists[r][c])):
                drawn = family.circles or family.polygons or family.ships or solid
                look = look._replace(written=look.written and not drawn)
                rows[r][c] = rows[r][c]._replace(look=look)
            elif sign:
                filled = view == "text" and look.fill and not solid and not family.joint
                sign += look.sign if (family.beside and not numbers) or filled else ""
                written = look._replace(sign=sign.replace("?", "#") if solid else sign, written=True)
                rows[r][c] = rows[r][c]._replace(look=written)
        return rows

    def beneath(self, puzzle: Any, board: Cells, other: Cells | None) -> tuple[Cells, Cells | None]:
        """The board and another one, or, under lines, cells that are unknown, but for clues and lines that contradict."""
        if not self.loop and len(board) == puzzle.height:
            return board, other
        marks = self.loop and other and None in chain(*other) and (self.framed or 0 in chain(*board))
        blank = ((None,) * puzzle.width,) * puzzle.height
        if not marks or other is None:
            return blank, blank
        cells = tuple(row[: puzzle.width] for row in board[: puzzle.height])
        pairs = zip(cells, other, strict=False)
        return cells, tuple(tuple(v if v == w else None for v, w in zip(*rows, strict=False)) for rows in pairs)

    # -- text -----------------------------------------------------------------------------------------------------------

    def text(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = True, color: bool = False) -> str:
        if self.family.boxes(puzzle):
            return super().text(puzzle, board, other)
        family, places = self.family, self.places(puzzle, board)
        height, width = 2 * puzzle.height, 2 * puzzle.width
        walls, spread = bool(puzzle.rooms or family.bordered), self._spread(puzzle)
        if walls:
            places |= {(y, x): "─" for y in (0, height) for x in range(1, width, 2)}
            places |= {(y, x): "│" for x in (0, width) for y in range(1, height, 2)}
        if spread and not (self.loop and family.bridges):
            places = {(y, x): "·" for y in range(0, height + 1, 2) for x in range(0, width + 1, 2)} | places
        places |= {
            (-1, 2 * c + 1): clues[0].text for c, clues in enumerate(family.column_clues(puzzle)) if clues and clues[0].text
        }
        places |= {(2 * r + 1, -1): clues[0].text for r, clues in enumerate(family.row_clues(puzzle)) if clues and clues[0].text}
        wrong = self.wrong_corners(puzzle, board)
        places |= {(y, x + 1): f"{WRONG}  " for y, x in wrong}
        rows = self.inscribed(puzzle, board, self.show_cells(puzzle, *self.beneath(puzzle, board, other)), "text")
        lines, colors = self.lines(board) if self.loop else {}, {}
        if other and None in chain(*other) and not self.framed:  # a half-filled board: lines that the other one lacks contradict
            lines = {place: sign if place in self.lines(other) else WRONG for place, sign in lines.items()}
        for r, c in puzzle.cells:
            place, sign = (2 * r + 1, 2 * c + 1), self.written(puzzle, (r, c))
            if self.loop and not family.around_cells:
                line = lines.get((2 * r + 1, 2 * c + 2)) or lines.get((2 * r + 2, 2 * c + 1)) or ""
                mask = "" if family.bridges else family.looks[board[r][c] or 0].sign.strip()
                sign = sign or mask or line or "#" * bool(family.ground(puzzle, (r, c))) or "·" * (not spread)
            if self.loop:
                sign += rows[r][c].mark
            elif family.kind != "division":
                sign = rows[r][c].text.strip() or "_" * (not spread)
                if color and (rows[r][c].look.fill or rows[r][c].mark):
                    colors[place] = ansi_colors(rows[r][c], 0)
            places.setdefault(place, sign)
        text = _typeset(places | lines, height, width, colors, spread, edges=spread and not (self.loop and family.bridges))
        return (
            text + _bank_text(puzzle) + (legend(rows) or f"{WRONG} {LEGEND[WRONG]}\n" * (bool(wrong) or WRONG in lines.values()))
        )

    def _spread(self, puzzle: Any) -> bool:
        """Whether text has lines between the rows of cells."""
        drawn = puzzle.rooms or puzzle.corners or puzzle.points or puzzle.between
        return bool(drawn or self.family.bordered or (self.loop and not self.framed))

    def ansi(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = False) -> str:
        if self.loop or puzzle.outside or self._spread(puzzle):
            return self.text(puzzle, board, other, color=True)
        return super().ansi(puzzle, board, other, letters=letters)

    # -- pictures -------------------------------------------------------------------------------------------------------

    def drawing(self, puzzle: Any, board: Cells, other: Cells | None = None, **options: Any) -> Drawing:
        cell, letters = options.get("cell") or self.png_cell(puzzle), options.get("letters", False)
        clues = options.get("clues", True) and cell >= LEAST_CELL_WITH_CLUES
        cells, beside = self.beneath(puzzle, board, other)
        picture = super().drawing(puzzle, cells, beside, cell=cell, clues=clues, letters=letters)
        left, top = self.origin(puzzle, cell, clues)
        width, height, places = 2 * puzzle.width, 2 * puzzle.height, self.places(puzzle, board)
        wrong = self.wrong_corners(puzzle, board)
        shapes = [*self._clues(puzzle, board, self.show_cells(puzzle, cells, beside, letters), cell)]
        if self.loop:
            lines = list(self._lines(board, other, cell))
            shapes = [*lines, *shapes] if self.family.ends_at_numbers else [*shapes, *lines]
        for (y, x), sign in places.items():
            if clues or (y <= height and x <= width):
                fill = CONTRADICTS if (y, x) in wrong else PAPER
                shapes += _between(y * cell / 2, x * cell / 2, sign, cell, fill if (y % 2, x % 2) == (0, 0) else "")
        picture.shapes.append(ShapeGroup(left, top, shapes))
        picture.width += cell * (clues and any(x > width for _, x in places))
        picture.height += cell * (clues and any(y > height for y, _ in places))
        if clues and puzzle.bank:
            pieces, size = _bank(puzzle), cell // 2
            picture.add(Rect(left + c * size, picture.height + r * size, size - 1, size - 1, NUMBERS) for r, c in pieces)
            picture.height += size * (2 + max(pieces)[0])
        return picture

    def _lines(self, board: Cells, other: Cells | None, cell: int) -> Iterator[Shape]:
        """The lines of a board; where another board differs, in two other colors."""
        lines, others = self.lines(board), self.lines(board if other is None else other)
        only_here = CONTRADICTS if other and None in chain(*other) and not self.framed else ONLY_HERE
        for y, x in sorted(lines | others):
            sign = lines.get((y, x)) or others[y, x]
            color = LINE if lines.get((y, x)) == others.get((y, x)) else only_here if (y, x) in lines else ONLY_THERE
            for shift in (-0.12, 0.12) if sign in "═║" else (0,):
                across, down = (1, 0) if sign in "─═" else (0, 1)
                x1, y1 = (x / 2 - across / 2 + down * shift) * cell, (y / 2 - down / 2 + across * shift) * cell
                yield Stroke(((x1, y1), (x1 + across * cell, y1 + down * cell)), max(2, cell // 7), color)

    def _clues(self, puzzle: Any, board: Cells, rows: list[list[Shown]], cell: int) -> Iterator[Shape]:
        """Numbers, circles, polygons, and parts of ships in cells."""
        family = self.family
        for r, c in puzzle.cells:
            x, y, shown, number = (c + 0.5) * cell, (r + 0.5) * cell, rows[r][c], puzzle.number((r, c))
            if shown.mark in (HERE, THERE) or (family.kind == "numbers" and not puzzle.lists and not family.beside):
                continue
            value = None if self.loop and family.around_cells else board[r][c]
            fill = "" if shown.mark else shown.look.fill
            if self.loop and not shown.mark and (fill := family.looks[value or 0].fill or family.ground(puzzle, (r, c))):
                yield Rect(c * cell, r * cell, cell, cell, INK)
                yield Rect(c * cell + 1, r * cell + 1, cell - 2, cell - 2, fill)
            circle = value if family.kind == "shading" and family.states[0] else max(number, 0)
            if family.circles and circle:
                yield from _circle(x, y, cell * 0.36, INK if circle == 2 else PAPER)
            if polygon := family.polygons.get(value):
                yield Area((tuple((x + (a - 0.5) * cell, y + (b - 0.5) * cell) for a, b in polygon),), INK)
            signs = self.numbers_in(puzzle, (r, c)) if puzzle.lists else [self.written(puzzle, (r, c))]
            places = BESIDE if family.beside else PLACES[len(signs)]
            if family.joint and len(signs) == 2:
                yield Stroke(((c * cell, r * cell), ((c + 1) * cell, (r + 1) * cell)), 1, THIN)
                places = SUMS
            if family.ships and (value == 1 or number in family.ships):
                near = enumerate(neighbors((r, c)))
                goes_on = sum(1 << n for n, (k, m) in near if 0 <= k < len(board) and 0 <= m < len(board[0]) and board[k][m] == 1)
                yield _ship(x, y, cell, goes_on if value == 1 else family.ships[number])
                signs = []
            if self.loop and family.ends_at_numbers and signs[0]:
                yield Rect(x - 0.3 * cell, y - 0.35 * cell, 0.6 * cell, 0.7 * cell, PAPER)
            if family.ringed and signs[0] and number not in family.signs:
                black = signs[0][0] == "●"
                yield from _circle(x, y, cell * 0.42, INK if black else PAPER)
                fill = INK if black else fill
                signs = [signs[0].strip("○●")]
            elif family.circles:
                signs = []
            ink = PAPER if family.solid else ink_on(fill) if fill else NUMBERS
            for sign, (across, down) in zip(signs, places, strict=False):
                size = (0.56, 0.42, 0.36, 0.34)[min(max(len(signs), len(sign) - 1, 3 * family.beside), 4) - 1]
                yield Text(x + across * cell, y + down * cell, "" if family.solid and sign == "?" else sign, cell * size, ink)


def _typeset(signs: Mapping[Cell, str], height: int, width: int, colors: Mapping[Cell, str], spread: bool, edges: bool) -> str:
    """The lines of signs at places; of the places between rows of cells only with `spread`, of the borders only with `edges`."""
    wide = max(len(sign) for (_, x), sign in signs.items() if 0 < x < width and x % 2)
    wide = max(3, wide | 1) if spread else wide
    margin = max((len(sign) + 1 for (_, x), sign in signs.items() if x < 0), default=0)
    inner = range(1 - edges, height + edges, 1 if spread else 2)
    rows = [y for y in (-1, *inner, height + 1) if y in inner or any(place[0] == y for place in signs)]
    text = ""
    for y in rows:
        line = signs.get((y, -1), "").rjust(margin - 1) + " " if margin else ""
        for x in range(1 - edges, width + edges):
            sign, places = signs.get((y, x), ""), wide if x % 2 else 1
            before, after = (signs.get((y, side)) or " " for side in (x - 1, x + 1))
            if sign[-1:] == "#" or (sign == "─" and not y % 2):
                part = (sign[:-1] or sign).center(places, sign[-1])
            else:
                part = sign.center(places)
                left = len(part) - len(part.lstrip())
                fills = (fill if fill in "─═" else " " for fill in (before, after))
                part = next(fills) * left + sign + next(fills) * (places - left - len(sign))
            line += f"{colors[y, x]}{part}{RESET}" if (y, x) in colors else part
        right = signs.get((y, width + 1), "")
        text += f"{line} {right}".rstrip() + "\n"
    return text


def _between(y: float, x: float, sign: str, cell: int, corner: str) -> Iterator[Shape]:
    """A sign between cells, at a corner, in a circle of the color `corner`, outside, or in the middle of a cell."""
    half = cell / 2
    if sign in "│─":
        across, down = (0, half) if sign == "│" else (half, 0)
        yield Stroke(((x - across, y - down), (x + across, y + down)), max(2, cell // 10), INK, crisp=True)
    elif sign == "#":
        yield Rect(x - half, y - half, cell, cell, INK)
    elif sign in POINTS:
        yield from _circle(x, y, cell * 0.16, {"●": INK, "◐": THIN}.get(sign, PAPER))
    else:
        if corner:
            yield from _circle(x, y, cell * 0.28, corner)
        yield Text(x, y, sign, cell * (0.42 if corner else 0.56), NUMBERS)


def _circle(x: float, y: float, radius: float, fill: str) -> Iterator[Area]:
    def ring(size: float) -> tuple[tuple[float, float], ...]:
        return tuple((round(x + size * cos(k * pi / 16), 1), round(y + size * sin(k * pi / 16), 1)) for k in range(32))

    yield Area((ring(radius),), INK)
    if fill != INK:
        yield Area((ring(radius * 0.86),), fill)


def _ship(x: float, y: float, cell: int, goes_on: int) -> Area:
    """A part of a ship, round where it does not continue (up 1, left 2, right 4, down 8)."""
    points = []
    for k in range(32):
        across, down = cos(k * pi / 16 + 0.1), sin(k * pi / 16 + 0.1)
        square = goes_on & ((4 if across > 0 else 2) | (8 if down > 0 else 1))
        size = 0.42 * cell / (max(abs(across), abs(down)) if square else 1)
        points.append((round(x + size * across, 1), round(y + size * down, 1)))
    return Area((tuple(points),), INK)


def _bank(puzzle: Any) -> list[Cell]:
    """The cells of the pieces of the bank, in rows of at most twice the width of the board."""
    found, top, left, below = list[Cell](), 0, 0, 0
    for piece in map(piece_cells, puzzle.bank):
        width = 2 + max(c for _, c in piece)
        if left and left + width > 2 * puzzle.width + 1:
            top, left = below, 0
        found += [(top + r, left + c) for r, c in piece]
        left, below = left + width, max(below, top + 2 + max(piece)[0])
    return found


def _bank_text(puzzle: Any) -> str:
    pieces = set(_bank(puzzle))
    height, width = (1 + max((place[k] for place in pieces), default=-1) for k in (0, 1))
    rows = ("".join(" #"[(r, c) in pieces] for c in range(width)).rstrip() for r in range(height))
    return "\n" * bool(pieces) + "".join(f"{row}\n" for row in rows)
