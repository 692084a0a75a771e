"""One cube of mazes: the strings with some prefix, refuted by a solver binary with a checked proof.

A cube is decided by `refute`, which a worker process can run: it is refuted, satisfied by a string that solves all mazes, or too
hard (`SPLIT`) and so to be replaced by its children. Mazes that a string did not solve join the formula until there is none.

Not here: which cubes there are (`prefixtree.py`), all of them side by side (`campaigns.py`), and their formulas (each study's).
"""

from __future__ import annotations

import gzip
import hashlib
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.evidence.proofs import check_proof
from cnfgen_puzzles.families.maze.model import DIRECTIONS
from cnfgen_puzzles.families.maze.puzzle import FREE, Mazes, string_of
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.formula.blocks import GridBlock
from cnfgen_puzzles.pipeline.cegar import proving_solver
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import ERROR, MEMOUT, TIMEOUT, Run, run_solver
from cnfgen_puzzles.solving.table import Solver

Entry = dict[str, Any]
"""What was decided of a cube, as JSON."""

REFUTED, STRING, SPLIT = "refuted", "string", "split"

ADDED_AT_ONCE = 10
"""Mazes that join a formula whose string does not solve them."""

CHECKING = 10
"""A proof may take so many times as long to check as a cube may take to refute."""


@dataclass(frozen=True)
class CubeSettings:
    """How cubes are refuted. `cpu` seconds and `memory` are limits of each; one that needs more is split."""

    solver: str = "glucose"
    cpu: float = 60.0
    memory: int | None = 4 << 30
    keep_proofs: bool = False


@dataclass(frozen=True)
class Cube(ABC):
    """A cube to refute, beginning with the mazes of some `numbers`; it can be pickled. Proofs are kept in `folder`, if they are.

    In its formula the variable 4 t + d + 1 says that the t-th free step of the pattern goes in the direction d.
    """

    prefix: str
    numbers: tuple[int, ...]
    settings: CubeSettings
    folder: Path

    @property
    @abstractmethod
    def mazes(self) -> Mazes:
        """All mazes of the case; numbers are places in it."""

    @abstractmethod
    def formula(self, numbers: list[int]) -> Cnf:
        """That a string of the cube solves these mazes (ascending)."""

    @property
    @abstractmethod
    def pattern(self) -> str:
        """Whole strings of the cube: fixed letters, and free steps side by side."""

    def string(self, model: Iterable[int]) -> str:
        """The whole string of a model."""
        before = len(self.pattern.partition(FREE)[0])
        direction = GridBlock("dir", 1 - len(DIRECTIONS) * before, (len(self.pattern), len(DIRECTIONS)))
        return string_of(self.pattern, direction, {literal for literal in model if literal > 0})

    def begun(self) -> Cube:
        """The cube as the worker begins it."""
        return self

    def about(self) -> Entry:
        """What its entry says besides of how the formula was made."""
        return {}


def refute(cube: Cube) -> Entry:
    """What is decided of a cube: solved with more and more mazes until it has no string, or one that solves all."""
    cube = cube.begun()
    settings, numbers, seconds, rounds = cube.settings, set(cube.numbers), 0.0, 0
    solver = proving_solver(settings.solver)
    while True:
        rounds += 1
        cnf = cube.formula(sorted(numbers))
        about = {"prefix": cube.prefix, "solver": f"{solver.name} {solver.version}", "mazes": sorted(numbers), "rounds": rounds}
        about |= {"variables": cnf.num_variables, "clauses": cnf.num_clauses, **cube.about()}
        with scratch_folder("cube") as work:
            formula, proof = Path(work) / "cube.cnf", Path(work) / "cube.drat"
            with formula.open("wb") as stream:
                write_dimacs(cnf, stream)
            cpu = max(settings.cpu - seconds, 0.1)
            run = run_solver(solver, formula, cnf=cnf, limits=Limits(cpu=cpu, memory=settings.memory), proof=proof)
            seconds += run.measurement.cpu
            about["cpu"] = round(seconds, 2)
            if _met_a_limit(run, cpu):
                return about | {"verdict": SPLIT, "reason": run.reason}
            if run.status == UNSATISFIABLE:
                return about | _checked(cube, cnf, formula, proof, solver)
            if run.status != SATISFIABLE or run.model is None:
                used = f"after {run.measurement.cpu:.1f} s of processor time"
                raise CnfgenError(f"{solver.name} on the cube {cube.prefix!r}: {run.status} {run.reason} {used}")
        string = cube.string(run.model)
        unsolved = cube.mazes.unsolved(string)
        if not unsolved:
            return about | {"verdict": STRING, "string": string}
        if not numbers.isdisjoint(unsolved):
            raise CnfgenError(f"{string} does not solve a maze of its formula: the encoding is at fault")
        numbers.update(unsolved[:: max(len(unsolved) // ADDED_AT_ONCE, 1)][:ADDED_AT_ONCE])


def _met_a_limit(run: Run, cpu: float) -> bool:
    """Also where the kernel's limit came first, on a busy machine: the solver died then of what it had used."""
    return run.status in (TIMEOUT, MEMOUT) or (run.status == ERROR and run.measurement.cpu > cpu)


def _checked(cube: Cube, cnf: Cnf, formula: Path, proof: Path, solver: Solver) -> Entry:
    """The rest of an entry: the proof is checked, and kept if it is wanted."""
    limits = Limits(cpu=cube.settings.cpu * CHECKING, memory=cube.settings.memory)
    check = check_proof(formula, proof, limits, cnf=cnf, proof_format=solver.proof_format or "text", checker="drat-trim")
    about: Entry = {"checking": round(check.measurement.cpu, 2) if check.measurement else 0.0}
    if not check.verified:
        if check.unfinished:
            return about | {"verdict": SPLIT, "reason": check.reason}
        raise CnfgenError(f"the proof of the cube {cube.prefix!r} does not hold: {check.reason}")
    if cube.settings.keep_proofs:
        cube.folder.mkdir(parents=True, exist_ok=True)
        with proof.open("rb") as source, gzip.open(cube.folder / proof_name(cube.prefix), "wb", compresslevel=1) as target:
            shutil.copyfileobj(source, target)
    with proof.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256").hexdigest()
    return about | {"verdict": REFUTED, "formula": cnf.checksum(), "proof": digest, "bytes": proof.stat().st_size}


def proof_name(prefix: str) -> str:
    """The file of a cube's proof."""
    return f"cube-{prefix}.drat.gz"
