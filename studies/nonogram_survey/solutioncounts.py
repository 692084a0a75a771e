"""The numbers of solutions of those of the 28 puzzles that have several, if model counters can count them.

There is no other source for these numbers; this project counted them, by two counters that agree. Other sources only claim that
there are several.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cnfgen_puzzles as cp
from cnfgen_puzzles.counting.enginenames import BOTH
from studies.claims import Claim, Measured, Place
from studies.nonogram_survey.survey import SHIPPED

SOURCE = "this project; no other source is known"
NOT_HERE = "the puzzle cannot be redistributed; PUZZLES=FOLDER includes your copy"
FEW = 10_000
"""The most solutions that are also listed."""


@dataclass(frozen=True)
class Several:
    """The number of solutions of a puzzle, and the approximate seconds of both counters on one core."""

    puzzle: str
    number: int
    seconds: float


COUNTED = (
    Several("webpbn-02556", 1_263_904, 13),
    Several("webpbn-06739", 6, 7),
    Several("webpbn-10810", 5_222_571_924_721_419, 12),
    Several("webpbn-18297", 3, 95),
)
"""For the puzzles 02712, 09892, 10088, 12548, and 22336, see `nearby.py`."""


def puzzle_file(puzzle: str, place: Place) -> Path | None:
    """The file of the puzzle: the user's copy, or the copy in the project."""
    folders = [folder for folder in (place.puzzles, SHIPPED) if folder]
    return next((path for folder in folders if (path := folder / f"{puzzle}.nin").exists()), None)


def measure_number(puzzle: str, place: Place) -> Measured:
    """Counts by two model counters; if there are few solutions, all are also enumerated."""
    path = puzzle_file(puzzle, place)
    if path is None:
        return Measured(None, "", NOT_HERE)
    instance = cp.encode(cp.read(path, family="nonogram"), "order")
    found = cp.count(instance, engine=BOTH)
    if not found.complete:
        return Measured(None, "", found.reason)
    evidence = f"counted by {found.engine}, which agree"
    if found.solutions <= FEW:
        listed = cp.count(instance, engine="clasp")
        if (listed.complete, listed.solutions) != (True, found.solutions):
            return Measured(None, evidence, f"{listed.engine} lists {listed.solutions}")
        evidence += f"; and all boards found by {listed.engine}, each checked against the rules"
    return Measured(shown(found.solutions), evidence)


def shown(number: int) -> str:
    return f"{number:,} solutions"


def number_claims() -> Iterator[Claim]:
    """A claim for each puzzle."""
    for each in COUNTED:
        text, measure = f"{each.puzzle}: number of solutions", partial(measure_number, each.puzzle)
        yield Claim(f"nonogram-counts/{each.puzzle}", SOURCE, text, shown(each.number), measure, each.seconds, full=True)
