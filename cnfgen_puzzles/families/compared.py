"""What encodings were compared with, exhaustively: `compared(family, encoding, options)` tells it for the code that is running.

    told = compared(find_family("nonogram"), "order", {})      # options as a map holds them: those that were given
    if told is not None:
        print(told.sentence)     # the encoding `order` was compared with the rules on all of 80,561 small puzzles: ...

The answer is a record of `scripts/compare_encodings.py`, kept in `compared.json`: for each family the small puzzles whose
solutions were found by other means than this package's rules, for each encoding under each choice of options how many of them its
formulas were held against, and SHA-256 of every file whose code takes part in writing a formula. It is None, and so nothing is
said, for what was not compared, and for all encodings of a family as soon as one of those files has changed.
Not here: the comparison itself (tests/exhaustive/, which says what 'exactly' means; docs/reliability.md says what it rests on).
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
    """Small puzzles that an encoding was held against: `name` says which, they have so many solutions in its formulas."""

    name: str
    puzzles: int
    solutions: int


@dataclass(frozen=True)
class Compared:
    """That the models of an encoding, projected, are exactly the solutions of these puzzles.

    `one_model_each`: no solution had two models, so that counters need no projection. `left_out`: the formulas leave out
    solutions that are symmetric to others, and one of every orbit was there. `version` names the code that was measured.
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
        """What was compared, for a reader of a certificate."""
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
    """What this encoding was compared with under these options (those left out have their defaults); None: nothing is known."""
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
    """SHA-256 of a file of the package; None if there is none (the package may lie in an archive)."""
    try:
        return digest_of_file(PACKAGE / file)
    except OSError:
        return None


@cache
def _record() -> Any:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def _is_recorded(family: Family, encoding: str, files: Mapping[str, str]) -> bool:
    """Whether the encoding is written by the recorded files, and they are as they were."""
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
