"""Tiled boards as text: letters for people and for scripts, colored cells for a terminal, outlines drawn with characters.

The characters have the places of `lattice.py`, so a board looks like the drawing of its puzzle; layers stand next to each other.
`.` is not a cell of the board, and `_` is a cell that stays empty. A `*` after its letters marks a piece that a second board has
in a different place. If labels are shown, places are as wide as the longest label, and a covered cell has its label after its
letter: `F:Mar`. The view `lines` draws outlines with characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import RESET, TextCanvas
from cnfgen_puzzles.families.lattice import BLANK, HEXAGONAL, TRIANGULAR, Cell, Place, place_of
from cnfgen_puzzles.families.looks import ansi_color
from cnfgen_puzzles.families.tiling.pictures.flat import Corner, edges_of, holes
from cnfgen_puzzles.families.tiling.pictures.palette import ELSEWHERE, NONE, STAYS_EMPTY, BoardLook, piece_letters
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

EMPTY, MARK = "_", "*"

Signs = dict[Place, str]
"""The text at each place of a layer."""


def render_plain(puzzle: Tiling, board: Board, other: Board | None = None, *, letters: bool = True) -> str:
    """One line for each row, with layers below each other: for scripts."""
    signs = _signs(BoardLook(puzzle, board, other, NONE))
    return "\n".join(_text_rows(puzzle, layer, 1) for _, layer in layers(puzzle, signs))


def draw_text(look: BoardLook) -> str:
    """A sign for each cell, with layers next to each other."""
    signs = _signs(look)
    wide = 1 + max(map(len, signs.values())) if look.labels else 1
    return join_layers((heading, _text_rows(look.puzzle, layer, wide)) for heading, layer in layers(look.puzzle, signs))


def _signs(look: BoardLook) -> dict[Cell, str]:
    """A sign for each cell, a letter or a label; with a mark after it if another board differs."""
    signs = {cell: look.labels.get(cell, EMPTY) for cell in look.puzzle.cells}
    for cell, number in look.owner.items():
        label = f":{look.labels[cell]}" if cell in look.labels else ""
        signs[cell] = look.letters[number] + MARK * (number in look.elsewhere) + label
    return signs


def _text_rows(puzzle: Tiling, signs: Signs, wide: int) -> str:
    """The number of characters for each place of a layer; at least two if a mark needs space (hexagons have space)."""
    if puzzle.lattice is HEXAGONAL:
        wide += wide % 2
    elif max(map(len, signs.values())) > 1:
        wide = max(2, wide)
    return _rows(puzzle, {place: sign.ljust(wide) for place, sign in signs.items()}, wide, BLANK)


def _rows(puzzle: Tiling, signs: Signs, wide: int, blank: str) -> str:
    """The rows of a layer with signs of `wide` columns; a hexagon takes two places, so the distance of neighbors is half as
    large."""
    height, width = (max(axis) + 1 for axis in zip(*signs, strict=True))
    hexagons = puzzle.lattice is HEXAGONAL
    lines = []
    for r in range(height):
        line, column, begun = "", 0, False
        while column < width:
            sign = signs.get((r, column))
            begun = begun or sign is not None
            gap = " " if hexagons and begun and (r + column) % 2 else blank
            line += sign or gap.ljust(wide // 2 if hexagons else wide)
            column += 2 if sign and hexagons else 1
        lines.append((line.rstrip(blank + " ") if hexagons else line.rstrip()) + "\n")
    return "".join(lines)


def layers(puzzle: Tiling, signs: Mapping[Cell, str]) -> Iterator[tuple[str, Signs]]:
    """The layers, from the bottom up: their headings, and the signs by their places from (0, 0)."""
    places = {place_of(puzzle.lattice, cell): sign for cell, sign in signs.items()}
    top, left = (min(axis) for axis in list(zip(*places, strict=True))[-2:])
    left -= puzzle.lattice.dimension == 2 and puzzle.lattice.name != "square" and (top + left) % 2
    for z in sorted({place[:-2] for place in places}):
        heading = f"layer {z[0] + 1}" if z else ""
        yield heading, {(p[-2] - top, p[-1] - left): sign for p, sign in places.items() if p[:-2] == z}


def join_layers(blocks: Iterable[tuple[str, str]]) -> str:
    """Layers next to each other under their headings."""
    captions, drawn = zip(*blocks, strict=True)
    return sheets.side_by_side(drawn, captions) if any(captions) else drawn[0]


def notes(look: BoardLook, empty: str = EMPTY) -> str:
    """The legend of the signs that occur."""
    pieces = look.puzzle.pieces
    signs = zip(piece_letters(look.puzzle), pieces, strict=True) if len(pieces) > 1 else ()
    named = [f"{letter} {piece.name}" for letter, piece in signs if letter != piece.name]
    lines = [", ".join(named)] if named else []
    lines += [f"{empty} {STAYS_EMPTY}"] if len(look.owner.keys() | look.labels.keys()) < len(look.puzzle.board) else []
    lines += [f"{MARK} {ELSEWHERE}"] if look.elsewhere else []
    return "".join(f"{line}\n" for line in lines)


# -- terminal -----------------------------------------------------------------------------------------------------------

BOLD = "\x1b[1m"


def draw_ansi(look: BoardLook) -> str:
    """Colored cells with letters for a terminal with 256 colors; a cell is two characters wide and looks square, or as wide as
    the labels."""
    signs = _signs(look)
    wide = 1 + max(map(len, signs.values())) if look.labels else 2
    wide += wide % 2  # half of it precedes a hexagon
    for cell, sign in signs.items():
        number = look.owner.get(cell)
        if number is None:
            colors = f"\x1b[38;5;{16 if cell in look.labels else 244};48;5;255m"
        else:
            colors = (BOLD if number in look.elsewhere else "") + ansi_color(look.colors[number])
        signs[cell] = f"{colors}{sign.ljust(wide)}{RESET}"
    return join_layers((heading, _rows(look.puzzle, layer, wide, " ")) for heading, layer in layers(look.puzzle, signs))


# -- outlines -----------------------------------------------------------------------------------------------------------


EMPTY_DOT, SHADE = "·", "░"
BOXES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The characters by the arms that meet at a corner: 1 up, 2 right, 4 down, 8 left."""

