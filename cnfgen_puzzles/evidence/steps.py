"""Runs the steps of a checker one after the other, until one refuses the proof or the last one has decided.

All steps together have the caller's limits of time, each has its limits of memory and of what it writes. Each is confined to the
formula, its input and a scratch folder of its own; what it wrote is taken from there as a file, or not at all, and gets a fixed
name. Which steps there are, and how they speak: `checkers`.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import stat
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import printable
from cnfgen_puzzles.evidence.checkers import HINTED, PACKED, CheckStep, Speech
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import RunOutputs, content_of, last_words, without_room
from cnfgen_puzzles.solving.confinement import Confinement, python_environment
from cnfgen_puzzles.solving.executables import checksum, is_executable
from cnfgen_puzzles.solving.process import Limits, Measurement, run_process
from cnfgen_puzzles.solving.supervision import EXIT
from cnfgen_puzzles.solving.table import Solver

MOST_LINES = 100_000
"""So many lines that are looked at are no verdict of a checker, whatever they say."""
LONGEST_SCRIPT = 1 << 12
NAMED = re.compile(rb"/[\w./+-]+")
"""A path in a script."""
CONTRADICTION = {HINTED: b"3 0 1 2 0\n", PACKED: b"a\x06\0\x02\x04\0"}
"""Proofs that `1` and `-1` contradict each other."""
LEAST = 0.001
"""Seconds that a step has where those before it have used up the time: then its run says so."""


@dataclass(frozen=True)
class StepRun:
    """A step that was run: what it used, and the bytes that it wrote for the next one."""

    program: Solver
    executable: Path
    measurement: Measurement
    wrote: int = 0
    version: str = ""
    """As it printed it; empty if it did not."""

    def identity(self) -> dict[str, Any]:
        """The program as records name it: version, checksum; for a script also the checksums of the programs that it names."""
        images = {str(image): checksum(image) for image in _images(self.executable)}
        version = self.version or self.program.version_line(self.executable)
        known = {"name": self.program.name, "version": version, "path": str(self.executable)}
        return {**known, "sha256": checksum(self.executable), **({"starts": images} if images else {})}


def _images(script: Path) -> list[Path]:
    """The programs that a short shell script names by their paths: a Lisp is started so, and the script itself says little."""
    text = script.read_bytes()[:LONGEST_SCRIPT] if script.stat().st_size < LONGEST_SCRIPT else b""
    if not text.startswith(b"#!") or b"sh" not in text.split(b"\n")[0]:
        return []
    named = (Path(os.fsdecode(word)) for word in NAMED.findall(text.partition(b"\n")[2]))
    return [path for path in dict.fromkeys(named) if is_executable(path)]


@dataclass(frozen=True)
class StepVerdict:
    """What the last step that ran said of the proof. One that only puts it into another form says `verified` if it has."""

    verified: bool
    reason: str = ""
    unfinished: bool = False


@dataclass(frozen=True)
class CarriedOut:
    verdict: StepVerdict
    steps: tuple[StepRun, ...] = ()

    @property
    def measurement(self) -> Measurement | None:
        """How the last step ended, with the time of all, and the most memory of one; None if none was run."""
        if not self.steps:
            return None
        measured = [step.measurement for step in self.steps]
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
    """Run the steps on a proof that `cnf` has no model, in the empty folder `work`; what the last one writes is left there.

    `strict` as `ProofChecker.strict`: the programs are given the formula as `plain_clauses`, and one with an empty clause as the
    formula `1` and `-1`, which is equivalent to it.
    """
    mended = strict and not _is_plain(cnf)
    empty = _empty_clause(cnf) if mended else None
    if empty is not None and steps[-1].writes:
        (work / HINTED).write_text(f"{cnf.num_clauses + 1} 0 {empty} 0\n", encoding="ascii")  # drat-trim writes nothing
        return CarriedOut(StepVerdict(True))
    if empty is not None:
        # needs no proof; but lrat-check wants one, and ACL2's checker takes empty clauses of a formula for deleted ones
        steps = [*itertools.dropwhile(lambda step: step.reads not in CONTRADICTION, steps)]
        (work / steps[0].reads).write_bytes(CONTRADICTION[steps[0].reads])
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
        verdict, ran = _run(step, work, folder, _left(limits, done))
        done.append(ran)
        if not verdict.verified:
            told = f"{step.told}: {verdict.reason}" if len(steps) > 1 and step.told not in verdict.reason else verdict.reason
            return CarriedOut(replace(verdict, reason=told), tuple(done))
    return CarriedOut(verdict, tuple(done))


def plain_clauses(cnf: Cnf) -> Cnf:
    """An equivalent formula with as many clauses in the same order, none of which has a literal twice or with its negation.

    A clause that is always true is replaced by a copy of another one. A formula of such clauses alone stays as it is.
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
    """Whether each clause has a literal and none twice or with its negation: looked at for every proof, so in a hurry."""
    variables, start = [*map(abs, cnf.literals)], 0
    for end in [place for place, variable in enumerate(variables) if not variable]:
        if not 0 < end - start == len({*variables[start:end]}):
            return False
        start = end + 1
    return True


