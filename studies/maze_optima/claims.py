"""Claims about shortest maze strings: the optima of small grids, and bounds for others.

The searches need numpy, which is imported only for measurements.
"""

from __future__ import annotations

import json
from functools import partial

from cnfgen_puzzles.families.maze.model import BLOCKED, LETTERS, THIN
from cnfgen_puzzles.families.maze.sets import mazes_of
from cnfgen_puzzles.solving.executors import open_executor
from studies.claims import Claim, Measured, Place, Study
from studies.maze_optima.known import BOUNDS, TABLE, KnownBounds, KnownCase
from studies.mazes.cases import PAGE_BLOCKED, THIS_PROJECT
from studies.mazes.checkers import CERTIFICATE, CUBES, STRING, checked

SECONDS = {f"{THIN} 3x2": 150.0, f"{BLOCKED} 4x4": 160.0, f"{BLOCKED} 4x3": 8.0}
"""Estimates for cases that take longer than `USUAL`."""

USUAL, LONG = 3.0, 20.0
MAZES = 474
"""The blocked 4x4 mazes of an earlier refutation of 28 letters."""
TRANSPOSED = str.maketrans("NWES", "WNSE")


def _value(known: KnownCase, instances: int | None, strings: int | None) -> str:
    begin = "" if known.first == LETTERS else f" that begin with {' or '.join(known.first)}"
    counted = "" if strings is None else f", {strings} strings{begin}"
    return f"{instances:,} mazes, {known.optimum} letters{counted}"


def measure_optimum(known: KnownCase, place: Place) -> Measured:
    """Both directions of an optimum, with a certificate in the folder."""
    from studies.maze_optima.decisions import Exhaustive
    from studies.maze_optima.tables import searched

    compared = searched(known, Exhaustive(place.folder))
    if compared.below.strings:
        return Measured(f"a string of {known.optimum - 1} letters", f"{STRING} walked {compared.below.strings[0]}")
    evidence = f"{CERTIFICATE}: {compared.below.said}"
    if not compared.found.strings:
        return Measured(f"no string of {known.optimum} letters", f"{CERTIFICATE}: {compared.found.said}")
    evidence += f"; {STRING} simulated the strings on every maze"
    if compared.strings is not None:
        evidence += "; the exhaustive search found no others (not independently verified)"
    return Measured(_value(known, compared.instances, compared.strings), evidence)


def measure_by_cubes(kind: str, size: str, length: int, place: Place) -> Measured:
    """No string of a length, by SAT; decided cubes are kept."""
    from studies.maze_optima.campaign import LengthSettings
    from studies.maze_optima.decisions import ByCubes

    settings = LengthSettings(effort=30.0)
    with open_executor(jobs=place.jobs) as executor:
        method = ByCubes(place.folder, settings, executor, ahead=place.jobs + 1, recheck=3)
        decision = method.decide(mazes_of(kind, size), length)
    if decision.strings:
        return Measured(f"a string of {length} letters", f"{STRING} walked {decision.strings[0]}")
    told = f"{decision.work['refuted']} cubes refuted by {settings.solver}, each proof checked by drat-trim when it was made"
    return Measured(f"no string of {length} letters", f"{told}; {CUBES}: {decision.said}")


def measure_bounds(bounds: KnownBounds, place: Place) -> Measured:
    """The stored certificate and the string, checked."""
    below = checked(CERTIFICATE, bounds.certificate).certain()
    walked = checked(STRING, bounds.kind, bounds.size, bounds.string).certain()
    if f"no string of {bounds.least - 1} letters solves all {bounds.kind} {bounds.size} mazes" not in below.claim:
        return Measured(None, "", f"{bounds.certificate} is about another case: {below.claim}")
    return Measured(f"{bounds.least} to {len(bounds.string)} letters", f"{CERTIFICATE}: {below.claim}; {STRING}: {walked.said}")


def measure_blocked(what: str, place: Place) -> Measured:
    """For blocked 4x4 mazes: the number of shortest `strings`, or of `mazes` that refute 28 letters."""
    from studies.maze_optima.decisions import Exhaustive

    method, mazes = Exhaustive(place.folder), mazes_of(BLOCKED, "4x4")
    below = method.decide(mazes, 28)
    if below.strings or below.file is None:
        return Measured(None, "", f"no refutation of 28 letters: {below.said}")
    if what == "mazes":
        used = json.loads(below.file.read_text(encoding="utf-8"))["mazes"]
        why = "the certificate of this project needs only these, so 474 suffice, too" if len(used) < MAZES else ""
        return Measured(f"{len(used)} mazes", f"{CERTIFICATE}: {below.said}", why)
    found = method.decide(mazes, 29, True, below.bounds)
    strings = set(found.strings)
    classes = {min(each, each.translate(TRANSPOSED)) for each in strings}
    if not all(each.translate(TRANSPOSED) in strings for each in strings):
        return Measured(None, "", "the transposed string of one is missing")
    evidence = f"{STRING} simulated the strings on every maze; the exhaustive search found no others (not independently verified)"
    return Measured(f"{len(strings)} strings, {len(classes)} up to transposition", evidence)


def _claim(known: KnownCase) -> Claim:
    seconds = SECONDS.get(known.case, USUAL)
    return Claim(
        f"maze-optima/{known.kind}-{known.size}",
        PAGE_BLOCKED if known.optimum == 29 else THIS_PROJECT,
        f"the shortest string that solves all {known.case} mazes",
        _value(known, known.instances, known.strings),
        partial(measure_optimum, known),
        seconds,
        full=seconds > LONG,
    )


CLAIMS = (
    *map(_claim, TABLE),
    *(
        Claim(
            f"maze-optima/{bounds.kind}-{bounds.size}-bounds",
            THIS_PROJECT,
            f"the shortest string that solves all {bounds.kind} {bounds.size} mazes",
            f"{bounds.least} to {len(bounds.string)} letters",
            partial(measure_bounds, bounds),
            bounds.seconds,
            full=bounds.seconds > LONG,
        )
        for bounds in BOUNDS
    ),
    *(
        Claim(f"maze-optima/blocked-4x4-{what}", THIS_PROJECT, text, claimed, partial(measure_blocked, what), 160.0, full=True)
        for what, text, claimed in (
            ("strings", "the shortest strings for blocked 4x4 mazes", "34 strings, 17 up to transposition"),
            ("mazes", "blocked 4x4 mazes that suffice to refute 28 letters", f"{MAZES} mazes"),
        )
    ),
    Claim(
        "maze-optima/blocked-4x4-by-sat",
        PAGE_BLOCKED,
        "no string of 28 letters solves all blocked 4x4 mazes, by SAT",
        "no string of 28 letters",
        partial(measure_by_cubes, BLOCKED, "4x4", 28),
        seconds=1000,
        full=True,
    ),
)

STUDY = Study(
    "Shortest strings of small mazes",
    "The length of a shortest string that solves all mazes of a grid, and the number of these strings.",
    CLAIMS,
)
