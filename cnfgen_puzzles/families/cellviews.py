"""Views of boards of cells: text, terminal, SVG, PNG, and sheets of many boards.

If a view gets another board of the same puzzle, it marks the cells that differ, with a sign and with colors that color-blind
people can distinguish (orange and blue, from the palette of Okabe and Ito): `+` is filled only in this board, `-` only in the
other board. A cell with different signs has an orange background, and in text a star after its sign. A cell that is known on this
board and not on the other has a `!` and a frame; this marks known cells that contradict the clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from cnfgen_puzzles.families.drawing import RESET, Drawing, Rect, Shape, Text, picture_views, png_cell
from cnfgen_puzzles.families.family import View, by_name, title_of
from cnfgen_puzzles.families.looks import INK, PAPER, Cells, Clue, Look, ansi_color, ink_on
from cnfgen_puzzles.families.options import Option

LETTERS = Option("letters", "write a letter for each color in pictures (text always has letters)", False, bool)

HERE, THERE, OTHER, WRONG = "+", "-", "*", "!"
LEGEND = {
    HERE: "filled only in this board",
    THERE: "filled only in the other board",
    OTHER: "another sign in the other board",
    WRONG: "contradicts",
}

NUMBERS, GROUND = "#3a3a44", "#ebe7dd"
THIN, THICK = "#cfcbc3", "#8f8b84"
ONLY_HERE, ONLY_THERE, CONTRADICTS = "#e69f00", "#0072b2", "#d55e00"

SHEET_CELL = 20
PNG_CELL, PNG_LEAST_CELL, PNG_SIDE = 32, 3, 2400
"""A cell of a PNG has 32 pixels, fewer if the board would be wider than 2400 pixels, and at least 3."""
LEAST_CELL_WITH_CLUES = 10
"""The smallest cell with clues beside the board; the text of smaller ones is illegible."""

DIM = "\x1b[2m"
ANSI = {
    "filled": ("\x1b[38;5;231;48;5;234m", "\x1b[38;5;231;48;5;237m"),
    "paper": ("\x1b[38;5;16;48;5;231m", "\x1b[38;5;16;48;5;254m"),
    "unknown": ("\x1b[38;5;16;48;5;250m", "\x1b[38;5;16;48;5;248m"),
    HERE: ("\x1b[1;38;5;16;48;5;214m",) * 2,
    OTHER: ("\x1b[1;38;5;16;48;5;214m",) * 2,
    THERE: ("\x1b[1;38;5;231;48;5;25m",) * 2,
    WRONG: ("\x1b[1;38;5;231;48;5;166m",) * 2,
}
"""Colors of cells. The two shades alternate from box to box, or between squares of cells at the distance of the guides. Cells
with a color of the puzzle use that color."""


class Shown(NamedTuple):
    """A cell in a view: the appearance of its value, and the mark of a difference, if it has one."""

    look: Look
    mark: str = ""

    @property
    def text(self) -> str:
        """`+` and `-` replace the sign; a star and `!` follow it."""
        return self.mark if self.mark in (HERE, THERE) else self.look.sign + self.mark


UNKNOWN = Shown(Look(" "))
"""An unknown cell of a puzzle: `None` on a board."""


class CellViews:
    """The views of a family's boards. The option `letters` writes the letters of colors into the cells; text always has them."""

    svg_cell, most_png_cell = 20, PNG_CELL
    framed = True
    """Whether pictures have a thick frame around the board."""

    def __init__(self, family: Any):
        self.family = family  # a `CellFamily`, whose module imports this one

    def show_cells(self, puzzle: Any, board: Cells, other: Cells | None, letters: bool = False) -> list[list[Shown]]:
        """The cells, with marks for differences."""
        looks = dict(self.family.looks_of(puzzle))
        if letters and sum(not look.blank for look in looks.values()) > 1:
            looks = {value: look._replace(written=not look.blank) for value, look in looks.items()}
        same = {value: Shown(look) for value, look in looks.items()} | {None: UNKNOWN}
        if other is None:
            return [[same[value] for value in row] for row in board]
        looks |= {None: UNKNOWN.look}
        return [
            [
                same[a] if a == b else Shown(looks[a], WRONG if b is None else _mark(looks[a], looks[b]))
                for a, b in zip(row, other_row, strict=True)
            ]
            for row, other_row in zip(board, other, strict=True)
        ]

    def inscribed(self, puzzle: Any, board: Cells, rows: list[list[Shown]], view: str) -> list[list[Shown]]:
        """The cells with what the puzzle writes into them in a view (`text`, `ansi`, `drawing`): here nothing."""
        return rows

    def clues(self, puzzle: Any, letters: bool = True) -> tuple[list[list[Clue]], list[list[Clue]]]:
        """The clues beside the rows and above the columns."""
        return show_clues(self.family.row_clues(puzzle), letters), show_clues(self.family.column_clues(puzzle), letters)

    # -- text -----------------------------------------------------------------------------------------------------------

    def plain(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = True) -> str:
        """One line per row, one character per cell (`?` for unknown cells; and the marks), without clues: for scripts."""
        rows = self.show_cells(puzzle, board, other)
        return "".join("".join("?" if cell is UNKNOWN else cell.text for cell in row) + "\n" for row in rows)

    def text(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = True) -> str:
        """The board with its clues in the margins, for people; of an unsolved puzzle with `_` for each cell."""
        rows, (clues, above) = self.show_cells(puzzle, board, other), self.clues(puzzle)
        rows = self.inscribed(puzzle, board, rows, "text")
        if all(cell is UNKNOWN for row in rows for cell in row):
            rows = [[Shown(Look("_"))] * len(row) for row in rows]
        beside, headings = [_joined(line) for line in clues] or [""] * len(board), _headings(above)
        margin, boxes = max(map(len, beside)), self.family.boxes(puzzle)
        cell = _widest(headings, max(len(cell.text) for row in rows for cell in row)) + 1
        lines = [" " * margin + "".join(clue.text.rjust(cell) for clue in heading) for heading in headings]
        for r, (clue, row) in enumerate(zip(beside, rows, strict=True)):
            if boxes and r and r % boxes[0] == 0:
                lines.append(" " * margin + _ruled(["-" * cell] * len(row), boxes[1], "+"))
            lines.append(clue.rjust(margin) + _ruled([shown.text.rjust(cell) for shown in row], boxes and boxes[1], "|"))
        return "".join(f"{line.rstrip()}\n" for line in lines) + legend(rows)

    def ansi(self, puzzle: Any, board: Cells, other: Cells | None = None, *, letters: bool = False) -> str:
        """The board with its clues for a terminal with 256 colors; a cell is two characters wide, so it looks square."""
        rows, (clues, above) = self.show_cells(puzzle, board, other, letters), self.clues(puzzle)
        rows = self.inscribed(puzzle, board, rows, "ansi")
        beside, headings = clues or [[]] * len(board), _headings(above)
        widest = max(len(cell.text) for row in rows for cell in row)
        margin, cell = max(len(_joined(line)) for line in beside), _widest(headings, max(2, widest))
        down, across = self.family.boxes(puzzle) or (self.family.guides or len(board), self.family.guides or len(board[0]))
        lines = []
        for heading in headings:
            numbers = (ansi_clue(clue, clue.text.rjust(cell), DIM * (c % 2)) for c, clue in enumerate(heading))
            lines.append(" " * (margin + 1) + "".join(numbers))
        for r, (line, row) in enumerate(zip(beside, rows, strict=True)):
            clue = " " * (margin - len(_joined(line))) + " ".join(ansi_clue(clue, clue.text) for clue in line)
            shaded = ((shown, (r // down + c // across) % 2) for c, shown in enumerate(row))
            cells = "".join(_ansi(*look, cell, len(list(same))) for look, same in groupby(shaded))
            lines.append(f"{clue} {cells}{RESET}")
        return "".join(f"{line}\n" for line in lines) + ansi_legend(rows, cell)

    # -- pictures -------------------------------------------------------------------------------------------------------

    def views(self) -> dict[str, View]:
        """All views of the family's boards."""
        options = (LETTERS,) if self.family.lettered else ()
        on_sheets = {"clues": False}
        return by_name(
            View("text", "the board with its clues", self.text, ".txt", options=options),
            View("plain", "rows of signs for scripts", self.plain, ".txt", options=options),
            View("ansi", "colored cells for a terminal", self.ansi, ".txt", options=options),
            *picture_views(self.drawing, SHEET_CELL, svg_cell=self.svg_cell, options=options, on_sheets=on_sheets),
        )

    def extent(self, puzzle: Any) -> tuple[float, float]:
        """Width and height of the board, in cells."""
        rows, columns = self.family.shape(puzzle)
        return columns, rows

    def png_cell(self, puzzle: Any) -> int:
        """The size of the cells of a PNG, in pixels."""
        return png_cell(self.extent(puzzle), self.most_png_cell, PNG_LEAST_CELL, PNG_SIDE)

    def origin(self, puzzle: Any, cell: int, clues: bool = True) -> tuple[int, int]:
        """The place of the top left corner of the board in its picture."""
        return _margins(*(self.clues(puzzle) if clues and cell >= LEAST_CELL_WITH_CLUES else ([], [])), cell)[:2]

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
        """The picture with cells of this size in pixels (None: the size for PNG); small boards have no clues."""
        cell = cell or self.png_cell(puzzle)
        clues = clues and cell >= LEAST_CELL_WITH_CLUES
        rows = self.inscribed(puzzle, board, self.show_cells(puzzle, board, other, letters), "drawing")
        marks = marks_of(rows)
        beside, above = self.clues(puzzle, letters) if clues else ([], [])
        left, top, slot, step, edge = _margins(beside, above, cell)
        width, height = len(board[0]) * cell, len(board) * cell
        below = cell * len(marks) + edge if marks else 0
        least = left + 11 * cell if marks else 0
        picture = Drawing(max(left + width + edge, least), top + height + edge + below, PAPER, title=title_of(puzzle))
        for r, line in enumerate(beside):
            for place, clue in enumerate(reversed(line), start=1):
                picture.add(_clue(clue, left - slot * place, top + cell * r, slot, cell, cell))
        for c, line in enumerate(above):
            for place, clue in enumerate(reversed(line), start=1):
                picture.add(_clue(clue, left + cell * c, top - step * place, cell, step, cell))
        given = {(r, c) for r, row in enumerate(rows) for c in range(len(row)) if self.family.given(puzzle, r, c)}
        picture.add(Rect(left + c * cell, top + r * cell, cell, cell, GROUND) for r, c in sorted(given))
        picture.add(_grid(left, top, rows, cell, (1, 1), THIN))
        picture.add(_cells(rows, given, left, top, cell))
        if thick := self.family.boxes(puzzle) or (self.family.guides and (self.family.guides,) * 2):
            picture.add(_grid(left, top, rows, cell, thick, THICK))
        picture.add(_frame(left, top, width, height, *((max(1, cell // 10), INK) if self.framed else (1, THIN))))
        picture.add(legend_shapes(marks, left, top + height + edge, cell))
        return picture


def show_clues(lines: Sequence[Sequence[Clue]], letters: bool = True) -> list[list[Clue]]:
    """The clues of lines; with `letters`, a colored clue has its letter."""
    return [[clue._replace(text=clue.text + clue.sign * letters) for clue in line] for line in lines]


def _margins(beside: Sequence[Sequence[Clue]], above: Sequence[Sequence[Clue]], cell: int) -> tuple[int, int, int, int, int]:
    """The space left of the board and above it, the width and the height of a clue, and the space around the picture."""
    widest = max((len(clue.text) for line in beside for clue in line), default=1)
    slot, step, edge = round(cell * (0.36 + 0.31 * widest)), round(cell * 0.78), max(2, cell // 2)
    left, top = edge + slot * max(map(len, beside), default=0), edge + step * max(map(len, above), default=0)
    return left, top, slot, step, edge


def _mark(look: Look, other: Look) -> str:
    """The mark of two different values."""
    return HERE if other.blank else THERE if look.blank else OTHER


def marks_of(rows: list[list[Shown]]) -> list[str]:
    """The marks in these rows, for the legend."""
    return [sign for sign in LEGEND if any(cell.mark == sign for row in rows for cell in row)]


def legend(rows: list[list[Shown]]) -> str:
    """The meanings of the marks, one per line."""
    return "".join(f"{sign} {LEGEND[sign]}\n" for sign in marks_of(rows))


def ansi_legend(rows: list[list[Shown]], width: int) -> str:
    """The legend for a terminal, with marks as wide as cells."""
    return "".join(f"{ANSI[sign][0]}{sign * width}{RESET} {LEGEND[sign]}\n" for sign in marks_of(rows))


def legend_shapes(marks: Sequence[str], left: int, top: int, cell: int) -> Iterator[Shape]:
    """The legend in pictures, one cell high per line."""
    for number, sign in enumerate(marks):
        y = top + number * cell
        yield from marked_cell(sign, left, y + 1, cell - 2)
        yield Text(left + cell * 1.4, y + cell / 2, LEGEND[sign], cell * 0.6, NUMBERS, "start")


# -- text and terminal --------------------------------------------------------------------------------------------------


def _joined(clues: Sequence[Clue]) -> str:
    return " ".join(clue.text for clue in clues)


def _headings(clues: Sequence[Sequence[Clue]]) -> list[list[Clue]]:
    """The column clues as lines, one clue per column (or an empty one), aligned at the bottom."""
    height = max(map(len, clues), default=0)
    stacks = [[*[Clue("")] * (height - len(stack)), *stack] for stack in clues]
    return [list(level) for level in zip(*stacks, strict=True)]


def _widest(headings: list[list[Clue]], least: int) -> int:
    """The width of all cells in characters such that the clues fit above their columns."""
    return max([least, *(len(clue.text) for heading in headings for clue in heading)])


def _ruled(cells: list[str], every: int | None, rule: str) -> str:
    """Cells next to each other, with a rule between boxes."""
    if not every:
        return "".join(cells)
    gap = f"-{rule}" if cells[0].startswith("-") else f" {rule}"
    return gap.join("".join(cells[start : start + every]) for start in range(0, len(cells), every))


def ansi_clue(clue: Clue, text: str, plain: str = "") -> str:
    """A clue on its color; without a color it has the style `plain`."""
    code = ansi_color(clue.fill) if clue.fill else plain
    return f"{code}{text}{RESET}" if code else text


def ansi_colors(shown: Shown, shade: int) -> str:
    """The colors of a cell in a terminal; `shade` is 0 or 1."""
    fill = shown.look.fill
    if fill and fill != INK and not shown.mark:
        return ansi_color(fill)
    ground = "filled" if fill else "unknown" if shown.look is UNKNOWN.look else "paper"
    return ANSI[shown.mark or ground][shade]


def _ansi(shown: Shown, shade: int, width: int, count: int) -> str:
    """`count` equal cells next to each other."""
    colors = ansi_colors(shown, shade)
    if shown.mark in (HERE, THERE):
        return colors + shown.mark * (width * count)
    return colors + (shown.text.center(width) if shown.look.written or shown.mark else " " * width) * count


# -- shapes -------------------------------------------------------------------------------------------------------------


def _clue(clue: Clue, x: int, y: int, width: int, height: int, cell: int) -> Iterator[Shape]:
    """A clue in the middle of its space, on its color."""
    if clue.fill is not None:
        yield Rect(x + 1, y + 1, width - 2, height - 2, clue.fill)
    yield Text(x + width / 2, y + height / 2, clue.text, cell * 0.56, ink_on(clue.fill) if clue.fill else NUMBERS)


def _grid(left: int, top: int, rows: list[list[Shown]], cell: int, every: tuple[int, int], fill: str) -> list[Rect]:
    """The grid lines inside the frame at these distances of rows and columns."""
    thickness = 1 if every == (1, 1) else max(1, cell // 10)
    first, width, height = thickness // 2, len(rows[0]), len(rows)
    down = [Rect(left + c * cell - first, top, thickness, height * cell, fill) for c in range(every[1], width, every[1])]
    across = [Rect(left, top + r * cell - first, width * cell, thickness, fill) for r in range(every[0], height, every[0])]
    return down + across


def _frame(left: int, top: int, width: int, height: int, thickness: int, fill: str) -> list[Rect]:
    whole, tall = width + 2 * thickness, height + 2 * thickness
    return [
        Rect(left - thickness, top - thickness, whole, thickness, fill),
        Rect(left - thickness, top + height, whole, thickness, fill),
        Rect(left - thickness, top - thickness, thickness, tall, fill),
        Rect(left + width, top - thickness, thickness, tall, fill),
    ]


def _cells(rows: list[list[Shown]], given: set[tuple[int, int]], left: int, top: int, cell: int) -> list[Rect | Text]:
    """Filled cells, with a thin gap between large ones, then different cells, then signs."""
    gap = 1 if cell >= 6 else 0
    filled: list[Rect | Text] = []
    marked: list[Rect | Text] = []
    signs: list[Rect | Text] = []
    for r, row in enumerate(rows):
        for c, shown in enumerate(row):
            x, y = left + c * cell, top + r * cell
            if shown.mark:
                marked += marked_cell(shown.mark, x + gap, y + gap, cell - gap)
            edge = cell // 5 if shown.mark == WRONG or (r, c) in given else 0  # a given cell keeps a border of its background
            if shown.mark == WRONG and not shown.look.written:
                marked.append(Rect(x + edge, y + edge, cell - 2 * edge, cell - 2 * edge, shown.look.fill or PAPER))
            elif shown.look.fill is not None and not shown.mark:
                rest = cell - max(gap, 2 * edge)
                filled.append(Rect(x + max(gap, edge), y + max(gap, edge), rest, rest, shown.look.fill))
            if shown.mark == OTHER or (shown.look.written and shown.mark in ("", WRONG)):
                ink = ink_on(shown.look.fill) if shown.look.fill and not shown.mark else INK
                signs.append(Text(x + cell / 2, y + cell / 2, shown.look.sign, cell * 0.62, ink))
    return filled + marked + signs


def marked_cell(sign: str, x: int, y: int, size: int) -> list[Rect]:
    """A different cell: an orange square, with a cross if it is filled only here; a blue frame with a bar if only there."""
    color = {THERE: ONLY_THERE, WRONG: CONTRADICTS}.get(sign, ONLY_HERE)
    arm, thick = size * 5 // 8, max(1, size // 6)
    long, short = (size - arm) // 2, (size - thick) // 2
    if sign in (OTHER, WRONG):
        return [Rect(x, y, size, size, color)]
    bar = Rect(x + long, y + short, size - 2 * long, size - 2 * short, INK if sign == HERE else color)
    if sign == HERE:
        return [Rect(x, y, size, size, color), bar, Rect(x + short, y + long, size - 2 * short, size - 2 * long, INK)]
    rim = max(1, size // 8)
    return [Rect(x, y, size, size, color), Rect(x + rim, y + rim, size - 2 * rim, size - 2 * rim, PAPER), bar]
