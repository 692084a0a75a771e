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

`instances` are read by `instances.py`, `features` by `features.py`.

`solvers` are names of the table, programs by their paths, and builds or settings that are `like` one of the table:

  - {name: kissat-dev, like: kissat, program: ./build/kissat, options: [--sat], environment: {KISSAT_X: 1}}

Two solvers of a suite have two labels, by which tables, plots and records tell them apart, whatever their programs are called.

A filter of `include` or `exclude` is a mapping such as `{family: tiling, solver: [minisat, "glucose*"]}`: it matches a run if
every key does, and a key does if one of its patterns does. A run is kept if some filter of `include` matches it (or there is no
`include`), and none of `exclude`.
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
from cnfgen_puzzles.bench.suite.plan import SolverChoice, Suite, Task, default_wall
from cnfgen_puzzles.bench.suite.suitefile import NUMBERS, TEXTS, SuiteFile
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.numbers import parse_size
from cnfgen_puzzles.common.readers.strictyaml import Either, Required
from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import Solver, load_solvers

NONE = "none"
"""How a filter spells a run without scrambling, seed or encoding."""

FEATURES = "features."
"""Before a feature's name, for those who wish to be plain."""

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
"""Any key: what is no name above is a feature (`features.py`)."""


def filter_tasks(file: SuiteFile, tasks: Sequence[Task], notes: list[str]) -> list[Task]:
    """The tasks that the suite's filters leave; one that matches none is noted, and it is a mistake if nothing is left."""
    found: dict[str, set[int]] = {"include": set(), "exclude": set()}
    for key, numbers in found.items():
        for number, wanted in enumerate(file.value.get(key, ())):
            if not wanted:
                raise file.error("found an empty filter, expected at least one of " + ", ".join(NAMES), key, str(number))
            for name in wanted:
                if (wrong := _unknown(name, tasks)) is not None:
                    raise file.error(wrong, key, str(number), name)
            own = {place for place, task in enumerate(tasks) if _matches(wanted, task)}
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


def _unknown(name: str, tasks: Sequence[Task]) -> str | None:
    """What is wrong with a key of a filter, if it is neither a name nor a feature of any instance."""
    features = {feature for task in tasks for feature, _ in task.instance.features}
    if name in NAMES or name.removeprefix(FEATURES) in features:
        return None
    return unknown_name("key of a filter", name, [*NAMES, *features])


def _texts(name: str, task: Task) -> tuple[Any, ...]:
    """What a key stands for: the family, too, may be said by a feature."""
    known = NAMES[name](task) if name in NAMES else ()
    return (*known, *(value for feature, value in task.instance.features if feature == name.removeprefix(FEATURES))) or (None,)


def _matches(given: Mapping[str, Any], task: Task) -> bool:
    for name, value in given.items():
        patterns = [value] if isinstance(value, str) else value
        texts = [NONE if text is None else str(text) for text in _texts(name, task)]
        if not any(fnmatchcase(text, pattern) for text in texts for pattern in patterns):
            return False
    return True


def only(suite: Suite, given: Mapping[str, Any]) -> Suite:
    """The suite with the runs that one such filter matches; InputError for a name that no filter has, or if none is left."""
    for name in given:
        if (wrong := _unknown(name, suite.tasks)) is not None:
            raise InputError(wrong, source=suite.name)
    tasks = tuple(task for task in suite.tasks if _matches(given, task))
    if not tasks:
        raise InputError(f"found a filter that leaves none of the {len(suite.tasks)} runs: {dict(given)}", source=suite.name)
    return replace(suite, tasks=tasks)


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


def read_solvers(file: SuiteFile, jobs: int, notes: list[str]) -> list[tuple[SolverChoice, Solver]]:
    """The solvers with their declarations."""
    entries = [entry if isinstance(entry, dict) else {"name": entry} for entry in file.value["solvers"]]
    found: dict[str, tuple[SolverChoice, Solver]] = {}
    for number, (entry, label) in enumerate(zip(entries, _labels(entries), strict=True)):
        place = ("solvers", str(number))
        if label in found:
            raise file.error(f"found the solver {label!r} a second time, expected another label", *place)
        found[label] = _solver(file, entry, label, place, jobs, notes)
    if not found:
        raise file.error("found no solver, expected at least one", "solvers")
    return list(found.values())


def _labels(entries: list[dict[str, Any]]) -> list[str]:
    """What tables call each: its label, else its name with what is special about it.

    Programs of equal names are called by their paths as the suite has them, so that which is which is seen, and so that
    the order in which they stand does not matter.
    """

    def label(entry: dict[str, Any], name: str) -> str:
        special = [*entry.get("options", ()), *(f"{key}={value}" for key, value in entry.get("environment", {}).items())]
        if ("like" in entry or "program" in entry) and "/" not in entry["name"]:
            special = []  # the name is a label already
        text: str = entry.get("label") or " ".join([name, *special])
        return text

    short = [label(entry, os.path.basename(entry["name"])) for entry in entries]
    times = Counter(short)
    return [
        label(entry, entry["name"]) if times[name] > 1 and "/" in entry["name"] else name
        for entry, name in zip(entries, short, strict=True)
    ]