HEXAGON, TRIANGLE = 3, 2
"""The number of characters that fit in a cell; longer labels are cut."""


def draw_lines(look: BoardLook) -> str:
    """The drawing without a legend, layers next to each other: box drawing for squares and layers, strokes for others.

        ┌───────────┐      / \\ / \\        ______
        │ A         │     | A     |      /   /\\B\\
        │   ┌───────┤      \\ / \\ / \\    /A  /  \\ \\
        │   │ B     │       | B |   |   \\  /   /  \\
        └───┴───────┘        \\ / \\ /     \\/___/____\\

    Each part of a piece has its letter once. If a second board has the piece in a different place, every cell has a `*`. A cell
    that stays empty has its label or a `·`, and a hole inside the board is shaded.
    """
    puzzle, labels, owner = look.puzzle, look.labels, look.owner
    edges = edges_of(puzzle)
    named = {  # the first cell of each part of a piece in a layer
        min(part)
        for laid in look.board
        for _, layer in groupby(laid.cells, key=lambda cell: cell[:-2])
        for part in puzzle.lattice.parts(layer)
    }
    signs = {}
    for cell in puzzle.cells:
        number = owner.get(cell)
        if number is None:
            signs[cell] = labels.get(cell, EMPTY_DOT)
        else:
            signs[cell] = (look.letters[number] if cell in named else "") + (MARK if number in look.elsewhere else "")
            signs[cell] += (":" if signs[cell] else "") + labels[cell] if cell in labels else ""
    signs |= dict.fromkeys(holes(puzzle), SHADE)
    paint = {HEXAGONAL: _hexagons, TRIANGULAR: _triangles}.get(puzzle.lattice, _squares)
    blocks = []
    for z in sorted({cell[:-2] for cell in puzzle.cells}):
        cells = [cell for cell in puzzle.cells if cell[:-2] == z]
        lines = [  # between pieces, around empty cells, and at the border
            edge[:2]
            for cell in cells
            for edge in edges[cell]
            if not {cell, edge.beyond} <= owner.keys() or edge.beyond not in puzzle.board or owner[edge.beyond] != owner[cell]
        ]
        canvas = TextCanvas()
        layer = {place_of(puzzle.lattice, cell)[-2:]: sign for cell, sign in signs.items() if cell[:-2] == z}
        paint(canvas.put, layer, lines)
        blocks.append((f"layer {z[0] + 1}" if z else "", canvas.text()))
    return join_layers(blocks)


