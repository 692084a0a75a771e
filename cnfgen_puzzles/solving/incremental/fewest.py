"""The fewest of some variables that have to be true, under clauses that keep coming: python-sat's MaxSAT solver RC2.

    with FewestTrue(100) as fewest:
        fewest.add([3, 5])
        fewest.solve(seconds=10)   # frozenset({3})

RC2 goes from below: when `solve` gives None because the time was over, `bound` is still a number that no model goes under.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.solving.incremental.pysat_solver import within


class FewestTrue:
    """Variables 1 to `count`; every model of the clauses that has as few of them true as there can be. Uses memory outside of
    Python until it is closed."""

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
        """No model of the clauses that were there at the last `solve` has fewer of the variables true."""
        return 0 if self._solver is None else int(self._solver.cost)

    def add(self, clause: Sequence[int]) -> None:
        """One more clause."""
        self.clauses.append(clause)
        if self._solver is not None:
            self._solver.add_clause(list(clause))

    def add_all(self, clauses: Iterable[Sequence[int]]) -> None:
        """More clauses."""
        for clause in clauses:
            self.add(clause)

    def solve(self, seconds: float) -> frozenset[int] | None:
        """The true variables of a model with the fewest; None if the time was over, for good. CnfgenError without any model."""
        if not self.clauses:
            return frozenset()
        if self._solver is None:
            self._solver = self._started()
        try:
            model = within(seconds, self._solver, lambda: self._solver.compute(expect_interrupt=True))
        except TimeoutError:
            return None
        if model is None:
            raise CnfgenError("the clauses contradict each other, so nothing is the fewest")
        true = frozenset(literal for literal in model if 0 < literal <= self.count)
        if not all(any((literal > 0) == (abs(literal) in true) for literal in clause) for clause in self.clauses):
            raise CnfgenError("the MaxSAT solver's model falsifies a clause")
        return true

    def _started(self) -> Any:
        from pysat.examples.rc2 import RC2  # takes a while to load
        from pysat.formula import WCNF

        formula = WCNF()
        for clause in self.clauses:
            formula.append(list(clause))
        for variable in range(1, self.count + 1):
            formula.append([-variable], weight=1)
        return RC2(formula, solver="glucose4", adapt=True, minz=True)
