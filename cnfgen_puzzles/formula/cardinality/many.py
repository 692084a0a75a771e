"""At most k and exactly k: one function an encoding.

Each function is given literals x_1 .. x_n of different variables with n >= 3 and 1 <= k <= n-2 (exactly k: k <= n-1),
which `cardinality` sees to. Sizes are exact; C(n, k) is the binomial coefficient. Where there is no function for
exactly k, the upper bound stands beside that of the negations, at most n-k of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb

from cnfgen_puzzles.formula.cardinality.sink import ClauseSink


def pairwise(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """No k+1 together: one clause of negations for each set of k+1 literals.

    Variables 0, clauses C(n, k+1); exactly k: C(n, k+1) + C(n, k-1). Folklore, also called binomial.
    """
    formula.add_clauses(combinations([-literal for literal in literals], k + 1))


# -- sequential counter ------------------------------------------------------------------------------------------------


def sequential(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """A running total in unary: s_(i,j) = 'j of x_1 .. x_i are true'.

    x_i and s_(i-1,j-1) imply s_(i,j); s_(i-1,j) implies s_(i,j); x_i and s_(i-1,k) exclude each other. Only the s_(i,j)
    with j <= i < j+n-k are there: for j > i the total is out of reach, and from i = j+n-k on the literals that are left
    cannot take it beyond k. Variables k(n-k), clauses 2k(n-k) + n - 2k (the paper's counter, which has all i and j,
    takes 2nk + n - 3k - 1). Under at most k not determined: a total may run ahead of the literals. C. Sinz, Towards an
    Optimal CNF Encoding of Boolean Cardinality Constraints, CP 2005.
    """
    _running_totals(formula, literals, k)


def sequential_exactly(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """The same, and conversely: s_(i,j) implies s_(i-1,j-1), and x_i or s_(i-1,j).

    With exactly k the totals that `sequential` leaves out are known: 'out of reach' is false, 'late enough' true.
    Variables k(n-k), clauses 4k(n-k). Determined.
    """
    totals = _running_totals(formula, literals, k)
    for j, total in enumerate(totals):
        for place, now in enumerate(total):
            formula.add(-now, literals[j + place], *total[max(place - 1, 0) : place])
            if j:
                formula.add(-now, totals[j - 1][place])
        formula.add(total[-1], literals[j + len(total)])


def _running_totals(formula: ClauseSink, literals: Sequence[int], k: int) -> list[range]:
    """Write the upper bound; entry [j-1][i-j] of the result is s_(i,j)."""
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


def commander(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """Groups of s = k+2 literals; a group has k commanders c_j = 'j of the group are true', j = 1 .. k, and at most k
    true literals; the commanders of all groups and the n mod s literals left over are bounded again.

    Clauses of a group: any j of it imply c_j (also j = k+1, where c_j is false); c_j implies one of any s-j+1 of it.
    That is G = 2^(s+1) - 3 - s - C(s, 2) clauses. For B(n) clauses and V(n) variables let g = floor(n/s) and
    m = kg + n mod s. Then B(n) = C(n, k+1) and V(n) = 0 if n < s or C(n, k+1) <= gG + B(m), and otherwise
    B(n) = gG + B(m) and V(n) = kg + V(m).

    Determined. A. Frisch, P. Giannaros, SAT Encodings of the At-Most-k Constraint, ModRef 2010, with ordered commanders
    and without the clauses that their order makes superfluous. Clauses grow as 2^k: for small k.
    """
    pairwise(formula, _commanders(formula, literals, k), k)


def commander_exactly(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """The same with exactly k in the last list, of m literals: C(m, k-1) clauses more. Determined."""
    last = _commanders(formula, literals, k)
    pairwise(formula, last, k)
    formula.add_clauses(combinations(last, len(last) - k + 1))


def _commanders(formula: ClauseSink, literals: Sequence[int], k: int) -> Sequence[int]:
    """The last list: literals of which as many are true, and so few that plain subsets are the better bound."""
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


def _command(formula: ClauseSink, group: Sequence[int], officers: range) -> None:
    """officers[j-1] = 'j of the group are true', and no more than there are officers."""
    negations = [-literal for literal in group]
    for j, officer in enumerate(officers, start=1):
        formula.add_clauses((*some, officer) for some in combinations(negations, j))
        formula.add_clauses((-officer, *some) for some in combinations(group, len(group) - j + 1))
    formula.add_clauses(combinations(negations, len(officers) + 1))


def _grouping_pays(n: int, k: int) -> bool:
    """Whether there is a whole group and the subsets of k+1 are more clauses than grouping."""
    return n >= k + 2 and comb(n, k + 1) > _grouped_clauses(n, k)


@cache
def _grouped_clauses(n: int, k: int) -> int:
    """The clauses of `commander` if it groups the literals at least once."""
    size = k + 2
    groups, left = divmod(n, size)
    rest = k * groups + left
    a_group = (1 << (size + 1)) - 3 - size - comb(size, 2)
    return groups * a_group + (_grouped_clauses(rest, k) if _grouping_pays(rest, k) else comb(rest, k + 1))


# -- product -----------------------------------------------------------------------------------------------------------


def product(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """A grid of k+1 dimensions: a literal implies each of its k+1 shadows, the point with one coordinate dropped; of
    the shadows along each coordinate at most k are true, by the same encoding.

    Of k+1 different points some shadow keeps all different (Bondy's theorem), so k+1 true literals break one of the
    bounds. The sides are p, the least with p^(k+1) >= n, or p-1 for as many as the grid can spare, those first. Along
    the coordinate with side p_d and stride t, the product of the sides before, there are
    m_d = t floor(n / (t p_d)) + min(t, n mod (t p_d)) shadows. For B(n) clauses and V(n) variables let
    G(n) = (k+1) n + sum of (m_d + B(m_d)). Then B(n) = C(n, k+1) and V(n) = 0 if n <= 2^k or C(n, k+1) <= G(n), and
    otherwise B(n) = G(n) and V(n) = sum of (m_d + V(m_d)).

    Determined, as a shadow implies one of the literals that cast it (m_d clauses that the paper does without).
    A. Frisch, P. Giannaros, SAT Encodings of the At-Most-k Constraint, ModRef 2010. For k <= 3.
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
    """How many points the first n points of the grid leave when the coordinate of that stride and side is dropped."""
    return n // (stride * side) * stride + min(n % (stride * side), stride)


def _grid_pays(n: int, k: int) -> bool:
    """Whether every coordinate has two values and the subsets of k+1 are more clauses than a grid."""
    return n > 2**k and comb(n, k + 1) > _grid_clauses(n, k)


@cache
def _grid_clauses(n: int, k: int) -> int:
    """The clauses of `product` if it makes a grid at least once."""
    clauses = (k + 1) * n
    for stride, side in _coordinates(n, k):
        shadows = _shadows(n, stride, side)
        clauses += shadows + (_grid_clauses(shadows, k) if _grid_pays(shadows, k) else comb(shadows, k + 1))
    return clauses


# -- totalizer ---------------------------------------------------------------------------------------------------------


def totalizer(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """A balanced binary tree over the literals, whose inner nodes count in unary, up to k, the true ones below them.

    A node over n literals has sons over floor(n/2) and the rest. If their outputs are a_1 .. a_A and b_1 .. b_B, its
    own are c_1 .. c_C, C = min(n, k). With a_0, b_0 true, a_(A+1), b_(B+1) false, 0 <= i <= A and 0 <= j <= B it says:

    1. a_i and b_j imply c_(i+j), for 1 <= i+j <= C;
    2. c_(i+j+1) implies a_(i+1) or b_(j+1), for i+j < C;
    3. not a_i or not b_j, for i+j = k+1.

    The root has no outputs and says only 3. For 2k > n the bound is written as at least k' = n-k negations: k' takes
    the place of k, no node says 3, and the root says 4. a_(i+1) or b_(j+1), for i+j = k'-1.

    Variables: the sum of C over the inner nodes but the root. Clauses: where P(s) is the number of pairs i, j with
    i+j <= s, P(C) - 1 + P(C-1) an inner node but the root; max(0, A+B-k) for 3; P(k'-1) - P(k'-2) for 4. Determined.

    O. Bailleux, Y. Boufkhad, Efficient CNF Encoding of Boolean Cardinality Constraints, CP 2003; totals above k left
    out as by M. Büttner, J. Rintanen, Satisfiability Planning with Constraints on the Number of Actions, ICAPS 2005.
    """
    if 2 * k <= len(literals):
        _exclude(formula, *_sons(formula, literals, k, bounded=True), k)
    else:
        k = len(literals) - k
        _demand(formula, *_sons(formula, [-literal for literal in literals], k, bounded=False), k)


def totalizer_exactly(formula: ClauseSink, literals: Sequence[int], k: int) -> None:
    """The tree with clauses 3 and 4 at the root, for 2k > n that of exactly n-k negations. Determined.

    For 2k <= n the variables of `totalizer` and P(k-1) - P(k-2) clauses more.
    """
    if 2 * k > len(literals):
        literals, k = [-literal for literal in literals], len(literals) - k
    left, right = _sons(formula, literals, k, bounded=True)
    _exclude(formula, left, right, k)
    _demand(formula, left, right, k)


def _sons(formula: ClauseSink, literals: Sequence[int], k: int, bounded: bool) -> tuple[Sequence[int], Sequence[int]]:
    half = len(literals) // 2
    return _total(formula, literals[:half], k, bounded), _total(formula, literals[half:], k, bounded)


def _total(formula: ClauseSink, literals: Sequence[int], k: int, bounded: bool) -> Sequence[int]:
    """The outputs of a node: number j says that j of `literals` are true; `bounded`: and no more than k are."""
    if len(literals) == 1:
        return literals
    left, right = _sons(formula, literals, k, bounded)
    outputs = formula.auxiliary(min(len(literals), k))
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


def _exclude(formula: ClauseSink, left: Sequence[int], right: Sequence[int], k: int) -> None:
    """The two totals do not reach k+1 together."""
    for i in range(max(1, k + 1 - len(right)), min(len(left), k) + 1):
        formula.add(-left[i - 1], -right[k - i])


def _demand(formula: ClauseSink, left: Sequence[int], right: Sequence[int], k: int) -> None:
    """The two totals reach k together."""
    for i in range(max(0, k - 1 - len(right)), min(len(left), k - 1) + 1):
        formula.add(*left[i : i + 1], *right[k - 1 - i : k - i])
