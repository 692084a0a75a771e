"""Cubes of whole maze strings: no string of some length, with a certificate that a separate program checks.

    run = CubeRun(mazes, 28, folder, CaseSettings(solver="glucose"))
    with open_executor(None, jobs=2) as executor:
        run.decide(executor, ahead=4)
    run.string, run.certificate()

How cubes are decided stands in `studies/mazes/cuberuns.py`. Not here: which cubes (`prefixtree.py`), their formulas
(`cubeformula.py`), the checker (`scripts/check_maze_cubes.py`), which shares no code with this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cnfgen_puzzles.families.maze.model import THIN, maze_text
from cnfgen_puzzles.families.maze.model.puzzle import Mazes
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.studies.maze_optima.cubeformula import CubeFormulas, string_of
from cnfgen_puzzles.studies.maze_optima.prefixtree import Plan, Tree, make_plan, maze_checksum
from cnfgen_puzzles.studies.mazes.cuberuns import PLAN, REFUTED, Cubes, Settings, Task

WHOLE = 200
"""So few thin mazes are all in each formula. A selection is refuted sooner, but finding it takes rounds with long runs."""


@dataclass(frozen=True)
class CaseSettings(Settings):
    """Also how a case is cut: by which tuples, after how many seconds of looking for them, into about how many first cubes."""

    bounds: str = "triples"
    effort: float = 60.0
    count: int | None = None


@dataclass(frozen=True)
class Case:
    """What all tasks of a run have in common."""

    mazes: Mazes
    length: int
    tuples: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class CaseTask(Task):
    """A cube of a case."""

    case: Case
    prefix: str
    numbers: tuple[int, ...]
    settings: Settings
    folder: Path

    @property
    def mazes(self) -> Mazes:
        return self.case.mazes

    def formula(self, numbers: list[int]) -> Cnf:
        return _formulas(self.case).formula(self.prefix, numbers)

    def string(self, model: Iterable[int]) -> str:
        return string_of(self.prefix, self.case.length, model)


@lru_cache(maxsize=2)
def _formulas(case: Case) -> CubeFormulas:
    return CubeFormulas(case.mazes, case.length, case.tuples)


class CubeRun(Cubes):
    """One length of one case."""

    def __init__(self, mazes: Mazes, length: int, folder: Path, settings: CaseSettings, log: Callable[[str], None] | None = None):
        super().__init__(folder, log)
        self.mazes, self.length, self.settings = mazes, length, settings
        self.plan = self._earlier_plan() or self._new_plan()
        self.tuples = self.plan.tuples
        self._tree = Tree(mazes, self.plan)
        self._case = Case(mazes, length, self.tuples)
        self.begin(self.plan.prefixes)

    def _earlier_plan(self) -> Plan | None:
        entry = self.read_plan()
        if entry is None:
            return None
        try:
            plan = Plan.from_json(entry)
        except (ValueError, KeyError, TypeError) as error:
            raise self.plan_error(error) from None
        if (plan.length, plan.bounds, plan.checksum) != (self.length, self.settings.bounds, maze_checksum(self.mazes)):
            message = "found cubes of another case or of other bounds, expected those asked for"
            raise InputError(message, source=str(self.folder / PLAN))
        return plan

    def _new_plan(self) -> Plan:
        settings = self.settings
        plan = make_plan(self.mazes, self.length, settings.bounds, settings.effort, settings.count, self.log)
        self.write_plan(plan.to_json())
        return plan

    def children(self, prefix: str) -> Iterable[str]:
        return self._tree.children(prefix)

    def is_whole(self, prefix: str) -> bool:
        return len(prefix) == self.length

    def task(self, prefix: str) -> CaseTask:
        return CaseTask(self._case, prefix, self.numbers(), self.settings, self.folder.absolute())

    def numbers(self) -> tuple[int, ...]:
        """The mazes of all tuples and of all cubes so far; of few thin mazes all."""
        if self.mazes.kind == THIN and len(self.mazes) <= WHOLE:
            return tuple(range(len(self.mazes)))
        return super().numbers()

    def certificate(self) -> dict:
        """What the checker reads (`docs/maze-optimality.md`)."""
        refuted = self.of_verdict(REFUTED)
        numbers = {maze for each in self.tuples for maze in each}.union(*(record["mazes"] for record in refuted))
        place = {maze: index for index, maze in enumerate(sorted(numbers))}
        return {
            "certificate": "no universal maze string, by cubes",
            "kind": self.plan.kind,
            "size": self.plan.size,
            "length": self.length,
            "mazes": [maze_text(self.mazes[maze]) for maze in place],
            "tuples": [[place[maze] for maze in each] for each in self.tuples],
            "cubes": [
                {"prefix": record["prefix"], "mazes": [place[maze] for maze in record["mazes"]]}
                | {name: record[name] for name in ("formula", "proof", "solver")}
                for record in refuted
            ],
        }
