"""Cube-and-conquer proof that a list has all solutions of a CNF: a checked refutation of each cube, and a proof of the cover.

Cubes are refuted in parallel; a cube whose proof is too long is divided. With its journal (`CubeState`), a proof can be resumed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from cnfgen_puzzles.common.activity import update_activity
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.journal import Journal, JournalLine
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.proving.refuting import NotRefuted, Proof, Refuter, literals_text
from cnfgen_puzzles.counting.splitting import Divider
from cnfgen_puzzles.evidence.allmodels import (
    Exclusions,
    Literals,
    ModelChecker,
    Permutation,
    blocked_clauses,
    choose_generators,
    cover_clauses,
    first_of_orbits,
    generate_group,
    images,
    mapped,
    shown,
    with_clauses,
)
from cnfgen_puzzles.evidence.certificate import (
    COVER,
    COVER_HINTS,
    COVERING,
    CUBES,
    FORMULA,
    PROJECTION,
    SOLUTIONS,
    SYMMETRIES,
    Damaged,
    Draft,
    ListNumbers,
    Program,
    check_place,
    cnf_text,
    formula_certificate,
    formula_readme,
    kept_proof,
    lines_text,
    projection_text,
)
from cnfgen_puzzles.evidence.checkers import DRAT_TRIM, HINTED, TRANSLATE, ProofChecker
from cnfgen_puzzles.evidence.proofs import check_proof, ready_checker, run_step, take_output
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.solving.distribute import Work, distribute
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.incremental import DEFAULT, IncrementalSolver
from cnfgen_puzzles.solving.process import Limits

STATEMENT = "all-models"

SCHEMA, VERSION, NAME = "cnfgen-puzzles/cubes", 3, "cubes.jsonl"
"""The identification of the state's journal."""


@dataclass(frozen=True)
class ListedSolutions:
    """The claimed list of all solutions of a problem: models of its formula (their true variables), in ascending order.

    `symmetries` generate a group that maps the formula and the list onto themselves, `orbits` are the first solutions of its
    orbits. `short` says that a clause over the true variables alone blocks only its solution.
    """

    problem: Problem
    solutions: tuple[Literals, ...]
    symmetries: tuple[Permutation, ...]
    orbits: tuple[Literals, ...]
    short: bool

    def blocked_formula(self) -> Cnf:
        """The formula that must have no model."""
        return with_clauses(self.problem.cnf, blocked_clauses(self.solutions, self.problem.projection, short=self.short))

    def numbers(self) -> ListNumbers:
        """The numbers for the certificate."""
        return ListNumbers(len(self.solutions), len(self.orbits), self.short)

    def identity(self) -> str:
        """SHA-256 of everything that is to be proved."""
        return digest(f"{self.blocked_formula().checksum()} {self.problem.identity()} {self.symmetries} {self.problem.cubes}")


def check_list(problem: Problem, solutions: Sequence[frozenset[int]], symmetries: Sequence[Permutation] = ()) -> ListedSolutions:
    """The claim that these are all solutions, each as its true variables of the projection set. NotRefuted if one is invalid or
    occurs twice.

    If all symmetries are symmetries of the formula, generators of them are kept; otherwise none.
    """
    models = [tuple(sorted(true)) for true in solutions]
    if len(set(models)) < len(models):
        twice = next(model for place, model in enumerate(models) if model in models[:place])
        raise NotRefuted(f"a solution is in the list twice: variables {literals_text(twice)} are true")
    cnf, projection = problem.cnf, problem.projection
    if len(set(projection)) < cnf.num_variables:
        models = list(_complete_models(cnf, models, projection))
    models.sort()
    generators = choose_generators(cnf, projection, symmetries)
    try:
        orbits = first_of_orbits(models, generators)
    except ValueError as error:
        raise NotRefuted(str(error)) from None
    checker, exclusions = ModelChecker(cnf), Exclusions(cnf)
    for model in orbits:
        if not checker.holds(set(model)):
            raise NotRefuted(f"an entry of the list is not a solution: variables {literals_text(model)} are true")
    short = all(exclusions.is_maximal(shown(model, projection), projection) for model in orbits)
    return ListedSolutions(problem, tuple(models), generators, tuple(orbits), short)


