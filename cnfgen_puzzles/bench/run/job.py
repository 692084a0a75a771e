"""One run of a benchmark, as a job that can be sent to another process or machine: a `BenchJob` goes in, its record comes out.

A worker does all that belongs to a run: it calls the solver, checks the model against the formula and the board against the
rules, has the proof checked. It decides nothing about other runs and writes nothing but outputs of failed runs.
"""

from __future__ import annotations

import functools
import re
import socket
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from cnfgen_puzzles.bench.record import VERSION, Record, written
from cnfgen_puzzles.bench.run.formulacache import Formulas, Prepared
from cnfgen_puzzles.bench.run.machine import Conditions
from cnfgen_puzzles.bench.suite.plan import SolverChoice, Suite, Task, proof_limits
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.evidence.basis import evidence_json
from cnfgen_puzzles.evidence.proofs import certified, check_proof
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.confinement import is_enforced
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.run import ERROR, WRONG, Run, circumstances, record_of, run_solver
from cnfgen_puzzles.solving.supervision import INTERRUPTED
from cnfgen_puzzles.solving.table import Solver
from cnfgen_puzzles.solving.workplace import Guarded

MOST_PROOF_KEPT = 4 << 20
"""Bytes of a refused proof that are kept."""
SCRATCH = re.compile(re.escape(tempfile.gettempdir()) + r"/cnfgen-(?:run|job)-[^/\s']+/")
"""Folders of a run that are gone after it, in its command line."""


class RunInterrupted(CnfgenError):
    """The run was ended by us: there is nothing to record."""


@dataclass(frozen=True)
class BenchJob:
    """All that a worker must know: `suite` comes without its tasks.

    `cores` is None where the worker finds free ones itself. `binary` is the checksum that the solver's program must have, None
    for whatever there is. `kept` is the folder for the outputs of failed runs; None leaves them behind in a folder for temporary
    files, for `remote.py` to take along.
    """

    task: Task
    suite: Suite
    prepared: Prepared
    cores: tuple[int, ...] | None = None
    binary: str | None = None
    kept: Path | None = None
    warnings: tuple[str, ...] = ()
    guarded: tuple[tuple[Path, str], ...] = ()
    """Files of the suite that no solver may change, with their checksums; none where Landlock keeps solvers from them."""


def prepare(suite_folder: Path, cache: Path, task: Task) -> Prepared:
    """The formula of a task, made if it is not there yet."""
    return _formulas(suite_folder, cache).get(task)


@functools.lru_cache(maxsize=4)
def _formulas(suite_folder: Path, cache: Path) -> Formulas:
    return Formulas(suite_folder, cache)


def run_job(job: BenchJob) -> Record:
    """Make the run. A run that cannot be made has a record, too; RunInterrupted if it was ended from outside."""
    conditions = Conditions()
    try:
        run, verdict = _run(job)
    except RunInterrupted:
        raise
    except (CnfgenError, OSError, MemoryError) as error:  # its program vanished, say: the other runs go on
        return failed_record(job.suite, job.task, job.prepared, str(error) or type(error).__name__)
    record = place_of(job.suite, job.task, job.prepared) | record_of(run, job.prepared.identity) | verdict
    record |= {
        "solver": job.task.solver.label,
        "command": SCRATCH.sub(tempfile.gettempdir() + "/", record["command"]),
        "cores": list(job.cores) if job.cores is not None else None,
        "output": run.excerpt,
        "warnings": [*job.warnings, *conditions.warnings()],
        "load": conditions.load,
    }
    return written(record)


def _run(job: BenchJob) -> tuple[Run, Record]:
    """The run, and what its record tells besides: the board that was checked, or the check of the proof."""
    choice = job.task.solver
    solver = solver_of(choice)
    executable = solver.locate()
    binary = checksum(executable)
    if job.binary not in (None, binary):
        raise CnfgenError(f"{executable} on {socket.gethostname()} is another program than where the benchmark was started")
    with tempfile.TemporaryDirectory(prefix="cnfgen-job-") as folder:
        proof = Path(folder) / "proof" if job.suite.proofs and solver.proof_arguments else None
        run = run_solver(
            solver,
            job.prepared.file_with_map(Path(folder)) if solver.reads_map else job.prepared.cnf_file,
            cnf=job.prepared.cnf(),
            limits=job.suite.limits,
            seed=job.task.seed,
            proof=proof,
            threads=choice.threads if solver.parallel else None,
            options=choice.options,
            cores=job.cores,
            keep=job.kept,
            statistics=True,
            guarded=_guarded(job),
        )
        if run.measurement.ended == INTERRUPTED:
            raise RunInterrupted("the run was interrupted")
        if {run.binary_sha256, _checksum_now(executable)} != {binary}:
            return replace(run, status=ERROR, reason=f"{executable} was replaced during the run", model=None), {"verified": False}
        if run.status == SATISFIABLE:
            return _with_board(job, run)
        return _with_proof(job, run, proof)


