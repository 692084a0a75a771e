"""Proofs for certificates: in plain DRAT, with hints in LRAT if public checkers verify them.

`proofs` decides whether an answer is verified. This module converts its proof to the formats of public checkers, and runs these
checkers on the plain formula of the certificate.
"""

from __future__ import annotations

import contextlib
import mmap
import shutil
from collections.abc import Iterator
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.evidence.builtin import drat_steps
from cnfgen_puzzles.evidence.certificate import Program
from cnfgen_puzzles.evidence.checkers import CHECK, TRANSLATE, VERIFY, CheckStep
from cnfgen_puzzles.evidence.proofs import run_step
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.process import Limits

PLAIN = regex(rb"(?:(?:d )?+(?:-?[1-9][0-9]*+ )*+0\n)*+")
"""A DRAT proof with one step per line, without comments."""
MOST_HINTS = 2 << 30
"""Largest proof with hints in a certificate, in bytes; drat-trim writes about four times the size of the proof."""


def write_plain_proof(proof: Path, proof_format: str, target: Path) -> None:
    """Write a DRAT proof as text, one step per line, without comments. `proof_format` is `text` or `binary`."""
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


def proof_with_hints(formula: Path, proof: Path, hints: Path, limits: Limits) -> Iterator[Program]:
    """The installed checkers that verify the proof: drat-trim, which writes `hints`, then lrat-check and cake_lpr.

    If no checker of hints is installed, or one does not verify them within the limits, `hints` is removed.
    """
    if (trimmer := _verified_by(TRANSLATE, formula, proof, limits, hints)) is not None:
        yield trimmer
    if not hints.exists() or hints.stat().st_size > MOST_HINTS:
        hints.unlink(missing_ok=True)
        return
    checkers = [_verified_by(step, formula, hints, limits) for step in (CHECK, VERIFY) if step.program().available()]
    if checkers and None not in checkers:
        yield from filter(None, checkers)
    else:
        hints.unlink()


def _verified_by(step: CheckStep, formula: Path, proof: Path, limits: Limits, hints: Path | None = None) -> Program | None:
    """The program of the step, if it is installed and verifies the proof; the file that it writes becomes `hints`."""
    program = step.program()
    if not program.available():
        return None
    with scratch_folder("checker") as work:
        written = work / "scratch" / step.writes if hints is not None else None
        if not run_step(step, formula, proof, work, limits, written).verified:
            return None
        if hints is not None and written is not None and written.exists():
            shutil.move(written, hints)
    version = ""
    with contextlib.suppress(CnfgenError):
        version = program.version_line(program.locate())
    return Program("checker", program.name, version, checksum(program.locate()))
