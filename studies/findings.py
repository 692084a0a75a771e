"""What has been measured of the claims, when and by which version: a line of JSON each, and how two such files become one.

A decided finding is never replaced by one that decides nothing, whatever their dates.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.journal import Journal, read_lines
from cnfgen_puzzles.common.version import __version__
from studies.claims import Measured


@dataclass(frozen=True)
class Finding:
    """What was `Measured` of the claim `key`, in elapsed `seconds`, by `version`; `date` is UTC, to the second."""

    key: str
    value: str | None
    evidence: str
    why: str
    seconds: float
    version: str
    date: str

    @property
    def decided(self) -> bool:
        return self.value is not None


Findings = dict[str, Finding]
"""By key."""


def finding(key: str, measured: Measured, seconds: float) -> Finding:
    """Made now, by this version."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Finding(key, measured.value, measured.evidence, measured.why, round(seconds, 1), __version__, now)


def read_findings(path: Path) -> Findings:
    """Those of a file, none if it is not there; of two with a key the one that `merged` chooses."""
    known = {field.name for field in fields(Finding)}
    found: Findings = {}
    for line in read_lines(path) if path.exists() else ():
        try:
            add(found, Finding(**{name: value for name, value in line.entry.items() if name in known}))
        except TypeError as error:
            raise InputError(f"found no finding of a claim ({error})", source=str(path), line=line.number) from None
    return found


def add(found: Findings, new: Finding) -> None:
    """The newer finding stays, and a decided one."""
    old = found.get(new.key)
    if old is None or (new.decided, new.date) >= (old.decided, old.date):
        found[new.key] = new


def merged(*sources: Mapping[str, Finding]) -> Findings:
    found: Findings = {}
    for source in sources:
        for each in source.values():
            add(found, each)
    return found


def append_finding(path: Path, new: Finding) -> None:
    with Journal(path) as journal:
        journal.append(asdict(new))


def write_findings(path: Path, found: Mapping[str, Finding], order: Iterable[str]) -> None:
    """All of them, those of `order` first and in that order."""
    first = [key for key in order if key in found]
    with atomic_file(path, parents=True) as stream:
        for key in [*first, *sorted(set(found) - set(first))]:
            stream.write((json.dumps(asdict(found[key]), ensure_ascii=False) + "\n").encode())
