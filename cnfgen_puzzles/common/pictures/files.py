"""Files of pictures: drawings in signs, PBM, SVG, and whatever Pillow reads (PNG, JPEG, GIF, WebP, ...).

What a file is is told by its content. Nothing outside of it is read: an SVG that names other files is refused.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.readers.strictxml import Element, parse_xml, root_name
from cnfgen_puzzles.common.sources import Source

if TYPE_CHECKING:
    from PIL import Image

Greys = list[list[int]]
"""Rows of values from 0 (black) to 255 (white)."""

FILLED, EMPTY = "#", ". "
"""The signs of a drawing."""
MOST_PIXELS = 50_000_000
RENDERED = 1024
"""The longer side, in pixels, by which an SVG is drawn before it is made smaller."""


def open_picture(source: Source) -> Greys | Image.Image:
    """The picture in a file: greys for a drawing in signs and for PBM, else Pillow's image in RGB on white paper.

    InputError for what is no picture, for one that is too large, and where a package that it needs is missing.
    """
    data = source.data
    if data[:2] in (b"P1", b"P4"):
        return read_pbm(source)
    if data.count(b"\0") == 0 and (text := _text_of(data)) is not None:
        if root_name(text) == "svg" or root_name(text).endswith(":svg"):
            return _by_pillow(_rendered(parse_xml(text, source.name, "an SVG"), text), source.name)
        if not text.startswith(("P2", "P3")):
            return read_drawing(source)
    return _by_pillow(data, source.name)


def _text_of(data: bytes) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def read_drawing(source: Source) -> Greys:
    """A drawing in signs, a character a cell: `#` is filled, `.` and a space are empty; short rows end in empty cells."""
    rows: Greys = []
    lines = source.text().rstrip().split("\n")
    first = next((number for number, line in enumerate(lines, start=1) if line.strip()), None)
    if first is None:
        raise InputError("found an empty file, expected a picture", source=source.name, line=1)
    lines = lines[first - 1 :]
    width = max(len(line.rstrip()) for line in lines)
    checked_amount("cells", width * len(lines), source=source.name)
    for number, line in enumerate(lines, start=first):
        cells = line.rstrip().ljust(width)
        if strange := next((sign for sign in cells if sign not in FILLED + EMPTY), None):
            message = f"found {strange!r}, expected a drawing of {FILLED} and . (or a picture: PNG, JPEG, PBM, SVG)"
            raise InputError(message, source=source.name, line=number)
        rows.append([0 if sign == FILLED else 255 for sign in cells])
    return rows


def read_pbm(source: Source) -> Greys:
    """A portable bitmap, in signs (P1) or in bytes (P4)."""
    match = re.match(rb"P([14])(?:\s|#[^\n]*\n)+([0-9]{1,9})(?:\s|#[^\n]*\n)+([0-9]{1,9})(?:[ \t]*#[^\n]*)?\s", source.data)
    if match is None:
        raise InputError("found no size of the picture, expected P1 or P4, width and height", source=source.name, line=1)
    width, height = int(match[2]), int(match[3])
    if not 0 < width * height <= MOST_PIXELS:
        message = f"found a picture of {width} x {height} pixels, expected 1 to {MOST_PIXELS} in all"
        raise InputError(message, source=source.name, line=1)
    body = source.data[match.end() :]
    if match[1] == b"1":
        signs = re.sub(rb"#[^\n]*|\s", b"", body)
        if strange := re.search(rb"[^01]", signs):
            raise InputError(f"found {shortened(strange[0].decode('latin-1'))}, expected only 0 and 1", source=source.name)
        bits = [sign == ord("1") for sign in signs[: width * height]]
        stride = width
    else:
        stride = (width + 7) // 8 * 8
        bits = [bool(byte >> place & 1) for byte in body[: stride // 8 * height] for place in range(7, -1, -1)]
    if len(bits) < stride * height:
        found = len(bits) // stride
        raise InputError(f"found {found} whole rows of pixels, expected {height}", source=source.name)
    return [[0 if bit else 255 for bit in bits[row * stride : row * stride + width]] for row in range(height)]


# -- by other packages ----------------------------------------------------------------------------------------------------


def _by_pillow(data: bytes, name: str) -> Image.Image:
    """The image in RGB, on white paper, the right side up."""
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise InputError(
            "this picture needs Pillow, which is not installed: pip install 'cnfgen-puzzles[pictures]' (drawings of # and ., "
            "and PBM, need nothing)",
            source=name,
        ) from None
    try:
        image: Any = Image.open(io.BytesIO(data))
    except Exception as error:  # whatever a damaged file makes of it
        raise InputError("found no picture that can be read (PNG, JPEG, GIF, WebP, PBM, SVG, # and .)", source=name) from error
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise InputError(f"found a picture of {width} x {height} pixels, expected {MOST_PIXELS} in all at most", source=name)
    try:
        image = ImageOps.exif_transpose(image).convert("RGBA")
    except Exception as error:
        raise InputError(f"found a damaged picture: {error!s:.200}", source=name) from None
    paper = Image.new("RGBA", image.size, "white")
    paper.alpha_composite(image)
    return paper.convert("RGB")


def _rendered(root: Element, text: str) -> bytes:
    """An SVG as PNG."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        waiting += element.children
        for name, value in element.attributes.items():
            if (name == "href" or name.endswith(":href")) and not value.strip().startswith(("#", "data:")):
                raise element.error(f"found a link to {shortened(value)}, expected an SVG that needs no other file")
    try:
        import vl_convert
    except ImportError:
        raise root.error(
            "SVG needs vl-convert, which is not installed: pip install vl-convert-python; or give it as PNG"
        ) from None
    sides = [_length(root.attributes.get(name, "")) for name in ("width", "height")]
    box = [_length(number) for number in re.split(r"[\s,]+", root.attributes.get("viewBox", "").strip())]
    if None in sides or not all(sides):
        sides = box[2:] if len(box) == 4 else [100.0, 100.0]
    longest, shortest = max(side or 0.0 for side in sides), min(side or 0.0 for side in sides)
    if not 0.01 <= longest <= 1e6 or shortest * 10_000 < longest:
        raise root.error("found an SVG without a size that can be drawn, expected width and height, or a viewBox")
    try:
        return bytes(vl_convert.svg_to_png(text, scale=RENDERED / longest))
    except Exception as error:
        raise root.error(f"found an SVG that cannot be drawn: {str(error).splitlines()[0]:.200}") from None


def _length(text: str) -> float | None:
    """A length in user units; those in other units count as such. None where there is none."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{0,9})?)(px|pt|mm|cm|in|em)?", text.strip())
    scale = {"pt": 4 / 3, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
    return None if match is None else float(match[1]) * scale.get(match[2] or "", 1.0)
