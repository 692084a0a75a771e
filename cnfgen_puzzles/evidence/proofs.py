"""Proofs of UNSAT. A proof counts only if an independent checker has verified it.

    check_proof(cnf_file, proof, limits)                                            # by the first installed checker
    check_proof(cnf_file, lrat, limits, proof_format="lrat", checker="lrat")        # by lrat-check; "verified": by cake_lpr

`checkers` defines the checkers. Their steps run one after another, until one refuses the proof or the last one decides. The
limits of time apply to all steps together; the limits of memory and output apply to each step. Each step is confined to the
formula, its input, and a separate scratch folder. Its output must be a regular file there.

The checker gets a file of the formula that this package has written, without comments. DRAT-trim takes the first words `cnf
NUMBER NUMBER`, even in a comment, for the header. With a comment, it could therefore check a formula that differs from the one
that the solver solved.
"""

from __future__ import annotations

import functools
import itertools
import mmap
import os
import re
import stat
from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

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
    VERIFIED,
    CheckStep,
    ProofChecker,
    VerdictLines,
    pick_checker,
)
from cnfgen_puzzles.evidence.evidence import CLAIMED, MODEL, PROOF, Evidence
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.solving.answers import (
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    RunOutputs,
    content_of,
    last_words,
    without_room,
)
from cnfgen_puzzles.solving.confinement import Confinement, python_environment
from cnfgen_puzzles.solving.executables import FileState, checksum, is_installed_here, state_of
from cnfgen_puzzles.solving.process import Limits, Measurement, run_process
from cnfgen_puzzles.solving.run import ERROR, Run
from cnfgen_puzzles.solving.supervision import EXIT, INTERRUPTED, LAUNCH_FAILED, SIGNAL
from cnfgen_puzzles.solving.table import Solver

MOST_LINES = 100_000
"""An output with this many lines that look like verdicts or complaints has no verdict."""
CONTRADICTION = b"3 0 1 2 0\n"
"""An LRAT proof of the contradiction between `1` and `-1`."""
LEAST_HEAP, MOST_HEAP = 256, 4096
"""The bounds of the heap, in MiB."""
BESIDE_HEAP = 256
"""The memory of a checker besides its heap, in MiB: a heap as large as the memory limit exceeds it before it is full."""
MOST_VERIFIED = 3_500_000
"""The literals of the longest formula that cake_lpr checks by default: it needs 3 s for that, and lrat-check 0.9 s."""
LEAST = 0.001
"""The time limit in seconds of a step if the steps before it have used up the time; its run then reports the limit."""


class StepRun(NamedTuple):
    """The run of a step: its resources, and the bytes that it wrote for the next step."""

    program: Solver
    executable: Path
    measurement: Measurement
    wrote: int = 0

    def identity(self) -> dict[str, Any]:
        """The program as in records: version, path, checksum."""
        path, version = self.executable, self.program.version_line(self.executable)
        return {"name": self.program.name, "version": version, "path": str(path), "sha256": checksum(path)}