def _guarded(job: BenchJob) -> list[Guarded]:
    """The files that must be the same after a run; where Landlock protects them, this does not look."""
    files = [Guarded(path, sha256) for path, sha256 in job.guarded]
    if job.prepared.map and not is_enforced():
        files.append(Guarded(job.prepared.map, digest_of_file(job.prepared.map)))
    return files


def _checksum_now(executable: Path) -> str:
    try:
        return checksum(executable)
    except OSError:
        return "not there any more"


def _with_board(job: BenchJob, run: Run) -> tuple[Run, Record]:
    """The run as it is if its board obeys the rules, else WRONG: then an encoding or a map is at fault."""
    board, reason = job.prepared.check_model(run.model or ())
    if reason is not None:
        return replace(run, status=WRONG, reason=reason, model=None), {"verified": False}
    _, evidence = certified(run, None)
    return run, {"evidence": evidence_json(evidence)} | ({} if board is None else {"board": board})


def _with_proof(job: BenchJob, run: Run, proof: Path | None) -> tuple[Run, Record]:
    """The run and what its verdict rests on. One whose proof is refused or missing is an ERROR, and its proof is kept."""
    if run.status != UNSATISFIABLE or proof is None:
        _, evidence = certified(run, None, why_none=f"{run.solver.name} writes no proofs" if job.suite.proofs else "")
        return run, {"evidence": evidence_json(evidence)}
    started = time.perf_counter()
    check = check_proof(
        job.prepared.cnf_file,
        proof,
        proof_limits(job.suite.limits),
        cnf=job.prepared.cnf(),
        proof_format=run.solver.proof_format,
        checker=job.suite.checker,
    )
    run, evidence = certified(run, check)
    details = {
        "verified": check.verified,
        "refused": check.refused,
        "reason": check.reason,
        "size": proof.stat().st_size if proof.is_file() else 0,
        "seconds": round(time.perf_counter() - started, 4),
        "checked_by": check.by,
        "programs": check.programs(),
    }
    if check.refused:
        folder = Path(tempfile.mkdtemp(prefix="cnfgen-kept-", dir=job.kept))
        if proof.is_file():
            with proof.open("rb") as stream:
                (folder / "proof").write_bytes(stream.read(MOST_PROOF_KEPT))
        run = replace(run, kept=folder)
    return run, {"verified": check.verified, "evidence": evidence_json(evidence), "proof": details}


@functools.lru_cache(maxsize=64)
def solver_of(choice: SolverChoice) -> Solver:
    """The solver's declaration; read once a process, since a recipe takes longer to read than a small formula to solve."""
    return choice.found()


# -- records --------------------------------------------------------------------------------------------------------------


def place_of(suite: Suite, task: Task, prepared: Prepared | None) -> Record:
    """Where a run belongs in its suite, and its formula, if one could be made."""
    encoding, choice = task.encoding, task.solver
    place = {
        "record": VERSION,
        "key": task.key,
        "suite": suite.name,
        "suite_sha256": suite.digest,
        "proofs": suite.proofs,
        "family": task.instance.family,
        "instance": task.instance.name,
        "expected": task.instance.expected,
        "expected_by": task.instance.expected_by,
        "features": dict(task.instance.features),
        "encoding": encoding.label if encoding else None,
        "encoding_name": encoding.name if encoding else None,
        "encoding_options": dict(encoding.options) if encoding else {},
        "scramble": task.scramble,
        "solver": choice.label,
        "solver_name": choice.solver,
        "solver_options": list(choice.options),
        "like": choice.like,
        "seed": task.seed,
        "repetition": task.repetition,
        "threads": choice.cores,
        "worker": None,
    }
    if prepared is not None:
        place |= {
            "describe": prepared.describe,
            "size": prepared.size,
            "encode_seconds": prepared.seconds,
            "cnf": prepared.identity,
            "cnf_file": str(prepared.cnf_file),
        }
    return place


def failed_record(suite: Suite, task: Task, prepared: Prepared | None, reason: str) -> Record:
    """What is kept of a run that could not be made: no solver was called."""
    usage = {"cpu": 0.0, "wall": 0.0, "memory": 0, "kept": None}
    outcome = {"status": ERROR, "reason": reason, "verified": False, "evidence": None, **usage, **circumstances(suite.limits)}
    return written(place_of(suite, task, prepared) | outcome)
