"""The numbers of solutions of n queens, the largest peaceable armies of queens, and how many largest armies there are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.enginenames import BLOCKING, CLASP, COVER
from studies.claims import Claim, Measured, Place, Study
from studies.queens.boards import PEACEABLE, QUEENS

COUNTER, SOLVER = "ganak", "cadical"


def numbered(numbers: Sequence[int]) -> str:
    return ", ".join(f"{number:,}" for number in numbers)


# -- solutions ----------------------------------------------------------------------------------------------------------


def solutions(puzzle: cp.Puzzle, engines: Sequence[str], jobs: int) -> tuple[int, int]:
    """All solutions, and those up to symmetry, by each of the engines, which must agree."""
    found = {engine: cp.count(puzzle, engine=engine, jobs=jobs) for engine in engines}
    numbers = {(each.raw, each.solutions) for each in found.values() if each.complete}
    if len(numbers) != 1 or not all(each.complete for each in found.values()):
        raise CnfgenError(f"{puzzle}: {found}, expected the same complete counts")
    return numbers.pop()


def measure_queens(sizes: Sequence[int], place: Place) -> Measured:
    """By ganak (with orbits under the symmetries), clasp, and the exact-cover search; the last two check boards."""
    found = [solutions(QUEENS.puzzle(n, n), (COUNTER, CLASP, COVER), place.jobs) for n in sizes]
    evidence = (
        f"{COUNTER} on the formula; a board of each class found by {CLASP} and by {COVER}, each checked against the rules; "
        "total: the sum of the sizes of the classes"
    )
    return Measured(said(found), evidence)


def measure_armies(sizes: Sequence[int], place: Place) -> Measured:
    found = [solutions(PEACEABLE.puzzle(n, n, count=LARGEST[n]), (CLASP, BLOCKING), place.jobs)[1] for n in sizes]
    return Measured(numbered(found), f"a board of each class found by {CLASP} and by {BLOCKING}, each checked against the rules")


def said(found: Sequence[tuple[int, int]]) -> str:
    return f"{numbered([raw for raw, _ in found])} and {numbered([classes for _, classes in found])}"


# -- the largest armies -------------------------------------------------------------------------------------------------


def measure_largest(sizes: Sequence[int], place: Place) -> Measured:
    """For each size, armies of m queens each and a checked proof that there are none of m + 1, and so none of more: armies stay
    peaceable if queens are removed. The proofs use no symmetry."""
    found, checkers = [], set()
    for n in sizes:
        m = 0
        while True:
            outcome = cp.solve(PEACEABLE.puzzle(n, n, count=m + 1), solver=SOLVER, certify=True)
            if outcome.status is cp.Status.UNSATISFIABLE and outcome.proof and outcome.proof.verified:
                break
            if outcome.status is not cp.Status.SATISFIABLE:
                return Measured(None, "", f"{n} x {n}, {m + 1} queens: {outcome.status} {outcome.reason}")
            m += 1  # the board was checked
        found.append(m)
        checkers.add(outcome.proof.by)
    proofs = f"proof of {SOLVER} without symmetry breaking, checked by {' and '.join(sorted(checkers))}"
    return Measured(numbered(found), f"boards with so many queens, checked against the rules; one more is impossible: {proofs}")


# -- the claims ---------------------------------------------------------------------------------------------------------

ALL = dict(enumerate((1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712), 1))
CLASSES = dict(enumerate((1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233), 1))
LARGEST = dict(enumerate((0, 0, 1, 2, 4, 5, 7, 9, 12), 1))
ARMIES = dict(enumerate((1, 1, 1, 10, 3, 35, 19, 71), 1))


def _of_sizes(sizes: Sequence[int]) -> str:
    return f"on n x n boards for n = {sizes[0]}" + f" to {sizes[-1]}" * (len(sizes) > 1)


def _queens(key: str, sizes: Sequence[int], seconds: float, full: bool = False) -> Claim:
    text = f"placements of n queens {_of_sizes(sizes)}: in all, and up to symmetry"
    claimed = said([(ALL[n], CLASSES[n]) for n in sizes])
    return Claim(f"queens/{key}", "OEIS A000170, A002562", text, claimed, partial(measure_queens, sizes), seconds, full)


def _largest(key: str, sizes: Sequence[int], seconds: float, full: bool = False) -> Claim:
    text = f"largest peaceable armies of queens {_of_sizes(sizes)}: queens of each color"
    claimed = numbered([LARGEST[n] for n in sizes])
    return Claim(f"queens/{key}", "OEIS A250000", text, claimed, partial(measure_largest, sizes), seconds, full)


def _armies(key: str, sizes: Sequence[int], seconds: float, full: bool = False) -> Claim:
    text = f"pairs of largest peaceable armies {_of_sizes(sizes)}, up to symmetry and exchange of colors"
    claimed = numbered([ARMIES[n] for n in sizes])
    return Claim(f"queens/{key}", "OEIS A260680", text, claimed, partial(measure_armies, sizes), seconds, full)


CLAIMS: tuple[Claim, ...] = (
    _queens("n-queens-up-to-10", range(4, 11), 20.0),
    _queens("n-queens-up-to-13", range(11, 14), 60.0, full=True),
    _largest("peaceable-up-to-7", range(1, 8), 5.0),
    _largest("peaceable-8", [8], 15.0, full=True),
    _largest("peaceable-9", [9], 300.0, full=True),
    _armies("armies-up-to-6", range(1, 7), 6.0),
    _armies("armies-7", [7], 30.0, full=True),
    _armies("armies-8", [8], 200.0, full=True),
)

STUDY = Study(
    "Queens",
    "The number of ways to place n queens that do not attack each other, and the largest m for which m white and m black queens "
    "do not attack across colors.",
    CLAIMS,
)
