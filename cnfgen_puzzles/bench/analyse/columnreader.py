"""Result files as columns: what `results.read_results` reads, by the same rules, for files of any size.

    runs = read_columns([Path("results/competition")]).records
    runs.frame  # a polars.DataFrame: the fields that scores need, nested ones as JSON texts

Not here: from lines to columns (`bench/run/blocks.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.bench.analyse.columns import JOINED, Columns, ReadFile, records_of
from cnfgen_puzzles.bench.analyse.groups import feature_names
from cnfgen_puzzles.bench.analyse.results import Filters, Results, contradict, cut_off, read_file, replaces, result_files
from cnfgen_puzzles.bench.planfile import Counted
from cnfgen_puzzles.bench.record import FIELDS, Record
from cnfgen_puzzles.bench.run.blocks import Block, nested, read_blocks, schema
from cnfgen_puzzles.bench.suite.features import with_features
from cnfgen_puzzles.common.jsonlines import is_cut_off
from cnfgen_puzzles.solving.answers import UNSATISFIABLE

if TYPE_CHECKING:
    import polars


def read_columns(
    paths: Iterable[Path], filters: Iterable[str] | Filters = (), *, all_runs: bool = False, kind: type[Columns] = Columns
) -> Results:
    """As `read_results` with the scores' fields; its records are `Columns`. UnicodeEncodeError for texts that none can hold."""
    import polars

    wanted = filters if isinstance(filters, Filters) else Filters(filters)
    files = result_files(paths)
    notes: list[str] = []
    revoked: list[Record] = []
    parts: list[polars.DataFrame] = []
    counted: list[Counted] = []
    read: list[ReadFile] = []
    for number, path in enumerate(files):
        frame, blocks = _frame(path, number, notes)
        read.append(ReadFile(path, blocks))
        if not all_runs:
            counts = Counted(path)
            frame = _counting(frame, counts)
            counted.append(counts)
        parts.append(frame)
    runs = kind(polars.concat(parts), read)
    del parts
    runs = _newest(runs, revoked)
    for counts in counted:
        left_out = counts.left_out()
        notes += [*counts.notes, *left_out]
        if left_out:
            revoked += counts.witnesses(runs.where(polars.col("status") == UNSATISFIABLE))
    return Results(select(runs, wanted), notes, [record for record in revoked if wanted.passes(record)])


def _frame(path: Path, number: int, notes: list[str]) -> tuple[polars.DataFrame, list[Block]]:
    """The columns of a file, and its blocks; an InputError of a damaged line has its number."""
    import polars

    blocks: list[Block] = []
    try:
        parts = list(read_blocks(path, number, blocks))
    except UnicodeEncodeError:
        raise
    except ValueError:
        for _ in read_file(path, [], ()):  # which tells the line
            pass
        raise
    whole = [part for part in parts if part.height]
    if is_cut_off(path) and not (whole and _end(whole[-1]) > path.stat().st_size):
        notes.append(cut_off(path, _line_ends(path) + 1))
    frame = polars.concat(whole) if whole else polars.DataFrame(schema={**schema(), "file": polars.Int32})
    return frame, blocks


def _end(part: polars.DataFrame) -> int:
    """Where the last line ends, its end counted though it may lack it."""
    start, length = part.select("start", "length").row(-1)
    return int(start + length)


def _line_ends(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(piece.count(b"\n") for piece in iter(lambda: stream.read(1 << 20), b""))


def _counting(frame: polars.DataFrame, counts: Counted) -> polars.DataFrame:
    """The rows that the plans ask for; `counts` learns of the others."""
    import polars

    keep = polars.lit(True)
    for suite, keys in counts.plans.items():
        asked = polars.col("key").is_in(polars.Series(list(keys), dtype=polars.String).implode())
        keep = keep & ((polars.col("suite") != suite) | asked)
    if not counts.plans:
        return frame
    for record in records_of(frame.filter(~keep)):
        counts(record)
    return frame.filter(keep)


def _newest(runs: Columns, revoked: list[Record]) -> Columns:
    """The newest record of each run, in the place of its first; `revoked` learns of those with the opposite verdict."""
    import numpy
    import polars

    if not len(runs):
        return runs
    run = runs.codes("suite", "key")
    times = numpy.bincount(run)
    if len(times) == len(run):
        return runs
    several = numpy.flatnonzero(times[run] > 1)
    shown = runs.frame[several].select("status", "date", "file").rows(named=True)
    stands: dict[int, tuple[int, dict[str, Any], int]] = {}  # of a run: row, what it says, the file that had the run first
    againsts: list[int] = []
    for row, record in zip(several.tolist(), shown, strict=True):
        old = stands.get(run[row])
        if old is None:
            stands[run[row]] = (row, record, record["file"])
            continue
        better = replaces(record, old[1], old[2] != record["file"])
        if contradict(old[1], record):
            againsts.append(old[0] if better else row)
        if better:
            stands[run[row]] = (row, record, old[2])
    revoked += runs.of(runs.frame[polars.Series(againsts, dtype=polars.Int64)]).whole()
    _, first = numpy.unique(run, return_index=True)
    rows = first.copy()
    for code, (row, _, _) in stands.items():
        rows[code] = row
    return runs.of(runs.frame[polars.Series(rows)])


def select(runs: Columns, wanted: Filters) -> Columns:
    """The rows that pass the filters, which look at each different value once."""
    import polars

    masks = []
    features = feature_names(runs)
    for name, outer in wanted.fields():
        fields = [field for field in dict.fromkeys((outer, "features")) if field in FIELDS and field in runs.frame.columns]
        if outer in fields or (outer not in FIELDS and name in features):
            known = runs.different(*fields)
            wanted.check(name, known)
            masks.append(polars.Series([wanted.passes(record, name) for record in known]).gather(runs.codes(*fields)))
        else:
            whole = list(runs.whole())
            wanted.check(name, whole)
            masks.append(polars.Series([wanted.passes(record, name) for record in whole], dtype=polars.Boolean))
    for mask in masks[1:]:
        masks[0] &= mask
    return runs.where(masks[0]) if masks and len(runs) else runs


def joined(runs: Columns, paths: Iterable[Path | str], notes: list[str]) -> Columns:
    """The runs with what CSV files say about their instances, as `with_features` has it of records."""
    import polars

    names = ("suite", "family", "instance", "cnf", *JOINED)
    known = runs.different(*names)
    with_features(known, paths, notes)
    code = runs.codes(*names)
    columns = [polars.Series(name, [column_text(r.get(name), name) for r in known], runs.frame.schema[name]) for name in JOINED]
    return type(runs)(runs.frame.with_columns(column.gather(code) for column in columns), runs.files, joined=True)


def column_text(value: Any, name: str) -> str | None:
    """A field's text as its column has it."""
    text = json.dumps(value, ensure_ascii=False) if value and nested(name) else value
    return text.encode("utf-8", "backslashreplace").decode() if text else None
