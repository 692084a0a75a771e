"""The result file while a benchmark writes to it: JSON lines, appended one a run, by one benchmark at a time.

A record is in the file as a whole or not at all for whoever reads up to the last line end, so a kill loses at most the runs in
flight. Several records may have one key (a run that was made again): the newest counts. Reading results for tables and plots is
the affair of `analyse/results.py`.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import platform
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, TextIO

from cnfgen_puzzles.bench.record import Record, damage
from cnfgen_puzzles.common.atomicfiles import atomic_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.jsonlines import end_last_line, iterate_jsonlines

RESULTS = "runs.jsonl"
"""The result file in a result folder."""
LARGE = 100 << 20
"""Bytes of a result file: of more, only what must be known is kept in memory."""


def latest_records(path: Path) -> dict[str, Record]:
    """The newest record of each key in a result file, which may be written to right now; none if there is no file.

    Keys come in the order in which they came first.
    """
    latest: dict[str, Record] = {}
    for number, _, record in iterate_jsonlines(path) if os.path.lexists(_regular(path)) else ():
        if problem := damage(record):
            raise InputError(problem, source=str(path), line=number)
        latest[record["key"]] = record
    return latest


class Store:
    """The result file of a benchmark, locked until it is closed. `latest` has the newest record of each key.

    `fresh` forgets what is in the file; `durable` waits after each record until the disk has it (else the kernel has, which
    is enough unless the machine itself fails). InputError if another benchmark has the file, or if a line is damaged.
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
            self._read: list[tuple[int, int, str]] = []
            self._added: list[bytes] = []
            self.latest = self._latest()
            self._left = _identity(path)
        except BaseException:
            self._lock.close()
            raise

    def _latest(self) -> dict[str, Record]:
        """The newest records; of a large file only what says whether they count (`blocks.latest_of`)."""
        if self.path.stat().st_size > LARGE and find_spec("polars") is not None:
            from cnfgen_puzzles.bench.run.blocks import latest_of

            with contextlib.suppress(ValueError):  # the reader of lines knows better what is wrong
                latest, self._read = latest_of(self.path)
                return latest
        return latest_records(self.path)

    def add(self, record: Record) -> None:
        """Append one result; it is in the file when this returns.

        A file that is not as it was left, since a program that ran here wrote to it, is first written anew from what is known:
        the newest record of each run. The record says so.
        """
        if _identity(self.path) != self._left:
            self._write_anew()
            record["warnings"] = [*(record.get("warnings") or []), "another program wrote to the result file: it was restored"]
        line = _line(record)
        written = os.write(self._file, line)
        if written != len(line):  # the disk is full: half a record must not stay, another could follow it
            os.ftruncate(self._file, os.fstat(self._file).st_size - written)
            raise OSError(f"{self.path}: only {written} of {len(line)} bytes could be written; is the disk full?")
        if self.durable:
            os.fsync(self._file)
        if self._read:
            self._added.append(line)
        self.latest[record["key"]] = record
        self._left = _identity(self.path)

    def _write_anew(self) -> None:
        with atomic_file(self.path) as stream:
            if self._read:
                self._copy_older(stream)
                stream.writelines(self._added)
            else:
                stream.writelines(map(_line, self.latest.values()))
        os.close(self._file)
        self._file = _opened(self.path)

    def _copy_older(self, stream: BinaryIO) -> None:
        """What was in a large file when it was opened, of which the checksums are known and no more."""
        from cnfgen_puzzles.bench.run.blocks import checksum_of

        for start, end, checksum in self._read:
            if not self.path.is_file() or checksum_of(self.path, start, end) != checksum:
                raise InputError(
                    f"was changed by another program in what was there before (bytes {start} to {end}); so large a file "
                    "cannot be restored, expected that nobody writes to it while a benchmark runs",
                    source=str(self.path),
                )
            with self.path.open("rb") as older:
                older.seek(start)
                stream.write(older.read(end - start))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._file)
        self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _line(record: Record) -> bytes:
    return (json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _identity(path: Path) -> tuple[int, ...]:
    """What changes when somebody writes to a file or puts another in its place."""
    try:
        status = path.stat(follow_symlinks=False)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns


def _regular(path: Path) -> Path:
    """The path, unless something is there that is no file: reading a pipe or a device might never end."""
    if os.path.lexists(path) and not os.path.isfile(path):
        raise InputError("found something that is no file, expected the result file of a benchmark", source=str(path))
    return path


def _opened(path: Path) -> int:
    """The descriptor of the result file, to append."""
    try:
        return os.open(_regular(path), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK, 0o666)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None


def _lock(guarded: Path) -> TextIO:
    """The open lock file, with our number in it; the kernel lets go of it when we end, whatever ends us."""
    path = guarded.with_name(f"{guarded.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = _regular(path).open("a+", encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read(200).strip() or "it did not say who"
        file.close()
        raise InputError(f"another benchmark writes to this file now ({holder})", source=str(guarded)) from None
    file.truncate(0)
    file.write(f"process {os.getpid()} on {platform.node()}\n")
    file.flush()
    return file
