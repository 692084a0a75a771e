"""All cubes of a count refuted, side by side, kept as they are done; and the proof that they cover everything."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from pathlib import Path

from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.proving.provingstate import Division, ProvingState
from cnfgen_puzzles.counting.proving.refuting import NotRefuted, Proof, Refuter, told
from cnfgen_puzzles.counting.proving.treesearch import Table, TreeSearch, division
from cnfgen_puzzles.distribution.executors import ThreadExecutor
from cnfgen_puzzles.evidence.allmodels import (
    Exclusions,
    Literals,
    Permutation,
    blocked_clauses,
    cover_clauses,
    first_of_orbits,
    images,
    is_symmetry,
    mapped,
    shown,
    with_clauses,
)
from cnfgen_puzzles.evidence.modelcheck import Checker
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.ground.scratch import scratch_folder
from cnfgen_puzzles.solving.process import Limits


@dataclass(frozen=True)
class Listed:
    """All solutions of a problem, as it is claimed: models of its formula (their true variables), in ascending order.

    `symmetries` generate a group that maps the formula and the list onto themselves, `orbits` are the first solutions of its
    orbits. `short` says that a clause over the true variables alone blocks nothing but the solution.
    """

    problem: Problem
    solutions: tuple[Literals, ...]
    symmetries: tuple[Permutation, ...]
    orbits: tuple[Literals, ...]
    short: bool

    def blocked(self) -> Cnf:
        """The formula that must have no model."""
        return with_clauses(self.problem.cnf, blocked_clauses(self.solutions, self.problem.projection, short=self.short))

    def identity(self) -> str:
        """SHA-256 of all that is to be proved."""
        text = f"{self.blocked().checksum()} {self.problem.identity()} {self.symmetries} {self.problem.cubes}"
        return hashlib.sha256(text.encode()).hexdigest()


def listed(problem: Problem, solutions: Sequence[frozenset[int]], symmetries: Sequence[Permutation] = ()) -> Listed:
    """The claim that these (true variables of the projection set) are all. NotRefuted if one is none, or is there twice.

    Of the symmetries some are kept that generate the others, if they are symmetries of the formula: else none is.
    """
    models = [tuple(sorted(true)) for true in solutions]
    if len(set(models)) < len(models):
        twice = next(model for place, model in enumerate(models) if model in models[:place])
        raise NotRefuted(f"a solution is in the list twice: variables {told(twice)} are true")
    cnf, projection = problem.cnf, problem.projection
    if len(set(projection)) < cnf.num_variables:
        models = list(_completed(cnf, models, projection))
    models.sort()
    generators: tuple[Permutation, ...] = ()
    for symmetry in symmetries:
        if symmetry not in _generated(generators, cnf.num_variables):
            if not is_symmetry(cnf, symmetry):
                generators = ()
                break
            generators = (*generators, symmetry)
    try:
        orbits = first_of_orbits(models, generators)
    except ValueError as error:
        raise NotRefuted(str(error)) from None
    checker, exclusions = Checker(cnf), Exclusions(cnf)
    for model in orbits:
        if not checker.holds(set(model)):
            raise NotRefuted(f"a solution in the list is none: variables {told(model)} are true")
    short = all(exclusions.is_maximal(shown(model, projection), projection) for model in orbits)
    return Listed(problem, tuple(models), generators, tuple(orbits), short)


def _completed(cnf: Cnf, solutions: Sequence[Literals], projection: Sequence[int]) -> Iterator[Literals]:
    """Models of the formula that have these true variables in the projection set."""
    table = Table(cnf)
    for solution in solutions:
        true = set(solution)
        search = TreeSearch(table, [variable if variable in true else -variable for variable in projection])
        for _ in search.proof():
            pass
        if search.model is None:
            raise NotRefuted(f"a solution in the list is none: variables {told(solution)} are true")
        yield tuple(search.model)


def _generated(generators: Sequence[Permutation], variables: int) -> set[Permutation]:
    """All elements of the group, as tuples."""
    identity = tuple(range(1, variables + 1))
    found: set[Permutation] = {identity}
    waiting: list[Permutation] = [identity]
    while waiting:
        each = waiting.pop()
        for generator in generators:
            product = tuple(generator[image - 1] for image in each)
            if product not in found:
                found.add(product)
                waiting.append(product)
    return found


@dataclass
class Proving:
    """The proof that a list is complete: `run()` refutes all cubes, `cover()` gives the rest. `on_look` is called meanwhile.

    Kept proofs are files of the state's folder, by the numbers of the cubes in `leaves()`. After a KeyboardInterrupt, or `run()`
    that is killed, the same state goes on.
    """

    listed: Listed
    state: ProvingState
    jobs: int
    keep: bool = False
    limits: Limits = field(default_factory=Limits)
    on_look: Callable[[], None] = lambda: None
    cpu: float = 0.0
    waiting: int = 0

    def roots(self) -> list[Literals]:
        """The cubes to begin with, one of each orbit."""
        cubes = sorted({tuple(sorted(cube, key=abs)) for cube in self.listed.problem.cubes or [()]})
        left, first = set(cubes), []
        for cube in cubes:
            if cube in left:
                left -= images(cube, self.listed.symmetries)
                first.append(cube)
        return first

    def leaves(self) -> list[Literals]:
        """The cubes that are to be refuted, in the order of the tree, as far as it is known."""
        found, waiting = [], self.roots()[::-1]
        while waiting:
            cube = waiting.pop()
            parts = self.state.divided.get(cube)
            if parts is None:
                found.append(cube)
            else:
                waiting += [child(cube, choice) for choice in parts.choices if choice not in parts.dead][::-1]
        return found

    def kept(self, cube: Literals) -> Path:
        """Where the proof of a cube is kept."""
        return self.state.folder / "proofs" / (hashlib.sha256(str(cube).encode()).hexdigest()[:32] + ".lrat")

    def run(self) -> None:
        """Refute all. NotRefuted where a proof is refused, or there is a solution that is not in the list."""
        done = self.state.refuted
        todo = [cube for cube in self.leaves() if cube not in done or (self.keep and not self.kept(cube).exists())]
        if not todo:
            return
        stop = threading.Event()
        tree = self.listed.problem.cover is not None
        with scratch_folder("proving") as work:
            refuter = Refuter(self.listed.blocked(), work, tree=tree, limits=self.limits)
            division(refuter.table, ())  # compiles, once
            with ThreadExecutor(self.jobs) as executor:
                futures: dict[Future[Proof | None], Literals] = {}
                try:
                    while todo or futures:
                        while todo and len(futures) < self.jobs:
                            cube = todo.pop(0)
                            futures[executor.submit(self._one, refuter, cube, work, stop)] = cube
                        self.waiting = len(todo) + len(futures)
                        self.on_look()
                        for future in wait(futures, timeout=0.5, return_when=FIRST_COMPLETED).done:
                            todo += self._done(refuter, futures.pop(future), future.result())
                finally:
                    stop.set()
                    executor.stop()

    def _one(self, refuter: Refuter, cube: Literals, work: Path, stop: threading.Event) -> Proof | None:
        with _own_folder(work) as place:
            if not self.keep:
                return refuter.refute(cube, place, stop.is_set)
            self.kept(cube).parent.mkdir(exist_ok=True)
            written = place / "kept"
            proof = refuter.refute(cube, place, stop.is_set, written)
            if proof is not None:
                shutil.move(written, self.kept(cube))
            return proof

    def _done(self, refuter: Refuter, cube: Literals, proof: Proof | None) -> list[Literals]:
        """The cubes that are to do because this one is too long."""
        if proof is not None:
            self.cpu += proof.cpu
            if cube not in self.state.refuted:
                self.state.refute(cube, proof)
            return []
        found = division(refuter.table, cube)
        if found is None:
            raise NotRefuted(f"the cube {told(cube)} can neither be refuted nor divided")
        alive, dead = found
        self.state.divide(cube, Division((*alive, *dead), tuple(dead)))
        return [child(cube, literal) for literal in alive]

    # -- that the cubes cover everything ------------------------------------------------------------------------------------

    def cover_formula(self) -> Cnf:
        """What has no model if some cube, or an image of one, holds in every model of the formula."""
        return with_clauses(self.listed.problem.cnf, cover_clauses(self.leaves(), self.listed.symmetries))

    def cover_proof(self) -> bytes:
        """Its proof, in DRAT: cubes that were divided, the later first, in all images; then the empty clause."""
        group = sorted(_generated(self.listed.symmetries, self.listed.problem.cnf.num_variables))
        lines = []
        for cube, parts in reversed(self.state.divided.items()):
            below = [child(cube, literal) for literal in parts.dead]
            for each in (*below, cube):
                lines += sorted({_clause(mapped(each, symmetry)) for symmetry in group})
        return "".join([*(line for line in lines if line != "0\n"), "0\n"]).encode()


def child(cube: Literals, literal: int) -> Literals:
    """The cube with one more literal."""
    return tuple(sorted((*cube, literal), key=abs))


def _clause(cube: Literals) -> str:
    return " ".join(map(str, (*(-literal for literal in cube), 0))) + "\n"


@contextlib.contextmanager
def _own_folder(work: Path) -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(dir=work))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
