"""A run as one JSON object with all that is needed to believe it and to repeat it; and in a few lines for a person."""

from __future__ import annotations

import datetime
import functools
import os
import platform
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from cnfgen_puzzles.common.printable import printable
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.solving.answers import SATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import Run


class CheckedProof(Protocol):
    """What a checker said of a proof; `evidence.proofs.ProofCheck` is one."""

    @property
    def verified(self) -> bool: ...

    @property
    def reason(self) -> str: ...

    @property
    def by(self) -> str: ...

    def programs(self) -> list[dict[str, Any]]: ...


def record_of(
    run: Run,
    cnf: Cnf | Mapping[str, Any],
    *,
    proof: CheckedProof | None = None,
    evidence: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What ran, on what, under which limits, what came of it and what it used; times in seconds, memory in bytes.

    `cnf` is the formula, or its identity where the caller has it already; `evidence` what the verdict rests on, as
    `evidence.basis` writes it, and `proof` what a checker said. The names are those of `bench/record.py`, which says what each
    is: this is the part of a benchmark's record that any run of a solver has.
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
        "verified": run.status == SATISFIABLE or (proof is not None and proof.verified),
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
        entry["proof"] = {
            "verified": proof.verified,
            "reason": proof.reason,
            "checked_by": proof.by,
            "programs": proof.programs(),
        }
    return entry


def side_by_side(cpu: float, others: Sequence[tuple[Run, Cnf]], alarms: Sequence[str]) -> dict[str, Any]:
    """What a record or an answer adds where several solvers were asked; nothing where there was one.

    CPU seconds of all, the runs that did not count, with their formulas, and what is wrong with these.
    """
    if not others:
        return {}
    return {"side_by_side": {"cpu": round(cpu, 4), "others": [record_of(*other) for other in others], "alarms": list(alarms)}}


def circumstances(limits: Limits) -> dict[str, Any]:
    """Under what a run was made, or was to be made: limits, machine, date, version of this package."""
    return {
        "limits": {"cpu": limits.cpu, "wall": limits.wall, "memory": limits.memory},
        "machine": machine(),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "cnfgen_puzzles": __version__,
    }


@functools.cache
def machine() -> dict[str, Any]:
    """What the measurements depend on, of the machine at hand."""
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
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
    """Comment lines, printable: solver, status with its reason, and what was measured."""
    yield printable(f"{run.solver.name} {run.version}: {run.status}{f' ({run.reason})' if run.reason else ''}")
    yield usage_of(run)
    if run.measurement.leftovers:
        yield f"{run.measurement.leftovers} processes were left behind and killed"


def usage_of(run: Run) -> str:
    measured = run.measurement
    return f"cpu {measured.cpu:.3f} s, wall {measured.wall:.3f} s, memory {measured.memory / 2**20:.1f} MiB"
