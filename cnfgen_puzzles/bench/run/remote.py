"""Runs on the workers of a cluster, which need not share files with the machine of the benchmark.

A worker makes the formulas of its runs, in the folder of the benchmark if the worker sees it, else in a temporary one. It gets
the file of an instance if it does not have the same file. The solver is the program of that name on the worker. Workers are
independent: each run locks cores on its machine.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import Formulas, Prepared
from cnfgen_puzzles.bench.run.job import BenchJob, run_job
from cnfgen_puzzles.bench.run.machine import core_locks
from cnfgen_puzzles.bench.suite.plan import SolverChoice, Task, solver_of
from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.executables import checksum

MOST_OUTPUT = 4 << 20
"""The maximum number of bytes of each sent output of a failed run."""
OUTPUTS = "outputs"
"""The field of a record from a worker with the compressed outputs of a failed run; `unpacked` removes it."""


class SourceMissing(CnfgenError):
    """The worker does not have the file of the instance, which must be sent."""


def unpacked(record: Record, kept: Path) -> Record:
    """The record of a run on a worker, with its compressed outputs in a folder of `kept`."""
    if outputs := record.pop(OUTPUTS, None):
        folder = kept / Path(record["kept"]).name
        folder.mkdir(parents=True, exist_ok=True)
        for name, compressed in outputs.items():
            (folder / name).write_bytes(gzip.decompress(compressed))
        record["kept"] = str(folder)
    return record


def probe(solvers: list[str], dask_worker: Any = None) -> dict[str, Any]:
    """The facts of a worker: name, threads, version of this package, checksums of its solvers (empty: not installed)."""
    return {
        "name": str(dask_worker.name),
        "threads": dask_worker.state.nthreads,
        "version": __version__,
        "binaries": {name: _checksum(name) for name in solvers},
    }


def _checksum(name: str) -> str:
    try:
        return checksum(solver_of(SolverChoice(name, name)).locate())
    except (InputError, OSError):
        return ""


@contextlib.contextmanager
def exceptions_that_can_be_sent() -> Iterator[None]:
    """The client would wait forever for others, such as a RecursionError with its traceback."""
    try:
        yield
    except CnfgenError:
        raise
    except Exception as error:
        raise CnfgenError(f"{type(error).__name__}: {error}") from None


def prepare_elsewhere(task: Task, folder: Path, cache: Path, source: bytes | None) -> Prepared:
    """The formula of a task of the suite in `folder`, made by this worker. Its files have the names on the machine of the
    benchmark."""
    with exceptions_that_can_be_sent():
        made = _formula(task, folder, cache, source)
        place = cache if made.cnf_file.parent in (cache, _temporary()) else (folder / (task.instance.source or "")).parent
        return replace(made, cnf_file=place / made.cnf_file.name, map=place / made.map.name if made.map else None)


def run_elsewhere(job: BenchJob, cache: Path, source: bytes | None) -> Record:
    """Make the run on this worker."""
    from distributed import get_worker

    with (
        exceptions_that_can_be_sent(),
        core_locks(job.task.solver.cores) as cores,
        tempfile.TemporaryDirectory(prefix="cnfgen-kept-") as folder,
    ):
        prepared = _here(job, cache, source)
        if cores is None:
            job = replace(job, warnings=(*job.warnings, "more workers than cores: the run was not pinned to cores"))
        record = run_job(replace(job, prepared=prepared, cores=None if cores is None else tuple(cores), kept=Path(folder)))
        record["command"] = record.get("command", "").replace(str(prepared.cnf_file), str(job.prepared.cnf_file))
        record["cnf_file"] = str(job.prepared.cnf_file)
        record["worker"] = str(get_worker().name)
        files = sorted(path for path in Path(record["kept"]).iterdir() if path.is_file()) if record.get("kept") else []
        return record | {OUTPUTS: {path.name: gzip.compress(path.read_bytes()[:MOST_OUTPUT], 1) for path in files}}


def _here(job: BenchJob, cache: Path, source: bytes | None) -> Prepared:
    """The formula of a run on this machine; CnfgenError if it is another one than the first worker made."""
    with contextlib.suppress(CnfgenError, OSError):
        job.prepared.cnf()  # reads the file, verifies its checksum, and caches the formula
        if job.prepared.map is None or job.prepared.map.is_file():
            return job.prepared
    made = _formula(job.task, job.suite.folder, cache, source)
    found, expected = made.identity["sha256"], job.prepared.identity["sha256"]
    if found != expected:
        raise CnfgenError(f"{socket.gethostname()} makes another formula ({found[:12]}) than the first worker ({expected[:12]})")
    return made


def _formula(task: Task, folder: Path, cache: Path, source: bytes | None) -> Prepared:
    """The formula of a task on this machine, made if it is missing. `source` is the compressed file of the instance;
    SourceMissing if it is needed."""
    instance, temporary = task.instance, _temporary()
    temporary.mkdir(mode=0o700, exist_ok=True)
    if instance.source is not None and not (folder / instance.source).is_file():
        if source is None:
            raise SourceMissing(f"{folder / instance.source} is not on this machine")
        sent = temporary / digest(source) / Path(instance.source).name
        if not sent.is_file():
            with atomic_file(sent, parents=True) as stream:
                stream.write(gzip.decompress(source))
        task = replace(task, instance=replace(instance, source=str(sent)))
    return Formulas(folder, cache if cache.parent.is_dir() else temporary).get(task)


def _temporary() -> Path:
    """The folder for formulas on a machine that does not see the folder of the benchmark."""
    return Path(tempfile.gettempdir()) / f"cnfgen-formulas-{os.getuid()}"
