"""Verifies certificates: runs the package's own `verify.sh` on a folder, under limits and confined; its results are data.

    found = verify(folder)          # Damaged (exit 1), InputError for what is no certificate (2), Unfinished (3)
    found.sentences                 # what was checked, and by whom

Every check of the evidence is in verify.sh; the folder's copy of it is never run. Here: which checkers it is given, what its
results mean, cubes whose proofs were not kept, and the files as far as others read them (`VerifiedFolder.data`). Whatever is read
has the checksum that verify.sh has checked.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cnfgen_puzzles.common.digests import digest, digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.certificate import (
    BLOCKED,
    CERTIFICATE,
    FORMULA,
    FRAME,
    HEADINGS,
    LRAT,
    MANIFEST,
    PACKAGE,
    PROJECTION,
    PROOF,
    README,
    SCRIPT,
    SUMS,
    VERIFY_SH,
    Certificate,
    Damaged,
    ListNumbers,
    Readme,
    Unfinished,
    formula_certificate,
    formula_readme,
    readme_text,
    role_of,
)
from cnfgen_puzzles.evidence.checkers import BUILT_IN, DRAT_TRIM, VERIFIED, ProofChecker, pick_checker
from cnfgen_puzzles.evidence.checkers import LRAT as LRAT_CHECKER
from cnfgen_puzzles.evidence.proofs import check_proof, ready_checker
from cnfgen_puzzles.formula import Cnf, read_dimacs
from cnfgen_puzzles.solving.confinement import Confinement, program_files, python_environment
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import EXIT

Refute = Callable[[Cnf, Sequence[tuple[int, ...]]], None]
"""Proves that a formula has no model in which one of these cubes holds; raises where that is not so."""

TOOLS = ("sh", "awk", "sha256sum", "cmp", "find", "ls", "sed", "sort", "grep", "tail", "head", "tr", "cut", "wc", "cat", "rm")
MOST_BUILT_IN = 20 << 20
"""Bytes of a second proof that the built-in checker is asked to check, where none of others is there."""
ABSENT = "/nowhere"


@dataclass(frozen=True)
class CheckResult:
    """A line of verify.sh: `status` is ok, note, open, failed, refused or end; `line` is a number or empty."""

    status: str
    code: str
    file: str
    line: str
    sentence: str


@dataclass(frozen=True)
class VerifiedFolder:
    """A certificate that verify.sh has verified: `says` of the formula, by `sentences`, one a check.

    `sizes` and `sums` (SHA-256) are those of its files. `refuted` cubes were proved anew.
    """

    folder: Path
    statement: str
    count: ListNumbers | None
    sizes: Mapping[str, int]
    sums: Mapping[str, str]
    results: Sequence[CheckResult]
    certificate: Certificate = field(default_factory=lambda: Certificate({}))
    refuted: int = 0

    @property
    def says(self) -> str:
        """What was shown, in a sentence without its full stop."""
        return self.results[-1].sentence

    @property
    def other_version(self) -> str:
        """Why its words cannot be made anew and compared: another version wrote it, or so it says; empty if this one did."""
        package = printable(self.certificate.package)
        return "" if package == PACKAGE else f"the words are of {package!r:.60} and were not compared"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was checked."""
        told = [each.sentence for each in self.results if each.status == "ok" and each.code != "cube"]
        cubes = self.refuted + sum(each.status == "ok" and each.code == "cube" for each in self.results)
        if cubes:
            anew = f"; {self.refuted} of the proofs were made anew" if self.refuted else ""
            told.append(f"no other model has one of the {cubes} cubes of cubes.txt, by a checked proof each{anew}")
        return tuple(filter(None, [*told, self.other_version]))

    def data(self, name: str) -> bytes:
        """What is in a file, which is the one that was checked."""
        path = self.folder / name
        if name not in self.sizes:
            raise Damaged("is missing, and in the manifest, too", source=str(path))
        checked_amount("size", self.sizes[name], source=str(path))
        data = b"".join(_pieces(path, self.sizes[name]))
        if digest(data) != self.sums[name]:
            raise Damaged("was changed while it was read", source=str(path))
        return data

    def text(self, name: str) -> str:
        """The same as text."""
        try:
            return self.data(name).decode()
        except UnicodeDecodeError:
            raise Damaged("is not UTF-8", source=str(self.folder / name)) from None

    def numbers(self, name: str) -> list[tuple[int, ...]]:
        """The numbers in a file whose grammar was checked, a tuple for each line; none where there is no such file."""
        return [tuple(map(int, line.split())) for line in self.data(name).splitlines()] if name in self.sizes else []

    def formula(self, name: str) -> Cnf:
        """A formula."""
        return read_dimacs(Source(str(self.folder / name), self.data(name))).cnf

    def model(self, name: str) -> tuple[int, ...]:
        """A model."""
        return tuple(int(word) for word in self.text(name).split() if word not in ("s", "SATISFIABLE", "v", "0"))

    def compare(self, name: str, expected: bytes, what: str) -> None:
        """Damaged, with the line, unless a file has just this content."""
        found = self.data(name)
        if found != expected:
            raise Damaged(f"is not {what}", source=str(self.folder / name), line=first_difference(expected, found))

    def check_version(self) -> None:
        """Unfinished if another version wrote the words, which this one cannot make anew: nobody has compared them then."""
        if self.other_version:
            told = f"was not checked to its end: {self.other_version}; check it by that version, or the formula by --formula-only"
            raise Unfinished(told, source=str(self.folder / CERTIFICATE))

    def check_words(self, readme: Readme) -> None:
        """Damaged unless README says just what the certificate shows, and verify.sh is what it always is."""
        self.compare(README, readme_text(readme, self.certificate), "what the other files make it")
        self.compare(SCRIPT, VERIFY_SH.read_bytes(), "the script that checks certificates")


