"""The fewest true variables: against all assignments, with clauses that come one after the other."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.ground.errors import CnfgenError
from cnfgen_puzzles.solving.incremental.fewest import FewestTrue

LITERALS = st.integers(1, 6).flatmap(lambda variable: st.sampled_from([variable, -variable]))
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=4), min_size=1, max_size=12)


@given(CLAUSES)
def test_the_fewest(clauses):
    with FewestTrue(6) as fewest:
        for count, clause in enumerate(clauses, start=1):
            fewest.add(clause)
            models = [
                true
                for true in product([False, True], repeat=6)
                if all(any(true[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses[:count])
            ]
            if not models:
                with pytest.raises(CnfgenError, match="contradict"):
                    fewest.solve(60)
                return
            found = fewest.solve(60)
            assert len(found) == fewest.bound == min(map(sum, models))
            assert tuple(variable in found for variable in range(1, 7)) in models


def test_nothing_has_to_be_true():
    with FewestTrue(3) as fewest:
        assert fewest.solve(0) == frozenset() and fewest.bound == 0


def test_the_time_is_over():
    """300 pigeons' worth of clauses: the bound so far is one all the same."""
    with FewestTrue(900) as fewest:
        for n in range(1, 899):
            fewest.add([n, n % 7 * 100 + 1, n + 1, n + 2 if n % 3 else -(n + 2)])
            fewest.add([-(n * 31 % 900 + 1), n * 17 % 900 + 1, n * 7 % 900 + 1])
        found = fewest.solve(0.0)
        assert found is None or len(found) == fewest.bound
