"""Runs the steps of a checker one after another, until one refuses the proof or the last one decides.

The caller's limits of time apply to all steps together; the limits of memory and output apply to each step. Each step is confined
to the formula, its input, and a separate scratch folder. Its output must be a regular file there. `checkers` defines the steps.
"""

from __future__ import annotations

import functools
import itertools
import operator
import os
import re
import stat
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.evidence.checkers import HINTED, CheckStep, VerdictLines
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import RunOutputs, content_of, last_words, without_room
from cnfgen_puzzles.solving.confinement import Confinement, python_environment
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.process import Limits, Measurement, run_process
from cnfgen_puzzles.solving.supervision import EXIT, LAUNCH_FAILED, SIGNAL
from cnfgen_puzzles.solving.table import Solver

MOST_LINES = 100_000
"""An output with this many lines that look like verdicts or complaints has no verdict."""
CONTRADICTION = b"3 0 1 2 0\n"
"""An LRAT proof of the contradiction between `1` and `-1`."""
LEAST_HEAP, MOST_HEAP = 256, 4096
"""The bounds of the heap, in MiB."""
BESIDE_HEAP = 256
"""The memory of a checker besides its heap, in MiB: a heap as large as the memory limit exceeds it before it is full."""
LEAST = 0.001
"""The time limit in seconds of a step if the steps before it have used up the time; its run then reports the limit."""


@dataclass(frozen=True)
class StepRun:
    """The run of a step: its resources, and the bytes that it wrote for the next step."""

    program: Solver
    executable: Path
    measurement: Measurement
    wrote: int = 0

    def identity(self) -> dict[str, Any]:
        """The program as in records: version, path, checksum."""
        path, version = self.executable, self.program.version_line(self.executable)
        return {"name": self.program.name, "version": version, "path": str(path), "sha256": checksum(path)}


@dataclass(frozen=True)
class StepVerdict:
    """The verdict of the last step that ran. A step that converts the proof has the verdict `verified` if it succeeded."""

    verified: bool
    reason: str = ""
    unfinished: bool = False


@dataclass(frozen=True)
class CarriedOut:
    verdict: StepVerdict
    steps: tuple[StepRun, ...] = ()


def total(steps: Sequence[StepRun]) -> Measurement | None:
    """The outcome of the last step, with the total time and the largest memory of all steps; None if no step ran."""
    if not steps:
        return None
    measured = [step.measurement for step in steps]
    return replace(
        measured[-1],
        cpu=sum(each.cpu for each in measured),
        wall=sum(each.wall for each in measured),
        memory=max(each.memory for each in measured),
        leftovers=sum(each.leftovers for each in measured),
    )


def carry_out(
    steps: Sequence[CheckStep], cnf: Cnf, proof: Path, limits: Limits, work: Path, *, strict: bool = False
) -> CarriedOut:
    """Run the steps on a proof that `cnf` has no model, in the empty folder `work`; the output of the last step remains there.

    If `strict` (`ProofChecker.strict`), the programs get the formula as `plain_clauses`. A formula with an empty clause is
    replaced by `1` and `-1`, which is equivalent.
    """
    mended = strict and not _is_plain(cnf)
    empty = _empty_clause(cnf) if mended else None
    if empty is not None and steps[-1].writes:
        (work / HINTED).write_text(f"{cnf.num_clauses + 1} 0 {empty} 0\n", encoding="ascii")  # drat-trim writes nothing
        return CarriedOut(StepVerdict(True))
    if empty is not None:
        # a formula with an empty clause needs no proof, but lrat-check requires one
        steps = [*itertools.dropwhile(lambda step: step.reads != HINTED, steps)]
        (work / HINTED).write_bytes(CONTRADICTION)
        cnf = Cnf(1, 2, array("i", (1, 0, -1, 0)))
    else:
        cnf = plain_clauses(cnf) if mended else cnf
        (work / steps[0].reads).symlink_to(proof.resolve())
    with (work / "formula.cnf").open("wb") as stream:
        write_dimacs(cnf, stream)
    verdict, done = StepVerdict(True), list[StepRun]()
    for number, step in enumerate(steps):
        folder = work / f"step{number}"
        folder.mkdir()
        verdict, ran = _run(step, work, folder, time_left(limits, done))
        done.append(ran)
        if not verdict.verified:
            message = f"{step.told}: {verdict.reason}" if len(steps) > 1 and step.told not in verdict.reason else verdict.reason
            return CarriedOut(replace(verdict, reason=message), tuple(done))
    return CarriedOut(verdict, tuple(done))


def plain_clauses(cnf: Cnf) -> Cnf:
    """An equivalent formula with as many clauses in the same order, and without clauses with a repeated or negated literal.

    A tautology is replaced by a copy of another clause. A formula of tautologies alone does not change.
    """
    clauses = [list(dict.fromkeys(clause)) for clause in cnf.clauses()]
    ordinary = next((clause for clause in clauses if not _always_true(clause)), None)
    if ordinary is None:
        return cnf
    literals = array("i")
    for clause in clauses:
        literals.extend(ordinary if _always_true(clause) else clause)
        literals.append(0)
    return Cnf(cnf.num_variables, cnf.num_clauses, literals)


def _is_plain(cnf: Cnf) -> bool:
    """Whether no clause is empty or has a literal twice or with its negation. Optimized, because it runs for every proof."""
    variables = [*map(abs, cnf.literals)]
    ends = bytes(map(operator.not_, variables))
    if not all(variables[:1]) or any(map(operator.eq, variables, variables[1:])):  # two ends, too
        return False
    equal = [place for place, same in enumerate(map(operator.eq, variables, variables[2:])) if same]
    if any(not ends[place] and not ends[place + 1] for place in equal):
        return False
    long = (variables[found.start() : found.end()] for found in re.finditer(rb"\0{4,}", ends))
    return all(len(clause) == len({*clause}) for clause in long)


