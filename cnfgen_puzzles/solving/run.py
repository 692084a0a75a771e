"""Runs one solver on one formula under limits, reads its answer, and checks it.

The status of a run is one of the constants below. A model is checked against every clause of the formula, and a verdict must
agree with the exit code. Otherwise the status is WRONG or ERROR, with a reason, and the output of the solver is kept. `record_of`
gives a JSON object with everything that is needed to check and repeat a run.
"""

from __future__ import annotations

import datetime
import functools
import os
import platform
import shlex
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.solving.answers import (
    DECIDED,
    RELAXED,
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    RunOutputs,
    SolverAnswer,
    content_of,
    excerpt,
    last_lines,
    last_words,
    output_without_model,
    read_answer,
    statistics_in,
    without_room,
)
from cnfgen_puzzles.solving.confinement import CONFINEMENT, Confinement, OutputFile, is_enforced
from cnfgen_puzzles.solving.executables import UNKNOWN_VERSION, checksum
from cnfgen_puzzles.solving.process import LIMITS, Limits, Measurement, run_process
from cnfgen_puzzles.solving.supervision import (
    CPU_LIMIT,
    EXIT,
    INTERRUPTED,
    LAUNCH_FAILED,
    MEMORY_LIMIT,
    OUTPUT_LIMIT,
    SUPERVISOR_LOST,
    WALL_LIMIT,
)  # fmt: skip
from cnfgen_puzzles.solving.table import BY_PATH, Solver

TIMEOUT = "TIMEOUT"
"""The run exceeded its CPU time or wall time limit."""
MEMOUT = "MEMOUT"
"""The run exceeded its memory limit."""
WRONG = "WRONG"
"""The solver gave a model that does not satisfy the formula."""
ERROR = "ERROR"
"""The solver crashed, printed invalid output, contradicted itself, or could not be started."""

PRIVATE_COPY = "private copy"
"""The confinement of a run without Landlock: the solver gets a copy of the formula."""

FAILED = (WRONG, ERROR)
STATUSES = (SATISFIABLE, UNSATISFIABLE, UNKNOWN, TIMEOUT, MEMOUT, WRONG, ERROR)

BY_LIMIT = {CPU_LIMIT: TIMEOUT, WALL_LIMIT: TIMEOUT, MEMORY_LIMIT: MEMOUT, OUTPUT_LIMIT: ERROR, INTERRUPTED: UNKNOWN}
"""The status of a run that was ended from outside."""

SHOWN_ERRORS = 3
"""Lines of the standard error of a run without a verdict that are kept."""


