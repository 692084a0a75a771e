"""The number of mazes of a grid that each step of reduction leaves. The steps and their proofs: `families/maze/sets.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cnfgen_puzzles.families.maze.model import BLOCKED, THIN, Grid
from cnfgen_puzzles.families.maze.sets import EVERY, STEPS, chosen_steps, grid_of, mazes_of, shapes
from studies.mazes.dominance import undominated

DOMINANCE = "dominance"
DOMINANCE_ARGUMENT = "every string that solves some other maze solves this one: decided for each pair by the product automaton"


@dataclass(frozen=True)
class Effect:
    """The number of mazes after a step."""

    step: str
    left: int
    argument: str


def effects(kind: str, grid: Grid, names: Sequence[str]) -> list[Effect]:
    """The table of the numbers of mazes, first without reductions, then after each step."""
    steps = [step for step in STEPS[kind] if step.name in names]
    counts = [0] * len(steps)
    exits = pairs = 0
    for shape in shapes(kind, grid):
        starts = shape.cells if kind == THIN else 1
        pairs += starts.bit_count()
        exits += shape.size * (shape.size - 1)
        for number, step in enumerate(steps):
            starts = starts and step.keeps(shape, starts)
            counts[number] += starts.bit_count()
    if kind == THIN:
        table = [
            Effect("exits", exits, "sets of walls with a start and another cell, the exit, that can be reached from it"),
            Effect("starts", pairs, "a string that visits all reachable cells finds every exit"),
        ]
    else:
        every = 1 << max(grid.cells - 2, 0)
        table = [
            Effect("cells", every, "sets of blocked cells, neither the start nor the goal among them"),
            Effect("solvable", pairs, "there is a way from the start to the goal"),
        ]
    table += [Effect(step.name, left, step.argument) for step, left in zip(steps, counts, strict=True)]
    return table


def effects_of(kind: str, size: str, reduce: str) -> list[Effect]:
    """A row for each step: first all mazes, last the remaining ones. InputError for an invalid size or step."""
    table = effects(kind, grid_of(size), chosen_steps(kind, reduce))
    if (kind, reduce) == (BLOCKED, EVERY):
        table.append(Effect(DOMINANCE, len(undominated(mazes_of(kind, size, reduce))), DOMINANCE_ARGUMENT))
    return table
