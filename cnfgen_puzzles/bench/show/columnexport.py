"""Exports of very many runs, from the columns that were kept of their lines (`bench/run/blocks.py`), a part of them at a time.

What `export.py` writes of records is written of columns, too; a test compares them. Numbers may be spelled otherwise in CSV
(`5` as `5.0` in a column where others have fractions). Needs polars.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from cnfgen_puzzles.bench.analyse.columns import JOINED, Columns
from cnfgen_puzzles.bench.record import FIELDS, LEFT_OUT
from cnfgen_puzzles.bench.run.blocks import NAMES, REST, nested, whole_block
from cnfgen_puzzles.bench.show.flatten import common_kind, flat, in_order, of_kind
from cnfgen_puzzles.common.scratch import ScratchFolder

if TYPE_CHECKING:
    import polars

PART = 20_000
"""Runs that are in memory at a time."""
BLOCKS = 6
"""Blocks that are in memory at a time: runs of a part are in one or two, or in those of several files."""
Kinds = dict[str, set[type]]


# -- the runs with all columns --------------------------------------------------------------------------------------------


def whole_parts(runs: Columns) -> Iterator[polars.DataFrame]:
    """The runs with all columns of their blocks, PART at a time, in their order."""
    import numpy
    import polars

    @lru_cache(BLOCKS)
    def block(file: int, number: int) -> tuple[polars.DataFrame, Any]:
        found = whole_block(runs.files[file].path, runs.files[file].blocks[number])
        return found, found["start"].to_numpy() + runs.files[file].blocks[number][0]

    begins = [numpy.array([start for start, _, _ in file.blocks], dtype=numpy.int64) for file in runs.files]
    for part in runs.frame.iter_slices(PART):
        files, starts = part["file"].to_numpy(), part["start"].to_numpy()
        pieces, order = [], []
        for file in numpy.unique(files).tolist():
            rows = numpy.flatnonzero(files == file)
            numbers = numpy.searchsorted(begins[file], starts[rows], "right") - 1
            for number in numpy.unique(numbers).tolist():
                mine = rows[numbers == number]
                frame, places = block(file, number)
                pieces.append(frame[numpy.searchsorted(places, starts[mine])])
                order.append(mine)
        whole = polars.concat(pieces, how="vertical_relaxed")
        if len(pieces) > 1:
            whole = whole[numpy.argsort(numpy.concatenate(order))]
        yield whole.with_columns(part.select(JOINED).get_columns()) if runs.joined else whole


def _named(frame: polars.DataFrame) -> dict[str, set[str]]:
    """Which sets of fields the runs have, by the texts of the column NAMES."""
    return {text: set(json.loads(text)) for text in frame[NAMES].unique(maintain_order=True)}


# -- flat -----------------------------------------------------------------------------------------------------------------


def flat_part(frame: polars.DataFrame, kinds: Kinds) -> polars.DataFrame:
    """The runs as `export.flat` has them, each column of one kind; `kinds` learns what values they have."""
    import polars

    named = _named(frame)
    found: dict[str, polars.Series] = {}
    for name, field in FIELDS.items():
        always = field.default is not LEFT_OUT or name == "evidence"
        if not always and not any(name in names for names in named.values()):
            continue
        column = frame[name]
        if field.kind is dict:
            _unfold(column, f"{name}.", found, kinds)
            lacking = frame.filter(column.is_null())[NAMES].unique().to_list() if field.default is LEFT_OUT else []
            if lacking and (name == "evidence" or any(name in named[text] for text in lacking)):
                _add(found, kinds, polars.Series(name, [None] * frame.height, polars.String), set())
            continue
        column = column if column.dtype.is_numeric() or column.dtype == polars.Boolean else column.cast(polars.String)
        if field.default is not LEFT_OUT and field.default is not None:
            column = column.fill_null(json.dumps(field.default) if nested(name) else field.default)
        kind: type = bool
        for each, holds in (
            (int, column.dtype.is_integer()),
            (float, column.dtype.is_float()),
            (str, column.dtype == polars.String),
        ):
            kind = each if holds else kind
        _add(found, kinds, column, set() if column.null_count() == len(column) else {kind})
    _unfold(frame[REST], "", found, kinds)
    return polars.DataFrame(list(found.values()))


def _unfold(column: polars.Series, prefix: str, found: dict[str, polars.Series], kinds: Kinds) -> None:
    """A column for each name within objects, which are JSON; each different text is read once."""
    import polars

    texts = column.cast(polars.String)
    different = texts.drop_nulls().unique(maintain_order=True)
    places = {text: place for place, text in enumerate(different)}
    values = [flat(json.loads(text)) for text in different]
    of = polars.Series([places.get(text) for text in texts], dtype=polars.UInt32)
    for inner in dict.fromkeys(name for value in values for name in value):
        own = [value.get(inner) for value in values]
        types = set(map(type, own)) - {type(None)}
        kind = common_kind(types)
        shown = polars.Series([of_kind(kind, value) for value in own], dtype=_type(kind))
        _add(found, kinds, shown.gather(of).alias(f"{prefix}{inner}"), types)


def _add(found: dict[str, polars.Series], kinds: Kinds, column: polars.Series, types: set[type]) -> None:
    kinds.setdefault(column.name, set()).update(types)
    found[column.name] = column


def _type(kind: type) -> Any:
    import polars

    return {bool: polars.Boolean, int: polars.Int64, float: polars.Float64, str: polars.String}[kind]


def _with_flat_parts(runs: Columns, write: Callable[[list[Path], Kinds], None]) -> None:
    """Parquet files of the flat parts, which are gone afterwards: only after the last one the names of all columns are known."""
    with ScratchFolder("export") as scratch:
        kinds: Kinds = {}
        files: list[Path] = []
        for part in whole_parts(runs):
            files.append(scratch.path / f"{len(files)}.parquet")
            flat_part(part, kinds).write_parquet(files[-1], compression="zstd", compression_level=1, statistics=False)
        write(files, kinds)


# -- formats --------------------------------------------------------------------------------------------------------------


def write_csv(runs: Columns, stream: BinaryIO) -> None:
    def write(files: list[Path], kinds: Kinds) -> None:
        import polars

        names = in_order(kinds)
        for number, path in enumerate(files):
            part = polars.read_parquet(path)
            missing = [polars.lit(None, polars.String).alias(name) for name in names if name not in part.columns]
            empty = [polars.when(polars.col(n) != "").then(polars.col(n)) for n, t in part.schema.items() if t == polars.String]
            shown = part.with_columns(empty).with_columns(missing).select(names)
            shown.write_csv(stream, include_header=not number, line_terminator="\r\n")
            path.unlink()

    _with_flat_parts(runs, write)


def write_parquet(runs: Columns, stream: BinaryIO) -> None:
    def write(files: list[Path], kinds: Kinds) -> None:
        import polars

        schema = {name: _type(common_kind(kinds[name])) for name in in_order(kinds)}
        for path in files:
            part = polars.read_parquet(path)
            if dict(part.schema) != schema or part.columns != list(schema):
                polars.DataFrame([_as(part, name, kind) for name, kind in schema.items()]).write_parquet(path)
        whole = files[0].with_name("whole.parquet")
        polars.scan_parquet(files).sink_parquet(whole, row_group_size=PART)
        with whole.open("rb") as source:
            shutil.copyfileobj(source, stream)

    _with_flat_parts(runs, write)


def _as(part: polars.DataFrame, name: str, kind: Any) -> polars.Series:
    """A column as the whole table has it."""
    import polars

    if name not in part.columns:
        return polars.Series(name, [None] * part.height, kind)
    column = part[name]
    if kind == polars.String and column.dtype.is_float():
        return polars.Series(name, [None if value is None else str(value) for value in column], kind)
    return column.cast(kind)


def write_json(runs: Columns, stream: BinaryIO) -> None:
    stream.write(b"[")
    before = "\n"
    for part in whole_parts(runs):
        stream.write((before + ",\n".join(_objects(part))).encode())
        before = ",\n"
    stream.write(b"\n]\n")


def _objects(frame: polars.DataFrame) -> list[str]:
    """Each run as a JSON object."""
    import polars

    named = _named(frame)
    shown: list[polars.Series] = []
    for name, field in FIELDS.items():
        having = [text for text, names in named.items() if name in names]
        always = field.default is not LEFT_OUT or name == "evidence"
        if not always and not having:
            continue
        default = "null" if field.default is LEFT_OUT else json.dumps(field.default)
        text = f', "{name}": ' + _json(frame[name]).fill_null(default)
        if not always and len(having) < len(named):
            text = text.zip_with(frame[NAMES].is_in(having), polars.Series([""]))
        shown.append(text.alias(name))
    rest = frame[REST].str.slice(1).str.head(-1)
    shown.append((", " + rest).fill_null("").alias(REST))
    return polars.DataFrame(shown).select("{" + polars.concat_str(polars.all()).str.slice(2) + "}").to_series().to_list()


def _json(column: polars.Series) -> polars.Series:
    """The values as JSON."""
    import polars

    if nested(column.name):
        return column.cast(polars.String)
    if column.dtype.is_float():
        return polars.Series(column.name, [None if value is None else repr(value) for value in column], polars.String)
    if column.dtype.is_integer() or column.dtype == polars.Boolean:
        return column.cast(polars.String)
    known: dict[str, str] = {}
    dumps = json.JSONEncoder(ensure_ascii=False).encode

    def said(text: str | None) -> str | None:
        if text is None:
            return None
        if (found := known.get(text)) is None:
            found = known[text] = dumps(text)
        return found

    return polars.Series(column.name, [said(text) for text in column.cast(polars.String)], polars.String)
