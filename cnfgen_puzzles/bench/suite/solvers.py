"""The `solvers` of a suite: names of the table, programs by their paths, and builds or settings that are `like` one of the table.

solvers:
  - kissat
  - {name: kissat-dev, like: kissat, program: ./build/kissat, options: [--sat], environment: {KISSAT_X: 1}}

Two solvers of a suite have two labels, whatever their programs are called: by their labels tables, plots and records tell them
apart. How a solver is called and found is in `solving/table.py`.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from cnfgen_puzzles.bench.suite.plan import SolverChoice
from cnfgen_puzzles.bench.suite.suitefile import SuiteFile
from cnfgen_puzzles.common.readers.strictyaml import Required
from cnfgen_puzzles.solving.table import Solver, load_solvers

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
Placed = tuple[SolverChoice, Solver, Place]
"""A solver with its declaration and its place in the file."""


def read_solvers(file: SuiteFile, jobs: int, notes: list[str]) -> list[Placed]:
    """The solvers with their declarations and the place of each in the file."""
    entries = [entry if isinstance(entry, dict) else {"name": entry} for entry in file.value["solvers"]]
    labels = _labels(entries)
    found: dict[str, Placed] = {}
    for number, (given, label) in enumerate(zip(entries, labels, strict=True)):
        place = ("solvers", str(number))
        if label in found:
            raise file.error(f"found the solver {label!r} a second time, expected another label", *place)
        choice, solver = _solver(file, given, label, place, jobs, notes)
        found[label] = choice, solver, place
    if not found:
        raise file.error("found no solver, expected at least one", "solvers")
    return list(found.values())


def _labels(entries: list[dict[str, Any]]) -> list[str]:
    """What tables call each: its label, else its name with what is special about it.

    Programs of equal names are called by their paths as the suite has them, so that which is which is seen, and so that
    the order in which they stand does not matter.
    """

    def told(given: dict[str, Any], name: str) -> str:
        special = [*given.get("options", ()), *(f"{key}={value}" for key, value in given.get("environment", {}).items())]
        own_name = "like" in given or "program" in given  # then the name is a label already
        label: str = given.get("label") or " ".join([name, *([] if own_name and "/" not in given["name"] else special)])
        return label

    short = [told(given, os.path.basename(given["name"])) for given in entries]
    times = Counter(short)
    return [
        told(given, given["name"]) if times[label] > 1 and "/" in given["name"] else label
        for given, label in zip(entries, short, strict=True)
    ]


def _solver(
    file: SuiteFile, given: dict[str, Any], label: str, place: Place, jobs: int, notes: list[str]
) -> tuple[SolverChoice, Solver]:
    name, like = _called(file, given, place)
    options, environment = tuple(given.get("options", ())), tuple(given.get("environment", {}).items())
    reads = tuple(_path(file, each) for each in given.get("reads", ()))
    choice = SolverChoice(label, name, options, None, given.get("version"), like, environment, reads)
    solver: Solver = file.checked(lambda _: choice.found(), name, *place)
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
    threads = threads if solver.parallel else None
    return SolverChoice(label, name, options, threads, given.get("version"), like, environment, reads), solver


def _called(file: SuiteFile, given: dict[str, Any], place: Place) -> tuple[str, str | None]:
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


def seeded(file: SuiteFile, solvers: list[Placed], notes: list[str]) -> list[tuple[SolverChoice, int | None]]:
    """Each solver with each seed; one that takes no seed is run once, and that is told."""
    if file.value.get("proofs"):
        notes += [
            f"{choice.label} writes no proofs: its unsatisfiable verdicts are claimed{solver.like_told}"
            for choice, solver, _ in solvers
            if solver.like_told and not solver.proof_arguments
        ]
    if "seeds" not in file.value:
        return [(choice, None) for choice, _, _ in solvers]
    seeds = file.numbers("seeds")
    found: list[tuple[SolverChoice, int | None]] = []
    for choice, solver, _ in solvers:
        if not solver.seed_arguments:
            once = f"{choice.label} takes no seed: it runs once where others run {len(seeds)} times"
            notes.append(once + solver.like_told)
            found.append((choice, None))
            continue
        for seed in seeds:
            if not solver.seed_least <= seed <= solver.seed_most:
                expected = f"{solver.seed_least} to {solver.seed_most}"
                raise file.error(f"found the seed {seed}, {solver.name} takes {expected}", "seeds")
            found.append((choice, seed))
        file.bounded(len(found), "seeds")
    return found
