"""A file of JSON objects, one a line, to which a run appends what it has decided, and where another run goes on.

A kill at any moment loses at most the line in flight. Not here: what the entries say.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.jsonlines import end_last_line, read_jsonlines

Entry = dict[str, Any]


class AppendedLines:
    """The entries of earlier runs, `entries`, and a place for those of this one. A line that was cut off is taken away."""

    def __init__(self, path: Path):
        self.path = path
        self.entries: list[Entry] = read_jsonlines(path)
        end_last_line(path)

    def append(self, entry: Entry) -> None:
        """Another entry, which is in the file when this returns."""
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")
        self.entries.append(entry)
