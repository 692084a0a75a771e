"""Append-only files of JSON objects, one per line, for all work that a later call can resume.

    with Journal(path, head={"schema": "cnfgen-puzzles/cubes", "problem": digest}) as journal:
        done = {line.entry["cube"]: line.entry for line in journal.lines()}
        journal.append({"cube": 5, "verdict": "UNSAT"})

If the process is killed, at most the current line is lost. One process at a time can write a journal; the lock is on the file,
and the kernel releases it. Each line ends with a seal, the SHA-256 of its text and of the first line's seal:

    {"cube":5,"verdict":"UNSAT","seal":"2f0c..."}

A wrong seal shows that a line was damaged or edited, or comes from another journal. A seal is not a signature: an edited line can
be sealed again, so entries never replace evidence. The optional head is the first line; it identifies the work of the journal.
"""

from __future__ import annotations

import json
import mmap
import os
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cnfgen_puzzles.common.digests import digest, digest_of_json
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import check_output, lock, open_regular
from cnfgen_puzzles.common.inputlimits import input_limits, too_much
from cnfgen_puzzles.common.readers.strictjson import NotJson, parse_json, parse_object

SEAL = b',"seal":"'
SEAL_LENGTH = len(SEAL) + 64 + len(b'"}')
WHAT = "a line of JSON"


@dataclass(frozen=True, slots=True)
class JournalLine:
    """A line of a journal: its number from 1, the offset of its first byte, its object without the seal, and the seal's check.

    `sealed` is True for a correct seal, False for a wrong one, and None for a line without a seal.
    """

    number: int
    offset: int
    entry: dict[str, Any]
    sealed: bool | None


def read_lines(path: Path, *, sealed_by: str = "", incomplete: list[int] | None = None) -> Iterator[JournalLine]:
    """The lines of a file that another process may be writing, without blank lines and an incomplete last line.

    `sealed_by` is the seal of the journal's head, if it has one. `incomplete` gets the number of an incomplete last line.
    InputError, with file and line, for a file that cannot be read and for a line that is not a JSON object. The input limit
    `size` applies to each line, since these files grow with the work.
    """
    if os.path.lexists(path) and not os.path.isfile(path):  # reading from a pipe or a device might never end
        raise InputError("is not a regular file", source=str(path))
    try:
        with path.open("rb") as stream:
            offset, limit, number = 0, input_limits().size, 0
            while text := stream.readline(limit + 1):
                if len(text) > limit:
                    raise too_much("size", f"a line of more than {limit} bytes", source=str(path), line=number + 1)
                number += 1
                if not text.isspace():
                    try:
                        entry = parse_object(text, WHAT, source=str(path), line=number)
                    except NotJson as error:
                        if not text.endswith(b"\n"):
                            if incomplete is not None:
                                incomplete.append(number)
                            return
                        message = f"found a damaged line ({error.message}), expected one JSON object per line"
                        raise InputError(message, source=str(path), line=number) from None
                    sealed = take_seal(entry, text, sealed_by)
                    yield JournalLine(number, offset, entry, sealed)
                offset += len(text)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None


def sealed_entries(lines: Iterator[JournalLine], path: Path) -> Iterator[dict[str, Any]]:
    """The objects in lines of a journal; InputError for a line whose seal is missing or wrong."""
    for line in lines:
        if not line.sealed:
            raise InputError("this line was changed: its seal is missing or wrong", source=str(path), line=line.number)
        yield line.entry


def sealed_line(entry: Mapping[str, Any], sealed_by: str = "") -> bytes:
    """The line of an entry, with its seal."""
    text = json.dumps(entry, separators=(",", ":")).encode()
    return text[:-1] + SEAL + digest(sealed_by.encode() + text[:-1]).encode() + b'"}\n'


