"""Certificates: folders that state a fact about a formula, with the evidence to check it. This module writes them.

    with Draft(folder) as draft:                               # the folder exists only after a complete block
        draft.add(FORMULA, cnf_text(cnf))
        draft.take(PROOF, path)            # a large file, moved here
        draft.seal("no-model", Certificate({"code": "none"}), readme)

This module does not depend on puzzles. A certificate consists of:
* evidence: formulas, models, proofs, lists;
* `manifest.txt`: format, statement (a code of `verify.sh`), numbers, and each file with its size. `verify.sh` reads it;
* `SHA256SUMS`: the checksums of all other files. Its own checksum identifies the certificate;
* `verify.sh`: the script that checks the certificate, identical in every certificate (`evidence/verify.sh`);
* `certificate.json`: the claim as a code with numbers, the programs that were used, the version of the package, and details of
  the claim. Only this package reads it;
* `README.md`: a description, generated from the other files, with a guide that is the same in every certificate.

`verifying` checks certificates. `pipeline.certificates` defines the claims about puzzles.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

from cnfgen_puzzles.common.digests import digest, digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import ScratchFolder, check_output, read_regular
from cnfgen_puzzles.common.readers.strictjson import member, parse_object
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, answer_lines

MANIFEST, SUMS, CERTIFICATE, README, SCRIPT = "manifest.txt", "SHA256SUMS", "certificate.json", "README.md", "verify.sh"
FRAME = (README, SUMS, CERTIFICATE, MANIFEST, SCRIPT)
"""The files of every certificate."""

FORMULA, MODEL, SECOND, PROJECTION = "formula.cnf", "model.txt", "model-2.txt", "projection.txt"
BLOCKED, PROOF, LRAT = "blocked.cnf", "proof.drat", "proof.lrat"
BOARD, READER, RULES, ENCODER = "solution.txt", "json.awk", "rules.awk", "encode.awk"
ALL_BOARDS = "boards.txt"
CUTS = "cuts.txt"
SOLUTIONS, SYMMETRIES = "solutions.txt", "symmetries.txt"
CUBES = "cubes.txt"
COVERING, COVER, COVER_HINTS = "covering.txt", "cover.drat", "cover.lrat"
"""The names of the evidence. `allmodels` and verify.sh explain the files of a list of all models."""

WRITTEN_BY = re.compile("cnfgen-puzzles [0-9A-Za-z.+!-]{1,40}")

SCHEMA, FORMAT = "cnfgen-puzzles/certificate", 3
"""`FORMAT` is the format of the folder, as in verify.sh."""
PACKAGE = f"cnfgen-puzzles {__version__}"
"""The writer of certificates."""
VERIFY_SH = Path(__file__).with_name("verify.sh")
GUIDE = Path(__file__).with_name("guide.md")
"""The part of README.md that is the same in every certificate."""

WIDTH = 120
PIECE = 1 << 20


class Damaged(InputError):
    """The certificate was changed, or its evidence does not show its claim."""

    exit_code = 1


class Unfinished(InputError):
    """The check of a certificate ended early without finding an error."""

    exit_code = 3


@dataclass(frozen=True)
class ListNumbers:
    """The numbers of a list of all models: solutions, orbits, and whether the blocking clauses use only true variables."""

    solutions: int
    orbits: int
    short: bool


class Program(NamedTuple):
    """A program that was used as `solver` or `checker`, with its identity. An empty `sha256` means unknown."""

    used_as: str
    name: str
    version: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class Certificate:
    """The content of certificate.json: a `claim` with `code` and numbers, its `details`, and the programs that were used."""

    claim: Mapping[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)
    programs: tuple[Program, ...] = ()
    package: str = PACKAGE

    def to_text(self) -> bytes:
        """The file, with one line for each member."""
        members = {"schema": SCHEMA, "format": FORMAT, "package": self.package, "claim": dict(self.claim)}
        members |= {"details": dict(self.details), "programs": [program._asdict() for program in self.programs]}
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in members.items())
        return f"{{\n{lines}\n}}\n".encode()

    @classmethod
    def from_text(cls, data: bytes, source: str) -> Certificate:
        """Read the output of `to_text`; raises Damaged for any other content."""
        try:
            entry = parse_object(data, "a certificate", source=source)
            programs = tuple(Program(**each) for each in member(entry, "programs", list))
            claim, details = member(entry, "claim", dict), member(entry, "details", dict)
            member(claim, "code", str)
            found = cls(claim, details, programs, member(entry, "package", str))
            if not WRITTEN_BY.fullmatch(found.package) or not all(isinstance(text, str) for each in programs for text in each):
                raise ValueError("found a program with an invalid name, version, or checksum")
        except KeyError as error:
            raise Damaged(f"has no member {error}", source=source) from None
        except (InputError, TypeError, ValueError) as error:
            raise Damaged(str(error), source=source) from None
        if found.to_text() != data:
            raise Damaged("differs from the text that this package writes", source=source)
        return found


@dataclass(frozen=True)
class Readme:
    """The specific part of README.md: the claim in one line, and paragraphs with its details."""

    heading: str
    paragraphs: Sequence[str] = ()


def readme_text(readme: Readme) -> bytes:
    """The content of README.md; the guide is the same in every certificate."""
    parts = [f"# {readme.heading}", *map(wrapped, readme.paragraphs), GUIDE.read_text(encoding="utf-8")]
    return "\n\n".join(parts).encode()


def wrapped(text: str) -> str:
    """The text in lines of readable width."""
    return "\n".join(
        textwrap.fill(
            line, WIDTH, subsequent_indent="  " * line.startswith("- "), break_long_words=False, break_on_hyphens=False
        )
        for line in text.split("\n")
    )  # fmt: skip


# -- the texts of the evidence ------------------------------------------------------------------------------------------------


def cnf_text(cnf: Cnf) -> bytes:
    """A formula in the format of certificates: without comments."""
    stream = io.BytesIO()
    write_dimacs(cnf, stream)
    return stream.getvalue()


def model_text(model: Sequence[int], variables: int) -> bytes:
    """A model with a value for each variable, as a solver prints it. Unmentioned variables are false."""
    true = set(model)
    whole = [variable if variable in true else -variable for variable in range(1, variables + 1)]
    return ("\n".join(answer_lines(SATISFIABLE, whole)) + "\n").encode()


def lines_text(lines: Sequence[Sequence[int]], end: str = "") -> bytes:
    """Numbers, one sequence per line; `end` is appended to each line."""
    return "".join(" ".join([*map(str, line), *([end] if end else [])]) + "\n" for line in lines).encode()


def projection_text(projection: Sequence[int]) -> bytes:
    """A projection set, one variable per line."""
    return lines_text([[variable] for variable in projection])


def manifest_text(statement: str, count: ListNumbers | None, sizes: Mapping[str, int]) -> bytes:
    """The content of manifest.txt; verify.sh defines its grammar."""
    numbers = [f"solutions {count.solutions}", f"orbits {count.orbits}", f"short {count.short:d}"] if count else []
    files = [f"file {sizes[name]} {name}" for name in sorted(sizes)]
    return "".join(f"{line}\n" for line in [f"format {FORMAT}", f"statement {statement}", *numbers, *files]).encode()


def sums_text(sums: Mapping[str, str]) -> bytes:
    """The content of SHA256SUMS, in the format that `sha256sum -c` reads."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def kept_proof(number: int) -> str:
    """The name of the file with the proof for a cube, by its line in `CUBES` (from 1)."""
    return f"proofs/{number:05}.lrat"


