"""Runs as columns: the newest record of each run in result files of any size, a row each, for what counts hundreds of thousands.

`Columns` is also a sequence of records with these fields, made one at a time, so that whatever takes records takes it.
Not here: reading (`columnreader.py`), reckoning with columns (`columnscores.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from cnfgen_puzzles.bench.analyse.groups import GROUPS, ManyRuns, group_of
from cnfgen_puzzles.bench.analyse.results import lean_record
from cnfgen_puzzles.bench.record import FIELDS, Record, defaults
from cnfgen_puzzles.bench.run.blocks import PLACE, Block, nested
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.answers import DECIDED
from cnfgen_puzzles.solving.run import ERROR

if TYPE_CHECKING:
    import numpy
    import polars

OF_GROUP = {"size": ("family", "size", "cnf"), "host": ("machine",)}
"""The fields that a group goes by, where they are not the one of its name."""
SLICE = 50_000
"""Rows that are made records at a time."""
JOINED = ("features", "expected", "expected_by")
"""The fields that facts from CSV files are joined to."""


@dataclass(frozen=True)
class ReadFile:
    """A result file, and where its blocks are."""

    path: Path
    blocks: Sequence[Block]


class Columns(ManyRuns):
    """Runs as a frame, and as the records that a reader of scores gets; `files` are those that the column `file` numbers.

    Columns are the fields of `column_fields()` (nested ones as JSON), `claimed`, `cpu_limit` and `wall_limit`, and where the
    line of the record is: `file`, `start` and `length`.
    """

    def __init__(self, frame: polars.DataFrame, files: Sequence[ReadFile] = (), *, joined: bool = False):
        self.frame, self.files, self.joined = frame, files, joined

    def __len__(self) -> int:
        return self.frame.height

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Columns: ...
    def __getitem__(self, place: int | slice) -> Record | Columns:
        if isinstance(place, slice):
            return self.of(self.frame[place])
        return next(records_of(self.frame[place]))

    def __iter__(self) -> Iterator[Record]:
        for part in self.frame.iter_slices(SLICE):
            yield from records_of(part)

    def of(self, frame: polars.DataFrame) -> Columns:
        """Other rows of the same files."""
        return type(self)(frame, self.files, joined=self.joined)

    def where(self, mask: Any) -> Columns:
        """The rows where a condition (an expression, or a series of booleans) holds."""
        return self.of(self.frame.filter(mask))

    def having(self, name: str, values: Iterable[str]) -> Columns:
        """The rows that have one of these texts in a column."""
        import polars

        wanted = polars.Series(list(values), dtype=polars.String)
        return self.where(polars.col(name).cast(polars.String).is_in(wanted.implode()))

    def total(self, name: str) -> float:
        return float(self.frame[name].sum())

    def span(self, name: str) -> tuple[str, str]:
        import polars

        texts = self.frame[name].cast(polars.String)
        texts = texts.filter(texts.str.len_bytes() > 0)
        return str(texts.min() or ""), str(texts.max() or "")

    def different(self, *names: str) -> list[Record]:
        """A record for each set of values that these fields have, with these fields alone (others as where they are missing)."""
        return list(records_of(self.frame.select(names).unique(maintain_order=True)))

    def tallied(self, *names: str) -> list[tuple[Record, int]]:
        """As `different`, each with the number of its runs."""
        counts = self.frame.group_by(names, maintain_order=True).len("runs")
        return list(zip(records_of(counts), counts["runs"].to_list(), strict=True))

    def codes(self, *names: str) -> numpy.ndarray[Any, Any]:
        """A number for each set of values of these fields, counted in order of appearance from 0, for each run."""
        known: dict[tuple[str, ...], numpy.ndarray[Any, Any]] = self._known
        if names not in known:
            known[names] = numbered(self.frame.select(names))
        return known[names]

    def group_rows(self, by: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
        """The values of each group, sorted, and the numbers of the rows that it has."""
        import numpy

        by = [name for name in by if name != "version"]
        if not by:
            yield (), numpy.arange(len(self))
            return
        codes, texts = [], []
        for name in by:
            fields = OF_GROUP.get(name, (name,) if name in GROUPS else ("features",))
            tell = group_of(name, self)
            known: dict[str, int] = {}
            merged = [known.setdefault(tell(record), len(known)) for record in self.different(*fields)]
            texts.append(list(known))
            codes.append(numpy.array(merged, dtype=numpy.int64)[self.codes(*fields)])
        groups, inverse = numpy.unique(numpy.stack(codes, axis=1), axis=0, return_inverse=True)
        inverse = inverse.ravel()
        rows = numpy.argsort(inverse, kind="stable")
        ends = numpy.cumsum(numpy.bincount(inverse))
        found = {
            tuple(names[code] for names, code in zip(texts, group, strict=True)): part
            for group, part in zip(groups.tolist(), numpy.split(rows, ends[:-1]), strict=True)
        }
        yield from sorted(found.items())

    def grouped(self, by: Sequence[str]) -> dict[tuple[str, ...], Sequence[Record]]:
        return {values: self.of(self.frame[rows]) for values, rows in self.group_rows(by)}

    @cached_property
    def _known(self) -> dict[tuple[str, ...], numpy.ndarray[Any, Any]]:
        return {}

    def alarming(self, others: Iterable[Record]) -> Columns:
        """The runs of instances of which several verdicts were given or expected, these of others with them."""
        import polars

        instance = ("suite", "family", "instance")
        said = self.frame.select(*instance, polars.col("status").cast(polars.String), polars.col("expected").cast(polars.String))
        verdicts = polars.concat(
            [
                said.filter(polars.col("status").is_in(DECIDED)).select(*instance, verdict="status"),
                said.filter(polars.col("expected").is_not_null()).select(*instance, verdict="expected"),
            ]
        ).unique()
        several = verdicts.group_by(instance).len().filter(polars.col("len") > 1).select(instance)
        kinds = {name: said.schema[name] for name in instance}
        more = polars.DataFrame([tuple(record[name] for name in instance) for record in others], schema=kinds, orient="row")
        return self.of(self.frame.join(polars.concat([several, more]).unique(), on=instance, how="semi", maintain_order="left"))

    def refused(self) -> Columns:
        """The runs that may have given a refused proof: those that failed and have one."""
        import polars

        return self.where((polars.col("status") == ERROR) & polars.col("proof").is_not_null())

    def whole(self) -> Iterator[Record]:
        """The whole records, read from their lines."""
        missing = defaults()
        shared = [file.path.open("rb") for file in self.files]
        try:
            for part in self.frame.iter_slices(SLICE):
                added = records_of(part.select(JOINED)) if self.joined else None
                for number, start, length in part.select(PLACE).iter_rows():
                    stream = shared[number]
                    stream.seek(start)
                    record = whole_record(stream.read(length), self.files[number].path, missing)
                    if added:
                        facts = next(added)
                        record |= {name: facts[name] for name in JOINED}
                    yield record
        finally:
            for stream in shared:
                stream.close()


class Whole(Sequence[Record]):
    """The same runs with all fields, read from their lines whenever they are gone through."""

    def __init__(self, runs: Columns):
        self.runs = runs

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Record]:
        return self.runs.whole()

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Whole: ...
    def __getitem__(self, place: int | slice) -> Record | Whole:
        if isinstance(place, slice):
            return Whole(self.runs[place])
        return next(self.runs[place : place + 1].whole())


def whole_record(line: bytes, path: Path, missing: Record) -> Record:
    """A line as the reader of results has it."""
    try:
        return lean_record(json.loads(line), missing)
    except ValueError:
        raise InputError("was changed while it was read, expected lines that stay", source=str(path)) from None


def numbered(frame: polars.DataFrame) -> numpy.ndarray[Any, Any]:
    """A number for each different row, counted in order of appearance from 0."""
    import numpy
    import polars

    code = numpy.zeros(frame.height, dtype=numpy.int64)
    for name in frame.columns:
        column = frame[name]
        rank = column.cast(polars.Int64) if column.dtype == polars.Boolean else column
        rank = rank.to_physical() if column.dtype == polars.Categorical else rank
        part = rank.rank("dense").fill_null(0).to_numpy().astype(numpy.int64)
        code = code * (int(part.max(initial=0)) + 1) + part
        if code.max(initial=0) > 1 << 40:
            code = numpy.unique(code, return_inverse=True)[1]
    _, first, inverse = numpy.unique(code, return_index=True, return_inverse=True)
    order = numpy.empty(len(first), dtype=numpy.int64)
    order[numpy.argsort(first)] = numpy.arange(len(first))
    return order[inverse]


def records_of(frame: polars.DataFrame) -> Iterator[Record]:
    """Rows as records; nested values are shared by those that have the same."""
    missing = {**defaults(), **({"evidence": None} if "evidence" in frame.columns else {})}
    names = [name for name in frame.columns if name in FIELDS]
    deep = {name for name in names if nested(name)}
    known: dict[str, Any] = {}
    shared: dict[str, str] = {}
    for row in frame.select(names).iter_rows():
        record = dict(missing)
        for name, value in zip(names, row, strict=True):
            if value is not None:
                if name in deep:
                    text = value
                    value = known.get(text)
                    if value is None:
                        value = known[text] = json.loads(text)
                elif isinstance(value, str) and name != "key":
                    value = shared.setdefault(value, value)
                record[name] = value
        yield record
