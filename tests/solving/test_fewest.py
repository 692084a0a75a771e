"""The fewest true variables: against all assignments, with clauses added one after another."""

from __future__ import annotations

import os
import signal
import threading
import time
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.solving.incremental import FewestTrue, IncrementalSolver

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
                with pytest.raises(CnfgenError, match="unsatisfiable"):
                    fewest.solve(60)
                return
            found = fewest.solve(60)
            assert len(found) == fewest.bound == min(map(sum, models))
            assert tuple(variable in found for variable in range(1, 7)) in models


def test_nothing_has_to_be_true():
    with FewestTrue(3) as fewest:
        assert fewest.solve(0) == frozenset() and fewest.bound == 0


def test_the_time_is_over():
    """Clauses for 300 pigeons: the bound so far is still one."""
    with FewestTrue(900) as fewest:
        for n in range(1, 899):
            fewest.add([n, n % 7 * 100 + 1, n + 1, n + 2 if n % 3 else -(n + 2)])
            fewest.add([-(n * 31 % 900 + 1), n * 17 % 900 + 1, n * 7 % 900 + 1])
        found = fewest.solve(0.0)
        assert found is None or len(found) == fewest.bound


def pigeons(holes):
    """More pigeons than holes: no solver refutes twelve of them in a short time."""
    sits = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    return [*sits, *([-a, -b] for column in zip(*sits, strict=True) for a, b in combinations(column, 2))]


@pytest.mark.parametrize("seconds", [0.2, 300])
def test_a_solver_ends_with_its_time_and_on_ctrl_c(seconds):
    """python-sat ignores signals; its time of 300 s distinguishes the two cases on a busy machine, too."""
    with IncrementalSolver("glucose4") as solver:
        solver.add_all(pigeons(12))
        if seconds < 1:
            assert solver.solve_within(seconds) is None
            return
        begun = time.monotonic()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        alarm = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        alarm.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                solver.solve_within(seconds)
        finally:
            alarm.cancel()
            signal.signal(signal.SIGINT, before)
        assert time.monotonic() - begun < seconds / 2
