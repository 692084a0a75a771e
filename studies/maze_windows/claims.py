"""Claims about windows of the 79 letters: which of them cannot be shorter, and which have no other filling.

Decided windows are kept in the folder of the claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from cnfgen_puzzles.families.maze.model import THIN
from cnfgen_puzzles.families.maze.puzzle import FREE
from studies.claims import Claim, Measured, Place, Study
from studies.maze_windows.methods import answers_to
from studies.maze_windows.questions import EXHAUSTIVE, LOOP, ONLY, OPEN, REFUTED, Question, check_agreement, opened
from studies.mazes.cases import PAGE_79, PUBLISHED, THIS_PROJECT, verified
from studies.mazes.checkers import WINDOW
from studies.mazes.cubes import Entry

SIZE = "3x3"


def _asked(patterns: Iterable[tuple[int, str]], folder: Path) -> list[Question]:
    """Settings of the search, which starts each window with the tuples of a near refuted one."""
    return [Question(PUBLISHED, *each, THIN, SIZE, folder, EXHAUSTIVE, certify=True, near=True) for each in patterns]


def _refutations(questions: list[Question], place: Place) -> tuple[list[Entry], str]:
    """The answers; and why they decide nothing, if one is open or the checker refuses a refutation."""
    answers = answers_to(questions, place.jobs, quiet=True)
    found = [answers[question.key] for question in questions]
    wrong = (answer["pattern"] for answer in found if answer["verdict"] == REFUTED and not answer["proof"]["verified"])
    undecided = (f"{answer['pattern']}: {answer['reason']}" for answer in found if answer["verdict"] == OPEN)
    return found, next((f"{WINDOW} refuses the certificate of {pattern}" for pattern in wrong), next(undecided, ""))


def measure_windows(window: int, replace: int, place: Place) -> Measured:
    """Every window of this length, with fewer letters."""
    windows = ((offset, opened(PUBLISHED, offset, window, replace)) for offset in range(len(PUBLISHED) - window + 1))
    found, undecided = _refutations(_asked(windows, place.folder), place)
    if undecided:
        return Measured(None, "", undecided)
    number = Counter(answer["verdict"] for answer in found)
    value = ", ".join(f"{count} {verdict}" for verdict, count in number.items())
    return Measured(value, f"a certificate for each refuted window, checked by {WINDOW}")


def measure_refill(offset: int, window: int, place: Place) -> Measured:
    """All fillings of a window with as many letters, by two methods."""
    (question,) = _asked([(offset, opened(PUBLISHED, offset, window, window))], place.folder)
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
    """Frees letters at both ends, with one letter less at one of them."""
    middle = PUBLISHED[count:-count]
    patterns = [FREE * (count - 1) + middle + FREE * count, FREE * count + middle + FREE * (count - 1)]
    found, undecided = _refutations(_asked([(0, pattern) for pattern in patterns], place.folder), place)
    if undecided:
        return Measured(None, "", undecided)
    strings = [string for answer in found for string in answer["found"]]
    if strings:
        return Measured(f"a string of {len(strings[0])} letters", f"{verified(THIN, SIZE, strings[0])}, simulated on every maze")
    told = "; ".join(f"{answer['mazes']} mazes and {answer['states']:,} joint states" for answer in found)
    return Measured(REFUTED, f"a certificate for each of the two patterns ({told}), checked by {WINDOW}")


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
        seconds=120,
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

STUDY = Study(
    "Windows of the 79 letters",
    "Letters of the shortest known string for thin 3x3 mazes, replaced by fewer or by other letters.",
    CLAIMS,
)
