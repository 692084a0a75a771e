"""Certificates: folders that say what is so of a formula, with all that anybody needs to check it. This module writes them.

    with Draft(folder) as draft:                               # complete at the end of the block, or not there at all
        draft.add(FORMULA, cnf_text(cnf))
        draft.take(PROOF, path)            # a large file, moved here
        draft.seal("no-model", Certificate({"code": "none"}), readme)

A certificate knows no puzzle. Its parts:

* evidence: formulas, models, proofs, lists;
* `manifest.txt`: format, statement (a code that `verify.sh` knows), numbers, and each file with its size. `verify.sh` reads it;
* `SHA256SUMS`: the checksums of all other files. Its own checksum names the certificate;
* `verify.sh`: the text that checks it, the same bytes in every certificate (`evidence/verify.sh`);
* `certificate.json`: the claim as a code with numbers, the roles of the files, the programs that were used, the version of the
  package, and details of whoever made it. Only programs of this package read it;
* `README.md`: all of this in words, made of the above.

`verifying` checks certificates. `pipeline.certificates` says what a claim means for a puzzle.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import shutil
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from cnfgen_puzzles.common.digests import digest, digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import check_output, read_regular
from cnfgen_puzzles.common.readers.strictjson import member, parse_object
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, answer_lines

MANIFEST, SUMS, CERTIFICATE, README, SCRIPT = "manifest.txt", "SHA256SUMS", "certificate.json", "README.md", "verify.sh"
FRAME = {
    README: "this text",
    SUMS: "the checksums of all other files, for `sha256sum -c`",
    CERTIFICATE: "the claim, the roles of the files, and the programs that were used, for programs",
    MANIFEST: "what is stated of the formula, and the size of each file, for `verify.sh`",
    SCRIPT: "checks the certificate by public programs; the same text in every certificate",
}
"""In every certificate, with their roles."""

FORMULA, MODEL, SECOND, PROJECTION = "formula.cnf", "model.txt", "model-2.txt", "projection.txt"
BLOCKED, PROOF, LRAT = "blocked.cnf", "proof.drat", "proof.lrat"
BOARD, RULES, ENCODER = "solution.txt", "rules.awk", "encode.awk"
ALL_BOARDS = "boards.txt"
SOLUTIONS, SYMMETRIES = "solutions.txt", "symmetries.txt"
CUBES, CUBE_RECORDS = "cubes.txt", "cubes.jsonl"
COVERING, COVER, COVER_HINTS = "covering.txt", "cover.drat", "cover.lrat"
"""The names of the evidence. Of a list of all models: see `allmodels` and verify.sh."""

ROLES = {
    FORMULA: "the formula, in DIMACS CNF",
    MODEL: "a model of the formula: the value of each variable",
    SECOND: "another model of the formula",
    PROJECTION: "the variables that tell two solutions apart, one a line",
    BLOCKED: "the formula with one more clause, which forbids the model",
    PROOF: f"a proof, in DRAT, that {BLOCKED} has no model, or {FORMULA} where there is no {BLOCKED}",
    LRAT: "the same proof with hints, in LRAT, by drat-trim",
    "drat-trim.txt": "what drat-trim printed on the proof when this was made",
    "lrat-check.txt": "what lrat-check printed on the proof when this was made",
    "cake_lpr.txt": "what cake_lpr printed on the proof when this was made",
    SOLUTIONS: "all solutions: the variables that are true in a model, a solution a line",
    SYMMETRIES: "permutations of the variables (the images of 1, 2, ...) that map the clauses onto themselves",
    CUBES: "cubes (literals) in which no other solution lies, by a proof each",
    CUBE_RECORDS: "who proved and checked that, the SHA-256 and size of the proof, CPU seconds",
    COVERING: f"the cubes of {CUBES} and their images under the symmetries",
    COVER: f"a proof, in DRAT, that one of {COVERING} holds in every model",
    COVER_HINTS: "the same with hints, in LRAT",
    BOARD: f"the solution, for {RULES}",
    RULES: "the rules, with the numbers of the puzzle, as a program for awk",
    "encode.awk": f"writes {FORMULA} from puzzle.json: a program for awk, the same for all puzzles",
    "map.json": "what the variables of the formula stand for, and the puzzle that it speaks of",
    "puzzle.json": "the puzzle as it was read",
    "board.txt": "a solution, drawn",
    "board.json": "the same as JSON",
    "board-2.txt": "another solution, drawn",
    "board-2.json": "the same as JSON",
    "boards.txt": f"all solutions, for {RULES}, an empty line behind each",
    "boards.jsonl": "the boards, one of each orbit, with the number of solutions in it",
}
"""What each file is; `role_of` also knows those that have no fixed name."""

PLAIN = re.compile("[ -_a-~]*")
"""What names and versions of programs consist of in a certificate: README shows them as code."""
WRITTEN_BY = re.compile("cnfgen-puzzles [0-9A-Za-z.+!-]{1,40}")

SCHEMA, FORMAT = "cnfgen-puzzles/certificate", 2
"""`FORMAT` is that of the folder; verify.sh has it, too."""
PACKAGE = f"cnfgen-puzzles {__version__}"
"""Who writes certificates here."""
VERIFY_SH = Path(__file__).with_name("verify.sh")

WIDTH = 120
PIECE = 1 << 20
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Damaged(InputError):
    """Something in a certificate is not as it was made, or does not show what the folder claims."""

    exit_code = 1


class Unfinished(InputError):
    """A check of a certificate was given up: nothing is known to be wrong."""

    exit_code = 3


@dataclass(frozen=True)
class ListNumbers:
    """The numbers of a list of all models: solutions, their orbits, and whether clauses over true variables alone block them."""

    solutions: int
    orbits: int
    short: bool


@dataclass(frozen=True)
class Program:
    """A program that was used: what for (`solver`, `checker`), and what tells it from others. `sha256` may be empty: unknown."""

    used_as: str
    name: str
    version: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class Certificate:
    """What certificate.json says: `claim` has a `code` and numbers, `details` are the claimant's, `roles` those of the files."""

    claim: Mapping[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)
    programs: tuple[Program, ...] = ()
    package: str = PACKAGE
    roles: Mapping[str, str] = field(default_factory=dict)

    def to_text(self) -> bytes:
        """The file: a line for each member, program and role."""
        members = {"schema": SCHEMA, "format": FORMAT, "package": self.package, "claim": dict(self.claim)}
        members |= {"details": dict(self.details), "programs": [asdict(program) for program in self.programs]}
        lines = [f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in members.items()]
        roles = [f"  {json.dumps(name)}: {json.dumps(role)}" for name, role in sorted(self.roles.items())]
        return "".join(["{\n", *lines, ' "files": {\n', ",\n".join(roles), "\n }\n}\n"]).encode()

    @classmethod
    def from_text(cls, data: bytes, source: str) -> Certificate:
        """What `to_text` wrote. Damaged for everything else."""
        try:
            entry = parse_object(data, "a certificate", source=source)
            programs = tuple(Program(**each) for each in member(entry, "programs", list))
            roles = {name: str(role) for name, role in member(entry, "files", dict).items()}
            claim, details = member(entry, "claim", dict), member(entry, "details", dict)
            member(claim, "code", str)
            found = cls(claim, details, programs, member(entry, "package", str), roles)
            if not WRITTEN_BY.fullmatch(found.package) or not all(map(_is_plain, programs)):
                raise ValueError("found a program whose name, version, or checksum is none")
        except KeyError as error:
            raise Damaged(f"has no {error}", source=source) from None
        except (InputError, TypeError, ValueError) as error:
            raise Damaged(str(error), source=source) from None
        if found.to_text() != data:
            raise Damaged("is not as it was written", source=source)
        return found


