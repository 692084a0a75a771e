"""How many mazes of a grid each step of reduction leaves. Not here: the steps and their arguments (`families/maze`)."""

from __future__ import annotations

from cnfgen_puzzles.families.maze.puzzle import read_size
from cnfgen_puzzles.families.maze.sets import Effect, chosen_steps, effects


def effects_of(kind: str, size: str, reduce: str) -> list[Effect]:
    """A row a step: first all mazes, last what is left. InputError for a size or a step that there is not."""
    return effects(kind, read_size(size), chosen_steps(kind, reduce))
