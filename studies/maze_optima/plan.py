"""The plan of the cubes of a case: tuples of mazes whose joint distances prune prefixes, and the first prefixes.

    plan = make_plan(mazes, 28, "triples", seconds=60)
    plan.prefixes                                    # the first cubes
    tree_of(mazes, plan).children("NES")             # the cubes that replace a cube that is too hard

See also `studies/mazes/prefixtree.py` (pruning), `cubeformula.py` (formulas), and `campaign.py` (results).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from cnfgen_puzzles.families.maze.model import BLOCKED, LETTERS, THIN, Grid
from cnfgen_puzzles.families.maze.puzzle import Mazes
from studies.mazes.exhaustive import ExhaustiveSearch
from studies.mazes.jointstates import Machines, StringMachines, Tuple
from studies.mazes.prefixtree import PrefixTree

BOUNDS = {"none": 0, "pairs": 2, "triples": 3}
"""The largest tuples of mazes whose joint distances are used, for pruning and as lemmas."""

STATES_A_CUBE = 40_000
"""The number of joint states of an exhaustive search for each cube; solvers refute such a formula in some seconds."""

MAZES_A_CUBE = 10
"""The number of cubes for the mazes of a case without tuples. For thin 3x2 (180 mazes), deeper cubes cost more in total."""

FEWEST, MOST = 2, 2000
"""The initial number of cubes."""

BARREN = 3
"""The least number of new tuples of an exploration for which another one follows."""


def letter_group(kind: str, grid: Grid) -> tuple[str, ...]:
    """The images of NESW under the symmetries of the grid that map its mazes to each other, the identity first."""
    square = grid.height == grid.width
    if kind == BLOCKED:  # only the transposition of a square fixes start and goal
        return (LETTERS, "WSEN") if square else (LETTERS,)
    flips = (LETTERS, "SENW", "NWSE", "SWNE")
    return (*flips, "WSEN", "WNES", "ESWN", "ENWS") if square else flips


def tree_of(mazes: Mazes, length: int, tuples: Iterable[Tuple], machines: Machines | None = None) -> PrefixTree:
    """The prefixes of the strings of this length."""
    machines = machines or StringMachines(mazes)
    return PrefixTree(machines, map(machines.bound, tuples), length, letter_group(mazes.kind, mazes.grid))


def make_plan(
    mazes: Mazes, length: int, bounds: str, seconds: float, count: int | None = None, log: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """Tuples found in about this many seconds of processor time, and `count` prefixes, or an estimated number."""
    machines, largest = StringMachines(mazes), BOUNDS[bounds]
    tuples, states = _hunt(TupleSearch(mazes, length, largest, log, machines), seconds) if largest else ((), 0.0)
    seems_right = states // STATES_A_CUBE if tuples else len(mazes) // MAZES_A_CUBE if mazes.kind == THIN else FEWEST
    wanted = count or int(min(max(seems_right, FEWEST), MOST))
    return {"tuples": tuples, "prefixes": tree_of(mazes, length, tuples, machines).at_least(wanted, log)}


class TupleSearch(ExhaustiveSearch):
    """Hill climbing for tuples of at most `largest` mazes."""

    def __init__(self, mazes: Mazes, length: int, largest: int, log: Callable[[str], None] | None, machines: Machines):
        super().__init__(mazes, length, progress=log, machines=machines)
        self._largest = largest

    def neighbour(self, chosen: Tuple, mazes: list[int]) -> Tuple:
        trial = list(super().neighbour(chosen, mazes))
        while len(trial) > self._largest:
            trial.remove(self.chance.choice(trial))
        return tuple(trial)


def _hunt(search: TupleSearch, seconds: float) -> tuple[tuple[Tuple, ...], float]:
    """Tuples, and the estimated number of joint states of an exhaustive search with them."""
    begun = time.process_time()
    while True:
        added, states, _ = search.explore(stop=False)
        if added < BARREN or states < STATES_A_CUBE or time.process_time() - begun > seconds:
            return tuple(sorted(search.bounds)), states
