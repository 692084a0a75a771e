"""The check of a model against every clause, and the checksum that identifies a formula."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.formula import Cnf, Formula

clauses = st.lists(st.lists(st.sampled_from([-3, -2, -1, 1, 2, 3]), max_size=4), max_size=8)


def formula_of(listed):
    formula = Formula()
    formula.grid("x", 3)
    formula.add_clauses(listed)
    return formula


@given(clauses)
def test_falsified_clause_agrees_with_the_definition(listed):
    formula = formula_of(listed)
    for signs in product((1, -1), repeat=3):
        model = [sign * variable for variable, sign in enumerate(signs, start=1)]
        expected = next((n for n, clause in enumerate(listed, start=1) if not set(clause) & set(model)), None)
        assert formula.falsified_clause(model) == expected


def test_variables_without_a_value_are_false():
    formula = formula_of([[-1, -2], [3, -1]])
    assert formula.falsified_clause([2]) is None
    assert formula.falsified_clause([1]) == 2


@pytest.mark.parametrize("literal", [4, -4, 7, -7, 10**12])
def test_a_literal_of_another_formula_is_refused(literal):
    formula = formula_of([[1, 2, 3]])
    with pytest.raises(ValueError, match="beyond the 3 variables"):
        formula.falsified_clause([1, literal])


@given(clauses, st.data())
def test_a_formula_of_few_clauses_and_many_variables_is_checked_alike(listed, data):
    """As with few variables, by another method: without a table of all literals."""
    dense = formula_of(listed)
    sparse = Cnf(10**9, dense.num_clauses, dense.literals)
    model = data.draw(st.lists(st.sampled_from((1, -1)), max_size=dense.num_variables))
    model = [sign * variable for variable, sign in enumerate(model, start=1)]
    assert sparse.falsified_clause(model) == dense.falsified_clause(model)


def test_the_formula_without_clauses_is_satisfied_and_the_empty_clause_is_not():
    assert Cnf().falsified_clause([]) is None
    assert formula_of([[1], []]).falsified_clause([1]) == 2


def test_different_formulas_have_different_checksums():
    sums = [formula_of(listed).checksum() for listed in ([], [[1]], [[-1]], [[1], [2]], [[1, 2]], [[]], [[], []])]
    assert len(set(sums)) == len(sums)
    assert Cnf(3, 0).checksum() != Cnf(4, 0).checksum()
    assert formula_of([[1, -2]]).checksum() == formula_of([[1, -2]]).checksum()


def test_auxiliary_variables_form_blocks():
    formula = Formula()
    x = formula.grid("x", 2)
    assert list(formula.auxiliary(2)) == [3, 4]
    assert list(formula.auxiliary(1)) == [5]
    y = formula.grid("y", 1)
    assert list(formula.auxiliary(1)) == [7]
    assert [(b.name, b.first, b.count, b.auxiliary) for b in formula.blocks.values()] == [
        ("x", x.first, 2, False), ("aux", 3, 3, True), ("y", y.first, 1, False), ("aux2", 7, 1, True),
    ]  # fmt: skip
