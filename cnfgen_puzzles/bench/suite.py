"""A benchmark suite: which puzzles, in which encodings, by which solvers, under which limits; read from YAML.

name: small
instances:
  - family: nonogram
    puzzles: ["../nonogram/*.nin"]      # relative to the suite's file
    encodings: [order, direct]
solvers: [kissat, minisat]
limits: {cpu: 10, wall: 30, memory: 2GiB}
seeds: [1, 2]                           # optional: every run once for each
jobs: 2                                 # optional: runs at a time, by default one a core
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.errors import InputError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.sizes import parse_size
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import find_solver
from cnfgen_puzzles.strictyaml import Required, read_yaml

SCHEMA = {
    "name": Required(str),
    "description": str,
    "instances": Required([{"family": Required(str), "puzzles": Required([str]), "encodings": [str]}]),
    "solvers": Required([str]),
    "limits": Required({"cpu": Required(float), "wall": float, "memory": str}),
    "seeds": [int],
    "jobs": int,
}


@dataclass(frozen=True, order=True)
class Task:
    """One run to make. `instance` names the puzzle file as the suite sees it."""

    family: str
    instance: str
    encoding: str
    solver: str
    seed: int | None = None

    @property
    def key(self) -> str:
        """What tells this run from every other of its suite, also in a result file of last week."""
        return "|".join(str(part) for part in (self.family, self.instance, self.encoding, self.solver, self.seed))


@dataclass(frozen=True)
class Suite:
    """A suite whose names are all known and whose files all exist."""

    name: str
    folder: Path
    tasks: tuple[Task, ...]
    solvers: tuple[str, ...]
    limits: Limits
    jobs: int

    def puzzle_file(self, task: Task) -> Path:
        return self.folder / task.instance


def read_suite(path: Path) -> Suite:
    """The suite in a YAML file; InputError for a wrong key, an unknown name, or a pattern that no file matches."""
    document = read_yaml(path, SCHEMA)
    value, lines = document.value, document.lines
    for number, solver in enumerate(value["solvers"]):
        _checked(find_solver, solver, path, lines["solvers", str(number)])
    instances = []
    for number, entry in enumerate(value["instances"]):
        place = ("instances", str(number))
        family = _checked(find_family, entry["family"], path, lines[*place, "family"])
        encodings = entry.get("encodings", [family.default_encoding])
        for encoding in encodings:
            _checked(family.encoding, encoding, path, lines[*place, "encodings"])
        for pattern_number, pattern in enumerate(entry["puzzles"]):
            found = list(_matches(path.parent, pattern))
            if not found:
                line = lines[*place, "puzzles", str(pattern_number)]
                raise InputError(f"found no file that matches {pattern!r}", source=str(path), line=line)
            instances += [(family.name, puzzle, encoding) for puzzle in found for encoding in encodings]
    limits = value["limits"]
    memory = _checked(parse_size, limits["memory"], path, lines["limits", "memory"]) if "memory" in limits else None
    tasks = tuple(
        Task(*instance, solver, seed)
        for instance in dict.fromkeys(instances)
        for solver in value["solvers"]
        for seed in value.get("seeds", [None])
    )
    return Suite(
        value["name"],
        path.parent,
        tasks,
        tuple(value["solvers"]),
        Limits(cpu=limits["cpu"], wall=limits.get("wall"), memory=memory),
        value.get("jobs") or len(os.sched_getaffinity(0)),
    )


def _matches(folder: Path, pattern: str) -> Iterator[str]:
    """Files that match a pattern relative to the suite, sorted, as paths relative to it."""
    parts = Path(pattern)
    base = folder
    while parts.parts and parts.parts[0] == "..":
        base, parts = base / "..", Path(*parts.parts[1:])
    for match in sorted(base.glob(str(parts))):
        if match.is_file():
            yield str(match.relative_to(folder))


def _checked(find, name: str, path: Path, line: int):
    """What `find(name)` gives; its InputError with the suite's file and line."""
    try:
        return find(name)
    except InputError as error:
        raise InputError(error.message, source=str(path), line=line) from None
