"""Half-filled boards as text: a drawing in a file or in the option `known`, with `?` for an unknown cell.

`nonogram/knowncells.py` and `grid/layer/genre.py` give the signs of a drawing their meaning.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import STDIN, Source, open_source
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.clues import Lines
from cnfgen_puzzles.families.clued.puzzle import Known

UNKNOWN = "?"
SAVED = regex(r"saved(?::([1-9][0-9]{0,5}))?")
NO_FILE = regex(r"\s*(?:(?:saved|goal)\s*(?::.*)?)?", re.IGNORECASE)
"""A word or a grid; other text is the name of a file."""
EXPECTED = "expected saved (or saved:1 of several), goal, or rows such as |##?|.#.|"


class GridText(str):
    """A grid as text, `|##?|.#.|`, with its origin for errors: the name of the file, and the line of each row."""

    source: str
    lines: list[int]


def known_value(given: Any) -> Any:
    """The value that a user gave as `known`: a word or a grid unchanged, else the grid in the file of that name."""
    if isinstance(given, str) and (given.startswith("|") or given == "goal" or SAVED.fullmatch(given)):
        return given
    if not isinstance(given, str | os.PathLike) or NO_FILE.fullmatch(os.fspath(given)):
        raise InputError(f"found {given!r:.40} for known, {EXPECTED}, or the name of a file with such rows")
    return grid_in(open_source(os.fspath(given)))


def grid_in(source: Source) -> GridText:
    """The grid in a file, or the whole text of a file of pzpr; InputError names its line."""
    if source.data.startswith(b"pzprv3"):
        whole = GridText(source.text())
        whole.source, whole.lines = source.name, []
        return whole
    lines = Lines(source.text(), source.name, "a drawing of a half-filled grid", 2 * MOST_SIDE)
    rows = [re.sub(r"\s", "", lines[index]) for index in lines.filled]
    rows = [row[1:-1] if len(row) > 1 and row[0] + row[-1] == "||" else row for row in rows]
    for index, row in zip(lines.filled, rows, strict=True):
        if "|" in row:
            raise lines.error(index, f"found {shortened(row)}, expected a row of the grid with one sign per cell")
    grid = GridText(f"|{'|'.join(rows)}|")
    grid.source, grid.lines = source.name, [index + 1 for index in lines.filled]
    return grid


def read_once(wanted: str | None, source: Source | None) -> None:
    """InputError if the puzzle and its known cells are both to come from standard input."""
    if source is not None and source.name == STDIN == getattr(wanted, "source", None):
        raise InputError("found - for the puzzle and for its known cells, expected it once: standard input can be read once")


def grid_of(text: str, shape: tuple[int, int], values: Mapping[str, int | None], signs: str) -> Known:
    """The values of the signs in the text, None for `?`; InputError names the line of a wrong row. `signs` are those expected."""
    checked_amount("steps", len(text), found=f"a grid of {len(text)} signs")
    rows, (height, width) = text.removeprefix("|").removesuffix("|").split("|"), shape

    def error(number: int, message: str) -> InputError:
        if isinstance(text, GridText):
            return InputError(message, source=text.source, line=text.lines[number])
        return InputError(f"{message} (row {number + 1} of the known cells)")

    values = {**values, UNKNOWN: None}
    if len(rows) != height:
        raise error(min(len(rows) - 1, height), f"found {len(rows)} rows, expected {height} as in the puzzle")
    for number, row in enumerate(rows):
        if len(row) != width:
            raise error(number, f"found {len(row)} cells, expected {width} as in the puzzle")
        if unknown := next((sign for sign in row if sign not in values), None):
            raise error(number, f"found {unknown!r}, expected only {signs}")
    return tuple(tuple(values[sign] for sign in row) for row in rows)
