"""Claims about windows of the 79 letters: which of them cannot be shorter, and which have no other filling.

Decided windows are kept in the folder of the claim.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.model import THIN
from cnfgen_puzzles.families.maze.puzzle import FREE, MazeString
from cnfgen_puzzles.families.maze.sets import mazes_of, verified
from cnfgen_puzzles.pipeline.cegar import CegarLoop
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from studies.claims import Claim, Measured, Place
from studies.maze_windows.methods import answers_to
from studies.maze_windows.questions import EXHAUSTIVE, LOOP, ONLY, REFUTED, Question, check_agreement
from studies.mazes.cases import PAGE_79, PUBLISHED, THIS_PROJECT
from studies.mazes.checkers import WINDOW

SIZE = "3x3"

LIMIT = 4 * 3600.0
"""The seconds of processor time for one way to free both ends."""


def _questions(offsets: Sequence[int], window: int, replace: int, folder: Path) -> list[Question]:
    """Settings of the search, which starts each window with the tuples of a near refuted one."""
    first = Question(PUBLISHED, 0, window, replace, THIN, SIZE, folder, EXHAUSTIVE, certify=True, near=True)
    return [dataclasses.replace(first, offset=offset) for offset in offsets]


def measure_windows(window: int, replace: int, place: Place) -> Measured:
    """Every window of this length, with fewer letters."""
    questions = _questions(range(len(PUBLISHED) - window + 1), window, replace, place.folder)
    answers = answers_to(questions, place.jobs, quiet=True)
    found = [answers[question.key] for question in questions]
    wrong = [answer for answer in found if answer["verdict"] == REFUTED and not answer["proof"]["verified"]]
    if wrong:
        return Measured(None, "", f"{WINDOW} refuses the certificate of the window at {wrong[0]['offset']}")
    number = Counter(answer["verdict"] for answer in found)
    value = ", ".join(f"{count} {verdict}" for verdict, count in number.items())
    return Measured(value, f"a certificate for each refuted window, checked by {WINDOW}")


def measure_refill(offset: int, window: int, place: Place) -> Measured:
    """All fillings of a window with as many letters, by two methods."""
    (question,) = _questions([offset], window, window, place.folder)
    both = [question, question.by(LOOP)]
    answers = answers_to(both, quiet=True)
    check_agreement(both, answers)
    if any(not answers[each.key]["complete"] for each in both):
        return Measured(None, "", "a search for all fillings is not finished")
    others = [string for string in answers[question.key]["found"] if string != PUBLISHED]
    evidence = (
        f"all fillings listed by the exhaustive search and by the CEGAR loop ({answers[both[1].key]['solver']}), which agree"
    )
    return Measured(f"{len(others)} others" if others else ONLY, evidence)


def measure_both_ends(count: int, place: Place) -> Measured:
    """Frees letters at both ends, with one letter less at one of them, by the CEGAR loop."""
    proofs = []
    for front, back in ((count - 1, count), (count, count - 1)):
        pattern = FREE * front + PUBLISHED[count:-count] + FREE * back
        puzzle, state = MazeString(mazes_of(THIN, SIZE), pattern), place.folder / f"{front}-{back}"
        loop = CegarLoop(find_family("maze"), puzzle, limits=Limits(cpu=LIMIT), state=state)
        string = next(map(str, loop.boards()), None)
        if string is not None:
            return Measured(f"a string of {len(string)} letters", f"{verified(THIN, SIZE, string)}, simulated on every maze")
        if loop.status != UNSATISFIABLE:
            return Measured(None, "", f"{front} letters at the start and {back} at the end: {loop.reason or loop.status}")
        proof = loop.certify(Limits(), checker="drat-trim").proof
        if proof is None or not proof.verified:
            return Measured(
                None, "", f"{front} letters at the start and {back} at the end: {proof.reason if proof else 'no proof'}"
            )
        proofs.append(f"{front} + {back} letters by {len(loop.refinement.added)} mazes")
    return Measured(REFUTED, f"the loop's formulas ({'; '.join(proofs)}) refuted again, proofs checked by drat-trim")


CLAIMS = (
    Claim(
        "maze-windows/26-by-25",
        PAGE_79,
        "no 26 consecutive letters of the 79 can be replaced by 25",
        f"54 {REFUTED}",
        partial(measure_windows, 26, 25),
        seconds=6700,
        full=True,
    ),
    Claim(
        "maze-windows/both-ends",
        PAGE_79,
        "nor 13 letters at one end by 12 and 13 at the other by 13",
        REFUTED,
        partial(measure_both_ends, 13),
        seconds=2 * LIMIT,
        full=True,
    ),
    Claim(
        "maze-windows/refill-10",
        THIS_PROJECT,
        "fillings of the 10 letters at 30, as many letters",
        ONLY,
        partial(measure_refill, 30, 10),
        seconds=8,
    ),
    Claim(
        "maze-windows/refill-15",
        THIS_PROJECT,
        "fillings of the 15 letters at 30, as many letters",
        ONLY,
        partial(measure_refill, 30, 15),
        seconds=15,
    ),
)
