"""What a loop begins with, and what it keeps on disk, so that another call goes on.

Kept are the numbers of the pieces added so far, and those that were enough. No state can make a false answer, so it has no
checksum: whichever pieces it names, they are pieces of this puzzle. What refutes some of them refutes the puzzle, and a board is
checked against all of it. The file of those that were enough is never read.

Not here: when it is written (`refine`).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from cnfgen_puzzles.common.atomicfiles import write_whole
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.strictjson import parse_object
from cnfgen_puzzles.common.regularfiles import content_of
from cnfgen_puzzles.families import Family, Puzzle

DEFAULT_SOLVER = "glucose4"
"""The incremental solver when the user names none and python-sat is there: the fastest of those measured."""

ADDED_AT_ONCE = 10
"""Pieces that are added a round unless `add` says otherwise."""

STATE = "state.json"
SUFFICIENT = "sufficient"
WHAT = "the state of a loop"
MOST_TOLD = 200
"""Characters of what another state says of its puzzle."""


class State:
    """The numbers of the pieces added so far, in a folder; it belongs to one puzzle."""

    def __init__(self, folder: Path, family: Family, puzzle: Puzzle):
        self._path = folder / STATE
        entry = json.dumps(family.puzzle_to_json(puzzle), sort_keys=True)
        self._about = {
            "family": family.name,
            "puzzle": family.describe(puzzle),
            "sha256": hashlib.sha256(entry.encode()).hexdigest(),
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"is no folder to write to: {error.strerror}", source=str(folder)) from None

    def read(self, total: int) -> list[int]:
        """What has been kept; nothing in a new folder."""
        source = str(self._path)
        content = content_of(self._path)
        if content is None:
            return []
        entry = parse_object(content, WHAT, source=source)
        missing = next((key for key in (*self._about, "added") if key not in entry), None)
        if missing:
            raise InputError(f"not {WHAT}: {missing!r} is missing", source=source)
        if any(entry[key] != expected for key, expected in self._about.items()):
            told = f"{entry['family']}: {entry['puzzle']}"
            raise InputError(f"found the state of another puzzle, {told[:MOST_TOLD]}", source=source)
        added = entry["added"]
        if not isinstance(added, list) or not all(type(number) is int and 0 <= number < total for number in added):
            raise InputError(f"found numbers that are not all from 0 to {total - 1}", source=source)
        return list(dict.fromkeys(added))

    def write(self, added: list[int]) -> None:
        """Keep these; a reader never sees half of them."""
        write_whole(self._path, json.dumps(self._about | {"added": added}) + "\n")

    def write_sufficient(self, text: str, suffix: str) -> Path:
        """Keep the pieces that were enough for a refutation as a puzzle file of their own; its path."""
        path = self._path.with_name(SUFFICIENT + suffix)
        write_whole(path, text)
        return path
