"""Lists in which a variable stands more than once, brought to lists in which it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cnfgen_puzzles.formula.cardinality.sink import ClauseSink


def distinct(formula: ClauseSink, literals: Iterable[int], k: int) -> tuple[Sequence[int], int]:
    """Literals of different variables and a bound that say the same under a sum of at most (or exactly) `k`.

    The sum counts a literal as often as it stands in the list. A pair x, -x is always worth 1: it goes, and k falls by
    one. A literal that stands there more than k times is false: a unit clause, and it goes. Other repetitions are
    replaced by new variables that equal the literal (two clauses each), so that no encoding writes a clause with x
    twice.
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
        else:
            remaining += [literal, *(_copy(formula, literal) for _ in range(count - 1))]
    return remaining, k


def _copy(formula: ClauseSink, literal: int) -> int:
    """A new variable that equals `literal`."""
    [copy] = formula.auxiliary(1)
    formula.add(-literal, copy)
    formula.add(literal, -copy)
    return copy