@dataclass(frozen=True, eq=False)
class Run:
    """The result of one call. `model` is set only if it was checked; `kept` is a folder with the output of a failed run."""

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
    kept: Path | None = None
    statistics: Mapping[str, int] = field(default_factory=dict)
    """Conflicts, decisions, and other counters that the solver printed."""
    excerpt: str = ""
    """Its output without the model; beginning and end of a long output."""
    stderr: tuple[str, ...] = ()
    """The last lines of its standard error, if it gave no verdict."""

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
        """The version that the program reports, on demand; `unknown` if it reports none, was changed, or was removed."""
        try:
            same = checksum(self.executable) == self.binary_sha256
            return self.solver.version_line(self.executable) if same else UNKNOWN_VERSION
        except (CnfgenError, OSError):
            return UNKNOWN_VERSION

    @property
    def confinement(self) -> str:
        """How it was confined to its files: by Landlock in the kernel, or else only by a private copy of the formula."""
        return self.measurement.confinement or PRIVATE_COPY

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
) -> Run:
    """Run `solver` on a DIMACS file (plain or compressed), confined to its own files (docs/explanation/confinement.md).

    `cnf` is the formula of the file if the caller has it; otherwise the file is read, and an InputError is raised before the
    solver starts if it is invalid. `proof` is the file for a DRAT proof. The output of a run with status WRONG or ERROR is kept
    in a new folder below `keep` (default: the system's folder for temporary files). With `statistics`, the solver prints its
    counters; without, it prints as little as possible.
    """
    executable = solver.locate()
    binary = checksum(executable)
    limits = limits or Limits()
    with scratch_folder("run") as work, RunOutputs.create(work) as outputs:
        cnf, readable = _prepare(solver, cnf_file, cnf, work)
        copy = digest_of_file(readable) if readable.parent == work else None
        scratch = work / "scratch"
        # before the file for the proof is made: an option that the solver does not have must not change the user's files
        command = solver.command(
            executable, readable, seed=seed, model=work / "model", threads=threads, options=options, statistics=statistics,
            proof=proof and proof.resolve(),
        )  # fmt: skip
        for other in (cnf_file, executable) if proof else ():
            if proof and proof.exists() and other.exists() and proof.samefile(other):
                raise InputError(f"found {other} as the file for the proof, expected neither the formula nor a program")
        proof_file = OutputFile(proof) if proof else None
        written = {work / "model": limits.output, scratch: limits.proof}
        written |= {proof_file.path: limits.proof} if proof_file else {}
        with doing(f"{solver.name} is solving"):
            measurement = run_process(
                command, stdout=work / "stdout", stderr=work / "stderr", limits=limits, cores=cores, written=written,
                env={**os.environ, **dict(solver.environment)},
                confinement=Confinement(
                    scratch, reads=[readable.resolve(), *solver.files_read(executable)],
                    writes=[path for path in written if path != scratch],
                ),
            )  # fmt: skip
        fault = proof_file.fault() if proof_file else ""
        if not fault and copy is not None and (not readable.is_file() or digest_of_file(readable) != copy):
            fault = "the solver changed its copy of the formula"
        status, reason, answer = (ERROR, fault, SolverAnswer()) if fault else _judge(solver, cnf, measurement, outputs)
        reason += _hint(measurement, outputs.stderr) if status == ERROR else ""
        kept = None
        if status in FAILED:
            reason += without_room(work, *([proof.parent] if proof else []))
            try:
                kept = Path(tempfile.mkdtemp(prefix="cnfgen-kept-", dir=keep))
                outputs.copy_to(kept)
            except OSError as error:
                kept, reason = None, f"{reason}; its output cannot be kept: {error.strerror}"
        output = output_without_model(outputs.stdout)
        errors = () if status in DECIDED else last_lines(outputs.stderr, SHOWN_ERRORS)
    model = answer.model if status == SATISFIABLE else None
    return Run(
        solver, executable, binary, tuple(command), limits, seed, status, printable(reason), measurement, model,
        kept, statistics_in(output, solver.statistics), excerpt(output), errors,
    )  # fmt: skip


def _prepare(solver: Solver, cnf_file: Path, cnf: Cnf | None, work: Path) -> tuple[Cnf, Path]:
    """The formula and a file of it for this solver: the user's file if possible."""
    strict = True
    if cnf is None:
        file = read_dimacs(open_source(cnf_file))
        cnf, strict = file.cnf, file.strict
    own = cnf_file.is_file() and not str(cnf_file.absolute()).startswith(("/dev/", "/proc/"))
    if solver.needs_clause and not cnf.num_clauses:  # add a new variable that is true: satisfiable as before
        written = Cnf(cnf.num_variables + 1, 1)
        written.literals.extend((written.num_variables, 0))
    elif strict and own and is_enforced():
        return cnf, cnf_file.absolute()
    else:  # /dev/stdin is another file for the solver, and a pipe is empty by now; without Landlock, it gets a copy
        written = cnf
    path = work / "input.cnf"
    with path.open("wb") as stream:
        write_dimacs(written, stream)
    return cnf, path


