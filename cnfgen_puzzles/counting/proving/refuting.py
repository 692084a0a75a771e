"""The refutation of one cube: an LRAT proof by the search for exact covers or a SAT solver, verified by a checker."""

from __future__ import annotations

import shutil
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.exactcovers import load
from cnfgen_puzzles.counting.proving.coverproof import CoverFormula, CoverProof
from cnfgen_puzzles.evidence.allmodels import Literals
from cnfgen_puzzles.evidence.checkers import ProofChecker
from cnfgen_puzzles.evidence.proofs import run_step
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver

SOLVER = "cadical"
MOST_BYTES = 2 << 30
"""The largest proof, in bytes; it is on disk until it is checked. A cube that takes more is divided."""
MOST_CPU = 30.0
"""The CPU time of a solver for one cube, in seconds; a cube that takes more is divided."""
LONG_PROOF = 64 << 20
"""The length in bytes from which a proof is too long: if the checker does not finish it, the cube is divided."""
TREE = "tree search"


class NotRefuted(CnfgenError):
    """A proof was refused, or a cube has a solution that is not in the list: there is no count."""


@dataclass(frozen=True)
class Proof:
    """A checked proof: its length in bytes, its author and checker, and the CPU time of both in seconds."""

    sha256: str
    bytes: int
    maker: str
    checker: str
    cpu: float


class Refuter:
    """Refutes cubes of one formula: exact covers by the search for these, other formulas by a solver. Thread-safe."""

    def __init__(self, cnf: Cnf, checker: ProofChecker):
        self.cnf, self.checker = cnf, checker
        self._cover = CoverFormula(cnf)
        if self._cover.suitable:
            load()  # compiles, before threads need it
        (self._step,) = checker.formats["lrat"]

    def refute(self, cube: Literals, place: Path, stopped: Callable[[], bool], kept: Path | None = None) -> Proof | None:
        """A checked proof; None if it would be too long, or if `stopped`. `place` is an empty folder for this cube alone. If
        `kept` is given, the proof is kept as this file. NotRefuted if the cube cannot be refuted."""
        begun, proof = time.thread_time(), place / "proof.lrat"
        cpu = self.write_proof(cube, proof, stopped)
        if cpu is None or stopped():
            return None
        formula, folder = place / "cube.cnf", place / "check"
        self._write_formula(cube, formula)
        folder.mkdir()
        check = run_step(self._step, formula, proof, folder, Limits())
        maker, length = TREE if self._cover.suitable else SOLVER, proof.stat().st_size
        if stopped() or (check.unfinished and length > LONG_PROOF):
            return None
        if not check.verified:
            message = f"{self.checker.title} refused the proof of the {maker} for the cube {literals_text(cube)}: {check.reason}"
            raise NotRefuted(message)
        cpu += (check.measurement.cpu if check.measurement else 0.0) + time.thread_time() - begun
        checksum = digest_of_file(proof)
        if kept:
            shutil.move(proof, kept)
        return Proof(checksum, length, maker, self.checker.title, round(cpu, 3))

    def write_proof(self, cube: Literals, proof: Path, stopped: Callable[[], bool]) -> float | None:
        """Write a proof that is not checked yet; returns the CPU time of other processes. None if it would be too long, or if
        `stopped`. NotRefuted if there is a model."""
        if not self._cover.suitable:
            return self._by_solver(cube, proof)
        search = CoverProof(self._cover, cube)
        with proof.open("wb") as stream:
            stream.writelines(search.blocks(lambda: stopped() or stream.tell() > MOST_BYTES))
        if search.model is not None:
            raise unlisted_solution(cube, search.model)
        return 0.0 if search.refuted else None

    def _by_solver(self, cube: Literals, proof: Path) -> float | None:
        formula = proof.with_name("solver.cnf")
        cnf = self._write_formula(cube, formula)
        limits = Limits(cpu=MOST_CPU, proof=MOST_BYTES)
        run = run_solver(find_solver(SOLVER).with_hints(), formula, cnf=cnf, limits=limits, proof=proof)
        formula.unlink()
        if run.status == SATISFIABLE:
            raise unlisted_solution(cube, [literal for literal in run.model or () if literal > 0])
        return run.measurement.cpu if run.status == UNSATISFIABLE else None

    def _write_formula(self, cube: Literals, path: Path) -> Cnf:
        """The formula with the cube's literals as unit clauses, which it also writes to a file."""
        units = array("i", (number for literal in cube for number in (literal, 0)))
        cnf = Cnf(self.cnf.num_variables, self.cnf.num_clauses + len(cube), self.cnf.literals + units)
        with path.open("wb") as stream:
            write_dimacs(cnf, stream)
        return cnf


def unlisted_solution(cube: Literals, model: Sequence[int]) -> NotRefuted:
    shown = f": variables {literals_text(model)} are true" if model else ""
    return NotRefuted(f"there is a solution that is not in the list, with the cube {literals_text(cube)}{shown}")


def literals_text(literals: Sequence[int]) -> str:
    """Literals as text for a message."""
    return " ".join(map(str, literals[:40])) + (" ..." if len(literals) > 40 else "") or "(empty)"