class ProofCheck(NamedTuple):
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

    def to_json(self) -> dict[str, Any]:
        """The verdict and the programs that ran, for records, with the CPU seconds of each."""
        programs = [{**step.identity(), "cpu": round(step.measurement.cpu, 4)} for step in self.steps]
        return {"verified": self.verified, "reason": self.reason, "checked_by": self.by, "programs": programs}

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
    in_place: bool = False,
    proof_format: str = "text",
    checker: str | None = None,
) -> ProofCheck:
    """Check with a checker that `proof` refutes the formula in `cnf_file` (plain or compressed).

    `cnf` is the formula of the file if the caller has it; `in_place` is true if `write_dimacs` wrote it there without comments,
    so that the checker can read that file. `proof_format` is that of the solver (`Solver.proof_format`). `checker` is one of
    `checkers.CHECKERS`. If it is None, the first installed one that reads the format checks, but lrat-check instead of cake_lpr
    if the formula is longer than MOST_VERIFIED. If a limit ends its check, the verdict is that of drat-trim if drat-trim has
    translated the proof, or else that of lrat-check if it reads the format.
    InputError for an unreadable formula and for a checker that is not installed.
    """
    chosen = ready_checker(checker, proof_format)
    cnf = read_dimacs(open_source(cnf_file)).cnf if cnf is None else cnf
    if checker is None and chosen is VERIFIED and len(cnf.literals) > MOST_VERIFIED and proof_format in LRAT.formats:
        chosen = ready_checker(LRAT.name, proof_format) if LRAT.available(proof_format) else chosen
    check = _check_by(chosen, cnf_file, proof, limits or Limits(), proof_format, cnf, in_place)
    if checker is not None or not check.unfinished:
        return check
    if any(step.program.name == DRAT_TRIM.name and step.wrote for step in check.steps):
        return check._replace(verified=True, unfinished=False, reason="", by=DRAT_TRIM.title, note=check.reason)
    if chosen is VERIFIED and proof_format in LRAT.formats and LRAT.available(proof_format) and not check.interrupted:
        second_checker, left = ready_checker(LRAT.name, proof_format), time_left(limits or Limits(), check.steps)
        second = _check_by(second_checker, cnf_file, proof, left, proof_format, cnf, in_place)
        if not second.unfinished:
            steps = (*check.steps, *second.steps)
            return second._replace(note=check.reason, steps=steps, measurement=total(steps))
    if chosen is BUILT_IN and proof_format in DRAT_TRIM.formats:
        check = check._replace(reason=f"{check.reason}; {DRAT_TRIM.title}, which is faster, is not installed")
    return check


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
            raise InputError(f"cannot be used to check proofs: {chosen.title} {fault}", source=str(executable))
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
            check = _check_by(checker, folder, proof, TEST_LIMITS, proof_format, cnf)
            if check.verified != right:
                return f"refuses a right proof ({check.reason})" if right else f"accepts {text!r}, which is no proof"
            if check.unfinished:
                return f"comes to no verdict ({check.reason})"
    return ""


def _check_by(
    checker: ProofChecker,
    cnf_file: Path,
    proof: Path,
    limits: Limits,
    proof_format: str,
    cnf: Cnf,
    in_place: bool = False,
) -> ProofCheck:
    """The verdict of the last step that ran, with all steps.

    If the checker is `strict`, a formula with an empty clause is replaced by `1` and `-1`, which is equivalent; and a proof that
    is refused is checked again with the formula as `plain_clauses`, if that differs.
    """
    steps = list(checker.formats[proof_format])
    if limits.memory is None:
        limits = replace(limits, memory=checker.memory)
    if reason := _no_file(proof) or _too_large(proof, proof_format):
        return ProofCheck(False, reason)
    check, done = ProofCheck(True, ""), list[StepRun]()
    with scratch_folder("proof") as work:
        formula = cnf_file if in_place else work / "formula.cnf"
        if checker.strict and _has_empty_clause(cnf):  # the formula needs no proof, but lrat-check requires one
            steps = [step for step in steps if step.reads == HINTED]
            (work / HINTED).write_bytes(CONTRADICTION)
            cnf, formula = Cnf(1, 2, array("i", (1, 0, -1, 0))), work / "formula.cnf"
        else:
            (work / steps[0].reads).symlink_to(proof.resolve())
        if formula != cnf_file:
            with formula.open("wb") as stream:
                write_dimacs(cnf, stream)
        for number, step in enumerate(steps):
            folder, source = work / f"step{number}", work / step.reads
            folder.mkdir()
            written = folder / "scratch" / step.writes
            check = run_step(step, formula, source, folder, time_left(limits, done), written)
            wrote = take_output(written, work / step.writes) if step.writes and check.verified else 0
            if step.writes and check.verified and not wrote:
                check = check._replace(
                    verified=False, reason=f"{step.title} wrote nothing{without_room(folder)}", unfinished=True
                )
            source.unlink()  # frees space for the next step
            assert check.measurement is not None
            done.append(StepRun(step.program(), step.program().locate(), check.measurement, wrote))
            if not check.verified:
                break
    if checker.strict and check.refused and (plain := plain_clauses(cnf)) is not cnf:
        again = _check_by(checker, cnf_file, proof, time_left(limits, done), proof_format, plain)
        return again._replace(steps=(*done, *again.steps), measurement=total((*done, *again.steps)))
    reason = check.reason
    if reason:
        reason = f"{step.title}: {reason}" if len(steps) > 1 and step.title not in reason else reason
        reason = printable(reason + without_room(proof.parent))
    check = check._replace(reason=reason, measurement=total(done), steps=tuple(done))
    return check._replace(by=checker.title, note=checker.note(proof_format)) if check.verified else check


