"""The engines that enumerate, the choice of an engine for a problem, and the worker process that runs an engine.

An engine finds the solutions of a part of a search: `solutions(cube)` yields the true projection variables of each once, in
ascending order, and raises CnfgenError if some may be missing. `BlockingEngine` and `ClaspEngine` are here; the engine for exact
covers is `exactcovers.ExactCoverEngine`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import subprocess
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cnfgen_puzzles.common.errors import CnfgenError, InputError, unknown_name
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.counting.enginenames import AUTO, BLOCKING, CLASP, COVER, ENGINES
from cnfgen_puzzles.counting.exactcovers import MODULE, ExactCoverEngine
from cnfgen_puzzles.counting.problem import Cube, Problem, read_problem
from cnfgen_puzzles.evidence.allmodels import ModelChecker, with_clauses
from cnfgen_puzzles.formula import write_dimacs
from cnfgen_puzzles.solving import incremental
from cnfgen_puzzles.solving.incremental import DEFAULT, SOLVERS, IncrementalSolver

if TYPE_CHECKING:
    from cnfgen_puzzles.solving.table import Solver

EXTRA = "counting"


@dataclass(frozen=True)
class EngineChoice:
    """An installed engine, with the solver that `blocking` uses."""

    name: str
    solver: str | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.solver})" if self.solver else self.name


def choose_engine(name: str, problem: Problem, solver: str | None = None) -> EngineChoice:
    """The engine with that name, or for `auto` the best installed one. InputError if it is not installed or cannot solve the
    problem.

    `solver` is a solver of python-sat, so naming one chooses `blocking`.
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
        raise InputError("the engine exact-cover cannot count this: the family does not provide it as an exact cover problem")
    if not available(name):
        raise InputError(f"the engine {name} is not installed: {install_extra(EXTRA)}")
    return EngineChoice(name, (solver or DEFAULT) if name == BLOCKING else None)


def _best(problem: Problem) -> str:
    """The best installed engine. Bounds that are not items leave an exact cover search too many candidates, so it is excluded."""
    for name in ENGINES:
        if available(name) and (name != COVER or (problem.cover is not None and not problem.cover.counted)):
            return name
    raise InputError(f"no engine that enumerates is installed: {install_extra(EXTRA)}")


def available(name: str) -> bool:
    """True if the program or package of an engine is installed."""
    if name == CLASP:
        return _clasp().available()
    return incremental.is_installed() if name == BLOCKING else importlib.util.find_spec(MODULE) is not None


def _clasp() -> Solver:
    from cnfgen_puzzles.solving.table import find_solver  # a lazy import: workers do not need the YAML recipes

    return find_solver("clasp")


# -- the worker process -------------------------------------------------------------------------------------------------------


class SearchWork:
    """Searches a part of a problem in a worker process (`workerprocess`), and prints:

    s 3 17 99           a solution: the true projection variables, in ascending order
    end 2               the end of the part, which has two solutions
    """

    def __init__(self, problem: Path, engine: EngineChoice, cube: Cube):
        self.problem, self.engine, self.cube = problem, engine, cube
        self.command = (clasp := _clasp()).prefix(clasp.locate()) if engine.name == CLASP else []

    def run(self, folder: Path, answers: TextIO) -> None:
        """Search; `folder` is for the engine's files."""
        engine = self._engine(read_problem(self.problem), folder)
        count = 0
        for solution in engine.solutions(self.cube):
            print("s", *solution, file=answers, flush=True)
            count += 1
        print("end", count, file=answers, flush=True)

    def _engine(self, problem: Problem, folder: Path) -> ClaspEngine | BlockingEngine | ExactCoverEngine:
        if self.engine.name == CLASP:
            return ClaspEngine(problem, self.command, folder)
        if self.engine.solver is not None:
            return BlockingEngine(problem, self.engine.solver)
        if problem.cover is None:
            raise CnfgenError("the problem is not an exact cover")
        return ExactCoverEngine(problem.cover)


# -- blocking -----------------------------------------------------------------------------------------------------------------


class BlockingEngine:
    """Enumerates with a solver of python-sat, and excludes each solution by a blocking clause.

    Learned clauses are kept from one model to the next. Every model is checked against the formula.
    """

    def __init__(self, problem: Problem, solver: str):
        self._problem = problem
        self._name = solver
        self._projection = frozenset(problem.projection)
        self._clauses = list(problem.cnf.clauses())
        self._checker = ModelChecker(problem.cnf)

    def solutions(self, cube: Cube) -> Iterator[list[int]]:
        with IncrementalSolver(self._name) as solver:
            solver.add_all(self._clauses)
            solver.add_all([literal] for literal in cube)
            while solver.solve():
                true = {literal for literal in solver.model if literal > 0}
                if not self._checker.holds(true):
                    raise CnfgenError(f"{self._name} gives a model that falsifies a clause")
                solution = sorted(true & self._projection)
                yield solution
                if self._problem.antichain:
                    solver.add([-variable for variable in solution])
                else:  # blocks this solution and no other; without a projection set, it is the empty clause
                    solver.add([-variable if variable in true else variable for variable in self._problem.projection])


