"""Cubes of the strings of one length: prefixes that joint distances of a few mazes leave alive.

    plan = make_plan(mazes, 28, "triples", seconds=60)
    plan.prefixes                                    # the first cubes
    tree = Tree(mazes, plan)
    tree.children("NES")                             # what takes the place of a cube that is too hard

Every string that solves all mazes has one of these prefixes, up to symmetry: a prefix is left out if a tuple of mazes needs
more letters than are left, or if another prefix of the same length, fixed by the same symmetries, leads to the same states in all
mazes. Of the letters that the symmetries which fix the prefix map to one another only the first is tried (`letter_group`).

Not here: the formula of a cube (`cubeformula.py`), solvers, and the journal of what has been refuted (`cuberun.py`).
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from cnfgen_puzzles.families.maze.model import BLOCKED, LETTERS, THIN, Grid
from cnfgen_puzzles.families.maze.model.puzzle import Mazes
from cnfgen_puzzles.studies.mazes.exhaustive import Search
from cnfgen_puzzles.studies.mazes.jointstates import Machines, Tuple

BOUNDS = {"none": 0, "pairs": 2, "triples": 3}
"""The largest tuples of mazes whose joint distances are used, to cut prefixes and as lemmas."""

STATES_A_CUBE = 40_000
"""So many joint states of an exhaustive search make a formula that solvers refute in some seconds."""

MAZES_A_CUBE = 10
"""Without tuples: so many cubes for the mazes of a case. Of thin 2x3 (180 mazes), deeper cubes cost more in sum."""

FEWEST, MOST = 2, 2000
"""Cubes to begin with."""

BARREN = 3
"""Tuples that an exploration must add for another one to follow."""


@dataclass(frozen=True)
class Plan:
    """What the cubes of a case begin with; `checksum` tells the set of mazes whose numbers are used here."""

    kind: str
    size: str
    length: int
    checksum: str
    bounds: str
    tuples: tuple[Tuple, ...]
    prefixes: tuple[str, ...]

    def to_json(self) -> dict:
        return asdict(self)

    @classmethod
    def from_json(cls, entry: dict) -> Plan:
        tuples = tuple(tuple(each) for each in entry["tuples"])
        return cls(**{**entry, "tuples": tuples, "prefixes": tuple(entry["prefixes"])})


def maze_checksum(mazes: Mazes) -> str:
    """SHA-256 of the mazes and their order."""
    return hashlib.sha256(json.dumps([mazes.kind, str(mazes.grid), mazes.entries]).encode()).hexdigest()


def letter_group(kind: str, grid: Grid) -> tuple[str, ...]:
    """The images of NESW under the symmetries of the grid that map its mazes to one another, the identity first."""
    square = grid.height == grid.width
    if kind == BLOCKED:  # start and goal must stay where they are: only the transposition of a square does that
        return (LETTERS, "WSEN") if square else (LETTERS,)
    flips = (LETTERS, "SENW", "NWSE", "SWNE")
    return (*flips, "WSEN", "WNES", "ESWN", "ENWS") if square else flips


class TupleSearch(Search):
    """Hill climbing for tuples of at most `largest` mazes."""

    def __init__(self, mazes: Mazes, length: int, largest: int, **settings):
        super().__init__(mazes, length, **settings)
        self._largest = largest

    def _neighbour(self, chosen: Tuple, mazes: list[int]) -> Tuple:
        trial = list(super()._neighbour(chosen, mazes))
        while len(trial) > self._largest:
            trial.remove(self._random.choice(trial))
        return tuple(trial)


def make_plan(
    mazes: Mazes,
    length: int,
    bounds: str,
    seconds: float,
    count: int | None = None,
    log: Callable[[str], None] | None = None,
) -> Plan:
    """Tuples found in about so many seconds of processor time, and prefixes: `count`, or as many as seem right."""
    log = log or (lambda line: None)
    machines = Machines(mazes)
    tuples, states = _hunt(mazes, machines, length, BOUNDS[bounds], seconds, log) if BOUNDS[bounds] else ((), 0)
    seems_right = states // STATES_A_CUBE if tuples else len(mazes) // MAZES_A_CUBE if mazes.kind == THIN else FEWEST
    wanted = count or int(min(max(seems_right, FEWEST), MOST))
    plan = Plan(mazes.kind, f"{mazes.grid.height}x{mazes.grid.width}", length, maze_checksum(mazes), bounds, tuples, ("",))
    tree = Tree(mazes, plan, machines)
    prefixes = plan.prefixes
    for depth in range(length):
        longer = tree.level(prefixes)
        if len(prefixes) >= wanted or not longer:
            break
        prefixes = longer
        log(f"{len(prefixes):,} prefixes of {depth + 1} letters are alive")
    return Plan(**{**vars(plan), "prefixes": prefixes})


def _hunt(
    mazes: Mazes, machines: Machines, length: int, largest: int, seconds: float, log: Callable[[str], None]
) -> tuple[tuple[Tuple, ...], float]:
    """Tuples, and about how many joint states an exhaustive search with them has."""
    begun = time.process_time()
    search = TupleSearch(mazes, length, largest, progress=log, machines=machines)
    while True:
        added, states, _ = search.explore(stop=False)
        if added < BARREN or states < STATES_A_CUBE or time.process_time() - begun > seconds:
            return tuple(sorted(search.bounds)), states


class Tree:
    """The prefixes of a plan's strings."""

    def __init__(self, mazes: Mazes, plan: Plan, machines: Machines | None = None):
        self.plan = plan
        self._machines = machines or Machines(mazes)
        self._group = letter_group(mazes.kind, mazes.grid)
        self._bounds = [self._machines.bound(each) for each in plan.tuples]
        self._seen: dict[tuple, str] = {}
        sizes = [each.shape[1] for each in self._machines.next]
        self._offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp) if sizes else np.zeros(0, np.intp)
        self._next = np.concatenate(self._machines.next, axis=1).astype(np.intp) if sizes else np.zeros((4, 0), np.intp)

    def states(self, prefix: str) -> np.ndarray:
        """The states of all mazes after the prefix."""
        states = np.zeros(len(self._machines), np.intp)
        for letter in prefix:
            states = self._next[LETTERS.index(letter), self._offsets + states]
        return states

    def children(self, prefix: str) -> tuple[str, ...]:
        """The prefixes with one more letter that are alive, without those that lead where one met before leads."""
        found = []
        for letter in LETTERS:
            longer = prefix + letter
            if any(LETTERS.index(image[LETTERS.index(letter)]) < LETTERS.index(letter) for image in self._fixing(prefix)):
                continue
            states = self.states(longer)
            left = self.plan.length - len(longer)
            if any(bound.refutes(self._machines.index(bound.mazes, states), left) for bound in self._bounds):
                continue
            key = (left, self._fixing(longer), states.astype(np.uint16).tobytes())
            if self._seen.setdefault(key, longer) == longer:
                found.append(longer)
        return tuple(found)

    def _fixing(self, prefix: str) -> tuple[str, ...]:
        """The symmetries that leave the prefix as it is."""
        return tuple(image for image in self._group if all(image[LETTERS.index(letter)] == letter for letter in set(prefix)))

    def level(self, prefixes: Sequence[str]) -> tuple[str, ...]:
        """The children of all of them."""
        return tuple(child for prefix in prefixes for child in self.children(prefix))
