"""The library: uniqueness against brute force, certificates, the samples of the survey with their verdicts."""

import csv
from pathlib import Path

import pytest
from conftest import make_script
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import INSTANCES

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.pipeline import solve as pipeline
from cnfgen_puzzles.pipeline.instance import sidecar_of
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.testing import models

clues = st.lists(st.integers(1, 3), max_size=2).map(tuple)
puzzles = st.builds(Nonogram, st.tuples(clues, clues, clues), st.tuples(clues, clues, clues))


@settings(max_examples=30, deadline=None)
@given(puzzles, st.sampled_from(["kissat", "minisat"]), st.sampled_from(["order", "direct", "regular"]))
def test_unique_counts_up_to_two(puzzle, solver, encoding):
    instance = cp.encode(puzzle, encoding)
    boards = {FAMILY.decode(puzzle, instance.map.blocks, model) for model in models(instance.cnf)}
    answer = cp.unique(instance, solver=solver)
    assert answer.verdict == ["none", "one", "several"][min(len(boards), 2)]
    found = [outcome.board for outcome in answer.searches if outcome.board is not None]
    assert set(found) <= boards
    assert len(set(found)) == min(len(boards), 2)


def read_published():
    with (INSTANCES / "nonogram/webpbn/published.csv").open() as table:
        return {row["puzzle"]: row["solutions"] for row in csv.DictReader(table)}


@pytest.mark.sample(9)
@pytest.mark.parametrize(
    "name, solutions",
    [  # the largest one takes as long as all others; `make reproduce` has it among the quick ones
        pytest.param(*each, marks=[pytest.mark.release] if each[0] == "webpbn-22336" else [])
        for each in sorted(read_published().items())
    ],
)
def test_the_samples_of_the_survey(name, solutions, survey_puzzle):
    answer = cp.unique(cp.encode(cp.read(survey_puzzle(name), family="nonogram")), limits=Limits(cpu=120))
    assert answer.verdict == solutions


def test_certified_uniqueness():
    puzzle = Nonogram(((1,), (2,)), ((1,), (2,)))
    answer = cp.unique(cp.encode(puzzle), certify=True)
    assert answer.verdict == "one"
    assert answer.second.proof.verified
    assert answer.proof is None


def test_limits_leave_it_undecided(tmp_path):
    fake = make_script(tmp_path / "sleeper", "exec sleep 60")
    answer = cp.unique(cp.encode(Nonogram(((1,),), ((1,),))), solver=str(fake), limits=Limits(wall=0.5))
    assert (answer.verdict, answer.status, answer.second) == ("undecided", "TIMEOUT", None)
    assert answer.sentence() == "Not decided: sleeper: TIMEOUT, wall time limit."


def test_a_solver_that_fails(tmp_path):
    fails = make_script(tmp_path / "fails", "exit 3")
    failed = cp.solve(cp.encode(Nonogram(((1,),), ((1,),))), solver=str(fails))
    assert (failed.status, failed.failed, failed.board) == ("ERROR", True, None)
    assert "its output is kept in" in failed.sentence()


def test_a_board_that_breaks_the_rules_is_an_internal_error_and_not_shown(monkeypatch):
    puzzle = Nonogram(((1,), (1,)), ((1,), (1,)))
    monkeypatch.setattr(FAMILY, "decode", lambda *_: ((True, True), (False, False)))
    with pytest.raises(cp.BrokenBoard, match="row 1: clue 1"):
        cp.solve(cp.encode(puzzle))


def test_no_solver_at_all(monkeypatch):
    monkeypatch.setattr(pipeline.Solver, "available", lambda _: False)
    with pytest.raises(InputError, match=r"install it with `cnf-solvers install kissat` or `pip install .*solvers"):
        pipeline.pick_solver()


@pytest.mark.parametrize("cnf", ["x.cnf", "x.cnf.gz", "x.cnf.xz", "x.dimacs", "x"])
def test_sidecars(cnf):
    assert sidecar_of(Path("a") / cnf) == Path("a/x.map.json")
