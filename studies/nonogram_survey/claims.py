"""The 28 puzzles as claims: the size of the formula, one solution or several, and how many (`solutioncounts.py`,
`nearby.py`)."""

from __future__ import annotations

from functools import partial

import cnfgen_puzzles as cp
from cnfgen_puzzles.pipeline.answer import BoardCount
from cnfgen_puzzles.pipeline.solve import pick_solver
from studies.claims import Claim, Measured, Place, Study
from studies.nonogram_survey.nearby import nearby_claims
from studies.nonogram_survey.published import Published, published
from studies.nonogram_survey.solutioncounts import NOT_HERE, number_claims, puzzle_file
from studies.nonogram_survey.survey import sizes_of

SOURCE = "nonograms by SAT (article)"
SIZES_COUNTED = "variables and clauses of the encoding direct counted"
SOLUTIONS: dict[str, str] = {BoardCount.ONE: "one solution", BoardCount.SEVERAL: "several solutions"}


def measure(puzzle: str, place: Place) -> Measured:
    """Sizes by `direct`, the encoding of the article; solutions by `order`, with a proof if there is no second one."""
    path = puzzle_file(puzzle, place)
    if path is None:
        return Measured(None, "", NOT_HERE)
    variables, clauses = sizes_of(path)
    solver = pick_solver(proof=True)
    answer = cp.unique(
        cp.encode(cp.read(path, family="nonogram"), "order"), solver=solver.name, certify=True, checker="drat-trim"
    )
    last = answer.searches[-1]
    if answer.verdict == BoardCount.SEVERAL:
        evidence = f"two boards found by {solver.name}, both checked against the rules"
    elif last.proof is not None and last.proof.verified:
        board = "a board checked against the rules; " if answer.verdict == BoardCount.ONE else ""
        evidence = f"{board}no other solution: {solver.name}, proof checked by drat-trim"
    else:
        return Measured(None, SIZES_COUNTED, f"{solver.name}: {last.status}, proof {last.proof and last.proof.reason}")
    return Measured(shown(variables, clauses, answer.verdict), f"{SIZES_COUNTED}; {evidence}")


def shown(variables: int, clauses: int, verdict: str) -> str:
    return f"{variables} variables, {clauses} clauses; {SOLUTIONS.get(verdict, verdict)}"


def claim_of(row: Published) -> Claim:
    text = f"{row.puzzle}: size of the formula, and solutions"
    claimed = shown(row.variables, row.clauses, row.solutions)
    return Claim(
        f"nonograms/{row.puzzle}", SOURCE, text, claimed, partial(measure, row.puzzle), seconds=1 + row.clauses / 300_000
    )


CLAIMS = (*map(claim_of, published()), *number_claims(), *nearby_claims())

STUDY = Study(
    "Nonograms",
    "For each puzzle of the survey: size of the article's formula, one solution or several, and how many.",
    CLAIMS,
)
