"""Cubes of whole maze strings: proofs that no string of some length exists, with a certificate for a separate checker.

    cubes = LengthCampaign(mazes, 28, folder, LengthSettings(solver="glucose"))
    with open_executor(None, jobs=2) as executor:
        cubes.decide(executor, ahead=4)
    cubes.string, cubes.certificate()

`studies/mazes/{cubes,campaigns}.py` decide cubes, `plan.py` chooses them, and `cubeformula.py` writes their formulas. The checker
(`scripts/check/check_maze_cubes.py`) shares no code with this module.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cnfgen_puzzles.families.maze.model import THIN
from cnfgen_puzzles.families.maze.puzzle import FREE, Mazes
from cnfgen_puzzles.formula import Cnf
from studies.maze_optima.cubeformula import CubeFormulas
from studies.maze_optima.plan import make_plan, tree_of
from studies.mazes.campaigns import CubeCampaign
from studies.mazes.cubes import Cube, CubeSettings, Entry
from studies.mazes.jointstates import Tuple

WHOLE = 200
"""The most thin mazes that are all in each formula. A selection is refuted faster, but finding it takes long runs."""


@dataclass(frozen=True)
class LengthSettings(CubeSettings):
    """Settings for the first cubes: kinds of tuples, seconds to search for tuples, and the approximate number of cubes."""

    bounds: str = "triples"
    effort: float = 60.0
    count: int | None = None


@dataclass(frozen=True)
class LengthCase:
    """The data that all cubes have in common."""

    mazes: Mazes
    length: int
    tuples: tuple[Tuple, ...]


@dataclass(frozen=True)
class LengthCube(Cube):
    """A cube of the strings of one length."""

    case: LengthCase

    @property
    def mazes(self) -> Mazes:
        return self.case.mazes

    def formula(self, numbers: list[int]) -> Cnf:
        return _formulas(self.case).formula(self.prefix, numbers)

    @property
    def pattern(self) -> str:
        return self.prefix + FREE * (self.case.length - len(self.prefix))


@lru_cache(maxsize=2)
def _formulas(case: LengthCase) -> CubeFormulas:
    return CubeFormulas(case.mazes, case.length, case.tuples)


class LengthCampaign(CubeCampaign):
    """The strings of one length of one case."""

    def __init__(
        self, mazes: Mazes, length: int, folder: Path, settings: LengthSettings, log: Callable[[str], None] | None = None
    ):
        super().__init__(mazes, folder, log)
        self.length, self.settings = length, settings
        about = {"length": length, "bounds": settings.bounds}
        plan = self.planned(about, lambda: make_plan(mazes, length, settings.bounds, settings.effort, settings.count, self.log))
        self.tuples = tuple(tuple(each) for each in plan["tuples"])
        self.tree = tree_of(mazes, length, self.tuples)
        self._case = LengthCase(mazes, length, self.tuples)
        self.prefixes = tuple(plan["prefixes"])
        self.begin(self.prefixes)

    def cube(self, prefix: str) -> LengthCube:
        return LengthCube(prefix, self.numbers(), self.settings, self.folder.absolute(), self._case)

    def numbers(self) -> tuple[int, ...]:
        """The mazes of all tuples and of all cubes so far; all mazes if there are few thin ones."""
        if self.mazes.kind == THIN and len(self.mazes) <= WHOLE:
            return tuple(range(len(self.mazes)))
        return super().numbers()

    def certificate(self) -> Entry:
        """The data for the checker (`docs/results/maze-optimality.md`)."""
        return self.certificate_of("no universal maze string, by cubes", {"length": self.length}, self.tuples)