# -- canvases -----------------------------------------------------------------------------------------------------------

Put = Callable[[int, int, str], None]
"""Writes a text at this line and column."""
Lines = list[tuple[Corner, Corner]]


def _squares(put: Put, signs: Signs, edges: Lines) -> None:
    """Squares: a cell is four characters wide, or as wide as the longest sign, and two lines high."""
    wide = max(4, *(len(sign) + 2 for sign in signs.values()))
    arms: dict[Corner, int] = {}
    for (x1, y1), (x2, y2) in edges:
        x, y = min(x1, x2), min(y1, y2)
        level = y1 == y2
        arms[x, y] = arms.get((x, y), 0) | (2 if level else 4)
        end = (x + level, y + (not level))
        arms[end] = arms.get(end, 0) | (8 if level else 1)
        if level:
            put(2 * y, wide * x + 1, "─" * (wide - 1))
        else:
            put(2 * y + 1, wide * x, "│")
    for (x, y), found in arms.items():
        put(2 * y, wide * x, BOXES[found])
    for (r, c), sign in signs.items():
        put(2 * r + 1, wide * c + 1, SHADE * (wide - 1) if sign == SHADE else f" {sign}"[: wide - 1])


def _hexagons(put: Put, signs: Signs, edges: Lines) -> None:
    """Hexagons: a cell is four characters wide, with a line of slants above and below; corners are two columns apart."""
    for a, b in edges:
        (x1, y1), (x2, y2) = sorted((a, b))
        row = min(y1, y2) // 3
        if x1 == x2:
            put(2 * row + 1, 2 * x1, "|")
        else:
            put(2 * row, 2 * x1 + 1, "/" if y1 > y2 else "\\")
    for (r, c), sign in signs.items():
        shown = sign[:HEXAGON] if len(sign) >= HEXAGON else f" {sign}"
        put(2 * r + 1, 2 * c + 1, SHADE * HEXAGON if sign == SHADE else shown)


def _triangles(put: Put, signs: Signs, edges: Lines) -> None:
    """Triangles: a side is four characters wide or two lines high; a horizontal line is in the line above it."""
    level = []
    strokes = []
    for a, b in edges:
        (x1, y1), (_, y2) = sorted((a, b))
        if y1 == y2:
            level.append((2 * y1 - 1, 2 * x1))
        elif y1 > y2:
            strokes += [(2 * y2 + 1, 2 * x1, "/"), (2 * y2, 2 * x1 + 1, "/")]
        else:
            strokes += [(2 * y1, 2 * x1, "\\"), (2 * y1 + 1, 2 * x1 + 1, "\\")]
    for line, column in level:
        put(line, column, "____")
    for stroke in strokes:  # above the horizontal lines
        put(*stroke)
    for (r, c), sign in signs.items():
        put(2 * r + (r + c + 1) % 2, 2 * c + 1, SHADE * TRIANGLE if sign == SHADE else sign[:TRIANGLE])
