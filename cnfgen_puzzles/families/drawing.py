"""Pictures described once and drawn twice: a list of shapes becomes SVG or PNG, and both show the same.

Shared by all families, so nothing here knows a puzzle. Lengths are in pixels of the PNG and units of the SVG; whole
numbers keep edges sharp. The background is always painted, so a picture looks the same on a dark page and a light one.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from html import escape
from itertools import groupby, pairwise
from math import floor, hypot
from typing import TYPE_CHECKING, TypeAlias

from cnfgen_puzzles.common.errors import InputError

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

    Pen: TypeAlias = ImageDraw.ImageDraw

MAX_PIXELS = 100_000_000
"""The largest PNG that is drawn: 300 MB while it is drawn."""

SMOOTH_PIXELS = 4_000_000
"""A PNG with slanted lines is painted four times as large and reduced; one of more pixels only twice as large."""

BAND_PIXELS = 16_000_000
"""Enlarged pictures are painted in bands of so many pixels."""

FONTS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
BASELINE = 0.36
"""How far below its middle a line of digits stands, in font sizes."""

NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no XML document may hold, not even as a reference."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle with its top left corner at (x, y)."""

    x: float
    y: float
    width: float
    height: float
    fill: str

    def moved(self, dx: float, dy: float) -> Rect:
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke from (x1, y1) to (x2, y2)."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    stroke: str

    @property
    def straight(self) -> bool:
        """Whether it is level or upright."""
        return self.x1 == self.x2 or self.y1 == self.y2

    def moved(self, dx: float, dy: float) -> Line:
        return replace(self, x1=self.x1 + dx, y1=self.y1 + dy, x2=self.x2 + dx, y2=self.y2 + dy)