def _judge(solver: Solver, cnf: Cnf, measurement: Measurement, outputs: RunOutputs) -> tuple[str, str, SolverAnswer]:
    """The status of the run, the reason if it is not a verdict (otherwise accepted deviations), and the answer of the solver."""
    if measurement.ended in BY_LIMIT:
        reason = LIMITS.get(measurement.ended, "ended from outside")
        return BY_LIMIT[measurement.ended], f"{reason}: {measurement.detail}" if measurement.detail else reason, SolverAnswer()
    if measurement.ended == SUPERVISOR_LOST:
        return ERROR, measurement.detail, SolverAnswer()
    if measurement.ended == LAUNCH_FAILED:
        return ERROR, f"could not be started: {measurement.detail}", SolverAnswer()
    if measurement.ended != EXIT:
        return ERROR, f"ended by signal {measurement.signal}", SolverAnswer()
    codes = {SATISFIABLE: solver.sat_codes, UNSATISFIABLE: solver.unsat_codes, UNKNOWN: solver.unknown_codes}
    by_code = [verdict for verdict, listed in codes.items() if measurement.exit_code in listed]
    if not by_code:
        return ERROR, f"exit code {measurement.exit_code}{last_words(outputs.stderr, outputs.stdout)}", SolverAnswer()
    variables = cnf.num_variables + (solver.needs_clause and not cnf.num_clauses)  # with the variable of _prepare
    try:
        read = functools.partial(read_answer, variables=variables, comments=0, relaxed=solver.relaxed)
        answer = read(Source("stdout", content_of(outputs.stdout)))
        if solver.model_from == "file" and answer.verdict == SATISFIABLE:
            if not (written := content_of(outputs.model)):
                raise InputError("answer SATISFIABLE, but its model file is empty")
            answer = read(Source("model file", written))
    except InputError as error:
        return ERROR, error.message, SolverAnswer()
    verdict = answer.verdict or UNKNOWN
    if answer.verdict is None and UNKNOWN in by_code and _no_solver_output(solver, output_without_model(outputs.stdout)):
        return ERROR, f"{NO_ANSWER}{last_words(outputs.stdout, outputs.stderr)}", SolverAnswer()
    if verdict not in by_code and not (solver.relaxed and verdict == SATISFIABLE and measurement.exit_code == 0):
        last = last_words(outputs.stderr, outputs.stdout)
        fix = f"; {RELAXED}" if verdict == SATISFIABLE and measurement.exit_code == 0 else ""
        return ERROR, f"answer {answer.verdict or 'missing'}, but exit code {measurement.exit_code}{last}{fix}", answer
    if verdict != SATISFIABLE:
        return verdict, "gave up" if verdict == UNKNOWN else "", answer
    if answer.model is None and cnf.num_variables:
        return ERROR, "answer SATISFIABLE, but no model", answer
    model = answer.model or ()
    if variables > cnf.num_variables:
        model = tuple(literal for literal in model if abs(literal) <= cnf.num_variables)
    broken = cnf.falsified_clause(model)
    if broken is not None:
        return WRONG, f"the model falsifies clause {broken}", answer
    deviations = [] if verdict in by_code else [f"exit code {measurement.exit_code} with a model"]
    deviations += [] if answer.ended else ["no 0 at the end of the model"]
    return SATISFIABLE, ", ".join(deviations), SolverAnswer(SATISFIABLE, model)


NO_ANSWER = "its output is not an answer: found no line `s SATISFIABLE`, `s UNSATISFIABLE`, or `s UNKNOWN`"


def _no_solver_output(solver: Solver, printed: bytes) -> bool:
    """Whether output without a verdict is not that of a SAT solver that gave up.

    A program that is named by its path must print comments, or be declared, and must print nothing but comments.
    """
    lines = [line.split() for line in printed.splitlines() if line.strip()]
    return bool(solver.executable) and (any(words[0] != b"c" for words in lines) or (not lines and solver.source == BY_PATH))


DENIED = (b"ermission denied", b"PermissionError", b"EACCES", b"peration not permitted")
"""Error messages of programs without access to a file."""
SEARCHED = 1 << 16
"""Bytes at the end of stderr that are searched for such messages."""


