"""The result file while a benchmark writes to it: one JSON line per run, from one benchmark at a time.

A reader of complete lines sees a record as a whole or not at all, so a kill loses at most the running solvers. Several records
can have the same key (of a repeated run): the newest counts. Each line ends with a seal (`common.journal`): only sealed records
count as done. `analyse/results.py` reads results for tables and plots.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.runs import latest_records
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file, lock, open_regular
from cnfgen_puzzles.common.journal import end_last_line, seal_line

RESULTS = "runs.jsonl"
"""The result file in a result folder."""


class Store:
    """The result file of a benchmark, locked until it is closed. `latest`, `unsealed`: see `bench.runs.latest_records`.

    `fresh` deletes the contents of the file; `durable` waits after each record until the disk has it (otherwise the kernel has
    it, which is enough unless the machine crashes). InputError if another benchmark uses the file, or if a line is damaged.
    """

    def __init__(self, path: Path, *, fresh: bool = False, durable: bool = False):
        self.path = path
        self.durable = durable
        self._lock = _lock(path)
        try:
            self._file = _opened(path)
            if fresh:
                os.ftruncate(self._file, 0)
            end_last_line(path)
            self.unsealed = set[str]()
            self.latest = latest_records(path, self.unsealed)
            self._before = _checksum(path, path.stat().st_size)
            self._added: list[bytes] = []
            self._left = _identity(path)
        except BaseException:
            self._lock.close()
            raise

    def add(self, record: Record) -> None:
        """Append a record; it is in the file when this returns.

        If another program has changed the file, it is restored first, and the record gets a warning.
        """
        if _identity(self.path) != self._left:
            self._restore()
            record["warnings"] = [*(record.get("warnings") or []), "another program wrote to the result file, which was restored"]
        line = sealed_record(record)
        written = os.write(self._file, line)
        if written != len(line):  # the disk is full: an incomplete record must not stay
            os.ftruncate(self._file, os.fstat(self._file).st_size - written)
            raise OSError(f"{self.path}: only {written} of {len(line)} bytes could be written; is the disk full?")
        if self.durable:
            os.fsync(self._file)
        self._added.append(line)
        self.latest[record["key"]] = record
        self._left = _identity(self.path)

    def _restore(self) -> None:
        """Write the original contents and the added lines again. InputError if the original contents were changed."""
        size, _ = self._before
        if not self.path.is_file() or _checksum(self.path, size) != self._before:
            raise InputError(
                f"another program changed the first {size} bytes, which are earlier results; do not write to this file while a "
                "benchmark runs",
                source=str(self.path),
            )
        with atomic_file(self.path, updates=True) as stream, self.path.open("rb") as older:
            for piece in _pieces(older, size):
                stream.write(piece)
            stream.writelines(self._added)
        os.close(self._file)
        self._file = _opened(self.path)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._file)
        self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def sealed_record(record: Record) -> bytes:
    """The line of a record."""
    return seal_line(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "backslashreplace"))


def _pieces(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """The first bytes of a file in parts."""
    while size > 0 and (piece := stream.read(min(size, 1 << 20))):
        size -= len(piece)
        yield piece


def _checksum(path: Path, size: int) -> tuple[int, str]:
    """Size and checksum of the first bytes of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        for piece in _pieces(stream, size):
            digest.update(piece)
    return size, digest.hexdigest()


def _identity(path: Path) -> tuple[int, ...]:
    """Attributes that change if a program writes to the file or replaces it."""
    try:
        status = path.stat(follow_symlinks=False)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns


def _opened(path: Path) -> int:
    """The descriptor of the result file for appending."""
    try:
        return open_regular(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None


def _lock(guarded: Path) -> TextIO:
    """The open lock file with the number of this process; the kernel releases it when the process ends."""
    path = guarded.with_name(f"{guarded.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        file = os.fdopen(descriptor, "a+", encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None
    if not lock(descriptor):
        file.seek(0)
        holder = file.read(200).strip() or "unknown process"
        file.close()
        raise InputError(
            f"another benchmark ({holder}) is using this file; wait until it ends, or choose another folder", source=str(guarded)
        )
    file.truncate(0)
    file.write(f"process {os.getpid()} on {platform.node()}\n")
    file.flush()
    return file
