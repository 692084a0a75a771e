"""Runs on the workers of a cluster, which need not share files with the machine of the benchmark.

A worker reads the file of the formula if it has the same file, else the formula is sent. The solver is the program of that name
on the worker. Workers are independent: each run locks cores on its machine.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import Prepared
from cnfgen_puzzles.bench.run.job import BenchJob, RunInterrupted, run_job
from cnfgen_puzzles.bench.run.machine import core_locks
from cnfgen_puzzles.bench.suite.plan import SolverChoice, solver_of
from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.executables import checksum

MOST_OUTPUT = 4 << 20
"""The maximum number of bytes of each sent output of a failed run."""
OUTPUTS = "outputs"
"""The field of a record from a worker with the compressed outputs of a failed run; `unpacked` removes it."""


class FormulaMissing(CnfgenError):
    """The worker does not have the file of the formula, which must be sent."""


Package = Mapping[str, bytes]
"""The compressed files of a formula by name."""
CNF_FILE, MAP_FILE = "formula.cnf", "formula.map.json"


def unpacked(record: Record, kept: Path) -> Record:
    """The record of a run on a worker, with its compressed outputs in a folder of `kept`."""
    if outputs := record.pop(OUTPUTS, None):
        folder = kept / Path(record["kept"]).name
        folder.mkdir(parents=True, exist_ok=True)
        for name, compressed in outputs.items():
            (folder / name).write_bytes(gzip.decompress(compressed))
        record["kept"] = str(folder)
    return record


def package_of(prepared: Prepared) -> Package:
    """The files of a formula for sending; a compressed CNF file is decompressed first."""
    files = {MAP_FILE: prepared.map.read_bytes()} if prepared.map else {}
    files[CNF_FILE] = open_source(prepared.cnf_file).data
    return {name: gzip.compress(data, 1, mtime=0) for name, data in files.items()}


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


def run_elsewhere(job: BenchJob, package: Package | None) -> Record:
    """Make the run on this worker. Exceptions are those that can be sent."""
    try:
        from distributed import get_worker

        prepared = _here(job.prepared, package)
        with core_locks(job.task.solver.cores) as cores, tempfile.TemporaryDirectory(prefix="cnfgen-kept-") as folder:
            if cores is None:
                job = replace(job, warnings=(*job.warnings, "more workers than cores: the run was not pinned to cores"))
            record = run_job(replace(job, prepared=prepared, cores=None if cores is None else tuple(cores), kept=Path(folder)))
            record["command"] = record.get("command", "").replace(str(prepared.cnf_file), str(job.prepared.cnf_file))
            record["cnf_file"] = str(job.prepared.cnf_file)
            record["worker"] = str(get_worker().name)
            files = sorted(path for path in Path(record["kept"]).iterdir() if path.is_file()) if record.get("kept") else []
            return record | {OUTPUTS: {path.name: gzip.compress(path.read_bytes()[:MOST_OUTPUT], 1) for path in files}}
    except (FormulaMissing, RunInterrupted):
        raise
    except Exception as error:
        raise CnfgenError(f"{type(error).__name__}: {error}") from None


def _here(prepared: Prepared, package: Package | None) -> Prepared:
    """The formula as files of this machine, with verified checksums."""
    with contextlib.suppress(CnfgenError, OSError):
        prepared.cnf()  # reads the file, verifies its checksum, and caches the formula
        if prepared.map is None or prepared.map.is_file():
            return prepared
    if package is None:
        raise FormulaMissing(f"{prepared.cnf_file} is not on this machine")
    folder = Path(tempfile.gettempdir()) / f"cnfgen-formulas-{os.getuid()}" / digest(b"".join(package.values()))
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)
    for name, content in package.items():
        if not (folder / name).is_file():
            with atomic_file(folder / name) as stream:
                stream.write(gzip.decompress(content))
    return replace(prepared, cnf_file=folder / CNF_FILE, map=folder / MAP_FILE if MAP_FILE in package else None)
