"""Results as CSV, Parquet, JSON or a spreadsheet: one row a run, nested fields under names such as `cnf.variables`.

The newest record of each run is exported, with everything that it holds; for scores see `tables.py`, for GBD `gbdexport.py`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from cnfgen_puzzles.bench.record import FIELDS, Record
from cnfgen_puzzles.ground.errors import InputError

MOST_ROWS = 1_048_575
"""Runs in a sheet: a format's limit, less the line of headers."""
MOST_TEXT = 32_767
"""Characters in a cell of a spreadsheet."""


def flat(record: Record) -> Record:
    """Nested objects as dotted names, lists as JSON; an empty object is left out.

    >>> flat({"status": "TIMEOUT", "limits": {"cpu": 5, "memory": None}, "cores": [0, 1]})
    {'status': 'TIMEOUT', 'limits.cpu': 5, 'limits.memory': None, 'cores': '[0, 1]'}
    """
    row: Record = {}
    for name, value in record.items():
        if name == "board":  # one value, whatever its shape
            row[name] = None if value is None else json.dumps(value, ensure_ascii=False)
        elif isinstance(value, dict):
            row.update({f"{name}.{inner}": part for inner, part in flat(value).items()})
        elif isinstance(value, (list, tuple)):
            row[name] = json.dumps(value, ensure_ascii=False)
        else:
            row[name] = value
    return row


def columns(records: Iterable[Record]) -> list[str]:
    """The names of all fields in the order of the table of fields, where what people look for comes first; unknown ones last."""
    names = dict.fromkeys(name for record in records for name in flat(record))
    places = {name: place for place, name in enumerate(FIELDS)}
    return sorted(names, key=lambda name: places.get(name.partition(".")[0], len(places)))


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
            rows.writerow([_plain(row.get(name)) for name in names])
    finally:
        text.detach()


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def write_parquet(records: Sequence[Record], stream: BinaryIO) -> None:
    """A Parquet file: numbers as numbers, texts as texts, null where a run has nothing to say."""
    try:
        import polars
    except ImportError:
        raise InputError("Parquet needs the package polars: pip install 'cnfgen-puzzles[bench]'") from None
    rows = [flat(record) for record in records]
    types: dict[type, Any] = {bool: polars.Boolean, int: polars.Int64, float: polars.Float64, str: polars.String}
    made = {}
    for name in columns(records):
        values = [row.get(name) for row in rows]
        kind = _common_kind(values)
        made[name] = polars.Series(name, [None if v is None else _of_kind(kind, v) for v in values], dtype=types[kind])
    polars.DataFrame(made).write_parquet(stream)


def _common_kind(values: Iterable[Any]) -> type:
    """The kind that all values of a column have: whole numbers among others are numbers, all that is mixed is text."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return float
    return kinds.pop() if len(kinds) == 1 and kinds <= {bool, int, float, str} else str


def _of_kind(kind: type, value: Any) -> Any:
    if kind is not str:
        return kind(value)
    return str(_plain(value)).encode("utf-8", "backslashreplace").decode()  # a file's name may be any bytes


def write_xlsx(records: Sequence[Record], stream: BinaryIO) -> None:
    """A workbook with one sheet: headers that stay in sight and filter, numbers as numbers, no text as a formula."""
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter
    except ImportError:
        raise InputError("spreadsheets need the package openpyxl: pip install 'cnfgen-puzzles[bench]'") from None
    if len(records) > MOST_ROWS:
        raise InputError(f"found {len(records)} runs, a sheet holds {MOST_ROWS}; use --csv")
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
