"""Files of JSON objects, one a line, that are appended to: a kill at any moment loses at most the line in flight."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cnfgen_puzzles.ground.errors import InputError


def read_jsonlines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file, in order; none if there is no file. A last line that was cut off is left out."""
    return [entry for _, _, entry in iterate_jsonlines(path)] if path.exists() else []


def iterate_jsonlines(path: Path) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    """The number (from 1), the text and the object of each line; blank lines and a cut-off last one are left out.

    InputError for a file that cannot be read, and for a line that is no JSON object.
    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None
    with stream:
        for number, line in enumerate(stream, start=1):
            if line.isspace():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                if not line.endswith(b"\n"):
                    return
                why = getattr(error, "msg", "not UTF-8 or nested too deeply")
                raise InputError(
                    f"found a damaged line ({why}), expected one JSON object a line", source=str(path), line=number
                ) from None
            if not isinstance(value, dict):
                raise InputError("found no JSON object, expected one a line", source=str(path), line=number)
            yield number, line, value


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
    text = path.read_bytes()
    start = text.rfind(b"\n") + 1
    try:
        json.loads(text[start:])
    except (ValueError, RecursionError):
        os.truncate(path, start)
    else:
        with path.open("ab") as stream:
            stream.write(b"\n")
