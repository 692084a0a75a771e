"""Findings: measured claims with date and version, one JSON line each, and merging of two files.

An undecided finding never replaces a decided one.
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
    """The `Measured` value of the claim `key`, in elapsed `seconds`, by `version`; `date` is UTC, to the second."""

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
    """A finding with the current date and version."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Finding(key, measured.value, measured.evidence, measured.why, round(seconds, 1), __version__, now)


def read_findings(path: Path) -> Findings:
    """The findings of a file; none without a file. `merged` chooses between two with the same key."""
    known = {field.name for field in fields(Finding)}
    found: Findings = {}
    for line in read_lines(path) if path.exists() else ():
        try:
            add(found, Finding(**{name: value for name, value in line.entry.items() if name in known}))
        except TypeError as error:
            raise InputError(f"found an invalid finding ({error})", source=str(path), line=line.number) from None
    return found


def add(found: Findings, new: Finding) -> None:
    """The newer finding, but a decided one before an undecided one."""
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
    """Writes all findings, those of `order` first and in this order."""
    first = [key for key in order if key in found]
    with atomic_file(path, parents=True) as stream:
        for key in [*first, *sorted(set(found) - set(first))]:
            stream.write((json.dumps(asdict(found[key]), ensure_ascii=False) + "\n").encode())