def verify(
    folder: str | Path, checker: str | None = None, limits: Limits | None = None, refute: Refute | None = None
) -> VerifiedFolder:
    """Check the evidence in a folder.

    `checker` is the one for its proofs (None: the first that is there, for each format), `limits` are those of the whole check;
    `refute` proves anew what was not kept (`counting.proving.refute_anew`).
    Damaged says what is wrong, with file and line; InputError that it is no certificate; Unfinished that a limit ended the check.
    """
    place, limits = Path(folder), limits or Limits()
    chosen = pick_checker(checker) if checker is not None else None
    with scratch_folder("verify") as work:
        scratch = work / "scratch"
        scratch.mkdir()
        results = _run_script(place, chosen, limits, scratch)
        found = _read_frame(place, scratch, results)
        if chosen is not None and found.statement == "all-models":
            ready_checker(chosen.name, "lrat")  # cubes have no other proofs
        open_results = [each for each in results if each.status == "open"]
        cubes = [tuple(map(int, each.sentence.split())) for each in open_results if each.code == "cube"]
        for each in open_results:
            if each.code == "proof" or (each.code == "cube" and refute is None):
                told = "has cubes whose proofs were not kept" if each.code == "cube" else each.sentence
                raise Unfinished(f"was not checked to its end: {told}", source=str(place / each.file))
        if cubes and refute is not None:
            refute(read_dimacs(Source("blocked.cnf", (scratch / "blocked.cnf").read_bytes())).cnf, cubes)
    several_steps = [*_check_in_steps(found, chosen, limits)] if chosen is not None else []
    return replace(found, refuted=len(cubes), results=[*results[:-1], *several_steps, results[-1]])


