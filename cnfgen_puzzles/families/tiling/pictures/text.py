"""Tiled boards as text: letters for people and for scripts, coloured cells for a terminal, outlines drawn with characters.

The characters lie where `lattice.py` says, so that a board reads like the drawing of its puzzle; layers stand side by
side. `.` is no cell of the board, `_` one that stays empty. A piece that lies elsewhere in a second board is marked by `*` behind
its letters. Where labels of cells are shown, places are as wide as the longest needs, and a covered cell has its label behind
its letter: `F:Mar`. The view `lines` draws outlines with characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import RESET, TextCanvas
from cnfgen_puzzles.families.looks import ansi_colour
from cnfgen_puzzles.families.tiling.lattice import BLANK, HEXAGONAL, TRIANGULAR, Cell, Place, place_of
from cnfgen_puzzles.families.tiling.pictures.flat import Corner, Edge, Sides, holes
from cnfgen_puzzles.families.tiling.pictures.palette import (
    ELSEWHERE,
    STAYS_EMPTY,
    UNCOVERED,
    colours,
    elsewhere,
    legend,
    letters,
    owners,
    shown_labels,
)
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

EMPTY, MARK = "_", "*"

Signs = dict[Place, str]
"""What stands at each place of a layer."""


def render_plain(puzzle: Tiling, board: Board, other: Board | None = None, *, letters: bool = True) -> str:
    """One line a row and nothing else, layers one below the other: for scripts."""
    return "\n".join(_text_rows(puzzle, signs, 1) for _, signs in layers(puzzle, _letters(puzzle, board, other, {})))


def draw_text(puzzle: Tiling, board: Board, other: Board | None, labels: str = UNCOVERED) -> str:
    """A sign a cell, layers side by side."""
    words = shown_labels(puzzle, board, labels)
    signs = _letters(puzzle, board, other, words)
    wide = 1 + max(map(len, signs.values())) if words else 1
    return joined((heading, _text_rows(puzzle, layer, wide)) for heading, layer in layers(puzzle, signs))


def _letters(puzzle: Tiling, board: Board, other: Board | None, words: Mapping[Cell, str]) -> dict[Cell, str]:
    """A sign for each cell, a letter or a label; with another board a mark behind it."""
    names, moved = letters(puzzle, board), elsewhere(board, other)
    signs = {cell: words.get(cell, EMPTY) for cell in puzzle.cells}
    for cell, number in owners(board).items():
        signs[cell] = names[number] + MARK * (number in moved) + (f":{words[cell]}" if cell in words else "")
    return signs


def _text_rows(puzzle: Tiling, signs: Signs, wide: int) -> str:
    """The characters of a layer, at least so many a place; two where a mark needs room, and hexagons have it already."""
    if puzzle.lattice is HEXAGONAL:
        wide += wide % 2
    elif max(map(len, signs.values())) > 1:
        wide = max(2, wide)
    return _rows(puzzle, {place: sign.ljust(wide) for place, sign in signs.items()}, wide, BLANK)


def _rows(puzzle: Tiling, signs: Signs, wide: int, blank: str) -> str:
    """The rows of a layer, whose signs take `wide` columns; a hexagon lies over two places, its neighbours are half as far."""
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
    """What is drawn as a whole, from the bottom up: its heading, and the signs by their places from (0, 0)."""
    places = {place_of(puzzle.lattice, cell): sign for cell, sign in signs.items()}
    top, left = (min(axis) for axis in list(zip(*places, strict=True))[-2:])
    left -= puzzle.lattice.dimension == 2 and puzzle.lattice.name != "square" and (top + left) % 2
    for z in sorted({place[:-2] for place in places}):
        heading = f"layer {z[0] + 1}" if z else ""
        yield heading, {(p[-2] - top, p[-1] - left): sign for p, sign in places.items() if p[:-2] == z}


def joined(blocks: Iterator[tuple[str, str]]) -> str:
    """Layers side by side under their headings."""
    captions, drawn = zip(*blocks, strict=True)
    return sheets.side_by_side(drawn, captions) if any(captions) else drawn[0]


def notes(puzzle: Tiling, board: Board, other: Board | None, empty: str = EMPTY, labels: str = UNCOVERED) -> str:
    """What the signs mean, as far as they occur and need it."""
    found = [f"{letter} {name}" for letter, name in legend(puzzle).items()] if len(puzzle.pieces) > 1 else []
    lines = [", ".join(found)] if found else []
    told = owners(board).keys() | shown_labels(puzzle, board, labels).keys()
    lines += [f"{empty} {STAYS_EMPTY}"] if len(told) < len(puzzle.board) else []
    lines += [f"{MARK} {ELSEWHERE}"] if elsewhere(board, other) else []
    return "".join(f"{line}\n" for line in lines)


# -- terminal -----------------------------------------------------------------------------------------------------------

BOLD = "\x1b[1m"


def draw_ansi(puzzle: Tiling, board: Board, other: Board | None, labels: str = UNCOVERED) -> str:
    """Coloured cells with letters for a terminal of 256 colours; a cell is two characters wide, so it looks square, or as wide
    as the labels need."""
    owner, looks, moved = owners(board), colours(puzzle, board), elsewhere(board, other)
    words = shown_labels(puzzle, board, labels)
    signs = _letters(puzzle, board, other, words)
    wide = 1 + max(map(len, signs.values())) if words else 2
    wide += wide % 2  # half of it leads to a hexagon
    cells = {}
    for cell in puzzle.cells:
        number = owner.get(cell)
        if number is None:
            ink = 16 if cell in words else 244
            cells[cell] = f"\x1b[38;5;{ink};48;5;255m{signs[cell].ljust(wide)}{RESET}"
            continue
        bold = BOLD if number in moved else ""
        cells[cell] = f"{bold}{ansi_colour(looks[number])}{signs[cell].ljust(wide)}{RESET}"
    return joined((heading, _rows(puzzle, layer, wide, " ")) for heading, layer in layers(puzzle, cells))


# -- outlines -----------------------------------------------------------------------------------------------------------


EMPTY_DOT, SHADE = "·", "░"
BOXES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the arms that meet at a corner: 1 up, 2 right, 4 down, 8 left."""