def _complete_models(cnf: Cnf, solutions: Sequence[Literals], projection: Sequence[int]) -> Iterator[Literals]:
    """Models of the formula that extend these true variables of the projection set."""
    with IncrementalSolver(DEFAULT) as solver:
        solver.add_all(cnf.clauses())
        for solution in solutions:
            if not solver.solve([variable if variable in solution else -variable for variable in projection]):
                raise NotRefuted(f"an entry of the list is not a solution: variables {literals_text(solution)} are true")
            yield tuple(literal for literal in solver.model if literal > 0)


class ListProof:
    """The proof that a list is complete: `run()` refutes all cubes, `write()` writes the files of a certificate.

    `checker` reads LRAT. `folder` is for the state, from which an interrupted or killed run resumes: a journal of the cubes
    that are `refuted`, with their proofs, and `divided` (the literals of the children). It is not evidence; only checked proofs
    are, these or others. InputError for the state of another problem, and for a damaged one.

    `jobs` cubes are refuted in parallel (None: one for each core). With `keep`, the proofs are kept in the folder. `cpu` is in
    seconds and includes child processes.
    """

    def __init__(self, listed: ListedSolutions, folder: Path, checker: ProofChecker, jobs: int | None = None, keep: bool = False):
        self.listed, self.checker, self.keep = listed, checker, keep
        self.jobs = jobs or len(usable_cores())
        self.folder, self.refuted, self.divided = folder, dict[Literals, Proof](), dict[Literals, Literals]()
        self.cpu = 0.0
        self._journal = Journal(folder / NAME, {"schema": SCHEMA, "version": VERSION, "problem": listed.identity()})
        try:
            self._journal.resume(self._take, "remove the folder to prove everything again")
        except BaseException:
            self._journal.close()
            raise

    def _take(self, line: JournalLine) -> None:
        cube = tuple(line.entry["cube"])
        if "proof" in line.entry:
            self.refuted[cube] = Proof(**line.entry["proof"])
        else:
            self.divided[cube] = tuple(line.entry["choices"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def roots(self) -> list[Literals]:
        """The initial cubes, one of each orbit."""
        cubes = sorted({tuple(sorted(cube, key=abs)) for cube in self.listed.problem.cubes or [()]})
        left, first = set(cubes), []
        for cube in cubes:
            if cube in left:
                left -= images(cube, self.listed.symmetries)
                first.append(cube)
        return first

    def leaves(self) -> list[Literals]:
        """The cubes to refute, in the order of the tree, as far as it is known."""
        found, waiting = [], self.roots()[::-1]
        while waiting:
            cube = waiting.pop()
            if cube not in self.divided:
                found.append(cube)
            else:
                waiting += [extend_cube(cube, literal) for literal in reversed(self.divided[cube])]
        return found

    def kept_file(self, cube: Literals) -> Path:
        """The path of the kept proof of a cube."""
        return self.folder / "proofs" / (digest(str(cube))[:32] + ".lrat")

    def run(self) -> None:
        """Refute all cubes. NotRefuted if a proof is refused, or a solution is missing from the list."""
        done = {cube for cube, proof in self.refuted.items() if proof.checker == self.checker.title}
        todo = [cube for cube in self.leaves() if cube not in done or (self.keep and not self.kept_file(cube).exists())]
        if not todo:
            return
        stop = threading.Event()
        with scratch_folder("proving") as work:
            refuter = Refuter(self.listed.blocked_formula(), self.checker)
            cubes = iter(lambda: todo.pop(0) if todo else None, -1)

            def call(cube: Literals) -> Work:
                return self._refute, refuter, cube, work, stop

            with ThreadPoolExecutor(self.jobs) as executor, closing(distribute(executor, cubes, call, "cubes")) as results:
                try:
                    for result in results:
                        if result is not None:
                            todo += self._record(result.unit, result.result())
                        text = f"proving that there are no others: {len(self.refuted)} cubes done, {len(todo)} waiting"
                        update_activity(text)
                finally:
                    stop.set()

    def _refute(self, refuter: Refuter, cube: Literals, work: Path, stop: threading.Event) -> Proof | None:
        with tempfile.TemporaryDirectory(dir=work, ignore_cleanup_errors=True) as place:
            written = Path(place) / "kept" if self.keep else None
            proof = refuter.refute(cube, Path(place), stop.is_set, written)
            if proof is not None and written is not None:
                self.kept_file(cube).parent.mkdir(exist_ok=True)
                shutil.move(written, self.kept_file(cube))
            return proof

    def _record(self, cube: Literals, proof: Proof | None) -> list[Literals]:
        """Keep the proof of a cube, or divide the cube if there is none. Returns the new cubes."""
        if proof is not None:
            self.cpu += proof.cpu
            if self.refuted.get(cube, proof).checker != proof.checker or cube not in self.refuted:
                self._journal.append({"cube": cube, "proof": asdict(proof)})
                self.refuted[cube] = proof
            return []
        divider = Divider(replace(self.listed.problem, projection=range(1, self.listed.problem.cnf.num_variables + 1)))
        choices = tuple(divider.choices(cube))
        if not choices:
            raise NotRefuted(f"the cube {literals_text(cube)} can neither be refuted nor divided")
        self._journal.append({"cube": cube, "choices": choices})
        self.divided[cube] = choices
        return [extend_cube(cube, literal) for literal in choices]

    # -- the proof that the cubes cover everything ----------------------------------------------------------------------------

    def cover_proof(self) -> bytes:
        """The proof of the cover in DRAT: all images of the cubes that were divided, later ones first, and the empty clause."""
        group = list(generate_group(self.listed.symmetries, self.listed.problem.cnf.num_variables))
        clauses: list[str] = []
        for cube in reversed(self.divided):
            clauses += sorted({_negate(mapped(cube, symmetry)) for symmetry in group})
        return "".join([*(clause for clause in clauses if clause != "0\n"), "0\n"]).encode()

    def _check_cover(self, draft: Draft, cover: Path) -> bool:
        """Verify that every model of the formula satisfies a cube or an image of one; NotRefuted otherwise. The proof with hints
        becomes part of the draft. Returns True if drat-trim wrote it."""
        formula = with_clauses(self.listed.problem.cnf, cover_clauses(self.leaves(), self.listed.symmetries))
        with scratch_folder("cover") as work:
            path, hints = work / "cover.cnf", work / "hints"
            with path.open("wb") as stream:
                write_dimacs(formula, stream)
            translated, check = False, None
            if DRAT_TRIM.available():
                (work / "translation").mkdir()
                written = work / "translation" / "scratch" / HINTED
                check = run_step(TRANSLATE, path, cover, work / "translation", Limits(), written)
                translated = bool(take_output(written, hints))
            if check is None or not check.refused:
                if not translated:  # drat-trim writes none if unit propagation is enough
                    Refuter(formula, self.checker).write_proof((), hints, lambda: False)
                check = check_proof(path, hints, cnf=formula, proof_format="lrat", checker=self.checker.name)
            if not check.verified:
                raise NotRefuted(f"the proof that the cubes cover everything was not verified: {check.reason}")
            draft.take(COVER_HINTS, hints)
            return translated

    # -- the certificate ------------------------------------------------------------------------------------------------------

    def write(self, draft: Draft) -> list[Program]:
        """Write the files of a certificate that contains formula and projection set; returns the checkers that were used."""
        listed, leaves = self.listed, self.leaves()
        draft.add(SOLUTIONS, lines_text(listed.solutions))
        if listed.symmetries:
            draft.add(SYMMETRIES, lines_text(listed.symmetries))
        draft.add(CUBES, lines_text(leaves, "0"))
        for number, cube in enumerate(leaves if self.keep else (), start=1):
            draft.take(kept_proof(number), self.kept_file(cube))
        used = [step.program() for step in self.checker.formats["lrat"]]
        if leaves != [()]:
            covering = cover_clauses(leaves, listed.symmetries)
            text = lines_text([[-literal for literal in clause] for clause in covering], "0")
            draft.add(COVERING, text)
            cover = draft.add(COVER, self.cover_proof())
            used += DRAT_TRIM.programs("text") if self._check_cover(draft, cover) else ()
        found = [(program, program.locate()) for program in used]
        return [Program("checker", each.name, each.version_line(path), checksum(path)) for each, path in found]

    def forget(self) -> None:
        """Remove the state after the certificate was written."""
        shutil.rmtree(self.folder, ignore_errors=True)


def extend_cube(cube: Literals, literal: int) -> Literals:
    """The cube with one more literal."""
    return tuple(sorted((*cube, literal), key=abs))


def _negate(cube: Literals) -> str:
    """The negation of a cube, as a line."""
    return " ".join(map(str, (*(-literal for literal in cube), 0))) + "\n"


# -- certificates of a CNF ----------------------------------------------------------------------------------------------------


def state_folder(certificate: Path) -> Path:
    """The folder of the state of an unfinished certificate, next to it."""
    path = Path(os.path.abspath(certificate))
    return path.with_name(f"{path.name}.state")


def certify_list(
    problem: Problem,
    solutions: Sequence[frozenset[int]],
    folder: Path,
    *,
    symmetries: Sequence[Permutation] = (),
    jobs: int | None = None,
    keep: bool = False,
    replaces: bool = False,
    checker: str | None = None,
) -> str:
    """Write the certificate that these (true variables of the projection set) are all solutions; the SHA-256 of its SHA256SUMS.

    The state is in `state_folder(folder)` until the certificate exists. `keep` includes the proofs of the cubes. `checker` is one
    of `evidence.checkers` that reads LRAT, by default the first installed one; InputError if it is not installed. NotRefuted
    (exit code 1): a listed solution is invalid, repeated, or missing, or a proof was refused.
    """
    check_place(folder, replaces=replaces)
    chosen = ready_checker(checker, "lrat")
    with ListProof(check_list(problem, solutions, symmetries), state_folder(folder), chosen, jobs, keep) as proof:
        proof.run()
        with Draft(folder, replaces=replaces) as draft:
            draft.add(FORMULA, cnf_text(problem.cnf))
            shown = sorted(set(problem.projection))
            draft.add(PROJECTION, projection_text(shown))
            programs, count = proof.write(draft), proof.listed.numbers()
            sizes = len(shown), problem.cnf.num_variables
            readme = formula_readme(STATEMENT, count, sizes)
            sums = draft.seal(STATEMENT, formula_certificate(STATEMENT, count, programs, sizes), readme, count)
        proof.forget()
    return sums


def refute_anew(formula: Cnf, cubes: Sequence[Literals], checker: str | None = None) -> None:
    """Prove again, and check the proofs, that no model of the formula satisfies one of the cubes. Damaged otherwise."""
    with scratch_folder("proving") as work:
        refuter = Refuter(formula, ready_checker(checker, "lrat"))
        for number, cube in enumerate(cubes, start=1):
            place = work / str(number)
            place.mkdir()
            try:
                if refuter.refute(cube, place, lambda: False) is None:
                    raise NotRefuted("its proof is too long")
            except NotRefuted as error:
                raise Damaged(f"is not proved to have no other solution: {error}", source=CUBES, line=number) from None
