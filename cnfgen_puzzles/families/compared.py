"""Exhaustive comparisons of encodings with the rules: `compared(family, encoding, options)` has the record for this code.

`scripts/check/compare_encodings.py` writes the records to `compared.json`: for each family, the small puzzles whose solutions
were found by code independent of the rules in this package; for each encoding and choice of options, the number of puzzles that
its formulas were compared on; and SHA-256 of every file whose code takes part in writing a formula. The result is None for
encodings that were not compared, and for all encodings of a family if one of those files has changed. tests/exhaustive/ has the
comparison and defines 'exactly'; docs/explanation/reliability.md states its assumptions.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.digests import digest, digest_of_file
from cnfgen_puzzles.families.family import Family

RECORD = Path(__file__).with_suffix(".json")
PACKAGE = Path(__file__).parents[1]
SCHEMA = "cnfgen-puzzles/compared"


def compared(family: Family, encoding: str, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """The comparison of this encoding with these options (omitted options have their defaults); None if there is no record.

    The projected models are exactly the `solutions` of all `puzzles`; `left_out`: formulas omit solutions that are symmetric to
    others, and have one solution of every orbit. `version` is the version of the code that was compared.
    """
    entry = _record()["families"].get(family.name)
    if entry is None or not _is_recorded(family, encoding, entry["files"]):
        return None
    chosen = {option.name: option.default for option in family.encodings[encoding].options} | dict(options)
    for variant in entry["encodings"].get(encoding, ()):
        if variant["options"] == chosen:
            _, puzzles, solutions = (sum(numbers) for numbers in zip(*variant["compared"], strict=True))
            version = digest(json.dumps(entry["files"], sort_keys=True))[:12]
            return {"puzzles": puzzles, "solutions": solutions, "left_out": variant["left_out"], "version": version}
    return None


@cache
def checksum(file: str) -> str | None:
    """SHA-256 of a file of the package; None if there is no file (the package may be in an archive)."""
    try:
        return digest_of_file(PACKAGE / file)
    except OSError:
        return None


@cache
def _record() -> Any:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def _is_recorded(family: Family, encoding: str, files: Mapping[str, str]) -> bool:
    """Whether the encoding uses only the recorded files, and they are unchanged."""
    if encoding not in family.encodings:
        return False
    build: Any = family.encodings[encoding].build
    while isinstance(build, partial):
        build = build.func
    try:
        source = Path(inspect.getsourcefile(build) or "").relative_to(PACKAGE).as_posix()
    except (TypeError, ValueError):  # not a function of Python, or not of this package
        return False
    return source in files and all(checksum(file) == recorded for file, recorded in files.items())