def verify_formula(found: VerifiedFolder) -> str:
    """The claim of a certificate that speaks of a formula alone; Damaged unless it is one, and says what its files say."""
    found.check_version()
    others = [name for name in found.sizes if re.match(r"(map|puzzle|given|boards?|solution|rules|encode)\b", name)]
    if found.statement not in HEADINGS or found.certificate.details or others:
        raise Damaged("speaks neither of a puzzle nor of a formula", source=str(found.folder / CERTIFICATE))
    shown = len(found.numbers(PROJECTION)), found.formula(FORMULA).num_variables
    if found.certificate.claim != formula_certificate(found.statement, found.count, shown=shown).claim:
        raise Damaged("speaks neither of a puzzle nor of a formula", source=str(found.folder / CERTIFICATE))
    readme = formula_readme(found.statement, found.count, found.certificate.roles, shown)
    found.check_words(readme)
    return readme.heading


def first_difference(expected: bytes, found: bytes) -> int:
    """The number of the first line in which two texts differ."""
    same = next((place for place, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), None)
    return found.count(b"\n", 0, min(len(expected), len(found)) if same is None else same) + 1


def _check_in_steps(found: VerifiedFolder, chosen: ProofChecker, limits: Limits) -> Iterator[CheckResult]:
    """The proofs once more by a checker of several programs, which verify.sh cannot call."""
    refuted = {"only-model": BLOCKED, "no-model": FORMULA}.get(found.statement, "")
    for name, proof_format in ((PROOF, "text"), (LRAT, "lrat")):
        if not refuted or name not in found.sizes or len(chosen.formats.get(proof_format, ())) < 2:
            continue
        check = check_proof(
            found.folder / refuted, found.folder / name, limits, cnf=found.formula(refuted), proof_format=proof_format,
            checker=chosen.name,
        )  # fmt: skip
        source = str(found.folder / name)
        if check.refused:
            raise Damaged(f"is no proof that {refuted} has no model: {check.reason}", source=source)
        if not check.verified:
            raise Unfinished(f"was not checked to its end: {check.reason}", source=source)
        yield CheckResult("ok", "proof", name, "", f"{check.by} verifies {name}: {refuted} has no model")


# -- verify.sh ----------------------------------------------------------------------------------------------------------------


def _run_script(folder: Path, chosen: ProofChecker | None, limits: Limits, scratch: Path) -> list[CheckResult]:
    """The results, of which the last is `end`."""
    variables, reads, built_in = _checkers(folder, chosen, scratch)
    if built_in and limits.memory is None:
        limits = replace(limits, memory=BUILT_IN.memory)
    tools = [Path(found) for tool in TOOLS if (found := shutil.which(tool))]
    reads += [VERIFY_SH, folder.resolve(), *(file for tool in tools for file in program_files(tool, os.environ))]
    measurement = run_process(
        ["sh", VERIFY_SH, "--data", scratch, folder.absolute()],
        stdout=scratch.parent / "stdout", stderr=scratch.parent / "stderr", limits=limits,
        env={**python_environment(), "PYTHONSAFEPATH": "1", **variables}, confinement=Confinement(scratch, reads=reads),
    )  # fmt: skip
    if measurement.ended != EXIT:
        raise Unfinished(f"was not checked to its end: verify.sh was ended by {measurement.ended}", source=str(folder))
    lines = (scratch.parent / "stdout").read_text(encoding="ascii", errors="replace").splitlines()
    results = [CheckResult(*fields) for line in lines if len(fields := line.split("\t")) == 5]
    last = results[-1] if results else CheckResult("", "", "", "", "")
    if last.status == "refused" and measurement.exit_code == 2:
        raise InputError(last.sentence, source=str(folder))
    if last.status == "failed" and measurement.exit_code == 1:
        raise Damaged(last.sentence, source=str(folder / last.file), line=int(last.line) if last.line else None)
    if last.status != "end" or measurement.exit_code not in (0, 3):
        complaint = printable((scratch.parent / "stderr").read_text(errors="replace")[:300])
        raise CnfgenError(f"verify.sh came to no result (exit code {measurement.exit_code}): {complaint}")
    return results