HEXAGON, TRIANGLE = 3, 2
"""So many characters there is room for in a cell: of longer labels only the first are seen."""


def draw_lines(puzzle: Tiling, board: Board, other: Board | None, labels: str = UNCOVERED) -> str:
    """The drawing alone, layers side by side: box drawing for squares and layers, strokes for hexagons and triangles.

        ┌───────────┐      / \\ / \\        ______
        │ A         │     | A     |      /   /\\B\\
        │   ┌───────┤      \\ / \\ / \\    /A  /  \\ \\
        │   │ B     │       | B |   |   \\  /   /  \\
        └───┴───────┘        \\ / \\ /     \\/___/____\\

    Each part of a piece has its letter once. Where a second board has the piece elsewhere, every cell has a `*`. A cell that
    stays empty has its label or a `·`, a hole inside the board is shaded.
    """
    owner, moved = owners(board), elsewhere(board, other)
    names = letters(puzzle, board)
    sides = Sides(puzzle).of
    named = set(_named(puzzle, sides, owner))
    words = shown_labels(puzzle, board, labels)
    signs = {}
    for cell in puzzle.cells:
        number = owner.get(cell)
        if number is None:
            signs[cell] = words.get(cell, EMPTY_DOT)
        else:
            signs[cell] = (names[number] if cell in named else "") + (MARK if number in moved else "")
            signs[cell] += (":" if signs[cell] else "") + words[cell] if cell in words else ""
    inside = holes(puzzle)
    blocks = []
    for z in sorted({cell[:-2] for cell in puzzle.cells}):
        cells = [cell for cell in puzzle.cells if cell[:-2] == z]
        drawn = [edge[:2] for cell in cells for edge in sides[cell] if _parts(owner, cell, edge, puzzle)]
        layer = {cell: signs[cell] for cell in cells} | {cell: SHADE for cell in inside if cell[:-2] == z}
        blocks.append((f"layer {z[0] + 1}" if z else "", _canvas(puzzle, layer, drawn).text()))
    return joined(iter(blocks))