def take_seal(entry: dict[str, Any], text: bytes, sealed_by: str = "") -> bool | None:
    """Remove the seal from the object in a line with this text; `JournalLine.sealed` says what is returned."""
    if (seal := entry.pop("seal", None)) is None:
        return None
    line = text.rstrip()
    right = line[-SEAL_LENGTH : -SEAL_LENGTH + len(SEAL)] == SEAL
    return right and bool(seal == digest(sealed_by.encode() + line[:-SEAL_LENGTH]))


class Journal:
    """A journal that is open for appending, locked until it is closed.

    With a `head`, a new file begins with it, and the first line of an existing file must be equal to it (InputError otherwise:
    the journal belongs to other work). InputError if another process has the journal, or if the file cannot be written.
    """

    def __init__(self, path: Path, head: Mapping[str, Any] | None = None):
        self.path, self._sealed_by = path, ""
        check_output(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None
        try:
            if not lock(self._file):
                raise InputError("another process is writing to this file", source=str(path))
            end_last_line(path)
            if head is not None:
                self._begin(head)
        except BaseException:
            os.close(self._file)
            raise
        self._closing = weakref.finalize(self, os.close, self._file)

    def _begin(self, head: Mapping[str, Any]) -> None:
        first = next(read_lines(self.path), None)
        if first is None:
            self.append(head)
        elif not first.sealed:
            raise InputError("the first line is damaged: its seal is wrong", source=str(self.path), line=first.number)
        elif first.entry != json.loads(json.dumps(head)):
            found = ", ".join(f"{key} {str(first.entry.get(key))[:40]}" for key in head if first.entry.get(key) != head[key])
            raise InputError(f"belongs to other work: found {found or 'other keys'}", source=str(self.path), line=first.number)
        self._sealed_by = digest_of_json(head)

    def lines(self) -> Iterator[JournalLine]:
        """The lines after the head, oldest first."""
        lines = read_lines(self.path, sealed_by=self._sealed_by)
        if self._sealed_by:
            next(lines)
        return lines

    def entries(self) -> Iterator[dict[str, Any]]:
        """The objects after the head, oldest first; InputError for a line whose seal is missing or wrong."""
        return sealed_entries(self.lines(), self.path)

    def resume(self, take: Callable[[JournalLine], object], advice: str) -> None:
        """Call `take` with each line after the head. InputError with file and line, and the advice, for a wrong seal, and if
        `take` refuses the line (KeyError, TypeError, ValueError, IndexError)."""
        for line in self.lines():
            try:
                if not line.sealed:
                    raise ValueError("its checksum does not match its content")
                take(line)
            except (KeyError, TypeError, ValueError, IndexError) as error:
                raise InputError(f"damaged state: {error}; {advice}", source=str(self.path), line=line.number) from None

    def entry(self, offset: int) -> dict[str, Any]:
        """The object in the line at this offset, as `lines` or `append` gave it."""
        with self.path.open("rb") as stream:
            stream.seek(offset)
            entry = parse_object(stream.readline(), WHAT, source=str(self.path))
        entry.pop("seal", None)
        return entry

    def append(self, entry: Mapping[str, Any]) -> int:
        """Append a sealed line, which is completely in the file when this returns; returns its offset."""
        line = sealed_line(entry, self._sealed_by)
        offset = os.fstat(self._file).st_size
        written = os.write(self._file, line)
        if written != len(line):  # the disk is full: remove the partial line, since another could follow it
            os.ftruncate(self._file, offset)
            raise InputError(f"only {written} of {len(line)} bytes could be written; is the disk full?", source=str(self.path))
        return offset

    def close(self) -> None:
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def end_last_line(path: Path) -> None:
    """Terminate the last line before appending, or remove it if a killed program wrote only a part of it."""
    if not path.exists():
        return
    with path.open("rb") as stream:
        if not os.fstat(stream.fileno()).st_size:
            return
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            start = data.rfind(b"\n") + 1
            line = data[start:]
    if not line:
        return
    try:
        parse_json(line, WHAT, source=str(path))
    except NotJson:
        os.truncate(path, start)
    else:
        with path.open("ab") as stream:
            stream.write(b"\n")
