"""Certificates of counts: all boards of a puzzle, and a proof that there are no others.

    found = certify_count(family, puzzle, CertificateOrder(Path("65.certificate")))
    found.sentence()            # 65 solutions up to the 8 symmetries of board and pieces; 520 in all. No others (...)

An engine finds the solutions. You do not have to trust it, because `counting.proving` proves that the list is complete, for a
formula that leaves out no solutions. `claims` has the text of the claim. An interrupted or killed process resumes from its state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.counting.enginenames import AUTO
from cnfgen_puzzles.counting.proving.cubes import ListedSolutions, ListProof, check_list, state_folder
from cnfgen_puzzles.evidence.allmodels import images, shown
from cnfgen_puzzles.evidence.certificate import Draft, check_place
from cnfgen_puzzles.evidence.evidence import PROOF, Evidence
from cnfgen_puzzles.evidence.proofs import ready_checker
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.pipeline.certificates.certify import PuzzleDraft
from cnfgen_puzzles.pipeline.certificates.claims import BOARDS, board_line, permutations_of, stated_group
from cnfgen_puzzles.pipeline.count import Solutions, problem_of
from cnfgen_puzzles.pipeline.instance import Instance, make_instance, symmetry_of
from cnfgen_puzzles.pipeline.request import CertificateOrder, CountRequest


@dataclass(frozen=True)
class CertifiedCount:
    """The number of solutions: `solutions` by `convention` (empty: each counts), `raw` in all, with `cubes` checked proofs.

    `cpu` is the CPU time of the new proofs in seconds, all processes together.
    """

    solutions: int
    raw: int
    convention: str
    cubes: int
    cpu: float
    evidence: Evidence

    def sentence(self) -> str:
        """The result in words."""
        noun = "solution" if self.solutions == 1 else "solutions"
        whole = f" {self.convention}; {self.raw} in all" if self.convention else ""
        return f"{self.solutions or 'No'} {noun}{whole}. No others{self.evidence.words()}."

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "solutions": self.solutions, "raw": self.raw, "convention": self.convention, "complete": True, "cubes": self.cubes,
            "cpu": self.cpu, "evidence": self.evidence.to_json(),
        }  # fmt: skip


def certify_count(
    family: Family,
    puzzle: Puzzle,
    wanted: CertificateOrder,
    *,
    encoding: str | None = None,
    options: Mapping[str, Any] | None = None,
    engine: str = AUTO,
    jobs: int | None = None,
    raw: bool = False,
    keep: bool = False,
    checker: str | None = None,
    on_look: Callable[[str], None] | None = None,
) -> CertifiedCount:
    """Find all solutions, prove that there are no others, and write the certificate. `on_look` gets the progress.

    `raw` counts symmetric solutions separately; `keep` includes the proofs of the cubes. `checker` is one of `evidence.checkers`
    that reads LRAT, by default the first installed one; InputError if it is not installed. NotRefuted if the proof fails; then
    there is no count.
    """
    chosen = ready_checker(checker, "lrat")
    look = on_look or (lambda text: None)
    check_place(wanted.folder, replaces=wanted.replaces)
    instance = make_instance(family, puzzle, encoding or family.counting.proving_encoding, **(options or {}))
    if instance.map.up_to:
        raise InputError(
            f"found a formula that leaves out solutions ({instance.map.up_to}): a certificate of a count needs all of them"
        )
    solutions = Solutions(
        CountRequest(
            family=family, puzzle=puzzle, instance=instance, engine=engine, jobs=jobs, raw=True,
            progress=lambda found: look(f"{found.engine}: {found.raw} solutions so far"),
        )
    )  # fmt: skip
    with doing("looking for all solutions"):
        found = list(solutions)
    if not solutions.count().complete:
        raise InputError(f"the search is not complete ({solutions.count().reason}), so there is nothing to prove")
    symmetry = None if raw else symmetry_of(instance)
    with doing("comparing the solutions with the formula"):
        listed = check_list(problem_of(instance), [each.true for each in found], permutations_of(instance))
        convention = symmetry.convention if symmetry and listed.symmetries else ""
    with ListProof(listed, state_folder(wanted.folder), chosen, jobs, keep, lambda proving: look(proving.progress())) as proving:
        with doing("proving that there are no others"):
            proving.run()
        with doing("writing the certificate"), Draft(wanted.folder, replaces=wanted.replaces) as draft:
            _write(PuzzleDraft(draft, wanted, family, puzzle), instance, proving, convention)
        proving.forget()
        leaves = len(proving.leaves())
    number = len(listed.orbits) if convention else len(listed.solutions)
    checked = Evidence(PROOF, f"{chosen.told}, {leaves} cubes and that they cover everything")
    return CertifiedCount(number, len(listed.solutions), convention, leaves, round(proving.cpu, 2), checked)


def _write(draft: PuzzleDraft, instance: Instance, proving: ListProof, convention: str) -> None:
    """The certificate."""
    told: ListedSolutions = proving.listed
    draft.formula(instance)
    decode, blocks = draft.family.decode, instance.map.blocks
    draft.all_boards([decode(draft.puzzle, blocks, shown(each, instance.projection)) for each in told.solutions])
    firsts = told.orbits if convention else told.solutions
    lines = []
    for first in firsts:
        true = shown(first, instance.projection)
        orbit = len(images(first, told.symmetries)) if convention else 1
        lines.append(board_line(draft.family, draft.puzzle, instance.map.blocks, true, orbit))
    draft.files.add(BOARDS, "".join(lines).encode())
    draft.programs += proving.write(draft.files)
    group = stated_group(instance, told.symmetries)
    draft.seal("count", instance.map, count=told.numbers(), convention=convention, symmetries=group)