def _parts(owner: dict[Cell, int], cell: Cell, edge: Edge, puzzle: Tiling) -> bool:
    """Whether a line stands on the edge: between pieces, around cells that stay empty, and where the board ends."""
    return edge.beyond not in puzzle.board or owner.get(cell) is None or owner.get(edge.beyond) != owner[cell]


def _named(puzzle: Tiling, sides: dict[Cell, tuple[Edge, ...]], owner: dict[Cell, int]) -> Iterator[Cell]:
    """The first cell of each part of a piece that is drawn in one."""
    seen: set[Cell] = set()
    for first in puzzle.cells:
        if first in seen or first not in owner:
            continue
        yield first
        frontier = {first}
        while frontier:
            seen |= frontier
            reached = {edge.beyond for cell in frontier for edge in sides[cell] if not edge.seam}
            frontier = {cell for cell in reached if owner.get(cell) == owner[first]} - seen


# -- canvases -----------------------------------------------------------------------------------------------------------


def _canvas(puzzle: Tiling, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> TextCanvas:
    draw = {HEXAGONAL: _hexagons, TRIANGULAR: _triangles}.get(puzzle.lattice, _squares)
    canvas = TextCanvas()
    draw(puzzle, canvas, signs, edges)
    return canvas


def _squares(puzzle: Tiling, canvas: TextCanvas, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> None:
    """A cell is four characters wide, or as wide as the longest sign needs, and two lines high."""
    wide = max(4, *(len(sign) + 2 for sign in signs.values()))
    arms: dict[Corner, int] = {}
    for (x1, y1), (x2, y2) in edges:
        x, y = min(x1, x2), min(y1, y2)
        level = y1 == y2
        arms[x, y] = arms.get((x, y), 0) | (2 if level else 4)
        end = (x + level, y + (not level))
        arms[end] = arms.get(end, 0) | (8 if level else 1)
        if level:
            canvas.put(2 * y, wide * x + 1, "─" * (wide - 1))
        else:
            canvas.put(2 * y + 1, wide * x, "│")
    for (x, y), found in arms.items():
        canvas.put(2 * y, wide * x, BOXES[found])
    for cell, sign in signs.items():
        r, c = place_of(puzzle.lattice, cell)[-2:]
        canvas.put(2 * r + 1, wide * c + 1, SHADE * (wide - 1) if sign == SHADE else f" {sign}"[: wide - 1])


def _hexagons(puzzle: Tiling, canvas: TextCanvas, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> None:
    """A cell is four characters wide, with a line of slants above and below; corners are two columns apart."""
    for a, b in edges:
        (x1, y1), (x2, y2) = sorted((a, b))
        row = min(y1, y2) // 3
        if x1 == x2:
            canvas.put(2 * row + 1, 2 * x1, "|")
        else:
            canvas.put(2 * row, 2 * x1 + 1, "/" if y1 > y2 else "\\")
    for cell, sign in signs.items():
        r, c = place_of(puzzle.lattice, cell)
        shown = sign[:HEXAGON] if len(sign) >= HEXAGON else f" {sign}"
        canvas.put(2 * r + 1, 2 * c + 1, SHADE * HEXAGON if sign == SHADE else shown)


def _triangles(puzzle: Tiling, canvas: TextCanvas, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> None:
    """A side is four characters wide or two lines high; a level line stands in the line above it."""
    level: set[tuple[int, int]] = set()
    for a, b in edges:
        (x1, y1), (_, y2) = sorted((a, b))
        if y1 == y2:
            level.add((2 * y1 - 1, 2 * x1))
        elif y1 > y2:
            canvas.put(2 * y2 + 1, 2 * x1, "/")
            canvas.put(2 * y2, 2 * x1 + 1, "/")
        else:
            canvas.put(2 * y1, 2 * x1, "\\")
            canvas.put(2 * y1 + 1, 2 * x1 + 1, "\\")
    for line, column in level:
        for n in range(4):
            if (line, column + n) not in canvas.signs:
                canvas.put(line, column + n, "_")
    for cell, sign in signs.items():
        r, c = place_of(puzzle.lattice, cell)
        canvas.put(2 * r + (r + c + 1) % 2, 2 * c + 1, SHADE * TRIANGLE if sign == SHADE else sign[:TRIANGLE])
