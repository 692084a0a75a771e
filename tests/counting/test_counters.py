"""Model counters against brute force, and messages about failures, interrupts, and disagreement."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from counting.enumerating import cnf_of, projected, queens
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.numbers import digits
from cnfgen_puzzles.counting.counters import (
    COUNTERS,
    CounterVerdict,
    ModelCount,
    choose_counters,
    count_all,
    count_by,
    reduce_formula,
)
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.solving import workerprocess
from cnfgen_puzzles.solving.process import Limits

VARIABLES = 7


LITERALS = st.integers(1, VARIABLES).flatmap(lambda variable: st.sampled_from((variable, -variable)))
FORMULAS = st.lists(st.lists(LITERALS, max_size=4), max_size=14)
"""With empty clauses, tautologies, repeated literals, and variables in no clause."""
PROJECTIONS = st.lists(st.integers(1, VARIABLES), max_size=VARIABLES)


@settings(max_examples=30, deadline=None)
@given(FORMULAS, PROJECTIONS)
def test_both_counters_count_as_trying_everything_does(clauses, projection):
    """The work of a worker on each formula, in this process."""
    reduced = reduce_formula(clauses, projection)
    expected = len(projected(Problem(cnf_of(VARIABLES, clauses), projection)))
    for counter in COUNTERS.values():
        assert reduced.count(counter) == expected, counter.name


PIGEONS = [[1, 2], [3, 4], [5, 6], *([-a, -b] for v in (1, 2) for a, b in itertools.combinations(range(v, 7, 2), 2))]


@pytest.mark.parametrize("counter", COUNTERS)
def test_many_formulas_by_one_process(counter):
    cases = [
        ((), 3 * 16),  # 1 or 2, four variables that are free
        (([-1],), 16),
        (([-1], [-2]), 0),
        (([],), 0),
        (([1, -1],), 48),
        (([3],), 24),
    ]
    problem = Problem(cnf_of(8, [[1, 2]]), [1, 2, 3, 4, 5, 6])
    count = count_by(COUNTERS[counter], problem, [clauses for clauses, _ in cases])
    assert not count.reason
    assert list(count.numbers) == [number for _, number in cases]
    assert count.version


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize(
    ("clauses", "projection", "number"),
    [
        ([], [], 1),
        ([[]], [1], 0),
        ([[1], [-1]], [], 0),
        (PIGEONS, [1, 2, 3, 4, 5, 6], 0),
        ([[1, 2], [3, 4]], [], 1),
        ([[1, 2]], range(1, 301), 3 << 298),
        ([[v, v + 1] for v in range(1, 400, 2)], range(1, 401), 3**200),
        ([[-a, -b] for a, b in itertools.combinations(range(1, 30), 2)], range(1, 31), 60),
    ],
)
def test_numbers_are_exact(counter, clauses, projection, number):
    assert reduce_formula(clauses, projection).count(COUNTERS[counter]) == number


@pytest.mark.parametrize("counter", COUNTERS)
def test_a_number_of_thousands_of_digits_comes_from_a_worker(counter):
    count = count_by(COUNTERS[counter], Problem(cnf_of(20_000, [[1, 2]]), range(1, 20_001)))
    assert count.numbers == (3 << 19_998,), count.reason


@pytest.mark.parametrize("counter", COUNTERS)
def test_limits_end_a_counter(counter):
    problem = Problem(queens(12), range(1, 145))
    count = count_by(COUNTERS[counter], problem, limits=Limits(cpu=0.5))
    assert (count.numbers, count.reason) == ((), "CPU time limit")
    count = count_by(COUNTERS[counter], problem, limits=Limits(cpu=20, memory=8 << 20))
    verdict = CounterVerdict((count,))
    assert verdict.numbers is None
    assert verdict.reason == "memory limit"


def test_a_counter_that_crashes_is_an_error(monkeypatch):
    """A worker that kills itself in the middle of a line takes its place."""
    for code, reason in (
        ("import os; print('0x5'); print('0x', end='', flush=True); os.kill(os.getpid(), 11)", "signal 11"),
        ("raise SystemExit('no more room')", "failed with exit code 1: no more room"),
    ):  # fmt: skip
        monkeypatch.setattr(workerprocess, "write_task", lambda folder, task, code=code: ["python3", "-c", code])
        count = count_by(COUNTERS["ganak"], Problem(cnf_of(1, [[1]]), [1]))
        assert reason in count.reason
        with pytest.raises(CnfgenError, match="the model counter ganak"):
            _ = CounterVerdict((count,)).numbers


def test_two_that_agree_and_two_that_do_not():
    problem = Problem(cnf_of(4, [[1, 2], [-2, 3]]), [1, 2, 3, 4])
    verdict = count_all(choose_counters("counters"), problem, [(), ([1],)], Limits())
    assert verdict.numbers == (8, 6)
    assert verdict.evidence().words() == ": ganak and tididi agree"
    assert not verdict.evidence().certain
    first, second = verdict.calls
    lying = CounterVerdict((first, replace(second, numbers=(8, 7))))
    with pytest.raises(CnfgenError, match=r"disagree.*ganak .* counts 6, tididi .* counts 7"):
        _ = lying.numbers
    alone = CounterVerdict((first, replace(second, numbers=(), reason="CPU time limit")))
    assert alone.numbers == (8, 6)
    assert alone.evidence().words() == (
        " (claimed by ganak; not independently verified: a probabilistic counter, exact with probability at least 1 - delta; "
        "tididi gave no number: CPU time limit)"
    )


def test_numbers_of_any_size_are_printed_and_names_checked():
    big = ModelCount(COUNTERS["ganak"], "1", (1 << 20_000,))
    with pytest.raises(CnfgenError, match=digits((1 << 20_000) + 1)):
        _ = CounterVerdict((big, replace(big, counter=COUNTERS["tididi"], numbers=((1 << 20_000) + 1,)))).numbers
    with pytest.raises(InputError, match="ganac"):
        choose_counters("ganac")


@settings(max_examples=4, deadline=None)
@given(st.integers(20, 33), st.randoms(use_true_random=False))
def test_few_shown_variables_take_no_trying_of_their_values(number, random):
    """Chains of implications over many hidden variables: the number of increasing assignments is known."""
    shown = random.sample(range(1, 60), number)
    order = sorted(shown)
    clauses = [[-a, b] for a, b in itertools.pairwise(order)] + [[-v, order[-1], 60 + v] for v in order]
    reduced = reduce_formula(clauses, shown)
    for counter in COUNTERS.values():
        assert counter.count(reduced) * reduced.factor == number + 1, counter.name
