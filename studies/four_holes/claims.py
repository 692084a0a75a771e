"""The claim that the pentominoes cover a chessboard without any four cells 'except in two cases', which the article draws but
does not describe: refuted by three counterexamples, and decided for every class."""

from __future__ import annotations

from collections import Counter

from studies.claims import Claim, Measured, Place, Study
from studies.four_holes.certificates import NAME, decide_classes
from studies.four_holes.classes import Holes, classes, has_bad_region, in_words, orbit
from studies.four_holes.decide import COVERED, REFUTED, REGION, SOLVER, refute
from studies.four_holes.verify import SECOND_SOLVER

SOURCE = "pentominoes by PySAT (article)"
UNEXPLAINED: tuple[Holes, ...] = ((1, 3, 17, 24), (2, 5, 16, 23), (2, 16, 47, 61))
"""Counterexamples that no region explains; each measurement refutes them again."""


def measure_classes(_: Place) -> Measured:
    found = classes()
    return Measured(
        f"{sum(len(orbit(holes)) for holes in found):,} hole sets, {len(found):,} up to symmetry", "all listed, with their orbits"
    )


def measure_unexplained(_: Place) -> Measured:
    """Measures only counterexamples: more than two refute the claim."""
    for holes in UNEXPLAINED:
        assert not has_bad_region(holes), holes
        for solver in (SOLVER, SECOND_SOLVER):
            refute(holes, solver)
    found = len({min(orbit(holes)) for holes in UNEXPLAINED})
    return Measured(
        f"at least {found} cases",
        f"each refuted by {SOLVER} and by {SECOND_SOLVER}, both proofs checked by drat-trim",
        f"no covering without the holes {'; or '.join(map(in_words, UNEXPLAINED))} (row,column)",
    )


def measure_all(place: Place) -> Measured:
    """Measures every class, with a certificate in the folder."""
    certificates = decide_classes(place.folder / NAME, classes(), place.jobs, quiet=True)
    number = Counter(certificate["verdict"] for certificate in certificates.values())
    never = number[REGION] + number[REFUTED]
    return Measured(
        f"except in {never:,} cases",
        f"all {len(certificates):,} classes decided: {number[COVERED]:,} boards checked against the rules, "
        f"{number[REGION]:,} regions, {number[REFUTED]} refuted by {SOLVER} with proofs checked by drat-trim",
        f"up to symmetry; {number[REGION]:,} cut off a region whose size is no multiple of five, {number[REFUTED]} do not",
    )


CLAIMS = (
    Claim(
        "four-holes/classes",
        "this project",
        "ways to remove four cells from the 8x8 board",
        "635,376 hole sets, 79,920 up to symmetry",
        measure_classes,
        seconds=10,
    ),
    Claim(
        "four-holes/unexplained",
        SOURCE,
        "coverings, not counting holes that cut off a region whose size is no multiple of five",
        "2 cases",
        measure_unexplained,
        seconds=20,
    ),
    Claim(
        "four-holes/all",
        SOURCE,
        "coverings",
        "except in 2 cases",
        measure_all,
        seconds=900,
        full=True,
    ),
)

STUDY = Study(
    "Four holes in the chessboard",
    "The article covers the chessboard without any four cells by the twelve pentominoes, and finds two exceptions.",
    CLAIMS,
)