def _always_true(clause: Sequence[int]) -> bool:
    """Of a clause without doubled literals."""
    return len({abs(literal) for literal in clause}) < len(clause)


def _empty_clause(cnf: Cnf) -> int | None:
    """The number of the first empty clause, None if there is none."""
    return next((number for number, clause in enumerate(cnf.clauses(), start=1) if not clause), None)


def _left(limits: Limits, done: Sequence[StepRun]) -> Limits:
    """What remains of the time."""
    cpu, wall = sum(step.measurement.cpu for step in done), sum(step.measurement.wall for step in done)
    return replace(
        limits,
        cpu=None if limits.cpu is None else max(limits.cpu - cpu, LEAST),
        wall=None if limits.wall is None else max(limits.wall - wall, LEAST),
    )


def _run(step: CheckStep, work: Path, folder: Path, limits: Limits) -> tuple[StepVerdict, StepRun]:
    """One step in its folder; what it writes is moved to `work`."""
    program = step.program()
    executable = program.locate()
    scratch, formula, given = folder / "scratch", work / "formula.cnf", work / step.reads
    scratch.mkdir()
    script = folder / "script"
    script.write_text(step.script, encoding="ascii")
    words = [word.replace("{written}", str(scratch / step.writes)) for word in step.options]
    for file in (formula, given):  # beside the folder that it runs in, where a script has them
        (folder / file.name).symlink_to(file)
    with RunOutputs.create(folder) as outputs:
        measurement = run_process(
            program.command(executable, formula, proof=None if step.script else given, options=words), stdin=script,
            stdout=folder / "stdout", stderr=folder / "stderr", limits=limits, written={scratch: limits.proof},
            env={**(python_environment() if program.module else os.environ), **dict(step.environment)},
            confinement=Confinement(scratch, reads=[formula, given.resolve(), *program.files_read(executable)]),
        )  # fmt: skip
        said = content_of(outputs.stdout)
        verdict = verdict_of(step, said, measurement)
        greeting = re.search(step.greeting, said) if step.greeting else None
        version = printable(greeting[1].decode("utf-8", "replace")) if greeting else ""
        if verdict.unfinished and measurement.ended == EXIT:
            verdict = replace(verdict, reason=verdict.reason + last_words(outputs.stderr))
    wrote = 0
    if step.writes and verdict.verified:
        wrote = _taken(scratch / step.writes, work / step.writes)
        if not wrote:
            verdict = StepVerdict(False, f"{step.told} wrote nothing{without_room(scratch)}", unfinished=True)
    given.unlink()  # the next step needs the room
    return verdict, StepRun(program, executable, measurement, wrote, version)


def _taken(written: Path, name: Path) -> int:
    """The size of the file that a program has written, which gets this name; 0 if it is none."""
    try:
        found = written.lstat()
    except OSError:
        return 0
    if not stat.S_ISREG(found.st_mode) or not found.st_size:
        return 0
    written.rename(name)
    return found.st_size


def verdict_of(step: CheckStep, said: bytes, measurement: Measurement) -> StepVerdict:
    """What the output of a step says.

    A line counts as a whole and from its beginning, past the carriage return that DRAT-trim puts first: it may print parts of a
    proof's comments, and these must not be able to speak for it. Its exit code says nothing (1 for some verified proofs).
    """
    if measurement.ended != EXIT:
        return StepVerdict(False, f"{step.told} was ended by {measurement.ended}", unfinished=True)
    speech = step.speech
    if speech is None:
        failed = f"{step.told} failed with exit code {measurement.exit_code}" if measurement.exit_code else ""
        return StepVerdict(not failed, failed, unfinished=bool(failed))
    spoken = _spoken(speech).finditer(said)
    lines = [match[0].removeprefix(b"\r").rstrip() for match in itertools.islice(spoken, MOST_LINES)]
    if len(lines) == MOST_LINES:
        return StepVerdict(False, "the checker said too much", unfinished=True)
    verdicts = [line for line in lines if line.startswith(speech.verdicts)]
    if verdicts == [speech.verified]:
        return StepVerdict(True)
    gave_up = [line for line in lines if line.startswith(speech.gave_up)]
    complaints = [line for line in lines if line.startswith(speech.complaints)]
    silence = f"{step.told} said nothing" + (f": {step.silence}" if step.silence else "")
    words = gave_up[-1:] or complaints[-1:] or verdicts[-1:] or [silence.encode()]
    reason = words[0][:200].removeprefix(b"c ").decode("utf-8", "replace")
    return StepVerdict(False, reason, unfinished=bool(gave_up) or not (complaints or verdicts))


@functools.lru_cache(maxsize=16)
def _spoken(speech: Speech) -> re.Pattern[bytes]:
    """The lines of an output that are looked at."""
    heads = sorted({*speech.verdicts, *speech.complaints, *speech.gave_up})
    return re.compile(rb"^\r?(?:" + b"|".join(map(re.escape, heads)) + rb")[^\n]*", re.MULTILINE)
