"""Pictures that puzzles are made of, whatever they come as: a file, a drawing, rows of cells, a puzzle that says its solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.pictures.cells import cells_of
from cnfgen_puzzles.common.pictures.files import Greys, open_picture
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.capabilities import Making, Rows
from cnfgen_puzzles.families.options import two_sides


@dataclass(frozen=True)
class Picture:
    """A picture in cells: `rows` of values, the `values` of its colours (empty: black on white), what is known `about` it, and
    in words how it was made of pixels."""

    rows: Rows
    values: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    told: str = ""


def making_of(family: Family) -> Making:
    """How the family makes puzzles; InputError if it makes none."""
    if family.making is None:
        raise InputError(f"found the family {family.name}, expected one whose puzzles can be made of pictures")
    return family.making


def picture_of(family: Family, what: Any, values: Sequence[str] = (), **options: Any) -> Picture:
    """The picture that `what` is: the path of a file, a drawing (a string with line ends, or rows of strings, of `#` and `.`), a
    puzzle of the family, or rows of numbers of colours, whose `values` are told. `options` are those of `cells_of`, for pixels.

    InputError for what is none, and for options that do not fit.
    """
    if isinstance(what, str | Path) and "\n" not in str(what):
        return picture_in(family, str(what), **options)
    if isinstance(what, family.puzzle):
        return _of_puzzle(family, what, None, options)
    rows = what.strip("\n").split("\n") if isinstance(what, str) else _rows(what)
    if rows and all(isinstance(row, str) for row in rows):
        return _of_pixels(open_picture(Source("the drawing", "\n".join(rows).encode())), options)
    return Picture(_board(rows, values, options), tuple(values))


def picture_in(family: Family, file: str, **options: Any) -> Picture:
    """The picture in a file: of pixels or signs, or that of a puzzle."""
    source = open_source(file)
    if any(source.suffix in entry.suffixes for entry in family.formats.values()):
        return _of_puzzle(family, family.read(source), source.name, options)
    try:
        return _of_pixels(open_picture(source), options)
    except InputError as error:
        raise InputError(error.message, source=error.source or source.name, line=error.line) from None


def sides_of(size: Any) -> tuple[int, int | None]:
    """Width and height in cells, or the longer side and None: of `30x40`, `30`, or a pair."""
    if isinstance(size, int) and not isinstance(size, bool) and size > 0:
        return size, None
    if isinstance(size, str) and (sides := two_sides(size)) is not None:
        return sides if "x" in size.lower() or "×" in size else (sides[0], None)
    if isinstance(size, tuple) and len(size) == 2 and all(isinstance(side, int) and side > 0 for side in size):
        return size[0], size[1]
    raise InputError(f"found the size {size!r:.40}, expected width x height such as 30x40, or one number for the longer side")


def _of_pixels(pixels: Greys | Any, options: Mapping[str, Any]) -> Picture:
    given = {name: value for name, value in options.items() if value is not None}
    if "size" in given:
        given["size"] = sides_of(given["size"])
    cells = cells_of(pixels, **given)
    return Picture(cells.rows, cells.values, {}, cells.told)


def _of_puzzle(family: Family, puzzle: Any, name: str | None, options: Mapping[str, Any]) -> Picture:
    _no_pixels(options, name)
    known = making_of(family).picture(puzzle)
    if known is None:
        raise InputError(f"found a {family.name} without its picture, expected one that says its solution", source=name)
    rows, values = known
    return Picture(rows, values, dict(puzzle.about))


def _rows(what: Any) -> list[Any]:
    try:
        return [row if isinstance(row, str) else list(row) for row in what]
    except TypeError:
        raise InputError(f"found {what!r:.60}, expected a picture: a path, a drawing of # and ., or rows of cells") from None


def _board(rows: list[Any], values: Sequence[str], options: Mapping[str, Any]) -> Rows:
    _no_pixels(options, None)
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        raise InputError("found a picture without cells, or with rows of different lengths")
    most = len(values) - 1 if values else 1
    for number, row in enumerate(rows, start=1):
        for value in row:
            if isinstance(value, str) or value not in range(most + 1):
                raise InputError(f"row {number} of the picture: found {value!r:.40}, expected a colour's number from 0 to {most}")
    return tuple(tuple(map(int, row)) for row in rows)


def _no_pixels(options: Mapping[str, Any], name: str | None) -> None:
    if wrong := next((option for option, value in options.items() if value is not None), None):
        raise InputError(f"found {wrong}, which is for pictures of pixels", source=name)
