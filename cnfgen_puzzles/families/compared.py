"""Exhaustive comparisons of encodings with the rules: `compared(family, encoding, options)` has the record for this code.

    record = compared(find_family("nonogram"), "order", {})      # the options that were given, as in a map
    if record is not None:
        print(record.sentence)     # the encoding `order` was compared with the rules on all of 80,561 small puzzles: ...

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
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.digests import digest, digest_of_file
from cnfgen_puzzles.families.family import Family

RECORD = Path(__file__).with_suffix(".json")
PACKAGE = Path(__file__).parents[1]
SCHEMA = "cnfgen-puzzles/compared"


@dataclass(frozen=True)
class ComparedRange:
    """Small puzzles that an encoding was compared on: `name` says which; `solutions`: the number of solutions."""

    name: str
    puzzles: int
    solutions: int


@dataclass(frozen=True)
class Compared:
    """A record that the projected models of an encoding are exactly the solutions of these puzzles.

    `one_model_each`: no solution had two models, so counters need no projection. `left_out`: the formulas omit solutions that are
    symmetric to others, and have one solution of every orbit. `version` is the version of the code that was compared.
    """

    encoding: str
    options: Mapping[str, Any]
    ranges: tuple[ComparedRange, ...]
    one_model_each: bool
    left_out: bool
    version: str

    @property
    def puzzles(self) -> int:
        return sum(each.puzzles for each in self.ranges)

    @property
    def solutions(self) -> int:
        return sum(each.solutions for each in self.ranges)

    @property
    def sentence(self) -> str:
        """The comparison in one sentence, for a reader of a certificate."""
        chosen = "".join(f", {name} {value}" for name, value in self.options.items())
        models = (
            "have one of each orbit of their solutions" if self.left_out else f"are exactly their {self.solutions:,} solutions"
        )
        ranges = "; ".join(f"{each.name} ({each.puzzles:,})" for each in self.ranges)
        return (
            f"the encoding `{self.encoding}`{chosen} was compared with the rules on all of {self.puzzles:,} small puzzles, whose "
            f"solutions other code found: its models, projected, {models} (version {self.version}). The puzzles: {ranges}"
        )


def compared(family: Family, encoding: str, options: Mapping[str, Any]) -> Compared | None:
    """The comparison of this encoding with these options (omitted options have their defaults); None if there is no record."""
    entry = _record()["families"].get(family.name)
    if entry is None or not _is_recorded(family, encoding, entry["files"]):
        return None
    chosen = {option.name: option.default for option in family.encodings[encoding].options} | dict(options)
    for variant in entry["encodings"].get(encoding, ()):
        if variant["options"] == chosen:
            given = {name: value for name, value in chosen.items() if name in options}
            ranges = tuple(ComparedRange(entry["ranges"][n], puzzles, found) for n, puzzles, found in variant["compared"])
            version = digest(json.dumps(entry["files"], sort_keys=True))[:12]
            return Compared(encoding, given, ranges, variant["one_model_each"], variant["left_out"], version)
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
