"""The engine that asks an incremental solver for one model after the other, and forbids each solution by a clause.

It runs any of python-sat's incremental solvers inside the worker. Learnt clauses are kept from one model to the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.problem import Part, Problem
from cnfgen_puzzles.evidence.modelcheck import Checker
from cnfgen_puzzles.solving.incremental.pysat_solver import IncrementalSolver


class Blocking:
    """All solutions of a part by python-sat's solver of that name; every model is checked against the formula."""

    def __init__(self, problem: Problem, solver: str):
        self._problem = problem
        self._name = solver
        self._projection = frozenset(problem.projection)
        self._clauses = list(problem.cnf.clauses())
        self._checker = Checker(problem.cnf)

    def solutions(self, part: Part) -> Iterator[list[int]]:
        with IncrementalSolver(self._name) as solver:
            solver.add_all(self._clauses)
            solver.add_all(part.clauses())
            while solver.solve():
                true = {literal for literal in solver.model if literal > 0}
                if not self._checker.holds(true):
                    raise CnfgenError(f"{self._name} gives a model that falsifies a clause")
                solution = sorted(true & self._projection)
                yield solution
                solver.add(self._blocking(solution))

    def _blocking(self, solution: list[int]) -> list[int]:
        """The clause that forbids this solution and no other; without a projection set it is the empty one."""
        if self._problem.antichain:
            return [-variable for variable in solution]
        true = set(solution)
        return [-variable if variable in true else variable for variable in self._problem.projection]
