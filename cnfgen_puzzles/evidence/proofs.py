"""Proofs of UNSAT. A proof counts only if an independent checker has verified it.

    check_proof(cnf_file, proof, limits)                                            # by the first installed checker
    translate_proof(cnf_file, drat, lrat, limits)                                   # DRAT -> LRAT, by drat-trim
    check_proof(cnf_file, lrat, limits, proof_format="lrat", checker="lrat")        # by lrat-check; "verified": by cake_lpr

The checker gets a copy of the formula that this package has read and written again, without comments. DRAT-trim takes the first
words `cnf NUMBER NUMBER`, even in a comment, for the header. With a comment, it could therefore check a formula that differs from
the one that the solver solved.
"""

from __future__ import annotations

import functools
import mmap
import re
import shutil
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.checkers import (
    BUILT_IN,
    CHECKERS,
    DRAT_TRIM,
    HINTED,
    LRAT,
    TRANSLATE,
    TRANSLATE_BYTES,
    VERIFIED,
    CheckStep,
    ProofChecker,
    pick_checker,
)
from cnfgen_puzzles.evidence.evidence import CLAIMED, MODEL, PROOF, Evidence
from cnfgen_puzzles.formula import Cnf, read_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE, without_room
from cnfgen_puzzles.solving.executables import FileState, is_installed_here, state_of
from cnfgen_puzzles.solving.process import Limits, Measurement
from cnfgen_puzzles.solving.run import ERROR, Run
from cnfgen_puzzles.solving.supervision import INTERRUPTED

if TYPE_CHECKING:
    from cnfgen_puzzles.evidence.steps import StepRun


@dataclass(frozen=True)
class ProofCheck:
    """The verdict of a checker, the reason if it did not verify the proof, and the resources of the check (None if it did not
    run).

    `unfinished`: a limit ended the check, so the proof may be correct. If a proof is neither verified nor unfinished, the checker
    refused it or failed on it, or the proof is missing. In each case, the answer of the solver does not count.
    """

    verified: bool
    reason: str
    measurement: Measurement | None = None
    unfinished: bool = False
    by: str = ""
    """The name of the checker in sentences; empty if none ran or none verified the proof."""
    note: str = ""
    """The conversion of the proof before its check, in words."""
    steps: tuple[StepRun, ...] = ()
    """The programs that ran, with their resources."""

    def __repr__(self) -> str:
        verdict = "verified" if self.verified else "unfinished" if self.unfinished else "refused"
        return showing.in_brackets("ProofCheck", verdict, self.reason, self.measurement and f"cpu {self.measurement.cpu:.3f} s")

    def programs(self) -> list[dict[str, Any]]:
        """The programs that ran, for records, with the CPU seconds of each."""
        return [{**step.identity(), "cpu": round(step.measurement.cpu, 4)} for step in self.steps]

    @property
    def refused(self) -> bool:
        """True if the answer does not count: the proof is wrong or missing, or the checker failed on it."""
        return not (self.verified or self.unfinished)

    @property
    def interrupted(self) -> bool:
        """True if the caller ended the check."""
        return self.measurement is not None and self.measurement.ended == INTERRUPTED


def certified(run: Run, check: ProofCheck | None, *, why_none: str = "", required: bool = False) -> tuple[Run, Evidence | None]:
    """The run after the `check` of its proof, and its evidence (None without a verdict).

    If the proof was refused or is missing, the run becomes an ERROR. If `check` is None, no proof was available, for the reason
    `why_none`. With `required`, a run without a verified proof becomes an ERROR, or UNKNOWN if the check was interrupted because
    another solver was first.
    """
    if run.status == SATISFIABLE:
        return run, Evidence(MODEL)
    if run.status != UNSATISFIABLE:
        return run, None
    if check is not None and check.verified:
        return run, Evidence(PROOF, check.by, check.note)
    if check is not None and check.refused:
        return replace(run, status=ERROR, reason=f"says {UNSATISFIABLE}, but its proof was refused: {check.reason}"), None
    note = why_none if check is None else f"its proof was not checked completely: {check.reason}"
    if required and check is not None and check.interrupted:
        return replace(run, status=UNKNOWN, reason=f"says {UNSATISFIABLE}, but the check of its proof was interrupted"), None
    if required:
        return replace(run, status=ERROR, reason=f"says {UNSATISFIABLE}, not certified: {note or 'no proof was requested'}"), None
    return run, Evidence(CLAIMED, run.solver.name, note)


