"""Both questions of uniqueness, by each of the ways that they can take: against brute force, with a proof, where one gives up."""

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cnfgen_puzzles as cp
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.ground.errors import CnfgenError
from cnfgen_puzzles.pipeline import unique as uniqueness
from cnfgen_puzzles.pipeline.asking import incremental
from cnfgen_puzzles.pipeline.solve import PlainOutcome, plain
from cnfgen_puzzles.solving.incremental.session import IncrementalSession
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.testing.bruteforce import models

clues = st.lists(st.integers(1, 3), max_size=2).map(tuple)
puzzles = st.builds(Nonogram, st.tuples(clues, clues, clues), st.tuples(clues, clues, clues))


@settings(max_examples=8)
@given(puzzles, st.sampled_from([0, 40_000]), st.sampled_from([0, 1, 2_000]), st.sampled_from([0, 40_000]))
def test_as_by_brute_force_whoever_answers(puzzle, small, first, second):
    instance = cp.encode("nonogram", puzzle)
    boards = {tuple(sorted(set(model) & set(instance.projection))) for model in models(instance.cnf)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uniqueness, "SMALL", small)
        patch.setattr(incremental, "FIRST_CONFLICTS", first)
        patch.setattr(incremental, "SECOND_CONFLICTS", second)
        answer = cp.unique(instance)
    assert answer.verdict == ["none", "one", "several"][min(len(boards), 2)]
    assert len(set(map(str, answer.boards))) == min(len(boards), 2)
    assert answer.verdict == "several" or answer.evidence.kind == "proof"


@pytest.mark.parametrize(
    ("encoding", "options"), [("order", {}), ("direct", {}), ("direct", {"amo": "product"}), ("regular", {})]
)
def test_a_board_without_a_solver_has_a_model_of_every_variable(encoding, options):
    """Brute force finds the same one and no other; where variables are unknown or line logic is stuck, there is none."""
    found = 0
    for puzzle in find_family("nonogram").small_puzzles():
        instance = cp.encode("nonogram", puzzle, encoding, **options)
        if len(instance.cnf.literals) > 400 or (first := plain(instance)) is None:
            continue
        found += 1
        every = [{literal for literal in model if literal > 0} for model in models(instance.cnf)]
        assert every == [{literal for literal in first.model if literal > 0}]
    assert bool(found) == (encoding != "regular")


def test_it_is_the_only_one_by_one_proof(cat):
    answer = cp.unique(cat)
    assert isinstance(answer.first, PlainOutcome) and answer.evidence.kind == "proof"
    assert (answer.second.run.solver.name, answer.evidence.by) == ("cadical", "lrat-check")
    entry = answer.to_json()
    assert (entry["status"], entry["solutions"], len(entry["boards"]), len(entry["runs"])) == ("SATISFIABLE", "one", 1, 1)
    assert answer.measured()[0] == "no solver, order: satisfiable"
    assert cat.cnf.falsified_clause(answer.first.model) is None


def test_a_wrong_model_of_the_family_is_told(cat, monkeypatch):
    monkeypatch.setattr(type(cat.family), "plain_model", lambda *_: {1})
    with pytest.raises(CnfgenError, match="the model that the family nonogram finds by itself falsifies clause"):
        cp.unique(cat)


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


@pytest.fixture
def slow(monkeypatch):
    """The quick way has not been found yet."""
    monkeypatch.setattr(uniqueness, "_quick", lambda *_: None)


@pytest.mark.parametrize("board", [True, False], ids=["board without a solver", "both questions"])
def test_what_gave_up_is_in_the_sum(cat, monkeypatch, board):
    monkeypatch.setattr(uniqueness, "QUICK_SECONDS", 1e-6)  # as if it were hard
    if not board:
        monkeypatch.setattr(uniqueness, "plain", lambda _: None)
    answer = cp.unique(cat)
    gave_up = [[run.solver.name for run in outcome.others if run.reason == "CPU time limit"] for outcome in answer.outcomes]
    assert (answer.verdict, gave_up) == ("one", [[], ["cadical"]] if board else [["cadical"], []])
    asked = [outcome for outcome in answer.outcomes if outcome.others]
    assert all(outcome.cpu > outcome.run.measurement.cpu for outcome in asked)


@pytest.mark.usefixtures("slow")
def test_a_wrong_model_of_the_worker_is_told_and_others_answer(cat, monkeypatch):
    def lie(session, assumptions=(), budget=None):
        raise CnfgenError("the solver's model falsifies clause 3")

    monkeypatch.setattr(IncrementalSession, "solve", lie)
    answer = cp.unique(cat)
    assert answer.verdict == "one"
    assert [outcome.run.solver.name for outcome in answer.outcomes] == ["kissat --phase=false"] * 2
    assert answer.alarms == ("glucose4: the solver's model falsifies clause 3",) * 2


@pytest.mark.usefixtures("slow")
def test_limits_hold_for_the_worker(cat):
    answer = cp.unique(cat, limits=Limits(wall=0.01))  # less than Python needs to start
    runs = [run for outcome in answer.outcomes for run in outcome.others if run.solver.name == "glucose4"]
    assert {(run.status, run.reason) for run in runs} == {("TIMEOUT", "wall time limit")}
    assert answer.alarms == ()


@pytest.mark.usefixtures("slow")
def test_ctrl_c_ends_the_worker(cat, monkeypatch):
    def interrupted(stream):
        raise KeyboardInterrupt

    monkeypatch.setattr("cnfgen_puzzles.solving.incremental.session.receive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cp.unique(cat)
    assert not [each for each in psutil.Process().children(recursive=True) if "session_worker" in " ".join(each.cmdline())]
