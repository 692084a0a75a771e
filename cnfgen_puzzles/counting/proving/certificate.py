"""A list of all solutions as a certificate, for any CNF; and what a verifier does with proofs that were not kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.proving.campaign import Proving, listed
from cnfgen_puzzles.counting.proving.refuting import NotRefuted, Refuter
from cnfgen_puzzles.evidence.allmodels import Literals, Permutation
from cnfgen_puzzles.evidence.certificate import FORMULA, PROJECTION, Damaged, Draft, Manifest, Opened, check_place
from cnfgen_puzzles.evidence.certificate.checks import cnf_text, projection_text
from cnfgen_puzzles.evidence.certificate.complete import counted
from cnfgen_puzzles.evidence.certificate.completewords import composition
from cnfgen_puzzles.evidence.certificate.names import CUBES, MANIFEST, SOLUTIONS
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.process import Limits

STATEMENT = "all models"


def state_of(folder: Path) -> Path:
    """Where the state of a certificate is, until that is there: beside it."""
    path = Path(os.path.abspath(folder))
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
    on_look: Callable[[Proving], None] | None = None,
) -> str:
    """Write the certificate that these (true variables of the projection set) are all solutions; the SHA-256 of its SHA256SUMS.

    The state is kept in `state_of(folder)` until the certificate is there. `keep` takes the proofs of the cubes along. NotRefuted
    (exit code 1) says why there is no such proof: a solution that is none, or twice in the list, or missing; a refused proof.
    """
    check_place(folder, replaces=replaces)
    with Proving(listed(problem, solutions, symmetries), state_of(folder), jobs, keep, on_look) as proving:
        proving.run()
        with Draft(folder, replaces=replaces) as draft:
            draft.add(FORMULA, "the formula, in DIMACS CNF", cnf_text(problem.cnf))
            told = "the variables that tell two solutions apart, one a line"
            draft.add(PROJECTION, told, projection_text(sorted(problem.projection)))
            programs = proving.write(draft)
            details = {"counted": proving.counted()}
            claim, sections = words(len(solutions), proving.counted()["orbits"], draft.names)
            sums = draft.seal(Manifest(STATEMENT, claim, sections, details, tuple(programs)))
        proving.forget()
    return sums


def words(solutions: int, orbits: int, files: Collection[str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The claim of a certificate of a formula, and README's sections."""
    number = f"exactly {solutions} model{'s' * (solutions != 1)}" if solutions else "no model"
    claimed = f"""`{FORMULA}` has {number}, where two that agree in the variables of `{PROJECTION}` are one. `{SOLUTIONS}` has \
them, a line each: the variables that are true.

{composition(files, orbits)}"""
    trusted = "- lrat-check or drat-trim.\n- awk, cmp, sort and sha256sum of your machine."
    return f"This formula has {number}", (("What is claimed", claimed), ("What must be trusted", trusted))


def check_words(opened: Opened) -> str:
    """The claim of a certificate of a formula alone; Damaged unless it is one, and says what its files say."""
    manifest, source = opened.manifest, str(opened.folder / MANIFEST)
    if manifest.statement != STATEMENT or manifest.details.keys() != {"counted"}:
        raise Damaged("speaks neither of a puzzle nor of a formula", source=source)
    told = counted(manifest)
    claim, sections = words(told.solutions, told.orbits, manifest.files.keys())
    if (manifest.claim, manifest.sections) != (claim, sections) and not opened.other_words:
        raise Damaged("its words are not what its files say", source=source)
    return claim


def refute_anew(formula: Cnf, cubes: Sequence[Literals]) -> None:
    """Prove anew, and let lrat-check check, that the formula has no model in which one of the cubes holds. Damaged if not so."""
    with scratch_folder("proving") as work:
        refuter = Refuter(formula, work, tree=True, limits=Limits())
        for number, cube in enumerate(cubes, start=1):
            place = work / str(number)
            place.mkdir()
            try:
                if refuter.refute(cube, place, lambda: False) is None:
                    raise NotRefuted("its proof is too long")
            except NotRefuted as error:
                raise Damaged(f"is not shown to have no other solution: {error}", source=CUBES, line=number) from None
