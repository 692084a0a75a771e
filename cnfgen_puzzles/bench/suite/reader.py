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

This module puts the parts together; the `instances` are read by `instances.py`, `include` and `exclude` by `filters.py`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.suite.filters import FILTER, SuiteFilters
from cnfgen_puzzles.bench.suite.instances import INSTANCE, read_instances
from cnfgen_puzzles.bench.suite.plan import BenchInstance, EncodingChoice, SolverChoice, Suite, Task, default_wall
from cnfgen_puzzles.bench.suite.suitefile import NUMBERS, SuiteFile
from cnfgen_puzzles.ground.bytesizes import parse_size
from cnfgen_puzzles.ground.strictyaml import Either, Required
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import Solver, find_solver

SOLVER = {"name": Required(str), "label": str, "options": [str], "version": str, "threads": int}
SCHEMA = {
    "name": Required(str),
    "description": str,
    "instances": Required([INSTANCE]),
    "solvers": Required([Either(scalar=str, mapping=SOLVER)]),
    "limits": Required({"cpu": Required(float), "wall": float, "memory": str}),
    "seeds": NUMBERS,
    "repetitions": int,
    "scramble": {"seeds": Required(NUMBERS), "original": bool},
    "proofs": bool,
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
    solvers = _solvers(file, jobs, notes)
    scrambles, seeded, repetitions = _scrambles(file), _seeded(file, solvers, notes), file.at_least(1, "repetitions") or 1
    each = len(scrambles) * len(seeded) * repetitions
    pairs = read_instances(file, notes, each)
    tasks = _tasks(pairs, scrambles, seeded, repetitions)
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
        notes=tuple(notes),
    )


def _tasks(
    pairs: Iterable[tuple[BenchInstance, EncodingChoice | None]],
    scrambles: Sequence[int | None],
    seeded: Sequence[tuple[SolverChoice, int | None]],
    repetitions: int,
) -> list[Task]:
    """The cross product, instance by instance, so that a formula is used while it is at hand."""
    return [
        Task(instance, encoding, solver, seed, repetition, scramble)
        for instance, encoding in pairs
        for scramble in scrambles
        for repetition in range(1, repetitions + 1)
        for solver, seed in seeded
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


# -- solvers ------------------------------------------------------------------------------------------------------------


_Placed = tuple[SolverChoice, Solver, tuple[str, ...]]
"""A solver with its declaration and its place in the file."""


def _solvers(file: SuiteFile, jobs: int, notes: list[str]) -> list[_Placed]:
    """The solvers with their declarations and the place of each in the file."""
    found: dict[str, _Placed] = {}
    for number, entry in enumerate(file.value["solvers"]):
        place = ("solvers", str(number))
        given = entry if isinstance(entry, dict) else {"name": entry}
        choice, solver = _solver(file, given, place, jobs, notes)
        if choice.label in found:
            message = f"found the solver {choice.label!r} a second time, expected another label"
            raise file.error(message, *place)
        found[choice.label] = choice, solver, place
    if not found:
        raise file.error("found no solver, expected at least one", "solvers")
    return list(found.values())


def _solver(
    file: SuiteFile, given: dict[str, Any], place: tuple[str, ...], jobs: int, notes: list[str]
) -> tuple[SolverChoice, Solver]:
    name = given["name"]
    if "/" in name:  # a program: relative to the suite's file, as puzzles are
        name = str((file.folder / os.path.expanduser(name)).absolute())
    solver = file.checked(find_solver, name, *place)
    if solver.kind != "solver":
        raise file.error(f"found {name}, which is a {solver.kind}, expected a solver", *place)
    options = tuple(given.get("options", ()))
    label = given.get("label") or " ".join([solver.name, *options])
    threads = file.at_least(1, *place, "threads") if "threads" in given else None
    if solver.parallel:
        threads = threads or jobs
        if threads > jobs and "jobs" in file.value:
            raise file.error(f"found {threads} threads, the suite uses {jobs} cores (jobs)", *place, "threads")
        if threads > jobs:
            notes.append(f"{label} gets {jobs} of the {threads} cores that the suite asks for: this machine has no more")
            threads = jobs
    elif threads not in (None, 1):
        raise file.error(f"found {threads} threads for {solver.name}, which uses one", *place, "threads")
    choice = SolverChoice(label, name, options, threads if solver.parallel else None, given.get("version"))
    return choice, solver


def _seeded(file: SuiteFile, solvers: list[_Placed], notes: list[str]) -> list[tuple[SolverChoice, int | None]]:
    """Each solver with each seed; one that takes no seed is run once, and that is told."""
    if "seeds" not in file.value:
        return [(choice, None) for choice, _, _ in solvers]
    seeds = file.numbers("seeds")
    seeded: list[tuple[SolverChoice, int | None]] = []
    for choice, solver, _ in solvers:
        if not solver.seed_arguments:
            notes.append(f"{choice.label} takes no seed: it runs once where others run {len(seeds)} times")
            seeded.append((choice, None))
            continue
        for seed in seeds:
            if not solver.seed_least <= seed <= solver.seed_most:
                expected = f"{solver.seed_least} to {solver.seed_most}"
                raise file.error(f"found the seed {seed}, {solver.name} takes {expected}", "seeds")
            seeded.append((choice, seed))
        file.bounded(len(seeded), "seeds")
    return seeded
