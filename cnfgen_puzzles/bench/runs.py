"""Runs in memory: slim records for scores, tables, and plots; whole records, which are read again from their lines.

A slim record has the fields that have a part in the table of fields (`record.py`). `Runs` has a row for each run: its own values
and two dictionaries that it shares with other runs (task and outcome), so that a million runs take 300 MB. `Runs` is a sequence
that makes dictionaries on demand; `tallied` counts equal ones without making them all.

Large files are read in blocks of lines by as many processes as there are cores. `analyse/results.py` decides which record of a
run counts, and has filters.
"""

from __future__ import annotations

import contextlib
import json
import marshal
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, overload

from cnfgen_puzzles.bench.record import FIELDS, MARKS, OUTCOME, RUN, TASK, Record, damage, defaults, evidence_of
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.inputlimits import input_limits, too_much
from cnfgen_puzzles.common.journal import WHAT, take_seal
from cnfgen_puzzles.common.readers.strictjson import NotJson, parse_object
from cnfgen_puzzles.evidence.evidence import evidence_json
from cnfgen_puzzles.solving.executors import Processes

BLOCK = 16 << 20
"""The approximate size of a block in bytes."""
LARGE = 64 << 20
"""The size in bytes above which several processes read the files."""
OF_TASK, OF_OUTCOME, OF_RUN = (tuple(name for name, each in FIELDS.items() if each.part == part) for part in (TASK, OUTCOME, RUN))
SLIM = frozenset((*OF_TASK, *OF_OUTCOME, *OF_RUN)) - {"proof"}
"""The fields that slim records have unchanged; of `proof`, they have OF_PROOF."""
OF_PROOF = ("verified", "refused", "reason")
JOINED = ("features", "expected", "expected_by")
"""The fields that facts from CSV files change."""
LATEST = ("family", "instance", "encoding", "status", "binary_sha256", "limits")
"""The fields that decide whether an earlier run counts, besides times and the presence of a board."""

T = TypeVar("T")
Row = tuple[Any, ...]
"""Task, outcome, the values of OF_RUN, and the index of the line in `Runs.places`."""


class Runs(Sequence[Record]):
    """Slim records. `places` has the number of the file, the start, and the length in bytes of each line.

    `judged` tells that wrong answers are marked (`analyse/alarms.py`).
    """

    def __init__(self, rows: list[Row], files: Sequence[Path], places: array[int], judged: bool = False):
        self.rows, self.files, self.places, self.judged = rows, files, places, judged

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Runs: ...
    def __getitem__(self, place: int | slice) -> Record | Runs:
        return self.of(self.rows[place]) if isinstance(place, slice) else slim_record(self.rows[place])

    def __iter__(self) -> Iterator[Record]:
        return map(slim_record, self.rows)

    def of(self, rows: list[Row]) -> Runs:
        """Other rows of the same files."""
        return Runs(rows, self.files, self.places, self.judged)

    def tasks(self) -> list[Record]:
        """The task dictionaries that rows share, each once: facts joined to them apply to all runs of the task."""
        return list({id(row[0]): row[0] for row in self.rows}.values())

    @cached_property
    def pairs(self) -> list[tuple[Row, int]]:
        """One row for each pair of task and outcome with the number of such rows, in order of appearance."""
        counts = Counter((id(row[0]), id(row[1])) for row in self.rows)
        rows = {(id(row[0]), id(row[1])): row for row in self.rows}
        return [(rows[key], count) for key, count in counts.items()]

    def tallied(self, *names: str) -> Iterable[tuple[Record, int]]:
        """Like the function `tallied`; the records have the fields of the shared parts that contain the names."""
        of_task, of_outcome = not {*names}.isdisjoint(OF_TASK), not {*names}.isdisjoint(OF_OUTCOME)
        if not {*names} <= {*OF_TASK, *OF_OUTCOME}:
            return ((record, 1) for record in self)
        counts: dict[tuple[int, int], int] = {}
        found: dict[tuple[int, int], Row] = {}
        for row, count in self.pairs:
            key = id(row[0]) if of_task else 0, id(row[1]) if of_outcome else 0
            counts[key] = counts.get(key, 0) + count
            found.setdefault(key, row)
        nothing: Record = {}
        parts = (({**(row[0] if of_task else nothing), **(row[1] if of_outcome else nothing)}) for row in found.values())
        return zip(parts, counts.values(), strict=True)

    def marked(self, marks: Callable[[Record], Record]) -> Runs:
        """The runs with the marks of wrong answers, which depend on their shared parts only."""
        shared: dict[tuple[Any, ...], Record] = {}
        rows = []
        for found, row in self.map_shared(marks):
            outcome = shared.setdefault((id(row[1]), *found.items()), row[1] | found) if found else row[1]
            rows.append(row if outcome is row[1] else (row[0], outcome, *row[2:]))
        return Runs(rows, self.files, self.places, judged=True)

    def map_shared(self, tell: Callable[[Record], T]) -> Iterator[tuple[T, Row]]:
        """The value of a function for each row; the function reads only shared parts and is called once per pair of them."""
        known: dict[tuple[int, int], T] = {}
        for row in self.rows:
            key = id(row[0]), id(row[1])
            if key not in known:
                known[key] = tell(slim_record(row))
            yield known[key], row


