"""The engines: which there are, which suits a problem, and what a worker must be told to run one."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.counting.blocking import Blocking
from cnfgen_puzzles.counting.clasp import Native
from cnfgen_puzzles.counting.dancingcells import MODULE, Covering
from cnfgen_puzzles.counting.enginenames import AUTO, BLOCKING, CLASP, COVER, ENGINES
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.solving.incremental import pysat_solver
from cnfgen_puzzles.solving.incremental.pysat_solver import DEFAULT, SOLVERS

if TYPE_CHECKING:
    from cnfgen_puzzles.solving.table import Solver

INSTALL = "pip install 'cnfgen-puzzles[counting]'"


@dataclass(frozen=True)
class Engine:
    """An engine that is there, with the solver that `blocking` uses."""

    name: str
    solver: str | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.solver})" if self.solver else self.name

    def for_worker(self) -> dict[str, Any]:
        """What `make_engine` needs, as JSON."""
        command = _clasp_command() if self.name == CLASP else None
        return {"engine": self.name, "solver": self.solver, "command": command}


def choose_engine(name: str, problem: Problem, solver: str | None = None) -> Engine:
    """The engine of that name, or for `auto` the best that is there; InputError if it is not there or cannot do the problem.

    A solver is python-sat's, so naming one chooses `blocking`.
    """
    if name not in (AUTO, *ENGINES):
        raise InputError(unknown_name("engine", name, (AUTO, *ENGINES)))
    if solver is not None:
        if name not in (AUTO, BLOCKING):
            raise InputError(f"found the solver {solver!r} for the engine {name}, which is none of python-sat's solvers")
        if solver not in SOLVERS:
            raise InputError(unknown_name("python-sat solver", solver, SOLVERS))
        name = BLOCKING
    if name == AUTO:
        name = _best(problem)
    if name == COVER and problem.cover is None:
        raise InputError("the engine exact-cover cannot count this: the family does not give it as an exact cover problem")
    if not available(name):
        raise InputError(f"the engine {name} is not there; {INSTALL} installs it")
    return Engine(name, (solver or DEFAULT) if name == BLOCKING else None)


def _best(problem: Problem) -> str:
    """Bounds that are no items make an exact cover search far too many candidates: then a SAT engine is better."""
    for name in ENGINES:
        if available(name) and (name != COVER or (problem.cover is not None and not problem.cover.counted)):
            return name
    raise InputError(f"no engine is there that could enumerate; {INSTALL} installs three")


def available(name: str) -> bool:
    """Whether an engine's program or package is there."""
    if name == CLASP:
        return _clasp().available()
    return pysat_solver.is_installed() if name == BLOCKING else importlib.util.find_spec(MODULE) is not None


def _clasp_command() -> list[str]:
    clasp = _clasp()
    return clasp.prefix(clasp.locate())


def _clasp() -> Solver:
    from cnfgen_puzzles.solving.table import find_solver  # recipes are YAML: workers, which are told the command, need them not

    return find_solver("clasp")


def make_engine(problem: Problem, told: dict[str, Any], folder: Path) -> Blocking | Native | Covering:
    """In a worker: the engine that `for_worker` told of; `folder` is for its own files."""
    if told["engine"] == BLOCKING:
        return Blocking(problem, told["solver"])
    if told["engine"] == CLASP:
        return Native(problem, told["command"], folder)
    if problem.cover is None:
        raise CnfgenError("the problem is no exact cover")
    return Covering(problem.cover)
