"""What happens on a worker of a cluster: a run on a machine that need not share files with the one that asked for it.

The formula is used where it lies if the worker sees the same file, else it is sent. The solver is the worker's own program of
that name. Workers do not know of each other: each run takes cores that no other worker on its machine holds.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.formulacache import Prepared
from cnfgen_puzzles.bench.run.job import BenchJob, RunInterrupted, run_job, solver_of
from cnfgen_puzzles.bench.run.machine import core_locks
from cnfgen_puzzles.bench.suite.plan import SolverChoice
from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.executables import checksum

MOST_OUTPUT = 4 << 20
"""Bytes of each output of a failed run that are taken along."""


class FormulaMissing(CnfgenError):
    """The worker does not see the formula's file: it must be sent."""


@dataclass(frozen=True)
class Package:
    """A formula's files, compressed; `name` is a checksum of both."""

    name: str
    cnf: bytes
    map: bytes | None


@dataclass(frozen=True)
class Reply:
    """What comes back: the record of the run with the compressed outputs of a failed one, or what kept it from being made."""

    record: Record | None = None
    outputs: dict[str, bytes] = field(default_factory=dict)
    error: type[CnfgenError] = CnfgenError
    reason: str = ""

    def opened(self, kept: Path) -> Record:
        """The record, its outputs kept in a folder of `kept`; raises the exception that there is instead."""
        if self.record is None:
            raise self.error(self.reason)
        if self.outputs:
            folder = kept / Path(self.record["kept"]).name
            folder.mkdir(parents=True, exist_ok=True)
            for name, compressed in self.outputs.items():
                (folder / name).write_bytes(gzip.decompress(compressed))
            self.record["kept"] = str(folder)
        return self.record


def package_of(prepared: Prepared) -> Package:
    """The files as they can be sent; the CNF is decompressed first, whatever its file is."""
    mapped = prepared.map.read_bytes() if prepared.map else None
    name = digest(prepared.identity["sha256"].encode() + (mapped or b""))
    text = open_source(prepared.cnf_file).data
    return Package(name, gzip.compress(text, 1), None if mapped is None else gzip.compress(mapped, 1))


def probe(solvers: list[str], dask_worker: Any = None) -> dict[str, Any]:
    """What a worker is: its name and threads, our version, the checksums of its solvers' programs (empty: not there)."""
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


def run_elsewhere(job: BenchJob, package: Package | None) -> Reply:
    """Make the run here. No exception leaves: whether it can be sent and raised again depends on too much."""
    try:
        from distributed import get_worker

        prepared = _here(job.prepared, package)
        with core_locks(job.task.solver.cores) as cores, tempfile.TemporaryDirectory(prefix="cnfgen-kept-") as folder:
            if cores is None:
                job = replace(job, warnings=(*job.warnings, "more workers than cores: the run was not pinned"))
            record = run_job(replace(job, prepared=prepared, cores=None if cores is None else tuple(cores), kept=Path(folder)))
            record["command"] = record.get("command", "").replace(str(prepared.cnf_file), str(job.prepared.cnf_file))
            record["cnf_file"] = str(job.prepared.cnf_file)
            record["worker"] = str(get_worker().name)
            files = sorted(path for path in Path(record["kept"]).iterdir() if path.is_file()) if record.get("kept") else []
            return Reply(record, {path.name: gzip.compress(path.read_bytes()[:MOST_OUTPUT], 1) for path in files})
    except (FormulaMissing, RunInterrupted) as error:
        return Reply(error=type(error), reason=str(error))
    except Exception as error:
        return Reply(reason=f"{type(error).__name__}: {error}")


def _here(prepared: Prepared, package: Package | None) -> Prepared:
    """The formula as files of this machine, with the right checksums."""
    with contextlib.suppress(CnfgenError, OSError):
        prepared.cnf()  # it reads the file, checks its sum, and keeps the formula for the run
        if prepared.map is None or prepared.map.is_file():
            return prepared
    if package is None:
        raise FormulaMissing(f"{prepared.cnf_file} is not on this machine")
    folder = Path(tempfile.gettempdir()) / f"cnfgen-formulas-{os.getuid()}" / package.name
    if not folder.is_dir():
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=folder.parent))
        (partial / "formula.cnf").write_bytes(gzip.decompress(package.cnf))
        if package.map is not None:
            (partial / "formula.map.json").write_bytes(gzip.decompress(package.map))
        try:
            partial.rename(folder)
        except OSError:  # another worker was faster
            shutil.rmtree(partial)
    sent_map = folder / "formula.map.json" if package.map is not None else None
    return replace(prepared, cnf_file=folder / "formula.cnf", map=sent_map)
