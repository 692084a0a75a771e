"""Certificates of UNSAT: a DRAT proof is believed when an independent checker has verified it, and for no other reason.

The checker is handed a copy of the formula that this project has read and written again, without comments. That is part of
the certificate: DRAT-trim takes the first words `cnf NUMBER NUMBER` anywhere, also inside a comment, for the header, so a
comment could make it check another formula than the solver solved.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.solving.confinement import Confinement
from cnfgen_puzzles.solving.process import EXIT, Limits, Measurement, run_process
from cnfgen_puzzles.solving.table import find_solver

CHECKER = "drat-trim"
FORMAT_OPTIONS = {"text": (), "binary": ("-i",)}
"""How DRAT-trim is told what the proof is. Its `-I` for text is broken: the first character that is no number hangs it."""


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
    if not proof.is_file():
        return ProofCheck(False, "no proof was written")
    with tempfile.TemporaryDirectory(prefix="cnfgen-proof-") as folder:
        formula, said = Path(folder) / "formula.cnf", Path(folder) / "stdout"
        with formula.open("wb") as stream:
            write_dimacs(cnf, stream)
        command = checker.command(executable, formula, proof=proof.resolve(), options=FORMAT_OPTIONS[proof_format])
        scratch = Path(folder) / "scratch"
        scratch.mkdir()
        confinement = Confinement(scratch, reads=[formula, proof.resolve()])
        measurement = run_process(
            command, stdout=said, stderr=Path(folder) / "stderr", limits=limits or Limits(), confinement=confinement
        )
        return _verdict(said.read_bytes(), measurement)


def _verdict(said: bytes, measurement: Measurement) -> ProofCheck:
    """What the checker's output says.

    A line counts as a whole and from its beginning, past the carriage return that DRAT-trim puts first: it may print parts of a
    proof's comments, and these must not be able to speak for it. Its exit code says nothing (1 for some verified proofs).
    """
    if measurement.ended != EXIT:
        return ProofCheck(False, f"the check was ended by {measurement.ended}", measurement)
    lines = [line.removeprefix(b"\r").rstrip() for line in said.split(b"\n")]
    verdicts = [line for line in lines if line.startswith(b"s ")]
    if verdicts == [b"s VERIFIED"]:
        return ProofCheck(True, "", measurement)
    complaints = [line for line in lines if line.startswith((b"c ERROR", b"c conflict claimed", b"c illegal", b"c MEMOUT"))]
    words = complaints[-1:] or verdicts[-1:] or [b"the checker said nothing"]
    return ProofCheck(False, words[0][:200].removeprefix(b"c ").decode("utf-8", "replace"), measurement)
