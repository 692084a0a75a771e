"""The file of answers: one JSON object a line, appended as they come; whoever reads it again knows what is done.

A kill loses at most the line in flight, and each line says which puzzle it is of, by the SHA-256 of its canonical JSON, and which
question it answers. Not here: what is done again (`running`).
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from cnfgen_puzzles.collection.listing import sha256_of
from cnfgen_puzzles.collection.question import UNREADABLE, VERDICTS
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.jsonlines import end_last_line, iterate_jsonlines

FIELDS: Mapping[str, type] = {
    "file": str,
    "number": int,
    "sha256": str,
    "question": dict,
    "effort": dict,
    "verdict": str,
    "time": dict,
}
"""What every line has, with its type."""

Key = tuple[str, str]
"""A puzzle's SHA-256 and the digest of a question."""


@dataclass
class KnownAnswer:
    """The newest answer for a key: where its line begins, what it says, and the files and numbers that have a line of it."""

    offset: int
    verdict: str
    effort: str
    seconds: float
    places: set[tuple[str, int]] = field(default_factory=set)


class AnswerFile:
    """The file at `path`, locked until it is closed; `known` has the newest answer of each key, `errors` what could not be read.

    InputError where another command has it, and, with file and line, for a line that is no answer.
    """

    def __init__(self, path: Path):
        self.path = path
        self.known: dict[Key, KnownAnswer] = {}
        self.errors: set[tuple[str, int, str]] = set()
        if path.exists() and not path.is_file():
            raise InputError("found something that is no file, expected one of answers", source=str(path))
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None
        try:
            self._lock()
            self._read()
            end_last_line(path)
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another command writes its answers into this file now", source=str(self.path)) from None
        except OSError:  # a file system without locks
            pass

    def _read(self) -> None:
        offset = 0
        with self.path.open("rb") as lines:  # for the offsets of lines: the reader of JSON leaves blank ones out
            starts = []
            for line in lines:
                starts.append(offset)
                offset += len(line)
        for number, _, entry in iterate_jsonlines(self.path):
            if wrong := _damage(entry):
                raise InputError(f"found a line that is no answer: {wrong}", source=str(self.path), line=number)
            self._note(entry, starts[number - 1])

    def _note(self, entry: Mapping[str, Any], offset: int) -> None:
        place = entry["file"], entry["number"]
        if entry["verdict"] == UNREADABLE:
            self.errors.add((*place, entry["error"]))
            return
        key = entry["sha256"], sha256_of(entry["question"])
        before = self.known.get(key)
        places = before.places if before and "same_as" in entry else set()
        self.known[key] = KnownAnswer(
            offset, entry["verdict"], sha256_of(entry["effort"]), float(entry["time"].get("wall", 0.0)), places | {place}
        )

    def entry(self, known: KnownAnswer) -> dict[str, Any]:
        """The line of a known answer."""
        with self.path.open("rb") as stream:
            stream.seek(known.offset)
            found: dict[str, Any] = json.loads(stream.readline())
            return found

    def add(self, entry: Mapping[str, Any]) -> None:
        """Append a line; it is in the file when this returns, as a whole or not at all."""
        line = line_of(entry)
        offset = os.fstat(self._file).st_size
        written = os.write(self._file, line)
        if written != len(line):  # the disk is full: half a line must not stay, another could follow it
            os.ftruncate(self._file, offset)
            raise InputError(f"only {written} of {len(line)} bytes could be written; is the disk full?", source=str(self.path))
        self._note(entry, offset)

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def line_of(entry: Mapping[str, Any]) -> bytes:
    """A line of the file."""
    return (json.dumps(entry, separators=(",", ":")) + "\n").encode()


def _damage(entry: Mapping[str, Any]) -> str:
    """What is wrong with a line that should be an answer, in words; empty if nothing is."""
    for name, kind in FIELDS.items():
        if name not in entry:
            return f"it has no {name!r}"
        if not isinstance(entry[name], kind) or isinstance(entry[name], bool):
            return f"found {entry[name]!r:.40} as {name!r}"
    if entry["verdict"] not in VERDICTS:
        return f"found the verdict {entry['verdict']!r:.40}"
    if entry["verdict"] == UNREADABLE and not isinstance(entry.get("error"), str):
        return "it has no 'error'"
    seconds = entry["time"].get("wall", 0.0)
    return "" if isinstance(seconds, int | float) and not isinstance(seconds, bool) else f"found {seconds!r:.40} as a time"
