"""Cubes of a window of a maze string: no filling of the free letters between fixed ones.

    run = WindowCubes(mazes, pattern, tuples, folder, WindowSettings(solver="glucose"))
    with open_executor(None, jobs=2) as executor:
        run.decide(executor, ahead=4)
    run.string, run.refuted

How cubes are decided stands in `studies/mazes/cuberuns.py`. Not here: cubes and formulas (`windowcubes.py`); cubes of whole
strings (`maze_cubes.py`), which have a checker of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.families.maze.model.puzzle import Mazes, Window
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.studies.maze_optima.cubeformula import string_of
from cnfgen_puzzles.studies.maze_optima.prefixtree import maze_checksum
from cnfgen_puzzles.studies.maze_windows.windowcubes import WindowTree, cube_formula, needed_tuples
from cnfgen_puzzles.studies.mazes.cuberuns import PLAN, REFUTED, Cubes, Settings, Task
from cnfgen_puzzles.studies.mazes.jointstates import Tuple


@dataclass(frozen=True)
class WindowSettings(Settings):
    """Also how many cubes to begin with, about."""

    cpu: float = 600.0
    count: int = 1


@dataclass(frozen=True)
class WindowTask(Task):
    """A cube of a window."""

    mazes: Mazes
    pattern: str
    tuples: tuple[Tuple, ...]
    prefix: str
    numbers: tuple[int, ...]
    settings: Settings
    folder: Path

    def begun(self) -> WindowTask:
        """With those mazes and tuples alone that are known to suffice, if they are."""
        needed = needed_tuples(self.mazes, self.pattern, self.prefix, self.tuples)
        if needed is None:
            return self
        return replace(self, tuples=needed, numbers=tuple({maze for each in needed for maze in each}))

    def formula(self, numbers: list[int]) -> Formula:
        return cube_formula(self.mazes, numbers, self.pattern, self.prefix, self.tuples)

    def string(self, model: Iterable[int]) -> str:
        window = Window(self.pattern)
        return string_of(window.prefix + self.prefix, window.end, model) + window.suffix


class WindowCubes(Cubes):
    """One window of one string; tuples and first cubes of a run that began in the folder are kept."""

    def __init__(self, mazes: Mazes, pattern: str, tuples: Iterable[Tuple], folder: Path, settings: WindowSettings):
        super().__init__(folder)
        self.mazes, self.pattern, self.settings = mazes, pattern, settings
        self.tuples, count = self._earlier_plan() or (tuple(tuples), settings.count)
        self._tree = WindowTree(mazes, pattern, self.tuples)
        self.first = self._tree.prefixes(count)
        self.write_plan({"pattern": pattern, "mazes": maze_checksum(mazes), "tuples": self.tuples, "count": count})
        self.begin(self.first)

    def _earlier_plan(self) -> tuple[tuple[Tuple, ...], int] | None:
        plan = self.read_plan()
        if plan is None:
            return None
        try:
            about = plan["pattern"], plan["mazes"]
            tuples, count = tuple(tuple(each) for each in plan["tuples"]), int(plan["count"])
        except (ValueError, KeyError, TypeError) as error:
            raise self.plan_error(error) from None
        if about != (self.pattern, maze_checksum(self.mazes)):
            message = "found cubes of another window, expected those of the one asked for"
            raise InputError(message, source=str(self.folder / PLAN))
        return tuples, count

    def children(self, prefix: str) -> Iterable[str]:
        return self._tree.children(prefix)

    def is_whole(self, prefix: str) -> bool:
        return len(prefix) == self._tree.letters

    def task(self, prefix: str) -> WindowTask:
        folder = self.folder.absolute()
        return WindowTask(self.mazes, self.pattern, self.tuples, prefix, self.numbers(), self.settings, folder)

    def summary(self) -> dict[str, Any]:
        """What was needed: mazes, cubes, seconds of processor time; and who proved it, if it is refuted."""
        work = self.work()
        about = {name: work[name] for name in ("mazes", "tuples", "split", "clauses")}
        about |= {"cubes": work["refuted"], "solver_cpu": round(work["solving"], 2)}
        if self.refuted:
            solvers = sorted({record["solver"] for record in self.of_verdict(REFUTED)})
            told = {"by": ", ".join([*solvers, "drat-trim"]), "verified": True}
            about["proof"] = told | {"cpu": round(work["checking"], 2), "bytes": work["bytes"]}
        return about
