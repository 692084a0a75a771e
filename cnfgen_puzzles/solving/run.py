"""One solver on one formula: call it under limits, read what it says, and believe only what holds.

The status of a run is one of the constants below. A model is checked against every clause of the formula; a verdict must agree
with the exit code. Whatever fails that is WRONG or ERROR, with a reason and with the solver's output kept.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.printable import printable
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNKNOWN, UNSATISFIABLE, Answer, read_answer
from cnfgen_puzzles.solving.executables import UNKNOWN_VERSION, checksum
from cnfgen_puzzles.solving.process import Limits, Measurement
from cnfgen_puzzles.solving.solveroutput import (
    Outputs,
    content_of,
    excerpt,
    last_words,
    said_besides_the_model,
    statistics_in,
    without_room,
)
from cnfgen_puzzles.solving.table import Solver
from cnfgen_puzzles.solving.workplace import Guarded, Workplace

TIMEOUT = "TIMEOUT"
"""Ended by the CPU time or wall time limit."""
MEMOUT = "MEMOUT"
"""Ended by the memory limit."""
WRONG = "WRONG"
"""The solver gave a model that does not satisfy the formula."""
ERROR = "ERROR"
"""The solver crashed, printed rubbish, contradicted itself or could not be started."""

INTEGRITY_CHECK = "integrity check"
"""The confinement of a run where Landlock did not hold it."""

FAILED = (WRONG, ERROR)
STATUSES = (SATISFIABLE, UNSATISFIABLE, UNKNOWN, TIMEOUT, MEMOUT, WRONG, ERROR)

BY_LIMIT = {
    process.CPU_LIMIT: (TIMEOUT, "CPU time limit"),
    process.WALL_LIMIT: (TIMEOUT, "wall time limit"),
    process.MEMORY_LIMIT: (MEMOUT, "memory limit"),
    process.OUTPUT_LIMIT: (ERROR, "more output than the limit"),
    process.INTERRUPTED: (UNKNOWN, "ended from outside"),
}

COMMENTS = 1 << 20
"""Bytes of comments that are kept of a solver's output."""


@dataclass(frozen=True)
class Run:
    """What came of one call. `model` is there only if it was checked; `kept` is a folder with the output of a failed run."""

    solver: Solver
    executable: Path
    binary_sha256: str
    command: tuple[str, ...]
    limits: Limits
    seed: int | None
    status: str
    reason: str
    measurement: Measurement
    model: tuple[int, ...] | None = None
    comments: tuple[str, ...] = ()
    kept: Path | None = None
    statistics: Mapping[str, int] = field(default_factory=dict)
    """Conflicts, decisions and so on, as far as the solver printed them."""
    excerpt: str = ""
    """What it printed besides the model; beginning and end where that is much."""

    def __repr__(self) -> str:
        used = f"cpu {self.measurement.cpu:.3f} s, wall {self.measurement.wall:.3f} s"
        return showing.in_brackets("Run", f"{self.solver.name}: {self.status}", self.reason, used)

    def _repr_html_(self) -> str:
        used = self.measurement
        rows = [
            ("solver", f"{self.solver.name} {self.version}"),
            ("status", f"{self.status}{f': {self.reason}' if self.reason else ''}"),
            ("CPU time", f"{used.cpu:.3f} s"),
            ("wall time", f"{used.wall:.3f} s"),
            ("peak memory", f"{used.memory / 2**20:.1f} MiB"),
            *((name, str(count)) for name, count in self.statistics.items()),
            ("command", shlex.join(self.command)),
        ]
        return showing.table((), rows, words=2)

    @property
    def version(self) -> str:
        """What the program says its version is, asked when that is wanted; `unknown` where it cannot say it (the run itself shows
        what is wrong with it then), or is not there any more as it was."""
        try:
            same = checksum(self.executable) == self.binary_sha256
            return self.solver.version_line(self.executable) if same else UNKNOWN_VERSION
        except (CnfgenError, OSError):
            return UNKNOWN_VERSION

    @property
    def confinement(self) -> str:
        """What kept it to its own files: the kernel's Landlock, or that these were looked at afterwards."""
        return self.measurement.confinement or INTEGRITY_CHECK

    @property
    def decided(self) -> bool:
        return self.status in DECIDED


def run_solver(
    solver: Solver,
    cnf_file: Path,
    *,
    cnf: Cnf | None = None,
    limits: Limits | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    threads: int | None = None,
    options: Sequence[str] = (),
    cores: Collection[int] | None = None,
    keep: Path | None = None,
    statistics: bool = False,
    guarded: Sequence[Guarded] = (),
) -> Run:
    """Run `solver` on a DIMACS file (plain, gz or xz), confined to its own files (docs/confinement.md).

    `cnf` is the file's formula where the caller has it already; else the file is read, and an InputError tells what is wrong
    with it before any solver sees it. `proof` is where the solver writes a DRAT proof. The output of a run that ends WRONG or
    ERROR is kept in a new folder below `keep` (default: the system's folder for temporary files). With `statistics` the solver is
    asked to print what it counts; without, it is as quiet as it can be. `guarded` are files that must be the same after the run,
    besides the formula and the programs of solvers; where one is not, the run is an ERROR whatever it says.
    """
    executable = solver.locate()
    binary = checksum(executable)
    limits = limits or Limits()
    with scratch_folder("run") as work, Outputs(work) as outputs:
        cnf, readable = _prepare(solver, cnf_file, cnf, work)
        # asked before there is a place for its outputs: what the solver cannot take must leave the user's files alone
        solver.command(executable, readable, seed=seed, proof=proof, model=work / "model", threads=threads, options=options)
        place = Workplace(solver, executable, work, cnf_file, readable, cnf, proof, guarded)
        command = solver.command(
            executable, place.cnf_file, seed=seed, proof=place.proof_path, model=work / "model", threads=threads,
            options=options, statistics=statistics,
        )  # fmt: skip
        written = {work / "model": limits.output, place.scratch: limits.proof}
        written |= {place.proof_path: limits.proof} if place.proof_path else {}
        with doing(f"{solver.name} is solving"):
            measurement = place.run(command, limits, cores, written)
        faults = place.faults(measurement)
        status, reason, answer = (ERROR, faults, Answer()) if faults else _judge(solver, cnf, measurement, outputs)
        reason += place.hint(measurement) if status == ERROR else ""
        kept = None
        if status in FAILED:
            reason += without_room(work, *([proof.parent] if proof else []))
            kept, unkept = _keep(outputs, keep, limits.output)
            reason += unkept
        said = said_besides_the_model(outputs.stdout)
    model = answer.model if status == SATISFIABLE else None
    return Run(
        solver, executable, binary, tuple(command), limits, seed, status, printable(reason), measurement, model, answer.comments,
        kept, statistics_in(said, solver.statistics), excerpt(said),
    )  # fmt: skip


