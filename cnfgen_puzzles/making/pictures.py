"""Pictures for puzzles as grids of cells: from a file, a drawing, rows of cells, or a puzzle with a picture.

Drawings in characters need no extra package, unless they are reduced; SVG and the formats of Pillow (PNG, JPEG, GIF, WebP, PBM,
...) need the extra `pictures`. The content determines the format. An SVG that refers to other files is refused.

The value of a cell is the mean of its pixels; the cell is filled if this is darker than a threshold. The code does not dither,
because dithering produces single cells all over the picture.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.common.readers.strictxml import Element, parse_xml, root_name
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.capabilities import Rows
from cnfgen_puzzles.families.options import two_sides

if TYPE_CHECKING:
    from PIL import Image

    from cnfgen_puzzles.families.nonogram.making import NonogramMaking

AS_IT_IS = 100
"""The longest side for which a pixel becomes a cell if no size is given."""
WHITE = "#ffffff"


@dataclass(frozen=True)
class PictureCells:
    """A picture in cells: `rows` of numbers of colors, 0 for the background. `values` are the colors as `#rrggbb`, the background
    first; empty for black on white. `about` has entries such as the title; `how` describes the conversion to cells."""

    rows: Rows
    values: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    how: str = ""


def making_of(family: Family) -> NonogramMaking:
    """The capability of the family to make puzzles; InputError if it has none."""
    making: NonogramMaking | None = family.making
    if making is None:
        raise InputError(f"found the family {family.name}, expected a family that makes puzzles from pictures")
    return making


def picture_of(family: Family, what: Any, values: Sequence[str] = (), **options: Any) -> PictureCells:
    """The picture that `what` describes: the path of a file, a drawing of `#` and `.` (a string with line ends, or rows of
    strings), a puzzle of the family, or rows of numbers of colors with their `values`. `options` are those of `cells_of`, for
    pixels.

    InputError for other values and for options that do not apply.
    """
    if isinstance(what, Path) or (isinstance(what, str) and "\n" not in what):
        return picture_in(family, str(what), **options)
    if isinstance(what, family.puzzle):
        return _of_puzzle(family, what, None, options)
    try:
        lines = what.strip("\n").split("\n") if isinstance(what, str) else what
        rows: list[Any] = [line if isinstance(line, str) else list(line) for line in lines]
    except TypeError:
        raise InputError(f"found {what!r:.60}, expected a picture: a path, a drawing of # and ., or rows of cells") from None
    if rows and all(isinstance(row, str) for row in rows):
        return _of_pixels(open_picture(Source("the drawing", "\n".join(rows).encode())), options)
    _no_pixels(options, None)
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        raise InputError("found a picture without cells, or with rows of different lengths")
    most = len(values) - 1 if values else 1
    for number, row in enumerate(rows, start=1):
        for value in row:
            if isinstance(value, str) or value not in range(most + 1):
                raise InputError(
                    f"row {number} of the picture: found {value!r:.40}, expected the number of a color from 0 to {most}"
                )
    return PictureCells(tuple(tuple(map(int, row)) for row in rows), tuple(values))


def picture_in(family: Family, file: str, **options: Any) -> PictureCells:
    """The picture in a file of pixels or characters, or the picture of a puzzle."""
    source = open_source(file)
    if any(source.suffix in entry.suffixes for entry in family.formats.values()):
        return _of_puzzle(family, family.read(source), source.name, options)
    try:
        return _of_pixels(open_picture(source), options)
    except InputError as error:
        raise InputError(error.message, source=error.source or source.name, line=error.line) from None


def _of_pixels(pixels: Greys | Any, options: Mapping[str, Any]) -> PictureCells:
    chosen: dict[str, Any] = {
        name: sides_of(value) if name == "size" else value for name, value in options.items() if value is not None
    }
    return cells_of(pixels, **chosen)


def _of_puzzle(family: Family, puzzle: Any, name: str | None, options: Mapping[str, Any]) -> PictureCells:
    _no_pixels(options, name)
    known = making_of(family).picture(puzzle)
    if known is None:
        raise InputError(f"found a {family.name} without its picture, expected a puzzle with its solution", source=name)
    rows, values = known
    return PictureCells(rows, values, dict(puzzle.about))


def _no_pixels(options: Mapping[str, Any], name: str | None) -> None:
    if wrong := next((option for option, value in options.items() if value is not None), None):
        raise InputError(f"found {wrong}, which applies only to pictures of pixels", source=name)


def sides_of(size: Any) -> tuple[int, int | None]:
    """Width and height in cells, or the longer side and None, from `30x40`, `30`, or a pair."""
    if isinstance(size, int) and not isinstance(size, bool) and size > 0:
        return size, None
    if isinstance(size, str) and (sides := two_sides(size)) is not None:
        return sides if "x" in size.lower() or "×" in size else (sides[0], None)
    if isinstance(size, tuple) and len(size) == 2 and all(isinstance(side, int) and side > 0 for side in size):
        return size[0], size[1]
    raise InputError(f"found the size {size!r:.40}, expected width x height such as 30x40, or one number for the longer side")


# -- cells of pixels ---------------------------------------------------------------------------------------------------


def cells_of(
    picture: Greys | Image.Image,
    size: tuple[int, int | None] | None = None,
    *,
    threshold: float | None = None,
    invert: bool = False,
    colors: int = 1,
) -> PictureCells:
    """The picture in cells.

    `size`: width and height in cells. If the height is None, the width is the longer side and the picture keeps its proportions.
    None: one cell for each pixel if no side is longer than `AS_IT_IS`. `threshold`: in percent, from black (0) to white (100);
    None: Otsu's method. `invert`: fill the light cells. `colors`: number of colors of filled cells; from 2 on, the picture is
    reduced to this number of colors and the background, its lightest color. InputError for an invalid size, and for colors of a
    picture without color.
    """
    width, height = (len(picture[0]), len(picture)) if isinstance(picture, list) else picture.size
    if size is None and max(width, height) > AS_IT_IS:
        raise InputError(
            f"found a picture of {width} x {height} pixels and no size, expected a number of cells such as --size 30"
        )
    across, down = size or (width, height)
    if down is None:
        longest = max(width, height)
        across, down = max(1, round(width * across / longest)), max(1, round(height * across / longest))
    checked_amount("cells", across * down, found=f"a size of {across} x {down} cells")
    if colors > 1:
        if isinstance(picture, list):
            raise InputError("found a picture in black and white, expected a picture with colors, such as a PNG file")
        return _reduced(picture, across, down, colors)
    if isinstance(picture, list) and (across, down) != (width, height):
        pixels = bytes(value for row in picture for value in row)
        picture = _by_pillow(b"P5 %d %d 255\n" % (width, height) + pixels, "the drawing")
    if isinstance(picture, list):
        greys = [list(map(float, row)) for row in picture]
    else:
        from PIL import Image

        values = picture.convert("L").resize((across, down), Image.Resampling.BOX).tobytes()
        greys = [[float(value) for value in values[row * across : (row + 1) * across]] for row in range(down)]
    level = otsu(greys) if threshold is None else threshold * 255 / 100
    rows = tuple(tuple(int((grey <= level) != invert) for grey in row) for row in greys)
    return PictureCells(rows, how=f"threshold {level * 100 / 255:.0f} %")


def otsu(greys: list[list[float]]) -> float:
    """Otsu's threshold (1979): the threshold with the largest variance between the two groups of cells; cells up to it are dark.
    For a single gray, a half.

    >>> otsu([[10.0, 12.0, 200.0, 210.0]])
    106.0
    """
    ordered = sorted(grey for row in greys for grey in row)
    total, count, before = sum(ordered), len(ordered), 0.0
    best, level = 0.0, 127.5
    for dark, (grey, following) in enumerate(pairwise(ordered), start=1):
        before += grey
        if following > grey:
            apart = dark * (count - dark) * (before / dark - (total - before) / (count - dark)) ** 2
            if apart > best:
                best, level = apart, (grey + following) / 2
    return level


def _reduced(picture: Image.Image, across: int, down: int, colors: int) -> PictureCells:
    """Each cell in the color, or the background, of most of its pixels; k-means finds the colors."""
    from PIL import Image

    few = picture.quantize(colors + 1, method=Image.Quantize.MAXCOVERAGE, kmeans=colors + 1, dither=Image.Dither.NONE)
    table, counts = few.getpalette() or [], few.histogram()
    used = sorted((n for n in range(256) if counts[n]), key=lambda n: -sum(table[3 * n : 3 * n + 3]))
    if len(used) < 2:
        raise InputError("found a picture of one color, expected at least two")
    shares = []  # the share of each color in each cell
    for number in used:
        mask = few.tobytes().translate(bytes(255 * (value == number) for value in range(256)))
        shares.append(Image.frombytes("L", few.size, mask).resize((across, down), Image.Resampling.BOX).tobytes())
    ranks = [max(range(len(used)), key=lambda rank: shares[rank][cell]) for cell in range(across * down)]
    rows = tuple(tuple(ranks[row * across : (row + 1) * across]) for row in range(down))
    values = ["#" + bytes(table[3 * number : 3 * number + 3]).hex() for number in used]
    return PictureCells(rows, (WHITE, *values[1:]), how=f"{len(values) - 1} colors and the background")


# -- files -------------------------------------------------------------------------------------------------------------


Greys = list[list[int]]
"""Rows of values from 0 (black) to 255 (white)."""

FILLED, EMPTY = "#", ". "
"""The characters of a drawing."""
MOST_PIXELS = 50_000_000
RENDERED = 1024
"""The longer side, in pixels, in which an SVG is rendered before it is reduced."""


def open_picture(source: Source) -> Greys | Image.Image:
    """The picture in a file: gray values for a drawing in characters, otherwise an image of Pillow in RGB on white.

    InputError for data that is not a picture, for a picture that is too large, and if a required package is not installed.
    """
    data = source.data
    text = "\0"
    with contextlib.suppress(UnicodeDecodeError):
        text = data.decode("utf-8-sig")
    if "\0" not in text:
        if root_name(text) == "svg" or root_name(text).endswith(":svg"):
            return _by_pillow(_rendered(parse_xml(text, source.name, "an SVG"), text), source.name)
        if not text.startswith(("P1", "P2", "P3")):
            return read_drawing(source)
    return _by_pillow(data, source.name)


def read_drawing(source: Source) -> Greys:
    """A drawing with one character for each cell: `#` is filled, `.` and a space are empty; short rows end in empty cells."""
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


# -- by other packages ----------------------------------------------------------------------------------------------------


def _by_pillow(data: bytes, name: str) -> Image.Image:
    """The image in RGB on white, in its upright orientation."""
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise InputError(
            f"this picture needs Pillow, which is not installed: {install_extra('pictures')} (drawings of # and . do not)",
            source=name,
        ) from None
    try:
        image: Any = Image.open(io.BytesIO(data))
    except Exception as error:  # Pillow raises many types for damaged files
        raise InputError("found no picture that can be read (PNG, JPEG, GIF, WebP, PBM, SVG, # and .)", source=name) from error
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise InputError(f"found a picture of {width} x {height} pixels, expected at most {MOST_PIXELS}", source=name)
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
                raise element.error(f"found a link to {shortened(value)}, expected an SVG without references to other files")
    try:
        import vl_convert
    except ImportError:
        raise root.error(
            f"SVG needs vl-convert, which is not installed: {install_extra('pictures')}; or convert the file to PNG"
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
    """A length in user units; other units count as user units. None without a length."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{0,9})?)(px|pt|mm|cm|in|em)?", text.strip())
    scale = {"pt": 4 / 3, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
    return None if match is None else float(match[1]) * scale.get(match[2] or "", 1.0)
