"""Both questions of uniqueness to one incremental solver: against brute force, with its proof, and where it gives up or fails."""

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.ground.errors import CnfgenError
from cnfgen_puzzles.pipeline.asking import incremental
from cnfgen_puzzles.solving.incremental.session import IncrementalSession
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.testing.bruteforce import models

clues = st.lists(st.integers(1, 3), max_size=2).map(tuple)
puzzles = st.builds(Nonogram, st.tuples(clues, clues, clues), st.tuples(clues, clues, clues))


@settings(max_examples=6)
@given(puzzles, st.sampled_from([0, 1, 2_000]), st.sampled_from([0, 40_000]))
def test_as_by_brute_force_whoever_answers(puzzle, first, second):
    instance = cp.encode("nonogram", puzzle)
    boards = {tuple(sorted(set(model) & set(instance.projection))) for model in models(instance.cnf)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incremental, "FIRST_CONFLICTS", first)
        patch.setattr(incremental, "SECOND_CONFLICTS", second)
        answer = cp.unique(instance)
    assert answer.verdict == ["none", "one", "several"][min(len(boards), 2)]
    assert len(set(map(str, answer.boards))) == min(len(boards), 2)
    assert answer.verdict == "several" or answer.evidence.kind == "proof"


@pytest.fixture
def cat(puzzles):
    return cp.encode("nonogram", cp.read("nonogram", puzzles / "one.nin"))


def test_one_worker_answers_both_with_a_proof_that_is_certified(cat, tmp_path):
    answer = cp.unique(cat, certificate=tmp_path / "paper")
    assert (answer.verdict, answer.evidence.by) == ("one", "drat-trim")
    assert [outcome.run.solver.name for outcome in answer.outcomes] == ["glucose4", "glucose4"]
    assert answer.first.others == answer.second.others == ()


def test_the_user_has_named_another_solver_or_a_seed(cat):
    assert cp.unique(cat, "kissat").first.run.solver.name == "kissat"
    assert cp.unique(cat, seed=7).first.run.solver.name == "kissat"


def test_without_proofs_it_is_a_word(cat):
    assert cp.unique(cat, proof=False).sentence() == "The only solution, on glucose4's word alone."


def test_none_is_proved_at_once(puzzles):
    answer = cp.unique("nonogram", cp.read("nonogram", puzzles / "none.nin"))
    assert (answer.verdict, answer.second) == ("none", None)


def test_a_wrong_model_of_the_worker_is_told_and_others_answer(cat, monkeypatch):
    def lie(session, assumptions=(), budget=None):
        raise CnfgenError("the solver's model falsifies clause 3")

    monkeypatch.setattr(IncrementalSession, "solve", lie)
    answer = cp.unique(cat)
    assert answer.verdict == "one"
    assert [outcome.run.solver.name for outcome in answer.outcomes] == ["kissat", "kissat"]
    assert answer.alarms == ("glucose4: the solver's model falsifies clause 3",) * 2


def test_limits_hold_for_the_worker(cat):
    answer = cp.unique(cat, limits=Limits(wall=0.01))  # less than Python needs to start
    runs = [run for outcome in answer.outcomes for run in outcome.others if run.solver.name == "glucose4"]
    assert {(run.status, run.reason) for run in runs} == {("TIMEOUT", "wall time limit")}
    assert answer.alarms == ()


def test_ctrl_c_ends_the_worker(cat, monkeypatch):
    def interrupted(stream):
        raise KeyboardInterrupt

    monkeypatch.setattr("cnfgen_puzzles.solving.incremental.session.receive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cp.unique(cat)
    assert not [each for each in psutil.Process().children(recursive=True) if "session_worker" in " ".join(each.cmdline())]
