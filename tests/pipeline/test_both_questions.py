"""The two calls of a uniqueness check in all their variants: against brute force, with proofs, and after one gives up."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installedcheckers import OF_DRAT, OF_HINTS
from smallpuzzles import small_puzzles

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.clued.palette import INKS, WHITE
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.pipeline import unique as uniqueness
from cnfgen_puzzles.pipeline.answer import BOARD
from cnfgen_puzzles.pipeline.instance import scramble_instance
from cnfgen_puzzles.pipeline.solve import plain_board
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.testing import models

clues = st.lists(st.integers(1, 3), max_size=2).map(tuple)
puzzles = st.builds(Nonogram, st.tuples(clues, clues, clues), st.tuples(clues, clues, clues))


@settings(max_examples=8)
@given(puzzles, st.booleans(), st.sampled_from([0, 40_000]), st.sampled_from([1e-6, 0.5]))
def test_answers_agree_with_brute_force(puzzle, logic, small, seconds):
    instance = cp.encode(puzzle)
    boards = {tuple(sorted(set(model) & set(instance.projection))) for model in models(instance.cnf)}
    with pytest.MonkeyPatch.context() as patch:
        if not logic:
            patch.setattr(uniqueness, "plain_board", lambda _: None)
        patch.setattr(uniqueness, "SMALL", small)
        patch.setattr(uniqueness, "QUICK_SECONDS", seconds)
        answer = cp.unique(instance)
    assert answer.verdict == ["none", "one", "several"][min(len(boards), 2)]
    assert len(set(map(str, answer.boards))) == min(len(boards), 2)
    assert answer.verdict == "several" or answer.evidence.kind == "proof"


@pytest.mark.parametrize(
    ("encoding", "options"), [("order", {}), ("direct", {}), ("direct", {"amo": "product"}), ("regular", {})]
)
def test_a_board_without_a_solver_has_a_model_of_every_variable(encoding, options):
    """Brute force finds this board and no other; with unknown variables or if line logic is stuck, there is none."""
    found = 0
    for puzzle in small_puzzles(find_family("nonogram")):
        instance = cp.encode(puzzle, encoding, **options)
        if len(instance.cnf.literals) > 400 or (first := plain_board(instance)) is None:
            continue
        found += 1
        every = [{literal for literal in model if literal > 0} for model in models(instance.cnf)]
        assert every == [{literal for literal in first.model if literal > 0}]
    assert bool(found) == (encoding != "regular")


@pytest.mark.parametrize("encoding", ["order", "direct"])
def test_in_colors(encoding):
    instance = cp.encode(clues_of(((1, 2, 0), (0, 2, 1)), (WHITE, *INKS[:2])), encoding)
    every = [{literal for literal in model if literal > 0} for model in models(instance.cnf)]
    assert every == [{literal for literal in plain_board(instance).model if literal > 0}]


def test_it_is_the_only_one_by_one_proof(cat):
    answer = cp.unique(cat)
    assert not isinstance(answer, cp.FormulaAnswer) and answer.evidence.kind == "proof"
    assert (answer.second.run.solver.name, answer.evidence.by) == (uniqueness.QUICK, OF_HINTS)
    entry = answer.to_json()
    assert (entry["status"], entry["solutions"], len(entry["boards"]), len(entry["runs"])) == ("SATISFIABLE", "one", 1, 1)
    assert answer.measured()[0] == "no solver, order: satisfiable"
    assert cat.cnf.falsified_clause(answer.model) is None


def test_a_wrong_model_of_the_family_is_an_error(cat, monkeypatch):
    monkeypatch.setattr(type(cat.family), "plain_model", lambda *_: {1})
    with pytest.raises(CnfgenError, match="the model that the family nonogram finds by itself falsifies clause"):
        cp.unique(cat)


@pytest.fixture
def cat(puzzles):
    return cp.encode(cp.read(puzzles / "one.nin", family="nonogram"))


def test_a_certificate_uses_the_proof_of_the_best_solver(cat, tmp_path):
    answer = cp.unique(cat, certificate=tmp_path / "paper")
    assert (answer.verdict, answer.evidence.by) == ("one", OF_DRAT)
    assert [outcome.run.solver.name for outcome in answer.searches] == ["kissat --phase=false"] * 2


@pytest.fixture
def swapped():
    """A puzzle with two boards, neither of which line logic finds."""
    return cp.encode(Nonogram(rows=((1,), (1,), (2,)), columns=((1,), (1,), (2,))))


@pytest.mark.parametrize("small", [0, 40_000])
def test_which_solver_finds_and_which_proves(puzzles, monkeypatch, small):
    monkeypatch.setattr(uniqueness, "SMALL", small)
    monkeypatch.setattr(uniqueness, "plain_board", lambda _: None)
    answer = cp.unique(cp.read(puzzles / "one.nin", family="nonogram"))
    quick = uniqueness.QUICK
    assert [outcome.run.solver.name for outcome in answer.searches] == [quick if small else "minisat-core", quick]
    assert (answer.verdict, answer.evidence.by) == ("one", OF_HINTS)
    none = cp.unique(cp.read(puzzles / "none.nin", family="nonogram"))
    assert (none.verdict, none.evidence.kind) == ("none", "proof")


def test_the_user_has_named_another_solver_or_a_seed(cat):
    assert cp.unique(cat, solver="kissat").run.solver.name == "kissat"
    assert cp.unique(cat, seed=7).run.solver.name == "kissat"


def test_without_proofs_the_answer_is_not_verified(cat):
    assert (
        cp.unique(cat, proof=False).sentence()
        == f"The only solution (claimed by {uniqueness.QUICK}; not independently verified)."
    )


def test_none_is_proved_at_once(puzzles):
    answer = cp.unique(cp.read(puzzles / "none.nin", family="nonogram"))
    assert (answer.verdict, answer.second) == ("none", None)


@pytest.mark.parametrize("board", [True, False], ids=["board without a solver", "both questions"])
def test_the_total_time_includes_unfinished_runs(cat, monkeypatch, board):
    monkeypatch.setattr(uniqueness, "QUICK_SECONDS", 1e-6)  # as if it were hard
    if not board:
        monkeypatch.setattr(uniqueness, "plain_board", lambda _: None)
    answer = cp.unique(cat)
    asked = answer.searches[1:] if board else answer.searches
    assert answer.verdict == "one"
    for outcome in asked:
        assert [run.solver.name for run in outcome.others if run.reason == "CPU time limit"] == [uniqueness.QUICK]
        assert outcome.cpu > outcome.run.measurement.cpu
    assert answer.alarms == answer.second.alarms == ()


def test_a_failure_of_a_quick_solver_is_reported_and_others_answer(cat, monkeypatch):
    monkeypatch.setattr(uniqueness, "QUICK", "cadical --no-such-option")
    answer = cp.unique(cat)
    assert (answer.verdict, answer.second.run.solver.name) == ("one", "kissat --phase=false")
    assert len(answer.alarms) == 1 and answer.alarms[0].startswith("cadical --no-such-option: ERROR")


# -- sentences -------------------------------------------------------------------------------------------------------------


def test_what_is_said_of_each_verdict(cat, swapped, puzzles):
    several = cp.unique(swapped)
    told, *places = several.sentence().splitlines()
    assert (told, len(places)) == ("Several solutions. Two of them differ in:", 2)
    none = cp.unique(cp.read(puzzles / "none.nin", family="nonogram"))
    assert none.sentence() == replace(none, kind=BOARD).sentence() and none.sentence().startswith("No solution (proof checked by")
    open_ = cp.unique(cat, limits=Limits(cpu=1e-6))  # its board is found without a solver
    assert (open_.verdict, len(open_.boards)) == ("undecided", 1)
    assert open_.sentence().startswith("A solution; not decided whether it is the only one: ")
    assert not any(answer.failed for answer in (several, none, open_))


def test_a_failure_of_the_named_solver_is_an_error(cat, swapped):
    """In the first call, and in the second if the board is found without a solver."""
    wrong = cp.unique(swapped, solver="cadical --no-such-option")
    assert (wrong.verdict, wrong.failed, wrong.second) == ("undecided", True, None)
    second = cp.unique(cat).with_second(wrong)
    assert (second.verdict, second.failed) == ("undecided", True)


def test_solutions_that_the_formula_leaves_out():
    """A monomino and a domino in 1x3 have two placements, mirror images; for an orbit of unknown size, no number is given."""
    puzzle = cp.read(family="tiling", board="1x3", pieces="domino, monomino")
    instance = cp.encode(puzzle, symmetry="representatives")
    only = "The only solution up to the 2 symmetries of board and pieces"
    for encoded in (instance, scramble_instance(instance, 3)):
        answer = cp.unique(encoded)
        entry = answer.to_json()
        assert (answer.verdict, entry["solutions"], entry["orbit"]) == ("several", "several", 2)
        assert answer.sentence().startswith(f"{only}; 2 in all (proof checked") and entry["up_to"] in only
        assert encoded.map.from_json(encoded.map.to_json(), "x").up_to in only
        with pytest.raises(cp.InputError, match="leaves out solutions"):
            cp.count(encoded, raw=True)
        found = cp.count(encoded)
        assert (found.solutions, found.raw) == (1, 2)
    assert '"up_to"' not in cp.encode(puzzle).map.to_json()
    unknown = replace(answer, orbit=None)
    assert (unknown.verdict, unknown.to_json()["orbit"]) == ("one up to symmetry", None)
    assert unknown.sentence().startswith(f"{only} (proof checked")
    one = cp.unique(cp.encode(cp.read(family="tiling", board="1x1", pieces="monomino"), symmetry="representatives"))
    assert (one.verdict, one.sentence()) == ("one", f"The only solution (proof checked by {OF_HINTS}).")
    assert "up_to" not in cp.unique(cp.encode(puzzle, symmetry="all")).to_json()


# -- who is asked, and for what --------------------------------------------------------------------------------------------


def test_another_board_is_looked_for_near_the_first(cat, swapped, monkeypatch):
    """Not if line logic solves the puzzle, and not if the user chose the solver."""
    asked = []
    solve = uniqueness.solve
    monkeypatch.setattr(uniqueness, "solve", lambda *what: asked.append(what[-1].phase) or solve(*what))
    assert cp.unique(swapped).verdict == "several"
    assert [bool(near) for near in asked] == [False, True] and set(map(abs, asked[1])) <= set(map(abs, swapped.cnf.literals))
    assert cp.unique(cat).verdict == "one"
    assert [bool(near) for near in asked[2:]] == [False]


def test_another_checker_has_another_solver_s_proof(cat):
    answer = cp.unique(cat, checker="drat-trim")
    assert (answer.verdict, answer.evidence.by) == ("one", "drat-trim")


def test_the_limit_of_a_user_holds_for_the_quick_ones(cat):
    for cpu, its in ((None, uniqueness.QUICK_SECONDS), (60.0, uniqueness.QUICK_SECONDS), (0.25, 0.25)):
        assert cp.unique(cat, limits=Limits(cpu=cpu)).second.run.limits.cpu == its
