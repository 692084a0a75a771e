"""Pictures described once and drawn twice: a list of shapes becomes SVG or PNG, and both show the same.

Shared by all families, so nothing here knows a puzzle. Lengths are in pixels of the PNG and units of the SVG; whole
numbers keep edges sharp. The background is always painted, so a picture looks the same on a dark page and a light one.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from cnfgen_puzzles.errors import InputError

MAX_PIXELS = 100_000_000
"""The largest PNG that is drawn: 300 MB while it is drawn."""

FONTS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
BASELINE = 0.36
"""How far below its middle a line of digits stands, in font sizes."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle with its top left corner at (x, y)."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke from (x1, y1) to (x2, y2)."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    stroke: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text whose middle is at height y; `anchor` says which part of it is at x: start, middle or end."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "middle"


Shape = Rect | Line | Text


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

    def svg(self) -> str:
        """The drawing as a standalone SVG document."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family={quoteattr(FONTS)}>']
        if self.title:
            lines.append(f"<title>{escape(self.title)}</title>")
        lines.append(f'<rect width="{self.width}" height="{self.height}" fill="{self.background}"/>')
        lines += (_svg_group(style, list(shapes)) for style, shapes in groupby(self.shapes, _style))
        return "\n".join([*lines, "</svg>", ""])

    def png(self) -> bytes:
        """The drawing as a PNG file; raises InputError without Pillow or beyond `MAX_PIXELS`."""
        if self.width * self.height > MAX_PIXELS:
            size = f"{self.width} x {self.height} pixels"
            raise InputError(f"the picture would have {size}, expected at most {MAX_PIXELS}; SVG has no such limit")
        try:
            from PIL import Image, ImageDraw
        except ImportError:
            raise InputError(
                "PNG pictures need Pillow, which is not installed; install the extra `pictures` "
                "(pip install 'cnfgen-puzzles[pictures]') or choose SVG"
            ) from None
        image = Image.new("RGB", (self.width, self.height), self.background)
        pen = ImageDraw.Draw(image)
        for shape in self.shapes:
            _paint(pen, shape)
        file = io.BytesIO()
        image.save(file, "PNG", optimize=False)
        return file.getvalue()


def _style(shape: Shape) -> tuple[object, ...]:
    """What neighbours must share to be written as one SVG element or group."""
    match shape:
        case Rect():
            return ("rect", shape.fill)
        case Line():
            return ("line", shape.stroke, shape.width)
        case Text():
            return ("text", shape.fill, shape.size, shape.anchor)


def _svg_group(style: tuple[object, ...], shapes: list[Shape]) -> str:
    if style[0] == "rect":
        path = "".join(f"M{s.x:g} {s.y:g}h{s.width:g}v{s.height:g}h{-s.width:g}z" for s in shapes)
        return f'<path fill="{style[1]}" shape-rendering="crispEdges" d="{path}"/>'
    if style[0] == "line":
        path = "".join(f"M{s.x1:g} {s.y1:g}L{s.x2:g} {s.y2:g}" for s in shapes)
        straight = all(s.x1 == s.x2 or s.y1 == s.y2 for s in shapes)
        crisp = ' shape-rendering="crispEdges"' if straight else ' stroke-linecap="round"'
        return f'<path fill="none" stroke="{style[1]}" stroke-width="{style[2]:g}"{crisp} d="{path}"/>'
    texts = (f'<text x="{s.x:g}" y="{s.y + BASELINE * s.size:g}">{escape(s.text)}</text>' for s in shapes)
    attributes = f'fill="{style[1]}" font-size="{style[2]:g}" text-anchor="{style[3]}"'
    return f"<g {attributes}>{''.join(texts)}</g>"


def _paint(pen, shape: Shape) -> None:
    match shape:
        case Rect(x, y, width, height, fill):
            _box(pen, x, y, x + width, y + height, fill)
        case Line(x1, y1, x2, y2, width, stroke) if x1 == x2 or y1 == y2:
            across, down = (width / 2, 0) if x1 == x2 else (0, width / 2)
            _box(pen, min(x1, x2) - across, min(y1, y2) - down, max(x1, x2) + across, max(y1, y2) + down, stroke)
        case Line(x1, y1, x2, y2, width, stroke):
            pen.line((x1, y1, x2, y2), fill=stroke, width=max(1, round(width)))
        case Text(x, y, text, size, fill, anchor):
            place = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
            pen.text((x, y + BASELINE * size), text, fill=fill, font=_font(size), anchor=place)


def _box(pen, left: float, top: float, right: float, bottom: float, fill: str) -> None:
    """Fills the pixels from `left` to before `right`: at least one, and halves rounded the same way on both sides."""
    left, top = int(left + 0.5), int(top + 0.5)
    right, bottom = max(int(right + 0.5), left + 1), max(int(bottom + 0.5), top + 1)
    pen.rectangle((left, top, right - 1, bottom - 1), fill=fill)


def _font(size: float):
    """The font that comes with Pillow, which is the same on every machine."""
    from PIL import ImageFont

    return ImageFont.load_default(size)