def _solver(
    file: SuiteFile, given: dict[str, Any], label: str, place: Place, jobs: int, notes: list[str]
) -> tuple[SolverChoice, Solver]:
    name, like = _program(file, given, place)
    options, environment = tuple(given.get("options", ())), tuple(given.get("environment", {}).items())
    reads = tuple(_path(file, each) for each in given.get("reads", ()))
    choice = SolverChoice(label, name, options, None, given.get("version"), like, environment, reads)
    solver = file.checked(choice.found, *place)
    if solver.kind != "solver":
        raise file.error(f"found {given['name']}, which is a {solver.kind}, expected a solver", *place)
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
    return replace(choice, threads=threads if solver.parallel else None), solver


def _program(file: SuiteFile, given: dict[str, Any], place: Place) -> tuple[str, str | None]:
    """The program's path with the solver that it is called like, or a solver of the table with None."""
    name, like, program = given["name"], given.get("like"), given.get("program")
    if like is not None and "/" in like:
        raise file.error(f"found the path {like!r}, expected a solver of the table", *place, "like")
    if "/" in name and program is not None:
        raise file.error(f"found the program {program!r} of a program, expected a name beside it", *place, "program")
    program = name if "/" in name else program
    if program is None:
        return like or name, None
    if "/" not in program and not program.startswith("~"):
        program = f"./{program}"
    if like is None and "/" not in name:
        like = name  # a program beside a name alone is one of the solver of that name
        if name not in load_solvers():
            told = f"found a program for {name!r}, which is no solver of the table: expected `like: NAME` of one beside it"
            raise file.error(f"{told}, or the program's path as the name", *place)
    return _path(file, program), like


def _path(file: SuiteFile, name: str) -> str:
    """Relative to the suite's file, as puzzles are."""
    return str((file.folder / os.path.expanduser(name)).absolute())


def add_seeds(
    file: SuiteFile, solvers: list[tuple[SolverChoice, Solver]], notes: list[str]
) -> list[tuple[SolverChoice, int | None]]:
    """Each solver with each seed; one that takes no seed is run once, and that is told."""
    if file.value.get("proofs"):
        notes += [
            f"{choice.label} writes no proofs: its unsatisfiable verdicts are claimed{solver.how_to_be_like}"
            for choice, solver in solvers
            if solver.how_to_be_like and not solver.proof_arguments
        ]
    if "seeds" not in file.value:
        return [(choice, None) for choice, _ in solvers]
    seeds = file.numbers("seeds")
    found: list[tuple[SolverChoice, int | None]] = []
    for choice, solver in solvers:
        if not solver.seed_arguments:
            once = f"{choice.label} takes no seed: it runs once where others run {len(seeds)} times"
            notes.append(once + solver.how_to_be_like)
            found.append((choice, None))
            continue
        for seed in seeds:
            if not solver.seed_least <= seed <= solver.seed_most:
                expected = f"{solver.seed_least} to {solver.seed_most}"
                raise file.error(f"found the seed {seed}, {solver.name} takes {expected}", "seeds")
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
    scrambles, runs, repetitions = _scrambles(file), add_seeds(file, solvers, notes), file.at_least(1, "repetitions") or 1
    each = len(scrambles) * len(runs) * repetitions
    pairs = with_facts(file, read_instances(file, notes, each), notes)
    # instance by instance, so that a formula is used while it is at hand
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
    checker = file.checked(partial(pick_checker, name), "checker")
    file.checked(partial(checker.locate, "text"), "checker")
    return checker.name


def _limits(file: SuiteFile) -> Limits:
    limits = file.value["limits"]
    for name in ("cpu", "wall"):
        if name in limits and not 0 < limits[name] <= MOST_SECONDS:
            raise file.error(f"found {limits[name]:g}, expected more than 0 and at most {MOST_SECONDS} seconds", "limits", name)
    memory = file.checked(partial(parse_size, limits["memory"]), "limits", "memory") if "memory" in limits else None
    if memory is not None and memory > MOST_MEMORY:
        raise file.error(f"found {limits['memory'][:40]!r}, expected at most {MOST_MEMORY} bytes", "limits", "memory")
    return Limits(cpu=limits["cpu"], wall=limits.get("wall", default_wall(limits["cpu"])), memory=memory)


def _scrambles(file: SuiteFile) -> list[int | None]:
    """None stands for the formula as it is."""
    if "scramble" not in file.value:
        return [None]
    original = [None] if file.value["scramble"].get("original", True) else []
    return [*original, *file.numbers("scramble", "seeds")]
