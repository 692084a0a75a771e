"""Half-filled grids: the option `known` of the reader gives cells that are known beforehand.

    saved       the half-filled grid in the puzzle file; saved:2 the second one
    goal        the picture in the puzzle file
    |##?|.#.|   the grid itself, with each row between two bars

Commands and `read` also accept the name of a file with a drawing of the grid, one row per line (blanks are ignored):

    ##?
    .#.

Each cell has the sign of a color of the puzzle, or `?` if it is not known. In black and white, `#`, `X`, and `1` are black, `.`
and `0` are white, as in webpbn and `.non`.

`KnownCells` finds known cells that contradict each other or the clues (`capabilities.Givens`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import STDIN, Source, open_source
from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.clues import Lines
from cnfgen_puzzles.families.clued.encodings import known_literals
from cnfgen_puzzles.families.nonogram.puzzle import Known, Nonogram, known_cells
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Block

UNKNOWN = "?"
EQUAL = {"X": "#", "x": "#", "1": "#", "0": "."}
"""Other signs of black and white."""
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
    filled = lines.find_filled(0, len(lines))
    rows = [re.sub(r"\s", "", lines[index]) for index in filled]
    rows = [row[1:-1] if len(row) > 1 and row[0] + row[-1] == "||" else row for row in rows]
    for index, row in zip(filled, rows, strict=True):
        if "|" in row:
            raise lines.error(index, f"found {shortened(row)}, expected a row of the grid with one sign per cell")
    grid = GridText(f"|{'|'.join(rows)}|")
    grid.source, grid.lines = source.name, [index + 1 for index in filled]
    return grid


OPTION = Option(
    "known",
    "cells of a half-filled board, to find mistakes: saved or goal (in the puzzle file), or a drawing of #, ?, and dots",
    file=known_value,
)


def read_once(wanted: str | None, source: Source | None) -> None:
    """InputError if the puzzle and its known cells are both to come from standard input."""
    if source is not None and source.name == STDIN == getattr(wanted, "source", None):
        raise InputError("found - for the puzzle and for its known cells, expected it once: standard input can be read once")


def with_known(puzzle: Nonogram, wanted: str, source: str) -> Nonogram:
    """The puzzle with the known cells that the option names; `source` is the name of the puzzle file, for errors."""
    if wanted == "goal":
        if puzzle.goal is None:
            raise InputError("found no goal, expected a goal that gives the known cells", source=source)
        return replace(puzzle, known=puzzle.goal)
    if chosen := SAVED.fullmatch(wanted):
        return replace(puzzle, known=_saved(puzzle, chosen[1], source))
    if not wanted.startswith("|"):
        raise InputError(f"found {shortened(wanted)} for known, {EXPECTED}")
    return replace(puzzle, known=_grid(puzzle, wanted))


def _saved(puzzle: Nonogram, number: str | None, source: str) -> Known:
    """One of the saved grids of the puzzle."""
    count = len(puzzle.saved)
    if count == 0:
        raise InputError("found no saved grid, expected one that gives the known cells", source=source)
    if number is None and count > 1:
        raise InputError(f"found {count} saved grids, expected one: select it with saved:1 to saved:{count}", source=source)
    if int(number or 1) > count:
        grids = "one saved grid" if count == 1 else f"{count} saved grids"
        raise InputError(f"found {grids}, expected at least {number}", source=source)
    return puzzle.saved[int(number or 1) - 1]


def _grid(puzzle: Nonogram, text: str) -> Known:
    """The grid in the text, checked against the size and colors of the puzzle."""
    values: dict[str, int | None] = {color.sign: value for value, color in enumerate(puzzle.palette)}
    signs = " ".join([*values, UNKNOWN])
    if puzzle.inks == 1:
        values |= {sign: values[same] for sign, same in EQUAL.items() if same in values and sign not in values}
    return grid_of(text, (puzzle.height, puzzle.width), values, signs)


def grid_of(text: str, shape: tuple[int, int], values: Mapping[str, int | None], signs: str) -> Known:
    """The values of the signs in the text, None for `?`; InputError names the line of a wrong row. `signs` are those expected."""
    checked_amount("steps", len(text), found=f"a grid of {len(text)} signs")
    rows, (height, width) = text.removeprefix("|").removesuffix("|").split("|"), shape

    def error(number: int, message: str) -> InputError:
        if isinstance(text, GridText):
            return InputError(message, source=text.source, line=text.lines[number])
        return InputError(f"{message} (row {number + 1} of the known cells)")

    values = {**values, UNKNOWN: None}
    for number, row in enumerate(rows):
        if number == height:
            raise error(number, f"found row {number + 1} of the grid, expected {height} rows as in the puzzle")
        if len(row) != width:
            raise error(number, f"found {len(row)} cells, expected {width} as in the puzzle")
        if unknown := next((sign for sign in row if sign not in values), None):
            raise error(number, f"found {unknown!r}, expected only {signs}")
    if len(rows) < height:
        raise error(len(rows) - 1, f"found the end after row {len(rows)}, expected {height} rows as in the puzzle")
    return tuple(tuple(values[sign] for sign in row) for row in rows)


class KnownCells(Givens):
    """The known cells, row by row."""

    name = "known cell"
    rest = "clues"

    def count(self, puzzle: Nonogram) -> int:
        return sum(1 for _ in known_cells(puzzle))

    def entries(self, puzzle: Nonogram, blocks: Mapping[str, Block]) -> Sequence[Given]:
        names = [color.name for color in puzzle.palette]
        return [
            Given(f"{place} is {names[color]}", {"row": r + 1, "column": c + 1, "color": names[color]}, tuple(literals))
            for (place, r, c, color), literals in zip(known_cells(puzzle), known_literals(puzzle, blocks["cell"]), strict=True)
        ]

    def only(self, puzzle: Nonogram, numbers: Collection[int]) -> Nonogram:
        kept = {(r, c) for number, (_, r, c, _) in enumerate(known_cells(puzzle)) if number in numbers}
        grid = (tuple(v if (r, c) in kept else None for c, v in enumerate(line)) for r, line in enumerate(puzzle.known))
        return replace(puzzle, known=tuple(grid))
