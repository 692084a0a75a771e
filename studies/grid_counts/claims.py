"""Simple cycles (Slitherlink), Hamiltonian cycles (Simple Loop), and Latin squares (Skyscrapers) as claims."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.counting.enginenames import CLASP
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.api import count
from studies.claims import Claim, Measured, Place, Study

COUNTER = "ganak"
MOST_LISTED = 10_000
"""The most boards that CLASP lists, too."""


def measure(name: str, sides: Sequence[int], claimed: Sequence[int], cells: str, place: Place) -> Measured:
    """Boards of blank puzzles of these sizes: by a model counter, and listed if they are few; the numbers must agree.

    `cells` stands for five blank cells in the URL, if blank cells are not left out.
    """
    found, evidence = [], f"{COUNTER} on the formula"
    for side, expected in zip(sides, claimed, strict=True):
        url = f"{name}/{side}/{side}/{cells * -(-side * side // 5)}\n"
        puzzle = find_family(name).read(Source("url", url.encode(), ""))
        numbers = {engine: count(puzzle, engine=engine, jobs=place.jobs).solutions for engine in engines(expected)}
        if len(set(numbers.values())) != 1:
            return Measured(None, "", f"{side} x {side}: {numbers}")
        found.append(numbers[COUNTER])
        if CLASP in numbers:
            evidence = f"{COUNTER} on the formula; up to {side} x {side} all boards listed by {CLASP} and checked"
    return Measured(shown(found), evidence)


def engines(expected: int) -> list[str]:
    return [COUNTER, *[CLASP] * (expected <= MOST_LISTED)]


def shown(numbers: Sequence[int]) -> str:
    return ", ".join(f"{number:,}" for number in numbers)


def _claim(key: str, source: str, text: str, name: str, numbers: dict[int, int], seconds: float, cells: str = "") -> Claim:
    sides, claimed = tuple(numbers), tuple(numbers.values())
    told = f"{text} of n x n for n = {', '.join(map(str, sides))}"
    return Claim(f"grid/{key}", source, told, shown(claimed), partial(measure, name, sides, claimed, cells), seconds)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "simple-cycles", "OEIS A140517", "simple cycles in grids (Slitherlink without clues)", "slither",
        {1: 1, 2: 13, 3: 213, 4: 9349, 5: 1222363}, 30.0,
    ),
    _claim(
        "hamiltonian-cycles", "OEIS A003763", "cycles through all cells of boards (Simple Loop, no black cells)", "simpleloop",
        {2: 1, 4: 6, 6: 1072}, 5.0, "0",
    ),
    _claim(
        "latin-squares", "OEIS A002860", "Latin squares (Skyscrapers without clues)", "skyscrapers",
        {1: 1, 2: 2, 3: 12, 4: 576, 5: 161280}, 15.0,
    ),
)  # fmt: skip

STUDY = Study(
    "Grid genres without clues",
    "Boards of grid puzzles without clues are objects that others have counted, on n x n cells.",
    CLAIMS,
)
