"""Cubes of a window of a maze string: proofs that no filling of the free letters exists.

    cubes = WindowCampaign(mazes, pattern, tuples, folder, WindowSettings(solver="glucose"))
    with open_executor(None, jobs=2) as executor:
        cubes.decide(executor, ahead=4)
    cubes.string, cubes.refuted

`studies/mazes/{cubes,campaigns}.py` decide cubes, and `cubeformula.py` writes their formulas.
`scripts/check/check_maze_window_cubes.py` checks the certificate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.formula import Cnf
from studies.maze_windows.cubeformula import cube_formula
from studies.maze_windows.windowsearch import WindowMachines, fixed, needed_tuples, same_automaton
from studies.mazes.campaigns import CubeCampaign
from studies.mazes.cubes import REFUTED, Cube, CubeSettings, Entry
from studies.mazes.jointstates import Tuple
from studies.mazes.prefixtree import PrefixTree


@dataclass(frozen=True)
class WindowSettings(CubeSettings):
    """Settings with the approximate initial number of cubes."""

    cpu: float = 600.0
    count: int = 1


@dataclass(frozen=True)
class WindowCase:
    """The data that all cubes have in common."""

    mazes: Mazes
    pattern: str
    tuples: tuple[Tuple, ...]


@dataclass(frozen=True)
class WindowCube(Cube):
    """A cube of the fillings of a window."""

    case: WindowCase

    @property
    def mazes(self) -> Mazes:
        return self.case.mazes

    def begun(self) -> WindowCube:
        """The window with only the mazes and tuples that are known to suffice, if they are known."""
        needed = needed_tuples(self.mazes, self.case.pattern, self.prefix, self.case.tuples)
        if needed is None:
            return self
        numbers = tuple({maze for each in needed for maze in each})
        return replace(self, case=replace(self.case, tuples=needed), numbers=numbers)

    def about(self) -> Entry:
        return {"tuples": [list(each) for each in self.case.tuples]}

    def formula(self, numbers: list[int]) -> Cnf:
        return cube_formula(self.mazes, numbers, self.case.pattern, self.prefix, self.case.tuples)

    @property
    def pattern(self) -> str:
        return fixed(self.case.pattern, self.prefix)


class WindowCampaign(CubeCampaign):
    """One window of one string; the tuples and first cubes in the folder are kept."""

    def __init__(self, mazes: Mazes, pattern: str, tuples: Iterable[Tuple], folder: Path, settings: WindowSettings):
        super().__init__(mazes, folder)
        self.pattern, self.settings = pattern, settings
        plan = self.planned({"pattern": pattern}, lambda: {"tuples": list(tuples), "count": settings.count})
        self.tuples = tuple(tuple(each) for each in plan["tuples"])
        machines = WindowMachines(mazes, pattern, same_automaton)
        self.tree = PrefixTree(machines, map(machines.bound, sorted(machines.translated(self.tuples))), machines.letters)
        self._case = WindowCase(mazes, pattern, self.tuples)
        self.begin(self.tree.at_least(plan["count"]))

    def cube(self, prefix: str) -> WindowCube:
        return WindowCube(prefix, self.numbers(), self.settings, self.folder.absolute(), self._case)

    def certificate(self) -> Entry:
        """The data for the checker (`docs/results/maze-windows.md`)."""
        tuples = dict.fromkeys([*self.tuples, *(tuple(each) for entry in self.of_verdict(REFUTED) for each in entry["tuples"])])
        return self.certificate_of("no filling of a maze window, by cubes", {"pattern": self.pattern}, list(tuples))

    def summary(self) -> dict[str, Any]:
        """The work: mazes, cubes, seconds of processor time; and the solver of a refutation."""
        work = self.work()
        about = {name: work[name] for name in ("mazes", "tuples", "split", "clauses")}
        about |= {"cubes": work["refuted"], "solver_cpu": round(work["solving"], 2)}
        if self.refuted:
            solvers = sorted({entry["solver"] for entry in self.of_verdict(REFUTED)})
            told = {"by": ", ".join([*solvers, "drat-trim"]), "verified": True}
            about["proof"] = told | {"cpu": round(work["checking"], 2), "bytes": work["bytes"]}
        return about
