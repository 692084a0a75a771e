"""The reader of benchmark suites in YAML (docs/reference/suites.md has all keys).

name: small
instances:
  - family: nonogram
    puzzles: ["../nonogram/*.nin"]      # relative to the file of the suite
    encodings: [order, direct]
solvers: [kissat, minisat]
limits: {cpu: 10, wall: 30, memory: 2GiB}
seeds: [1, 2]                           # optional: each run once with each seed
jobs: 2                                 # optional: cores to use, by default all

`instances.py` reads `instances`, `features.py` reads `features`.

`solvers` are names of the table, paths of programs, and builds or settings that are `like` a solver of the table:

  - {name: kissat-dev, like: kissat, program: ./build/kissat, options: [--sat], environment: {KISSAT_X: 1}}

The solvers of a suite have different labels for tables, plots, and records.

A filter of `include` or `exclude` is a mapping such as `{family: tiling, solver: [minisat, "glucose*"]}`: it matches a run if
every key matches, and a key matches if one of its patterns does. A run is kept if a filter of `include` matches (or there is no
`include`) and no filter of `exclude` matches.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.suite.instances import INSTANCE, read_instances, with_facts
from cnfgen_puzzles.bench.suite.plan import SolverChoice, Suite, Task, default_wall, solver_of
from cnfgen_puzzles.bench.suite.suitefile import NUMBERS, TEXTS, SuiteFile
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.numbers import parse_size
from cnfgen_puzzles.common.readers.strictyaml import Either, Required, read_yaml
from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import load_solvers

NONE = "none"
"""The word in a filter for a run without scrambling, seed, or encoding."""

FEATURES = "features."
"""The optional prefix of the name of a feature."""

SHORT = {SATISFIABLE: "sat", UNSATISFIABLE: "unsat"}

NAMES: Mapping[str, Callable[[Task], tuple[Any, ...]]] = {
    "family": lambda task: (task.instance.family,),
    "instance": lambda task: (task.instance.name, task.instance.source or task.instance.name),
    "encoding": lambda task: (task.encoding.label, task.encoding.name) if task.encoding else (NONE,),
    "solver": lambda task: (task.solver.label, task.solver.solver),
    "seed": lambda task: (task.seed,),
    "scramble": lambda task: (task.scramble,),
    "repetition": lambda task: (task.repetition,),
    "expected": lambda task: (task.instance.expected, SHORT.get(task.instance.expected or "")),
}
FILTER = {str: TEXTS}
"""Any key: other names than those above are features (`features.py`)."""


def filter_tasks(file: SuiteFile, tasks: Sequence[Task], notes: list[str]) -> list[Task]:
    """The tasks that the filters keep; a note for a filter without effect, InputError if no task is left."""
    found: dict[str, set[int]] = {"include": set(), "exclude": set()}
    for key, numbers in found.items():
        for number, wanted in enumerate(file.value.get(key, ())):
            if not wanted:
                raise file.error("found an empty filter, expected at least one of " + ", ".join(NAMES), key, str(number))
            own = file.checked(partial(_matching, wanted, tasks), key, str(number))
            if not own:
                text = ", ".join(f"{name}: {value}" for name, value in wanted.items())
                notes.append(f"line {file.line(key, str(number))}: the filter {{{text}}} in {key!r} matches no run")
            numbers |= own
    every = not file.value.get("include")
    left = [t for number, t in enumerate(tasks) if (every or number in found["include"]) and number not in found["exclude"]]
    if not left:
        key = "exclude" if every or found["include"] else "include"
        raise file.error(f"found filters that leave none of the {len(tasks)} runs", key)
    return left


def _matching(given: Mapping[str, Any], tasks: Sequence[Task], source: str | None = None) -> set[int]:
    """The places of the tasks that a filter matches; InputError for a key that is neither a name nor a feature."""
    features = {feature for task in tasks for feature, _ in task.instance.features}
    for name in given:
        if name not in NAMES and name.removeprefix(FEATURES) not in features:
            raise InputError(unknown_name("key of a filter", name, [*NAMES, *features]), source=source)

    def matches(task: Task, name: str, value: str | list[str]) -> bool:
        """Whether a value of the key, or of the feature with the same name, matches one of the patterns."""
        known = NAMES[name](task) if name in NAMES else ()
        stated = [each for feature, each in task.instance.features if feature == name.removeprefix(FEATURES)]
        texts = [NONE if text is None else str(text) for text in (*known, *stated) or (None,)]
        return any(fnmatchcase(text, pattern) for text in texts for pattern in ([value] if isinstance(value, str) else value))

    return {place for place, task in enumerate(tasks) if all(matches(task, *pair) for pair in given.items())}


def only(suite: Suite, given: Mapping[str, Any]) -> Suite:
    """The suite with the runs that a filter matches; InputError for an unknown name, or if no run is left."""
    places = _matching(given, suite.tasks, suite.name)
    if not places:
        raise InputError(f"found a filter that leaves none of the {len(suite.tasks)} runs: {dict(given)}", source=suite.name)
    return replace(suite, tasks=tuple(task for place, task in enumerate(suite.tasks) if place in places))


SOLVER = {
    "name": Required(str),
    "like": str,
    "program": str,
    "label": str,
    "options": [str],
    "environment": {str: str},
    "reads": [str],
    "version": str,
    "threads": int,
}

Place = tuple[str, ...]


def read_solvers(file: SuiteFile, jobs: int, notes: list[str]) -> list[SolverChoice]:
    """The solvers, whose labels differ."""
    entries = [entry if isinstance(entry, dict) else {"name": entry} for entry in file.value["solvers"]]
    found: dict[str, SolverChoice] = {}
    for number, (entry, label) in enumerate(zip(entries, _labels(entries), strict=True)):
        if label in found:
            raise file.error(f"found the solver {label!r} a second time, expected another label", "solvers", str(number))
        found[label] = _solver(file, entry, label, ("solvers", str(number)), jobs, notes)
    if not found:
        raise file.error("found no solver, expected at least one", "solvers")
    return list(found.values())


def _labels(entries: list[dict[str, Any]]) -> list[str]:
    """The labels of the solvers: the explicit label, else the name with options and variables.

    Programs with equal names get their paths as in the suite, so that labels do not depend on the order.
    """

    def label(entry: dict[str, Any], name: str) -> str:
        special = [*entry.get("options", ()), *(f"{key}={value}" for key, value in entry.get("environment", {}).items())]
        if ("like" in entry or "program" in entry) and "/" not in entry["name"]:
            special = []  # the name is the label
        text: str = entry.get("label") or " ".join([name, *special])
        return text

    short = [label(entry, os.path.basename(entry["name"])) for entry in entries]
    times = Counter(short)
    return [
        label(entry, entry["name"]) if times[name] > 1 and "/" in entry["name"] else name
        for entry, name in zip(entries, short, strict=True)
    ]


def _solver(file: SuiteFile, given: dict[str, Any], label: str, place: Place, jobs: int, notes: list[str]) -> SolverChoice:
    name, like = _program(file, given, place)
    options, environment = tuple(given.get("options", ())), tuple(given.get("environment", {}).items())
    reads = tuple(_path(file, each) for each in given.get("reads", ()))
    choice = SolverChoice(label, name, options, None, given.get("version"), like, environment, reads)
    solver = file.checked(partial(solver_of, choice), *place)
    if solver.kind != "solver":
        raise file.error(f"found {given['name']}, which is a {solver.kind}, expected a solver", *place)
    threads = file.at_least(1, *place, "threads") if "threads" in given else None
    if solver.parallel:
        threads = threads or jobs
        if threads > jobs and "jobs" in file.value:
            raise file.error(f"found {threads} threads, expected at most the {jobs} cores of the suite (jobs)", *place, "threads")
        if threads > jobs:
            notes.append(f"{label} gets {jobs} instead of {threads} cores: this machine has no more")
            threads = jobs
    elif threads not in (None, 1):
        raise file.error(f"found {threads} threads for {solver.name}, expected 1: it is not a parallel solver", *place, "threads")
    return replace(choice, threads=threads if solver.parallel else None)


def _program(file: SuiteFile, given: dict[str, Any], place: Place) -> tuple[str, str | None]:
    """The path of the program with the solver that it is `like`, or a solver of the table with None."""
    name, like, program = given["name"], given.get("like"), given.get("program")
    if like is not None and "/" in like:
        raise file.error(f"found the path {like!r}, expected a solver of the table", *place, "like")
    if "/" in name and program is not None:
        raise file.error(f"found the program {program!r} for a name with a path, expected a name without `/`", *place, "program")
    program = name if "/" in name else program
    if program is None:
        return like or name, None
    if "/" not in program and not program.startswith("~"):
        program = f"./{program}"
    if like is None and "/" not in name:
        like = name  # a program with only a name is a build of the solver of that name
        if name not in load_solvers():
            message = (
                f"found a program for {name!r}, which is not a solver of the table: add `like: NAME` with a solver of the table"
            )
            raise file.error(f"{message}, or use the path of the program as the name", *place)
    return _path(file, program), like


def _path(file: SuiteFile, name: str) -> str:
    """The absolute path of a name relative to the suite."""
    return str((file.folder / os.path.expanduser(name)).absolute())


def add_seeds(file: SuiteFile, solvers: list[SolverChoice], notes: list[str]) -> list[tuple[SolverChoice, int | None]]:
    """Each solver with each seed; a solver without seeds runs once, with a note."""
    if file.value.get("proofs"):
        notes += [
            f"{choice.label} writes no proofs: its unsatisfiable verdicts are claimed{solver.how_to_be_like}"
            for choice in solvers
            if (solver := solver_of(choice)).how_to_be_like and not solver.proof_arguments
        ]
    if "seeds" not in file.value:
        return [(choice, None) for choice in solvers]
    seeds = file.numbers("seeds")
    found: list[tuple[SolverChoice, int | None]] = []
    for choice in solvers:
        solver = solver_of(choice)
        if not solver.seed_arguments:
            once = f"{choice.label} takes no seed: it runs once instead of {len(seeds)} times"
            notes.append(once + solver.how_to_be_like)
            found.append((choice, None))
            continue
        for seed in seeds:
            if not solver.seed_least <= seed <= solver.seed_most:
                expected = f"{solver.seed_least} to {solver.seed_most}"
                raise file.error(f"found the seed {seed}, expected {expected} for {solver.name}", "seeds")
            found.append((choice, seed))
        file.bounded(len(found), "seeds")
    return found


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
    "checker": str,
    "jobs": int,
    "include": [FILTER],
    "exclude": [FILTER],
}
MOST_SECONDS = 100_000_000
"""The maximum limit in seconds, three years."""
MOST_MEMORY = 10**18
NAME = re.compile(r"[^/\\\0]+")
"""The name of a suite, which is also that of its result folder."""


def read_suite(path: Path) -> Suite:
    """The suite in a YAML file; InputError with the line for a wrong key, an unknown name, a pattern that no file matches."""
    document = read_yaml(path, SCHEMA)
    file = SuiteFile(document.value, document.lines, document.source)
    value = file.value
    if not NAME.fullmatch(value["name"]) or value["name"].startswith("."):
        raise file.error(f"found the name {value['name']!r}, expected a valid name of a folder", "name")
    jobs = file.at_least(1, "jobs") or len(usable_cores())
    notes: list[str] = []
    solvers = read_solvers(file, jobs, notes)
    scrambles: list[int | None] = [None]
    if "scramble" in value:
        scrambles = [*scrambles[: value["scramble"].get("original", True)], *file.numbers("scramble", "seeds")]
    checker = None
    if "checker" in value:
        if not value.get("proofs"):
            raise file.error("found a checker without `proofs: true`, expected both", "checker")
        found = file.checked(partial(pick_checker, value["checker"]), "checker")
        file.checked(partial(found.locate, "text"), "checker")  # it must be installed
        checker = found.name
    runs, repetitions = add_seeds(file, solvers, notes), file.at_least(1, "repetitions") or 1
    each = len(scrambles) * len(runs) * repetitions
    pairs = with_facts(file, read_instances(file, notes, each), notes)
    # by instance, so that a formula is used while it is in memory
    tasks = [
        Task(instance, encoding, solver, seed, repetition, scramble)
        for instance, encoding in pairs
        for scramble in scrambles
        for repetition in range(1, repetitions + 1)
        for solver, seed in runs
    ]
    tasks = filter_tasks(file, tasks, notes)
    return Suite(
        name=value["name"],
        folder=path.parent,
        tasks=tuple(tasks),
        limits=_limits(file),
        wall_by_default="wall" not in value["limits"],
        jobs=jobs,
        description=value.get("description", ""),
        digest=digest_of_file(path),
        file=path,
        proofs=value.get("proofs", False),
        checker=checker,
        notes=tuple(notes),
    )


def _limits(file: SuiteFile) -> Limits:
    limits = file.value["limits"]
    for name in ("cpu", "wall"):
        if name in limits and not 0 < limits[name] <= MOST_SECONDS:
            raise file.error(f"found {limits[name]:g}, expected more than 0 and at most {MOST_SECONDS} seconds", "limits", name)
    memory = file.checked(partial(parse_size, limits["memory"]), "limits", "memory") if "memory" in limits else None
    if memory is not None and memory > MOST_MEMORY:
        raise file.error(f"found {limits['memory'][:40]!r}, expected at most {MOST_MEMORY} bytes", "limits", "memory")
    return Limits(cpu=limits["cpu"], wall=limits.get("wall", default_wall(limits["cpu"])), memory=memory)