@dataclass(frozen=True)
class Readme:
    """What README.md says besides what every README says: the claim in one line, and headings with texts."""

    heading: str
    sections: Sequence[tuple[str, str]] = ()


def readme_text(readme: Readme, certificate: Certificate) -> bytes:
    """README.md."""
    roles = FRAME | dict(certificate.roles)
    files = "\n".join(f"- `{name}`: {roles[name]}" for name in sorted(roles))
    sections = [*readme.sections, ("How to check it", HOW_TO_CHECK), ("The files", files)]
    if certificate.programs:
        sections.append(("What was used", "\n".join([*map(_program, certificate.programs), f"- {certificate.package}"])))
    parts = [part for heading, text in sections for part in (f"## {heading}", wrapped(text))]
    return ("\n\n".join([f"# {readme.heading}", *parts]) + "\n").encode()


HOW_TO_CHECK = f"""\
    sh verify.sh

It needs sha256sum, awk, cmp, grep, sed and, where there is a proof, cake_lpr, drat-trim, or lrat-check (from PATH, or as \
CAKE_LPR, DRAT_TRIM, and LRAT_CHECK name them; https://github.com/tanyongkiam/cake_lpr and \
https://github.com/marijnheule/drat-trim have them). It calls no program of those who made this certificate but the awk programs \
of this folder, `rules.awk` and `encode.awk`, as far as there are any. Read it before you run it: it is the same text in every \
certificate. When it ends in VERIFIED, it has shown what that line says.

`verify-certificate FOLDER` of cnfgen-puzzles runs its own copy of that text and checks more: it makes the formula anew from the \
puzzle, the symmetries, and every word of this text. Checksums show accidents. Against somebody who writes the whole folder \
anew only what the checks themselves show counts, or the SHA-256 of the file {SUMS} itself, told to you in another way."""


