"""Results as the Global Benchmark Database (GBD) reads them: one row an instance, named by its GBD hash.

GBD opens such a CSV file as a database (`gbd get -d FILE ...`): each column is a feature, by a name of letters, digits and `_`.
Each solver is a column with its CPU seconds where it solved the instance, else the status, in small letters. A puzzle has a
row for each of its formulas.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import BinaryIO

from cnfgen_puzzles.bench.analyse.groups import feature_names
from cnfgen_puzzles.bench.analyse.scores import Performance, contradicted, grid
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

OWN = ("hash", "filename", "family", "result")
RESULTS = {SATISFIABLE: "sat", UNSATISFIABLE: "unsat"}


def write_gbd(records: Sequence[Record], stream: BinaryIO) -> None:
    """InputError where no record knows a GBD hash: those of versions before 1.0 do not."""
    known = _by_hash(records)
    if not known:
        raise InputError(
            "found no run with a GBD hash, expected results of this version; `bench-cnf SUITE --rerun all` makes them"
        )
    solvers = _names({solver for _, points in known.values() for point in points for solver in point}, OWN)
    features = _names(feature_names(records) - set(OWN), (*OWN, *solvers.values()))
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow([*OWN, *features.values(), *solvers.values()])
        for name, (first, points) in known.items():
            said = first.get("features") or {}
            best = [p for point in points for p in point.items()]
            verdicts = {RESULTS[p.status] for _, p in best if p.solved}
            result = verdicts.pop() if len(verdicts) == 1 else "unknown"
            told = {solver: _told(performance) for solver, performance in best}
            own = [name, PurePath(first["instance"]).name, said.get("family") or first["family"], result]
            cells = [*own, *(said.get(each, "") for each in features), *(told.get(each, "") for each in solvers)]
            rows.writerow([str(cell).replace("'", "_") for cell in cells])  # GBD puts them into quotes of SQL
    finally:
        text.detach()


def _hash_of(record: Record) -> str | None:
    return (record.get("cnf") or {}).get("gbd_hash")


def _by_hash(records: Sequence[Record]) -> dict[str, tuple[Record, list[dict[str, Performance]]]]:
    """Of each hash the first run, and what the solvers did at each of its points."""
    runs: dict[str, list[Record]] = {}
    for record in records:
        if found := _hash_of(record):
            runs.setdefault(found, []).append(record)
    doubted = contradicted(records) if runs else set()
    return {name: (each[0], list(grid(each, doubted=doubted).values())) for name, each in runs.items()}


def _told(performance: Performance) -> str:
    return f"{performance.seconds:g}" if performance.solved else performance.status.lower()


def _names(given: set[str], taken: Sequence[str]) -> dict[str, str]:
    """Each name as GBD takes it, all different and none of those that are taken."""
    found: dict[str, str] = {}
    for name in sorted(given):
        base = plain = re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_") or "x"
        base = plain = f"x_{plain}" if plain[0].isdigit() else plain
        number = 2
        while plain in (*taken, *found.values()):
            plain, number = f"{base}_{number}", number + 1
        found[name] = plain
    return found
