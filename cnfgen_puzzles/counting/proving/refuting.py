"""The refutation of one cube: an LRAT proof by the tree search or a SAT solver, verified by a checker."""

from __future__ import annotations

import contextlib
import contextvars
import errno
import hashlib
import os
import shutil
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.proving.treesearch import ClauseTable, TreeSearch
from cnfgen_puzzles.evidence.allmodels import Literals
from cnfgen_puzzles.evidence.checkers import ProofChecker
from cnfgen_puzzles.evidence.steps import StepVerdict, run_step
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits, Measurement
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver

SOLVER = "cadical"
MOST_BYTES = 16 << 30
"""The largest proof of the tree search, in bytes; a cube that takes more is divided. The proof goes through a pipe."""
MOST_FILE = 1 << 30
"""The largest proof of a solver, in bytes; it is on disk until it is checked."""
MOST_CPU = 30.0
"""The CPU time of a solver for one cube, in seconds; a cube that takes more is divided."""
FEW_CONFLICTS = 20_000
"""The most conflicts of the tree search if a solver follows."""
LONG_PROOF = 64 << 20
"""The length in bytes from which a proof is too long: if the checker does not finish it, the cube is divided."""
TREE = "tree search"

T = TypeVar("T")


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
    """Refutes cubes of one formula; thread-safe. With `tree`, the tree search has no limit of conflicts and no solver follows."""

    def __init__(self, cnf: Cnf, folder: Path, checker: ProofChecker, *, tree: bool, limits: Limits):
        self.table = ClauseTable(cnf)
        self.cnf, self._folder, self._tree, self._limits = cnf, folder, tree, limits
        self._text = folder / "formula"
        with self._text.open("wb") as stream:
            write_dimacs(cnf, stream)
        self._body = self._text.read_bytes().partition(b"\n")[2]
        self.checker = checker
        (self._step,) = checker.formats["lrat"]

    def formula_text(self, cube: Sequence[int]) -> bytes:
        """The formula with the cube's literals as unit clauses, in DIMACS."""
        header = f"p cnf {self.cnf.num_variables} {self.cnf.num_clauses + len(cube)}\n"
        return b"".join([header.encode(), self._body, *(f"{literal} 0\n".encode() for literal in cube)])

    def refute(self, cube: Literals, place: Path, stopped: Callable[[], bool], kept: Path | None = None) -> Proof | None:
        """A checked proof; None if it would be too long, or if `stopped`. `place` is an empty folder for this cube alone. If
        `kept` is given, the proof is kept as this file. NotRefuted if the cube cannot be refuted."""
        begun = time.thread_time()
        formula = place / "cube.cnf"
        formula.write_bytes(self.formula_text(cube))
        proof = self._by_tree(cube, formula, place, stopped, kept)
        if proof is None and not self._tree and not stopped():
            proof = self._by_solver(cube, formula, place, kept)
        if proof is None or stopped():
            return None
        return replace(proof, cpu=round(time.thread_time() - begun + proof.cpu, 3))

    def _by_tree(
        self, cube: Literals, formula: Path, place: Path, stopped: Callable[[], bool], kept: Path | None
    ) -> Proof | None:  # fmt: skip
        """Use the tree search, whose proof goes to the checker through a pipe; None if it would be too long."""
        search, digest, length = TreeSearch(self.table, cube), hashlib.sha256(), 0
        pipe = place / "proof.lrat"
        os.mkfifo(pipe)

        def enough() -> bool:
            return stopped() or length > MOST_BYTES or (not self._tree and search.conflicts > FEW_CONFLICTS)

        with contextlib.ExitStack() as ends:
            copy = ends.enter_context(kept.open("wb")) if kept else None
            stream, checked = ends.enter_context(_checking(lambda: self._check(formula, pipe, place), pipe))
            for block in search.proof(enough):
                digest.update(block)
                length += len(block)
                stream.write(block)
                if copy:
                    copy.write(block)
        if search.model is not None:
            raise unlisted_solution(cube, search.model)
        if stopped() or (not search.refuted and enough()):
            return None
        verdict, measurement = checked.result()
        if not self._holds(verdict, length, cube, TREE):
            return None
        return Proof(digest.hexdigest(), length, TREE, self.checker.told, measurement.cpu)

    def _by_solver(self, cube: Literals, formula: Path, place: Path, kept: Path | None) -> Proof | None:
        """Use a solver, whose proof is a file until it is checked; None if it would be too long."""
        proof = place / "solver.lrat"
        limits = Limits(cpu=MOST_CPU, memory=self._limits.memory, proof=MOST_FILE)
        units = array("i", (number for literal in cube for number in (literal, 0)))
        cnf = Cnf(self.cnf.num_variables, self.cnf.num_clauses + len(cube), self.cnf.literals + units)
        run = run_solver(find_solver(SOLVER).with_hints(), formula, cnf=cnf, limits=limits, proof=proof)
        if run.status == SATISFIABLE:
            raise unlisted_solution(cube, [literal for literal in run.model or () if literal > 0])
        if run.status != UNSATISFIABLE:
            return None
        verdict, checked = self._check(formula, proof, place)
        digest, length = digest_of_file(proof), proof.stat().st_size
        if not self._holds(verdict, length, cube, SOLVER):
            return None
        if kept:
            shutil.move(proof, kept)
        return Proof(digest, length, SOLVER, self.checker.told, run.measurement.cpu + checked.cpu)

    def _check(self, formula: Path, proof: Path, place: Path) -> tuple[StepVerdict, Measurement]:
        folder = place / f"check-{proof.stem}"
        folder.mkdir()
        return run_step(self._step, formula, proof, folder, Limits(memory=self._limits.memory))

    def _holds(self, verdict: StepVerdict, length: int, cube: Literals, maker: str) -> bool:
        """Whether the checker has verified the proof; False if the proof is too long for it. NotRefuted in all other cases."""
        if not verdict.verified and not (verdict.unfinished and length > LONG_PROOF):
            told, why = self.checker.told, verdict.reason
            raise NotRefuted(f"{told} refused the proof of the {maker} for the cube {literals_text(cube)}: {why}")
        return verdict.verified


@contextlib.contextmanager
def _checking(check: Callable[[], T], pipe: Path) -> Iterator[tuple[BinaryIO, Future[T]]]:
    """Run a checker in a separate thread while its proof is written to the stream. The thread belongs to the same call as the
    writer, so the end of that call ends the checker. After the end of the checker, nothing more is written."""
    with ThreadPoolExecutor(1) as thread:
        checked = thread.submit(contextvars.copy_context().run, check)
        with contextlib.suppress(BrokenPipeError), _open_pipe(pipe, checked) as stream:
            yield stream, checked


def _open_pipe(pipe: Path, checked: Future[Any]) -> BinaryIO:
    """The writing end of the pipe, once the checker reads. If the checker has ended, the pipe is broken."""
    while True:
        try:
            descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if checked.done():
                descriptor = os.open(os.devnull, os.O_WRONLY)
                break
            time.sleep(0.005)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "wb")


def unlisted_solution(cube: Literals, model: Sequence[int]) -> NotRefuted:
    shown = f": variables {literals_text(model)} are true" if model else ""
    return NotRefuted(f"there is a solution that is not in the list, with the cube {literals_text(cube)}{shown}")


def literals_text(literals: Sequence[int]) -> str:
    """Literals as text for a message."""
    return " ".join(map(str, literals[:40])) + (" ..." if len(literals) > 40 else "") or "(empty)"