def _prepare(solver: Solver, cnf_file: Path, cnf: Cnf | None, work: Path) -> tuple[Cnf, Path]:
    """The formula and a file of it that this solver reads: the user's own file wherever possible."""
    strict = True
    if cnf is None:
        file = read_dimacs(open_source(cnf_file))
        cnf, strict = file.cnf, file.strict
    if solver.needs_clause and not cnf.num_clauses:
        return cnf, _write(_with_a_clause(cnf), work)
    # /dev/stdin is another file for the solver, and a pipe is empty by now
    own = cnf_file.is_file() and not str(cnf_file.absolute()).startswith(("/dev/", "/proc/"))
    return cnf, cnf_file if strict and own else _write(cnf, work)


def _with_a_clause(cnf: Cnf) -> Cnf:
    """The empty formula plus a fresh variable that is true: satisfiable as before, for solvers that need a clause."""
    padded = Cnf(cnf.num_variables + 1, 1)
    padded.literals.extend((padded.num_variables, 0))
    return padded


def _write(cnf: Cnf, work: Path) -> Path:
    path = work / "input.cnf"
    with path.open("wb") as stream:
        write_dimacs(cnf, stream)
    return path


def _judge(solver: Solver, cnf: Cnf, measurement: Measurement, outputs: Outputs) -> tuple[str, str, Answer]:
    """The status of the run, the reason where it is no verdict, and what the solver said."""
    if measurement.ended in BY_LIMIT:
        status, reason = BY_LIMIT[measurement.ended]
        return status, f"{reason}: {measurement.detail}" if measurement.detail else reason, Answer()
    if measurement.ended == process.SUPERVISOR_LOST:
        return ERROR, measurement.detail, Answer()
    if measurement.ended == process.LAUNCH_FAILED:
        return ERROR, f"could not be started: {measurement.detail}", Answer()
    if measurement.ended != process.EXIT:
        return ERROR, f"ended by signal {measurement.signal}", Answer()
    codes = {SATISFIABLE: solver.exit_codes.sat, UNSATISFIABLE: solver.exit_codes.unsat, UNKNOWN: solver.exit_codes.unknown}
    by_code = [verdict for verdict, listed in codes.items() if measurement.exit_code in listed]
    if not by_code:
        return ERROR, f"exit code {measurement.exit_code}{last_words(outputs.stderr, outputs.stdout)}", Answer()
    try:
        answer = _read_output(solver, cnf, outputs)
    except InputError as error:
        return ERROR, error.message, Answer()
    said = answer.verdict or UNKNOWN
    if said not in by_code:
        return (
            ERROR,
            f"says {answer.verdict or 'nothing'}, exits with {measurement.exit_code}{last_words(outputs.stderr, outputs.stdout)}",
            answer,
        )
    if said != SATISFIABLE:
        return said, "gave up" if said == UNKNOWN else "", answer
    return _judge_model(cnf, answer)


def _judge_model(cnf: Cnf, answer: Answer) -> tuple[str, str, Answer]:
    if answer.model is None and cnf.num_variables:
        return ERROR, "says SATISFIABLE, gives no model", answer
    model = tuple(literal for literal in answer.model or () if abs(literal) <= cnf.num_variables)
    broken = cnf.falsified_clause(model)
    if broken is not None:
        return WRONG, f"the model falsifies clause {broken}", answer
    return SATISFIABLE, "", Answer(SATISFIABLE, model, answer.comments)


def _read_output(solver: Solver, cnf: Cnf, outputs: Outputs) -> Answer:
    """The answer from where this solver puts it; its model names no variable that the solver was not given."""
    variables = cnf.num_variables + (solver.needs_clause and not cnf.num_clauses)  # with the one of _with_a_clause
    printed = read_answer(Source("stdout", content_of(outputs.stdout)), variables=variables, comments=COMMENTS)
    if solver.model_from != "file" or printed.verdict != SATISFIABLE:
        return printed
    written = content_of(outputs.model)
    if not written:
        raise InputError("says SATISFIABLE, writes no model into its file")
    return read_answer(Source("model file", written), variables=variables, comments=COMMENTS)


def _keep(outputs: Outputs, keep: Path | None, most: int) -> tuple[Path | None, str]:
    """A new folder with the outputs; None where it cannot be made, and why."""
    try:
        kept = Path(tempfile.mkdtemp(prefix="cnfgen-kept-", dir=keep))
        outputs.copy_to(kept, most)
    except OSError as error:
        return None, f"; its output cannot be kept: {error.strerror}"
    return kept, ""
