"""One run of a benchmark as a job for another process or machine: a `BenchJob` becomes a record.

A worker calls the solver, checks the model against the formula and the board against the rules, and has the proof checked. It
writes only the outputs of failed runs.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from cnfgen_puzzles.bench.record import VERSION, Record
from cnfgen_puzzles.bench.run.formulacache import Prepared
from cnfgen_puzzles.bench.run.machine import swapped, warnings_during
from cnfgen_puzzles.bench.suite.plan import Suite, Task, proof_limits, solver_of
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.evidence.evidence import evidence_json
from cnfgen_puzzles.evidence.proofs import certified, check_proof
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.run import ERROR, WRONG, circumstances, record_of, run_solver
from cnfgen_puzzles.solving.supervision import INTERRUPTED

MOST_PROOF_KEPT = 4 << 20
"""The maximum number of bytes of a refused proof that are kept."""
SCRATCH = re.compile(re.escape(tempfile.gettempdir()) + r"/cnfgen-(?:run|job)-[^/\s']+/")
"""Temporary folders of a run in its command line."""


class RunInterrupted(CnfgenError):
    """The run was interrupted, so it has no record."""


@dataclass(frozen=True)
class BenchJob:
    """The data for a worker; `suite` has no tasks.

    If `cores` is None, the worker finds free ones. `binary` is the required checksum of the program, None for any program. `kept`
    is the folder for the outputs of failed runs; with None, they stay in a temporary folder for `remote.py`.
    """

    task: Task
    suite: Suite
    prepared: Prepared
    cores: tuple[int, ...] | None = None
    binary: str | None = None
    kept: Path | None = None
    warnings: tuple[str, ...] = ()


def run_job(job: BenchJob) -> Record:
    """Make the run. A run that fails has a record, too; RunInterrupted after an interruption."""
    load, before = round(os.getloadavg()[0], 2), swapped()
    try:
        record = _run(job)
    except RunInterrupted:
        raise
    except (CnfgenError, OSError, MemoryError) as error:  # for example, a missing program: the other runs continue
        return failed_record(job.suite, job.task, job.prepared, str(error) or type(error).__name__)
    record |= {
        "solver": job.task.solver.label,
        "command": SCRATCH.sub(tempfile.gettempdir() + "/", record["command"]),
        "cores": list(job.cores) if job.cores is not None else None,
        "warnings": [*job.warnings, *warnings_during(load, before)],
        "load": load,
    }
    return place_of(job.suite, job.task, job.prepared) | record


def _run(job: BenchJob) -> Record:
    """The part of the record that describes the run, with the checked board, or the check of the proof.

    A run with a refused or missing proof is an ERROR, and the proof is kept.
    """
    choice, prepared = job.task.solver, job.prepared
    solver = solver_of(choice)
    executable = solver.locate()
    binary = checksum(executable)
    if job.binary not in (None, binary):
        raise CnfgenError(
            f"{executable} on {socket.gethostname()} is another program than on the machine that started the benchmark"
        )
    proofs = job.suite.proofs and bool(solver.proof_arguments)
    with tempfile.TemporaryDirectory(prefix="cnfgen-job-") as folder:
        proof = Path(folder) / "proof"
        run = run_solver(
            solver,
            prepared.file_with_map(Path(folder)) if solver.reads_map else prepared.cnf_file,
            cnf=prepared.cnf(),
            limits=job.suite.limits,
            seed=job.task.seed,
            proof=proof if proofs else None,
            threads=choice.threads if solver.parallel else None,
            options=choice.options,
            cores=job.cores,
            keep=job.kept,
            statistics=True,
        )
        if run.measurement.ended == INTERRUPTED:
            raise RunInterrupted("the run was interrupted")
        check, details, board = None, None, None
        if run.binary_sha256 != binary:  # the workplace of the run detects a later change
            run = replace(run, status=ERROR, reason=f"{executable} was replaced before the run", model=None)
        elif run.status == SATISFIABLE:
            board, reason = prepared.check_model(run.model or ())
            if reason is not None:  # a defect of an encoding or a map
                run = replace(run, status=WRONG, reason=reason, model=None)
        elif run.status == UNSATISFIABLE and proofs:
            started = time.perf_counter()
            check = check_proof(
                prepared.cnf_file,
                proof,
                proof_limits(job.suite.limits),
                cnf=prepared.cnf(),
                proof_format=solver.proof_format,
                checker=job.suite.checker,
            )
            details = check.to_json() | {"refused": check.refused, "seconds": round(time.perf_counter() - started, 4)}
            details["size"] = proof.stat().st_size if proof.is_file() else 0
            if check.refused:
                run = replace(run, kept=Path(tempfile.mkdtemp(prefix="cnfgen-kept-", dir=job.kept)))
                if run.kept and proof.is_file():
                    with proof.open("rb") as stream:
                        (run.kept / "proof").write_bytes(stream.read(MOST_PROOF_KEPT))
    run, evidence = certified(run, check, why_none=f"{solver.name} writes no proofs" if job.suite.proofs else "")
    record = record_of(run, prepared.identity, proof=details, evidence=evidence_json(evidence))
    return record | {"output": run.excerpt} | ({} if board is None else {"board": board})


# -- records --------------------------------------------------------------------------------------------------------------


def place_of(suite: Suite, task: Task, prepared: Prepared | None) -> Record:
    """The fields of a record about the task and its formula, if there is one."""
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
    """The record of a run that failed before the call of the solver."""
    usage = {"cpu": 0.0, "wall": 0.0, "memory": 0, "kept": None}
    outcome = {"status": ERROR, "reason": reason, "verified": False, "evidence": None, **usage, **circumstances(suite.limits)}
    return place_of(suite, task, prepared) | outcome