def _checkers(folder: Path, chosen: ProofChecker | None, scratch: Path) -> tuple[dict[str, str], list[Path], bool]:
    """The variables by which verify.sh finds the checkers, the files that these read, and whether one is the built-in one.

    DRAT proofs are for the chosen checker, drat-trim, or the built-in one; LRAT proofs for the chosen one, cake_lpr, lrat-check,
    or the built-in one: the first that reads them directly and is installed.
    """
    variables, reads, built_in = {"CAKE_LPR": ABSENT, "LRAT_CHECK": ABSENT}, list[Path](), False
    for proof_format, preferred in (("text", (DRAT_TRIM, BUILT_IN)), ("lrat", (VERIFIED, LRAT_CHECKER, BUILT_IN))):
        picked = next(checker for checker in preferred if checker is BUILT_IN or checker.available(proof_format))
        if chosen is not None and len(chosen.formats.get(proof_format, ())) == 1:
            picked = chosen
        (step,) = picked.formats[proof_format]
        program = step.program()
        executable = program.locate()
        reads += [*program.files_read(executable), *program_files(executable, os.environ)]
        variable = {"text": "DRAT_TRIM", "lrat": "CAKE_LPR" if picked is VERIFIED else "LRAT_CHECK"}[proof_format]
        variables["DRAT_NAME" if proof_format == "text" else "LRAT_NAME"] = picked.told
        if picked is not BUILT_IN:
            variables[variable] = str(executable.absolute())
        elif chosen is None and proof_format == "lrat" and not built_in and _size(folder / LRAT) > MOST_BUILT_IN:
            pass  # drat-trim checks the same proof; the built-in checker would take hours
        else:
            wrapper = scratch / f"checker-{proof_format}"
            wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([*program.prefix(executable), proof_format])} "$@"\n')
            wrapper.chmod(0o755)
            variables[variable], built_in = str(wrapper), True
    return variables, reads, built_in


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


# -- files --------------------------------------------------------------------------------------------------------------------


def _read_frame(folder: Path, scratch: Path, results: Sequence[CheckResult]) -> VerifiedFolder:
    """The folder as its manifest says it is, by the copies that verify.sh has checked; with certificate.json."""
    lines = [line.split() for line in (scratch / MANIFEST).read_text(encoding="ascii").splitlines()]
    sums = dict(line.split("  ")[::-1] for line in (scratch / SUMS).read_text(encoding="ascii").splitlines())
    sizes = {words[2]: int(words[1]) for words in lines if words[0] == "file"}
    known = {words[0]: words[1] for words in lines if words[0] != "file"}
    count = None
    if "solutions" in known:
        count = ListNumbers(int(known["solutions"]), int(known["orbits"]), known["short"] == "1")
    found = VerifiedFolder(folder, known["statement"], count, sizes, sums, results)
    certificate = Certificate.from_text(found.data(CERTIFICATE), str(folder / CERTIFICATE))
    found = replace(found, certificate=certificate)
    roles = {name: role_of(name) for name in sizes if name not in FRAME}
    if certificate.roles.keys() != roles.keys() or (certificate.roles != roles and not found.other_version):
        raise Damaged(f"does not name the files of {MANIFEST}, or gives one another role", source=str(folder / CERTIFICATE))
    if not found.other_version and sums[SCRIPT] != digest_of_file(VERIFY_SH):
        raise Damaged("is not the script that checks certificates", source=str(folder / SCRIPT))
    return found


def _pieces(path: Path, most: int) -> Iterator[bytes]:
    """The content of a plain file, at most so many bytes of it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb", buffering=0) as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Damaged("is no plain file", source=str(path))
            while most and (piece := stream.read(min(1 << 20, most))):
                most -= len(piece)
                yield piece
    except OSError as error:
        raise Damaged(f"cannot be read: {error.strerror}", source=str(path)) from None
