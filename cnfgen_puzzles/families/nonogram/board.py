"""A nonogram's board: whether it obeys the clues, and how it is shown as text, in a terminal, as SVG, PNG and JSON.

Not here: how a board comes out of a model (`encodings.py`) or a file (`formats/`). `check_board` reads the clues off
the board by itself, so that it can bear witness against an encoding.

Every view takes the puzzle, the board and, if there is one, another board of the same puzzle. Cells that differ are
then marked by a sign (`+` filled in this board alone, `-` in the other alone) and by colours that colour-blind people
can tell apart (orange and blue, from Okabe and Ito's palette).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from cnfgen_puzzles.families import contactsheet as sheets
from cnfgen_puzzles.families.drawing import Drawing, Rect, Text
from cnfgen_puzzles.families.nonogram.formats.clues import clue_text
from cnfgen_puzzles.families.nonogram.puzzle import MAX_SIDE, Board, Clue, Nonogram, clues_of

LEGEND = {"+": "filled in this board alone", "-": "filled in the other board alone"}

# -- rules ------------------------------------------------------------------------------------------------------------


def check_board(puzzle: Nonogram, board: Board) -> list[str]:
    """The rules that the board breaks, in words; empty for a solution."""
    widths = {len(row) for row in board}
    if len(board) != puzzle.height or widths - {puzzle.width}:
        found = f"{'/'.join(map(str, sorted(widths))) or 0} x {len(board)}"
        return [f"the board has {found} cells, the puzzle {puzzle.width} x {puzzle.height}"]
    drawn = clues_of(board)
    return [
        f"{kind} {number}: clue {clue_text(clue)}, board has {clue_text(found)}"
        for kind, clues, founds in (("row", puzzle.rows, drawn.rows), ("column", puzzle.columns, drawn.columns))
        for number, (clue, found) in enumerate(zip(clues, founds, strict=True), start=1)
        if clue != found
    ]


def signs(board: Board, other: Board | None = None) -> list[str]:
    """The board as rows of `#` and `.`, with `+` and `-` where the other board differs."""
    if other is None:
        return ["".join(".#"[cell] for cell in row) for row in board]
    return [
        "".join(".-+#"[2 * cell + other_cell] for cell, other_cell in zip(row, other_row, strict=True))
        for row, other_row in zip(board, other, strict=True)
    ]


# -- text -------------------------------------------------------------------------------------------------------------


def render_plain(puzzle: Nonogram, board: Board, other: Board | None = None) -> str:
    """One line a row, one character a cell, nothing else: for scripts."""
    return "".join(f"{row}\n" for row in signs(board, other))


def render_text(puzzle: Nonogram, board: Board, other: Board | None = None) -> str:
    """The board with its clues in the margins: for people."""
    rows = signs(board, other)
    margin, cell = _row_margin(puzzle), _cell_width(puzzle, 1) + 1
    lines = [" " * margin + "".join(number.rjust(cell) for number in heading) for heading in _column_headings(puzzle.columns)]
    for clue, row in zip(puzzle.rows, rows, strict=True):
        lines.append(clue_text(clue).rjust(margin) + "".join(sign.rjust(cell) for sign in row))
    lines += [f"{sign} {meaning}" for sign, meaning in LEGEND.items() if any(sign in row for row in rows)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _row_margin(puzzle: Nonogram) -> int:
    return max(len(clue_text(clue)) for clue in puzzle.rows)


def _cell_width(puzzle: Nonogram, least: int) -> int:
    """Characters that every cell takes so that its column's numbers fit above it."""
    return max([least, *(len(str(number)) for clue in puzzle.columns for number in clue)])


def _column_headings(columns: Sequence[Clue]) -> list[list[str]]:
    """The column clues as lines of text, one number a column (or an empty string), set at the bottom."""
    stacks = [clue_text(clue).split() for clue in columns]
    height = max(map(len, stacks))
    return [list(level) for level in zip(*([""] * (height - len(stack)) + stack for stack in stacks), strict=True)]


# -- terminal ---------------------------------------------------------------------------------------------------------

RESET, DIM = "\x1b[0m", "\x1b[2m"
ANSI = {
    "#": ("\x1b[38;5;231;48;5;234m", "\x1b[38;5;231;48;5;237m"),
    ".": ("\x1b[38;5;16;48;5;231m", "\x1b[38;5;16;48;5;254m"),
    "+": ("\x1b[1;38;5;16;48;5;214m",) * 2,
    "-": ("\x1b[1;38;5;231;48;5;25m",) * 2,
}
"""Sign -> colours of its cell; the two shades alternate in squares of 5 x 5 cells, which makes cells easy to count."""