def wrapped(text: str) -> str:
    """The same text in lines of readable width; what is indented stays as it is."""
    return "\n".join(
        line if line.startswith("    ") or not line else textwrap.fill(
            line, WIDTH, subsequent_indent="  " * line.startswith("- "), break_long_words=False, break_on_hyphens=False
        )
        for line in text.split("\n")
    )  # fmt: skip


def role_of(name: str) -> str:
    """What a file of a certificate is."""
    if name.startswith("proofs/"):
        return f"the proof for cube {name.removeprefix('proofs/').removesuffix('.lrat').lstrip('0')}, in LRAT"
    return ROLES.get(name, "the puzzle as it was given")


def _is_plain(program: Program) -> bool:
    texts = program.used_as, program.name, program.version, program.sha256
    return (
        all(isinstance(text, str) and PLAIN.fullmatch(text) for text in texts)
        and program.used_as in ("solver", "checker")
        and program.name != ""
        and re.fullmatch("([0-9a-f]{64})?", program.sha256) is not None
    )


def _made_plain(program: Program) -> Program:
    name, version = ("".join(char if PLAIN.fullmatch(char) else "?" for char in text) for text in (program.name, program.version))
    return replace(program, name=name, version=version)


def _program(program: Program) -> str:
    version = f", version `{program.version}`" if program.version else ""
    return f"- {program.used_as} `{program.name}`{version}" + (
        f", SHA-256 of the program {program.sha256}" if program.sha256 else ""
    )


# -- the texts of the evidence ------------------------------------------------------------------------------------------------


def cnf_text(cnf: Cnf) -> bytes:
    """A formula as it stands in a certificate: without comments."""
    stream = io.BytesIO()
    write_dimacs(cnf, stream)
    return stream.getvalue()


def model_text(model: Sequence[int], variables: int) -> bytes:
    """A model with a value for each variable, those that it does not mention false, as a solver prints it."""
    true = set(model)
    whole = [variable if variable in true else -variable for variable in range(1, variables + 1)]
    return ("\n".join(answer_lines(SATISFIABLE, whole)) + "\n").encode()


def lines_text(lines: Sequence[Sequence[int]], end: str = "") -> bytes:
    """Numbers, a line each; `end` stands behind each line."""
    return "".join(" ".join([*map(str, line), *([end] if end else [])]) + "\n" for line in lines).encode()


def projection_text(projection: Sequence[int]) -> bytes:
    """A projection set, a variable a line."""
    return lines_text([[variable] for variable in projection])


def manifest_text(statement: str, count: ListNumbers | None, sizes: Mapping[str, int]) -> bytes:
    """manifest.txt; verify.sh has its grammar."""
    numbers = [f"solutions {count.solutions}", f"orbits {count.orbits}", f"short {count.short:d}"] if count else []
    files = [f"file {sizes[name]} {name}" for name in sorted(sizes)]
    return "".join(f"{line}\n" for line in [f"format {FORMAT}", f"statement {statement}", *numbers, *files]).encode()


