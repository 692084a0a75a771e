"""The 28 puzzles as claims: the size of the formula, one solution or several, and how many (`solutioncounts.py`,
`nearby.py`)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import cnfgen_puzzles as cp
from cnfgen_puzzles.pipeline.answer import BoardCount
from cnfgen_puzzles.pipeline.solve import pick_solver
from cnfgen_puzzles.solving.process import Limits
from studies.claims import Claim, Measured, Place, Study
from studies.nonogram_survey.nearby import nearby_claims
from studies.nonogram_survey.published import Published, published
from studies.nonogram_survey.solutioncounts import NOT_HERE, number_claims, puzzle_file
from studies.nonogram_survey.survey import sizes_of

SOURCE = "nonograms by SAT (article)"
SIZES_COUNTED = "variables and clauses of the encoding direct counted"
LONG = 15.0
"""The estimated seconds above which a time is measured only on request."""
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


TIME_SOLVER, TIME_LIMIT = "minisat-core", 120.0


def measure_time(puzzle: str, place: Place) -> Measured:
    """The CPU seconds of everything from the file to the first checked board, by the encoding of the article."""
    path = puzzle_file(puzzle, place)
    if path is None:
        return Measured(None, "", NOT_HERE)
    started = time.process_time()
    answer = cp.solve(cp.encode(cp.read(path, family="nonogram"), "direct"), solver=TIME_SOLVER, limits=Limits(cpu=TIME_LIMIT))
    seconds = (
        time.process_time()
        - started
        + sum(each.run.measurement.cpu for each in answer.searches if isinstance(each, cp.FormulaAnswer))
    )
    evidence = f"the first board by {TIME_SOLVER} and the encoding direct, checked against the rules; formula made in Python"
    if answer.board is None:
        return Measured(None, evidence, f"no board within {TIME_LIMIT:.0f} s: {answer.reason}")
    return Measured(f"{seconds:.3f} s", evidence)


def time_claims() -> Iterator[Claim]:
    for row in published():
        text, claimed = f"{row.puzzle}: seconds to the first board (article: i7-2600K)", f"{row.user_seconds:.3f} s"
        seconds = 0.2 + row.clauses / 300_000 + row.user_seconds
        measured = partial(measure_time, row.puzzle)
        yield Claim(f"nonogram-times/{row.puzzle}", SOURCE, text, claimed, measured, seconds, seconds > LONG, is_time=True)


def claim_of(row: Published) -> Claim:
    text = f"{row.puzzle}: size of the formula, and solutions"
    claimed = shown(row.variables, row.clauses, row.solutions)
    return Claim(
        f"nonograms/{row.puzzle}", SOURCE, text, claimed, partial(measure, row.puzzle), seconds=1 + row.clauses / 300_000
    )


CLAIMS = (*map(claim_of, published()), *time_claims(), *number_claims(), *nearby_claims())

STUDY = Study(
    "Nonograms",
    "For each puzzle of the survey: size of the article's formula, time of the article, one solution or several, and how many.",
    CLAIMS,
)
