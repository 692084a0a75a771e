"""At most one and exactly one: one function an encoding.

Each function is given at least three literals x_1 .. x_n of different variables, which `cardinality` sees to. It writes
the clauses of 'at most one'; where there is an exactly-one form that is not just one more clause, that is a function
too. Sizes are exact; lb(n) is the least b with 2^b >= n.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise as neighbours
from math import isqrt

from cnfgen_puzzles.formula.cardinality import many
from cnfgen_puzzles.formula.cardinality.sink import ClauseSink

SMALL = 6
"""Up to so many literals the pairs are no more clauses than their grid."""


def pairwise(formula: ClauseSink, literals: Sequence[int]) -> None:
    """No two together: not x_i or not x_j for all i < j.

    Variables 0, clauses n(n-1)/2; exactly one: one clause more. There is nothing to determine. Folklore, also called
    binomial, naive or direct. The clauses of a `range` are written in bulk.
    """
    if isinstance(literals, range):
        for place, literal in enumerate(literals, start=1):
            formula.conflict(literal, literals[place:])
        return
    negations = [-literal for literal in literals]
    for place, literal in enumerate(negations, start=1):
        for other in negations[place:]:
            formula.add(literal, other)


def sequential(formula: ClauseSink, literals: Sequence[int]) -> None:
    """A running total: s_i = 'one of x_1 .. x_i is true', i < n; x_i implies s_i and not s_(i-1); s_i implies s_(i+1).

    Variables n-1, clauses 3n-4; exactly one: one clause more. Under exactly one s is determined; under at most one it
    is not: if no literal is true, s may begin anywhere. C. Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality
    Constraints, CP 2005.
    """
    many.sequential(formula, literals, 1)


def ladder(formula: ClauseSink, literals: Sequence[int]) -> None:
    """Rungs y_1 >= .. >= y_n, y_i = 'none of x_1 .. x_i is true', and x_i = y_(i-1) and not y_i with y_0 = true.

    The paper's ladder for exactly one of x_1 .. x_n and a value 'none' without a literal. Variables n, clauses 4n-2.
    Determined. I. Gent, P. Nightingale, A New Encoding of AllDifferent into SAT, ModRef 2004; the same clauses are
    called the regular encoding (C. Ansótegui, F. Manyà, Mapping Problems with Finite-Domain Variables into Problems
    with Boolean Variables, SAT 2004).
    """
    _rungs(formula, literals, formula.auxiliary(len(literals)))


def ladder_exactly(formula: ClauseSink, literals: Sequence[int]) -> None:
    """The ladder of the paper, where y_n = false is no variable: variables n-1, clauses 4n-4. Determined."""
    _rungs(formula, literals, formula.auxiliary(len(literals) - 1))


def _rungs(formula: ClauseSink, literals: Sequence[int], rungs: range) -> None:
    """Order the rungs, and x_i = y_(i-1) and not y_i, where the missing y_0 is true and the missing y_n false."""
    for above, below in neighbours(rungs):
        formula.add(above, -below)
    for place, literal in enumerate(literals):
        before, after = rungs[max(place - 1, 0) : place], rungs[place : place + 1]
        for rung in before:
            formula.add(-literal, rung)
        for rung in after:
            formula.add(-literal, -rung)
        formula.add(literal, *(-rung for rung in before), *after)


def commander(formula: ClauseSink, literals: Sequence[int]) -> None:
    """Groups of three; a commander c = 'one of its group is true'; the commanders and the n mod 3 left over again.

    For C(n) clauses and V(n) variables let g = floor(n/3) and m = g + n mod 3. Then C(n) = n(n-1)/2 and V(n) = 0 for
    n <= 6, and otherwise C(n) = 7g + C(m) and V(n) = g + V(m): about 3.5 n and n/2. Determined: c implies its group.
    W. Klieber, G. Kwon, Efficient CNF Encoding for Selecting 1 from N Objects, CFV 2007.
    """
    many.commander(formula, literals, 1)


def commander_exactly(formula: ClauseSink, literals: Sequence[int]) -> None:
    """The same, and the last list of commanders holds one that is true: one clause more, a short one. Determined."""
    many.commander_exactly(formula, literals, 1)


def product(formula: ClauseSink, literals: Sequence[int]) -> None:
    """A grid: x_(r,c) implies row r and column c, of which there are at most one each, by the same encoding.

    For C(n) clauses and V(n) variables let p = ceil(sqrt(n)) be the columns and q = ceil(n/p) the rows. Then
    C(n) = n(n-1)/2 and V(n) = 0 for n <= 6, and otherwise C(n) = 2n + C(p) + C(q) and V(n) = p + q + V(p) + V(q): about
    2n + 4 sqrt(n) clauses. Exactly one: one clause more.

    Under exactly one determined; under at most one not, since a row may be true without any literal of it.
    J. Chen, A New SAT Encoding of the At-Most-One Constraint, ModRef 2010.
    """
    n = len(literals)
    if n <= SMALL:
        pairwise(formula, literals)
        return
    width = isqrt(n - 1) + 1
    height = -(-n // width)
    lines = formula.auxiliary(width + height)
    columns, rows = lines[:width], lines[width:]
    for place, literal in enumerate(literals):
        row, column = divmod(place, width)
        formula.add(-literal, rows[row])
        formula.add(-literal, columns[column])
    product(formula, rows)
    product(formula, columns)


def bimander(formula: ClauseSink, literals: Sequence[int]) -> None:
    """Pairs of neighbours exclude each other; a literal of pair g implies the binary digits of g.

    With m = ceil(n/2) groups: variables lb(m), clauses floor(n/2) + n lb(m); exactly one: one clause more. Under
    exactly one determined; under at most one not: if no literal is true, the digits are free. V. Nguyen, S. Mai, A New
    Method to Encode the At-Most-One Constraint into SAT, SoICT 2015, for any number m of groups; ceil(n/2) takes n/2
    clauses and a variable less than `bitwise`.
    """
    for first, second in zip(literals[::2], literals[1::2], strict=False):
        formula.add(-first, -second)
    _digits(formula, literals, group=2)


def totalizer(formula: ClauseSink, literals: Sequence[int]) -> None:
    """A binary tree over the literals; an inner node is the disjunction of its sons, of which at most one is true.

    The root is no variable: variables n-2, clauses 4n-7. Determined. O. Bailleux, Y. Boufkhad, Efficient CNF Encoding
    of Boolean Cardinality Constraints, CP 2003, with totals above one left out as in `many.totalizer`.
    """
    many.totalizer(formula, literals, 1)


def totalizer_exactly(formula: ClauseSink, literals: Sequence[int]) -> None:
    """The same, and one of the root's sons is true: variables n-2, clauses 4n-6. Determined."""
    many.totalizer_exactly(formula, literals, 1)


def bitwise(formula: ClauseSink, literals: Sequence[int]) -> None:
    """A literal implies the binary digits of its place 0 .. n-1.

    Variables lb(n), clauses n lb(n); exactly one: one clause more. Under exactly one determined; under at most one not:
    if no literal is true, the digits are free. A. Frisch, T. Peugniez, Solving Non-Boolean Satisfiability Problems with
    Stochastic Local Search, IJCAI 2001; also called binary or logarithmic.
    """
    _digits(formula, literals, group=1)


def _digits(formula: ClauseSink, literals: Sequence[int], group: int) -> None:
    """Each literal implies the binary digits of the number of its group, of `group` neighbours each."""
    last = (len(literals) - 1) // group
    digits = formula.auxiliary(last.bit_length())
    for place, literal in enumerate(literals):
        number = place // group
        for power, digit in enumerate(digits):
            formula.add(-literal, digit if number >> power & 1 else -digit)