def check_proof(
    cnf_file: Path,
    proof: Path,
    limits: Limits | None = None,
    *,
    cnf: Cnf | None = None,
    proof_format: str = "text",
    checker: str | None = None,
) -> ProofCheck:
    """Check with a checker that `proof` refutes the formula in `cnf_file` (plain, gz, or xz).

    `cnf` is the formula of the file if the caller has it, `proof_format` is that of the solver (`Solver.proof_format`). `checker`
    is one of `checkers.CHECKERS`. If it is None, the first installed one that reads the format checks. If a limit ends its check,
    the verdict is that of drat-trim if drat-trim has translated the proof, or else that of lrat-check if it reads the format.
    InputError for an unreadable formula and for a checker that is not installed.
    """
    chosen = ready_checker(checker, proof_format)
    check = _check_by(chosen, cnf_file, proof, limits or Limits(), proof_format, cnf)
    if checker is not None or not check.unfinished:
        return check
    if any(step.program.name == DRAT_TRIM.name and step.wrote for step in check.steps):
        return replace(check, verified=True, unfinished=False, reason="", by=DRAT_TRIM.told, note=check.reason)
    if chosen is VERIFIED and proof_format in LRAT.formats and LRAT.available(proof_format) and not check.interrupted:
        from cnfgen_puzzles.evidence.steps import time_left, total

        second_checker, left = ready_checker(LRAT.name, proof_format), time_left(limits or Limits(), check.steps)
        second = _check_by(second_checker, cnf_file, proof, left, proof_format, cnf)
        if not second.unfinished:
            steps = (*check.steps, *second.steps)
            return replace(second, note=check.reason, steps=steps, measurement=total(steps))
    if chosen is BUILT_IN and proof_format in DRAT_TRIM.formats:
        check = replace(check, reason=f"{check.reason}; {DRAT_TRIM.told}, which is faster, is not installed")
    return check


def _check_by(
    checker: ProofChecker, cnf_file: Path, proof: Path, limits: Limits, proof_format: str, cnf: Cnf | None
) -> ProofCheck:
    if limits.memory is None:
        limits = replace(limits, memory=checker.memory)
    check = _checked(checker.formats[proof_format], cnf_file, proof, limits, proof_format, cnf=cnf, strict=checker.strict)
    return replace(check, by=checker.told, note=checker.note(proof_format)) if check.verified else check


def ready_checker(name: str | None, proof_format: str) -> ProofChecker:
    """The checker for proofs of this format (`pick_checker`). InputError if it is not installed or fails its test.

    `cnf-solvers install` tests the programs that it installs. Others, from PATH or the environment, are tested here at their
    first use in a process.
    """
    chosen = pick_checker(name, proof_format)
    chosen.locate(proof_format)
    for program in chosen.programs(proof_format):
        executable = program.locate()
        if program.module or is_installed_here(executable):
            continue
        if fault := _fault(chosen.name, "lrat" if "lrat" in proof_format else "text", executable, state_of(executable)):
            raise InputError(f"cannot be used to check proofs: {chosen.told} {fault}", source=str(executable))
    return chosen


@functools.lru_cache(maxsize=32)
def _fault(name: str, proof_format: str, _executable: Path, _state: FileState) -> str:
    return checker_fault(CHECKERS[name], proof_format)


SQUARES, UNIT = ((1, 2), (1, -2), (-1, 2), (-1, -2)), ((-2,),)
DRAT_TRIALS = (
    (SQUARES, "1 0\n0\n", True),
    (SQUARES, "", False),
    (SQUARES, "d 1 2 0\n0\n", False),
    (UNIT, "1 0\n0\n", False),
)
"""Formulas, DRAT proofs, and whether they are correct. The wrong proofs: empty, a missing clause, a satisfiable formula."""
LRAT_TRIALS = (
    (SQUARES, "5 1 0 1 2 0\n6 0 5 3 4 0\n", True),
    (SQUARES, "6 0 1 2 0\n", False),
    (SQUARES, "5 1 0 1 2 0\n", False),
    (SQUARES, "5 1 0 1 2 0\n6 0 5 3 0\n", False),
    (SQUARES, "5 1 0 1 2 0\n6 0 5 3", False),
    (UNIT, "2 0 0\n", False),
    (UNIT, "2 -2 0 1 -1 -1 -1 0\n3 0 1 0\n", False),
)
"""The same in LRAT. Published versions of lrat-check accept the last two (`solvers/lrat-check.yaml`)."""
TEST_LIMITS = Limits(cpu=10, wall=30)


