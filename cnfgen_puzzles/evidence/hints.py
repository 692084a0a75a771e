"""Proofs for certificates: in plain DRAT, with hints in LRAT if public checkers verify them.

`proofs` decides whether an answer is verified. This module converts its proof to the formats of public checkers, and runs these
checkers in the same way as verify.sh.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.evidence.certificate import Program
from cnfgen_puzzles.evidence.checkers import VERIFY
from cnfgen_puzzles.evidence.proofreader import drat_steps
from cnfgen_puzzles.evidence.steps import megabytes_for
from cnfgen_puzzles.solving.confinement import Confinement
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import EXIT
from cnfgen_puzzles.solving.table import find_solver

PLAIN = regex(rb"(?:(?:d )?+(?:-?[1-9][0-9]*+ )*+0\n)*+")
"""A DRAT proof with one step per line, without comments."""
VERDICT = regex(rb"^\r?([cs] (?:NOT )?VERIFIED)(?: UNSAT)?[ \t\r]*$", re.MULTILINE)
TRIMMER, HINTS_CHECKERS = "drat-trim", ("lrat-check", "cake_lpr")
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
    if (trimmer := _run(TRIMMER, formula, proof, limits, hints)) is not None:
        yield trimmer
    if not hints.exists() or hints.stat().st_size > MOST_HINTS:
        hints.unlink(missing_ok=True)
        return
    checkers = [_run(name, formula, hints, limits) for name in HINTS_CHECKERS if find_solver(name).available()]
    if checkers and None not in checkers:
        yield from filter(None, checkers)
    else:
        hints.unlink()


def _run(name: str, formula: Path, proof: Path, limits: Limits, hints: Path | None = None) -> Program | None:
    """The checker, if it is installed and verifies the proof."""
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
        verdicts = VERDICT.findall((work / "stdout").read_bytes())
        if measurement.ended != EXIT or len(verdicts) != 1 or b"NOT" in verdicts[0]:
            return None
        if hints is not None and written.exists():
            shutil.move(written, hints)
    version = ""
    with contextlib.suppress(CnfgenError):
        version = program.version_line(executable)
    return Program("checker", name, version, checksum(executable))