class Whole(Sequence[Record]):
    """The same runs with all fields, read from their lines at each iteration."""

    def __init__(self, runs: Runs):
        self.runs = runs

    def __len__(self) -> int:
        return len(self.runs)

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Whole: ...
    def __getitem__(self, place: int | slice) -> Record | Whole:
        return Whole(self.runs[place]) if isinstance(place, slice) else next(iter(Whole(self.runs[place : place + 1])))

    def __iter__(self) -> Iterator[Record]:
        missing = defaults()
        with contextlib.ExitStack() as opened:
            streams = [opened.enter_context(path.open("rb")) for path in self.runs.files]
            for task, outcome, *_, number in self.runs.rows:
                file, start, length = self.runs.places[3 * number : 3 * number + 3]
                streams[file].seek(start)
                try:
                    record = whole_record(json.loads(streams[file].read(length)), missing)
                    record.pop("seal", None)
                except ValueError:
                    raise InputError(
                        "changed while it was read; run the command again", source=str(self.runs.files[file])
                    ) from None
                for name in MARKS:
                    record.pop(name, None)
                marks = {name: outcome[name] for name in MARKS if name in outcome}
                yield record | {name: task[name] for name in JOINED} | marks


def slim_record(row: Row) -> Record:
    """The record of a row."""
    return {**row[0], **row[1], **own_fields(row)}


def own_fields(row: Row) -> Record:
    """The fields that a row does not share."""
    _, _, seed, repetition, cpu, wall, memory, date, _ = row
    return {"seed": seed, "repetition": repetition, "cpu": cpu, "wall": wall, "memory": memory, "date": date}


def whole_record(value: Record, missing: Record) -> Record:
    """A record with its missing fields from `missing` (`record.defaults`)."""
    record = {**missing, "evidence": evidence_json(evidence_of(value))}
    return record | {name: part for name, part in value.items() if part is not None or name not in record}


def tallied(records: Iterable[Record], *names: str) -> Iterable[tuple[Record, int]]:
    """One record for all that are equal in these fields, with their number, in order of appearance."""
    return records.tallied(*names) if isinstance(records, Runs) else ((record, 1) for record in records)


def map_shared(records: Iterable[Record], tell: Callable[[Record], T]) -> Iterator[tuple[T, Record]]:
    """The value of a function for each record, with the record or its own fields. The function must not read fields of RUN."""
    if isinstance(records, Runs):
        return ((found, own_fields(row)) for found, row in records.map_shared(tell))
    return ((tell(record), record) for record in records)


# -- reading --------------------------------------------------------------------------------------------------------------


@dataclass
class LineBlock:
    """The content of the lines of a block. The first two parts of a row are keys of `tasks` and `outcomes`."""

    tasks: dict[bytes, Record] = field(default_factory=dict)
    outcomes: dict[bytes, Record] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    """Start and length of the line of each row."""
    digests: list[bytes] = field(default_factory=list)
    """A checksum of the key of each row, without its host."""
    hosts: list[str] = field(default_factory=list)
    """The host in the key of each row, which `bench-cnf merge` adds to tell the same run on two hosts apart; usually empty."""
    keys: list[tuple[str, bool, bool]] = field(default_factory=list)
    """The key of each row, whether it has a board, and whether it is sealed; only on request."""
    unsealed: int = 0
    """The number of rows without a seal: of an earlier version, or edited."""
    changed: int = 0
    """The number of lines with a wrong seal, which are not rows."""
    cut: int | None = None
    """The start of an incomplete last line: a run was in progress."""
    fault: tuple[int, str] | None = None
    """The start of a damaged line and its fault; later lines are not read."""


def read_blocks(files: Sequence[Path], *, keys: bool = False) -> Iterator[tuple[int, LineBlock]]:
    """The blocks of all files in order, each with the number of its file. InputError with file and line for a damaged line."""
    cut = [(number, path, *bounds) for number, path in enumerate(files) for bounds in _cut(path)]
    if sum(end - start for *_, start, end in cut) < LARGE:
        blocks: Iterable[LineBlock] = (read_block(str(path), start, end, keys) for _, path, start, end in cut)
        yield from _checked(cut, blocks)
        return
    with Processes() as pool:
        _, paths, starts, ends = zip(*cut, strict=True)
        yield from _checked(cut, pool.map(read_block, map(str, paths), starts, ends, [keys] * len(cut)))


def _cut(path: Path) -> Iterator[tuple[int, int]]:
    """Start and end of the blocks of a file, which are line ends."""
    try:
        with path.open("rb") as stream:
            register_input(path)
            size, start = stream.seek(0, os.SEEK_END), 0
            while start < size:
                stream.seek(start + BLOCK)
                stream.readline(input_limits().size + 1)
                end = min(stream.tell(), size)
                yield start, end
                start = end
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None


