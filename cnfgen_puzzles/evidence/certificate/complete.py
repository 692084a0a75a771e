"""The checks of a list of all models (`evidence.allmodels` says why they suffice): symmetries, models, cover, a proof a cube."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from cnfgen_puzzles.evidence.allmodels import (
    Exclusions,
    Literals,
    Permutation,
    blocked_clauses,
    first_of_orbits,
    images,
    is_symmetry,
    shown,
    with_clauses,
)
from cnfgen_puzzles.evidence.certificate.checks import Check, How, Plain, Unfinished, cnf_in, present, projection_in
from cnfgen_puzzles.evidence.certificate.manifest import Manifest
from cnfgen_puzzles.evidence.certificate.names import (
    COVER,
    COVER_HINTS,
    COVERING,
    CUBES,
    FORMULA,
    PROJECTION,
    SOLUTIONS,
    SYMMETRIES,
    kept_proof,
)
from cnfgen_puzzles.evidence.certificate.opened import Damaged, Opened
from cnfgen_puzzles.evidence.modelcheck import Checker
from cnfgen_puzzles.evidence.proofs import check_proof
from cnfgen_puzzles.formula import Cnf, write_dimacs


@dataclass(frozen=True)
class Counted:
    """What the manifest's `details` say of the list, as `counted`."""

    solutions: int
    orbits: int
    short: bool


def counted(manifest: Manifest) -> Counted:
    """Damaged if it is not there."""
    found: Any = manifest.details.get("counted")
    if (
        not isinstance(found, dict) or found.keys() != {"solutions", "orbits", "short"}
        or type(found["solutions"]) is not int or type(found["orbits"]) is not int or type(found["short"]) is not bool
    ):  # fmt: skip
        raise Damaged("does not say how many solutions were counted", source="certificate.json")
    return Counted(**found)


@dataclass(frozen=True)
class Symmetric:
    """The symmetries are permutations of the variables that map the clauses onto themselves."""

    functions: ClassVar[Sequence[str]] = ("symmetries_hold",)
    files: ClassVar[Sequence[str]] = (SYMMETRIES, FORMULA)

    def script(self) -> str:
        return f"symmetries_hold {SYMMETRIES} {FORMULA}\n"

    def verify(self, opened: Opened, how: How) -> str:
        cnf = cnf_in(opened, FORMULA)
        for line, symmetry in enumerate(symmetries_in(opened), start=1):
            if not is_symmetry(cnf, symmetry):
                raise Damaged(f"is no symmetry of {FORMULA}", source=str(opened.folder / SYMMETRIES), line=line)
        return f"each line of {SYMMETRIES} is a symmetry of {FORMULA}"


@dataclass(frozen=True)
class AreModels:
    """The list has so many solutions, in so many orbits; all different, and all models."""

    counted: Counted
    functions: ClassVar[Sequence[str]] = ("solutions_listed", "solutions_hold")
    files: ClassVar[Sequence[str]] = (SOLUTIONS, PROJECTION, FORMULA)

    def script(self) -> str:
        short = 1 if self.counted.short else 0
        return (
            f"solutions_listed {SOLUTIONS} {PROJECTION} {SYMMETRIES} {self.counted.solutions} {self.counted.orbits}\n"
            f"solutions_hold {FORMULA} {PROJECTION} {short}\n"
        )

    def verify(self, opened: Opened, how: How) -> str:
        cnf, source = cnf_in(opened, FORMULA), str(opened.folder / SOLUTIONS)
        projection, solutions = projection_in(opened, PROJECTION, cnf.num_variables), solutions_in(opened, cnf)
        if len({shown(solution, projection) for solution in solutions}) < len(solutions):
            raise Damaged("has a solution twice", source=source)
        try:
            firsts = first_of_orbits(solutions, symmetries_in(opened))
        except (ValueError, IndexError) as error:
            raise Damaged(str(error), source=source) from None
        if (len(solutions), len(firsts)) != (self.counted.solutions, self.counted.orbits):
            told = f"{self.counted.solutions} in {self.counted.orbits}"
            raise Damaged(f"has {len(solutions)} solutions in {len(firsts)} orbits, not {told}", source=source)
        checker, exclusions = Checker(cnf), Exclusions(cnf)
        for solution in firsts:
            line = solutions.index(solution) + 1
            if not checker.holds(set(solution)):
                raise Damaged(f"is no model of {FORMULA}", source=source, line=line)
            if self.counted.short and not exclusions.is_maximal(shown(solution, projection), projection):
                raise Damaged("is not the only model with these true variables", source=source, line=line)
        return f"{SOLUTIONS} has {len(solutions)} different models of {FORMULA}, in {len(firsts)} orbits"


@dataclass(frozen=True)
class Covered:
    """In every model one of the cubes holds, or the image of one."""

    hints: str
    functions: ClassVar[Sequence[str]] = ("refuted", "cubes_cover")

    @property
    def files(self) -> Sequence[str]:
        return (FORMULA, CUBES, COVERING, COVER, *([self.hints] if self.hints else []))

    def script(self) -> str:
        return f"cubes_cover {FORMULA} {SYMMETRIES} {CUBES} {COVERING} {COVER} {self.hints}".rstrip() + "\n"

    def verify(self, opened: Opened, how: How) -> str:
        cnf, symmetries = cnf_in(opened, FORMULA), symmetries_in(opened)
        known = set[Literals]().union(*(images(cube, symmetries) for cube in cubes_in(opened, CUBES, cnf)))
        covering = cubes_in(opened, COVERING, cnf)
        for line, cube in enumerate(covering, start=1):
            if cube not in known:
                raise Damaged(f"is no image of a cube in {CUBES}", source=str(opened.folder / COVERING), line=line)
        larger = with_clauses(cnf, ([-literal for literal in cube] for cube in covering))
        name, form = (self.hints, "lrat") if self.hints else (COVER, "text")
        _refuted(larger, opened, name, form, how, "that the cubes cover everything")
        return f"the cubes of {CUBES} and their images cover all models of {FORMULA}"


