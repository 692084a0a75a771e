"""Cardinality encodings against brute force and under unit propagation, and their names and lists of literals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.formula.cardinality import AT_MOST_K, AT_MOST_ONE
from cnfgen_puzzles.formula.formula import Formula

# -- a small solver: unit propagation, and branching where that is not enough ------------------------------------------


class Clauses:
    """The clauses of a formula, indexed by their literals."""

    def __init__(self, formula: Formula):
        self.num_variables = formula.num_variables
        self.clauses = [set(clause) for clause in formula.clauses()]
        self.having = defaultdict(list)
        for clause in self.clauses:
            for literal in clause:
                self.having[literal].append(clause)
        self.units = [literal for clause in self.clauses if len(clause) == 1 for literal in clause]
        self.contradicts_itself = set() in self.clauses

    def propagate(self, assumed: Iterable[int], known: frozenset[int] = frozenset()) -> frozenset[int] | None:
        """All literals that unit propagation makes true, or None for a conflict."""
        if self.contradicts_itself:
            return None
        true, queue = set(known), [*assumed, *self.units]
        while queue:
            literal = queue.pop()
            if -literal in true:
                return None
            if literal in true:
                continue
            true.add(literal)
            for clause in self.having[-literal]:
                if true.isdisjoint(clause):
                    left = [other for other in clause if -other not in true]
                    if not left:
                        return None
                    if len(left) == 1:
                        queue.append(left[0])
        return frozenset(true)

    def models(self, assumed: Iterable[int], known: frozenset[int] = frozenset()) -> Iterator[frozenset[int]]:
        """All models that extend the assumption."""
        true = self.propagate(assumed, known)
        if true is None:
            return
        free = next((v for v in range(1, self.num_variables + 1) if v not in true and -v not in true), None)
        if free is None:
            yield true
        else:
            yield from self.models([-free], true)
            yield from self.models([free], true)

    def count(self, assumed: Iterable[int]) -> int:
        """The number of models that extend the assumption, where 2 stands for all larger numbers."""
        return sum(1 for _ in zip(range(2), self.models(assumed), strict=False))


def write(constrain: Callable[..., None], n: int, *arguments: object) -> Formula:
    """The formula of one constraint over variables 1 .. n."""
    formula = Formula()
    constrain(formula, formula.grid("x", n).variables, *arguments)
    return formula


def assignments(n: int) -> Iterator[list[int]]:
    for signs in product((-1, 1), repeat=n):
        yield [sign * variable for variable, sign in enumerate(signs, start=1)]


def agree(formula: Formula, n: int, allowed: Callable[[int], bool], determined: bool) -> bool:
    """Check every assignment of 1 .. n; returns whether each allowed one has exactly one model."""
    clauses, single = Clauses(formula), True
    for assignment in assignments(n):
        models = clauses.count(assignment)
        assert bool(models) == allowed(sum(literal > 0 for literal in assignment)), assignment
        assert models < 2 or not determined, assignment
        single &= models < 2
    return single


# -- meaning -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_at_most_one_allows_exactly_its_assignments(name):
    determined = AT_MOST_ONE[name].determined_at_most
    single = [agree(write(Formula.at_most_one, n, name), n, lambda true: true <= 1, determined) for n in range(10)]
    assert all(single) == determined, "the table claims too little"


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_exactly_one_has_one_model_per_assignment(name):
    for n in range(10):
        agree(write(Formula.exactly_one, n, name), n, lambda true: true == 1, determined=True)


@pytest.mark.parametrize("name", AT_MOST_K)
@pytest.mark.parametrize("n", range(8))
def test_bounds_by_k_allow_exactly_their_assignments(name, n):
    determined = AT_MOST_K[name].determined_at_most
    for k in range(-1, n + 2):
        agree(write(Formula.at_most_k, n, k, name), n, k.__ge__, determined)
        agree(write(Formula.at_least_k, n, k, name), n, k.__le__, determined)
        agree(write(Formula.exactly_k, n, k, name), n, k.__eq__, determined=True)


def test_the_running_totals_of_at_most_k_are_not_determined():
    assert not agree(write(Formula.at_most_k, 5, 2, "sequential"), 5, lambda true: true <= 2, determined=False)


@pytest.mark.parametrize("name", AT_MOST_K)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_larger_bounds(name, data):
    n = data.draw(st.integers(8, 18))
    k = data.draw(st.integers(1, 4))
    true = data.draw(st.lists(st.integers(1, n), min_size=max(k - 1, 0), max_size=k + 1, unique=True))
    assignment = [variable if variable in true else -variable for variable in range(1, n + 1)]
    most = Clauses(write(Formula.at_most_k, n, k, name)).count(assignment)
    assert bool(most) == (len(true) <= k)
    assert most < 2 or not AT_MOST_K[name].determined_at_most
    assert Clauses(write(Formula.exactly_k, n, k, name)).count(assignment) == (len(true) == k)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", AT_MOST_ONE)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_larger_groups(name, data):
    n = data.draw(st.integers(9, 100))
    true = data.draw(st.lists(st.integers(1, n), max_size=2, unique=True))
    assignment = [variable if variable in true else -variable for variable in range(1, n + 1)]
    assert bool(Clauses(write(Formula.at_most_one, n, name)).count(assignment)) == (len(true) <= 1)
    assert Clauses(write(Formula.exactly_one, n, name)).count(assignment) == (len(true) == 1)


# -- unit propagation --------------------------------------------------------------------------------------------------


def propagates(formula: Formula, n: int, k: int, exactly: bool) -> None:
    """k true literals make the others false; under exactly k, n - k false ones make the others true."""
    clauses, variables = Clauses(formula), set(range(1, n + 1))
    for true in combinations(variables, k):
        derived = clauses.propagate(true)
        assert derived is not None
        assert {-variable for variable in variables.difference(true)} <= derived
    for true in combinations(variables, k + 1):
        assert clauses.propagate(true) is None
    for false in combinations(variables, n - k) if exactly else ():
        derived = clauses.propagate([-variable for variable in false])
        assert derived is not None
        assert variables.difference(false) <= derived
    for false in combinations(variables, n - k + 1) if exactly else ():
        assert clauses.propagate([-variable for variable in false]) is None


@pytest.mark.parametrize("n", [2, 3, 5, 7, 8, 13, 20, 26, 37])
@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_unit_propagation_is_enough_for_one(name, n):
    propagates(write(Formula.at_most_one, n, name), n, 1, exactly=False)
    propagates(write(Formula.exactly_one, n, name), n, 1, exactly=True)


@pytest.mark.parametrize(("n", "k"), [(4, 2), (7, 2), (11, 2), (8, 3), (10, 3), (9, 5), (11, 8)])
@pytest.mark.parametrize("name", AT_MOST_K)
def test_unit_propagation_is_enough_for_k(name, n, k):
    propagates(write(Formula.at_most_k, n, k, name), n, k, exactly=False)
    propagates(write(Formula.exactly_k, n, k, name), n, k, exactly=True)


# -- names, lists, repetitions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("constrain", "arguments", "message"),
    [
        (Formula.at_most_one, ("prodct",), "did you mean product"),
        (Formula.exactly_one, ("Ladder",), "did you mean ladder"),
        (Formula.at_most_k, (2, "totaliser"), "did you mean totalizer"),
        (Formula.at_most_k, (2, "ladder"), "'ladder' is for at-most-one constraints only; at-most-k has: pairwise, sequential, "),
        (Formula.at_least_k, (2, "bimander"), "for at-most-one constraints only"),
        (Formula.exactly_k, (2, "bitwise"), "for at-most-one constraints only"),
    ],
)
def test_names_that_cannot_be_used(constrain, arguments, message):
    formula = Formula()
    with pytest.raises(InputError, match=message):
        constrain(formula, [], *arguments)
    assert formula.num_clauses == 0


@settings(max_examples=150, deadline=None)
@given(
    literals=st.lists(st.sampled_from([-4, -3, -2, -1, 1, 2, 3, 4]), max_size=9),
    k=st.integers(-1, 6),
    name=st.sampled_from(list(AT_MOST_K)),
)
def test_a_repeated_literal_counts_repeatedly(literals, k, name):
    bounds = {
        Formula.at_most_k: lambda total: total <= k,
        Formula.at_least_k: lambda total: total >= k,
        Formula.exactly_k: lambda total: total == k,
    }
    for constrain, allowed in bounds.items():
        formula = Formula()
        formula.grid("x", 4)
        constrain(formula, literals, k, name)
        clauses = Clauses(formula)
        for assignment in assignments(4):
            models = clauses.count(assignment)
            assert bool(models) == allowed(sum(literal in assignment for literal in literals))
            assert models < 2 or (name == "sequential" and constrain != Formula.exactly_k)


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_at_most_one_of_a_literal_twice_makes_it_false(name):
    formula = Formula()
    formula.grid("x", 2)
    Formula.at_most_one(formula, [1, -2, 1], name)
    assert list(formula.clauses()) == [[-1]]


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_literals_may_be_any_iterable(name):
    def written(wrap: Callable[[range], Iterable[int]]) -> tuple[int, bytes]:
        formula = Formula()
        Formula.exactly_one(formula, wrap(formula.grid("x", 23).variables), name)
        return formula.num_clauses, formula.literals.tobytes()

    assert written(lambda variables: variables) == written(list) == written(tuple) == written(iter)


def test_negative_literals():
    formula = Formula()
    formula.grid("x", 9)
    Formula.exactly_one(formula, range(-1, -10, -1))
    assert Clauses(formula).propagate([-4]) >= {1, 2, 3, 5, 6, 7, 8, 9}
