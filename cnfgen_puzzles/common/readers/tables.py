"""A reader of CSV tables with a header line, separated by commas, semicolons, tabs, or blanks; errors name the line."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import open_file

Value = str | int | float
SEPARATORS = "\t;, "
NOTHING = ("", "[None]", "None", "null", "NA", "nan", "NaN")
"""The texts for a missing value: empty, and those of GBD, Python, SQL, R, and pandas."""
WHOLE = regex(r"-?(0|[1-9][0-9]{0,17})")
NUMBER = regex(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,4})?")


@dataclass(frozen=True)
class Row:
    """A line with its number: its values by the names of columns."""

    line: int
    values: dict[str, Value]


@dataclass(frozen=True)
class CsvTable:
    """A file's columns in their order, and its rows."""

    source: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def error(self, message: str, line: int) -> InputError:
        return InputError(message, source=self.source, line=line)


def read_csv_table(path: str | os.PathLike[str]) -> CsvTable:
    """The table in a file with a header line.

    A column contains numbers if all its values are whole numbers, or all are numbers; `007` and `1_000` are texts.
    """
    source = str(path)
    text = open_file(os.fspath(path)).text()
    first = text.partition("\n")[0]
    separator = max(SEPARATORS, key=lambda each: (first.count(each) > 0, -SEPARATORS.index(each)))
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    lines: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((reader.line_num, [cell.strip() for cell in cells]))
                checked_amount("runs", len(lines), source=source, line=reader.line_num)
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", source=source, line=reader.line_num) from None
    if not lines:
        raise InputError("found an empty file, expected a header line", source=source, line=1)
    columns = _headers(lines.pop(0), source)
    for line, cells in lines:
        if len(cells) != len(columns):
            raise InputError(f"found {len(cells)} cells, expected {len(columns)} as in the headers", source=source, line=line)
    kinds = [_kind(cells[number] for _, cells in lines) for number in range(len(columns))]
    rows = tuple(
        Row(line, {n: kind(c) for n, kind, c in zip(columns, kinds, cells, strict=True) if c not in NOTHING})
        for line, cells in lines
    )
    return CsvTable(source, tuple(columns), rows)


def _headers(line: tuple[int, list[str]], source: str) -> list[str]:
    number, names = line
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None or "" in names:
        found = f"the column {twice!r} a second time" if twice else "a column without a name"
        raise InputError(f"found {found}, expected names that differ", source=source, line=number)
    return names


def _kind(cells: Iterable[str]) -> Callable[[str], Value]:
    """The type of the values of a column: whole numbers, numbers, or texts."""
    kind: Callable[[str], Value] = int
    for cell in cells:
        if cell in NOTHING:
            continue
        if kind is int and not WHOLE.fullmatch(cell):
            kind = float
        if kind is float and not (NUMBER.fullmatch(cell) and math.isfinite(float(cell))):
            return str
    return kind