def plain_clauses(cnf: Cnf) -> Cnf:
    """An equivalent formula with as many clauses in the same order, and without clauses with a repeated or negated literal.

    A tautology is replaced by a copy of another clause. A formula of tautologies alone does not change. A formula without such
    clauses is returned itself.
    """
    if not any(map(_repeats, cnf.clauses())):
        return cnf
    clauses = [list(dict.fromkeys(clause)) for clause in cnf.clauses()]
    ordinary = next((clause for clause in clauses if not _repeats(clause)), None)
    if ordinary is None:
        return cnf
    literals = array("i")
    for clause in clauses:
        literals.extend(ordinary if _repeats(clause) else clause)
        literals.append(0)
    return Cnf(cnf.num_variables, cnf.num_clauses, literals)


def _has_empty_clause(cnf: Cnf) -> bool:
    """Whether two numbers in a row are 0, or the first one is, by a search in bytes: a loop over the clauses is far slower."""
    size = cnf.literals.itemsize
    data = bytes(size) + cnf.literals.tobytes()
    start = data.find(bytes(2 * size))
    while start >= 0 and start % size:
        start = data.find(bytes(2 * size), start + 1)
    return start >= 0


def _repeats(clause: Sequence[int]) -> bool:
    """Whether a clause has a variable twice."""
    return len({*map(abs, clause)}) < len(clause)


def time_left(limits: Limits, done: Sequence[StepRun]) -> Limits:
    """The limits with the remaining time."""
    cpu, wall = sum(step.measurement.cpu for step in done), sum(step.measurement.wall for step in done)
    return replace(
        limits,
        cpu=None if limits.cpu is None else max(limits.cpu - cpu, LEAST),
        wall=None if limits.wall is None else max(limits.wall - wall, LEAST),
    )


def total(steps: Sequence[StepRun]) -> Measurement | None:
    """The outcome of the last step, with the total time and the largest memory of all steps; None if no step ran."""
    if not steps:
        return None
    measured = [step.measurement for step in steps]
    return measured[-1]._replace(
        cpu=sum(each.cpu for each in measured),
        wall=sum(each.wall for each in measured),
        memory=max(each.memory for each in measured),
        leftovers=sum(each.leftovers for each in measured),
    )


def megabytes_for(formula: Path, proof: Path, limits: Limits) -> int:
    """The heap of a checker that allocates it at its start: a multiple of the input. A larger heap is slower, because new pages
    cost more than garbage collection. A proof that comes through a pipe deletes clauses, so only the formula counts."""
    needed = 24 * formula.stat().st_size + 16 * proof.stat().st_size >> 20
    return max(LEAST_HEAP, min(needed, MOST_HEAP if limits.memory is None else (limits.memory >> 20) - BESIDE_HEAP))


def run_step(
    step: CheckStep, formula: Path, proof: Path, folder: Path, limits: Limits, written: Path | None = None
) -> ProofCheck:
    """The verdict of a step on a proof, which may be a pipe. `folder` is empty; `written` is the output file in its `scratch`."""
    program, scratch = step.program(), folder / "scratch"
    executable = program.locate()
    words = [word.replace("{written}", str(written)) for word in step.options]
    megabytes = megabytes_for(formula, proof, limits)
    environment = {name: value.replace("{megabytes}", str(megabytes)) for name, value in step.environment}
    with RunOutputs.create(folder) as outputs:
        measurement = run_process(
            program.command(executable, formula, proof=proof, options=words),
            stdout=folder / "stdout", stderr=folder / "stderr", limits=limits, written={scratch: limits.proof},
            env={**(python_environment() if program.module else os.environ), **environment},
            confinement=Confinement(scratch, reads=[formula, proof.resolve(), *program.files_read(executable)]),
        )  # fmt: skip
        check = verdict_of(step, content_of(outputs.stdout), content_of(outputs.stderr), measurement)
        if check.reason.endswith("no verdict"):
            check = check._replace(reason=check.reason + last_words(outputs.stderr))
    return check


def take_output(written: Path, name: Path) -> int:
    """Move the output of a program to `name`; returns its size, or 0 if it is not a regular file."""
    try:
        found = written.lstat()
    except OSError:
        return 0
    if not stat.S_ISREG(found.st_mode) or not found.st_size:
        return 0
    written.rename(name)
    return found.st_size


