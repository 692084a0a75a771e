"""The engine that asks an incremental solver for one model after the other, and forbids each solution by a clause.

It runs any of python-sat's incremental solvers inside the worker. Learnt clauses are kept from one model to the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from cnfgen_puzzles.counting.problem import Part, Problem
from cnfgen_puzzles.evidence.modelcheck import Checker
from cnfgen_puzzles.ground.errors import CnfgenError

DEFAULT = "cadical195"

SOLVERS = (
    "cadical103", "cadical153", "cadical195", "gluecard3", "gluecard4", "glucose3", "glucose4", "glucose42", "lingeling",
    "maplechrono", "maplecm", "maplesat", "mergesat3", "minicard", "minisat22", "minisat-gh",
)  # fmt: skip
"""Those of python-sat's solvers that take clauses between two calls (kissat404 and cryptosat do not)."""


class Blocking:
    """All solutions of a part by python-sat's solver of that name; every model is checked against the formula."""

    def __init__(self, problem: Problem, solver: str):
        self._problem = problem
        self._name = solver
        self._projection = frozenset(problem.projection)
        self._clauses = list(problem.cnf.clauses())
        self._checker = Checker(problem.cnf)

    def solutions(self, part: Part) -> Iterator[list[int]]:
        clauses = self._clauses + part.clauses()
        if [] in clauses:  # some of the solvers take the empty clause for no clause
            return
        clauses = clauses or [[self._problem.cnf.num_variables + 1]]  # maplesat crashes on a formula without clauses
        from pysat.solvers import Solver  # takes a while to load

        with Solver(name=self._name, bootstrap_with=clauses) as solver:
            while solver.solve():
                true = {literal for literal in solver.get_model() or () if literal > 0}
                if not self._checker.holds(true):
                    raise CnfgenError(f"{self._name} gives a model that falsifies a clause")
                solution = sorted(true & self._projection)
                yield solution
                blocking = self._blocking(solution)
                if not blocking:
                    return
                solver.add_clause(blocking)

    def _blocking(self, solution: list[int]) -> list[int]:
        """The clause that forbids this solution and no other."""
        if self._problem.antichain:
            return [-variable for variable in solution]
        true = set(solution)
        return [-variable if variable in true else variable for variable in self._problem.projection]