def _hint(measurement: Measurement, stderr: BinaryIO) -> str:
    """Advice for a failed run that may have needed other files."""
    stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - SEARCHED))
    printed = stderr.read() + measurement.detail.encode()
    if not is_enforced() or not any(words in printed for words in DENIED):
        return ""
    how = f"list them under `reads` in its declaration, or set {CONFINEMENT}=no"
    return f"; the solver was confined: if it needs other files, {how}"


# -- records ----------------------------------------------------------------------------------------------------------------


def record_of(
    run: Run,
    cnf: Cnf | Mapping[str, Any],
    *,
    proof: Mapping[str, Any] | None = None,
    evidence: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The run as a JSON object: solver, formula, limits, result, and resource use, with times in seconds and memory in bytes.

    `cnf` is the formula, or its identity if the caller has it. `evidence` is that of the verdict, as `evidence.evidence`
    writes it, and `proof` that of a checker (`ProofCheck.to_json`). `bench/record.py` defines the
    names: this is the part of a benchmark record that every run of a solver has.
    """
    measured = run.measurement
    entry = {
        "solver": run.solver.name,
        "version": run.version,
        "binary_sha256": run.binary_sha256,
        "command": shlex.join([*(f"{name}={value}" for name, value in run.solver.environment), *run.command]),
        "environment": dict(run.solver.environment),
        "seed": run.seed,
        "cnf": identity(cnf) if isinstance(cnf, Cnf) else dict(cnf),
        "status": run.status,
        "reason": run.reason,
        "verified": run.status == SATISFIABLE or (proof is not None and proof["verified"]),
        "evidence": None if evidence is None else dict(evidence),
        "exit_code": measured.exit_code,
        "signal": measured.signal,
        "ended": measured.ended,
        "cpu": round(measured.cpu, 4),
        "wall": round(measured.wall, 4),
        "memory": measured.memory,
        "memory_method": measured.memory_method,
        "leftovers": measured.leftovers,
        "confinement": run.confinement,
        "statistics": dict(run.statistics),
        "kept": str(run.kept) if run.kept else None,
        **circumstances(run.limits),
    }
    if proof is not None:
        entry["proof"] = dict(proof)
    return entry


def side_by_side(cpu: float, others: Sequence[tuple[Run, Cnf]], alarms: Sequence[str]) -> dict[str, Any]:
    """The part of a record or an answer about a portfolio; empty for one solver.

    CPU seconds of all solvers, the runs that were not used, with their formulas, and alarms about these.
    """
    if not others:
        return {}
    return {"side_by_side": {"cpu": round(cpu, 4), "others": [record_of(*other) for other in others], "alarms": list(alarms)}}


def circumstances(limits: Limits) -> dict[str, Any]:
    """The circumstances of a run: limits, machine, date, version of this package."""
    return {
        "limits": {"cpu": limits.cpu, "wall": limits.wall, "memory": limits.memory},
        "machine": machine(),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "cnfgen_puzzles": __version__,
    }


@functools.cache
def machine() -> dict[str, Any]:
    """The properties of this machine that measurements depend on."""
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "cpu": _cpu_model(),
        "cores": len(usable_cores()),
        "memory": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "python": platform.python_version(),
    }


def _cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    except FileNotFoundError:  # not Linux
        return platform.processor() or platform.machine()


def summary_of(run: Run) -> Iterator[str]:
    """Printable comment lines: solver, status with its reason, and measurements."""
    yield printable(f"{run.solver.name} {run.version}: {run.status}{f' ({run.reason})' if run.reason else ''}")
    yield usage_of(run)
    if run.measurement.leftovers:
        yield f"{run.measurement.leftovers} processes still ran after the solver ended and were killed"


def usage_of(run: Run) -> str:
    measured = run.measurement
    return f"cpu {measured.cpu:.3f} s, wall {measured.wall:.3f} s, memory {measured.memory / 2**20:.1f} MiB"
