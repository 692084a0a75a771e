"""Cells of pixels: each cell is the mean of the pixels in it, and filled where that is darker than a threshold.

Without dithering, which makes good photographs and bad puzzles: single cells all over the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.pictures.files import Greys

if TYPE_CHECKING:
    from PIL import Image

AS_IT_IS = 100
"""A picture whose sides are no longer keeps its pixels as cells where no size is given."""
WHITE = "#ffffff"


@dataclass(frozen=True)
class Cells:
    """A picture in cells: `rows` of numbers of colours, 0 for the background. `values` are the colours as `#rrggbb`, the
    background's first; empty for black on white. `told` says how it was made."""

    rows: tuple[tuple[int, ...], ...]
    values: tuple[str, ...] = ()
    told: str = ""


def cells_of(
    picture: Greys | Image.Image,
    size: tuple[int, int | None] | None = None,
    *,
    threshold: float | None = None,
    invert: bool = False,
    colours: int = 1,
) -> Cells:
    """The picture in cells.

    `size`: width and height in cells; with None for the height the longer side, so that it keeps its shape; None: a cell a pixel,
    for pictures whose sides are `AS_IT_IS` at most. `threshold`: in percent, from black (0) to white (100); None: Otsu's, which
    parts the cells into two groups as alike in themselves as can be. `invert`: the light cells are filled. `colours`: of filled
    cells; from 2 on the picture is reduced to so many and paper, which is its lightest colour. InputError for a size that cannot
    be, and for colours of a picture without any.
    """
    width, height = (len(picture[0]), len(picture)) if isinstance(picture, list) else picture.size
    across, down = _size(width, height, size)
    checked_amount("cells", across * down, found=f"a size of {across} x {down} cells")
    if colours > 1:
        if isinstance(picture, list):
            raise InputError("found a picture in black and white, expected one with colours, as for PNG")
        return _reduced(picture, across, down, colours)
    greys = means(picture, across, down) if isinstance(picture, list) else _means_by_pillow(picture, across, down)
    level = otsu(greys) if threshold is None else threshold * 255 / 100
    rows = tuple(tuple(int((grey <= level) != invert) for grey in row) for row in greys)
    return Cells(rows, told=f"threshold {level * 100 / 255:.0f} %")


def _size(width: int, height: int, size: tuple[int, int | None] | None) -> tuple[int, int]:
    if size is None:
        if max(width, height) > AS_IT_IS:
            raise InputError(f"found a picture of {width} x {height} pixels and no size: say how many cells, as with --size 30")
        return width, height
    first, second = size
    if second is not None:
        return first, second
    longest = max(width, height)
    return max(1, round(width * first / longest)), max(1, round(height * first / longest))


def means(greys: Greys, across: int, down: int) -> list[list[float]]:
    """The picture in so many cells, each the mean of the pixels in it, those on its border in part.

    >>> means([[0, 30, 90]], 2, 1)
    [[10.0, 70.0]]
    """
    rows = [_shares(row, across) for row in greys]
    return [list(column) for column in zip(*(_shares(column, down) for column in zip(*rows, strict=True)), strict=True)]


def _shares(line: Any, count: int) -> list[float]:
    """The means of so many equal parts of a line of numbers."""
    size = len(line)
    if size == count:
        return list(map(float, line))
    found = []
    for part in range(count):
        first, last = part * size / count, (part + 1) * size / count
        total, q = 0.0, int(first)
        while q < size and q < last:
            total += line[q] * (min(q + 1, last) - max(q, first))
            q += 1
        found.append(total / (last - first))
    return found


def otsu(greys: list[list[float]]) -> float:
    """Otsu's threshold (1979): of all, the one by which the means of both groups lie apart the most, by the groups' sizes; cells
    up to it are dark. Of one grey alone, a half.

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


def _means_by_pillow(picture: Image.Image, across: int, down: int) -> list[list[float]]:
    from PIL import Image

    small = picture.convert("L").resize((across, down), Image.Resampling.BOX)
    values = list(small.tobytes())
    return [[float(value) for value in values[row * across : (row + 1) * across]] for row in range(down)]


def _reduced(picture: Image.Image, across: int, down: int, colours: int) -> Cells:
    """Each cell in the one of so many colours and paper that most of its pixels have; the colours are found by k-means."""
    from PIL import Image

    few = picture.quantize(colours + 1, method=Image.Quantize.MAXCOVERAGE, kmeans=colours + 1, dither=Image.Dither.NONE)
    table, counts = few.getpalette() or [], few.histogram()
    used = sorted((n for n in range(256) if counts[n]), key=lambda n: -sum(table[3 * n : 3 * n + 3]))
    if len(used) < 2:
        raise InputError("found a picture of one colour, expected at least two")
    shares = [_share(few, number, across, down) for number in used]
    ranks = [max(range(len(used)), key=lambda rank: shares[rank][cell]) for cell in range(across * down)]
    rows = tuple(tuple(ranks[row * across : (row + 1) * across]) for row in range(down))
    values = ["#" + bytes(table[3 * number : 3 * number + 3]).hex() for number in used]
    return Cells(rows, (WHITE, *values[1:]), f"{len(values) - 1} colours and paper")


def _share(picture: Image.Image, number: int, across: int, down: int) -> bytes:
    """How much of each cell has the colour of this number."""
    from PIL import Image

    mask = Image.frombytes("L", picture.size, picture.tobytes().translate(bytes(255 * (value == number) for value in range(256))))
    return mask.resize((across, down), Image.Resampling.BOX).tobytes()
