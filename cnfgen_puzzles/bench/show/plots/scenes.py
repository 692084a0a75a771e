"""From results to what plots show: runs as plain data, or the medians of those that differ in seed or repetition only.

Not here: what is drawn of them (the modules of the kinds), what scenes and runs know (`common.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cnfgen_puzzles.bench.analyse.groups import encoding_of, kept
from cnfgen_puzzles.bench.analyse.scores import contradicted, status_of
from cnfgen_puzzles.bench.record import Record, is_claimed
from cnfgen_puzzles.bench.show.plots.common import FLOOR, TIMES, DrawnRun, Scene, distinct, grouped, middle
from cnfgen_puzzles.common.errors import InputError


def scene(
    records: Iterable[Record], *, time: str, par: float, width: int | None, height: int | None, per_run: bool = False
) -> Scene:
    """The best solver first (most solved, then PAR-k, then by name), encodings and families by name.

    Runs of a solver on an instance with an encoding that differ in seed, repetition or scrambling only are one, their median,
    unless `per_run`.
    """
    if time not in TIMES:
        raise InputError(f"found the time {time!r}, expected one of: {', '.join(TIMES)}")
    records = kept(records)
    doubted = contradicted(records)
    found = (run_of(record, status_of(record, doubted), time, per_run) for record in records)
    runs = tuple(found if per_run else medians(found, map(suite_of, records)))
    limit = max((r.limit or r.seconds for r in runs), default=1.0)
    limit = max(limit, FLOOR * 2)
    whole = Scene(runs, time, par, limit, (), distinct(runs, "encoding"), distinct(runs, "family"), width, height)
    by_solver = grouped(runs, lambda r: r.solver)

    def merit(solver: str) -> tuple[float, float, str]:
        own = by_solver[solver]
        return -sum(r.solved for r in own), whole.penalised(own), solver

    return replace(whole, solvers=tuple(sorted(by_solver, key=merit)))


def scrambled(instance: str, scramble: int | None) -> str:
    return instance if scramble is None else f"{instance} scrambled {scramble}"


def suite_of(record: Record) -> str:
    return record.get("suite") or ""


def medians(runs: Iterable[DrawnRun], suites: Iterable[str]) -> Iterator[DrawnRun]:
    """One run for each instance (of a suite), encoding and solver."""
    groups: dict[tuple[str, ...], list[DrawnRun]] = {}
    for run, suite in zip(runs, suites, strict=True):
        groups.setdefault((suite, run.family, run.instance, run.encoding, run.solver), []).append(run)
    for own in groups.values():
        yield replace(middle(own), runs=len(own)) if len(own) > 1 else own[0]


def run_of(record: Record, status: str, time: str, per_run: bool = True) -> DrawnRun:
    """A record of a result file, of any version: fields that may be missing are made up for."""
    scramble = record.get("scramble") if per_run else None
    return DrawnRun(
        family=record.get("family") or "cnf",
        instance=scrambled(record["instance"], scramble),
        encoding=encoding_of(record),
        solver=record["solver"],
        seconds=float(record.get(time) or 0),
        status=status,
        limit=(record.get("limits") or {}).get(time),
        sizes=sizes_of(record),
        claimed=is_claimed(record),
    )


def sizes_of(record: Record) -> dict[str, float]:
    cnf = record.get("cnf") or {}
    sizes = {**(record.get("size") or {}), **{key: cnf[key] for key in ("clauses", "variables") if cnf.get(key)}}
    return {key: value for key, value in sizes.items() if isinstance(value, (int, float)) and value > 0}
