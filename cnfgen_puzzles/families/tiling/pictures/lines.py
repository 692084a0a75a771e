"""Tiled boards as outlines drawn with characters: box drawing for squares and layers, strokes for hexagons and triangles.

    ┌───────────┐      / \\ / \\        ______
    │ A         │     | A     |      /   /\\B\\
    │   ┌───────┤      \\ / \\ / \\    /A  /  \\ \\
    │   │ B     │       | B |   |   \\  /   /  \\
    └───┴───────┘        \\ / \\ /     \\/___/____\\

Each part of a piece has its letter once. Where a second board has the piece elsewhere, every cell has a `*`. A cell that stays
empty has its label or a `·`, a hole inside the board is shaded. Not here: a letter a cell (`text.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cnfgen_puzzles.families import contactsheet as sheets
from cnfgen_puzzles.families.tiling.model.board import Board
from cnfgen_puzzles.families.tiling.model.celldrawing import place_of
from cnfgen_puzzles.families.tiling.model.lattice import HEXAGONAL, TRIANGULAR, Cell
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.pictures.labels import UNCOVERED, shown_labels
from cnfgen_puzzles.families.tiling.pictures.outlines import Corner, Edge, Sides, holes
from cnfgen_puzzles.families.tiling.pictures.palette import elsewhere, letters, owners
from cnfgen_puzzles.families.tiling.pictures.text import MARK, joined, notes

EMPTY, SHADE = "·", "░"
BOXES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the arms that meet at a corner: 1 up, 2 right, 4 down, 8 left."""

HEXAGON, TRIANGLE = 3, 2
"""So many characters there is room for in a cell: of longer labels only the first are seen."""

Canvas = dict[tuple[int, int], str]
"""Characters by (line, column)."""


def render_lines(
    puzzle: Tiling, board: Board, other: Board | None = None, *, labels: str = UNCOVERED, letters: bool = True
) -> str:
    """The outlines of the pieces, and what the signs mean. Without `letters` it is the same: they say which piece is which."""
    return draw_lines(puzzle, board, other, labels) + notes(puzzle, board, other, EMPTY, labels)


def sheet_lines(puzzle: Tiling, boards: Sequence[Board], *, labels: str = UNCOVERED, letters: bool = True) -> str:
    """Many boards side by side."""
    drawn = [draw_lines(puzzle, board, None, labels) for board in boards]
    return sheets.side_by_side(drawn) + notes(puzzle, boards[0], None, EMPTY, labels)


def draw_lines(puzzle: Tiling, board: Board, other: Board | None, labels: str = UNCOVERED) -> str:
    """The drawing alone, layers side by side."""
    owner, moved = owners(board), elsewhere(board, other)
    names = letters(puzzle, board)
    sides = Sides(puzzle).of
    named = set(_named(puzzle, sides, owner))
    words = shown_labels(puzzle, board, labels)
    signs = {}
    for cell in puzzle.cells:
        number = owner.get(cell)
        if number is None:
            signs[cell] = words.get(cell, EMPTY)
        else:
            signs[cell] = (names[number] if cell in named else "") + (MARK if number in moved else "")
            signs[cell] += (":" if signs[cell] else "") + words[cell] if cell in words else ""
    inside = holes(puzzle)
    blocks = []
    for z in sorted({cell[:-2] for cell in puzzle.cells}):
        cells = [cell for cell in puzzle.cells if cell[:-2] == z]
        drawn = [edge[:2] for cell in cells for edge in sides[cell] if _parts(owner, cell, edge, puzzle)]
        layer = {cell: signs[cell] for cell in cells} | {cell: SHADE for cell in inside if cell[:-2] == z}
        blocks.append((f"layer {z[0] + 1}" if z else "", _text(_canvas(puzzle, layer, drawn))))
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