def _checked(cut: Sequence[tuple[int, Path, int, int]], blocks: Iterable[LineBlock]) -> Iterator[tuple[int, LineBlock]]:
    for (number, path, *_), block in zip(cut, blocks, strict=True):
        if block.fault is not None:
            start, message = block.fault
            raise InputError(message, source=str(path), line=line_of(path, start))
        yield number, block


def line_of(path: Path, start: int) -> int:
    """The number of the line at this offset."""
    with path.open("rb") as stream:
        return 1 + sum(stream.read(min(BLOCK, start - place)).count(b"\n") for place in range(0, start, BLOCK))


def read_block(path: str, start: int, end: int, keys: bool) -> LineBlock:
    """The lines of a file between two line ends."""
    block, limit, dates = LineBlock(), input_limits().size, dict[str, str]()
    with Path(path).open("rb") as stream:
        stream.seek(start)
        while (place := stream.tell()) < end:
            line = stream.readline(limit + 1)
            if len(line) > limit:
                block.fault = place, too_much("size", f"a line of more than {limit} bytes").message
                break
            ended = line.endswith(b"\n")
            if ended and line.isspace():
                continue
            try:
                record = parse_object(line, WHAT, source=path)
            except InputError as error:
                if isinstance(error, NotJson) and not ended:
                    block.cut = place
                elif isinstance(error, NotJson):
                    block.fault = place, f"found a damaged line ({error.message}), expected one JSON object per line"
                else:
                    block.fault = place, error.message
                break
            sealed = take_seal(record, line)
            if sealed is False:
                block.changed += 1
                continue
            if problem := damage(record):
                block.fault = place, problem
                break
            block.unsealed += sealed is None
            _add(block, record, dates)
            block.places.append((place, len(line)))
            if keys:
                block.keys.append((record["key"], record.get("board") is not None, bool(sealed)))
    return block


def _add(block: LineBlock, record: Record, dates: dict[str, str]) -> None:
    """Add a row to the block."""
    for name in MARKS:  # in a line that was copied from an export
        record.pop(name, None)
    if proof := record.get("proof"):
        record["proof"] = {name: proof[name] for name in OF_PROOF if name in proof}
    task, outcome = (marshal.dumps([record.get(name) for name in names], 2) for names in (OF_TASK, OF_OUTCOME))
    if task not in block.tasks:
        block.tasks[task] = _part(record, OF_TASK)
    if outcome not in block.outcomes:
        block.outcomes[outcome] = {"evidence": evidence_json(evidence_of(record))} | _part(record, OF_OUTCOME)
    date, repetition = record.get("date") or "", record.get("repetition")
    block.rows.append(
        (task, outcome, record.get("seed"), 1 if repetition is None else repetition, record["cpu"], record["wall"],
         record.get("memory") or 0, dates.setdefault(date, date))
    )  # fmt: skip
    key, host = plain_key(record["key"])
    block.digests.append(digest(key))
    block.hosts.append(host)


def _part(record: Record, names: Iterable[str]) -> Record:
    found = {name: record[name] for name in names if record.get(name) is not None}
    return {name: default for name, default in defaults().items() if name in names} | found


def plain_key(key: str) -> tuple[str, str]:
    """The key as the suite makes it, and the host that `bench-cnf merge` added.

    >>> plain_key('["nonogram", 1]@node1'), plain_key('["a]@b", 1]')
    (('["nonogram", 1]', 'node1'), ('["a]@b", 1]', ''))
    """
    plain, mark, host = ("", "", "") if key.endswith("]") else key.rpartition("]@")
    return (f"{plain}]", host) if mark else (key, "")


def key_on(key: str, host: str) -> str:
    """The key of a run that another host made, too."""
    return f"{key}@{host}"


def digest(key: str) -> bytes:
    """A short checksum of a key, because a million keys are in memory while files are read."""
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def latest_records(path: Path, unsealed: set[str] | None = None) -> dict[str, Record]:
    """The newest sealed record of each key, reduced to `LATEST`, `cpu`, `wall`, and `board` (True or None).

    Another process can write to the file meanwhile; without a file, the result is empty. Keys have the order of their first
    appearance. `unsealed` gets the keys that only records without a seal have.
    """
    latest: dict[str, Record] = {}
    without = set() if unsealed is None else unsealed
    known: dict[str, dict[bytes, Record]] = {"task": {}, "outcome": {}}
    if os.path.lexists(path) and not os.path.isfile(path):  # reading from a pipe or a device might never end
        raise InputError("is not a regular file, expected the result file of a benchmark", source=str(path))
    for _, block in read_blocks([path], keys=True) if os.path.lexists(path) else ():
        for row, (named, board, sealed) in zip(block.rows, block.keys, strict=True):
            key, _ = plain_key(named)
            if not sealed:
                without.add(key)
                continue
            task = known["task"].setdefault(row[0], block.tasks[row[0]])
            outcome = known["outcome"].setdefault(row[1], block.outcomes[row[1]])
            shared = {name: (task if name in task else outcome).get(name) for name in LATEST}
            latest[key] = {**shared, "cpu": row[4], "wall": row[5], "board": board or None}
    without -= latest.keys()
    return latest
