"""Verification of certificates: runs this package's `verify.sh` on a folder, confined and under limits, and reads its results.

    found = verify(folder)          # Damaged (exit 1), InputError if it is not a certificate (2), Unfinished (3)
    found.sentences                 # the checks and their programs

verify.sh has every check of the evidence; the copy in the folder never runs. This module chooses the checkers, interprets the
results, proves cubes again whose proofs were not kept, and reads files for other modules (`VerifiedFolder.data`). verify.sh
checks a private copy of the folder, and this module reads the same copy.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable
from cnfgen_puzzles.common.files import NO_ROOM, NoRoom, ScratchFolder
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.certificate import (
    CERTIFICATE,
    FORMULA,
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
)
from cnfgen_puzzles.evidence.checkers import BUILT_IN, DRAT_TRIM, VERIFIED, ProofChecker, pick_checker
from cnfgen_puzzles.evidence.checkers import LRAT as LRAT_CHECKER
from cnfgen_puzzles.evidence.proofs import ready_checker
from cnfgen_puzzles.formula import Cnf, read_dimacs
from cnfgen_puzzles.solving.confinement import Confinement, program_files, python_environment
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import EXIT

Refute = Callable[[Cnf, Sequence[tuple[int, ...]]], None]
"""A function that proves that no model of a formula satisfies one of these cubes; it raises an error otherwise."""

TOOLS = (
    "sh", "awk", "sha256sum", "cmp", "find", "ls", "sed", "sort", "grep", "tail", "head", "tr", "cut", "wc", "cat", "df", "mkdir",
)  # fmt: skip
ABSENT = "/nowhere"


@dataclass(frozen=True)
class CheckResult:
    """A line of verify.sh: `status` is ok, note, open, failed, refused, stopped, or end; `line` is a number or empty."""

    status: str
    code: str
    file: str
    line: str
    sentence: str


@dataclass(frozen=True)
class VerifiedFolder:
    """A certificate that verify.sh has verified: its statement `says`, and `sentences`, one for each check.

    `folder` is its name in messages; the files are read from the private copy in `work`, which lives as long as this object.
    `sizes` and `sums` (SHA-256) are those of its files. `refuted` is the number of cubes that were proved again.
    """

    folder: Path
    work: ScratchFolder
    statement: str
    count: ListNumbers | None
    sizes: Mapping[str, int]
    sums: Mapping[str, str]
    results: Sequence[CheckResult]
    certificate: Certificate = field(default_factory=lambda: Certificate({}))
    refuted: int = 0

    @property
    def says(self) -> str:
        """The verified statement, without its final period."""
        return self.results[-1].sentence

    @property
    def other_version(self) -> str:
        """The reason why README cannot be compared: another version wrote it, or it says so; empty for this version."""
        package = printable(self.certificate.package)
        return "" if package == PACKAGE else f"{package!r:.60} wrote the README, which was not compared"

    @property
    def sentences(self) -> tuple[str, ...]:
        """One sentence for each check."""
        sentences = [each.sentence for each in self.results if each.status == "ok" and each.code != "cube"]
        cubes = self.refuted + sum(each.status == "ok" and each.code == "cube" for each in self.results)
        if cubes:
            anew = f"; {self.refuted} of the cubes were proved again" if self.refuted else ""
            sentences.append(f"no other model satisfies one of the {cubes} cubes of cubes.txt, by one checked proof each{anew}")
        return tuple(filter(None, [*sentences, self.other_version]))

    @property
    def copy(self) -> Path:
        """The folder with the copies that verify.sh checked."""
        return _scratch(self.work) / "certificate"

    def data(self, name: str) -> bytes:
        """The content of a file."""
        source = str(self.folder / name)
        if name not in self.sizes:
            raise Damaged("is missing, also in the manifest", source=source)
        checked_amount("size", self.sizes[name], source=source)
        return (self.copy / name).read_bytes()

    def text(self, name: str) -> str:
        """The content of a file as text."""
        try:
            return self.data(name).decode()
        except UnicodeDecodeError:
            raise Damaged("is not UTF-8", source=str(self.folder / name)) from None

    def numbers(self, name: str) -> list[tuple[int, ...]]:
        """The numbers of a file whose grammar was checked, one tuple for each line; empty if the file does not exist."""
        return [tuple(map(int, line.split())) for line in self.data(name).splitlines()] if name in self.sizes else []

    def formula(self, name: str) -> Cnf:
        """The formula in a file."""
        return read_dimacs(Source(str(self.folder / name), self.data(name))).cnf

    def model(self, name: str) -> tuple[int, ...]:
        """The model in a file."""
        return tuple(int(word) for word in self.text(name).split() if word not in ("s", "SATISFIABLE", "v", "0"))

    def compare(self, name: str, expected: bytes, what: str) -> None:
        """Raise Damaged with the line unless the file has exactly this content."""
        found = self.data(name)
        if found != expected:
            raise Damaged(f"differs from {what}", source=str(self.folder / name), line=first_difference(expected, found))

    def check_version(self) -> None:
        """Raise Unfinished if another version wrote README, because this version cannot generate and compare it."""
        if self.other_version:
            message = (
                f"was not checked completely: {self.other_version}; use that version, or check the formula with --formula-only"
            )
            raise Unfinished(message, source=str(self.folder / CERTIFICATE))

    def check_words(self, readme: Readme) -> None:
        """Raise Damaged unless README is the text for this certificate and verify.sh is the script of this package."""
        self.compare(README, readme_text(readme), "the text for the other files")
        self.compare(SCRIPT, VERIFY_SH.read_bytes(), "the script of this version")


def verify(
    folder: str | Path, checker: str | None = None, limits: Limits | None = None, refute: Refute | None = None
) -> VerifiedFolder:
    """Check the evidence in a folder.

    `checker` is the proof checker (None: the first installed one for each format), `limits` apply to the whole check, and
    `refute` proves cubes whose proofs were not kept (`counting.proving.refute_anew`). Damaged names the error, with file and
    line; InputError means that it is not a certificate; Unfinished means that a limit ended the check.
    """
    chosen = pick_checker(checker) if checker is not None else None
    try:
        return _verify(Path(folder), ScratchFolder("verify"), chosen, limits or Limits(), refute)
    except NoRoom as error:
        raise Unfinished(f"was not checked completely: {error}", source=str(folder)) from None
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        message = f"was not checked completely: a temporary file cannot be written: {error.strerror}"
        raise Unfinished(message, source=str(folder)) from None


def _verify(
    place: Path, work: ScratchFolder, chosen: ProofChecker | None, limits: Limits, refute: Refute | None
) -> VerifiedFolder:
    scratch = _scratch(work)
    scratch.mkdir()
    results = _run_script(place, chosen, limits, scratch)
    found = _read_frame(place, work, results)
    if chosen is not None and found.statement == "all-models":
        ready_checker(chosen.name, "lrat")  # the proofs of cubes are LRAT
    open_results = [each for each in results if each.status == "open"]
    cubes = [tuple(map(int, each.sentence.split())) for each in open_results if each.code == "cube"]
    for each in open_results:
        if each.code == "proof" or (each.code == "cube" and refute is None):
            message = "has cubes whose proofs were not kept" if each.code == "cube" else each.sentence
            raise Unfinished(f"was not checked completely: {message}", source=str(place / each.file))
    if cubes and refute is not None:
        refute(read_dimacs(Source("blocked.cnf", (scratch / "blocked.cnf").read_bytes())).cnf, cubes)
    if chosen is not None and PROOF in found.sizes and LRAT not in found.sizes and len(chosen.formats["text"]) > 1:
        raise InputError(f"has only a DRAT proof, which {chosen.title} does not read; choose another checker", source=str(place))
    return replace(found, refuted=len(cubes))


def _scratch(work: ScratchFolder) -> Path:
    """The folder in which verify.sh writes."""
    return work.path / "scratch"


def verify_formula(found: VerifiedFolder) -> str:
    """The claim of a certificate of a formula without a puzzle; Damaged unless it is one with matching files."""
    found.check_version()
    others = [name for name in found.sizes if re.match(r"(map|puzzle|given|boards?|solution|rules|encode|cuts)\b", name)]
    if found.statement not in HEADINGS or found.certificate.details or others:
        raise Damaged("is a certificate of neither a puzzle nor a formula", source=str(found.folder / CERTIFICATE))
    shown = len(found.numbers(PROJECTION)), found.formula(FORMULA).num_variables
    if found.certificate.claim != formula_certificate(found.statement, found.count, shown=shown).claim:
        raise Damaged("is a certificate of neither a puzzle nor a formula", source=str(found.folder / CERTIFICATE))
    readme = formula_readme(found.statement, found.count, shown)
    found.check_words(readme)
    return readme.heading


def first_difference(expected: bytes, found: bytes) -> int:
    """The number of the first line in which two texts differ."""
    same = next((place for place, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), None)
    return found.count(b"\n", 0, min(len(expected), len(found)) if same is None else same) + 1


# -- verify.sh ----------------------------------------------------------------------------------------------------------------


def _run_script(folder: Path, chosen: ProofChecker | None, limits: Limits, scratch: Path) -> list[CheckResult]:
    """Run verify.sh and return its results; the last one is `end`."""
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
        raise Unfinished(f"was not checked completely: verify.sh was ended by {measurement.ended}", source=str(folder))
    lines = (scratch.parent / "stdout").read_text(encoding="ascii", errors="replace").splitlines()
    results = [CheckResult(*fields) for line in lines if len(fields := line.split("\t")) == 5]
    last = results[-1] if results else CheckResult("", "", "", "", "")
    if measurement.exit_code == 3 and last.status != "end":
        message = last.sentence if last.status == "stopped" else "temporary files cannot be written"
        raise Unfinished(f"was not checked completely: {message}", source=str(folder))
    if last.status == "refused" and measurement.exit_code == 2:
        raise InputError(last.sentence, source=str(folder))
    if last.status == "failed" and measurement.exit_code == 1:
        raise Damaged(last.sentence, source=str(folder / last.file), line=int(last.line) if last.line else None)
    if last.status != "end" or measurement.exit_code not in (0, 3):
        complaint = printable((scratch.parent / "stderr").read_text(errors="replace")[:300])
        raise CnfgenError(f"verify.sh gave no result (exit code {measurement.exit_code}): {complaint}")
    return results


def _checkers(folder: Path, chosen: ProofChecker | None, scratch: Path) -> tuple[dict[str, str], list[Path], bool]:
    """The environment variables with the checkers for verify.sh, the files of these, and whether the built-in checker is used.
    DRAT proofs are for the chosen checker, drat-trim, or the built-in one; LRAT proofs for the chosen one, cake_lpr, lrat-check,
    or the built-in one: the first one that reads the format directly and is installed.
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
        variables["DRAT_NAME" if proof_format == "text" else "LRAT_NAME"] = picked.title
        if picked is not BUILT_IN:
            variables[variable] = str(executable.absolute())
        elif chosen is None and proof_format == "lrat" and not built_in and (folder / PROOF).exists():
            pass  # drat-trim checks the same proof; the built-in checker can need hours
        else:
            wrapper = scratch / f"checker-{proof_format}"
            wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([*program.prefix(executable), proof_format])} "$@"\n')
            wrapper.chmod(0o755)
            variables[variable], built_in = str(wrapper), True
    return variables, reads, built_in


# -- files --------------------------------------------------------------------------------------------------------------------


def _read_frame(folder: Path, work: ScratchFolder, results: Sequence[CheckResult]) -> VerifiedFolder:
    """The verified folder, from certificate.json and the copies of its manifest that verify.sh checked."""
    scratch = _scratch(work)
    lines = [line.split() for line in (scratch / MANIFEST).read_text(encoding="ascii").splitlines()]
    sums = dict(line.split("  ")[::-1] for line in (scratch / SUMS).read_text(encoding="ascii").splitlines())
    sizes = {words[2]: int(words[1]) for words in lines if words[0] == "file"}
    known = {words[0]: words[1] for words in lines if words[0] != "file"}
    count = None
    if "solutions" in known:
        count = ListNumbers(int(known["solutions"]), int(known["orbits"]), known["short"] == "1")
    found = VerifiedFolder(folder, work, known["statement"], count, sizes, sums, results)
    certificate = Certificate.from_text(found.data(CERTIFICATE), str(folder / CERTIFICATE))
    found = replace(found, certificate=certificate)
    if not found.other_version and sums[SCRIPT] != digest_of_file(VERIFY_SH):
        raise Damaged("differs from the script of this version", source=str(folder / SCRIPT))
    return found