def _always_true(clause: Sequence[int]) -> bool:
    """Whether a clause without repeated literals is a tautology."""
    return len({abs(literal) for literal in clause}) < len(clause)


def _empty_clause(cnf: Cnf) -> int | None:
    """The number of the first empty clause, or None."""
    return next((number for number, clause in enumerate(cnf.clauses(), start=1) if not clause), None)


def time_left(limits: Limits, done: Sequence[StepRun]) -> Limits:
    """The limits with the remaining time."""
    cpu, wall = sum(step.measurement.cpu for step in done), sum(step.measurement.wall for step in done)
    return replace(
        limits,
        cpu=None if limits.cpu is None else max(limits.cpu - cpu, LEAST),
        wall=None if limits.wall is None else max(limits.wall - wall, LEAST),
    )


def _run(step: CheckStep, work: Path, folder: Path, limits: Limits) -> tuple[StepVerdict, StepRun]:
    """Run one step in its folder, and move its output to `work`."""
    given, written = work / step.reads, folder / "scratch" / step.writes
    verdict, measurement = run_step(step, work / "formula.cnf", given, folder, limits, written)
    wrote = 0
    if step.writes and verdict.verified:
        wrote = _taken(written, work / step.writes)
        if not wrote:
            verdict = StepVerdict(False, f"{step.told} wrote nothing{without_room(folder)}", unfinished=True)
    given.unlink()  # frees space for the next step
    return verdict, StepRun(step.program(), step.program().locate(), measurement, wrote)


def megabytes_for(formula: Path, proof: Path, limits: Limits) -> int:
    """The heap of a checker that allocates it at its start: a multiple of the input. A larger heap is slower, because new pages
    cost more than garbage collection. A proof that comes through a pipe deletes clauses, so only the formula counts."""
    needed = 64 * formula.stat().st_size + 128 * proof.stat().st_size >> 20
    return max(LEAST_HEAP, min(needed, MOST_HEAP if limits.memory is None else (limits.memory >> 20) - BESIDE_HEAP))


def run_step(
    step: CheckStep, formula: Path, proof: Path, folder: Path, limits: Limits, written: Path | None = None
) -> tuple[StepVerdict, Measurement]:
    """The verdict of a step on a proof, which may be a pipe. `folder` is empty; `written` is the output file in its `scratch`."""
    program, scratch = step.program(), folder / "scratch"
    executable = program.locate()
    scratch.mkdir()
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
        said = content_of(outputs.stdout)
        verdict = verdict_of(step, said, content_of(outputs.stderr), measurement)
        if verdict.reason.endswith("no verdict"):
            verdict = replace(verdict, reason=verdict.reason + last_words(outputs.stderr))
    return verdict, measurement


def _taken(written: Path, name: Path) -> int:
    """Move the output of a program to `name`; returns its size, or 0 if it is not a regular file."""
    try:
        found = written.lstat()
    except OSError:
        return 0
    if not stat.S_ISREG(found.st_mode) or not found.st_size:
        return 0
    written.rename(name)
    return found.st_size


def verdict_of(step: CheckStep, said: bytes, complaints: bytes, measurement: Measurement) -> StepVerdict:
    """The verdict in the output of a step (`said`) and in its error output (`complaints`).

    Only a whole line of the output is a verdict, because drat-trim can print parts of a proof's comments. The carriage return
    that drat-trim prints first is ignored. The exit code is not a verdict: it is 1 for some verified proofs. A step that crashed
    or printed no verdict has not verified the proof. `unfinished`: a limit ended the step, or it ran out of memory.
    """
    if measurement.ended not in (EXIT, SIGNAL, LAUNCH_FAILED):
        return StepVerdict(False, f"{step.told} was ended by {measurement.ended}", unfinished=True)
    verdict_lines = step.verdict_lines
    lines = _lines(verdict_lines, said)
    if len(lines) == MOST_LINES:
        return StepVerdict(False, f"{step.told} printed too many verdicts")
    verdicts = [line for line in lines if line.startswith(verdict_lines.verdicts)]
    if verdicts == [verdict_lines.verified] and measurement.ended == EXIT:
        return StepVerdict(True)
    lines += _lines(verdict_lines, complaints)
    gave_up = [line for line in lines if line.startswith(verdict_lines.gave_up)]
    refusals = [line for line in lines if line.startswith(verdict_lines.complaints)]
    if words := gave_up[-1:] or refusals[-1:] or [line for line in verdicts if line != verdict_lines.verified][-1:]:
        return StepVerdict(False, words[0][:200].removeprefix(b"c ").decode("utf-8", "replace"), unfinished=bool(gave_up))
    how = f"was ended by {measurement.ended}" if measurement.ended != EXIT else f"ended with exit code {measurement.exit_code}"
    return StepVerdict(False, f"{step.told} {how} and printed no verdict")


def _lines(verdict_lines: VerdictLines, text: bytes) -> list[bytes]:
    """The lines that begin like verdicts and complaints of this program, at most MOST_LINES."""
    return [
        match[0].removeprefix(b"\r").rstrip() for match in itertools.islice(_spoken(verdict_lines).finditer(text), MOST_LINES)
    ]


@functools.lru_cache(maxsize=16)
def _spoken(verdict_lines: VerdictLines) -> re.Pattern[bytes]:
    """The pattern of verdicts and complaints."""
    heads = sorted({*verdict_lines.verdicts, *verdict_lines.complaints, *verdict_lines.gave_up})
    return re.compile(rb"^\r?(?:" + b"|".join(map(re.escape, heads)) + rb")[^\n]*", re.MULTILINE)