def render_ansi(puzzle: Nonogram, board: Board, other: Board | None = None) -> str:
    """The board with its clues for a terminal of 256 colours; a cell is two characters wide, so it looks square."""
    rows = signs(board, other)
    margin, cell = _row_margin(puzzle), _cell_width(puzzle, 2)
    lines = []
    for heading in _column_headings(puzzle.columns):
        numbers = (f"{DIM * (c % 2)}{number.rjust(cell)}{RESET * (c % 2)}" for c, number in enumerate(heading))
        lines.append(" " * (margin + 1) + "".join(numbers))
    for r, (clue, row) in enumerate(zip(puzzle.rows, rows, strict=True)):
        shaded = ((sign, (r // 5 + c // 5) % 2) for c, sign in enumerate(row))
        cells = "".join(_ansi_cells(*look, cell * len(list(same))) for look, same in groupby(shaded))
        lines.append(f"{clue_text(clue).rjust(margin)} {cells}{RESET}")
    for sign, meaning in LEGEND.items():
        if any(sign in row for row in rows):
            lines.append(f"{_ansi_cells(sign, 0, cell)}{RESET} {meaning}")
    return "".join(f"{line}\n" for line in lines)


def _ansi_cells(sign: str, shade: int, width: int) -> str:
    return ANSI[sign][shade] + (sign if sign in LEGEND else " ") * width


# -- pictures ---------------------------------------------------------------------------------------------------------

PAPER, INK, NUMBERS = "#fdfcf9", "#23232b", "#3a3a44"
THIN, THICK = "#cfcbc3", "#8f8b84"
ONLY_HERE, ONLY_THERE = "#e69f00", "#0072b2"

SVG_CELL = 20
PNG_CELL, PNG_LEAST_CELL, PNG_SIDE = 32, 3, 2400
"""A cell of a PNG is 32 pixels wide, fewer where the board would be wider than 2400, and at least 3."""

LEAST_CELL_WITH_CLUES = 10
"""Numbers beside smaller cells cannot be read, so there they are left out."""


def render_svg(puzzle: Nonogram, board: Board, other: Board | None = None, *, clues: bool = True) -> str:
    """The board as SVG, with its clues in the margins."""
    return draw_board(puzzle, board, other, cell=SVG_CELL, clues=clues).svg()


def render_png(puzzle: Nonogram, board: Board, other: Board | None = None, *, clues: bool = True) -> bytes:
    """The board as PNG; the clues are left out of boards so large that they could not be read."""
    cell = max(PNG_LEAST_CELL, min(PNG_CELL, PNG_SIDE // max(puzzle.width, puzzle.height)))
    return draw_board(puzzle, board, other, cell=cell, clues=clues and cell >= LEAST_CELL_WITH_CLUES).png()


SHEET_CELL = 20


def sheet_svg(puzzle: Nonogram, found: Sequence[Board]) -> str:
    """Many boards on one page."""
    return draw_sheet(puzzle, found).svg()


def sheet_png(puzzle: Nonogram, found: Sequence[Board]) -> bytes:
    """Many boards on one page."""
    return draw_sheet(puzzle, found).png()


def draw_sheet(puzzle: Nonogram, found: Sequence[Board]) -> Drawing:
    """Boards without clues, smaller the more there are."""
    cell = sheets.cell_size(len(found), puzzle.width + 1, puzzle.height + 1, most=SHEET_CELL)
    tiles = [draw_board(puzzle, board, None, cell=cell, clues=False) for board in found]
    return sheets.page(tiles, PAPER, puzzle.about.get("title", ""))


def draw_board(puzzle: Nonogram, board: Board, other: Board | None, *, cell: int, clues: bool) -> Drawing:
    """The picture, with cells of this size."""
    rows = signs(board, other)
    legend = [sign for sign in LEGEND if any(sign in row for row in rows)]
    slot = _slot(puzzle, cell)
    edge = max(2, cell // 2)
    left = edge + (slot * max(1, *map(len, puzzle.rows)) if clues else 0)
    top = edge + (_step(cell) * max(1, *map(len, puzzle.columns)) if clues else 0)
    width, height = puzzle.width * cell, puzzle.height * cell
    below = cell * len(legend) + edge if legend else 0
    least = left + 11 * cell if legend else 0
    drawing = Drawing(max(left + width + edge, least), top + height + edge + below, PAPER)
    drawing.title = puzzle.about.get("title", "")
    if clues:
        drawing.add(_row_numbers(puzzle, left, top, cell, slot))
        drawing.add(_column_numbers(puzzle, left, top, cell))
    drawing.add(_grid(left, top, puzzle.width, puzzle.height, cell, 1, THIN))
    drawing.add(_cells(rows, left, top, cell))
    drawing.add(_grid(left, top, puzzle.width, puzzle.height, cell, 5, THICK))
    drawing.add(_frame(left, top, width, height, max(1, cell // 10)))
    for number, sign in enumerate(legend):
        y = top + height + edge + number * cell
        drawing.add(_marked_cell(sign, left, y + 1, cell - 2))
        drawing.shapes.append(Text(left + cell * 1.4, y + cell / 2, LEGEND[sign], cell * 0.6, NUMBERS, "start"))
    return drawing


def _slot(puzzle: Nonogram, cell: int) -> int:
    """The width of a number in a row's margin."""
    digits = max((len(str(number)) for clue in puzzle.rows for number in clue), default=1)
    return round(cell * (0.36 + 0.31 * digits))


def _step(cell: int) -> int:
    """The height of a number in a column's margin."""
    return round(cell * 0.78)


def _row_numbers(puzzle: Nonogram, left: int, top: int, cell: int, slot: int) -> list[Text]:
    return [
        Text(left - slot * (place + 0.5), top + cell * (r + 0.5), str(number), cell * 0.56, NUMBERS)
        for r, clue in enumerate(puzzle.rows)
        for place, number in enumerate(reversed(clue or (0,)))
    ]


def _column_numbers(puzzle: Nonogram, left: int, top: int, cell: int) -> list[Text]:
    return [
        Text(left + cell * (c + 0.5), top - _step(cell) * (place + 0.5), str(number), cell * 0.56, NUMBERS)
        for c, clue in enumerate(puzzle.columns)
        for place, number in enumerate(reversed(clue or (0,)))
    ]


def _grid(left: int, top: int, columns: int, rows: int, cell: int, every: int, fill: str) -> list[Rect]:
    """The lines inside the frame that follow every so many cells."""
    thickness = 1 if every == 1 else max(1, cell // 10)
    first = thickness // 2
    down = [Rect(left + c * cell - first, top, thickness, rows * cell, fill) for c in range(every, columns, every)]
    across = [Rect(left, top + r * cell - first, columns * cell, thickness, fill) for r in range(every, rows, every)]
    return down + across


def _frame(left: int, top: int, width: int, height: int, thickness: int) -> list[Rect]:
    whole, tall = width + 2 * thickness, height + 2 * thickness
    return [
        Rect(left - thickness, top - thickness, whole, thickness, INK),
        Rect(left - thickness, top + height, whole, thickness, INK),
        Rect(left - thickness, top - thickness, thickness, tall, INK),
        Rect(left + width, top - thickness, thickness, tall, INK),
    ]


def _cells(rows: Sequence[str], left: int, top: int, cell: int) -> list[Rect]:
    """Filled cells, a hairline apart where they are large enough, and then those that differ."""
    gap = 1 if cell >= 6 else 0
    filled, marked = [], []
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            x, y = left + c * cell, top + r * cell
            if sign == "#":
                filled.append(Rect(x + gap, y + gap, cell - gap, cell - gap, INK))
            elif sign in LEGEND:
                marked += _marked_cell(sign, x + gap, y + gap, cell - gap)
    return filled + marked


def _marked_cell(sign: str, x: int, y: int, size: int) -> list[Rect]:
    """A cell that differs: an orange square with a cross, or a blue frame with a bar."""
    color = ONLY_HERE if sign == "+" else ONLY_THERE
    arm, thick = size * 5 // 8, max(1, size // 6)
    long, short = (size - arm) // 2, (size - thick) // 2
    bar = Rect(x + long, y + short, size - 2 * long, size - 2 * short, INK if sign == "+" else color)
    if sign == "+":
        return [Rect(x, y, size, size, color), bar, Rect(x + short, y + long, size - 2 * short, size - 2 * long, INK)]
    rim = max(1, size // 8)
    return [Rect(x, y, size, size, color), Rect(x + rim, y + rim, size - 2 * rim, size - 2 * rim, PAPER), bar]


# -- JSON -------------------------------------------------------------------------------------------------------------


def to_json(board: Board) -> dict[str, Any]:
    """The board as JSON: its size, and its rows in `#` and `.`."""
    return {"width": len(board[0]), "height": len(board), "rows": signs(board)}


def from_json(entry: Mapping[str, Any]) -> Board:
    """The board that `to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
    width, height, rows = entry["width"], entry["height"], entry["rows"]
    if not (isinstance(rows, list) and all(isinstance(row, str) for row in rows)):
        raise TypeError("found rows of another type, expected a list of strings of # and .")
    if not 1 <= len(rows) <= MAX_SIDE or len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError(f"found {len(rows)} rows, expected {height} of {width} cells each")
    if set().union(*rows) - {"#", "."}:
        raise ValueError("found other characters than # and . in the rows")
    return tuple(tuple(cell == "#" for cell in row) for row in rows)
