"""Sizes of the cardinality encodings: the formulas of their docstrings, computed independently, and those of a tiling."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import comb, isqrt

import pytest

from cnfgen_puzzles.formula.cardinality import AT_MOST_K, AT_MOST_ONE
from cnfgen_puzzles.formula.formula import Formula


def size(constrain: Callable[..., None], n: int, *arguments: object) -> tuple[int, int]:
    """Auxiliary variables and clauses of one constraint over variables 1 .. n."""
    formula = Formula()
    constrain(formula, formula.grid("x", n).variables, *arguments)
    assert formula.num_clauses == formula.literals.count(0)
    assert all(len(set(map(abs, clause))) == len(clause) for clause in formula.clauses()), "a variable stands twice"
    return formula.num_variables - n, formula.num_clauses


# -- at most one and exactly one ---------------------------------------------------------------------------------------


def lb(n: int) -> int:
    return next(b for b in range(n) if 2**b >= n)


@cache
def commander_one(n: int) -> tuple[int, int]:
    if n <= 6:
        return 0, comb(n, 2)
    g = n // 3
    v, c = commander_one(g + n % 3)
    return g + v, 7 * g + c


@cache
def product_one(n: int) -> tuple[int, int]:
    if n <= 6:
        return 0, comb(n, 2)
    p = isqrt(n - 1) + 1
    q = -(-n // p)
    (vp, cp), (vq, cq) = product_one(p), product_one(q)
    return p + q + vp + vq, 2 * n + cp + cq


def one_more(formula: Callable[[int], tuple[int, int]]) -> Callable[[int], tuple[int, int]]:
    return lambda n: (formula(n)[0], formula(n)[1] + 1)


ONE: dict[str, Callable[[int], tuple[int, int]]] = {
    "pairwise": lambda n: (0, n * (n - 1) // 2),
    "sequential": lambda n: (n - 1, 3 * n - 4),
    "ladder": lambda n: (n, 4 * n - 2),
    "commander": commander_one,
    "product": product_one,
    "bimander": lambda n: (lb(-(-n // 2)), n // 2 + n * lb(-(-n // 2))),
    "totalizer": lambda n: (n - 2, 4 * n - 7),
    "bitwise": lambda n: (lb(n), n * lb(n)),
}
EXACTLY_ONE = {name: one_more(formula) for name, formula in ONE.items()} | {"ladder": lambda n: (n - 1, 4 * n - 4)}


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_sizes_of_at_most_one_and_exactly_one(name):
    for n, clauses in enumerate([0, 0, 1]):
        assert size(Formula.at_most_one, n, name) == (0, clauses)
        assert size(Formula.exactly_one, n, name) == (0, 2 if n == 2 else 1)
    for n in (*range(3, 41), 64, 65, 100, 257):
        assert size(Formula.at_most_one, n, name) == ONE[name](n)
        assert size(Formula.exactly_one, n, name) == EXACTLY_ONE[name](n)


# -- at most k and exactly k -------------------------------------------------------------------------------------------


@cache
def commander_k(n: int, k: int) -> tuple[int, int]:
    s = k + 2
    if n >= s:
        g = n // s
        v, b = commander_k(k * g + n % s, k)
        grouped = g * (2 ** (s + 1) - 3 - s - comb(s, 2)) + b
        if comb(n, k + 1) > grouped:
            return k * g + v, grouped
    return 0, comb(n, k + 1)


@cache
def product_k(n: int, k: int) -> tuple[int, int]:
    if n <= 2**k:
        return 0, comb(n, k + 1)
    p = next(p for p in range(2, n + 1) if p ** (k + 1) >= n)
    short = max(j for j in range(k + 1) if (p - 1) ** j * p ** (k + 1 - j) >= n)
    sides, t, v, c = [p - 1] * short + [p] * (k + 1 - short), 1, 0, (k + 1) * n
    for p_d in sides:
        m = t * (n // (t * p_d)) + min(t, n % (t * p_d))
        vm, bm = product_k(m, k)
        v, c, t = v + m + vm, c + m + bm, t * p_d
    return (v, c) if c < comb(n, k + 1) else (0, comb(n, k + 1))


def totalizer_k(n: int, k: int) -> tuple[int, int]:
    bounded = 2 * k <= n
    k = min(k, n - k)

    def pairs(a: int, b: int, s: int) -> int:
        return sum(i + j <= s for i in range(a + 1) for j in range(b + 1))

    @cache
    def node(m: int) -> tuple[int, int]:
        if m == 1:
            return 0, 0
        (va, ca), (vb, cb) = node(m // 2), node(m - m // 2)
        a, b, c = (min(x, k) for x in (m // 2, m - m // 2, m))
        own = pairs(a, b, c) - 1 + pairs(a, b, c - 1) + bounded * max(0, a + b - k)
        return va + vb + c, ca + cb + own

    (va, ca), (vb, cb) = node(n // 2), node(n - n // 2)
    a, b = min(n // 2, k), min(n - n // 2, k)
    return va + vb, ca + cb + (max(0, a + b - k) if bounded else pairs(a, b, k - 1) - pairs(a, b, k - 2))


MANY: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "pairwise": lambda n, k: (0, comb(n, k + 1)),
    "sequential": lambda n, k: (k * (n - k), 2 * k * (n - k) + n - 2 * k),
    "commander": commander_k,
    "product": product_k,
    "totalizer": totalizer_k,
}
SMALL_ENOUGH = 5_000


def last_commanders(n: int, k: int) -> int:
    while commander_k(n, k)[0]:
        n = k * (n // (k + 2)) + n % (k + 2)
    return n


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", AT_MOST_K)
def test_sizes_of_at_most_k(name):
    written = 0
    for n in range(41):
        assert size(Formula.at_most_k, n, -1, name) == (0, 1)
        assert size(Formula.at_most_k, n, 0, name) == (0, n)
        assert size(Formula.at_most_k, n, n, name) == size(Formula.at_most_k, n, n + 3, name) == (0, 0)
        if n >= 2:
            assert size(Formula.at_most_k, n, n - 1, name) == (0, 1)
        for k in range(1, n - 1):
            expected = MANY[name](n, k)
            if expected[1] <= SMALL_ENOUGH:
                assert size(Formula.at_most_k, n, k, name) == expected, (n, k)
                written += 1
    assert written >= 150


def test_sizes_of_exactly_k():
    for n in (*range(3, 20), 30):
        for k in range(1, n):
            assert size(Formula.exactly_k, n, k, "sequential") == (k * (n - k), 4 * k * (n - k))
            if comb(n, min(k, n - k)) <= SMALL_ENOUGH:
                assert size(Formula.exactly_k, n, k, "pairwise") == (0, comb(n, k + 1) + comb(n, k - 1))
            variables, clauses = commander_k(n, k)
            if clauses <= SMALL_ENOUGH:
                exact = clauses + comb(last_commanders(n, k), k - 1)
                assert size(Formula.exactly_k, n, k, "commander") == (variables, exact)
            if 2 * k <= n and k <= n - 2:
                variables, clauses = totalizer_k(n, k)
                a, b = min(n // 2, k), min(n - n // 2, k)
                root = sum(i + j == k - 1 for i in range(a + 1) for j in range(b + 1))
                assert size(Formula.exactly_k, n, k, "totalizer") == (variables, clauses + root)


def test_the_default_encodings_are_the_smallest():
    assert all(product_one(n)[1] <= min(ONE[name](n)[1] for name in ONE) for n in range(44, 1000))
    assert all(
        MANY["sequential"](n, k)[1] < min(MANY[name](n, k)[1] for name in MANY if name != "sequential")
        for n in range(9, 41)
        for k in range(2, n - 2)
    )
