"""Drawings for all families: shapes as SVG or PNG, characters on a canvas as text for a terminal, and pages of many boards.

A family describes a board once, as a `Drawing` of shapes (`Rect`, `Area`, `Stroke`, `Text`, `ShapeGroup`); `svg` and `png` write
it, and `picture_views` makes views of it. A `TextCanvas` has characters at arbitrary positions. `page` and `side_by_side` arrange
many drawings, or many blocks of text, on one page.

Lengths are in units of the SVG and pixels of the PNG; whole numbers keep edges sharp. The background is always painted, so a
picture looks the same on a dark page and on a light one. This module does not depend on puzzles.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby, pairwise
from math import ceil, log
from types import MappingProxyType
from typing import Any, NamedTuple

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.families.family import View
from cnfgen_puzzles.families.options import Option

MAX_PIXELS = 100_000_000
"""The largest PNG. The memory also depends on the number of shapes: a million cells need 300 MB."""

FONTS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
BASELINE = 0.36
"""The distance of the baseline below the middle of a line of digits, in font sizes."""

NOT_XML = regex("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML cannot contain, not even as references."""

Point = tuple[float, float]
Svg = tuple[str, str, str]

# -- shapes -------------------------------------------------------------------------------------------------------------
# `svg` of a shape is the start and end of the element that neighbors of the same style share, and the part that the shape adds.


class Rect(NamedTuple):
    """A filled rectangle with its top left corner at (x, y)."""

    x: float
    y: float
    width: float
    height: float
    fill: str

    def svg(self) -> Svg:
        path = f"M{self.x:g} {self.y:g}h{self.width:g}v{self.height:g}h{-self.width:g}z"
        return f'<path fill="{self.fill}" shape-rendering="crispEdges" d="', '"/>', path


class Area(NamedTuple):
    """The area inside an odd number of rings, each a closed polygon."""

    rings: tuple[tuple[Point, ...], ...]
    fill: str

    def svg(self) -> Svg:
        paths = "".join(_path((*ring, ring[0])) for ring in self.rings)
        return f'<path fill="{self.fill}" fill-rule="evenodd" d="', '"/>', paths


class Stroke(NamedTuple):
    """A polyline with round ends and corners; closed if the last point is the first. A crisp one is horizontal or vertical, with
    sharp edges."""

    points: tuple[Point, ...]
    width: float
    stroke: str
    crisp: bool = False

    def svg(self) -> Svg:
        ends = 'shape-rendering="crispEdges"' if self.crisp else 'stroke-linecap="round" stroke-linejoin="round"'
        return f'<path fill="none" stroke="{self.stroke}" stroke-width="{self.width:g}" {ends} d="', '"/>', _path(self.points)


class Text(NamedTuple):
    """A line of text with its middle at height y; `anchor` is the part of it at x: start, middle, or end."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "middle"

    def svg(self) -> Svg:
        text = f'<text x="{self.x:g}" y="{self.y + BASELINE * self.size:g}">{escaped(self.text)}</text>'
        return f'<g fill="{self.fill}" font-size="{self.size:g}" text-anchor="{self.anchor}">', "</g>", text


class ShapeGroup(NamedTuple):
    """Shapes that are moved together."""

    dx: float
    dy: float
    shapes: Sequence[Shape]

    def svg(self) -> Svg:
        inside = "".join(f"{line}\n" for line in _elements(self.shapes))
        return f'<g transform="translate({self.dx:g} {self.dy:g})">\n', "</g>", inside


Shape = Rect | Area | Stroke | Text | ShapeGroup


def _elements(shapes: Iterable[Shape]) -> Iterator[str]:
    """The SVG elements of shapes, one for neighbors of the same style."""
    for (opening, closing), same in groupby((shape.svg() for shape in shapes), lambda svg: svg[:2]):
        yield opening + "".join(content for _, _, content in same) + closing


@dataclass
class Drawing:
    """Shapes on a background, later ones over earlier ones. Colors are `#rrggbb`."""

    width: int
    height: int
    background: str
    shapes: list[Shape] = field(default_factory=list)
    title: str = ""

    def add(self, shapes: Iterable[Shape]) -> None:
        self.shapes.extend(shapes)

    def svg(self) -> str:
        """The drawing as a standalone SVG document."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{escape(FONTS)}">']
        if self.title:
            lines.append(f"<title>{escaped(self.title)}</title>")
        lines.append(f'<rect width="{self.width}" height="{self.height}" fill="{self.background}"/>')
        return "\n".join([*lines, *_elements(self.shapes), "</svg>", ""])

    def png(self) -> bytes:
        """The drawing as a PNG file; resvg renders the SVG (in vl-convert, which contains fonts).

        InputError if a package of the extra `pictures` is not installed, for more than `MAX_PIXELS`, and if resvg refuses the
        SVG.
        """
        if self.width * self.height > MAX_PIXELS:
            size = f"{self.width} x {self.height} pixels"
            raise InputError(f"the picture would have {size}, expected at most {MAX_PIXELS}; SVG has no such limit")
        try:
            from PIL import Image
            from vl_convert import svg_to_png
        except ImportError as error:
            raise InputError(
                f"PNG pictures need {'Pillow' if error.name == 'PIL' else 'vl-convert-python'}, which is not installed; install "
                f"the extra `pictures` ({install_extra('pictures')}) or choose SVG"
            ) from None
        try:
            drawn = svg_to_png(self.svg())
        except ValueError as error:
            raise InputError(f"the picture cannot be drawn as PNG ({error}); choose SVG") from None
        file = io.BytesIO()
        Image.open(io.BytesIO(drawn)).convert("RGB").save(file, "PNG")  # a twentieth of the size
        return file.getvalue()


