"""Chooses the literals by which a part of a search is divided, so that all workers are busy until the end.

They are the literals that unit propagation leaves open in the shortest clause of positive literals, or a frequent variable. They
are projection variables only, so a solution determines its part. Any literals are correct (`problem.Parts`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence, Set
from functools import cached_property
from typing import Any

from cnfgen_puzzles.counting.problem import Cube, Problem, SearchPart

MOST_LITERALS = 5_000_000
"""Larger formulas are not propagated, because reading them here takes seconds."""

MOST_CHILDREN = 32
"""The most literals by which a part is divided at once; what satisfies none of them is one more part."""


class Divider:
    """Chooses literals by which `Parts.divide` divides a part, by the unit propagation of a SAT solver."""

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

    def consequences(self, part: SearchPart) -> float:
        """The number of literals that follow from the part by unit propagation: few in a hard part, infinitely many in an empty
        part; 0 if the formula is too large."""
        propagated = self._propagate(_assumed(part)) if self._solver else set()
        return math.inf if propagated is None else len(propagated)

    def literals(self, part: SearchPart) -> list[int]:
        """Projection variables of which each solution of the part probably has one; empty if none is open."""
        known = self._propagate(_assumed(part))
        if known is None:
            return []
        if shortest := self._shortest(known):
            return shortest[:MOST_CHILDREN]
        return next(([variable] for variable in self._frequent if variable not in known and -variable not in known), [])

    def divide(self, cube: Cube) -> tuple[list[int], list[int]] | None:
        """Literals of which each model of the cube satisfies one, by unit propagation: the open ones, and those that lead to a
        conflict at once. None if all variables are known."""
        known = self._propagate(cube)
        if known is None:
            return [], []
        choices = self._shortest(known)
        if not choices:
            choices = next(([v, -v] for v in self._frequent if v not in known and -v not in known), [])
        dead = [literal for literal in choices if self._propagate((*cube, literal)) is None]
        return ([literal for literal in choices if literal not in dead], dead) if choices else None

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


def _assumed(part: SearchPart) -> tuple[int, ...]:
    return (*part.cube, *(-cube[0] for cube in part.without if len(cube) == 1))
