"""Results as CSV, Parquet, or JSON: one row per run, nested fields under names such as `cnf.variables`.

The export contains all fields of the newest record of each run; for scores, see `tables.py`.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO
from warnings import catch_warnings, simplefilter

from cnfgen_puzzles.bench.record import FIELDS, Record, flat
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.installation import install_extra

FORMULA = re.compile("(?![-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\\Z)[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")
"""The beginning of a cell that a spreadsheet would compute; a signed number is not one."""


def text_cell(value: Any) -> Any:
    """The value of a cell; a text that a spreadsheet would take for a formula gets an apostrophe.

    >>> text_cell("=1+1"), text_cell("-x"), text_cell("-5"), text_cell(-5)
    ("'=1+1", "'-x", '-5', -5)
    """
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def in_order(names: Iterable[str]) -> list[str]:
    """The names of columns in the order of the table of fields; unknown ones last."""
    places = {name: place for place, name in enumerate(FIELDS)}
    return sorted(names, key=lambda name: places.get(name.partition(".")[0], len(places)))


def write_json(records: Sequence[Record], stream: BinaryIO) -> None:
    """A list of nested objects."""
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    stream.write(f"[\n{lines}\n]\n".encode("utf-8", "backslashreplace"))


@contextlib.contextmanager
def csv_writer(stream: BinaryIO, ending: str) -> Iterator[Any]:
    """A writer of comma-separated values (RFC 4180) in UTF-8 to a stream that stays open."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        yield csv.writer(text, lineterminator=ending)
    finally:
        text.detach()


def write_csv(records: Sequence[Record], stream: BinaryIO) -> None:
    """Comma-separated values with a header. Null is an empty field."""
    names = in_order(dict.fromkeys(name for record in records for name in flat(record)))
    with csv_writer(stream, "\r\n") as rows:
        rows.writerow(map(text_cell, names))
        for record in records:
            row = flat(record)
            cells = [text_cell(row.get(name)) for name in names]
            rows.writerow([str(cell).lower() if cell is True or cell is False else cell for cell in cells])


def write_parquet(records: Sequence[Record], stream: BinaryIO) -> None:
    """A Parquet file with typed columns; a missing value is null. Integers and floats become floats, other mixtures text."""
    try:
        with catch_warnings():
            simplefilter("error", UserWarning)  # polars only warns if its binary does not load
            import polars
    except UserWarning as warning:
        raise CnfgenError(f"polars does not load: {warning} Install it again, or give the command more memory") from None
    except ImportError:
        raise InputError(f"Parquet needs the package polars: {install_extra('bench')}") from None
    rows = [{name: _unicode(value) for name, value in flat(record).items()} for record in records]
    table = polars.DataFrame(rows, infer_schema_length=None, strict=False)
    table.select(in_order(table.columns)).cast({polars.Null: polars.String}).write_parquet(stream)


def _unicode(value: Any) -> Any:
    """A file name in a text may be any bytes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


WRITERS: Mapping[str, Callable[[Sequence[Record], BinaryIO], None]] = {
    "csv": write_csv,
    "parquet": write_parquet,
    "json": write_json,
}
