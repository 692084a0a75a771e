"""What a benchmark is to run, as plain data: instances x encodings x scrambles x solvers x seeds x repetitions.

A `Suite` is a list of `Task`s under the same limits. Nothing here is read, encoded or run: suites come from `reader.py`, formulas
and runs are made by `bench/run`. All of it is hashable and can be pickled, so that a task can be sent elsewhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import Solver, find_solver

CNF = "cnf"
"""The family of an instance that is a CNF file made by others: it has no puzzle, no encoding and no board."""

WALL_FACTOR, WALL_MORE = 3, 10.0
"""The wall limit of a suite that names none, as a multiple of its CPU limit and seconds: a solver may sleep for ever."""
PROOF_FACTOR = 10
"""CPU time for checking a proof, as a multiple of the limit for finding it: checking is often slower than solving."""

Options = tuple[tuple[str, Any], ...]
"""Names and values, sorted by name."""


def spelled(name: str, options: Options) -> str:
    """A name with its options, as it stands in tables: `direct amo=product`; booleans as in YAML."""
    return " ".join([name, *(f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in options)])


def default_wall(cpu: float) -> float:
    """The wall limit that goes with a CPU limit, both in seconds."""
    return WALL_FACTOR * cpu + WALL_MORE


def proof_limits(limits: Limits) -> Limits:
    """Under what the proof of a run with these limits is checked."""
    if limits.cpu is None:
        return Limits(memory=limits.memory)
    cpu = PROOF_FACTOR * limits.cpu
    return Limits(cpu=cpu, wall=default_wall(cpu), memory=limits.memory)


@dataclass(frozen=True)
class BenchInstance:
    """What is to be solved: a puzzle, or a CNF file made by others, as the suite names it.

    `name` tells it from all others of the suite. A puzzle family reads it from the file `source` with `options`, or from the
    options alone, or makes it by `generator` with `options` and `seed`. `expected` is SATISFIABLE or UNSATISFIABLE where the
    truth is known, and then another verdict is an alarm.
    """

    family: str
    name: str
    source: str | None = None
    options: Options = ()
    generator: str | None = None
    seed: int | None = None
    expected: str | None = None
    expected_by: str = field(default="", compare=False)
    """On whose word: a file and its line; empty for the suite's own."""
    features: Options = field(default=(), compare=False)
    """What is known about it from elsewhere: family, author, year; for filters and tables."""


@dataclass(frozen=True)
class EncodingChoice:
    """An encoding of the family with its options."""

    name: str
    options: Options = ()

    @cached_property
    def label(self) -> str:
        return spelled(self.name, self.options)


@dataclass(frozen=True)
class SolverChoice:
    """A solver of the table (or a program's path) under the name that tables show, and words for its command line."""

    label: str
    solver: str
    options: tuple[str, ...] = ()
    threads: int | None = None
    """For a parallel solver: how many cores it gets; None for a solver of one core."""
    version: str | None = None
    """What its version line must contain; anything else is refused before the first run."""
    like: str | None = None
    """The solver of the table that the program `solver` is called like; None for what it is called as itself."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that it gets besides those of this process."""
    reads: tuple[str, ...] = ()
    """Files and folders that it needs besides its program."""

    @property
    def cores(self) -> int:
        """How many cores a run of it gets."""
        return self.threads or 1

    def found(self) -> Solver:
        """The solver with its program and how it is called; InputError where there is none of that name."""
        found = find_solver(self.like or self.solver)
        given: dict[str, Any] = {"environment": dict(self.environment), "reads": tuple(map(Path, self.reads))}
        if self.like is not None:
            given |= {"executable": self.solver, "program": self.solver, "source": self.solver}
        elif not self.environment and not self.reads:
            return found
        else:
            given |= {"executable": found.executable, "title": found.title, "version": found.version}
        return found.alike(Path(self.solver).name, **given)


FormulaKey = tuple[BenchInstance, EncodingChoice | None, int | None]
"""What tells a formula from others: instance, encoding, seed of the scrambling."""


@lru_cache(1 << 16)
def _in_json(part: str | int | None) -> str:
    """A part of a key; a suite of a million runs has few different ones."""
    return json.dumps(part, ensure_ascii=False)


@dataclass(frozen=True)
class Task:
    """One run to make. `encoding` is None for a CNF file; `scramble` is the seed of its scrambling, None for none."""

    instance: BenchInstance
    encoding: EncodingChoice | None
    solver: SolverChoice
    seed: int | None = None
    repetition: int = 1
    scramble: int | None = None

    @property
    def formula_key(self) -> FormulaKey:
        return self.instance, self.encoding, self.scramble

    @cached_property
    def key(self) -> str:
        """What tells this run from every other of its suite, also in a result file of last week."""
        encoding = self.encoding.label if self.encoding else None
        parts = (self.instance.family, self.instance.name, encoding, self.scramble, self.solver.label, self.seed, self.repetition)
        return f"[{','.join(map(_in_json, parts))}]"


@dataclass(frozen=True)
class Suite:
    """A suite whose names are all known and whose files all exist. `folder` is where relative file names begin."""

    name: str
    folder: Path
    tasks: tuple[Task, ...]
    limits: Limits
    jobs: int
    """Cores that runs may use at a time."""
    description: str = ""
    digest: str = ""
    """Checksum of the suite's file, for results."""
    file: Path | None = None
    """The suite's file, for a suite that was read from one."""
    wall_by_default: bool = False
    """Whether the wall limit is not the suite's own, but the one that goes with its CPU limit."""
    proofs: bool = False
    """Whether UNSAT answers of solvers that can write proofs are checked (untimed: the check is not part of the run)."""
    certificates: bool = False
    """Whether each puzzle that was decided gets a certificate, after the runs."""
    checker: str | None = None
    """By which checker, one of `evidence.checkers.CHECKERS`; None: the first that is there."""
    notes: tuple[str, ...] = field(default=())
    """What the reader of the suite wants to tell: filters that left nothing, solvers that are not there."""

    def __repr__(self) -> str:
        return showing.in_brackets("Suite", self.name, showing.numbered(len(self.tasks), "run"))

    @cached_property
    def solvers(self) -> tuple[SolverChoice, ...]:
        return tuple(dict.fromkeys(task.solver for task in self.tasks))
