"""The census as claims. Counting needs numpy and numba, which are imported for measurements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from studies.claims import Claim, Measured, Place, Study
from studies.nonogram_census.pictures import Census, by_pictures, by_sorting

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCE = "OEIS A242876 (one solution; 6 x 6 as corrected in 2025); this project (clue pairs)"
LINES_SOURCE = "OEIS A391619; github.com/olligobber/LocalNonogram"
MISSING = "counting needs numpy and numba, which are not installed: pip install 'cnfgen-puzzles[counting]'"
ROW_BY_ROW = "row by row for each tuple of row clues, up to symmetry"


def measure_census(sides: Sequence[int], place: Place) -> Measured:
    """Counts picture by picture for small sizes, by sorting up to 5 x 5, and row by row; the numbers must agree."""
    try:
        from studies.nonogram_census.rowbyrow import census
    except ModuleNotFoundError:
        return Measured(None, "", MISSING)
    found, evidence = [], []
    for side in sides:
        ways = {ROW_BY_ROW: census(side, side, place.jobs)}
        if side <= 5:
            ways["clues of all pictures as numbers, sorted"] = by_sorting(side)
        if side <= 4:
            ways["clues of every picture read"] = by_pictures(side)
        if len(set(ways.values())) != 1:
            return Measured(None, "", f"{side} x {side}: {ways}")
        found.append(ways[ROW_BY_ROW])
        evidence = list(ways)
    return Measured(shown(found), "; ".join(reversed(evidence)) + (" (they agree)" if len(evidence) > 1 else ""))


def shown(found: Sequence[Census]) -> str:
    pairs, singles = (", ".join(f"{number:,}" for number in numbers) for numbers in zip(*found, strict=True))
    return (
        f"{pairs} clue pairs, {singles} with one solution" if len(found) == 1 else f"clue pairs {pairs}; one solution {singles}"
    )


def measure_lines(sides: Sequence[int], _: Place) -> Measured:
    """Tries line logic on the clues of every picture."""
    try:
        from studies.nonogram_census.bylines import line_solvable
    except ModuleNotFoundError:
        return Measured(None, "", MISSING)
    return Measured(", ".join(f"{line_solvable(side):,}" for side in sides), "line logic tried on the clues of every picture")


def _census(name: str, sides: Sequence[int], numbers: Sequence[tuple[int, int]], seconds: float, full: bool = False) -> Claim:
    text = f"clue pairs of {_told(sides)} nonograms, and those with one solution"
    claimed = shown([Census(*each) for each in numbers])
    return Claim(f"nonogram-census/{name}", SOURCE, text, claimed, partial(measure_census, sides), seconds, full)


def _lines(name: str, sides: Sequence[int], claimed: str, seconds: float) -> Claim:
    text = f"{_told(sides)} nonograms that line logic solves"
    return Claim(f"nonogram-census/{name}", LINES_SOURCE, text, claimed, partial(measure_lines, sides), seconds)


def _told(sides: Sequence[int]) -> str:
    return " to ".join(f"{side} x {side}" for side in dict.fromkeys((sides[0], sides[-1])))


SMALL = ((2, 2), (15, 14), (445, 384), (58_196, 52_362))

CLAIMS = (
    _census("up-to-4x4", (1, 2, 3, 4), SMALL, 4),
    _census("5x5", (5,), [(28_781_820, 25_309_575)], 8),
    _census("6x6", (6,), [(57_385_248_472, 49_745_060_669)], 240, full=True),
    _lines("line-logic-up-to-4x4", (1, 2, 3, 4), "2, 14, 384, 51,234", 2),
    _lines("line-logic-5x5", (5,), "24,976,511", 10),
)

STUDY = Study(
    "All small nonograms",
    "How many pairs of row and column clues a picture has, exactly one picture has, and line logic solves.",
    CLAIMS,
)
