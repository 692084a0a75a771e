"""Results: an append-only file of JSON objects, one run a line, that survives being cut off anywhere."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

from cnfgen_puzzles.errors import InputError


class Store:
    """The result file of a suite. Appending is safe from several threads; a kill loses at most the line being written."""

    def __init__(self, path: Path):
        self.path = path
        self.entries: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            self._load()

    def _load(self) -> None:
        """Read what is there; half a line at the end, left by a kill, is cut off."""
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                self.entries.append(json.loads(line))
            except json.JSONDecodeError as error:
                message = f"found a damaged result ({error.msg}), expected one JSON object a line"
                raise InputError(message, source=str(self.path), line=number) from None
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))

    def add(self, entry: dict[str, Any]) -> None:
        """Append one result; it is in the file when this returns."""
        line = json.dumps(entry, separators=(",", ":")) + "\n"
        with self._lock:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line)
            self.entries.append(entry)