@dataclass(frozen=True)
class CubesRefuted:
    """No model but those of the list has one of the cubes."""

    counted: Counted
    kept: tuple[str, ...]
    functions: ClassVar[Sequence[str]] = ("refuted", "cubes_refuted")

    @property
    def files(self) -> Sequence[str]:
        return (FORMULA, PROJECTION, SOLUTIONS, CUBES, *self.kept)

    def script(self) -> str:
        short = 1 if self.counted.short else 0
        return f"cubes_refuted {FORMULA} {PROJECTION} {SOLUTIONS} {self.counted.solutions} {short} {CUBES}\n"

    def verify(self, opened: Opened, how: How) -> str:
        cnf = cnf_in(opened, FORMULA)
        projection, solutions = projection_in(opened, PROJECTION, cnf.num_variables), solutions_in(opened, cnf)
        blocked = with_clauses(cnf, blocked_clauses(solutions, projection, short=self.counted.short))
        anew = []
        cubes = cubes_in(opened, CUBES, cnf)
        for number, cube in enumerate(cubes, start=1):
            if kept_proof(number) in self.kept:
                units = with_clauses(blocked, ([literal] for literal in cube))
                _refuted(units, opened, kept_proof(number), "lrat", how, f"for the cube in line {number} of {CUBES}")
            else:
                anew.append(cube)
        if anew and how.refute is None:
            raise Unfinished("has cubes whose proofs were not kept", source=str(opened.folder / CUBES))
        if anew and how.refute is not None:
            how.refute(blocked, anew)
        how_many = f"; {len(anew)} of the proofs were made anew" if anew else ""
        return f"no other model has one of the {len(cubes)} cubes of {CUBES}, by a checked proof each{how_many}"


def _refuted(cnf: Cnf, opened: Opened, name: str, form: str, how: How, what: str) -> None:
    """Damaged unless the proof in a file refutes a formula."""
    with tempfile.TemporaryDirectory() as folder:
        formula = Path(folder) / "formula.cnf"
        with formula.open("wb") as stream:
            write_dimacs(cnf, stream)
        check = check_proof(formula, opened.path(name), how.limits, cnf=cnf, proof_format=form)
    if check.refused:
        raise Damaged(f"is no proof {what}: {check.reason}", source=str(opened.folder / name))
    if not check.verified:
        raise Unfinished(f"was not checked to its end: {check.reason}", source=str(opened.folder / name))


# -- files ----------------------------------------------------------------------------------------------------------------


def lines_text(lines: Sequence[Sequence[int]], end: str = "") -> bytes:
    """Numbers, a line each; `end` stands behind each line."""
    return "".join(" ".join([*map(str, line), *([end] if end else [])]) + "\n" for line in lines).encode()


def _numbers(opened: Opened, name: str) -> list[tuple[int, ...]]:
    try:
        return [tuple(map(int, line.split(b" ") if line else ())) for line in opened.data(name).split(b"\n")[:-1]]
    except ValueError:
        raise Damaged("found something else than numbers", source=str(opened.folder / name)) from None


def symmetries_in(opened: Opened) -> list[Permutation]:
    """None where there is no such file."""
    return [*_numbers(opened, SYMMETRIES)] if SYMMETRIES in opened.manifest.files else []


def solutions_in(opened: Opened, cnf: Cnf) -> list[Literals]:
    """The solutions in the list: ascending variables of the formula."""
    found = _numbers(opened, SOLUTIONS)
    for line, solution in enumerate(found, start=1):
        if list(solution) != sorted(set(solution)) or (solution and not 0 < solution[0] <= solution[-1] <= cnf.num_variables):
            raise Damaged("found no ascending variables of the formula", source=str(opened.folder / SOLUTIONS), line=line)
    return found


def cubes_in(opened: Opened, name: str, cnf: Cnf) -> list[Literals]:
    """The cubes in a file: literals of different variables, ascending, and 0."""
    found = []
    for line, (*cube, zero) in enumerate((each or (1,) for each in _numbers(opened, name)), start=1):
        variables = [abs(literal) for literal in cube]
        if zero or variables != sorted(set(variables)) or not all(0 < each <= cnf.num_variables for each in variables):
            raise Damaged("found no cube", source=str(opened.folder / name), line=line)
        found.append(tuple(cube))
    return found


@dataclass(frozen=True)
class OneCube:
    """The only cube is the empty one, which holds everywhere."""

    functions: ClassVar[Sequence[str]] = ("cube_is_empty",)
    files: ClassVar[Sequence[str]] = (CUBES,)

    def script(self) -> str:
        return f"cube_is_empty {CUBES}\n"

    def verify(self, opened: Opened, how: How) -> str:
        if opened.data(CUBES) != b"0\n":
            raise Damaged("has cubes, and there is no proof that they cover everything", source=str(opened.folder / CUBES))
        return ""


def all_models(manifest: Manifest) -> tuple[Check, ...]:
    """The checks of the statement."""
    told = counted(manifest)
    symmetric = (Symmetric(),) if SYMMETRIES in manifest.files else ()
    kept = tuple(sorted(name for name in manifest.files if name.startswith("proofs/")))
    refuted = CubesRefuted(told, kept)
    covered = Covered(present(manifest.files, COVER_HINTS)) if COVER in manifest.files else OneCube()
    return Plain(FORMULA), *symmetric, AreModels(told), covered, refuted
