"""The manifest of a certificate: what is stated and claimed, which files there are, and which programs were used.

Its text is a function of its values and is held to that, byte for byte: there is one way to write it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.strictjson import member, parse_object, whole
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.evidence.certificate.names import FRAME, MANIFEST, NAME, SUMS

SCHEMA = "cnfgen-puzzles/certificate"
FORMAT = 1
"""Of the manifest, README.md and verify.sh together: who changes one raises it, and keeps how old ones were made."""

SHA256 = re.compile("[0-9a-f]{64}")
MOST_BYTES = 1 << 50


class OtherFormat(InputError):
    """Not a manifest of this format: of a newer one, or of something else."""


@dataclass(frozen=True)
class Entry:
    """A file: what it is, its size and its SHA-256 (hexadecimal)."""

    role: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Program:
    """A program that was used: what for (`solver`, `checker`), and what tells it from others. `sha256` may be empty: unknown."""

    used_as: str
    name: str
    version: str = ""
    sha256: str = ""
    command: str = ""


PACKAGE = f"cnfgen-puzzles {__version__}"
"""Who writes certificates here."""


@dataclass(frozen=True)
class Manifest:
    """What the folder says of itself.

    `statement` is the name of one of `STATEMENTS`; `claim` is one line, what that means, for README's heading; `sections` are
    headings and texts of README, which whoever knows the matter gives; `details` is theirs, any JSON object.
    """

    statement: str
    claim: str
    sections: tuple[tuple[str, str], ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    programs: tuple[Program, ...] = ()
    package: str = PACKAGE
    files: Mapping[str, Entry] = field(default_factory=dict)

    def to_text(self) -> str:
        """As certificate.json: a line a member, and a line a file, so that `sed` can read it."""
        members = {
            "schema": SCHEMA, "format": FORMAT, "statement": self.statement, "claim": self.claim, "package": self.package,
            "programs": [asdict(program) for program in self.programs],
            "sections": [list(section) for section in self.sections], "details": dict(self.details),
        }  # fmt: skip
        lines = [f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in members.items()]
        files = [f"  {json.dumps(name)}: {json.dumps(asdict(self.files[name]))}" for name in sorted(self.files)]
        return "".join(["{\n", *lines, ' "files": {\n', ",\n".join(files), "\n }\n}\n"])

    @classmethod
    def from_text(cls, data: bytes, source: str) -> Manifest:
        """What `to_text` wrote. InputError for everything else."""
        entry = parse_object(data, "a certificate's manifest", source=source)
        if entry.get("schema") != SCHEMA:
            raise OtherFormat(f'not a certificate: expected "schema": "{SCHEMA}"', source=source)
        if type(entry.get("format")) is not int or entry["format"] != FORMAT:
            raise OtherFormat(f"found a certificate of format {entry.get('format')!r:.40}, expected {FORMAT}", source=source)
        try:
            manifest = cls._of_json(entry)
        except (KeyError, TypeError, ValueError) as error:
            told = f"no member {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(f"damaged: {told}", source=source) from None
        written = manifest.to_text().encode()
        if written != data:
            line = first_difference(written, data)
            raise InputError("damaged: not as it was written", source=source, line=line)
        return manifest

    @classmethod
    def _of_json(cls, entry: Mapping[str, Any]) -> Manifest:
        sections = [(str(heading), str(text)) for heading, text in member(entry, "sections", list)]
        programs = [Program(**{name: str(value) for name, value in each.items()}) for each in member(entry, "programs", list)]
        files = {}
        for name, told in member(entry, "files", dict).items():
            if not NAME.fullmatch(name) or ".." in name:
                raise ValueError(f"found the file {name!r:.100}, expected names of files in the folder")
            if name in (*FRAME, SUMS):
                raise ValueError(f"found {name} among the files of the {MANIFEST}, expected it beside them")
            checksum = member(told, "sha256", str)
            if not SHA256.fullmatch(checksum):
                raise ValueError(f"found a checksum of {name} that is none, expected 64 hexadecimal digits")
            files[name] = Entry(member(told, "role", str), whole(told["bytes"], 0, MOST_BYTES), checksum)
        return cls(
            member(entry, "statement", str), member(entry, "claim", str), tuple(sections), member(entry, "details", dict),
            tuple(programs), member(entry, "package", str), files,
        )  # fmt: skip


def first_difference(expected: bytes, found: bytes) -> int:
    """The number of the first line in which two texts differ."""
    same = next((place for place, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), None)
    return found.count(b"\n", 0, min(len(expected), len(found)) if same is None else same) + 1
