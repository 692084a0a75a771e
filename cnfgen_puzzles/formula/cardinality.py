"""Cardinality constraints: bounds on the number of true literals of a list, written as clauses by a named encoding.

>>> from cnfgen_puzzles.formula import Formula
>>> formula = Formula()
>>> cell = formula.grid("cell", 4)
>>> formula.exactly_one(cell.variables, "sequential")
>>> list(formula.clauses())
[[1, 2, 3, 4], [-1, 5], [-2, 6], [-3, 7], [-5, 6], [-6, 7], [-2, -5], [-3, -6], [-4, -7]]

All encodings have these properties:

* The literals may come from any iterable and may be negative. A literal that occurs twice counts twice.
* Auxiliary variables never change which assignments of the literals are allowed. *Determined* auxiliary variables are
  a function of the literals, so the formula has as many models as the constraint has solutions. They are always
  determined under exactly one and exactly k; under the upper bound alone if `determined_at_most` is set.
* Over different variables, unit propagation is complete (arc consistency): once k literals are true, it sets the others
  to false; under exactly k, once n - k literals are false, it sets the others to true.
* A bound that is trivial, fixes all literals, is impossible, or is one clause (at most n - 1, at least one) is written
  without auxiliary variables, in the same way by each encoding. The docstrings give the sizes of the other cases.

A formula for a pseudo-Boolean file keeps the constraints instead (`Formula.bounds`) and needs none of these variables.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from itertools import pairwise as neighbors
from math import comb, isqrt
from typing import Any, NamedTuple, TypeAlias

from cnfgen_puzzles.common.errors import InputError, unknown_name

Formula: TypeAlias = Any
"""A `formula.Formula`, whose module imports this one."""

DEFAULT = "product"
"""For at most one: the fewest clauses for forty literals or more, and few variables; determined under exactly one."""

DEFAULT_K = "sequential"
"""For at most k: the fewest clauses unless there are very few literals, and determined under exactly k."""


def find_encoding(table: Mapping[str, CardinalityEncoding], name: str) -> CardinalityEncoding:
    """The encoding of that name; InputError lists the available ones."""
    if name in table:
        return table[name]
    if name in AT_MOST_ONE:
        raise InputError(f"the encoding {name!r} is for at-most-one constraints only; at-most-k has: {', '.join(table)}")
    raise InputError(unknown_name("cardinality encoding", name, table))


def settled(formula: Formula, literals: Sequence[int], low: int, high: int) -> bool:
    """Write `low <= sum <= high` if it needs no encoding: it is impossible, fixes every literal, or is at most two clauses."""
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


def distinct(formula: Formula, literals: Iterable[int], k: int) -> tuple[Sequence[int], int]:
    """Literals of different variables and a bound that are equivalent to a sum of at most (or exactly) `k`.

    The sum counts each occurrence of a literal. A pair x, -x always adds 1: the pair is removed and k decreases by one.
    A literal with more than k occurrences must be false: a unit clause replaces it. A new variable that equals the
    literal (two clauses) replaces each further occurrence, so that no encoding writes a clause with x twice.
    """
    if not isinstance(literals, Sequence):
        literals = list(literals)
    if len(set(map(abs, literals))) == len(literals):
        return literals, k
    times = Counter(literals)
    for literal in {abs(literal) for literal in literals}:
        pairs = min(times[literal], times[-literal])
        times -= Counter({literal: pairs, -literal: pairs})
        k -= pairs
    if k < 0 or times.total() <= k:
        return list(times.elements()), k
    remaining: list[int] = []
    for literal, count in times.items():
        if count > k:
            formula.add(-literal)
            continue
        remaining.append(literal)
        for _ in range(count - 1):
            [copy] = formula.auxiliary(1)
            formula.add(-literal, copy)
            formula.add(literal, -copy)
            remaining.append(copy)
    return remaining, k


# -- at most k, exactly k: 3 <= n different variables, 1 <= k <= n-2 (exactly k: k <= n-1) -------------------------------


def pairwise(formula: Formula, literals: Sequence[int], k: int) -> None:
    """No k+1 together: one clause of negations for each set of k+1 literals.

    Variables 0, clauses C(n, k+1); exactly k: C(n, k+1) + C(n, k-1). Folklore, also called binomial.
    """
    formula.add_clauses(combinations([-literal for literal in literals], k + 1))


# -- sequential counter ------------------------------------------------------------------------------------------------


def sequential(formula: Formula, literals: Sequence[int], k: int) -> None:
    """A running total in unary: s_(i,j) = 'j of x_1 .. x_i are true'.

    x_i and s_(i-1,j-1) imply s_(i,j); s_(i-1,j) implies s_(i,j); x_i and s_(i-1,k) exclude each other. Only the s_(i,j)
    with j <= i < j+n-k exist: for j > i the total is out of reach, and from i = j+n-k the remaining literals cannot
    raise it above k. Variables k(n-k), clauses 2k(n-k) + n - 2k (the paper's counter, which has all i and j,
    needs 2nk + n - 3k - 1); for k = 1: n-1 and 3n-4, exactly one needs one clause more. Not determined under at most k:
    a total may be higher than the number of true literals. C. Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality
    Constraints, CP 2005.
    """
    _running_totals(formula, literals, k)


def sequential_exactly(formula: Formula, literals: Sequence[int], k: int) -> None:
    """`sequential` and the converse implications: s_(i,j) implies s_(i-1,j-1), and x_i or s_(i-1,j).

    Under exactly k, the totals without a variable are constants: false for j > i, true from i = j+n-k.
    Variables k(n-k), clauses 4k(n-k). Determined.
    """
    totals = _running_totals(formula, literals, k)
    for j, total in enumerate(totals):
        for place, now in enumerate(total):
            formula.add(-now, literals[j + place], *total[max(place - 1, 0) : place])
            if j:
                formula.add(-now, totals[j - 1][place])
        formula.add(total[-1], literals[j + len(total)])


def _running_totals(formula: Formula, literals: Sequence[int], k: int) -> list[range]:
    """Write the upper bound. Entry [j-1][i-j] of the result is s_(i,j)."""
    width = len(literals) - k
    variables = formula.auxiliary(k * width)
    totals = [variables[j * width : (j + 1) * width] for j in range(k)]
    for j, total in enumerate(totals):
        for place, now in enumerate(total):
            if j:
                formula.add(-literals[j + place], -totals[j - 1][place], now)
            else:
                formula.add(-literals[place], now)
        for place in range(1, width):
            formula.add(-total[place - 1], total[place])
    for place, full in enumerate(totals[-1]):
        formula.add(-literals[k + place], -full)
    return totals


# -- commander ---------------------------------------------------------------------------------------------------------


def commander(formula: Formula, literals: Sequence[int], k: int) -> None:
    """Groups of s = k+2 literals; a group has k commanders c_j = 'j of the group are true', j = 1 .. k, and at most k
    true literals. The commanders of all groups and the n mod s remaining literals are bounded in the same way.

    Clauses of a group: any j of it imply c_j (also j = k+1, where c_j is false); c_j implies one of any s-j+1 of it.
    That is G = 2^(s+1) - 3 - s - C(s, 2) clauses. For B(n) clauses and V(n) variables let g = floor(n/s) and
    m = kg + n mod s. Then B(n) = C(n, k+1) and V(n) = 0 if n < s or C(n, k+1) <= gG + B(m), and otherwise
    B(n) = gG + B(m) and V(n) = kg + V(m): for k = 1 about 3.5 n and n/2.

    Determined. For k = 1: W. Klieber, G. Kwon, Efficient CNF Encoding for Selecting 1 from N Objects, CFV 2007. Else:
    A. Frisch, P. Giannaros, SAT Encodings of the At-Most-k Constraint, ModRef 2010, with ordered commanders and without
    the clauses that their order makes redundant. The number of clauses grows as 2^k: use it for small k.
    """
    pairwise(formula, _commanders(formula, literals, k), k)


def commander_exactly(formula: Formula, literals: Sequence[int], k: int) -> None:
    """`commander` with exactly k in the last list, of m literals: C(m, k-1) more clauses. Determined."""
    last = _commanders(formula, literals, k)
    pairwise(formula, last, k)
    formula.add_clauses(combinations(last, len(last) - k + 1))


def _commanders(formula: Formula, literals: Sequence[int], k: int) -> Sequence[int]:
    """The last list: the same number of its literals is true, and `pairwise` needs fewer clauses for it than groups."""
    size = k + 2
    while _grouping_pays(len(literals), k):
        whole = len(literals) // size * size
        commanders: list[int] = []
        for first in range(0, whole, size):
            group, officers = literals[first : first + size], formula.auxiliary(k)
            _command(formula, group, officers)
            commanders += officers
        literals = [*commanders, *literals[whole:]]
    return literals


def _command(formula: Formula, group: Sequence[int], officers: range) -> None:
    """officers[j-1] = 'j of the group are true'; at most len(officers) of the group are true."""
    negations = [-literal for literal in group]
    for j, officer in enumerate(officers, start=1):
        formula.add_clauses((*some, officer) for some in combinations(negations, j))
        formula.add_clauses((-officer, *some) for some in combinations(group, len(group) - j + 1))
    formula.add_clauses(combinations(negations, len(officers) + 1))


def _grouping_pays(n: int, k: int) -> bool:
    """Whether a complete group exists and grouping needs fewer clauses than the subsets of k+1."""
    return n >= k + 2 and comb(n, k + 1) > _grouped_clauses(n, k)


@cache
def _grouped_clauses(n: int, k: int) -> int:
    """The number of clauses of `commander` with at least one level of groups."""
    size = k + 2
    groups, left = divmod(n, size)
    rest = k * groups + left
    a_group = (1 << (size + 1)) - 3 - size - comb(size, 2)
    return groups * a_group + (_grouped_clauses(rest, k) if _grouping_pays(rest, k) else comb(rest, k + 1))


# -- product -----------------------------------------------------------------------------------------------------------


def product(formula: Formula, literals: Sequence[int], k: int) -> None:
    """A grid of k+1 dimensions: a literal implies each of its k+1 shadows, the point with one coordinate dropped; of
    the shadows along each coordinate at most k are true, by the same encoding.

    Some coordinate can be dropped so that k+1 different points stay different (Bondy's theorem), so k+1 true literals
    violate one of the bounds. The sides are p, the least with p^(k+1) >= n, or p-1 for as many as possible, those first. Along
    the coordinate with side p_d and stride t, the product of the sides before, there are
    m_d = t floor(n / (t p_d)) + min(t, n mod (t p_d)) shadows. For B(n) clauses and V(n) variables let
    G(n) = (k+1) n + sum of (m_d + B(m_d)). Then B(n) = C(n, k+1) and V(n) = 0 if n <= 2^k or C(n, k+1) <= G(n), and
    otherwise B(n) = G(n) and V(n) = sum of (m_d + V(m_d)).

    Determined, since a shadow implies one of its literals (m_d clauses that the paper does not have).
    A. Frisch, P. Giannaros, SAT Encodings of the At-Most-k Constraint, ModRef 2010. Use it for k <= 3.
    """
    n = len(literals)
    if not _grid_pays(n, k):
        pairwise(formula, literals, k)
        return
    for stride, side in _coordinates(n, k):
        shadows = formula.auxiliary(_shadows(n, stride, side))
        casters: list[list[int]] = [[] for _ in shadows]
        for place, literal in enumerate(literals):
            shadow = place // (stride * side) * stride + place % stride
            formula.add(-literal, shadows[shadow])
            casters[shadow].append(literal)
        for shadow, cast in zip(shadows, casters, strict=True):
            formula.add(-shadow, *cast)
        product(formula, shadows, k)


def _coordinates(n: int, k: int) -> Iterator[tuple[int, int]]:
    """Stride and side of each coordinate of the grid of n > 2^k points; every side is at least 2."""
    dimensions = k + 1
    side = 2
    while side**dimensions < n:
        side += 1
    spare = max(short for short in range(dimensions) if (side - 1) ** short * side ** (dimensions - short) >= n)
    stride = 1
    for number in range(dimensions):
        length = side - (number < spare)
        yield stride, length
        stride *= length


def _shadows(n: int, stride: int, side: int) -> int:
    """The number of different points among the first n when the coordinate of that stride and side is dropped."""
    return n // (stride * side) * stride + min(n % (stride * side), stride)


def _grid_pays(n: int, k: int) -> bool:
    """Whether every coordinate has two values and a grid needs fewer clauses than the subsets of k+1."""
    return n > 2**k and comb(n, k + 1) > _grid_clauses(n, k)


@cache
def _grid_clauses(n: int, k: int) -> int:
    """The number of clauses of `product` with at least one grid."""
    clauses = (k + 1) * n
    for stride, side in _coordinates(n, k):
        shadows = _shadows(n, stride, side)
        clauses += shadows + (_grid_clauses(shadows, k) if _grid_pays(shadows, k) else comb(shadows, k + 1))
    return clauses


# -- totalizer ---------------------------------------------------------------------------------------------------------


def totalizer(formula: Formula, literals: Sequence[int], k: int) -> None:
    """A balanced binary tree over the literals. Each inner node counts the true literals below it in unary, up to k.

    A node over n literals has sons over floor(n/2) and the rest. If their outputs are a_1 .. a_A and b_1 .. b_B, its
    own are c_1 .. c_C, C = min(n, k). With a_0, b_0 true, a_(A+1), b_(B+1) false, 0 <= i <= A, 0 <= j <= B, its clauses
    are:

    1. a_i and b_j imply c_(i+j), for 1 <= i+j <= C;
    2. c_(i+j+1) implies a_(i+1) or b_(j+1), for i+j < C;
    3. not a_i or not b_j, for i+j = k+1.

    The root has no outputs and only clauses 3. For 2k > n the bound is written as at least k' = n-k negations: k'
    replaces k, no node has clauses 3, and the root has clauses 4. a_(i+1) or b_(j+1), for i+j = k'-1.

    Variables: the sum of C over the inner nodes without the root. Clauses: where P(s) is the number of pairs i, j with
    i+j <= s, P(C) - 1 + P(C-1) for each inner node except the root; max(0, A+B-k) for 3; P(k'-1) - P(k'-2) for 4. Determined.
    For k = 1 each inner node is the disjunction of its sons: n-2 variables, 4n-7 clauses, exactly one 4n-6.

    O. Bailleux, Y. Boufkhad, Efficient CNF Encoding of Boolean Cardinality Constraints, CP 2003; totals above k
    omitted as by M. Büttner, J. Rintanen, Satisfiability Planning with Constraints on the Number of Actions, ICAPS 2005.
    """
    if 2 * k <= len(literals):
        _exclude(formula, *_sons(formula, literals, k, bounded=True), k)
    else:
        k = len(literals) - k
        _demand(formula, *_sons(formula, [-literal for literal in literals], k, bounded=False), k)


def totalizer_exactly(formula: Formula, literals: Sequence[int], k: int) -> None:
    """The tree with clauses 3 and 4 at the root, for 2k > n that of exactly n-k negations. Determined.

    For 2k <= n: the variables of `totalizer`, and P(k-1) - P(k-2) more clauses.
    """
    if 2 * k > len(literals):
        literals, k = [-literal for literal in literals], len(literals) - k
    left, right = _sons(formula, literals, k, bounded=True)
    _exclude(formula, left, right, k)
    _demand(formula, left, right, k)


def _sons(formula: Formula, literals: Sequence[int], k: int, bounded: bool) -> tuple[Sequence[int], Sequence[int]]:
    half = len(literals) // 2
    return _total(formula, literals[:half], k, bounded), _total(formula, literals[half:], k, bounded)


def _total(formula: Formula, literals: Sequence[int], k: int, bounded: bool) -> Sequence[int]:
    """The outputs of a node: output j is 'at least j of `literals` are true'; with `bounded`, at most k are."""
    if len(literals) == 1:
        return literals
    left, right = _sons(formula, literals, k, bounded)
    outputs: range = formula.auxiliary(min(len(literals), k))
    left_below, right_below = ([(), *((-son,) for son in sons)] for sons in (left, right))  # to cancel 'i are true'
    left_above, right_above = ([*((son,) for son in sons), ()] for sons in (left, right))  # 'i+1 are true'
    for i, (below, above) in enumerate(zip(left_below, left_above, strict=True)):
        for j in range(min(len(right), len(outputs) - i) + 1):
            if i + j:
                formula.add(*below, *right_below[j], outputs[i + j - 1])
            if i + j < len(outputs):
                formula.add(-outputs[i + j], *above, *right_above[j])
    if bounded:
        _exclude(formula, left, right, k)
    return outputs


def _exclude(formula: Formula, left: Sequence[int], right: Sequence[int], k: int) -> None:
    """The two totals do not reach k+1 together."""
    for i in range(max(1, k + 1 - len(right)), min(len(left), k) + 1):
        formula.add(-left[i - 1], -right[k - i])


def _demand(formula: Formula, left: Sequence[int], right: Sequence[int], k: int) -> None:
    """The two totals reach k together."""
    for i in range(max(0, k - 1 - len(right)), min(len(left), k - 1) + 1):
        formula.add(*left[i : i + 1], *right[k - 1 - i : k - i])


# -- at most one, exactly one: at least three different variables --------------------------------------------------------


SMALL = 6
"""Up to this number of literals, pairs need no more clauses than a grid."""


def pairs(formula: Formula, literals: Sequence[int]) -> None:
    """No two together: not x_i or not x_j for all i < j.

    Variables 0, clauses n(n-1)/2; exactly one: one more clause. Folklore, also called binomial, naive, or direct. The
    clauses are written in bulk.
    """
    negations = array("i", [-literal for literal in literals])
    for place, literal in enumerate(literals, start=1):
        formula.implies_each(literal, negations[place:])


def ladder(formula: Formula, literals: Sequence[int]) -> None:
    """Rungs y_1 >= .. >= y_n, y_i = 'none of x_1 .. x_i is true', and x_i = y_(i-1) and not y_i with y_0 = true.

    The paper's ladder for exactly one of x_1 .. x_n and a value 'none' without a literal. Variables n, clauses 4n-2.
    Determined. I. Gent, P. Nightingale, A New Encoding of AllDifferent into SAT, ModRef 2004; the same clauses are
    called the regular encoding (C. Ansótegui, F. Manyà, Mapping Problems with Finite-Domain Variables into Problems
    with Boolean Variables, SAT 2004).
    """
    _rungs(formula, literals, formula.auxiliary(len(literals)))


def ladder_exactly(formula: Formula, literals: Sequence[int]) -> None:
    """The ladder of the paper, with the constant y_n = false: variables n-1, clauses 4n-4. Determined."""
    _rungs(formula, literals, formula.auxiliary(len(literals) - 1))


def _rungs(formula: Formula, literals: Sequence[int], rungs: range) -> None:
    """Order the rungs, and x_i = y_(i-1) and not y_i, with the constants y_0 = true and y_n = false."""
    for above, below in neighbors(rungs):
        formula.add(above, -below)
    for place, literal in enumerate(literals):
        before, after = rungs[max(place - 1, 0) : place], rungs[place : place + 1]
        for rung in before:
            formula.add(-literal, rung)
        for rung in after:
            formula.add(-literal, -rung)
        formula.add(literal, *(-rung for rung in before), *after)


def grid(formula: Formula, literals: Sequence[int]) -> None:
    """A grid: x_(r,c) implies row r and column c; at most one row and at most one column, by the same encoding.

    For C(n) clauses and V(n) variables let p = ceil(sqrt(n)) be the columns and q = ceil(n/p) the rows. Then
    C(n) = n(n-1)/2 and V(n) = 0 for n <= 6, and otherwise C(n) = 2n + C(p) + C(q) and V(n) = p + q + V(p) + V(q): about
    2n + 4 sqrt(n) clauses. Exactly one: one more clause.

    Determined under exactly one; not under at most one, since a row may be true without any of its literals.
    J. Chen, A New SAT Encoding of the At-Most-One Constraint, ModRef 2010.
    """
    n = len(literals)
    if n <= SMALL:
        pairs(formula, literals)
        return
    width = isqrt(n - 1) + 1
    height = -(-n // width)
    lines = formula.auxiliary(width + height)
    columns, rows = lines[:width], lines[width:]
    for place, literal in enumerate(literals):
        row, column = divmod(place, width)
        formula.add(-literal, rows[row])
        formula.add(-literal, columns[column])
    grid(formula, rows)
    grid(formula, columns)


def bimander(formula: Formula, literals: Sequence[int]) -> None:
    """Literals 2g and 2g+1 form pair g and exclude each other; each implies the binary digits of g.

    With m = ceil(n/2) groups: variables lb(m), clauses floor(n/2) + n lb(m); exactly one: one more clause.
    Determined under exactly one; not under at most one: if no literal is true, the digits are free. V. Nguyen, S. Mai, A New
    Method to Encode the At-Most-One Constraint into SAT, SoICT 2015, for any number m of groups; ceil(n/2) groups
    need n/2 clauses and one variable less than `bitwise`.
    """
    for first, second in zip(literals[::2], literals[1::2], strict=False):
        formula.add(-first, -second)
    _digits(formula, literals, group=2)


def bitwise(formula: Formula, literals: Sequence[int]) -> None:
    """A literal implies the binary digits of its place 0 .. n-1.

    Variables lb(n), clauses n lb(n); exactly one: one more clause. Determined under exactly one; not under at most one:
    if no literal is true, the digits are free. A. Frisch, T. Peugniez, Solving Non-Boolean Satisfiability Problems with
    Stochastic Local Search, IJCAI 2001; also called binary or logarithmic.
    """
    _digits(formula, literals, group=1)


def _digits(formula: Formula, literals: Sequence[int], group: int) -> None:
    """Each literal implies the binary digits of the number of its group, of `group` consecutive literals each."""
    last = (len(literals) - 1) // group
    digits = formula.auxiliary(last.bit_length())
    for place, literal in enumerate(literals):
        number = place // group
        for power, digit in enumerate(digits):
            formula.add(-literal, digit if number >> power & 1 else -digit)


# -- the tables ----------------------------------------------------------------------------------------------------------


class CardinalityEncoding(NamedTuple):
    """An encoding of bounds as clauses: `at_most` for the upper bound, `exactly` for both bounds.

    Both are called as `f(formula, literals)` in `AT_MOST_ONE` and as `f(formula, literals, k)` in `AT_MOST_K`.
    If `exactly` is None, the two bounds are written separately. `determined_at_most` is True if the auxiliary variables
    are a function of the literals in every model of the upper bound; under exactly k they always are.
    """

    name: str
    paper: str
    at_most: Callable[..., None]
    exactly: Callable[..., None] | None = None
    determined_at_most: bool = False


def with_one(function: Callable[[Formula, Sequence[int], int], None]) -> Callable[[Formula, Sequence[int]], None]:
    """The encoding of a bound k for k = 1."""
    return lambda formula, literals: function(formula, literals, 1)


def _table(*encodings: CardinalityEncoding) -> Mapping[str, CardinalityEncoding]:
    return {encoding.name: encoding for encoding in encodings}


AT_MOST_ONE = _table(
    CardinalityEncoding("pairwise", "folklore", pairs, determined_at_most=True),
    CardinalityEncoding("sequential", "Sinz 2005", with_one(sequential)),
    CardinalityEncoding("ladder", "Gent & Nightingale 2004", ladder, ladder_exactly, determined_at_most=True),
    CardinalityEncoding(
        "commander", "Klieber & Kwon 2007", with_one(commander), with_one(commander_exactly), determined_at_most=True
    ),
    CardinalityEncoding("product", "Chen 2010", grid),
    CardinalityEncoding("bimander", "Nguyen & Mai 2015", bimander),
    CardinalityEncoding(
        "totalizer", "Bailleux & Boufkhad 2003", with_one(totalizer), with_one(totalizer_exactly), determined_at_most=True
    ),
    CardinalityEncoding("bitwise", "Frisch & Peugniez 2001", bitwise),
)
"""The encodings of at most one and exactly one."""

AT_MOST_K = _table(
    CardinalityEncoding("pairwise", "folklore (binomial)", pairwise, determined_at_most=True),
    CardinalityEncoding("sequential", "Sinz 2005", sequential, sequential_exactly),
    CardinalityEncoding("commander", "Frisch & Giannaros 2010", commander, commander_exactly, determined_at_most=True),
    CardinalityEncoding("product", "Frisch & Giannaros 2010", product, determined_at_most=True),
    CardinalityEncoding("totalizer", "Bailleux & Boufkhad 2003", totalizer, totalizer_exactly, determined_at_most=True),
)
"""The encodings of at most k, at least k and exactly k."""
