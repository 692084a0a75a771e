"""The study of queens: its genres obey the contract of families, and its boards agree with brute force over all boards."""

from itertools import combinations, product

import pytest

import cnfgen_puzzles as cp
from cnfgen_puzzles.testing import check_family
from studies.queens.boards import PEACEABLE, QUEENS


@pytest.mark.sample(1)
@pytest.mark.parametrize("family", [QUEENS, PEACEABLE], ids=lambda family: family.name)
def test_genre_obeys_the_contract_of_families(family):
    report = check_family(family)
    assert any("symmetry: every orbit" in line for line in report)


def queens_attack(a, b):
    """By steps along the eight directions."""
    steps = [(i, j) for i, j in product((-1, 0, 1), repeat=2) if (i, j) != (0, 0)]
    return any((a[0] + k * i, a[1] + k * j) == b for i, j in steps for k in range(1, 9))


@pytest.mark.parametrize(("n", "count"), [(3, 1), (3, 2), (4, 2), (4, 3)])
def test_armies_are_those_of_brute_force(n, count):
    cells = list(product(range(n), repeat=2))
    found = 0
    for white in combinations(cells, count):
        free = [cell for cell in cells if cell not in white and not any(queens_attack(a, cell) for a in white)]
        found += sum(1 for _ in combinations(free, count))
    assert cp.count(PEACEABLE.puzzle(n, n, count=count), raw=True).raw == found


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", ["ganak", "clasp", "exact-cover"])
def test_small_boards_have_one_solution_or_none(engine):
    assert [cp.count(QUEENS.puzzle(n, n), engine=engine).raw for n in (1, 2, 3)] == [1, 0, 0]


def test_wrong_boards_break_the_rules():
    assert QUEENS.check(QUEENS.puzzle(2, 2), ((1, 0), (0, 1))) == [
        "row 1, column 1 and row 2, column 2: two queens attack each other"
    ]
    assert QUEENS.check(QUEENS.puzzle(2, 2), ((0, 0), (0, 1))) == ["number of queens: found 1, expected 2"]
    assert PEACEABLE.check(PEACEABLE.puzzle(1, 3, count=1), ((1, 0, 2),)) == [
        "row 1, column 1 and row 1, column 3: queens of different colors attack each other"
    ]
    assert PEACEABLE.check(PEACEABLE.puzzle(1, 3, count=1), ((1, 0, 0),)) == ["number of black queens: found 0, expected 1"]