def sums_text(sums: Mapping[str, str]) -> bytes:
    """SHA256SUMS, in the form that `sha256sum -c` reads."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def kept_proof(number: int) -> str:
    """The file with the proof for a cube, by its line in `CUBES` (from 1)."""
    return f"proofs/{number:05}.lrat"


# -- writing ----------------------------------------------------------------------------------------------------------------


def check_place(folder: Path, *, replaces: bool = False) -> None:
    """InputError unless a certificate may be written there: nothing is there, an empty folder, or one to be replaced."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise InputError("found something else than a folder, expected a new folder", source=str(folder))
    there = os.listdir(folder)
    if not there:
        return
    if not {CERTIFICATE, SUMS} <= set(there):
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
    """The certificate for `folder`, while the block lasts; without `seal` nothing remains of it.

    It is written beside the folder, under another name. What a killed process left under that name is removed by the next one.
    InputError where it cannot be: a folder that is there and not empty, unless that is a certificate and `replaces` says so.
    """

    def __init__(self, folder: str | Path, *, replaces: bool = False):
        self.folder, self.replaces = Path(os.path.abspath(folder)), replaces
        check_place(self.folder, replaces=replaces)
        self.roles: dict[str, str] = {}

    def __enter__(self) -> Self:
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self.place, self._lock = _beside(self.folder)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", source=str(self.folder)) from None
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        os.close(self._lock)
        if isinstance(error, OSError):
            raise InputError(f"cannot be written: {error.strerror or error}", source=str(self.folder)) from None

    def path(self, name: str) -> Path:
        """Where to write a file."""
        assert name not in FRAME and name not in self.roles
        self.roles[name] = role_of(name)
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def add(self, name: str, content: bytes) -> Path:
        """A file with this content; where it is for now."""
        path = self.path(name)
        path.write_bytes(content)
        return path

    def take(self, name: str, file: Path) -> Path:
        """A file that is moved from where it is, for large ones; where it is for now."""
        path = self.path(name)
        shutil.move(file, path)
        return path

    def seal(self, statement: str, certificate: Certificate, readme: Readme, count: ListNumbers | None = None) -> str:
        """Add what every certificate has; the folder is there afterwards. The SHA-256 of its SHA256SUMS."""
        written = replace(certificate, programs=tuple(map(_made_plain, certificate.programs)), roles=self.roles)
        frame = {CERTIFICATE: written.to_text(), README: readme_text(readme, written), SCRIPT: VERIFY_SH.read_bytes()}
        for name, content in frame.items():
            (self.place / name).write_bytes(content)
        sums = seal_folder(self.place, statement, count)
        self._publish()
        return digest(sums)

    def _publish(self) -> None:
        check_place(self.folder, replaces=self.replaces)
        os.chmod(self.place, 0o755)
        if self.replaces and self.folder.exists():
            old = self.place.with_name(f"{self.place.name}.old")
            self.folder.rename(old)
            self.place.rename(self.folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            self.place.rename(self.folder)


def seal_folder(place: Path, statement: str, count: ListNumbers | None) -> bytes:
    """Write manifest.txt and SHA256SUMS of the files in a folder; the content of the latter."""
    sizes, sums = {}, {}
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if path.is_dir() or name in (MANIFEST, SUMS):
            continue
        path.chmod(0o644)
        sizes[name], sums[name] = path.stat().st_size, digest_of_file(path)
    manifest = manifest_text(statement, count, sizes)
    (place / MANIFEST).write_bytes(manifest)
    content = sums_text({**sums, MANIFEST: digest(manifest)})
    (place / SUMS).write_bytes(content)
    return content


def _beside(folder: Path) -> tuple[Path, int]:
    """An empty folder beside that one, locked; what a dead process left there is removed."""
    for name in (f".{folder.name}.partial", f".{folder.name}.{os.getpid()}.partial"):
        place = folder.with_name(name)
        for _ in range(2):
            place.mkdir(exist_ok=True)
            lock = os.open(place, FOLDER)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                break
            if not os.listdir(place):
                return place, lock
            shutil.rmtree(place)
            os.close(lock)
    raise InputError("found another process that writes this certificate", source=str(folder))


# -- the words of a certificate of a formula alone ----------------------------------------------------------------------------

HEADINGS = {
    "model": "a model",
    "two-models": "more than one model",
    "only-model": "exactly one model",
    "all-models": "no model",
    "no-model": "no model",
}
"""What such a certificate says of its formula, by its statement."""


def formula_certificate(
    statement: str, count: ListNumbers | None, programs: Sequence[Program] = (), shown: Sequence[int] = (0, 0)
) -> Certificate:
    """certificate.json of a certificate that speaks of a formula, and of no puzzle; `shown` is how many variables the projection
    set has, and how many the formula has."""
    numbers = {"solutions": count.solutions, "orbits": count.orbits} if count else {}
    if shown[0] < shown[1]:
        numbers |= {"shown": shown[0], "variables": shown[1]}
    return Certificate({"code": statement, **numbers}, programs=tuple(programs))


def formula_readme(statement: str, count: ListNumbers | None, files: Collection[str], shown: Sequence[int] = (0, 0)) -> Readme:
    """README of such a certificate."""
    number = HEADINGS[statement]
    if count and count.solutions:
        number = f"exactly {count.solutions} model{'s' * (count.solutions != 1)}"
    if shown[0] < shown[1]:
        number += f", projected on {shown[0]} of the {shown[1]} variables"
    claimed = f"`{FORMULA}` has {number}, where two that agree in the variables of `{PROJECTION}` are one."
    if count:
        claimed += f" `{SOLUTIONS}` has them, a line each: the variables that are true.\n\n{composition(files, count.orbits)}"
    trusted = trust_list(
        [f"That `{FORMULA}` and `{PROJECTION}` are those that you ask about: compare them with yours."], statement
    )
    return Readme(f"This formula has {number}", (("What is claimed", claimed), ("What must be trusted", trusted)))


def trust_list(of_claim: Sequence[str], statement: str) -> str:
    """README's list of all that remains trusted: what the claim itself rests on, then what every check rests on."""
    proved = statement in ("only-model", "all-models", "no-model")
    checker = """One checker of proofs: cake_lpr, which is formally verified down to its machine code, or lrat-check or \
drat-trim. `verify.sh` first tries each of them on a right proof and on wrong ones."""
    rest = f"""`{SCRIPT}`, which is a page of sh and awk for each kind of evidence, or `verify-certificate` in its place.
sh, awk, cmp, grep, sed, sort, and sha256sum of your machine, its operating system, and its processor.
SHA-256, if you compare the checksum of `{SUMS}` with one that you were told; nothing else rests on checksums.
Nothing else: not the solvers, what found or chose anything, what wrote this folder, nor the list of programs below."""
    return "\n".join(f"- {line}" for line in [*of_claim, *([checker] if proved else []), *rest.split("\n")])


def composition(files: Collection[str], orbits: int) -> str:
    """What shows that a list has all models, in words: the parts of the proof and how they fit."""
    given = f"""That there are no others is shown in parts. Let F be `{FORMULA}`, and B be F with a clause for each solution, \
which only that solution breaks. For each cube (literals that are assumed) in `{CUBES}` there is a proof that B has no model \
in which the cube holds; `{CUBE_RECORDS}` has the proofs' SHA-256 and sizes, and who made and checked them."""
    if COVER in files:
        given += f""" And `{COVER}` is a proof that in every model of F one of the cubes holds, or the image of one. So every \
model of F breaks a clause of B: it is one of the solutions."""
    if SYMMETRIES in files:
        given += f"""

`{SYMMETRIES}` has permutations of the variables that map the clauses of F onto themselves, the variables of `{PROJECTION}` and \
the list of solutions, too. So they map B onto itself, and what is refuted in a cube is refuted in its images. It is \
checked clause by clause that they are symmetries. {orbits} is the number of orbits into which the solutions fall."""
    return f"""{given}

Proofs of cubes are many times as large as all else. Where they were not kept (`--keep-proofs`), a public solver proves them \
anew, which may take hours, and cake_lpr, lrat-check, or drat-trim checks what it wrote: \
`SOLVER="cadical --lrat --no-binary" PROOFS=lrat sh verify.sh`, or `SOLVER="kissat --no-binary" sh verify.sh`. \
`verify-certificate` proves them anew as they were proved first, and a checker \
of LRAT checks it. Who found the solutions, who proved, and who chose the cubes need not be trusted."""
