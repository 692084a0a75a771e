"""Result files as columns, block by block: the lines are the truth, and beside them lies what was once read out of them.

A result file is cut at line ends into blocks of some megabytes. All that a block says is a Parquet file in
`runs.jsonl.columns/`, named by the checksum of the lines; scores and plots read some of its columns, exports all. So a file that
grows is read on from where it was, an edited one is read again where it was edited, and nothing has to be kept in order: whoever
finds no file of that name, or a damaged one, reads the lines. The folder may be removed at any time; two readers, and kills,
leave whole files or none.

Needs polars (the extra `bench`), which is imported where it is used. Not here: which record of a run counts (`columns.py`).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.bench.record import FIELDS, LEFT_OUT, Record, damage, evidence_of, is_claimed
from cnfgen_puzzles.common.atomicfiles import atomic_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.jsonlines import WHAT
from cnfgen_puzzles.common.readers.strictjson import NotJson, parse_object
from cnfgen_puzzles.evidence.basis import evidence_json

if TYPE_CHECKING:
    import polars

BLOCK = 16 << 20
"""Bytes of lines, about; they are held in memory, once a process."""
LEAST_KEPT = 1 << 20
"""Bytes of lines: a shorter block is read as quickly as its columns."""
SUFFIX = ".columns"
VERSION = 2
"""It changes with what is in columns of the same names."""
KEPT_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{64}")
EXTRA = ("reason", "solver_options", "memory_method", "leftovers", "warnings", "cnfgen_puzzles")
"""Fields that are no scores' and still wanted of every run: the report's summary tells them."""
DERIVED = ("claimed", "drawn", "cpu_limit", "wall_limit")
"""Columns that are reckoned from fields: whether a verdict is a solver's word alone, whether there is a
board, and the limits of time."""
PLACE = ("file", "start", "length")
"""Columns that say where a record's line stands: number of the file, bytes."""
NAMES, REST = "names of fields", "fields of others"
"""Columns of a block that only exports read, as JSON: which fields a record has, and those that the table does not know."""

Block = tuple[int, int, str]
"""Where the lines of a block begin and end, in bytes, and their checksum."""


def column_fields() -> list[str]:
    """The fields that readers of scores get, in the order of the table."""
    return [name for name, field in FIELDS.items() if field.scored or field.needed or name in EXTRA]


def version() -> str:
    """What changes with the columns that there are, so that no other version's are taken for ours."""
    fields = [(name, field.kind, field.default if field.default is not LEFT_OUT else "") for name, field in FIELDS.items()]
    return hashlib.sha256(repr((VERSION, fields, column_fields(), DERIVED, PLACE, NAMES, REST)).encode()).hexdigest()[:8]


def nested(name: str) -> bool:
    """Whether a field's column holds JSON, since its values have parts."""
    return FIELDS[name].kind in (dict, list, object)


def read_blocks(
    path: Path, number: int, seen: list[Block] | None = None, names: Iterable[str] = ()
) -> Iterator[polars.DataFrame]:
    """The columns (`schema()`, or these of them) of all whole lines of a file, in order; `number` is what their column `file`
    says. `seen` learns of the blocks.

    InputError for a damaged line, as the reader of lines has it. UnicodeEncodeError for texts that no column can hold.
    """
    import polars

    cut = list(_cut(path))
    folder = path.with_name(path.name + SUFFIX)
    found: dict[int, bytes | None] = {}
    files = {}
    wanted: dict[Any, Any] = {name: kind for name, kind in schema().items() if not names or name in names}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:  # which hold no lock while they reckon
        digests = list(pool.map(lambda block: checksum_of(path, *block), cut))
    for place, ((start, end), digest) in enumerate(zip(cut, digests, strict=True)):
        files[place] = folder / f"{version()}-{digest}"
        if seen is not None:
            seen.append((start, end, digest))
        found[place] = _kept(files[place])
    missing = [place for place, content in found.items() if content is None]
    for place, made in _made(path, cut, missing):
        found[place] = made
        if cut[place][1] - cut[place][0] >= LEAST_KEPT:
            _keep(files[place], made)
    if folder.is_dir():
        _tidy(folder, {file.name for file in files.values()})
    for place, (start, _) in enumerate(cut):
        frame = polars.read_parquet(io.BytesIO(found.pop(place) or b""), columns=list(wanted)).cast(wanted)
        moved = [polars.col("start") + start] if "start" in wanted else []
        yield frame.with_columns(polars.lit(number, polars.Int32).alias("file"), *moved)


