"""Decides one cube of mazes: the strings with some prefix, refuted by a solver binary with a checked proof.

`refute` decides a cube and can run in a worker process. The result is a refutation, a string that solves all mazes, or `SPLIT`
for a cube that is too hard and is replaced by its children. Mazes that a string does not solve are added to the formula until
none is left.

`prefixtree.py` enumerates cubes, `campaigns.py` runs them in parallel, and each study has its formulas.
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
"""The decision of a cube as JSON."""

REFUTED, STRING, SPLIT = "refuted", "string", "split"

ADDED_AT_ONCE = 10
"""The number of mazes that are added to a formula whose string does not solve them."""

CHECKING = 10
"""The factor between the time limits for checking a proof and for refuting its cube."""


@dataclass(frozen=True)
class CubeSettings:
    """The settings for cubes. `cpu` seconds and `memory` are limits for each; a cube that exceeds them is split."""

    solver: str = "glucose"
    cpu: float = 60.0
    memory: int | None = 4 << 30
    keep_proofs: bool = False


@dataclass(frozen=True)
class Cube(ABC):
    """A cube to refute, starting with the mazes of some `numbers`; it can be pickled. Proofs are kept in `folder`, if requested.

    In its formula, the variable 4 t + d + 1 is true if free step t of the pattern has direction d.
    """

    prefix: str
    numbers: tuple[int, ...]
    settings: CubeSettings
    folder: Path

    @property
    @abstractmethod
    def mazes(self) -> Mazes:
        """All mazes of the case; numbers are positions in it."""

    @abstractmethod
    def formula(self, numbers: list[int]) -> Cnf:
        """The formula for strings of the cube that solve these mazes (ascending)."""

    @property
    @abstractmethod
    def pattern(self) -> str:
        """The pattern of the cube: fixed letters and free steps."""

    def string(self, model: Iterable[int]) -> str:
        """The whole string of a model."""
        before = len(self.pattern.partition(FREE)[0])
        direction = GridBlock("dir", 1 - len(DIRECTIONS) * before, (len(self.pattern), len(DIRECTIONS)))
        return string_of(self.pattern, direction, {literal for literal in model if literal > 0})

    def begun(self) -> Cube:
        """Prepares the cube in the worker."""
        return self

    def about(self) -> Entry:
        """Further data of its entry about the formula."""
        return {}


def refute(cube: Cube) -> Entry:
    """The decision of a cube, which is solved with more and more mazes until it has no string, or one that solves all mazes."""
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
            raise CnfgenError(f"{string} does not solve a maze of its formula: internal error in the encoding")
        numbers.update(unsolved[:: max(len(unsolved) // ADDED_AT_ONCE, 1)][:ADDED_AT_ONCE])


def _met_a_limit(run: Run, cpu: float) -> bool:
    """True if the solver ran into a limit, also if the kernel stopped it first."""
    return run.status in (TIMEOUT, MEMOUT) or (run.status == ERROR and run.measurement.cpu > cpu)


def _checked(cube: Cube, cnf: Cnf, formula: Path, proof: Path, solver: Solver) -> Entry:
    """The rest of an entry: the proof is checked, and kept if requested."""
    limits = Limits(cpu=cube.settings.cpu * CHECKING, memory=cube.settings.memory)
    check = check_proof(formula, proof, limits, cnf=cnf, proof_format=solver.proof_format or "text", checker="drat-trim")
    about: Entry = {"checking": round(check.measurement.cpu, 2) if check.measurement else 0.0}
    if not check.verified:
        if check.unfinished:
            return about | {"verdict": SPLIT, "reason": check.reason}
        raise CnfgenError(f"the proof of the cube {cube.prefix!r} was refused: {check.reason}")
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
