"""The puzzles of a collection: files, folders with all below them, files that hold several puzzles.

What cannot be read is an item too, with the error: it is counted and told, and the others go on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import Family

PACKED = (".gz", ".xz")


@dataclass(frozen=True)
class Item:
    """Puzzle `number` (from 1) of a file in canonical JSON, with its SHA-256; or the `error` that it cannot be read.

    Where a whole file cannot be read the number is 0.
    """

    file: str
    number: int
    puzzle: Mapping[str, Any] | None = None
    sha256: str = ""
    error: str = ""

    @property
    def place(self) -> tuple[str, int]:
        """What no other item of a collection has."""
        return self.file, self.number

    def __str__(self) -> str:
        return f"{self.file}, puzzle {self.number}" if self.number > 1 else self.file


def files_of(names: Iterable[str], endings: Sequence[str]) -> list[str]:
    """The files that are named, each once, and for a folder those below it with one of the endings, packed or not, sorted.

    InputError for a folder without such a file.
    """
    found: list[str] = []
    for name in names:
        if not os.path.isdir(name):
            found.append(name)
            continue
        below = sorted(str(path) for path in Path(name).rglob("*") if _fits(path, endings))
        if not below:
            listed = ", ".join(dict.fromkeys(endings)) or "that its formats have"
            raise InputError(f"found a folder without puzzles, expected files with the endings {listed}", source=name)
        found += below
    return list(dict.fromkeys(found))


def _fits(path: Path, endings: Sequence[str]) -> bool:
    name = path.with_suffix("").name if path.suffix.lower() in PACKED else path.name
    return name.lower().endswith(tuple(endings)) and not path.name.startswith(".") and path.is_file()


def items_of(family: Family, files: Iterable[str], options: Mapping[str, Any]) -> Iterator[Item]:
    """Every puzzle of the files; `options` are those of the family's reader."""
    for file in files:
        try:
            source = open_source(file)
            numbers = _numbers(family, source, options)
        except InputError as error:
            yield Item(file, 0, error=_told(error, file))
            continue
        for number in numbers:
            yield _item(family, source, file, number or 1, dict(options) | ({"number": number} if number else {}))


def _numbers(family: Family, source: Source, options: Mapping[str, Any]) -> Sequence[int]:
    """The numbers of the puzzles in a file; only 0 where the family knows of no numbers, or one was chosen."""
    if "number" in options or "number" not in {option.name for option in family.options}:
        return [options.get("number", 0)]
    return range(1, len(family.formats.read_puzzles(source, options.get("format"))) + 1)


def _item(family: Family, source: Source, file: str, number: int, options: dict[str, Any]) -> Item:
    try:
        entry = family.puzzle_to_json(family.read(source, **options))
    except CnfgenError as error:
        return Item(file, number, error=_told(error, file))
    return Item(file, number, entry, sha256_of(entry))


def _told(error: CnfgenError, file: str) -> str:
    """The error, with the file where it names none: it is not about what stands in it."""
    return str(error) if isinstance(error, InputError) and error.source else f"{file}: {error}"


def sha256_of(entry: Mapping[str, Any]) -> str:
    """What names a puzzle whatever file it stands in, or a question: of its JSON with sorted names and without blanks."""
    return hashlib.sha256(json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