def whole_block(path: Path, block: Block) -> polars.DataFrame:
    """All columns of a block that `read_blocks` has seen, `start` counted from its beginning. InputError if it has changed."""
    import polars

    start, end, digest = block
    content = _kept(path.with_name(path.name + SUFFIX) / f"{version()}-{digest}")
    if content is None:
        if checksum_of(path, start, end) != digest:
            raise InputError("was changed while it was read, expected lines that stay", source=str(path))
        content = block_columns(str(path), start, end)
    return polars.read_parquet(io.BytesIO(content))


def _cut(path: Path) -> Iterator[tuple[int, int]]:
    """Where the blocks begin and end: at the first line end after each multiple of BLOCK, whatever comes after it."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            start = 0
            while start < size:
                stream.seek(start - start % BLOCK + BLOCK)
                stream.readline()
                end = min(stream.tell(), size)
                yield start, end
                start = end
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None


def _lines(path: Path, start: int, end: int) -> bytes:
    with path.open("rb") as stream:
        stream.seek(start)
        return stream.read(end - start)


def checksum_of(path: Path, start: int, end: int) -> str:
    return hashlib.sha256(_lines(path, start, end)).hexdigest()


# -- what is kept ---------------------------------------------------------------------------------------------------------


def _kept(path: Path) -> bytes | None:
    """The columns in a file, if it is as it was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, columns = content[:32], content[32:]
    return columns if hashlib.sha256(columns).digest() == checksum else None


def _keep(path: Path, columns: bytes) -> None:
    """A folder that cannot be written to, or a full disk, costs time and nothing else."""
    with contextlib.suppress(InputError), atomic_file(path, parents=True) as stream:
        stream.write(hashlib.sha256(columns).digest() + columns)


def _tidy(folder: Path, names: set[str]) -> None:
    """Removes the columns of lines that are no longer there."""
    for path in folder.iterdir():
        if path.name not in names and KEPT_NAME.fullmatch(path.name):
            with contextlib.suppress(OSError):
                path.unlink()


# -- from lines to columns ------------------------------------------------------------------------------------------------