# -- writing ----------------------------------------------------------------------------------------------------------------


def check_place(folder: Path, *, replaces: bool = False) -> None:
    """InputError unless `folder` does not exist, is empty, or is a certificate that may be replaced."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise InputError("found something else than a folder, expected a new folder", source=str(folder))
    existing = os.listdir(folder)
    if not existing:
        return
    if not {CERTIFICATE, SUMS} <= set(existing):
        raise InputError("found a folder that is not empty and no certificate, expected a new one", source=str(folder))
    if not replaces:
        raise InputError(
            "found a certificate there already; --replace-certificate (replaces=True) replaces it", source=str(folder)
        )
    try:
        schema = parse_object(read_regular(folder / CERTIFICATE), "a certificate", source=str(folder / CERTIFICATE)).get("schema")
        sums = read_regular(folder / SUMS).decode("utf-8", "replace").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(folder)) from None
    listed = {SUMS, *(line.partition("  ")[2] for line in sums)}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.is_dir():
            if schema != SCHEMA or name not in listed:
                raise InputError(f"found {name}, which belongs to no certificate; move it to another folder", source=str(folder))
            check_output(path)


class Draft:
    """A new certificate for `folder`. If the block ends without `seal`, nothing is written.

    The files are written to a scratch folder next to `folder`.
    InputError if the folder exists and is not empty, unless it is a certificate and `replaces` is set.
    """

    def __init__(self, folder: str | Path, *, replaces: bool = False):
        self.folder, self.replaces = Path(os.path.abspath(folder)), replaces
        check_place(self.folder, replaces=replaces)
        self.names: set[str] = set()

    def __enter__(self) -> Self:
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self._scratch = ScratchFolder("certificate", self.folder.parent)
            self.place = self._scratch.path / self.folder.name
            self.place.mkdir()
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", source=str(self.folder)) from None
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._scratch.close()
        if isinstance(error, OSError):
            raise InputError(f"cannot be written: {error.strerror or error}", source=str(self.folder)) from None

    def path(self, name: str) -> Path:
        """The path of a new file."""
        assert name not in FRAME and name not in self.names
        self.names.add(name)
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def add(self, name: str, content: bytes) -> Path:
        """Add a file with this content; returns its current path."""
        path = self.path(name)
        path.write_bytes(content)
        return path

    def take(self, name: str, file: Path) -> Path:
        """Move an existing (large) file into the certificate; returns its current path."""
        path = self.path(name)
        shutil.move(file, path)
        return path

    def seal(self, statement: str, certificate: Certificate, readme: Readme, count: ListNumbers | None = None) -> str:
        """Add the common files and publish the folder; returns the SHA-256 of its SHA256SUMS."""
        frame = {CERTIFICATE: certificate.to_text(), README: readme_text(readme), SCRIPT: VERIFY_SH.read_bytes()}
        for name, content in frame.items():
            (self.place / name).write_bytes(content)
        sums = seal_folder(self.place, statement, count)
        self._publish()
        return digest(sums)

    def _publish(self) -> None:
        check_place(self.folder, replaces=self.replaces)
        if self.replaces and self.folder.exists():
            old = self.folder.with_name(f".{self.folder.name}.old")  # not in the scratch folder, which the next process removes
            self.folder.rename(old)
            self.place.rename(self.folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            self.place.rename(self.folder)


def seal_folder(place: Path, statement: str, count: ListNumbers | None) -> bytes:
    """Write manifest.txt and SHA256SUMS for the files in a folder; returns the content of SHA256SUMS."""
    sizes, sums = {}, {}
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if not path.is_dir() and name not in (MANIFEST, SUMS):
            sizes[name], sums[name] = path.stat().st_size, digest_of_file(path)
    manifest = manifest_text(statement, count, sizes)
    (place / MANIFEST).write_bytes(manifest)
    content = sums_text({**sums, MANIFEST: digest(manifest)})
    (place / SUMS).write_bytes(content)
    for path in (place, *place.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)  # whatever the umask is
    return content


# -- certificates of a formula without a puzzle -------------------------------------------------------------------------------

HEADINGS = {
    "model": "a model",
    "two-models": "more than one model",
    "only-model": "exactly one model",
    "all-models": "no model",
    "no-model": "no model",
}
"""The claim about the formula, by statement."""


def formula_certificate(
    statement: str, count: ListNumbers | None, programs: Sequence[Program] = (), shown: Sequence[int] = (0, 0)
) -> Certificate:
    """certificate.json of a certificate of a formula without a puzzle. `shown` is the number of variables of the projection set
    and of the formula."""
    numbers = {"solutions": count.solutions, "orbits": count.orbits} if count else {}
    if shown[0] < shown[1]:
        numbers |= {"shown": shown[0], "variables": shown[1]}
    return Certificate({"code": statement, **numbers}, programs=tuple(programs))


def formula_readme(statement: str, count: ListNumbers | None, shown: Sequence[int] = (0, 0)) -> Readme:
    """The README of a certificate of a formula without a puzzle."""
    number = HEADINGS[statement]
    if count and count.solutions:
        number = f"exactly {count.solutions} model{'s' * (count.solutions != 1)}"
    if shown[0] < shown[1]:
        number += f", projected on {shown[0]} of the {shown[1]} variables"
    once = f"`{FORMULA}` has {number}. Models that agree on the variables of `{PROJECTION}` count once."
    return Readme(f"This formula has {number}", [once])
