"""Chooses the literals by which the search of a cube is divided, for counts and for proofs.

They are the literals that unit propagation leaves open in the shortest clause of positive literals, or a frequent variable. They
are projection variables only, so a solution determines its part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from functools import cached_property
from typing import Any

from cnfgen_puzzles.counting.problem import Cube, Problem

MOST_LITERALS = 5_000_000
"""Larger formulas are not propagated, because reading them here takes seconds."""


class Divider:
    """Chooses literals by the unit propagation of a SAT solver."""

    def __init__(self, problem: Problem):
        self._problem = problem
        self._positive: list[list[int]] = []
        self._solver: Any = None  # None for a large formula
        if len(problem.cnf.literals) <= MOST_LITERALS:
            from pysat.solvers import Solver  # takes a while to load

            clauses, among = list(problem.cnf.clauses()), frozenset(problem.projection)
            self._positive = [clause for clause in clauses if among.issuperset(clause)]
            # the solver does not report the consequences of unit clauses without an assumption
            self._assumption = problem.cnf.num_variables + 1
            units = ([*clause, -self._assumption] if len(clause) < 2 else clause for clause in clauses)
            self._solver = Solver("minisat22", bootstrap_with=units)

    @cached_property
    def _frequent(self) -> list[int]:
        """The projection variables that occur in the formula, the most frequent first."""
        among = set(self._problem.projection)
        counts = Counter(abs(literal) for literal in self._problem.cnf.literals if abs(literal) in among)
        return [variable for variable, _ in counts.most_common()]

    def choices(self, cube: Cube) -> list[int]:
        """Literals of which each solution of the cube has one: the open ones of a clause, or an open variable and its negation.
        Empty if none is open, or unit propagation leads to a conflict."""
        known = self._propagate(cube)
        if known is None:
            return []
        open_variables = ([v, -v] for v in self._frequent if v not in known and -v not in known)
        return self._shortest(known) or next(open_variables, [])

    def _shortest(self, true: Set[int]) -> list[int]:
        """The open literals of the shortest open clause of positive literals; empty if there is none."""
        open_clauses = ([x for x in clause if -x not in true] for clause in self._positive if true.isdisjoint(clause))
        return min(open_clauses, key=len, default=[])

    def _propagate(self, literals: Sequence[int]) -> set[int] | None:
        """The literals and their unit consequences; None for a contradiction."""
        if self._solver is None:
            return set(literals)
        possible, true = self._solver.propagate([self._assumption, *literals])
        return {*literals, *true} if possible else None