def _made(path: Path, cut: list[tuple[int, int]], missing: list[int]) -> Iterator[tuple[int, bytes]]:
    """The columns of these blocks, by as many processes as there are cores if there are several blocks."""
    jobs = min(len(missing), len(os.sched_getaffinity(0)))
    if jobs < 2:
        for place in missing:
            yield place, block_columns(str(path), *cut[place])
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            starts, ends = zip(*(cut[place] for place in missing), strict=True)
            yield from zip(missing, pool.map(block_columns, [str(path)] * len(missing), starts, ends), strict=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def block_columns(path: str, start: int, end: int) -> bytes:
    """The columns of a block as a Parquet file. ValueError for a line that is damaged, without its number."""
    import polars

    names = list(FIELDS)
    columns: dict[str, list[Any]] = {name: [] for name in (*names, *DERIVED, *PLACE[1:], NAMES, REST)}
    plain = [(name, columns[name].append) for name in names if not nested(name)]
    parts = [(name, columns[name].append, FIELDS[name].default) for name in names if nested(name) and name != "evidence"]
    text, told = _Texts(), _Texts()
    at = 0
    for line in _lines(Path(path), start, end).split(b"\n"):
        length = len(line) + 1
        at += length
        if not line or line.isspace():
            continue
        try:
            record = parse_object(line, WHAT, source=path)
        except InputError as error:
            if at > end - start and isinstance(error, NotJson):  # the last line, without its end: a run was in flight
                continue
            raise ValueError(str(error)) from None
        if problem := damage(record):
            raise ValueError(problem)
        for name, append in plain:
            append(record.get(name))
        for name, append, default in parts:
            value = record.get(name)
            append(None if value is None or value == default else text(value))
        _derived(record, columns, text)
        columns[NAMES].append(told([*record]))
        rest = {name: record[name] for name in record.keys() - FIELDS.keys()}
        columns[REST].append(text(rest) if rest else None)
        columns["start"].append(at - length)
        columns["length"].append(length)
    kinds: dict[str, Any] = kept_schema()
    for name, kind in kinds.items():
        if kind == polars.Float64 and not any(isinstance(value, float) for value in columns[name]):
            kinds[name] = polars.Int64  # so that an export writes them as they are
    frame = polars.DataFrame(columns, schema=kinds, strict=False)
    stream = io.BytesIO()
    frame.write_parquet(stream, compression="zstd", compression_level=1, statistics=False)
    return stream.getvalue()


def _derived(record: Record, columns: dict[str, list[Any]], text: Callable[[Any], str | None]) -> None:
    limits = record.get("limits") or {}
    columns["evidence"].append(text(record.get("evidence") or evidence_json(evidence_of(record))))
    columns["claimed"].append(is_claimed(record))
    columns["drawn"].append(record.get("board") is not None)
    for name in ("cpu", "wall"):
        columns[f"{name}_limit"].append(limits.get(name))


class _Texts:
    """Nested values as JSON, each made once: most runs share theirs with others."""

    def __init__(self) -> None:
        self._seen: dict[Any, str] = {}

    def __call__(self, value: Any) -> str | None:
        if value is None:
            return None
        try:
            parts = (*value.values(),) if isinstance(value, dict) else (*value,)
            key = (type(value), *value, *parts, *map(type, parts))  # 1, 1.0 and true are equal
            found = self._seen.get(key)
        except TypeError:  # it holds lists or dictionaries, or is neither
            return json.dumps(value, ensure_ascii=False)
        if found is None:
            found = self._seen[key] = json.dumps(value, ensure_ascii=False)
        return found


def kept_schema() -> dict[str, Any]:
    """The kinds of all columns of a block. Texts that many runs share are kept once."""
    import polars

    kinds: dict[type, Any] = {int: polars.Int64, float: polars.Float64, bool: polars.Boolean}
    once = set(column_fields()) - {"key", "date"}
    found: dict[str, Any] = {}
    for name, field in FIELDS.items():
        texts = polars.Categorical if name in once else polars.String
        found[name] = texts if nested(name) else kinds.get(field.kind, texts)
    found |= {"claimed": polars.Boolean, "drawn": polars.Boolean, "cpu_limit": polars.Float64, "wall_limit": polars.Float64}
    return found | {"start": polars.Int64, "length": polars.Int64, NAMES: polars.String, REST: polars.String}


def schema() -> dict[str, Any]:
    """The kinds of the columns for scores."""
    wanted = {*column_fields(), *DERIVED, *PLACE}
    return {name: kind for name, kind in kept_schema().items() if name in wanted}


# -- what a benchmark that goes on must know ------------------------------------------------------------------------------

OF_LATEST = ("family", "instance", "encoding", "status", "binary_sha256", "limits", "drawn")


def latest_of(path: Path) -> tuple[dict[str, Record], list[Block]]:
    """Of the newest record of each key what says whether it counts (`OF_LATEST`, `wall`; a board is True), and the blocks read.

    Equal ones are one object. Errors are those of `read_blocks`.
    """
    import polars

    latest: dict[str, Record] = {}
    seen: list[Block] = []
    known: dict[tuple[Any, ...], Record] = {}
    limited = polars.col("wall_limit").is_not_null()
    told = polars.struct(*OF_LATEST, wall=polars.when(limited).then(None).otherwise("wall"))
    for frame in read_blocks(path, 0, seen, ("key", "wall", "wall_limit", *OF_LATEST)):
        if not frame.height:
            continue
        same = frame.select("key", place=told.rank("dense"), told=told)
        records: dict[int, Record] = {}
        for place, row in same.unique("place").select("place", "told").iter_rows():
            records[place] = known.setdefault((*row.values(),), _of_latest(row))
        latest.update(zip(same["key"].to_list(), map(records.__getitem__, same["place"].to_list()), strict=True))
    return latest, seen


def _of_latest(row: dict[str, Any]) -> Record:
    drawn = row.pop("drawn")
    return {**row, "limits": json.loads(row["limits"] or "{}"), "board": drawn or None}
