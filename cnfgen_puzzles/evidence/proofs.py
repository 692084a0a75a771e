"""Certificates of UNSAT: a proof is believed when an independent checker has verified it, and for no other reason.

The checker is handed a copy of the formula that this project has read and written again, without comments. That is part of
the certificate: DRAT-trim takes the first words `cnf NUMBER NUMBER` anywhere, also inside a comment, for the header, so a
comment could make it check another formula than the solver solved.
"""

from __future__ import annotations

import itertools
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path

from cnfgen_puzzles.evidence.basis import MODEL, PROOF, WORD, Evidence
from cnfgen_puzzles.evidence.checkers import DRAT_TRIM, ProofChecker, pick_checker
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.ground import showing
from cnfgen_puzzles.ground.printable import printable
from cnfgen_puzzles.ground.scratch import scratch_folder
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.confinement import Confinement, python_environment
from cnfgen_puzzles.solving.process import EXIT, Limits, Measurement, run_process
from cnfgen_puzzles.solving.run import ERROR, Run
from cnfgen_puzzles.solving.solveroutput import Outputs, content_of, without_room

SPOKEN = re.compile(rb"^\r?(?:s |c (?:ERROR|conflict claimed|illegal|MEMOUT))[^\n]*", re.MULTILINE)
"""The lines of a checker's output that are looked at."""
MOST_LINES = 100_000
"""So many of them are no verdict of a checker, whatever they say."""


@dataclass(frozen=True)
class ProofCheck:
    """Whether the checker verified the proof; if not, the reason; and what the check used (None if it never ran).

    `unfinished`: a limit, a fault of the checker or its absence kept it from a verdict, so that the proof may be right. A proof
    that is neither verified nor unfinished was refused, or there is none.
    """

    verified: bool
    reason: str
    measurement: Measurement | None = None
    unfinished: bool = False
    by: str = ""
    """The checker, as sentences name it; empty if none was called."""

    def __repr__(self) -> str:
        verdict = "verified" if self.verified else "unfinished" if self.unfinished else "refused"
        return showing.in_brackets("ProofCheck", verdict, self.reason, self.measurement and f"cpu {self.measurement.cpu:.3f} s")

    @property
    def refused(self) -> bool:
        """Whether the answer must not be believed: the proof is wrong or missing."""
        return not (self.verified or self.unfinished)


def certified(run: Run, check: ProofCheck | None, *, why_none: str = "", required: bool = False) -> tuple[Run, Evidence | None]:
    """The run as it may be told after the `check` of its proof, and what its verdict rests on (None: it has none).

    A proof that was refused, or that should be there and is not, makes the run an ERROR: that is no answer. `check` None: none
    was to be had, and `why_none` says why. With `required` anything but a verified proof makes it an ERROR.
    """
    if run.status == SATISFIABLE:
        return run, Evidence(MODEL)
    if run.status != UNSATISFIABLE:
        return run, None
    if check is not None and check.verified:
        return run, Evidence(PROOF, check.by)
    if check is not None and check.refused:
        return replace(run, status=ERROR, reason=f"says {UNSATISFIABLE}, but its proof was refused: {check.reason}"), None
    note = why_none if check is None else f"its proof was not checked to its end: {check.reason}"
    if required:
        return replace(run, status=ERROR, reason=f"says {UNSATISFIABLE}, not certified: {note or 'no proof was asked for'}"), None
    return run, Evidence(WORD, run.solver.name, note)


def check_proof(
    cnf_file: Path,
    proof: Path,
    limits: Limits | None = None,
    *,
    cnf: Cnf | None = None,
    proof_format: str = "text",
    checker: str | None = None,
) -> ProofCheck:
    """Let a checker check that `proof` refutes the formula in `cnf_file` (plain, gz or xz).

    `cnf` is the file's formula where the caller has it already, `proof_format` is that of the solver (`Solver.proof_format`).
    `checker` is one of `checkers.CHECKERS`, None the first that is there and can. Raises InputError for a formula that cannot be
    read and where the checker is not there.
    """
    chosen = pick_checker(checker, proof_format)
    program = chosen.program()
    executable = program.locate()
    if cnf is None:
        cnf = read_dimacs(open_source(cnf_file)).cnf
    if (no_file := _no_file(proof)) is not None:
        return ProofCheck(False, no_file)
    with scratch_folder("proof") as work, Outputs(work) as outputs:
        with (work / "formula.cnf").open("wb") as stream:
            write_dimacs(cnf, stream)
        formula, scratch = work / "formula.cnf", work / "scratch"
        scratch.mkdir()
        command = program.command(executable, formula, proof=proof.resolve(), options=chosen.formats[proof_format])
        measurement = run_process(
            command, stdout=work / "stdout", stderr=work / "stderr", limits=_limits(chosen, limits or Limits()),
            env=python_environment() if program.module else None,
            confinement=Confinement(scratch, reads=[formula, proof.resolve(), *program.files_read(executable)]),
        )  # fmt: skip
        check = _verdict(content_of(outputs.stdout), measurement, chosen)
    if check.unfinished and checker is None and chosen is not DRAT_TRIM and proof_format in DRAT_TRIM.formats:
        check = replace(check, reason=f"{check.reason}; {DRAT_TRIM.told}, which is quicker, is not there")
    return check if check.verified else replace(check, reason=printable(check.reason + without_room(proof.parent)))


def _limits(checker: ProofChecker, limits: Limits) -> Limits:
    return limits if limits.memory is not None else replace(limits, memory=checker.memory)


def _no_file(proof: Path) -> str | None:
    """Why there is no proof to read, None if there is: a pipe would be read for ever, a device without end."""
    try:
        mode = proof.stat().st_mode
    except OSError as error:
        return "no proof was written" if isinstance(error, FileNotFoundError) else f"the proof cannot be read: {error.strerror}"
    return None if stat.S_ISREG(mode) else "the proof is no file, but a pipe, a device or a folder"


def _verdict(said: bytes, measurement: Measurement, checker: ProofChecker) -> ProofCheck:
    """What the checker's output says.

    A line counts as a whole and from its beginning, past the carriage return that DRAT-trim puts first: it may print parts of a
    proof's comments, and these must not be able to speak for it. Its exit code says nothing (1 for some verified proofs).
    """
    if measurement.ended != EXIT:
        return ProofCheck(False, f"{checker.told} was ended by {measurement.ended}", measurement, unfinished=True)
    lines = [match[0].removeprefix(b"\r").rstrip() for match in itertools.islice(SPOKEN.finditer(said), MOST_LINES)]
    if len(lines) == MOST_LINES:
        return ProofCheck(False, "the checker said too much", measurement, unfinished=True)
    verdicts = [line for line in lines if line.startswith(b"s ")]
    if verdicts == [checker.verified]:
        return ProofCheck(True, "", measurement, by=checker.told)
    gave_up = [line for line in lines if line.startswith((b"s TIMEOUT", b"c MEMOUT"))]
    complaints = [line for line in lines if line.startswith((b"c ERROR", b"c conflict claimed", b"c illegal"))]
    words = gave_up[-1:] or complaints[-1:] or verdicts[-1:] or [b"the checker said nothing"]
    reason = words[0][:200].removeprefix(b"c ").decode("utf-8", "replace")
    return ProofCheck(False, reason, measurement, unfinished=bool(gave_up) or not (complaints or verdicts))
