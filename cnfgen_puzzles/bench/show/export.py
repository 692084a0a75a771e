"""Results as CSV, Parquet, JSON or a spreadsheet: one row a run, nested fields under names such as `cnf.variables`.

The newest record of each run is exported, with everything that it holds; for scores see `tables.py`, for GBD `gbdexport.py`.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.show.flatten import common_kind, flat, in_order, of_kind, plain
from cnfgen_puzzles.common.errors import InputError

MOST_ROWS = 1_048_575
"""Runs in a sheet: a format's limit, less the line of headers."""
MOST_TEXT = 32_767
"""Characters in a cell of a spreadsheet."""
PART = 20_000
"""Runs that are in memory at a time."""


def columns(records: Iterable[Record]) -> list[str]:
    """The names of all fields in the order of the table of fields, where what people look for comes first; unknown ones last."""
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(_names(record)))
    return in_order(names)


def _names(record: Record) -> Iterator[str]:
    """The names that `flat` gives, without the values."""
    for name, value in record.items():
        if isinstance(value, dict) and name != "board":
            yield from (f"{name}.{inner}" for inner in _names(value))
        else:
            yield name


def write_json(records: Sequence[Record], stream: BinaryIO) -> None:
    """A list of objects, nested as they are."""
    stream.write(b"[")
    for number, record in enumerate(records):
        text = json.dumps(record, ensure_ascii=False)
        stream.write((b",\n" if number else b"\n") + text.encode("utf-8", "backslashreplace"))
    stream.write(b"\n]\n")


def write_csv(records: Sequence[Record], stream: BinaryIO) -> None:
    """Comma-separated values with a line of headers, as RFC 4180 has them, in UTF-8. Null is an empty field."""
    names = columns(records)
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        rows = csv.writer(text, lineterminator="\r\n")
        rows.writerow(names)
        for record in records:
            row = flat(record)
            cells = [row.get(name) for name in names]
            rows.writerow([plain(cell) if cell is True or cell is False else cell for cell in cells])
    finally:
        text.detach()


def write_parquet(records: Sequence[Record], stream: BinaryIO) -> None:
    """A Parquet file: numbers as numbers, texts as texts, null where a run has nothing to say."""
    try:
        import polars
    except ImportError:
        raise InputError("Parquet needs the package polars: pip install 'cnfgen-puzzles[bench]'") from None
    from cnfgen_puzzles.common.scratch import ScratchFolder

    kinds: dict[str, set[type]] = {}
    for record in records:
        for name, value in flat(record).items():
            kinds.setdefault(name, set()).add(type(value))
    made = {name: common_kind(kinds[name]) for name in in_order(kinds)}
    types: dict[type, Any] = {bool: polars.Boolean, int: polars.Int64, float: polars.Float64, str: polars.String}
    schema = {name: types[kind] for name, kind in made.items()}
    with ScratchFolder("export") as scratch:  # a part at a time, so that any number of runs needs little memory
        parts: list[Path] = []
        rest = iter(records)
        while rows := [flat(record) for record in islice(rest, PART)]:
            columns = {name: [of_kind(kind, row.get(name)) for row in rows] for name, kind in made.items()}
            parts.append(scratch.path / f"{len(parts)}.parquet")
            polars.DataFrame(columns, schema=schema).write_parquet(parts[-1])
        if len(parts) > 1:
            whole = scratch.path / "whole.parquet"
            polars.scan_parquet(parts).sink_parquet(whole)
            parts = [whole]
        for path in parts:
            with path.open("rb") as source:
                shutil.copyfileobj(source, stream)


def write_xlsx(records: Sequence[Record], stream: BinaryIO) -> None:
    """A workbook with one sheet: headers that stay in sight and filter, numbers as numbers, no text as a formula."""
    os.environ.setdefault("OPENPYXL_LXML", "False")  # with lxml, a full disk is an exception that is no OSError
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter
    except ImportError:
        raise InputError("spreadsheets need the package openpyxl: pip install 'cnfgen-puzzles[bench]'") from None
    if len(records) > MOST_ROWS:
        raise InputError(
            f"found {len(records)} runs, expected at most {MOST_ROWS} for a sheet; --csv and --parquet take any number"
        )
    book = Workbook(write_only=True)
    sheet = book.create_sheet("runs")
    names = columns(records)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(max(len(names), 1))}{len(records) + 1}"
    for number, name in enumerate(names, start=1):
        sheet.column_dimensions[get_column_letter(number)].width = min(max(len(name) + 3, 10), 30)

    def cell(value: Any, bold: bool = False) -> Any:
        if not isinstance(value, str):
            return value
        made = WriteOnlyCell(sheet, _text(value))
        made.data_type = "s"  # a text that begins with = is a text
        if bold:
            made.font = Font(bold=True)
        return made

    sheet.append([cell(name, bold=True) for name in names])
    for record in records:
        row = flat(record)
        sheet.append([cell(row.get(name)) for name in names])
    whole = io.BytesIO()  # openpyxl complains once more, at exit, of a stream that refuses
    book.save(whole)
    stream.write(whole.getbuffer())


def _text(value: str) -> str:
    """Text that a spreadsheet can hold: no control characters, not too long."""
    legal = "".join(c if (c >= " " and c not in "\ufffe\uffff") or c in "\t\n" else "\ufffd" for c in value)
    legal = legal.encode("utf-8", "replace").decode("utf-8")
    return legal if len(legal) <= MOST_TEXT else legal[: MOST_TEXT - 4] + " ..."