# -- clasp --------------------------------------------------------------------------------------------------------------------

OPTIONS = (
    "--verbose=1", "--quiet=0", "--models=0", "--configuration=crafty", "--sat-prepro=0", "--contraction=no", "--otfs=0",
    "--counter-restarts=no", "--del-init=3.0,500,3000", "--del-max=3000",
)  # fmt: skip
"""crafty was the fastest of clasp's configurations on tilings, and is faster with fewer learned clauses
(docs/how-to/counting.md)."""

PIPE = 1 << 20  # bytes: a model can have tens of thousands of literals

PROJECTED = ("--parse-ext", "--project=project,3")

TRUE = re.compile(rb" (\d+)")
"""The true literals of a `v` line. Most of the thousands of literals are false, so they are not parsed."""


class ClaspEngine:
    """Enumerates with clasp, in one process for each part; `command` starts it. Every model is checked against the formula.

    clasp backtracks from one solution to the next and adds no clauses. At first, it runs without the projection set, which makes
    it up to twice as fast. This is correct if the auxiliary variables are functions of the others, as in all encodings of this
    package. If two models are the same solution, clasp is restarted with a line `c project 1 2 3 0` after the header, which it
    reads with --parse-ext.
    """

    def __init__(self, problem: Problem, command: Sequence[str], folder: Path):
        self._problem = problem
        self._command = [*command, *OPTIONS]
        self._folder = folder
        self._projection = frozenset(problem.projection)

    @cached_property
    def _checker(self) -> ModelChecker:
        """The checker. It is created after clasp has started, because both take equally long to read the formula."""
        return ModelChecker(self._problem.cnf)

    def solutions(self, cube: Cube) -> Iterator[list[int]]:
        path = self._folder / "part.cnf"
        self._write(path, cube)
        seen: set[tuple[int, ...]] = set()
        for options in ((), PROJECTED):
            with contextlib.closing(self._models([*self._command, *options, str(path)])) as models:
                for true in models:
                    solution = sorted(true & self._projection)
                    if tuple(solution) not in seen:
                        seen.add(tuple(solution))
                        yield solution
                    elif not options:
                        break
                else:
                    return

    def _models(self, command: Sequence[str]) -> Generator[set[int]]:
        """The checked models of clasp; CnfgenError if some may be missing. Closing the generator ends clasp."""
        # with this variable, the Python module clingo writes each literal separately, which takes longer than the search
        env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        verdict, printed, count = b"", b"", 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, pipesize=PIPE, env=env) as clasp:
            assert clasp.stdout is not None
            true: set[int] = set()
            try:
                holds = self._checker.holds
                for line in clasp.stdout:
                    if line.startswith(b"v "):
                        true.update(map(int, TRUE.findall(line)))
                        if line.endswith(b" 0\n"):
                            true.discard(0)
                            if not holds(true):
                                raise CnfgenError("clasp gives a model that falsifies a clause")
                            count += 1
                            yield true
                            true = set()
                    elif line.startswith(b"s "):
                        verdict = line[2:].strip()
                    elif line.startswith(b"c Models "):
                        printed = line.partition(b":")[2].strip()
            except BaseException:
                clasp.kill()
                raise
        expected = b"SATISFIABLE" if count else b"UNSATISFIABLE"
        if (verdict, printed) != (expected, str(count).encode()):  # `17+` means that clasp stopped early
            says = f"says {verdict.decode() or 'nothing'} and {printed.decode() or 'no number of'} models"
            raise CnfgenError(f"clasp printed {count} models, {says}, exits with {clasp.returncode}")

    def _write(self, path: Path, cube: Cube) -> None:
        """Write the formula with the cube's literals, and a new true variable: clasp needs a clause and something to print."""
        dummy = self._problem.cnf.num_variables + 1
        cnf = with_clauses(self._problem.cnf, [*([literal] for literal in cube), [dummy]])
        cnf.num_variables = dummy
        stream = io.BytesIO()
        write_dimacs(cnf, stream)
        header, _, clauses = stream.getvalue().partition(b"\n")
        projection = f"c project {' '.join(map(str, (*self._problem.projection, dummy)))} 0"
        path.write_bytes(b"\n".join((header, projection.encode(), clauses)))
