"""Which mazes can be left out because others imply them, as named steps with their arguments, and how many each leaves.

A maze may be left out if every string that solves the remaining ones solves it too. Every argument below leads from a maze to
others with more reachable cells, or as many cells and fewer edges, or to another copy of the same; so there are no circles, and
any choice of steps loses nothing. The facts that the arguments use (`thin`):

* (a) If a string fails, some cell u other than the start is never visited. Whatever is changed only behind u, or at edges of u
  that leaves u and all else within reach, changes no move of this walk: the string fails in the changed maze as well.
* (b) On a path, a move never lets two walks pass each other. So a walk that begins between two others stays between them.

Not here: the argument that a given string is universal, which is a simulation on all mazes without reductions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from cnfgen_puzzles.families.maze.model.grid import Grid
from cnfgen_puzzles.families.maze.model.mazeset import Mazes, Origin
from cnfgen_puzzles.families.maze.model.puzzle import BLOCKED, THIN
from cnfgen_puzzles.families.maze.sets.allmazes import Shape, candidates, reached, shapes
from cnfgen_puzzles.families.maze.sets.dominance import undominated
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.suggestions import unknown_name

SMALL = 4

Kept = Callable[[Shape, int], int]
"""Of the starts (a set of cells) those that stay."""


@dataclass(frozen=True)
class Step:
    """One reduction: its name, why it loses nothing, and what it keeps of a shape and of its starts."""

    name: str
    argument: str
    keeps: Kept
    standard: bool = True


@dataclass(frozen=True)
class Effect:
    """How many mazes there are after a step."""

    step: str
    left: int
    argument: str


def _nothing_else(shape: Shape, starts: int) -> int:
    """The only open edges are those of the component."""
    return starts if len(shape.edges) == shape.open.bit_count() else 0


def _at_corner(shape: Shape, starts: int) -> int:
    return starts if shape.cells & shape.grid.top and shape.cells & shape.grid.left else 0


def _small(shape: Shape, starts: int) -> int:
    return _leaves(shape, starts) if shape.size <= SMALL else starts


def _short_paths(shape: Shape, starts: int) -> int:
    short = shape.size <= shape.grid.cells - 2 and shape.is_path and shape.leaves & shape.roomy
    return 0 if short else starts


def _ends(shape: Shape, starts: int) -> int:
    return starts & shape.leaves if shape.is_path else starts


def _loops(shape: Shape, starts: int) -> int:
    return 0 if shape.is_loop else starts


def _leaves(shape: Shape, starts: int) -> int:
    """The starts other than the only hemmed-in leaf."""
    hemmed = shape.leaves & ~shape.roomy
    if hemmed.bit_count() == 1:
        return starts & ~hemmed
    return starts if hemmed else 0


def _only_reachable(shape: Shape, starts: int) -> int:
    return starts if shape.open == shape.cells else 0


def _before_goal(shape: Shape, starts: int) -> int:
    """All cells but the goal can be reached without it."""
    goal = 1 << (shape.grid.cells - 1)
    return starts if shape.cells in (goal, reached(shape.grid, shape.cells & ~goal) | goal) else 0


STEPS: dict[str, tuple[Step, ...]] = {
    THIN: (
        Step("component", "walls around cells that cannot be reached do not matter: they are walled off entirely", _nothing_else),
        Step(
            "shift", "a shifted copy is solved by the same strings: the copy at the top row and the left column stays", _at_corner
        ),
        Step("small", f"at most {SMALL} cells, and the argument of `leaves` applies", _small),
        Step(
            "paths",
            "a path that leaves out two cells or more, and can be made longer at an end: a string that walks the longer one from "
            "both ends walks the shorter one from both ends, by (b)",
            _short_paths,
        ),
        Step("ends", "a path needs its two ends as starts: by (b) a walk from between them meets both ends too", _ends),
        Step("loops", "a loop: by (a) a wall at the unvisited cells gives a path of the same cells that fails too", _loops),
        Step(
            "leaves",
            "no cell but the start is a dead end whose neighbours all belong to the maze: by (a) an unvisited cell may become "
            "such a dead end, or have one more cell behind it, and the string still fails",
            _leaves,
            standard=False,
        ),
    ),
    BLOCKED: (
        Step("component", "cells that cannot be reached do not matter: they are blocked", _only_reachable),
        Step("goal", "cells that can only be reached through the goal do not matter: they are blocked", _before_goal),
    ),
}

DOMINANCE = "dominance"
DOMINANCE_ARGUMENT = "every string that solves some other maze solves this one: decided for each pair by the product automaton"

ARTICLE, EVERY, NO_STEP = "article", "all", "none"


def step_names(kind: str) -> tuple[str, ...]:
    """All steps for mazes of this kind, in the order in which they are done."""
    return tuple(step.name for step in STEPS[kind]) + ((DOMINANCE,) if kind == BLOCKED else ())


def chosen_steps(kind: str, text: str = ARTICLE) -> tuple[str, ...]:
    """The steps that a user names: `article`, `all`, `none`, or names apart by commas."""
    known = step_names(kind)
    if text == ARTICLE:
        return tuple(step.name for step in STEPS[kind] if step.standard)
    if text == EVERY:
        return known
    if text in (NO_STEP, ""):
        return ()
    wanted = [name.strip() for name in text.split(",")]
    for name in wanted:
        if name not in known:
            raise InputError(
                unknown_name(f"reduction of {kind} mazes", name, (*known, ARTICLE, EVERY, NO_STEP)), source="--reduce"
            )
    return tuple(name for name in known if name in wanted)


def reduced(kind: str, grid: Grid, names: Sequence[str]) -> Mazes:
    """The mazes of the grid that these steps leave, in the order in which a loop should add them.

    First come mazes with most cells to visit, among those with most walls (thin), or with the longest way to the goal, then
    with most blocked cells.
    """
    return _reduce(kind, grid, names)[0]


def effects(kind: str, grid: Grid, names: Sequence[str]) -> list[Effect]:
    """The table of how many mazes each step leaves."""
    return _reduce(kind, grid, names)[1]


def _reduce(kind: str, grid: Grid, names: Sequence[str]) -> tuple[Mazes, list[Effect]]:
    steps = [step for step in STEPS[kind] if step.name in names]
    counts = [0] * len(steps)
    triples = pairs = 0
    kept = []
    for shape in shapes(kind, grid):
        starts = shape.cells if kind == THIN else 1
        pairs += starts.bit_count()
        triples += shape.size * (shape.size - 1)
        for number, step in enumerate(steps):
            starts = step.keeps(shape, starts)
            if not starts:
                break
            counts[number] += starts.bit_count()
        if starts:
            kept.append((shape, starts))
    mazes = Mazes(kind, grid, tuple(_in_order(kind, grid, kept)), Origin(tuple(names)))
    table = [*_first_rows(kind, grid, triples, pairs), *map(_effect, steps, counts)]
    if DOMINANCE in names:
        mazes = Mazes(kind, grid, undominated(mazes), mazes.origin)
        table.append(Effect(DOMINANCE, len(mazes), DOMINANCE_ARGUMENT))
    return mazes, table


def _effect(step: Step, left: int) -> Effect:
    return Effect(step.name, left, step.argument)


def _first_rows(kind: str, grid: Grid, triples: int, pairs: int) -> Iterator[Effect]:
    if kind == THIN:
        yield Effect("exits", triples, "sets of walls with a start and another cell, the exit, that can be reached from it")
        yield Effect("starts", pairs, "a string that visits all cells that can be reached finds every exit")
    else:
        yield Effect("cells", candidates(kind, grid), "sets of blocked cells, neither the start nor the goal among them")
        yield Effect("solvable", pairs, "there is a way from the start to the goal")


def _in_order(kind: str, grid: Grid, kept: Iterable[tuple[Shape, int]]) -> Iterator[tuple[int, int]]:
    if kind == THIN:
        shapes_in_order = sorted(kept, key=lambda item: (-item[0].size, item[0].open.bit_count(), item[0].open))
        for shape, starts in shapes_in_order:
            yield from ((shape.open, start) for start in range(grid.cells) if starts >> start & 1)
        return
    ways = [(-_way(shape), shape.open.bit_count(), shape.open) for shape, _ in kept]
    yield from ((open, 0) for _, _, open in sorted(ways))


def _way(shape: Shape) -> int:
    """The length of the shortest way to the goal."""
    cells, steps, goal = 1, 0, 1 << (shape.grid.cells - 1)
    while not cells & goal:
        cells |= shape.grid.around(cells) & shape.cells
        steps += 1
    return steps
