"""A search near a known model: the same answers, and proofs of the original formula that checkers verify."""

import pytest
from counting.enumerating import cnf_of
from hypothesis import given
from hypothesis import strategies as st
from repository import REPOSITORY

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.pipeline import solve
from cnfgen_puzzles.pipeline.instance import with_blocked
from cnfgen_puzzles.pipeline.phase import PhaseFlip
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import FormulaTask
from cnfgen_puzzles.solving.table import find_solver
from cnfgen_puzzles.testing import models

literals = st.integers(1, 5).flatmap(lambda variable: st.sampled_from([variable, -variable]))
formulas = st.lists(st.lists(literals, max_size=4), max_size=12)


@given(formulas, st.sets(st.integers(1, 5)))
def test_models_are_those_of_the_formula(clauses, true):
    cnf, signs = cnf_of(5, clauses), PhaseFlip([variable if variable in true else -variable for variable in range(1, 6)], 5)
    back = [signs.model(model) for model in models(signs.apply(cnf))]
    assert sorted(map(sorted, back)) == sorted(map(sorted, models(cnf)))
    assert signs.apply(signs.apply(cnf)).literals == cnf.literals


@pytest.fixture(scope="module")
def unsolvable():
    """A puzzle whose only board is excluded, and a third of its variables as a model."""
    puzzle = cp.read(REPOSITORY / "instances/nonogram/swapped-20.nin", family="nonogram")
    instance = cp.encode(puzzle)
    return instance, range(1, instance.cnf.num_variables + 1, 3)


@pytest.mark.parametrize("solver", ["kissat", "cadical", "glucose", "cadical, hints"])
def test_a_proof_is_renamed_and_holds(unsolvable, solver, tmp_path):
    instance, model = unsolvable
    checker = "lrat" if "hints" in solver else "drat-trim"
    outcome = solve.solve(
        instance, find_solver(solver.partition(",")[0]), FormulaTask(phase=model, checker=checker, proof=ProofPolicy.REQUIRED)
    )
    assert outcome.status == "UNSATISFIABLE" and outcome.evidence.kind == "proof"


def test_a_proof_that_is_not_renamed_is_refused(unsolvable, monkeypatch):
    """Therefore the checker gets the original formula, and not that of the solver."""
    instance, model = unsolvable
    monkeypatch.setattr(PhaseFlip, "rename_proof", lambda *_: None)
    outcome = solve.solve(instance, find_solver("cadical"), FormulaTask(phase=model, checker="lrat"))
    assert outcome.status == "ERROR" and "its proof was refused" in outcome.reason


def test_the_second_board_is_near_the_first():
    """Among the 3,628,800 boards with one black cell in each line, the nearest ones differ in four cells."""
    instance = cp.encode(Nonogram(rows=((1,),) * 10, columns=((1,),) * 10))
    first = cp.solve(instance, solver="kissat")
    cnf = with_blocked(instance.cnf, instance.projection, first.model)
    other = solve.solve(instance, find_solver("minisat-core"), FormulaTask(cnf=cnf, phase=first.model, proof=ProofPolicy.NONE))
    differing = sum(a != b for one, two in zip(first.board, other.board, strict=True) for a, b in zip(one, two, strict=True))
    assert 4 <= differing <= 8


def test_a_model_is_checked_again_against_the_formula(unsolvable, monkeypatch):
    monkeypatch.setattr(PhaseFlip, "model", lambda _, model: model)
    with pytest.raises(CnfgenError, match="with its polarities restored, falsifies clause 1"):
        solve.solve(unsolvable[0], find_solver("cadical"), FormulaTask(cnf=cnf_of(5, [[1]]), phase=[1]))