def verdict_of(step: CheckStep, output: bytes, complaints: bytes, measurement: Measurement) -> ProofCheck:
    """The verdict in the output of a step and in its error output (`complaints`).

    Only a whole line of the output is a verdict, because drat-trim can print parts of a proof's comments. The carriage return
    that drat-trim prints first is ignored. The exit code is not a verdict: it is 1 for some verified proofs. A step that crashed
    or printed no verdict has not verified the proof. `unfinished`: a limit ended the step, or it ran out of memory.
    """
    if measurement.ended not in (EXIT, SIGNAL, LAUNCH_FAILED):
        return ProofCheck(False, f"{step.title} was ended by {measurement.ended}", measurement, unfinished=True)
    verdict_lines = step.verdict_lines
    lines = _lines(verdict_lines, output)
    if len(lines) == MOST_LINES:
        return ProofCheck(False, f"{step.title} printed too many verdicts", measurement)
    verdicts = [line for line in lines if line.startswith(verdict_lines.verdicts)]
    if verdicts == [verdict_lines.verified] and measurement.ended == EXIT:
        return ProofCheck(True, "", measurement)
    lines += _lines(verdict_lines, complaints)
    gave_up = [line for line in lines if line.startswith(verdict_lines.gave_up)]
    refusals = [line for line in lines if line.startswith(verdict_lines.complaints)]
    if words := gave_up[-1:] or refusals[-1:] or [line for line in verdicts if line != verdict_lines.verified][-1:]:
        reason = words[0][:200].removeprefix(b"c ").decode("utf-8", "replace")
        return ProofCheck(False, reason, measurement, unfinished=bool(gave_up))
    how = f"was ended by {measurement.ended}" if measurement.ended != EXIT else f"ended with exit code {measurement.exit_code}"
    return ProofCheck(False, f"{step.title} {how} and printed no verdict", measurement)


def _lines(verdict_lines: VerdictLines, text: bytes) -> list[bytes]:
    """The lines that begin like verdicts and complaints of this program, at most MOST_LINES."""
    heads = sorted({*verdict_lines.verdicts, *verdict_lines.complaints, *verdict_lines.gave_up})
    found = re.finditer(rb"^\r?(?:" + b"|".join(map(re.escape, heads)) + rb")[^\n]*", text, re.MULTILINE)
    return [match[0].removeprefix(b"\r").rstrip() for match in itertools.islice(found, MOST_LINES)]


def _no_file(proof: Path) -> str | None:
    """The reason why `proof` cannot be read, or None. Only regular files are read: a pipe or device might not end."""
    try:
        mode = proof.stat().st_mode
    except OSError as error:
        return "no proof was written" if isinstance(error, FileNotFoundError) else f"the proof cannot be read: {error.strerror}"
    return None if stat.S_ISREG(mode) else "the proof is no file, but a pipe, a device or a folder"


PIECE = 1 << 20
"""Bytes of a proof that are searched for ten digits in a row at once; a regular expression takes thirty times as long."""
DIGITS = bytes(48) + b"1" * 10 + bytes(198)
TEN_DIGITS = b"1" * 10
LONG_NUMBER = regex(rb"^c[^\n]*|0*([1-9][0-9]{9,})", re.MULTILINE)
"""A comment, or a number of more than nine digits."""
LONG_BYTES = regex(rb"[\x80-\xff]{4}(?:[\x10-\x7f]|[\x80-\xff])")
"""A number of a binary proof that is 2^32 or more: five bytes with seven bits each, the lowest first."""


def _too_large(proof: Path, proof_format: str) -> str | None:
    """The reason why no checker gets this proof, or None: drat-trim and lrat-check truncate large numbers to 32 bits."""
    if not proof.stat().st_size:
        return None
    with proof.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if not proof_format.startswith("binary") and not any(
            TEN_DIGITS in data[start : start + PIECE + len(TEN_DIGITS)].translate(DIGITS) for start in range(0, len(data), PIECE)
        ):
            return None
        if proof_format.startswith("binary"):
            if found := LONG_BYTES.search(data):
                return f"the proof has a number of 2^31 or more, at byte {found.start()}"
            return None
        for found in LONG_NUMBER.finditer(data):
            if found[1] and (len(found[1]) > 10 or int(found[1]) >= 1 << 31):
                return f"the proof has a number of 2^31 or more, {found[1][:20].decode()}, at byte {found.start()}"
    return None
