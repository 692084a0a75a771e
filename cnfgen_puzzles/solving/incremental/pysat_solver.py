"""python-sat's incremental solvers behind one face: the place that imports python-sat's solvers and knows their quirks.

`fewest.py` has the other that is used of it, its MaxSAT solver.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

Answer = TypeVar("Answer")

DEFAULT = "cadical195"

SOLVERS = (
    "cadical103", "cadical153", "cadical195", "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42", "lingeling",
    "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22", "minisat-gh",
)  # fmt: skip
"""Those of python-sat's solvers that take clauses between two calls (kissat404 and cryptosat do not)."""


def is_installed() -> bool:
    """Whether python-sat is there."""
    return importlib.util.find_spec("pysat") is not None


def within(seconds: float, solver: Any, call: Callable[[], Answer]) -> Answer:
    """What a call of python-sat's solver gives; TimeoutError once so many seconds are over, and the solver is interrupted then.

    The call is made in another thread: Python could not answer Ctrl-C while this one is in python-sat.
    """
    from concurrent.futures import ThreadPoolExecutor  # takes a while to load

    if seconds <= 0:
        raise TimeoutError
    with ThreadPoolExecutor(1) as beside:
        answer = beside.submit(call)
        try:
            return answer.result(min(seconds, threading.TIMEOUT_MAX))
        finally:
            if not answer.done():
                solver.interrupt()
                beside.shutdown()
                solver.clear_interrupt()


class IncrementalSolver:
    """A solver that takes clauses, answers, takes more. It uses memory outside of Python until it is closed.

    Models are the solver's word: nothing is checked here.
    """

    def __init__(self, name: str, solver: Any = None):
        if solver is None:
            from pysat.solvers import Solver  # takes a while to load

            solver = Solver(name=name)
        self._solver = solver
        self._dead = False  # some of the solvers take the empty clause for no clause
        self._clauses = False  # maplesat crashes on a formula without clauses
        self._assumed: set[int] | None = set() if name == "lingeling" else None  # it aborts on variables that no clause has
        self._model: Sequence[int] = ()
        self._core: Sequence[int] = ()

    def __enter__(self) -> IncrementalSolver:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """One more clause."""
        self._clauses = True
        if clause:
            self._solver.add_clause(clause)
        else:
            self._dead = True

    def add_all(self, clauses: Iterable[Sequence[int]]) -> None:
        """More clauses."""
        for clause in clauses:
            self.add(clause)

    def solve(self, assumptions: Sequence[int] = (), budget: int | None = None) -> bool | None:
        """Whether there is a model in which the assumptions are true; None if it gave up after so many conflicts."""
        self._core = ()
        if self._dead:
            return False
        if not self._clauses:
            self._model = self._core = assumptions
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
        self._model = self._solver.get_model() or () if satisfiable else ()  # some say None for the empty model
        self._core = self._solver.get_core() or () if satisfiable is False else ()
        return satisfiable

    def solve_within(self, seconds: float, assumptions: Sequence[int] = ()) -> bool | None:
        """As `solve`; None if it took longer. Of the glucoses and minisat, which can be interrupted."""
        if self._dead or not self._clauses:
            return self.solve(assumptions)
        try:
            answer: bool | None = within(
                seconds, self._solver, lambda: self._solver.solve_limited(list(assumptions), expect_interrupt=True)
            )
        except TimeoutError:
            answer = None
        self._model = self._solver.get_model() or () if answer else ()
        return answer

    def prefer(self, literals: Sequence[int]) -> None:
        """Where there is a choice these literals are made true, so that models are near a given one; a hint, no more."""
        if literals:
            self._solver.set_phases(literals)

    @property
    def model(self) -> Sequence[int]:
        """The literals of the model of the last `solve` that found one; variables that no clause has may be missing."""
        return self._model

    @property
    def core(self) -> Sequence[int]:
        """Those assumptions of the last `solve` that found no model which are enough for that."""
        return self._core

    def statistics(self) -> dict[str, int]:
        """What the solver has counted since its start (conflicts, decisions, ...); not all of them count."""
        counted: Any
        try:
            counted = self._solver.accum_stats()
        except NotImplementedError:
            counted = None
        return dict(counted or {})
