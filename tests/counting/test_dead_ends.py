"""Dead ends in a part of a search: their clauses follow from the formula and the part, by brute force; and all are found."""

from counting.enumerating import cnf_of, cover_problem, covers, permutations, problems
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from cnfgen_puzzles.counting import dead_ends
from cnfgen_puzzles.counting.dead_ends import PartDeadEnds
from cnfgen_puzzles.counting.problem import Problem, SearchPart
from cnfgen_puzzles.testing import models


def follows(problem, part):
    """The shorter formula of the part has the same models. Returns its clauses that are neither in the formula nor
    consequences of the part by binary clauses."""
    dead_ends = PartDeadEnds(problem)
    if not dead_ends.needs:
        return []
    text, count = dead_ends.text(part)
    lines = [tuple(int(word) for word in line.split()[:-1]) for line in text.splitlines()]
    assert len(lines) == count and "  " not in text
    rest, whole = ([*cnf.clauses(), *part.clauses()] for cnf in (dead_ends.rest, problem.cnf))
    n = problem.cnf.num_variables
    assert set(models(cnf_of(n, [*rest, *lines]))) == set(models(cnf_of(n, whole)))
    known = {frozenset(clause) for clause in problem.cnf.clauses()}
    with Solver("minisat22", bootstrap_with=[clause for clause in problem.cnf.clauses() if len(clause) == 2]) as solver:
        _, implied = solver.propagate([literal for clause in part.clauses() if len(clause) == 1 for literal in clause])
    known |= {frozenset({literal}) for literal in implied}
    return [clause for clause in lines if frozenset(clause) not in known]


@settings(max_examples=120, deadline=None)
@given(covers(), st.data())
def test_nothing_is_lost_of_exact_covers(cover, data):
    problem = cover_problem(cover)
    literal = st.sampled_from([sign * v for v in problem.projection for sign in (1, -1)]) if problem.projection else st.nothing()
    cubes = st.lists(literal, min_size=1, max_size=2).map(tuple)
    if problem.projection:
        follows(problem, SearchPart(data.draw(cubes), data.draw(st.lists(cubes, max_size=2))))


@settings(max_examples=120, deadline=None)
@given(problems())
@example(Problem(cnf_of(1, [[1], [-1, -1]]), [1]))
def test_nothing_is_lost_of_any_formula(problem):
    """Empty and unit clauses, repeated literals, auxiliary variables with cyclic implications, projections of all kinds."""
    for variable in problem.projection[:3]:
        follows(problem, SearchPart((variable,)))
        follows(problem, SearchPart((-variable,)))


def test_dead_ends_through_auxiliary_variables():
    """A 3x3 square whose columns use product encodings: with a corner, both diagonals are solutions; without (1, 1), one is."""
    problem = permutations(3)
    cell = {(r, c): 3 * r + c + 1 for r in range(3) for c in range(3)}
    assert follows(problem, SearchPart((cell[0, 0],))) == []
    assert follows(problem, SearchPart((cell[0, 0], -cell[1, 1]))) == [(-cell[2, 2],)]


PAIRS = Problem(
    cnf_of(8, [[1, 2, 3], [-1, -2], [-1, -3], [-2, -3], [-4, -1], [-5, -2], [-5, 6], [-6, -3], [7, 8]]), [1, 2, 3, 4, 5, 7, 8]
)
"""At least one of 1, 2, 3 is true; 4 clashes with 1, and 5 with the others (with 3 through 6)."""


def test_pairs_are_found():
    assert follows(PAIRS, SearchPart((7,))) == [(-4, -5)]
    assert (-5,) in follows(PAIRS, SearchPart((7, -1)))  # 2 and 3 are left
    assert (-4,) in follows(PAIRS, SearchPart((7,), [(2,), (3,)]))
    assert follows(PAIRS, SearchPart((2,))) == []  # the need is met


def test_formulas_without_needs_and_large_ones(monkeypatch):
    without = Problem(cnf_of(3, [[-1, -2], [-2, -3]]), [1, 2, 3])
    assert follows(without, SearchPart((1,))) == []
    for limit, most in (("MOST", 6), ("MOST_LITERALS", 20)):
        with monkeypatch.context() as patched:
            patched.setattr(dead_ends, limit, most)
            assert follows(PAIRS, SearchPart((7,))) == []
