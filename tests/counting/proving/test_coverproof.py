"""Proofs of the search for exact covers: brute force knows the solutions, the built-in checker decides about each proof."""

from itertools import combinations

import pytest
from counting.enumerating import cnf_of
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.evidence.builtin import NoProof, check_lrat, lrat_steps

pytest.importorskip("numba")

from cnfgen_puzzles.counting.proving.coverproof import CoverFormula, CoverProof

OPTIONS = st.lists(st.frozensets(st.integers(0, 5), min_size=1, max_size=3), min_size=2, max_size=9)


def exact_covers(options, items, secondary):
    """All sets of options that cover each item exactly once, and each secondary item at most once."""
    found = []
    for size in range(len(options) + 1):
        for chosen in combinations(range(len(options)), size):
            covered = [item for option in chosen for item in options[option]]
            if len(set(covered)) == len(covered) and items - secondary <= set(covered):
                found.append({option + 1 for option in chosen})
    return found


@settings(max_examples=150, deadline=None)
@given(OPTIONS, st.data())
def test_proofs_of_random_covers(options, data):
    """Each solution of a cube is blocked, except perhaps one: a proof without it is impossible, and the search finds it."""
    items = frozenset().union(*options)
    secondary = data.draw(st.frozensets(st.sampled_from(sorted(items)), max_size=2))
    with_item = {item: [n for n, option in enumerate(options, start=1) if item in option] for item in items}
    pairs = {pair for numbers in with_item.values() for pair in combinations(numbers, 2)}
    clauses = [with_item[item] for item in sorted(items - secondary)] + [[-one, -other] for one, other in sorted(pairs)]
    variables = range(1, len(options) + 1)
    cube = data.draw(st.lists(st.sampled_from([*variables, *(-v for v in variables)]), max_size=2, unique_by=abs))
    solutions = exact_covers(options, items, secondary)
    left_out = data.draw(st.sampled_from([None, *range(len(solutions))]))
    listed = [each for number, each in enumerate(solutions) if number != left_out]
    short = data.draw(st.booleans()) and not any(one < other for one in solutions for other in solutions)
    clauses += [[-v if v in each else v for v in variables if v in each or not short] for each in listed]
    formula = CoverFormula(cnf_of(len(options), clauses))
    if not formula.suitable:
        return
    proof = CoverProof(formula, cube)
    steps = b"".join(proof.blocks())
    missing = [] if left_out is None else [solutions[left_out]]
    expected = [each for each in missing if all((abs(literal) in each) == (literal > 0) for literal in cube)]
    assert (proof.model is None) == (not expected) == proof.refuted
    with_cube = cnf_of(len(options), [*clauses, *([literal] for literal in cube)])
    if expected:
        assert set(proof.model) == expected[0]
        with pytest.raises(NoProof):
            check_lrat(with_cube, lrat_steps(steps))
    else:
        check_lrat(with_cube, lrat_steps(steps))


def test_other_formulas_are_left_to_solvers():
    assert not CoverFormula(cnf_of(2, [[1, 2]])).suitable  # 1 and 2 do not exclude each other
    assert not CoverFormula(cnf_of(3, [[1, 2], [-1, -2], [-1, 3]])).suitable  # 3 has no item
    assert CoverFormula(cnf_of(2, [[1, 2], [-1, -2]])).suitable
