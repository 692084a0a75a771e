"""Files of JSON objects, one a line, that are appended to: a kill at any moment loses at most the line in flight."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import input_limits, too_much
from cnfgen_puzzles.common.readers.strictjson import NotJson, parse_json, parse_object

WHAT = "a line of JSON"
BLOCK = 1 << 16


def read_jsonlines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file, in order; none if there is no file. A last line that was cut off is left out."""
    return [entry for _, _, entry in iterate_jsonlines(path)] if path.exists() else []


def iterate_jsonlines(path: Path) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    """The number (from 1), the text and the object of each line; blank lines and a cut-off last one are left out.

    InputError for a file that cannot be read, and for a line that is no JSON object. The limit of size is one of lines here:
    these files grow with the work that they keep.
    """
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(_lines(stream, path), start=1):
                if line.isspace():
                    continue
                try:
                    entry = parse_object(line, WHAT, source=str(path), line=number)
                except NotJson as error:
                    if not line.endswith(b"\n"):
                        return
                    message = f"found a damaged line ({error.message}), expected one JSON object a line"
                    raise InputError(message, source=str(path), line=number) from None
                yield number, line, entry
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None


def _lines(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    limit = input_limits().size
    while line := stream.readline(limit + 1):
        if len(line) > limit:
            raise too_much("size", f"a line of more than {limit} bytes", source=str(path))
        yield line


def is_cut_off(path: Path) -> bool:
    """Whether the last line lacks its end: a program was killed while it wrote."""
    with path.open("rb") as stream:
        if not stream.seek(0, os.SEEK_END):
            return False
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) != b"\n"


def end_last_line(path: Path) -> None:
    """Before anything is appended: ends the last line, or removes it where a killed program left only its beginning."""
    if not path.exists() or not is_cut_off(path):
        return
    start, line = _last_line(path)
    try:
        parse_json(line, WHAT, source=str(path))
    except NotJson:
        os.truncate(path, start)
    else:
        with path.open("ab") as stream:
            stream.write(b"\n")


def _last_line(path: Path) -> tuple[int, bytes]:
    """Where a last line without an end begins, and what stands there."""
    with path.open("rb") as stream:
        start = end = stream.seek(0, os.SEEK_END)
        tail = b""
        while start and b"\n" not in tail:
            start = max(0, start - max(BLOCK, len(tail)))  # twice as much each time
            stream.seek(start)
            tail = stream.read(end - start)
    first = tail.rfind(b"\n") + 1
    return start + first, tail[first:]
