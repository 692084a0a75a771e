"""The incremental solvers of python-sat, which keep learned clauses between calls. Only this module imports python-sat.

    with IncrementalSolver("cadical195") as solver: solver.add([1, 2]); solver.solve([-1])
    with FewestTrue(100) as fewest: fewest.add([3, 5]); fewest.solve(seconds=10)  # frozenset({3})

As a program (`python -m cnfgen_puzzles.solving.incremental x.cnf`, recipe `pysat.yaml`), it solves one formula with the output of
SAT competitions: the fallback if no other solver is installed. `session` uses the classes for growing formulas.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeVar

from cnfgen_puzzles.common.errors import CnfgenError

Result = TypeVar("Result")
INTS = "i"
"""The type of arrays of literals."""

DEFAULT = "cadical195"

SOLVERS = (
    "cadical103", "cadical153", "cadical195", "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42", "lingeling",
    "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22", "minisat-gh",
)  # fmt: skip
"""The solvers of python-sat that accept clauses between calls (kissat404 and cryptosat do not)."""


def is_installed() -> bool:
    """Whether python-sat is installed."""
    return importlib.util.find_spec("pysat") is not None


def within(seconds: float, solver: Any, call: Callable[[], Result]) -> Result:
    """The result of a call of a python-sat solver. After this many seconds of CPU time of this process, the solver is interrupted
    and TimeoutError is raised; CPU time makes the result independent of the load of the machine.

    The call is made in another thread, because Python cannot handle Ctrl-C while the main thread is in python-sat.
    """
    from concurrent.futures import ThreadPoolExecutor  # takes a while to load

    if seconds <= 0:
        raise TimeoutError
    end = time.process_time() + seconds
    with ThreadPoolExecutor(1) as beside:
        answer = beside.submit(call)
        try:
            while (left := end - time.process_time()) > 0:
                with contextlib.suppress(TimeoutError):
                    return answer.result(min(left, threading.TIMEOUT_MAX))
            raise TimeoutError
        finally:
            if not answer.done():
                solver.interrupt()
                beside.shutdown()
                solver.clear_interrupt()


class IncrementalSolver:
    """An incremental solver. It uses memory outside of Python until it is closed.

    Models are not checked here.
    """

    def __init__(self, name: str):
        from pysat.solvers import Solver  # takes a while to load

        self._solver: Any = Solver(name=name)
        self._dead = False  # some of the solvers ignore the empty clause
        self._clauses = False  # maplesat crashes on a formula without clauses
        self._assumed: set[int] | None = set() if name == "lingeling" else None  # it aborts on variables without a clause
        self.model: Sequence[int] = ()
        """The literals of the last model; variables without a clause may be missing."""
        self.core: Sequence[int] = ()
        """The assumptions that are sufficient for the last answer without a model."""

    def __enter__(self) -> IncrementalSolver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free its memory."""
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self.add_all([clause])

    def add_all(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        add = self._solver.solver.add_clause  # without the layer of python-sat that selects a solver
        for clause in clauses:
            self._clauses = True
            if clause:
                add(clause)
            else:
                self._dead = True

    def solve(self, assumptions: Sequence[int] = (), budget: int | None = None) -> bool | None:
        """Whether a model exists in which the assumptions are true; None if the budget of conflicts was not enough."""
        self.core = ()
        if self._dead:
            return False
        if not self._clauses:
            self.model = self.core = assumptions
            return not any(-literal in assumptions for literal in assumptions)
        if self._assumed is not None:
            for variable in {abs(literal) for literal in assumptions} - self._assumed:
                self._assumed.add(variable)
                self._solver.add_clause([variable, -variable])
        if budget is None:
            satisfiable = bool(self._solver.solve(assumptions=list(assumptions)))
        else:
            self._solver.conf_budget(budget)
            satisfiable = self._solver.solve_limited(assumptions=list(assumptions))
        self.model = self._solver.get_model() or () if satisfiable else ()  # some return None for the empty model
        self.core = self._solver.get_core() or () if satisfiable is False else ()
        return satisfiable

    def answer(
        self, clauses: Sequence[int], preferred: Sequence[int], assumptions: Sequence[int], budget: int | None
    ) -> bool | None:
        """As `solve`, with new clauses, flat and zero-terminated, and with preferred phases."""
        self.add_all(clauses_of(clauses))
        self.prefer(list(preferred))
        return self.solve(assumptions, budget)

    def solve_within(self, seconds: float, assumptions: Sequence[int] = ()) -> bool | None:
        """As `solve` with a time limit; None if it was exceeded. For the glucose versions and minisat, which can be
        interrupted."""
        if self._dead or not self._clauses:
            return self.solve(assumptions)
        try:
            answer: bool | None = within(
                seconds, self._solver, lambda: self._solver.solve_limited(list(assumptions), expect_interrupt=True)
            )
        except TimeoutError:
            answer = None
        self.model = self._solver.get_model() or () if answer else ()
        return answer

    def prefer(self, literals: Sequence[int]) -> None:
        """Set the preferred phases: the solver tries these literals first, so that models are close to a given one."""
        if literals:
            self._solver.set_phases(literals)

    def statistics(self) -> dict[str, int]:
        """The solver's counters since its start (conflicts, decisions, ...); empty if it has none."""
        counted: Any
        try:
            counted = self._solver.accum_stats()
        except NotImplementedError:
            counted = None
        return dict(counted or {})


class FewestTrue:
    """A model of the clauses with the fewest true variables of 1 to `count`, by the MaxSAT solver RC2.

    RC2 raises a lower bound: if `solve` returns None at the time limit, `bound` is still a valid lower bound. It uses memory
    outside of Python until it is closed.
    """

    def __init__(self, count: int):
        self.count = count
        self.clauses: list[Sequence[int]] = []
        self._solver: Any = None

    def __enter__(self) -> FewestTrue:
        return self

    def __exit__(self, *_: object) -> None:
        if self._solver is not None:
            self._solver.delete()

    @property
    def bound(self) -> int:
        """A lower bound of the number of true variables, for the clauses at the last `solve`."""
        return 0 if self._solver is None else int(self._solver.cost)

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self.clauses.append(clause)
        if self._solver is not None:
            self._solver.add_clause(list(clause))

    def add_all(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        for clause in clauses:
            self.add(clause)

    def solve(self, seconds: float) -> frozenset[int] | None:
        """The true variables of an optimal model; None at the time limit, also for later calls. CnfgenError without a model."""
        if not self.clauses:
            return frozenset()
        if self._solver is None:
            self._solver = self._start_rc2()
        try:
            model = within(seconds, self._solver, lambda: self._solver.compute(expect_interrupt=True))
        except TimeoutError:
            return None
        if model is None:
            raise CnfgenError("the clauses are unsatisfiable, so no minimum exists")
        true = frozenset(literal for literal in model if 0 < literal <= self.count)
        if not all(any((literal > 0) == (abs(literal) in true) for literal in clause) for clause in self.clauses):
            raise CnfgenError("the MaxSAT solver's model falsifies a clause")
        return true

    def _start_rc2(self) -> Any:
        from pysat.examples.rc2 import RC2  # takes a while to load
        from pysat.formula import WCNF

        formula = WCNF()
        for clause in self.clauses:
            formula.append(list(clause))
        for variable in range(1, self.count + 1):
            formula.append([-variable], weight=1)
        return RC2(formula, solver="glucose4", adapt=True, minz=True)


# -- worker process and program --------------------------------------------------------------------------------------------


class SessionTask(NamedTuple):
    """The worker process of a session: it answers requests until its input ends.

    A request has new clauses (flat, each terminated by 0), the preferred phases, the assumptions, and a budget of conflicts. An
    answer has whether a model exists (None: the budget was exceeded), the literals of the model or of a core, statistics, and
    the CPU time of the process in seconds. It is a line of JSON: the process is confined, so its output is data.
    """

    solver: str

    def run(self, _folder: Path, answers: TextIO) -> None:
        import pickle  # for workers only

        with IncrementalSolver(self.solver) as solver, contextlib.suppress(EOFError):
            while True:
                satisfiable = solver.answer(*pickle.load(sys.stdin.buffer))
                literals = list(solver.model if satisfiable else solver.core)
                print(json.dumps([satisfiable, literals, solver.statistics(), time.process_time()]), file=answers, flush=True)


def clauses_of(numbers: Sequence[int]) -> Iterator[list[int]]:
    """The clauses of a flat list."""
    literals, start = list(numbers), 0
    index, size = literals.index, len(literals)
    while start < size:
        end = index(0, start)
        yield literals[start:end]
        start = end + 1


def main(words: list[str]) -> int:
    """Run the program; returns 10 or 20."""
    from cnfgen_puzzles.common.sources import open_source  # sessions do not need this
    from cnfgen_puzzles.formula import read_dimacs

    cnf = read_dimacs(open_source(words[-1])).cnf
    with IncrementalSolver(DEFAULT) as solver:
        solver.add_all(cnf.clauses())
        return print_answer(solver, bool(solver.solve()))


def print_answer(solver: IncrementalSolver, satisfiable: bool) -> int:
    """Print the solver's statistics and its answer; return the exit code."""
    from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE, answer_lines

    for name, number in solver.statistics().items():
        print(f"c {name}: {number}")
    verdict = SATISFIABLE if satisfiable else UNSATISFIABLE
    print("\n".join(answer_lines(verdict, solver.model if satisfiable else None)), flush=True)
    return 10 if satisfiable else 20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