def _canvas(puzzle: Tiling, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> Canvas:
    if puzzle.lattice is HEXAGONAL:
        return _hexagons(puzzle, signs, edges)
    if puzzle.lattice is TRIANGULAR:
        return _triangles(puzzle, signs, edges)
    return _squares(puzzle, signs, edges)


def _squares(puzzle: Tiling, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> Canvas:
    """A cell is four characters wide, or as wide as the longest sign needs, and two lines high."""
    wide = max(4, *(len(sign) + 2 for sign in signs.values()))
    canvas: Canvas = {}
    arms: dict[Corner, int] = {}
    for (x1, y1), (x2, y2) in edges:
        x, y = min(x1, x2), min(y1, y2)
        level = y1 == y2
        arms[x, y] = arms.get((x, y), 0) | (2 if level else 4)
        end = (x + level, y + (not level))
        arms[end] = arms.get(end, 0) | (8 if level else 1)
        if level:
            canvas |= {(2 * y, wide * x + n): "─" for n in range(1, wide)}
        else:
            canvas[2 * y + 1, wide * x] = "│"
    canvas |= {(2 * y, wide * x): BOXES[found] for (x, y), found in arms.items()}
    for cell, sign in signs.items():
        r, c = place_of(puzzle.lattice, cell)[-2:]
        _write(canvas, 2 * r + 1, wide * c + 1, SHADE * (wide - 1) if sign == SHADE else f" {sign}"[: wide - 1])
    return canvas


def _hexagons(puzzle: Tiling, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> Canvas:
    """A cell is four characters wide, with a line of slants above and below; corners are two columns apart."""
    canvas: Canvas = {}
    for a, b in edges:
        (x1, y1), (x2, y2) = sorted((a, b))
        row = min(y1, y2) // 3
        if x1 == x2:
            canvas[2 * row + 1, 2 * x1] = "|"
        else:
            canvas[2 * row, 2 * x1 + 1] = "/" if y1 > y2 else "\\"
    for cell, sign in signs.items():
        r, c = place_of(puzzle.lattice, cell)
        shown = sign[:HEXAGON] if len(sign) >= HEXAGON else f" {sign}"
        _write(canvas, 2 * r + 1, 2 * c + 1, SHADE * HEXAGON if sign == SHADE else shown)
    return canvas


def _triangles(puzzle: Tiling, signs: dict[Cell, str], edges: list[tuple[Corner, Corner]]) -> Canvas:
    """A side is four characters wide or two lines high; a level line stands in the line above it."""
    canvas: Canvas = {}
    level: set[tuple[int, int]] = set()
    for a, b in edges:
        (x1, y1), (_, y2) = sorted((a, b))
        if y1 == y2:
            level.add((2 * y1 - 1, 2 * x1))
        elif y1 > y2:
            canvas |= {(2 * y2 + 1, 2 * x1): "/", (2 * y2, 2 * x1 + 1): "/"}
        else:
            canvas |= {(2 * y1, 2 * x1): "\\", (2 * y1 + 1, 2 * x1 + 1): "\\"}
    for line, column in level:
        for n in range(4):
            canvas.setdefault((line, column + n), "_")
    for cell, sign in signs.items():
        r, c = place_of(puzzle.lattice, cell)
        _write(canvas, 2 * r + (r + c + 1) % 2, 2 * c + 1, SHADE * TRIANGLE if sign == SHADE else sign[:TRIANGLE])
    return canvas


def _write(canvas: Canvas, line: int, column: int, text: str) -> None:
    for n, sign in enumerate(text):
        if sign != " ":
            canvas[line, column + n] = sign


def _text(canvas: Canvas) -> str:
    """The characters from the first line and column that have any."""
    top, left = (min(axis) for axis in zip(*canvas, strict=True))
    height, width = (max(axis) + 1 for axis in zip(*canvas, strict=True))
    rows = ("".join(canvas.get((y, x), " ") for x in range(left, width)).rstrip() for y in range(top, height))
    return "".join(f"{row}\n" for row in rows)
