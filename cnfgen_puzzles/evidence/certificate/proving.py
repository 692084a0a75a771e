"""Proofs on their way into a certificate: in plain DRAT, with hints where these can be had, and what public checkers print.

Whether an answer may be believed is decided elsewhere (`evidence.proofs`); here its proof is brought into the form in which
strangers' programs read it, and these are run as verify.sh will run them.
"""

from __future__ import annotations

import contextlib
import mmap
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.evidence.proofreader import drat_steps
from cnfgen_puzzles.solving.confinement import Confinement
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.process import EXIT, Limits, run_process
from cnfgen_puzzles.solving.table import Solver, find_solver

PLAIN = {
    "text": re.compile(rb"(?:(?:d )?+(?:-?[1-9][0-9]*+ )*+0\n)*+"),
    "lrat": re.compile(rb"(?:[1-9][0-9]*+ (?:d (?:[1-9][0-9]*+ )*+0|(?:-?[1-9][0-9]*+ )*+0 (?:-?[1-9][0-9]*+ )*+0)\n)*+"),
}
"""By format: a step a line, and nothing else."""
VERDICT = re.compile(rb"^\r?([cs] (?:NOT )?VERIFIED)[ \t\r]*$", re.MULTILINE)
TRIMMER, HINTS_CHECKER = "drat-trim", "lrat-check"
CHECKER = "checker"
"""What a program is used as that verified a proof."""
MOST_HINTS = 2 << 30
"""Bytes of a proof with hints that a certificate takes along: one of drat-trim's is about four times the proof."""


@dataclass(frozen=True)
class Said:
    """What a checker printed that verified a proof, and which program it was."""

    name: str
    version: str
    sha256: str
    output: bytes


def plain_proof(proof: Path, proof_format: str, target: Path) -> None:
    """A solver's DRAT proof as text, a step a line, without comments; `proof_format` is `text` or `binary`."""
    if proof_format == "text" and unplain_line(proof, "text") is None:
        shutil.move(proof, target)
        return
    with target.open("wb") as stream:
        for deletes, clause in drat_steps(proof.read_bytes(), binary=proof_format == "binary"):
            stream.write(b"d " * deletes + " ".join(map(str, [*clause, 0])).encode() + b"\n")


def unplain_line(proof: Path, proof_format: str) -> int | None:
    """The number of the first line of a proof that is no step, as DRAT (`text`) or LRAT; None where all are."""
    with proof.open("rb") as stream:
        if not stream.read(1):
            return None
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = PLAIN[proof_format].match(data)
            end = found.end() if found else 0
            return None if end == len(data) else data[:end].count(b"\n") + 1


def proof_with_hints(formula: Path, proof: Path, hints: Path, limits: Limits) -> Iterator[Said]:
    """What drat-trim prints on a proof; it writes `hints`, of which lrat-check says the rest.

    Nothing comes of a checker that is not there, or that does not verify within the limits; then there are no hints.
    """
    if (said := _run(TRIMMER, formula, proof, limits, hints)) is not None:
        yield said
    if not hints.exists() or hints.stat().st_size > MOST_HINTS:
        hints.unlink(missing_ok=True)
        return
    if (said := _run(HINTS_CHECKER, formula, hints, limits)) is not None:
        yield said
    else:
        hints.unlink()


def _run(name: str, formula: Path, proof: Path, limits: Limits, hints: Path | None = None) -> Said | None:
    """What a checker printed, if it is there and verified the proof."""
    program = find_solver(name)
    if not program.available():
        return None
    executable = program.locate()
    with scratch_folder("checker") as work:
        scratch = work / "scratch"
        scratch.mkdir()
        written = scratch / "hints"
        options = ("-L", str(written)) if hints is not None else ()
        measurement = run_process(
            program.command(executable, formula, proof=proof, options=options),
            stdout=work / "stdout", stderr=work / "stderr", limits=limits,
            confinement=Confinement(scratch, reads=[formula, proof, *program.files_read(executable)]),
        )  # fmt: skip
        output = (work / "stdout").read_bytes()
        if measurement.ended != EXIT or not verified_by(output):
            return None
        if hints is not None and written.exists():
            shutil.move(written, hints)
    return Said(name, _version(program, executable), checksum(executable), output.replace(b"\r", b"\n"))


def output_of(name: str) -> str:
    """The file of a certificate that has the output of a checker."""
    return f"{name}.txt"


def verified_by(output: bytes) -> bool:
    """Whether a checker says of a proof that it verified it, once, and nothing else."""
    verdicts = VERDICT.findall(output)
    return len(verdicts) == 1 and b"NOT" not in verdicts[0]


def _version(program: Solver, executable: Path) -> str:
    with contextlib.suppress(CnfgenError):
        return program.version_line(executable)
    return ""
