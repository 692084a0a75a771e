"""Contact sheets: many small pictures, or blocks of text, on one page and numbered.

Shared by all families, so nothing here knows a puzzle. A family draws the pictures, all of one size, with cells
of `cell_size`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil, log

from cnfgen_puzzles.families.drawing import Drawing, Shape, Text, style

SHAPE = 4 / 3
"""A page is about so many times as wide as high."""

EMPTY_WEIGHT = 3
"""How much worse an empty part of the page is than the same deviation from its shape."""

PAGE_PIXELS = 16_000_000
"""Pictures shrink until the page has so few pixels, or they are as small as they may be."""

CAPTION, CAPTION_INK = 24, "#6a6a74"
LEAST_CAPTION = 7

# -- pictures -----------------------------------------------------------------------------------------------------------


def cell_size(count: int, width: float, height: float, most: int, least: int = 2) -> int:
    """The largest cell, in whole pixels, with which a page holds `count` pictures of width x height cells."""
    for cell in range(most, least, -1):
        caption = _caption_size(cell * width)
        if count * (cell * width + caption) * (cell * height + 2 * caption) <= PAGE_PIXELS:
            return cell
    return least


def page(tiles: Sequence[Drawing], background: str, title: str = "") -> Drawing:
    """The pictures in rows from left to right, numbered from 1."""
    width, height = max(tile.width for tile in tiles), max(tile.height for tile in tiles)
    caption = _caption_size(width)
    across, down = width + caption, height + 2 * caption
    columns = columns_for(len(tiles), across, down)
    rows = ceil(len(tiles) / columns)
    drawing = Drawing(columns * across + caption, rows * down + caption, background, title=title)
    groups: list[tuple[object, list[Shape]]] = []
    for number, tile in enumerate(tiles):
        x, y = caption + number % columns * across, caption + number // columns * down
        dx, dy = (width - tile.width) // 2, (height - tile.height) // 2
        _merge(groups, (shape.moved(x + dx, y + dy) for shape in tile.shapes))
        drawing.shapes.append(Text(x + width / 2, y + height + 0.6 * caption, str(number + 1), caption, CAPTION_INK))
    drawing.shapes[:0] = [shape for _, shapes in groups for shape in shapes]
    return drawing


def columns_for(count: int, width: float, height: float) -> int:
    """How many of `count` tiles stand side by side so that the page comes near to its shape with little left empty."""

    def ugliness(columns: int) -> float:
        rows = ceil(count / columns)
        return abs(log(columns * width / (rows * height) / SHAPE)) + EMPTY_WEIGHT * log(columns * rows / count)

    return min(range(1, count + 1), key=ugliness)


def _caption_size(width: float) -> int:
    """The font size of captions, which leaves room for four digits below the narrowest picture."""
    return max(LEAST_CAPTION, min(CAPTION, round(width / 9)))


def _merge(groups: list[tuple[object, list[Shape]]], shapes: Iterable[Shape]) -> None:
    """Adds one more picture's shapes to the groups of equal style, in their order: a group becomes one element of an SVG.

    Pictures do not overlap, so only the order within each of them matters.
    """
    place = 0
    for key, run in groupby(shapes, style):
        found = next((n for n in range(place, len(groups)) if groups[n][0] == key), None)
        if found is None:
            groups.insert(place, (key, []))
            found = place
        groups[found][1].extend(run)
        place = found + 1


# -- text ---------------------------------------------------------------------------------------------------------------

COLUMNS = 100
"""Blocks of text stand side by side up to this width."""

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def side_by_side(blocks: Sequence[str], captions: Sequence[str] | None = None, width: int = COLUMNS, gap: int = 3) -> str:
    """Blocks of text in rows, each under its caption (its number, if none are given)."""
    captions = captions or [str(number) for number in range(1, len(blocks) + 1)]
    boxes = [[caption, *block.splitlines()] for caption, block in zip(captions, blocks, strict=True)]
    widest = max(shown_width(line) for box in boxes for line in box)
    columns = max(1, (width + gap) // (widest + gap))
    parts = []
    for first in range(0, len(boxes), columns):
        row = boxes[first : first + columns]
        lines = []
        for n in range(max(map(len, row))):
            line = (" " * gap).join(padded(box[n] if n < len(box) else "", widest) for box in row)
            lines.append(line.rstrip())
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def padded(line: str, width: int) -> str:
    """The line filled up with spaces; colours take no room."""
    return line + " " * (width - shown_width(line))


def shown_width(line: str) -> int:
    """The characters that a terminal shows."""
    return len(ESCAPE.sub("", line))
