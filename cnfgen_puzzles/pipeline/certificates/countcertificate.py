"""Certificates of counts: all boards of a puzzle, and a proof that there are no others.

    found = certify_count(CountRequest(family=family, puzzle=puzzle), CertificateOrder(Path("65.certificate")))
    found.sentence()            # 65 solutions up to the 8 symmetries of board and pieces; 520 in all. No others (...)

An engine finds the solutions. You do not have to trust it, because `counting.proving` proves that the list is complete, for a
formula that leaves out no solutions. `claims` has the text of the claim. An interrupted or killed process resumes from its state.
"""

from __future__ import annotations

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.counting.proving.cubes import ListProof, check_list, state_folder
from cnfgen_puzzles.evidence.certificate import Draft, check_place
from cnfgen_puzzles.evidence.evidence import PROOF, Evidence
from cnfgen_puzzles.evidence.proofs import ready_checker
from cnfgen_puzzles.pipeline.certificates.certify import PuzzleDraft, formula_files, list_files
from cnfgen_puzzles.pipeline.certificates.claims import permutations_of, stated_group
from cnfgen_puzzles.pipeline.count import Count, Solutions, problem_of
from cnfgen_puzzles.pipeline.instance import Instance, make_instance, symmetry_of
from cnfgen_puzzles.pipeline.request import CertificateOrder, CountRequest


def certify_count(request: CountRequest, wanted: CertificateOrder, *, keep: bool = False, checker: str | None = None) -> Count:
    """Find all solutions, prove that there are no others, and write the certificate.

    The request gives the puzzle, its encoding with options, the engine, and the number of jobs; with `raw`, symmetric solutions
    count separately. `keep` includes the proofs of the cubes. `checker` is one of `evidence.checkers` that reads LRAT, by default
    the first installed one; InputError if it is not installed. NotRefuted if the proof fails; then there is no count.
    """
    family, puzzle, jobs = request.family, request.puzzle, request.jobs
    chosen = ready_checker(checker, "lrat")
    check_place(wanted.folder, replaces=wanted.replaces)
    instance = make_instance(family, puzzle, request.encoding or family.counting.proving_encoding, **request.options)
    if instance.map.up_to:
        raise InputError(
            f"found a formula that leaves out solutions ({instance.map.up_to}): a certificate of a count needs all of them"
        )
    every = CountRequest(family=family, puzzle=puzzle, instance=instance, engine=request.engine, jobs=jobs, raw=True)
    solutions = Solutions(every)
    with doing("looking for all solutions"):
        found = list(solutions)
    if not solutions.count().complete:
        raise InputError(f"the search is not complete ({solutions.count().reason}), so there is nothing to prove")
    symmetry = None if request.raw else symmetry_of(instance)
    with doing("comparing the solutions with the formula"):
        listed = check_list(problem_of(instance), [each.true for each in found], permutations_of(instance))
        convention = symmetry.convention if symmetry and listed.symmetries else ""
    with ListProof(listed, state_folder(wanted.folder), chosen, jobs, keep) as proving:
        with doing("proving that there are no others"):
            proving.run()
        with doing("writing the certificate"), Draft(wanted.folder, replaces=wanted.replaces) as draft:
            _write(PuzzleDraft(draft, wanted, family, puzzle), instance, proving, convention)
        proving.forget()
        leaves = len(proving.leaves())
    number = len(listed.orbits) if convention else len(listed.solutions)
    checked = Evidence(PROOF, f"{chosen.title}, {leaves} cubes and that they cover everything")
    return Count(number, len(listed.solutions), convention, cpu=round(proving.cpu, 2), evidence=checked, cubes=leaves)


def _write(draft: PuzzleDraft, instance: Instance, proving: ListProof, convention: str) -> None:
    """The certificate."""
    listed = proving.listed
    draft.add(formula_files(instance))
    draft.add(list_files(instance, listed.solutions, listed.symmetries if convention else ()))
    draft.programs += proving.write(draft.files)
    group = stated_group(instance, listed.symmetries)
    draft.seal("count", instance.map, count=listed.numbers(), convention=convention, symmetries=group)
