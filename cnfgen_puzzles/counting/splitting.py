"""Chooses the cubes by which a search is split: enough that all workers are busy until the end.

All of them are of projection variables, so that a solution shows by itself to which part it belongs. The owner of a problem may
know good ones, such as the places of one piece. Where these are too few, each is split further: by
the literals that unit propagation leaves of the shortest clause of positive ones. Without an owner's cubes all signs of some
frequent projection variables serve. Nothing here needs to be complete: what no cube covers is a part of its own (`problem`).

`Divider` chooses how a part is divided that turned out too large.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from itertools import product

from cnfgen_puzzles.counting.problem import Cube, Problem, SearchPart
from cnfgen_puzzles.formula import Cnf

MOST_LITERALS = 5_000_000
"""Larger formulas are not propagated here, where it is slow."""

MOST_CHILDREN = 16
"""Literals by which a part is divided at once; what satisfies none of them is one part more."""


def split(problem: Problem, at_least: int, *, further: bool = True) -> list[Cube]:
    """The cubes to split by, `at_least` if that is easily done; `further` allows to split those of the owner."""
    if problem.cubes is None:
        return _signs(problem, at_least)
    among = frozenset(problem.projection)
    cubes = [tuple(cube) for cube in problem.cubes if among.issuperset(map(abs, cube))]
    if further and len(cubes) < at_least and len(problem.cnf.literals) <= MOST_LITERALS:
        return _Splitter(problem.cnf, among).split(cubes, at_least)
    return cubes


def _signs(problem: Problem, at_least: int) -> list[Cube]:
    if at_least < 2:
        return []
    among = set(problem.projection)
    counts = Counter(abs(literal) for literal in problem.cnf.literals if abs(literal) in among)
    chosen = [variable for variable, _ in counts.most_common((at_least - 1).bit_length())]
    return [tuple(sign * v for sign, v in zip(signs, chosen, strict=True)) for signs in product((1, -1), repeat=len(chosen))]


class Divider:
    """Chooses literals by which `Parts.divide` divides a part."""

    def __init__(self, problem: Problem):
        among = frozenset(problem.projection)
        counts = Counter(abs(literal) for literal in problem.cnf.literals if abs(literal) in among)
        self._frequent = [variable for variable, _ in counts.most_common()]
        self._splitter = _Splitter(problem.cnf, among) if len(problem.cnf.literals) <= MOST_LITERALS else None

    def literals(self, part: SearchPart) -> list[int]:
        """Projection variables, of which one is likely true in every solution of the part; none if nothing is left to choose."""
        assumed = (*part.cube, *(-cube[0] for cube in part.without if len(cube) == 1))
        known = set(assumed)
        if self._splitter:
            propagated = self._splitter.propagate(assumed)
            if propagated is None:
                return []
            known = propagated
            if shortest := self._splitter.shortest(known):
                return shortest[:MOST_CHILDREN]
        return next(([variable] for variable in self._frequent if variable not in known and -variable not in known), [])


class _Splitter:
    """Unit propagation on a formula, clause by clause: for some hundred cubes, not for a search."""

    def __init__(self, cnf: Cnf, among: frozenset[int]):
        """`among`: the variables that may be chosen."""
        self._clauses = list(cnf.clauses())
        self._with: dict[int, list[list[int]]] = defaultdict(list)
        for clause in self._clauses:
            for literal in clause:
                self._with[literal].append(clause)
        self._positive = [clause for clause in self._clauses if among.issuperset(clause)]

    def split(self, cubes: Sequence[Cube], at_least: int) -> list[Cube]:
        """`at_least` cubes that cover the same: the one with the fewest unit consequences, likely the hardest, is split first."""
        whole: list[Cube] = []
        queue: list[tuple[int, Cube]] = []

        def enter(cube: Cube) -> None:
            if (true := self.propagate(cube)) is not None:
                heapq.heappush(queue, (len(true), cube))

        for cube in cubes:
            enter(cube)
        while queue and len(whole) + len(queue) < at_least:
            _, cube = heapq.heappop(queue)
            literals = self.shortest(self.propagate(cube) or set())
            if not literals:
                whole.append(cube)
            for place, literal in enumerate(literals):
                enter((*cube, *(-other for other in literals[:place]), literal))
        return [*whole, *(cube for _, cube in sorted(queue))]

    def shortest(self, true: Set[int]) -> list[int]:
        """What is left of the shortest clause of positive literals that these leave open; empty if there is none."""
        open_clauses = ([x for x in clause if -x not in true] for clause in self._positive if true.isdisjoint(clause))
        return min(open_clauses, key=len, default=[])

    def propagate(self, literals: Sequence[int]) -> set[int] | None:
        """The literals and their unit consequences; None if they are contradictory."""
        true: set[int] = set()
        waiting = list(literals)
        while waiting:
            literal = waiting.pop()
            if -literal in true:
                return None
            if literal in true:
                continue
            true.add(literal)
            for clause in self._with[-literal]:
                if true.isdisjoint(clause):
                    rest = [x for x in clause if -x not in true]
                    if not rest:
                        return None
                    if len(rest) == 1:
                        waiting += rest
        return true
