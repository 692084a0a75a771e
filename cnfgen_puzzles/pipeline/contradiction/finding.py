"""Which of the things that a puzzle gives contradict the rest of it: `contradiction(family, puzzle)`.

An incremental solver looks for sets (`sets`). Then nothing rests on its word that need not: every board by which a set is minimal
was checked against the rules of the puzzle with that much given, and that all the sets contradict is shown by one more run of a
solver, on the puzzle's formula where one of the sets is given whole: its proof is checked as that of any answer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.evidence.basis import WORD, Evidence
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.families.capabilities import Given
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.contradiction.result import ContradictingSet, Contradiction
from cnfgen_puzzles.pipeline.contradiction.sets import INTERRUPTED, ContradictingSets, contradicting
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.refine import default_solver
from cnfgen_puzzles.pipeline.solve import (
    CHECK_FACTOR,
    CHECK_SECONDS,
    Outcome,
    argued,
    checked_board,
    pick_solver,
    solve,
)
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.session import open_session
from cnfgen_puzzles.solving.table import Solver


def contradiction(
    family: Family,
    puzzle: Puzzle,
    encoding: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    solver: str | None = None,
    limits: Limits | None = None,
    proof: bool = True,
    checker: str | None = None,
) -> Contradiction | None:
    """Which of the things given contradict, found within `limits` (for the search, and once more for the proof) or until Ctrl-C;
    None where the puzzle gives nothing, or its family does not tell what.

    `solver` is that of the proof, by its name (None: the best that writes proofs); without `proof` all rests on the word of the
    incremental solver.
    """
    if family.givens is None or not family.givens.count(puzzle):
        return None
    bare = family.givens.only(puzzle, ())
    if (outcome := argued(family, bare, encoding)) is not None:
        return Contradiction(family, puzzle, UNSATISFIABLE, evidence=outcome.evidence)
    instance = make_instance(family, bare, encoding, **(options or {}))
    told = family.givens.told(puzzle, instance.map.blocks)
    name = default_solver()
    with doing(f"looking for the {family.givens.name}s that contradict"), open_session(name, limits) as session:
        session.add_flat(instance.cnf.literals)
        modelled = _Checked(family, puzzle, instance)
        found = contradicting(session, [given.literals for given in told], modelled)
    alone = SATISFIABLE if found.alone is not None else UNSATISFIABLE if found.refuted else UNKNOWN
    rest = None if found.rest is None else checked_board(family, bare, instance.map, found.rest)
    sets = tuple(
        ContradictingSet(tuple(told[place] for place in places), places, minimal)
        for places, minimal in zip(found.sets, found.minimal, strict=True)
    )
    evidence = Evidence(WORD, name.removeprefix("bin:"))
    if proof and found.reason != INTERRUPTED and (sets or found.refuted):
        evidence = _proved(instance, told, found, solver, limits, checker) or evidence
    return Contradiction(family, puzzle, alone, sets, rest, evidence, found.reason, found.reason == INTERRUPTED)


class _Checked:
    """Decodes what a model stands for, and holds it against the rules with what is given in it: BrokenBoard otherwise."""

    def __init__(self, family: Family, puzzle: Puzzle, instance: Instance):
        self.family, self.puzzle, self.instance = family, puzzle, instance

    def __call__(self, model: Sequence[int], places: Collection[int]) -> None:
        assert self.family.givens is not None
        checked_board(self.family, self.family.givens.only(self.puzzle, set(places)), self.instance.map, model)


def _proved(
    instance: Instance,
    told: Sequence[Given],
    found: ContradictingSets,
    solver: str | None,
    limits: Limits | None,
    checker: str | None,
) -> Evidence | None:
    """What it rests on that the sets contradict, by a run of their own; None where that decides nothing within the limits."""
    if (chosen := _prover(solver)) is None:
        return None
    outcome = solve(instance, chosen, limits=limits, checker=checker, cnf=any_whole(instance.cnf, told, found))
    if outcome.status == SATISFIABLE:
        raise CnfgenError(f"{outcome.run.solver.name} satisfies what was found to contradict: one of the solvers is wrong")
    return outcome.evidence if outcome.status == UNSATISFIABLE else None


def _prover(name: str | None) -> Solver | None:
    """The solver of that name; else the best that writes proofs, else the best, None where there is none."""
    if name is not None:
        return pick_solver(name)
    for proof in (True, False):
        with contextlib.suppress(InputError):
            return pick_solver(proof=proof)
    return None


def any_whole(cnf: Cnf, told: Sequence[Given], found: ContradictingSets) -> Cnf:
    """The formula and that one of the sets holds whole: a new variable each, which implies its literals. Where the formula is
    refuted alone, only the formula."""
    if found.refuted:
        return cnf
    clauses = [list(range(cnf.num_variables + 1, cnf.num_variables + 1 + len(found.sets)))]
    for chosen, places in zip(clauses[0], found.sets, strict=True):
        clauses += [[-chosen, literal] for place in places for literal in told[place].literals]
    flat = cnf.literals[:]
    for clause in clauses:
        flat.extend([*clause, 0])
    return Cnf(cnf.num_variables + len(found.sets), cnf.num_clauses + len(clauses), flat)


def told_of(outcome: Outcome, settings: dict[str, Any], seconds: float) -> Outcome:
    """An outcome that there is no board, with what of the puzzle contradicts; others as they are.

    Where the settings limit neither time, it takes CHECK_SECONDS at most, or CHECK_FACTOR times the `seconds` of the solving.
    """
    if outcome.status != UNSATISFIABLE:
        return outcome
    how = {name: settings[name] for name in ("options", "proof", "checker") if name in settings}
    limits = bounded(settings.get("limits"), seconds)
    try:
        found = contradiction(outcome.family, outcome.puzzle, outcome.encoding, limits=limits, **how)
    except InputError as error:  # an argument decided it, and there is no solver at all
        found = Contradiction(outcome.family, outcome.puzzle, UNKNOWN, reason=error.message)
    return replace(outcome, contradiction=found)


def bounded(limits: Limits | None, seconds: float) -> Limits:
    """The limits, with a bound on time where they have none: what was solved in so many `seconds` is worth so much explaining."""
    limits = limits or Limits()
    if limits.cpu is not None or limits.wall is not None:
        return limits
    within = max(CHECK_SECONDS, CHECK_FACTOR * seconds)
    return replace(limits, cpu=within, wall=within)
