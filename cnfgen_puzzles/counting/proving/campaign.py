"""All cubes of a count refuted, side by side, kept as they are done; and the proof that they cover everything."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.proving.provingstate import Division, ProvingState
from cnfgen_puzzles.counting.proving.refuting import CHECKER, NotRefuted, Proof, Refuter, told
from cnfgen_puzzles.counting.proving.treesearch import Table, TreeSearch, division, warm_up
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
from cnfgen_puzzles.evidence.certificate import Draft, Program
from cnfgen_puzzles.evidence.certificate.complete import lines_text
from cnfgen_puzzles.evidence.certificate.names import (
    COVER,
    COVER_HINTS,
    COVERING,
    CUBE_RECORDS,
    CUBES,
    SOLUTIONS,
    SYMMETRIES,
    kept_proof,
)
from cnfgen_puzzles.evidence.certificate.proving import Said, proof_with_hints
from cnfgen_puzzles.evidence.modelcheck import Checker
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.pool import ThreadExecutor
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import find_solver


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


class Proving:
    """The proof that a list is complete: `run()` refutes all cubes, `write()` gives the files of a certificate.

    `folder` is for its state; after a KeyboardInterrupt, or a process that was killed, the same goes on with it. `jobs` cubes are
    done side by side (None: one a core). With `keep` the proofs are kept there. `on_look` is called meanwhile: `state`, `waiting`
    (cubes that are known and not done) and `cpu` (seconds, of this process and those that it called) tell how far it is.
    """

    def __init__(
        self, told: Listed, folder: Path, jobs: int | None = None, keep: bool = False,
        on_look: Callable[[Proving], None] | None = None, limits: Limits | None = None,
    ):  # fmt: skip
        self.listed, self.keep, self.limits = told, keep, limits or Limits()
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self.state = ProvingState(folder, told.identity())
        self.cpu, self.waiting = 0.0, 0
        self._look = on_look or (lambda proving: None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.state.close()

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
            warm_up()
            with ThreadExecutor(self.jobs) as executor:
                futures: dict[Future[Proof | None], Literals] = {}
                try:
                    while todo or futures:
                        while todo and len(futures) < self.jobs:
                            cube = todo.pop(0)
                            futures[executor.submit(self._one, refuter, cube, work, stop)] = cube
                        self.waiting = len(todo) + len(futures)
                        self._look(self)
                        for future in wait(futures, timeout=0.5, return_when=FIRST_COMPLETED).done:
                            todo += self._done(futures.pop(future), future.result())
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

    def _done(self, cube: Literals, proof: Proof | None) -> list[Literals]:
        """The cubes that are to do because this one is too long."""
        if proof is not None:
            self.cpu += proof.cpu
            if cube not in self.state.refuted:
                self.state.refute(cube, proof)
            return []
        found = division(Table(self.listed.problem.cnf), cube)  # without the blocked solutions, which the cover does not know
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
        group = list(_generated(self.listed.symmetries, self.listed.problem.cnf.num_variables))
        lines = []
        for cube, parts in reversed(self.state.divided.items()):
            below = [child(cube, literal) for literal in parts.dead]
            for each in (*below, cube):
                lines += sorted({_clause(mapped(each, symmetry)) for symmetry in group})
        return "".join([*(line for line in lines if line != "0\n"), "0\n"]).encode()

    # -- a certificate ------------------------------------------------------------------------------------------------------

    def progress(self) -> str:
        """How far it is, in words."""
        return f"proving that there are no others: {len(self.state.refuted)} cubes done, {self.waiting} waiting"

    def counted(self) -> dict[str, Any]:
        """What a manifest's details say of it."""
        told = self.listed
        return {"solutions": len(told.solutions), "orbits": len(told.orbits), "short": told.short}

    def write(self, draft: Draft) -> list[Program]:
        """The files of a certificate that has formula and projection set; the checkers that were used."""
        told, leaves = self.listed, self.leaves()
        draft.add(
            SOLUTIONS, "all solutions: the variables that are true in a model, a solution a line", lines_text(told.solutions)
        )
        if told.symmetries:
            role = "permutations of the variables (the images of 1, 2, ...) that map the clauses onto themselves"
            draft.add(SYMMETRIES, role, lines_text(told.symmetries))
        draft.add(CUBES, "cubes (literals) in which no other solution lies, by a proof each", lines_text(leaves, "0"))
        records = [{"cube": cube, **asdict(self.state.refuted[cube])} for cube in leaves]
        lines = "".join(f"{json.dumps(record)}\n" for record in records).encode()
        draft.add(CUBE_RECORDS, "who proved and checked that, the SHA-256 and size of the proof, CPU seconds", lines)
        for number, cube in enumerate(leaves if self.keep else (), start=1):
            draft.take(kept_proof(number), f"the proof for cube {number}, in LRAT", self.kept(cube))
        checker = find_solver(CHECKER)
        programs = {CHECKER: Program("checker", CHECKER, "", checksum(checker.locate()))}
        if leaves != [()]:
            covering = cover_clauses(leaves, told.symmetries)
            text = lines_text([[-literal for literal in clause] for clause in covering], "0")
            draft.add(COVERING, f"the cubes of {CUBES} and their images under the symmetries", text)
            draft.add(COVER, f"a proof that one of {COVERING} holds in every model, in DRAT", self.cover_proof())
            for said in self._hints(draft):
                programs[said.name] = Program("checker", said.name, said.version, said.sha256)
        return [*programs.values()]

    def _hints(self, draft: Draft) -> list[Said]:
        """Those who have verified the cover; its proof with hints is taken along."""
        with scratch_folder("cover") as work:
            formula, hints = work / "cover.cnf", work / "hints"
            with formula.open("wb") as stream:
                write_dimacs(self.cover_formula(), stream)
            said = list(proof_with_hints(formula, draft.path(COVER), hints, self.limits))
            if not said:
                raise NotRefuted("the proof that the cubes cover everything was not verified")
            if hints.exists():  # drat-trim writes none where unit propagation alone is enough
                draft.take(COVER_HINTS, "the same with hints, in LRAT, by drat-trim", hints)
            return said

    def forget(self) -> None:
        """Remove the state: the certificate is there."""
        shutil.rmtree(self.state.folder, ignore_errors=True)


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
