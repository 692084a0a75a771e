"""The result file while a benchmark writes to it: a journal (`common.journal`) with a record per run.

Several records can have the same key (of a repeated run): the newest counts. Only sealed records count as done.
`analyse/results.py` reads results for tables and plots.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.runs import RecordShaper, plain_key, read_records
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import Journal, sealed_line

RESULTS = "runs.jsonl"
"""The result file in a result folder."""
LATEST = frozenset(("family", "instance", "encoding", "status", "binary_sha256", "limits", "cpu"))
"""The fields that decide whether an earlier run counts, besides the presence of a board."""


class Store(Journal):
    """The result file of a benchmark, locked until it is closed. `latest`, `unsealed`: see `latest_records`.

    `fresh` deletes the contents of the file; `durable` waits after each record until the disk has it (otherwise the kernel has
    it, which is enough unless the machine crashes). InputError if another benchmark uses the file, or if a line is damaged.
    """

    def __init__(self, path: Path, *, fresh: bool = False, durable: bool = False):
        super().__init__(path)
        self._durable = durable
        try:
            if fresh:
                os.ftruncate(self._file, 0)
            self.unsealed = set[str]()
            self.latest = latest_records(path, self.unsealed)
            self._before = self._checksum(os.fstat(self._file).st_size)
            self._added: list[Record] = []
            self._left = self._identity()
        except BaseException:
            self.close()
            raise

    def add(self, record: Record) -> None:
        """Append a record; it is in the file when this returns.

        If another program has changed the file, it is restored first, and the record gets a warning.
        """
        if self._identity() != self._left:
            self._restore()
            record["warnings"] = [*(record.get("warnings") or []), "another program wrote to the result file, which was restored"]
        self.append(record)
        if self._durable:
            os.fsync(self._file)
        self._added.append(record)
        self.latest[record["key"]] = record
        self._left = self._identity()

    def _restore(self) -> None:
        """Write the added records again. InputError if the earlier results were changed, or if the file was replaced."""
        size, _ = self._before
        if self._identity()[:2] != self._left[:2] or self._checksum(size) != self._before:
            message = f"another program changed the first {size} bytes, which are earlier results, or replaced the file"
            raise InputError(f"{message}; do not write to this file while a benchmark runs", source=str(self.path))
        os.ftruncate(self._file, size)
        for record in self._added:
            self.append(record)

    def _checksum(self, size: int) -> tuple[int, str]:
        """Size and checksum of the first bytes of the file."""
        digest = hashlib.sha256()
        with self.path.open("rb") as stream:
            left = size
            while left and (piece := stream.read(min(left, 1 << 20))):
                digest.update(piece)
                left -= len(piece)
        return size, digest.hexdigest()

    def _identity(self) -> tuple[int, ...]:
        """Attributes that change if another program writes to the file or replaces it."""
        try:
            status = self.path.stat(follow_symlinks=False)
        except OSError:
            return ()
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def latest_records(path: Path, unsealed: set[str] | None = None) -> dict[str, Record]:
    """The newest sealed record of each key with the fields of `LATEST`, and `board` (True or None); empty without a file.

    `unsealed` gets the keys that only records without a seal have.
    """
    latest: dict[str, Record] = {}
    without = set() if unsealed is None else unsealed
    shaper = RecordShaper(LATEST)
    for record, line in read_records(path, []) if os.path.lexists(path) else ():
        key, _ = plain_key(record["key"])
        if line.sealed:
            latest[key] = shaper.shape(record) | {"board": True if record.get("board") is not None else None}
        else:
            without.add(key)
    without -= latest.keys()
    return latest


def sealed_record(record: Record) -> bytes:
    """The line of a record."""
    return sealed_line(record)
