"""The published numbers of mazes, before and after the reductions."""

from __future__ import annotations

from functools import partial

from cnfgen_puzzles.families.maze.model import BLOCKED, THIN
from cnfgen_puzzles.families.maze.sets import ARTICLE, EVERY
from studies.claims import Claim, Measured, Place, Study
from studies.maze_reductions.counts import effects_of
from studies.mazes.cases import PAGE_79, PAGE_BLOCKED, THIS_PROJECT


def measure(kind: str, size: str, reduce: str, step: str, _: Place) -> Measured:
    """Measures the number of mazes that are left after a step."""
    found = {effect.step: effect.left for effect in effects_of(kind, size, reduce)}
    return Measured(f"{found[step]:,}", "every maze of the grid enumerated, reduced, and counted")


def _claim(name: str, source: str, text: str, claimed: str, reduce: str, step: str, seconds: float) -> Claim:
    kind, size = (THIN, "3x3") if name.startswith(THIN) else (BLOCKED, "4x4")
    return Claim(f"maze-reductions/{name}", source, text, claimed, partial(measure, kind, size, reduce, step), seconds)


CLAIMS = (
    _claim("thin-3x3-triples", PAGE_79, "thin 3x3 mazes with a start and an exit in reach", "138,172", ARTICLE, "exits", 1),
    _claim("thin-3x3-pairs", PAGE_79, "thin 3x3 mazes with a start that need to be tried", "10,772", ARTICLE, "loops", 1),
    _claim("blocked-4x4", PAGE_BLOCKED, "blocked 4x4 mazes with a way to the goal", "3,828", ARTICLE, "solvable", 1),
    _claim("blocked-4x4-sets", PAGE_BLOCKED, "their different sets of cells in reach", "2,423", ARTICLE, "component", 1),
    _claim("blocked-4x4-goal", PAGE_BLOCKED, "the same without cells behind the goal", "2,083", ARTICLE, "goal", 1),
    _claim("blocked-4x4-dominance", THIS_PROJECT, "those that no other one implies", "1,874", EVERY, "dominance", 3),
)

STUDY = Study(
    "Mazes that need not be tried", "The number of mazes of a grid, and of those that remain after each reduction.", CLAIMS
)
