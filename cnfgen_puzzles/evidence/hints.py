"""Proofs on their way into a certificate: in plain DRAT, with hints where these can be had, and what public checkers print.

Whether an answer may be believed is decided elsewhere (`proofs`). Here its proof is brought into the form in which strangers'
programs read it, and these are run as verify.sh will run them.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.evidence.checkers import VERIFY
from cnfgen_puzzles.evidence.proofreader import drat_steps
from cnfgen_puzzles.evidence.steps import megabytes_for
from cnfgen_puzzles.solving.confinement import Confinement
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import EXIT
from cnfgen_puzzles.solving.table import find_solver

PLAIN = re.compile(rb"(?:(?:d )?+(?:-?[1-9][0-9]*+ )*+0\n)*+")
"""A DRAT proof with a step a line, and nothing else."""
VERDICT = re.compile(rb"^\r?([cs] (?:NOT )?VERIFIED)(?: UNSAT)?[ \t\r]*$", re.MULTILINE)
TRIMMER, HINTS_CHECKERS = "drat-trim", ("lrat-check", "cake_lpr")
MOST_HINTS = 2 << 30
"""Bytes of a proof with hints that a certificate takes along: one of drat-trim's is about four times the proof."""


@dataclass(frozen=True)
class CheckerOutput:
    """What a checker printed that verified a proof, and which program it was."""

    name: str
    version: str
    sha256: str
    output: bytes


def write_plain_proof(proof: Path, proof_format: str, target: Path) -> None:
    """A solver's DRAT proof as text, a step a line, without comments; `proof_format` is `text` or `binary`."""
    if proof_format == "text" and _is_plain(proof):
        shutil.move(proof, target)
        return
    with target.open("wb") as stream:
        for deletes, clause in drat_steps(proof.read_bytes(), binary=proof_format == "binary"):
            stream.write(b"d " * deletes + " ".join(map(str, [*clause, 0])).encode() + b"\n")


def _is_plain(proof: Path) -> bool:
    if not proof.stat().st_size:
        return True
    with proof.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return PLAIN.fullmatch(data) is not None


def proof_with_hints(formula: Path, proof: Path, hints: Path, limits: Limits) -> Iterator[CheckerOutput]:
    """What drat-trim prints on a proof; it writes `hints`, of which lrat-check and cake_lpr say the rest.

    Nothing comes of a checker that is not installed. If none is, or one does not verify within the limits, there are no hints.
    """
    if (said := _run(TRIMMER, formula, proof, limits, hints)) is not None:
        yield said
    if not hints.exists() or hints.stat().st_size > MOST_HINTS:
        hints.unlink(missing_ok=True)
        return
    outputs = [_run(name, formula, hints, limits) for name in HINTS_CHECKERS if find_solver(name).available()]
    if outputs and None not in outputs:
        yield from filter(None, outputs)
    else:
        hints.unlink()


def _run(name: str, formula: Path, proof: Path, limits: Limits, hints: Path | None = None) -> CheckerOutput | None:
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
        environment = {name: value.format(megabytes=megabytes_for(formula, proof, limits)) for name, value in VERIFY.environment}
        measurement = run_process(
            program.command(executable, formula, proof=proof, options=options),
            stdout=work / "stdout", stderr=work / "stderr", limits=limits, env={**os.environ, **environment},
            confinement=Confinement(scratch, reads=[formula, proof, *program.files_read(executable)]),
        )  # fmt: skip
        output = (work / "stdout").read_bytes()
        verdicts = VERDICT.findall(output)
        if measurement.ended != EXIT or len(verdicts) != 1 or b"NOT" in verdicts[0]:
            return None
        if hints is not None and written.exists():
            shutil.move(written, hints)
    version = ""
    with contextlib.suppress(CnfgenError):
        version = program.version_line(executable)
    return CheckerOutput(name, version, checksum(executable), output.replace(b"\r", b"\n"))
