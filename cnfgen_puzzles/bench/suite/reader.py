"""A benchmark suite, read from YAML: which instances, encodings and solvers, under which limits (docs/suites.md has it all).

name: small
instances:
  - family: nonogram
    puzzles: ["../nonogram/*.nin"]      # relative to the suite's file
    encodings: [order, direct]
solvers: [kissat, minisat]
limits: {cpu: 10, wall: 30, memory: 2GiB}
seeds: [1, 2]                           # optional: every run once for each
jobs: 2                                 # optional: cores to use, by default all

This module puts the parts together: `instances` are read by `instances.py`, `solvers` by `solvers.py`, `features` by
`features.py`, `include` and `exclude` by `filters.py`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from cnfgen_puzzles.bench.suite.filters import FILTER, SuiteFilters
from cnfgen_puzzles.bench.suite.instances import INSTANCE, read_instances, with_facts
from cnfgen_puzzles.bench.suite.plan import BenchInstance, EncodingChoice, SolverChoice, Suite, Task, default_wall
from cnfgen_puzzles.bench.suite.solvers import SOLVER, read_solvers, seeded
from cnfgen_puzzles.bench.suite.suitefile import NUMBERS, SuiteFile
from cnfgen_puzzles.common.bytesizes import parse_size
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.strictyaml import Either, Required
from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.solving.process import Limits

SCHEMA = {
    "name": Required(str),
    "description": str,
    "instances": Required([INSTANCE]),
    "solvers": Required([Either(scalar=str, mapping=SOLVER)]),
    "limits": Required({"cpu": Required(float), "wall": float, "memory": str}),
    "seeds": NUMBERS,
    "repetitions": int,
    "scramble": {"seeds": Required(NUMBERS), "original": bool},
    "features": Either(scalar=str, list=[str]),
    "proofs": bool,
    "certificates": bool,
    "checker": str,
    "jobs": int,
    "include": [FILTER],
    "exclude": [FILTER],
}
MOST_SECONDS = 100_000_000
"""Three years: what a limit may be, so that sums over all runs are times that can be told."""
MOST_MEMORY = 10**18
NAME = re.compile(r"[^/\\\0]+")
"""A suite's name is also that of its folder of results."""


def read_suite(path: Path) -> Suite:
    """The suite in a YAML file; InputError with the line for a wrong key, an unknown name, a pattern that no file matches."""
    file = SuiteFile.read(path, SCHEMA)
    value = file.value
    if not NAME.fullmatch(value["name"]) or value["name"].startswith("."):
        raise file.error(f"found the name {value['name']!r}, expected one that can be a folder's", "name")
    jobs = file.at_least(1, "jobs") or len(os.sched_getaffinity(0))
    notes: list[str] = []
    solvers = read_solvers(file, jobs, notes)
    scrambles, runs, repetitions = _scrambles(file), seeded(file, solvers, notes), file.at_least(1, "repetitions") or 1
    each = len(scrambles) * len(runs) * repetitions
    pairs = with_facts(file, read_instances(file, notes, each), notes)
    tasks = _tasks(pairs, scrambles, runs, repetitions)
    tasks = SuiteFilters(file).kept(tasks, notes)
    return Suite(
        name=value["name"],
        folder=path.parent,
        tasks=tuple(tasks),
        limits=_limits(file),
        wall_by_default="wall" not in value["limits"],
        jobs=jobs,
        description=value.get("description", ""),
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
        file=path,
        proofs=value.get("proofs", False),
        certificates=value.get("certificates", False),
        checker=_checker(file),
        notes=tuple(notes),
    )


def _checker(file: SuiteFile) -> str | None:
    """The checker of proofs; it is there."""
    name = file.value.get("checker")
    if name is None:
        return None
    if not file.value.get("proofs"):
        raise file.error("found a checker and no `proofs: true`, expected both", "checker")
    try:
        pick_checker(name).locate("text")
    except InputError as error:
        raise file.error(error.message, "checker") from None
    return pick_checker(name).name


def _tasks(
    pairs: Iterable[tuple[BenchInstance, EncodingChoice | None]],
    scrambles: Sequence[int | None],
    runs: Sequence[tuple[SolverChoice, int | None]],
    repetitions: int,
) -> list[Task]:
    """The cross product, instance by instance, so that a formula is used while it is at hand."""
    return [
        Task(instance, encoding, solver, seed, repetition, scramble)
        for instance, encoding in pairs
        for scramble in scrambles
        for repetition in range(1, repetitions + 1)
        for solver, seed in runs
    ]


def _limits(file: SuiteFile) -> Limits:
    limits = file.value["limits"]
    for name in ("cpu", "wall"):
        if name in limits and not 0 < limits[name] <= MOST_SECONDS:
            raise file.error(f"found {limits[name]:g}, expected more than 0 and at most {MOST_SECONDS} seconds", "limits", name)
    memory = file.checked(parse_size, limits["memory"], "limits", "memory") if "memory" in limits else None
    if memory is not None and memory > MOST_MEMORY:
        raise file.error(f"found {limits['memory'][:40]!r}, expected at most {MOST_MEMORY} bytes", "limits", "memory")
    return Limits(cpu=limits["cpu"], wall=limits.get("wall", default_wall(limits["cpu"])), memory=memory)


def _scrambles(file: SuiteFile) -> list[int | None]:
    """None stands for the formula as it is."""
    if "scramble" not in file.value:
        return [None]
    original = [None] if file.value["scramble"].get("original", True) else []
    return [*original, *file.numbers("scramble", "seeds")]
