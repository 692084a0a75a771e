"""Certificates of UNSAT: a DRAT proof is believed when an independent checker has verified it, and for no other reason.

The checker is handed a copy of the formula that this project has read and written again, without comments. That is part of
the certificate: DRAT-trim takes the first words `cnf NUMBER NUMBER` anywhere, also inside a comment, for the header, so a
comment could make it check another formula than the solver solved.
"""

from __future__ import annotations

import itertools
import re
import stat
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.ground.printable import printable
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.solving.process import EXIT, Limits, Measurement, run_process
from cnfgen_puzzles.solving.solveroutput import Outputs, content_of, without_room
from cnfgen_puzzles.solving.table import find_solver

CHECKER = "drat-trim"
FORMAT_OPTIONS = {"text": (), "binary": ("-i",)}
"""How DRAT-trim is told what the proof is. Its `-I` for text is broken: the first character that is no number hangs it."""

SPOKEN = re.compile(rb"^\r?(?:s |c (?:ERROR|conflict claimed|illegal|MEMOUT))[^\n]*", re.MULTILINE)
"""The lines of its output that are looked at."""
MOST_LINES = 100_000
"""So many of them are no verdict of a checker, whatever they say."""


@dataclass(frozen=True)
class ProofCheck:
    """Whether the checker verified the proof; if not, the reason; and what the check used (None if there was no proof)."""

    verified: bool
    reason: str
    measurement: Measurement | None = None

    @property
    def unfinished(self) -> bool:
        """Whether a limit, or somebody, ended the check before its verdict: the proof may be right."""
        return self.measurement is not None and self.measurement.ended != EXIT


def check_proof(
    cnf_file: Path,
    proof: Path,
    limits: Limits | None = None,
    *,
    cnf: Cnf | None = None,
    proof_format: str = "text",
) -> ProofCheck:
    """Let DRAT-trim check that `proof` refutes the formula in `cnf_file` (plain, gz or xz).

    `cnf` is the file's formula where the caller has it already, `proof_format` is that of the solver (`Solver.proof_format`).
    Raises InputError for a formula that cannot be read and where the checker is not there.
    """
    checker = find_solver(CHECKER)
    executable = checker.locate()
    if cnf is None:
        cnf = read_dimacs(open_source(cnf_file)).cnf
    if (no_file := _no_file(proof)) is not None:
        return ProofCheck(False, no_file)
    with (
        tempfile.TemporaryDirectory(prefix="cnfgen-proof-", ignore_cleanup_errors=True) as folder,
        Outputs(Path(folder)) as outputs,
    ):
        work = Path(folder)
        with (work / "formula.cnf").open("wb") as stream:
            write_dimacs(cnf, stream)
        command = checker.command(executable, work / "formula.cnf", proof=proof, options=FORMAT_OPTIONS[proof_format])
        measurement = run_process(command, stdout=work / "stdout", stderr=work / "stderr", limits=limits or Limits())
        check = _verdict(content_of(outputs.stdout), measurement)
    return check if check.verified else replace(check, reason=printable(check.reason + without_room(proof.parent)))


def _no_file(proof: Path) -> str | None:
    """Why there is no proof to read, None if there is: a pipe would be read for ever, a device without end."""
    try:
        mode = proof.stat().st_mode
    except OSError as error:
        return "no proof was written" if isinstance(error, FileNotFoundError) else f"the proof cannot be read: {error.strerror}"
    return None if stat.S_ISREG(mode) else "the proof is no file, but a pipe, a device or a folder"


def _verdict(said: bytes, measurement: Measurement) -> ProofCheck:
    """What the checker's output says.

    A line counts as a whole and from its beginning, past the carriage return that DRAT-trim puts first: it may print parts of a
    proof's comments, and these must not be able to speak for it. Its exit code says nothing (1 for some verified proofs).
    """
    if measurement.ended != EXIT:
        return ProofCheck(False, f"the check was ended by {measurement.ended}", measurement)
    lines = [match[0].removeprefix(b"\r").rstrip() for match in itertools.islice(SPOKEN.finditer(said), MOST_LINES)]
    if len(lines) == MOST_LINES:
        return ProofCheck(False, "the checker said too much", measurement)
    verdicts = [line for line in lines if line.startswith(b"s ")]
    if verdicts == [b"s VERIFIED"]:
        return ProofCheck(True, "", measurement)
    complaints = [line for line in lines if line.startswith((b"c ERROR", b"c conflict claimed", b"c illegal", b"c MEMOUT"))]
    words = complaints[-1:] or verdicts[-1:] or [b"the checker said nothing"]
    return ProofCheck(False, words[0][:200].removeprefix(b"c ").decode("utf-8", "replace"), measurement)
