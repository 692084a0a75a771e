"""What of a formula a model counter is told: the clauses that say something, over the variables that occur in them.

A variable of the projection set in no clause doubles the number; one that is not of the set changes nothing; an empty clause
makes it 0, and without a clause it is a power of two. A counter is asked only for what is left after that:

    number = reduced.factor * (number that the counter gives for reduced.clauses)

>>> reduced = reduce_formula([[5, 7], [7, -7], [5, 5, -2]], projection=[2, 5, 9])
>>> reduced.clauses, reduced.variables, reduced.projection, reduced.factor
([[2, 3], [2, -1]], 3, [1, 2], 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Reduced:
    """Clauses over variables 1 .. `variables`, each of which occurs; `factor` is what the free ones contribute.

    `known` is the number for these clauses, where it takes no counter.
    """

    clauses: list[list[int]]
    variables: int
    projection: list[int]
    factor: int
    known: int | None = None


def reduce_formula(clauses: Iterable[Sequence[int]], projection: Iterable[int]) -> Reduced:
    """The formula without what a counter need not see, its variables numbered anew in their order."""
    kept = []
    for clause in clauses:
        literals = list(dict.fromkeys(clause))
        if not literals:
            return Reduced([], 0, [], 1, known=0)
        if not _always_true(literals):
            kept.append(literals)
    used = sorted({abs(literal) for clause in kept for literal in clause})
    number = {variable: place for place, variable in enumerate(used, start=1)}
    number |= {-variable: -place for variable, place in number.items()}
    wanted = sorted(set(projection))
    inside = [number[variable] for variable in wanted if variable in number]
    renamed = [[number[literal] for literal in clause] for clause in kept]
    return Reduced(renamed, len(used), inside, 1 << (len(wanted) - len(inside)), known=None if kept else 1)


def _always_true(literals: Iterable[int]) -> bool:
    """Whether a clause has a literal and its negation."""
    there = set(literals)
    return any(-literal in there for literal in there)
