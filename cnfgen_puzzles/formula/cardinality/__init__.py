"""Cardinality constraints in clauses: how many of some literals are true, by encodings that are chosen by name.

>>> from cnfgen_puzzles.formula import Formula
>>> formula = Formula()
>>> cell = formula.grid("cell", 4)
>>> exactly_one(formula, cell.variables, "sequential")
>>> list(formula.clauses())
[[1, 2, 3, 4], [-1, 5], [-2, 6], [-3, 7], [-5, 6], [-6, 7], [-2, -5], [-3, -6], [-4, -7]]

What holds for every encoding:

* The literals may come as any iterable and may be negative. A literal that stands there twice counts twice.
* Auxiliary variables never change which assignments of the literals are allowed. Where they are *determined*, they are
  moreover a function of the literals, so that the formula has as many models as the constraint has solutions; under
  exactly one and exactly k they always are, under the upper bound alone where `Encoding.determined_at_most` says so.
* Over different variables, unit propagation finds all that the constraint implies: once k literals are true it makes
  the others false (and under exactly k, once n - k are false, the others true). This is called arc consistency.
* A bound that says nothing, fixes all literals, fails, or is one clause (at most n - 1, at least one) is written
  without auxiliaries, the same in every encoding. The sizes in the docstrings are those of the remaining cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.formula.cardinality import many, single
from cnfgen_puzzles.formula.cardinality.multiset import distinct
from cnfgen_puzzles.formula.cardinality.sink import ClauseSink


@dataclass(frozen=True)
class Encoding:
    """One way to write a bound as clauses: `at_most` for the upper bound, `exactly` for both.

    Both are called as `f(formula, literals)` in `AT_MOST_ONE` and as `f(formula, literals, k)` in `AT_MOST_K`; what they
    write to need be no `Formula`, only a `ClauseSink`.
    `exactly` is None where the two bounds are written one beside the other. `determined_at_most` tells whether the
    auxiliary variables are a function of the literals in every model of the upper bound; under the exact one they are.
    """

    name: str
    paper: str
    at_most: Callable[..., None]
    exactly: Callable[..., None] | None = None
    determined_at_most: bool = False


def _table(*encodings: Encoding) -> Mapping[str, Encoding]:
    return {encoding.name: encoding for encoding in encodings}


AT_MOST_ONE = _table(
    Encoding("pairwise", "folklore", single.pairwise, determined_at_most=True),
    Encoding("sequential", "Sinz 2005", single.sequential),
    Encoding("ladder", "Gent & Nightingale 2004", single.ladder, single.ladder_exactly, determined_at_most=True),
    Encoding("commander", "Klieber & Kwon 2007", single.commander, single.commander_exactly, determined_at_most=True),
    Encoding("product", "Chen 2010", single.product),
    Encoding("bimander", "Nguyen & Mai 2015", single.bimander),
    Encoding("totalizer", "Bailleux & Boufkhad 2003", single.totalizer, single.totalizer_exactly, determined_at_most=True),
    Encoding("bitwise", "Frisch & Peugniez 2001", single.bitwise),
)
"""The encodings of at most one and exactly one."""

AT_MOST_K = _table(
    Encoding("pairwise", "folklore (binomial)", many.pairwise, determined_at_most=True),
    Encoding("sequential", "Sinz 2005", many.sequential, many.sequential_exactly),
    Encoding("commander", "Frisch & Giannaros 2010", many.commander, many.commander_exactly, determined_at_most=True),
    Encoding("product", "Frisch & Giannaros 2010", many.product, determined_at_most=True),
    Encoding("totalizer", "Bailleux & Boufkhad 2003", many.totalizer, many.totalizer_exactly, determined_at_most=True),
)
"""The encodings of at most k, at least k and exactly k."""

DEFAULT = "product"
"""For at most one: the fewest clauses from about forty literals on and few variables; determined under exactly one."""

DEFAULT_K = "sequential"
"""For at most k: the fewest clauses unless there are very few literals, and determined under exactly k."""


def at_most_one(formula: ClauseSink, literals: Iterable[int], encoding: str = DEFAULT) -> None:
    """At most one of `literals` is true."""
    chosen = _find(AT_MOST_ONE, encoding)
    remaining, k = distinct(formula, literals, 1)
    if not _settled(formula, remaining, 0, k):
        chosen.at_most(formula, remaining)


def exactly_one(formula: ClauseSink, literals: Iterable[int], encoding: str = DEFAULT) -> None:
    """Exactly one of `literals` is true."""
    chosen = _find(AT_MOST_ONE, encoding)
    remaining, k = distinct(formula, literals, 1)
    if _settled(formula, remaining, k, k):
        return
    if chosen.exactly:
        chosen.exactly(formula, remaining)
    else:
        formula.add_clause(remaining)
        chosen.at_most(formula, remaining)


def at_most_k(formula: ClauseSink, literals: Iterable[int], k: int, encoding: str = DEFAULT_K) -> None:
    """At most `k` of `literals` are true; for k < 0 the empty clause."""
    chosen = _find(AT_MOST_K, encoding)
    remaining, k = distinct(formula, literals, k)
    if not _settled(formula, remaining, 0, k):
        chosen.at_most(formula, remaining, k)


def at_least_k(formula: ClauseSink, literals: Iterable[int], k: int, encoding: str = DEFAULT_K) -> None:
    """At least `k` of n `literals` are true: at most n - k of their negations; for k > n the empty clause."""
    negations = [-literal for literal in literals]
    at_most_k(formula, negations, len(negations) - k, encoding)


def exactly_k(formula: ClauseSink, literals: Iterable[int], k: int, encoding: str = DEFAULT_K) -> None:
    """Exactly `k` of `literals` are true; for k < 0 and for k > n the empty clause."""
    chosen = _find(AT_MOST_K, encoding)
    remaining, k = distinct(formula, literals, k)
    if _settled(formula, remaining, k, k):
        return
    if chosen.exactly:
        chosen.exactly(formula, remaining, k)
    else:
        at_most_k(formula, remaining, k, encoding)
        at_least_k(formula, remaining, k, encoding)


def _find(table: Mapping[str, Encoding], name: str) -> Encoding:
    """The encoding of that name; an InputError says what is known, or that it is known for at most one only."""
    if name in table:
        return table[name]
    if name in AT_MOST_ONE:
        raise InputError(f"the encoding {name!r} is for at most one only; at most k has: {', '.join(table)}")
    raise InputError(unknown_name("cardinality encoding", name, table))


def _settled(formula: ClauseSink, literals: Sequence[int], low: int, high: int) -> bool:
    """Write `low <= sum <= high` if it needs no encoding: it fails, fixes every literal, or is a clause a side."""
    n = len(literals)
    if high < 0 or low > n:
        formula.add()
    elif high == 0 or low == n:
        sign = 1 if high else -1
        for literal in literals:
            formula.add(sign * literal)
    elif low <= 1 and high >= n - 1:
        if low == 1:
            formula.add_clause(literals)
        if high == n - 1:
            formula.add_clause(-literal for literal in literals)
    else:
        return False
    return True