@dataclass(frozen=True, slots=True)
class Area:
    """What lies inside an odd number of rings, each a closed polygon."""

    rings: tuple[tuple[Point, ...], ...]
    fill: str

    def moved(self, dx: float, dy: float) -> Area:
        return Area(tuple(tuple((x + dx, y + dy) for x, y in ring) for ring in self.rings), self.fill)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A bent line through the points, with round ends and corners; closed where the last point is the first."""

    points: tuple[Point, ...]
    width: float
    stroke: str

    def moved(self, dx: float, dy: float) -> Stroke:
        return Stroke(tuple((x + dx, y + dy) for x, y in self.points), self.width, self.stroke)


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text whose middle is at height y; `anchor` says which part of it is at x: start, middle or end."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "middle"

    def moved(self, dx: float, dy: float) -> Text:
        return replace(self, x=self.x + dx, y=self.y + dy)


Shape = Rect | Line | Area | Stroke | Text


@dataclass
class Drawing:
    """Shapes on a background, later ones over earlier ones. Colours are `#rrggbb`."""

    width: int
    height: int
    background: str
    shapes: list[Shape] = field(default_factory=list)
    title: str = ""

    def add(self, shapes: Iterable[Shape]) -> None:
        self.shapes.extend(shapes)

    # -- SVG ------------------------------------------------------------------------------------------------------------

    def svg(self) -> str:
        """The drawing as a standalone SVG document."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{escape(FONTS)}">']
        if self.title:
            lines.append(f"<title>{escape(carried(self.title), quote=False)}</title>")
        lines.append(f'<rect width="{self.width}" height="{self.height}" fill="{self.background}"/>')
        lines += (_svg_group(list(shapes)) for _, shapes in groupby(self.shapes, style))
        return "\n".join([*lines, "</svg>", ""])

    # -- PNG ------------------------------------------------------------------------------------------------------------

    def png(self) -> bytes:
        """The drawing as a PNG file; raises InputError without Pillow or beyond `MAX_PIXELS`."""
        if self.width * self.height > MAX_PIXELS:
            size = f"{self.width} x {self.height} pixels"
            raise InputError(f"the picture would have {size}, expected at most {MAX_PIXELS}; SVG has no such limit")
        try:
            from PIL import Image
        except ImportError:
            raise InputError(
                "PNG pictures need Pillow, which is not installed; install the extra `pictures` "
                "(pip install 'cnfgen-puzzles[pictures]') or choose SVG"
            ) from None
        scale = self._enlargement()
        image = Image.new("RGB", (self.width, self.height), self.background)
        for top, bottom in self._bands(scale):
            image.paste(self._painted(top, bottom, scale), (0, top))
        file = io.BytesIO()
        image.save(file, "PNG", optimize=False)
        return file.getvalue()

    def _enlargement(self) -> int:
        """How many times larger the picture is painted, so that slanted lines come out smooth."""
        if all(isinstance(shape, Rect | Line | Text) for shape in self.shapes):
            return 1
        return 4 if self.width * self.height <= SMOOTH_PIXELS else 2

    def _bands(self, scale: int) -> Iterator[tuple[int, int]]:
        if scale == 1:
            yield 0, self.height
            return
        rows = max(1, BAND_PIXELS // (self.width * scale * scale))
        for top in range(0, self.height, rows):
            yield top, min(self.height, top + rows)

    def _painted(self, top: int, bottom: int, scale: int) -> Image.Image:
        """The rows from `top` to before `bottom`."""
        from PIL import Image, ImageDraw

        image = Image.new("RGB", (self.width * scale, (bottom - top) * scale), self.background)
        pen = ImageDraw.Draw(image)
        whole = (top, bottom) == (0, self.height)
        for shape in self.shapes:
            if whole or _reaches(shape, top, bottom):
                _paint(pen, shape, top, scale)
        return image.reduce(scale) if scale > 1 else image


def style(shape: Shape) -> tuple[object, ...]:
    """What neighbours must share to be written as one SVG element or group."""
    match shape:
        case Rect():
            return ("rect", shape.fill)
        case Line():
            return ("line", shape.stroke, shape.width)
        case Area():
            return ("area", shape.fill)
        case Stroke():
            return ("stroke", shape.stroke, shape.width)
        case Text():
            return ("text", shape.fill, shape.size, shape.anchor)


# -- SVG ----------------------------------------------------------------------------------------------------------------


def _svg_group(shapes: list[Shape]) -> str:
    """Neighbours of one style as one element."""
    parts = "".join(map(_svg_part, shapes))
    match shapes[0]:
        case Rect(fill=fill):
            return f'<path fill="{fill}" shape-rendering="crispEdges" d="{parts}"/>'
        case Line(width=width, stroke=stroke):
            straight = all(shape.straight for shape in shapes if isinstance(shape, Line))
            crisp = ' shape-rendering="crispEdges"' if straight else ' stroke-linecap="round"'
            return f'<path fill="none" stroke="{stroke}" stroke-width="{width:g}"{crisp} d="{parts}"/>'
        case Area(fill=fill):
            return f'<path fill="{fill}" fill-rule="evenodd" d="{parts}"/>'
        case Stroke(width=width, stroke=stroke):
            ends = 'stroke-linecap="round" stroke-linejoin="round"'
            return f'<path fill="none" stroke="{stroke}" stroke-width="{width:g}" {ends} d="{parts}"/>'
        case Text(size=size, fill=fill, anchor=anchor):
            return f'<g fill="{fill}" font-size="{size:g}" text-anchor="{anchor}">{parts}</g>'


def _svg_part(shape: Shape) -> str:
    """What one shape adds to the path or group of its style."""
    match shape:
        case Rect(x, y, width, height):
            return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z"
        case Line(x1, y1, x2, y2):
            return f"M{x1:g} {y1:g}L{x2:g} {y2:g}"
        case Area(rings):
            return "".join(_svg_path((*ring, ring[0])) for ring in rings)
        case Stroke(points):
            return _svg_path(points)
        case Text(x, y, text, size):
            return f'<text x="{x:g}" y="{y + BASELINE * size:g}">{escape(carried(text), quote=False)}</text>'


def carried(text: str) -> str:
    """The text with a sign instead of each character that XML cannot hold, such as an escape."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _svg_path(points: tuple[Point, ...]) -> str:
    """A path in relative steps, which are short to write; each is rounded so that errors do not add up."""
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


# -- PNG ----------------------------------------------------------------------------------------------------------------


def _reaches(shape: Shape, top: int, bottom: int) -> bool:
    """Whether a shape may have pixels in these rows."""
    low: float
    high: float
    margin: float
    match shape:
        case Rect():
            low, high, margin = shape.y, shape.y + shape.height, 1
        case Line():
            low, high, margin = min(shape.y1, shape.y2), max(shape.y1, shape.y2), shape.width
        case Area():
            ys = [y for ring in shape.rings for _, y in ring]
            low, high, margin = min(ys), max(ys), 1
        case Stroke():
            ys = [y for _, y in shape.points]
            low, high, margin = min(ys), max(ys), shape.width
        case Text():
            low, high, margin = shape.y, shape.y, 2 * shape.size
    return low - margin < bottom and high + margin > top


def _paint(pen: Pen, shape: Shape, top: int, scale: int) -> None:
    """Paints a shape `scale` times as large, as if row `top` were the first."""
    match shape:
        case Rect(x, y, width, height, fill):
            _box(pen, x * scale, (y - top) * scale, (x + width) * scale, (y + height - top) * scale, fill)
        case Line(x1, y1, x2, y2, width, stroke) if shape.straight:
            across, down = (width / 2, 0) if x1 == x2 else (0, width / 2)
            left, right, high, low = min(x1, x2) - across, max(x1, x2) + across, min(y1, y2) - down, max(y1, y2) + down
            _box(pen, left * scale, (high - top) * scale, right * scale, (low - top) * scale, stroke)
        case Line(x1, y1, x2, y2, width, stroke):
            line = _whole([(x1 * scale, (y1 - top) * scale), (x2 * scale, (y2 - top) * scale)])
            pen.line(line, fill=stroke, width=max(1, round(width * scale)))
        case Area(rings, fill):
            _paint_area(pen, [_whole((x * scale, (y - top) * scale) for x, y in ring) for ring in rings], fill)
        case Stroke(points, width, stroke):
            _paint_stroke(pen, [(x * scale, (y - top) * scale) for x, y in points], width * scale, stroke)
        case Text(x, y, text, size, fill, anchor):
            place = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
            height = y + BASELINE * size - top
            pen.text((x * scale, height * scale), carried(text), fill=fill, font=_font(size * scale), anchor=place)


def _box(pen: Pen, left: float, top: float, right: float, bottom: float, fill: str) -> None:
    """Fills the pixels from `left` to before `right`: at least one, and halves rounded the same way on both sides."""
    left, top, right, bottom = (floor(side + 0.5) for side in (left, top, right, bottom))
    right, bottom = max(right, left + 1), max(bottom, top + 1)
    pen.rectangle((left, top, right - 1, bottom - 1), fill=fill)


def _paint_area(pen: Pen, rings: list[list[tuple[int, int]]], fill: str) -> None:
    """One ring is a polygon; of several, the pixels that an odd number of them hold are filled by a stencil."""
    if len(rings) == 1:
        pen.polygon(rings[0], fill=fill)
        return
    from PIL import Image, ImageChops, ImageDraw

    xs, ys = zip(*(point for ring in rings for point in ring), strict=True)
    left, top = min(xs), min(ys)
    size = (max(xs) - left + 1, max(ys) - top + 1)
    stencil = Image.new("1", size)
    for ring in rings:
        one = Image.new("1", size)
        ImageDraw.Draw(one).polygon([(x - left, y - top) for x, y in ring], fill=1)
        stencil = ImageChops.logical_xor(stencil, one)
    pen.bitmap((left, top), stencil, fill=fill)


def _paint_stroke(pen: Pen, points: list[Point], width: float, stroke: str) -> None:
    """A box or a slanted strip for each part, and a disc on each point."""
    half = width / 2
    for (x1, y1), (x2, y2) in pairwise(points):
        if x1 == x2 or y1 == y2:
            across, down = (half, 0) if x1 == x2 else (0, half)
            _box(pen, min(x1, x2) - across, min(y1, y2) - down, max(x1, x2) + across, max(y1, y2) + down, stroke)
        else:
            length = hypot(x2 - x1, y2 - y1)
            dx, dy = half * (y1 - y2) / length, half * (x2 - x1) / length
            around = _whole([(x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)])
            pen.polygon(around, fill=stroke)
    if width >= 3:
        for x, y in points:
            pen.ellipse(_whole([(x - half, y - half), (x + half - 1, y + half - 1)]), fill=stroke)


def _whole(points: Iterable[Point]) -> list[tuple[int, int]]:
    """Points on whole pixels; Pillow would cut fractions off, which moves what begins above the first row."""
    return [(floor(x + 0.5), floor(y + 0.5)) for x, y in points]


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font that comes with Pillow, which is the same on every machine."""
    from PIL import ImageFont

    return ImageFont.load_default(size)