def checker_fault(checker: ProofChecker, proof_format: str) -> str:
    """Test a checker on small proofs in `text` or `lrat`. The result describes its error; it is empty if there is none."""
    with scratch_folder("checker-test") as folder:
        for clauses, text, right in LRAT_TRIALS if proof_format == "lrat" else DRAT_TRIALS:
            proof, cnf = folder / "proof", Cnf(2)
            proof.write_text(text, encoding="ascii")
            for clause in clauses:
                cnf.literals.extend((*clause, 0))
                cnf.num_clauses += 1
            steps = checker.formats[proof_format]
            check = _checked(steps, folder, proof, TEST_LIMITS, proof_format, cnf=cnf, strict=checker.strict)
            if check.verified != right:
                return f"refuses a right proof ({check.reason})" if right else f"accepts {text!r}, which is no proof"
            if check.unfinished:
                return f"comes to no verdict ({check.reason})"
    return ""


def translate_proof(
    cnf_file: Path, proof: Path, hinted: Path, limits: Limits | None = None, *, cnf: Cnf | None = None, proof_format: str = "text"
) -> ProofCheck:
    """Write an LRAT proof to `hinted` from a DRAT proof (`text` or `binary`) with drat-trim, which checks it in the process.

    Parameters and errors are those of `check_proof`. `hinted` exists afterwards if and only if the proof was verified. To verify
    `hinted` independently, call `check_proof` with `proof_format="lrat"`; it refutes the formula with the same order of clauses.
    """
    step = {"text": TRANSLATE, "binary": TRANSLATE_BYTES}[proof_format]
    step.program().locate()
    check = _checked((step,), cnf_file, proof, limits or Limits(), proof_format, cnf=cnf, strict=True, hinted=hinted)
    return replace(check, by=DRAT_TRIM.told if check.verified else "")


def _checked(
    steps: tuple[CheckStep, ...],
    cnf_file: Path,
    proof: Path,
    limits: Limits,
    proof_format: str,
    *,
    cnf: Cnf | None,
    strict: bool,
    hinted: Path | None = None,
) -> ProofCheck:
    """The verdict of the last step that ran. If the steps write an LRAT proof, it is moved to `hinted`."""
    if cnf is None:
        cnf = read_dimacs(open_source(cnf_file)).cnf
    if (no_file := _no_file(proof)) is not None:
        return ProofCheck(False, no_file)
    if (too_large := _too_large(proof, proof_format)) is not None:
        return ProofCheck(False, too_large)
    with scratch_folder("proof") as work:
        from cnfgen_puzzles.evidence.steps import carry_out, total  # a lazy import: most answers are boards

        outcome = carry_out(steps, cnf, proof, limits, work, strict=strict)
        if outcome.verdict.verified and hinted is not None:
            shutil.move(work / HINTED, hinted)
    reason = outcome.verdict.reason and printable(outcome.verdict.reason + without_room(proof.parent))
    return ProofCheck(outcome.verdict.verified, reason, total(outcome.steps), outcome.verdict.unfinished, steps=outcome.steps)


def _no_file(proof: Path) -> str | None:
    """The reason why `proof` cannot be read, or None. Only regular files are read: a pipe or device might not end."""
    try:
        mode = proof.stat().st_mode
    except OSError as error:
        return "no proof was written" if isinstance(error, FileNotFoundError) else f"the proof cannot be read: {error.strerror}"
    return None if stat.S_ISREG(mode) else "the proof is no file, but a pipe, a device or a folder"


LONG_NUMBER = regex(rb"^c[^\n]*|0*([1-9][0-9]{9,})", re.MULTILINE)
"""A comment, or a number of more than nine digits."""
LONG_BYTES = regex(rb"[\x80-\xff]{4}(?:[\x10-\x7f]|[\x80-\xff])")
"""A number of a binary proof that is 2^32 or more: five bytes with seven bits each, the lowest first."""


def _too_large(proof: Path, proof_format: str) -> str | None:
    """The reason why no checker gets this proof, or None: drat-trim and lrat-check truncate large numbers to 32 bits."""
    if not proof.stat().st_size:
        return None
    with proof.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if proof_format.startswith("binary"):
            if found := LONG_BYTES.search(data):
                return f"the proof has a number of 2^31 or more, at byte {found.start()}"
            return None
        for found in LONG_NUMBER.finditer(data):
            if found[1] and (len(found[1]) > 10 or int(found[1]) >= 1 << 31):
                return f"the proof has a number of 2^31 or more, {found[1][:20].decode()}, at byte {found.start()}"
    return None
