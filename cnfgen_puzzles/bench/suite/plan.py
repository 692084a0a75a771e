"""The runs of a suite as data: instances x encodings x scramblings x solvers x seeds x repetitions.

A `Suite` is a list of `Task`s under the same limits. `reader.py` reads suites, `bench/run` makes formulas and runs. Tasks are
hashable and can be pickled, so they can be sent to other processes.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import Solver, find_solver

CNF = "cnf"
"""The family of third-party CNF files, which have no puzzle, encoding, or board."""

WALL_FACTOR, WALL_MORE = 3, 10.0
"""The default wall limit of a suite: a multiple of its CPU limit plus seconds, since a solver can sleep forever."""
PROOF_FACTOR = 10
"""The CPU limit for checking a proof as a multiple of the limit of the run: checking is often slower than solving."""

Options = tuple[tuple[str, Any], ...]
"""Names and values, sorted by name."""


def spelled(name: str, options: Options) -> str:
    """A name with its options for tables: `direct amo=product`; booleans as in YAML."""
    return " ".join([name, *(f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in options)])


def default_wall(cpu: float) -> float:
    """The default wall limit for a CPU limit, both in seconds."""
    return WALL_FACTOR * cpu + WALL_MORE


def proof_limits(limits: Limits) -> Limits:
    """The limits for checking the proof of a run with these limits."""
    if limits.cpu is None:
        return Limits(memory=limits.memory)
    cpu = PROOF_FACTOR * limits.cpu
    return Limits(cpu=cpu, wall=default_wall(cpu), memory=limits.memory)


@dataclass(frozen=True)
class BenchInstance:
    """A puzzle or a third-party CNF file of a suite.

    `name` is unique in the suite. The family reads the puzzle from the file `source` with `options`, or from the options, or
    makes it by `generator` with `options` and `seed`. `expected` is the known verdict, SATISFIABLE or UNSATISFIABLE, or None;
    another verdict raises an alarm.
    """

    family: str
    name: str
    source: str | None = None
    options: Options = ()
    generator: str | None = None
    seed: int | None = None
    expected: str | None = None
    expected_by: str = field(default="", compare=False)
    """The source of `expected`: a file and its line; empty for the suite."""
    features: Options = field(default=(), compare=False)
    """Facts about the instance, such as author and year, for filters and tables."""


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
    """A solver of the table (or the path of a program) with its label in tables and its options."""

    label: str
    solver: str
    options: tuple[str, ...] = ()
    threads: int | None = None
    """The number of cores of a parallel solver; None for a solver that uses one core."""
    version: str | None = None
    """The required part of its version line; another version is refused before the first run."""
    like: str | None = None
    """The solver of the table whose command line the program `solver` has; None for the solver itself."""
    environment: tuple[tuple[str, str], ...] = ()
    """Environment variables in addition to those of this process."""
    reads: tuple[str, ...] = ()
    """Files and folders that it reads in addition to its program."""

    @property
    def cores(self) -> int:
        """The number of cores of a run."""
        return self.threads or 1


@functools.lru_cache(maxsize=64)
def solver_of(choice: SolverChoice) -> Solver:
    """The declaration of a solver, cached, since reading a recipe takes longer than solving a small formula. InputError for an
    unknown name."""
    found = find_solver(choice.like or choice.solver)
    given: dict[str, Any] = {"environment": dict(choice.environment), "reads": tuple(map(Path, choice.reads))}
    if choice.like is not None:
        given |= {"executable": choice.solver, "program": choice.solver, "source": choice.solver}
    elif not choice.environment and not choice.reads:
        return found
    else:
        given |= {"executable": found.executable, "title": found.title, "version": found.version}
    return found.alike(Path(choice.solver).name, **given)


FormulaKey = tuple[BenchInstance, EncodingChoice | None, int | None]
"""The key of a formula: instance, encoding, seed of the scrambling."""


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
WORDS = ("family", "instance", "encoding", "scramble", "solver", "seed", "repetition")
"""The names of the parts of a key (`Task.key`)."""


@dataclass(frozen=True)
class Task:
    """One run of a suite. `encoding` is None for a CNF file; `scramble` is the seed of the scrambling or None."""

    instance: BenchInstance
    encoding: EncodingChoice | None
    solver: SolverChoice
    seed: int | None = None
    repetition: int = 1
    scramble: int | None = None

    @property
    def formula_key(self) -> FormulaKey:
        return self.instance, self.encoding, self.scramble

    @property
    def words(self) -> tuple[str | int | None, ...]:
        """The parts of the key, in the order of `WORDS`."""
        instance, encoding = self.instance, self.encoding.label if self.encoding else None
        return instance.family, instance.name, encoding, self.scramble, self.solver.label, self.seed, self.repetition

    @cached_property
    def key(self) -> str:
        """The key of the run, unique in its suite and stable between executions."""
        return _encoder.encode(self.words)


@dataclass(frozen=True)
class Suite:
    """A suite with valid names and existing files. File names are relative to `folder`."""

    name: str
    folder: Path
    tasks: tuple[Task, ...]
    limits: Limits
    jobs: int
    """The maximum number of cores in use."""
    description: str = ""
    digest: str = ""
    """The checksum of the file of the suite."""
    file: Path | None = None
    """The file of the suite, if it was read from one."""
    wall_by_default: bool = False
    """Whether the wall limit is the default."""
    proofs: bool = False
    """Whether proofs of UNSAT answers are checked; the check is not part of the measured time."""
    checker: str | None = None
    """The checker of proofs, one of `evidence.checkers.CHECKERS`; None for the first that is installed."""
    notes: tuple[str, ...] = field(default=())
    """Notes of the reader, such as filters without effect and solvers that are not installed."""

    def __repr__(self) -> str:
        return showing.in_brackets("Suite", self.name, showing.numbered(len(self.tasks), "run"))

    @cached_property
    def solvers(self) -> tuple[SolverChoice, ...]:
        return tuple(dict.fromkeys(task.solver for task in self.tasks))
