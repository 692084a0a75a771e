"""Checks models against all clauses of a formula, for callers that have thousands of them.

`Cnf.falsified_clause` looks at every clause each time. Here each clause with a negative literal is filed under the variable of
one of them, and looked at only when that variable is true: a model of a tiling has some hundred true variables of five thousand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from cnfgen_puzzles.formula import Cnf


class Checker:
    """`holds(true)` tells whether the assignment with just these true variables satisfies every clause of `cnf`."""

    def __init__(self, cnf: Cnf):
        self._some: list[frozenset[int]] = []  # clauses of positive literals
        self._not: dict[int, set[int]] = defaultdict(set)  # if the key is true, all of these are false
        self._then: dict[int, set[int]] = defaultdict(set)  # if the key is true, all of these are true
        self._longer: dict[int, list[tuple[set[int], set[int]]]] = defaultdict(list)  # negative rest, positive literals
        for clause in cnf.clauses():
            if len(clause) == 2 and clause[0] < 0 and clause[1] < 0:  # most of them
                self._not[-clause[0]].add(-clause[1])
            else:
                self._file(clause)

    def _file(self, clause: list[int]) -> None:
        negative = [-literal for literal in clause if literal < 0]
        if not negative:
            self._some.append(frozenset(clause))
        elif len(clause) == 2:
            self._then[negative[0]].add(max(clause))
        else:
            self._longer[negative[0]].append((set(negative), {literal for literal in clause if literal > 0}))

    def holds(self, true: Set[int]) -> bool:
        nothing: frozenset[int] = frozenset()
        for variable in true:
            if not self._not.get(variable, nothing).isdisjoint(true) or not self._then.get(variable, nothing) <= true:
                return False
            for negative, positive in self._longer.get(variable, ()):
                if negative <= true and positive.isdisjoint(true):
                    return False
        return not any(clause.isdisjoint(true) for clause in self._some)
