"""Result files (`runs.jsonl`): reading their lines, the newest record of each run, and the journal of a benchmark in progress.

Records in memory are dictionaries whose values of text, lists, and objects are shared. Scores, tables, and plots need the fields
that are `scored` in the table of fields (`record.py`), about 1.3 KB per run; exports and reports need all fields.
`analyse/results.py` selects the runs that count.

Several records can have the same key (of a repeated run): the newest counts. Only sealed records count as done.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import FIELDS, MARKS, SCORED, Record, damage, defaults, evidence_of, host_of
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.journal import Journal, JournalLine, read_lines
from cnfgen_puzzles.common.showing import numbered
from cnfgen_puzzles.evidence.evidence import evidence_json
from cnfgen_puzzles.solving.answers import DECIDED

RESULTS = "runs.jsonl"
"""The result file in a result folder."""
MOST_CONFLICTS = 20
RunKey = tuple[str, str, str]
"""Suite, key, and host of a run; the host is empty if the file does not tell hosts apart."""


def read_records(path: Path, notes: list[str]) -> Iterator[tuple[Record, JournalLine]]:
    """The records of a result file with their lines, oldest first; `notes` gets sentences about left out and unsealed lines.

    InputError, with file and line, for a damaged line.
    """
    counts: Counter[bool | None] = Counter()
    incomplete: list[int] = []
    register_input(path)
    for line in read_lines(path, incomplete=incomplete):
        counts[line.sealed] += 1
        if line.sealed is False:
            continue
        if problem := damage(line.entry):
            raise InputError(problem, source=str(path), line=line.number)
        yield line.entry, line
    notes += [f"{path}:{number}: the last line is incomplete and left out (a run was in progress)" for number in incomplete]
    if counts[False]:
        notes.append(f"{path}: {numbered(counts[False], 'record')} left out because of wrong seals (changed after the run)")
    if counts[None]:
        notes.append(f"{path}: {numbered(counts[None], 'record')} without seals (of an earlier version, or edited)")


def record_shaper(fields: frozenset[str] | None = SCORED) -> Callable[[Record], Record]:
    """A function that completes records with the defaults of missing fields, keeps these fields (None: all), and shares equal
    values."""
    missing = {name: value for name, value in defaults().items() if fields is None or name in fields}
    shared: dict[Any, Any] = {}

    def shape(record: Record) -> Record:
        found = {**missing, "evidence": evidence_json(evidence_of(record))}
        for name, value in record.items():
            if (fields is None or name in fields) and name not in MARKS and (value is not None or name not in found):
                found[sys.intern(name)] = value
        for name, value in found.items():
            if isinstance(value, (dict, list)):
                found[name] = shared.setdefault(marshal.dumps(value, 2), value)
            elif isinstance(value, str):
                found[name] = shared.setdefault(value, value)
        return found

    return shape


@dataclass
class NewestRuns:
    """The newest record of each run, with the number of its file.

    `revoked` has the earlier records with the opposite verdict. `repeated` counts runs that several files have, `conflicts` has a
    sentence for each of these with different outcomes.
    """

    found: dict[RunKey, tuple[Record, int]] = field(default_factory=dict)
    revoked: list[tuple[RunKey, tuple[Record, int]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    repeated: int = 0
    conflicts: list[str] = field(default_factory=list)

    @property
    def of_several_hosts(self) -> set[tuple[str, str]]:
        """Suite and key of the runs that several hosts made, each of which keeps its record."""
        hosts = Counter((suite, key) for suite, key, _ in self.found)
        return {run for run, count in hosts.items() if count > 1}

    def messages(self) -> list[str]:
        """Notes, conflicts, and runs of several hosts, for the user."""
        lines = [f"note: {note}" for note in self.notes] + [f"conflict: {each}" for each in self.conflicts[:MOST_CONFLICTS]]
        if more := len(self.conflicts[MOST_CONFLICTS:]):
            lines.append(f"conflict: and {more} more")
        if several := len(self.of_several_hosts):
            lines.append(f"note: several hosts made {several} runs: tables separate them, and scores --hosts compares two")
        return lines


def newest_runs(
    files: Sequence[Path],
    shape: Callable[[Record], Record],
    counts: Callable[[int, Record, str], bool],
) -> NewestRuns:
    """Within a file, the last record of a run is the newest, because a clock can be set back; among files, the date decides.

    `shape` makes the record in memory from that in the file. `counts` gets the number of a file, a record, and its key, and
    decides whether the record is read.
    """
    read = NewestRuns()
    for number, path in enumerate(files):
        own: dict[RunKey, tuple[Record, int]] = {}
        for entry, _ in read_records(path, read.notes):
            key, host = plain_key(entry["key"])
            record = shape(entry)
            if counts(number, record, key):
                run = (record.get("suite", ""), key, host)
                old = own.get(run)
                if old and contradict(old[0], record):
                    read.revoked.append(((*run[:2], host or host_of(old[0])), old))
                own[run] = record, number
        for (suite, key, host), new in own.items():
            run = (suite, key, host or (host_of(new[0]) if len(files) > 1 else ""))
            old = read.found.setdefault(run, new)
            if old is not new:
                older, newer = (old, new) if new[0].get("date", "") >= old[0].get("date", "") else (new, old)
                read.found[run] = newer
                read.repeated += 1
                if contradict(older[0], newer[0]):
                    read.revoked.append((run, older))
                if older[0]["status"] != newer[0]["status"]:
                    kept, other = (f"{r['status']} in {files[at]} ({host_of(r)})" for r, at in (newer, older))
                    read.conflicts.append(f"{key}: kept {kept}, not {other}")
    return read


def contradict(one: Record, other: Record) -> bool:
    """Whether two runs have opposite verdicts."""
    return {one["status"], other["status"]} == set(DECIDED)


def plain_key(key: str) -> tuple[str, str]:
    """The key as the suite makes it, and the host that `bench-cnf merge` added.

    >>> plain_key('["nonogram", 1]@node1'), plain_key('["a]@b", 1]')
    (('["nonogram", 1]', 'node1'), ('["a]@b", 1]', ''))
    """
    plain, mark, host = ("", "", "") if key.endswith("]") else key.rpartition("]@")
    return (f"{plain}]", host) if mark else (key, "")


# -- the file of a benchmark in progress ----------------------------------------------------------------------------------


class Store(Journal):
    """The result file of a benchmark, locked until it is closed. `latest`, `unsealed`: see `latest_records`, at the last `read`.

    The file gets one board for each instance and encoding. `fresh` deletes the contents of the file; `durable` waits after each
    record until the disk has it (otherwise the kernel has it, which is enough unless the machine crashes). InputError if another
    benchmark uses the file, or if a line is damaged.
    """

    def __init__(self, path: Path, *, fresh: bool = False, durable: bool = False):
        super().__init__(path)
        self._durable = durable
        try:
            if fresh:
                os.ftruncate(self._file, 0)
            self.read()
        except BaseException:
            self.close()
            raise

    def read(self) -> None:
        """Read the file again."""
        self.unsealed = set[str]()
        self.latest = latest_records(self.path, self.unsealed)
        self._boards = {_board_key(record) for record in self.latest.values() if record["board"]}
        self._end = os.fstat(self._file).st_size

    def add(self, record: Record) -> None:
        """Append a record, without a further board; it is in the file when this returns.

        InputError if another program has changed the file.
        KeyError for a field that is not in the table of fields.
        """
        if strange := sorted(record.keys() - FIELDS.keys()):
            raise KeyError(f"{', '.join(strange)}: not in the table of bench/record.py")
        if record.get("board") is not None:
            if _board_key(record) in self._boards:
                del record["board"]
            self._boards.add(_board_key(record))
        if not os.path.lexists(self.path) or os.stat(self.path).st_size != self._end:
            message = "another program changed this file, which must not happen while a benchmark runs"
            raise InputError(message, source=str(self.path))
        self.append(record)
        if self._durable:
            os.fsync(self._file)
        self._end = os.fstat(self._file).st_size


COUNTED = frozenset(("family", "instance", "encoding", "status", "limits", "binary_sha256"))
"""The fields that decide whether a run is made again; a million runs have them in memory."""


def _board_key(record: Record) -> tuple[Any, ...]:
    return record["family"], record["instance"], record.get("encoding")


def latest_records(path: Path, unsealed: set[str] | None = None) -> dict[str, Record]:
    """The newest sealed record of each key with the fields `COUNTED` and `board` (whether it has one); empty without a file.

    `unsealed` gets the keys that only records without a seal have.
    """
    latest: dict[str, Record] = {}
    without = set() if unsealed is None else unsealed
    shape = record_shaper(COUNTED)
    for record, line in read_records(path, []) if os.path.lexists(path) else ():
        key, _ = plain_key(record["key"])
        if line.sealed:
            latest[key] = shape(record) | {"board": record.get("board") is not None}
        else:
            without.add(key)
    without -= latest.keys()
    return latest
