"""Files that outlive a kill: JSON lines that are appended to, and files that are there whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from cnfgen_puzzles.errors import InputError


def read_journal(path: Path) -> list[dict[str, Any]]:
    """The objects, one a line; a last line that was cut off is left out. InputError for a damaged line."""
    if not path.exists():
        return []
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        if line.endswith(b"\n"):
            try:
                found.append(json.loads(line))
            except ValueError as error:
                message = f"found {line[:40]!r} ({error}), expected one JSON object a line"
                raise InputError(message, source=str(path), line=number) from None
    return found


def end_last_line(path: Path) -> None:
    """Before anything is appended: removes the beginning of a line that a killed program left."""
    if path.exists() and (text := path.read_bytes()) and not text.endswith(b"\n"):
        os.truncate(path, text.rfind(b"\n") + 1)


def write_whole(path: Path, text: str) -> None:
    """The file with this text, on the disk when this returns."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with partial.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)
