"""Each engine against brute force, in this process: random formulas with auxiliary variables, cubes, exact covers."""

from __future__ import annotations

import sys
from itertools import combinations

import pytest
from counting.enumerating import cnf_of, cover_problem, covers, divided, problems, projected
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.counting import exactcovers
from cnfgen_puzzles.counting.engines import BlockingEngine, ClaspEngine, choose_engine
from cnfgen_puzzles.counting.exactcovers import ExactCoverEngine
from cnfgen_puzzles.counting.problem import Problem, read_problem
from cnfgen_puzzles.evidence.allmodels import ModelChecker
from cnfgen_puzzles.formula.exactcover import ExactCover
from cnfgen_puzzles.solving.incremental import SOLVERS
from cnfgen_puzzles.solving.table import find_solver


def clasp(problem, folder):
    solver = find_solver("clasp")
    return ClaspEngine(problem, solver.prefix(solver.locate()), folder)


def solutions(engine, problem, at_least=1):
    """The solutions that the engine finds in all parts; each part yields each solution once."""
    found = set()
    parts = divided(problem, at_least)
    for part in map(parts.__getitem__, parts.numbers()):
        listed = [frozenset(solution) for solution in engine.solutions(part)]
        assert len(set(listed)) == len(listed)
        found |= set(listed)
    return found


@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from(SOLVERS), st.integers(1, 20))
def test_blocking_finds_all(problem, solver, at_least):
    assert solutions(BlockingEngine(problem, solver), problem, at_least) == projected(problem)


@settings(max_examples=8, deadline=None)
@given(problem=problems())
def test_clasp_finds_all(problem, tmp_path_factory):
    assert solutions(clasp(problem, tmp_path_factory.mktemp("clasp")), problem) == projected(problem)


def test_clasp_gets_the_projection_set_when_it_is_needed(tmp_path):
    """Twenty free auxiliary variables: a million models, two solutions."""
    problem = Problem(cnf_of(22, [[1, 2], [-1, -2]]), [1, 2])
    assert solutions(clasp(problem, tmp_path), problem) == {frozenset({1}), frozenset({2})}


@settings(max_examples=60, deadline=None)
@given(covers(), st.data())
def test_exact_cover_finds_all(cover, data):
    literal = st.sampled_from([sign * v for v in cover.variables for sign in (1, -1)]) if cover.variables else st.nothing()
    cubes = data.draw(st.lists(st.lists(literal, min_size=1, max_size=2).map(tuple), max_size=3)) if cover.variables else []
    problem = cover_problem(cover)
    problem = Problem(problem.cnf, problem.projection, cover, cubes=cubes)
    assert solutions(ExactCoverEngine(problem.cover), problem) == projected(problem)


def test_a_search_that_pauses_continues(monkeypatch):
    monkeypatch.setattr(exactcovers.load(), "BLOCK", 1)
    pairs = list(combinations(range(8), 2))
    found = list(exactcovers.exact_covers([*map(str, range(8))], [], [[*map(str, pair)] for pair in pairs]))
    assert len({frozenset(each) for each in found}) == len(found) == 7 * 5 * 3


@given(covers())
def test_an_antichain_is_one(cover):
    found = projected(cover_problem(ExactCover(cover.primary, cover.secondary, cover.options, cover.variables)))
    if cover.antichain:
        assert not any(one < other for one in found for other in found)


@given(problems(), st.sets(st.integers(1, 9)))
def test_the_checker_agrees_with_the_formula(problem, true):
    true = {variable for variable in true if variable <= problem.cnf.num_variables}
    assert ModelChecker(problem.cnf).holds(true) == (problem.cnf.falsified_clause(true) is None)


@given(problem=problems() | covers().map(cover_problem))
def test_a_worker_gets_the_same_problem(problem, tmp_path_factory):
    path = tmp_path_factory.mktemp("problem") / "problem"
    problem.write(path)
    again = read_problem(path)
    assert (again.identity(), again.antichain, again.cover, again.cubes) == (
        problem.identity(), problem.antichain, problem.cover, None,
    )  # fmt: skip


# -- choosing -----------------------------------------------------------------------------------------------------------

PLAIN = Problem(cnf_of(2, [[1, 2]]), [1, 2])
COUNTED = ExactCover(["a"], [], [["a"], ["a"]], [1, 2], [(frozenset({1, 2}), 1, 1)])


def test_auto_takes_the_first_that_can():
    assert choose_engine("auto", cover_problem(ExactCover(["a"], [], [["a"]], [1]))).name == "exact-cover"
    assert choose_engine("auto", cover_problem(COUNTED)).name == "clasp"
    assert choose_engine("auto", PLAIN).name == "clasp"
    assert str(choose_engine("auto", PLAIN, "glucose4")) == "blocking (glucose4)"


@pytest.mark.parametrize(
    "engine, solver, message",
    [
        ("exactcover", None, "did you mean exact-cover"),
        ("blocking", "cadical", "did you mean cadical"),
        ("clasp", "glucose4", "none of python-sat's solvers"),
        ("exact-cover", None, "does not provide it as an exact cover"),
    ],
)
def test_mistakes_are_reported(engine, solver, message):
    with pytest.raises(InputError, match=message):
        choose_engine(engine, PLAIN, solver)


# -- solvers that lie -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "printed, message",
    [
        ("v -1 -2 -3 0\\ns SATISFIABLE\\nc Models : 1", "falsifies a clause"),
        ("v 1 -2 3 0\\ns SATISFIABLE\\nc Models : 1+", "1\\+ models"),
        ("v 1 -2 3 0", "says nothing"),
        ("s SATISFIABLE", "printed 0 models"),
    ],
)
def test_wrong_output_of_clasp_is_an_error(tmp_path, printed, message):
    engine = ClaspEngine(PLAIN, [sys.executable, "-c", f"print('{printed}')"], tmp_path)
    with pytest.raises(CnfgenError, match=message):
        list(engine.solutions(()))
