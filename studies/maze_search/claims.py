"""Claims about the best known string for thin 3x3."""

from __future__ import annotations

from cnfgen_puzzles.families.maze.model import THIN
from cnfgen_puzzles.families.maze.sets import NO_STEP, mazes_of
from studies.claims import Claim, Measured, Place, Study
from studies.maze_reductions.counts import effects_of
from studies.mazes.cases import PAGE_79, PUBLISHED
from studies.mazes.checkers import STRING, checked

SIZE = "3x3"


def measure(_: Place) -> Measured:
    """Measures by bit-parallel simulation of all mazes, and by the checker, which simulates one maze after the other."""
    failed = mazes_of(THIN, SIZE, NO_STEP).unsolved(PUBLISHED)
    if failed:
        return Measured(f"fails in {len(failed):,} mazes", "simulated on all mazes")
    walked = checked(STRING, THIN, SIZE, PUBLISHED).certain()
    exits = effects_of(THIN, SIZE, NO_STEP)[0].left
    return Measured(f"solves all {exits:,}", f"simulated on all mazes; {STRING}: {walked.said.partition(': ')[2]}")


CLAIMS = (
    Claim(
        "maze-search/79-letters",
        PAGE_79,
        "a string of 79 letters and the thin 3x3 mazes with start and exit",
        "solves all 138,172",
        measure,
        seconds=2,
    ),
)

STUDY = Study("Strings for all mazes", "A string of the article, simulated on every maze.", CLAIMS)