def escaped(text: str) -> str:
    """The text as XML, with a replacement for each character that XML cannot contain."""
    return escape(NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)


def _path(points: tuple[Point, ...]) -> str:
    """A path in relative steps, which are short; rounding errors do not add up."""
    grid = [(round(100 * x), round(100 * y)) for x, y in points]
    closed = len(grid) > 2 and grid[0] == grid[-1]
    parts = [f"M{grid[0][0] / 100:.10g} {grid[0][1] / 100:.10g}"]
    for (x1, y1), (x2, y2) in pairwise(grid[:-1] if closed else grid):
        dx, dy = f"{(x2 - x1) / 100:g}", f"{(y2 - y1) / 100:g}"
        if y1 == y2:
            parts.append(f"h{dx}")
        elif x1 == x2:
            parts.append(f"v{dy}")
        else:
            parts.append(f"l{dx}{dy}" if dy[0] == "-" else f"l{dx} {dy}")
    return "".join(parts) + ("z" if closed else "")


def picture_views(
    draw: Callable[..., Drawing],
    sheet_cell: int,
    *,
    names: tuple[str, str] = ("svg", "png"),
    summary: str = "a picture",
    svg_cell: int | None = None,
    options: tuple[Option, ...] = (),
    on_sheets: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[View, View]:
    """The views with these names that write drawings as SVG and as PNG.

    `draw(puzzle, board, other, cell=cell, **options)` draws one board with cells of this size (None: the size for PNG). On a page
    of many boards, cells have at most the size `sheet_cell`, and `draw` also gets the options `on_sheets`.
    """

    def view(name: str, summary: str, suffix: str, cell: int | None, write: Callable[[Drawing], str | bytes]) -> View:
        def one(puzzle: Any, board: Any, other: Any = None, **chosen: Any) -> str | bytes:
            return write(draw(puzzle, board, other, cell=cell, **chosen))

        def many(puzzle: Any, boards: Sequence[Any], **chosen: Any) -> str | bytes:
            return write(
                sheet(lambda board, cell: draw(puzzle, board, None, cell=cell, **on_sheets, **chosen), boards, sheet_cell)
            )

        return View(name, summary, one, suffix, many, options)

    svg, png = names
    return (
        view(svg, f"{summary} that scales", ".svg", svg_cell, Drawing.svg),
        view(png, f"{summary} in pixels (needs the extra `pictures`)", ".png", None, Drawing.png),
    )


# -- pages of drawings --------------------------------------------------------------------------------------------------

PAGE_SHAPE = 4 / 3
"""The width of a page divided by its height, approximately."""

EMPTY_WEIGHT = 3
"""The weight of an empty part of the page, relative to the same deviation from its shape."""

PAGE_PIXELS = 16_000_000
"""Pictures are scaled down until the page has at most this number of pixels, or they have the minimal size."""

CAPTION, CAPTION_INK = 24, "#6a6a74"
LEAST_CAPTION = 7


def sheet(draw: Callable[[Any, int], Drawing], boards: Sequence[Any], most: int) -> Drawing:
    """The boards on one page, each drawn by `draw(board, cell)`; the more boards, the smaller the cells."""
    first = draw(boards[0], most)
    cell = cell_size(len(boards), first.width / most, first.height / most, most)
    tiles = [draw(board, cell) for board in boards]
    return page(tiles, first.title if len({tile.title for tile in tiles}) == 1 else "")


def cell_size(count: int, width: float, height: float, most: int, least: int = 2) -> int:
    """The largest cell, in whole pixels, with which a page holds `count` pictures of width x height cells."""
    for cell in range(most, least, -1):
        caption = _caption_size(cell * width)
        if count * (cell * width + caption) * (cell * height + 2 * caption) <= PAGE_PIXELS:
            return cell
    return least


def page(tiles: Sequence[Drawing], title: str = "") -> Drawing:
    """The pictures in rows from left to right, numbered from 1."""
    width, height = max(tile.width for tile in tiles), max(tile.height for tile in tiles)
    caption = _caption_size(width)
    across, down = width + caption, height + 2 * caption
    columns = columns_for(len(tiles), across, down)
    rows = ceil(len(tiles) / columns)
    drawing = Drawing(columns * across + caption, rows * down + caption, tiles[0].background, title=title)
    for number, tile in enumerate(tiles):
        x, y = caption + number % columns * across, caption + number // columns * down
        dx, dy = (width - tile.width) // 2, (height - tile.height) // 2
        drawing.shapes.append(ShapeGroup(x + dx, y + dy, tile.shapes))
        drawing.shapes.append(Text(x + width / 2, y + height + 0.6 * caption, str(number + 1), caption, CAPTION_INK))
    return drawing


def png_cell(extent: tuple[float, float], most: int, least: int, side: int) -> int:
    """The size of the cells of a PNG with this width and height in cells: the longer side has at most `side` pixels."""
    return max(least, min(most, int(side / max(extent))))


def columns_for(count: int, width: float, height: float) -> int:
    """The number of columns for `count` tiles such that the page has about the right shape and little empty space."""

    def ugliness(columns: int) -> float:
        rows = ceil(count / columns)
        return abs(log(columns * width / (rows * height) / PAGE_SHAPE)) + EMPTY_WEIGHT * log(columns * rows / count)

    return min(range(1, count + 1), key=ugliness)


def _caption_size(width: float) -> int:
    """The font size of captions, with space for four digits below the narrowest picture."""
    return max(LEAST_CAPTION, min(CAPTION, round(width / 9)))


# -- text and terminal --------------------------------------------------------------------------------------------------

RESET = "\x1b[0m"
ESCAPE = regex(r"\x1b\[[0-9;]*m")

COLUMNS = 100
"""The maximal width of a row of text blocks."""


class TextCanvas:
    """Characters by line and column, which can be negative, each with terminal colors (an escape sequence, or none)."""

    def __init__(self) -> None:
        self.signs: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, line: int, column: int, text: str, colors: str = "") -> None:
        """Writes the text from this position on, over existing characters."""
        for n, sign in enumerate(text):
            self.signs[line, column + n] = sign, colors

    def text(self) -> str:
        """The lines from the first to the last used one, from the first used column on."""
        left = min(column for _, column in self.signs)
        last = dict(sorted(self.signs))  # the last column of each line
        written = []
        for line in range(min(last), max(last) + 1):
            row = (self.signs.get((line, column), (" ", "")) for column in range(left, last.get(line, left - 1) + 1))
            runs = [(colors, "".join(sign for sign, _ in run)) for colors, run in groupby(row, lambda sign: sign[1])]
            if runs and not runs[-1][0]:
                runs[-1] = "", runs[-1][1].rstrip()
            written.append("".join(f"{colors}{text}{RESET}" if colors else text for colors, text in runs) + "\n")
        return "".join(written)


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
    """The line padded with spaces; colors have no width."""
    return line + " " * (width - shown_width(line))


def shown_width(line: str) -> int:
    """The number of characters that a terminal shows."""
    return len(ESCAPE.sub("", line))
