"""MUS extraction: minimal by brute force, in any family, under limits, with results stated no stronger than known."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installedcheckers import OF_DRAT
from nonogramnaive import boards_of

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.families.clued.palette import INKS, WHITE
from cnfgen_puzzles.families.clued.puzzle import known_cells
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.pipeline import mus
from cnfgen_puzzles.pipeline.instance import BrokenBoard
from cnfgen_puzzles.pipeline.mus import INTERRUPTED, extract_sets
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import IncrementalSolver
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.session import Session, SessionAnswer

SWITCH = ((1,), (1,)), ((1,), (1,))


def boards(puzzle):
    """All boards of the clues, by brute force."""
    return list(boards_of(replace(puzzle, known=())))


class Here(Session):
    """A session in this process, which is faster for the many examples of hypothesis. It gives up after `calls` calls."""

    def __init__(self, calls: float = float("inf"), fails: type[BaseException] | None = None):
        super().__init__()
        self.solver, self.sent, self.calls, self.fails = IncrementalSolver("cadical195"), 0, calls, fails

    def _solve(self, assumptions, *_):
        self.calls -= 1
        if self.calls < 0:
            if self.fails is not None:
                raise self.fails
            return SessionAnswer(UNKNOWN, reason="cadical195: cpu limit")
        clauses = list(self.cnf.clauses())
        self.solver.add_all(clauses[self.sent :])
        self.sent = len(clauses)
        if self.solver.solve(assumptions):
            return SessionAnswer(SATISFIABLE, tuple(self.solver.model))
        return SessionAnswer(UNSATISFIABLE, core=tuple(self.solver.core))


def found_by(puzzle, session):
    """The sets of the puzzle by that session."""
    bare = FAMILY.givens.only(puzzle, ())
    formula = FAMILY.encode(bare)
    session.add(formula.clauses())
    told = FAMILY.givens.entries(puzzle, formula.blocks)
    models = []
    return extract_sets(session, [each.literals for each in told], lambda model, places: models.append(tuple(places)))


@st.composite
def wrong_grids(draw):
    """The clues of a picture, and a grid in which at most four known cells differ from it."""
    height, width = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    board = [[draw(st.booleans()) for _ in range(width)] for _ in range(height)]
    known = [[draw(st.sampled_from([None, cell])) for cell in row] for row in board]
    for _ in range(draw(st.integers(1, 4))):
        r, c = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
        known[r][c] = not board[r][c]
    drawn = clues_of(tuple(map(tuple, board)))
    return Nonogram(drawn.rows, drawn.columns, known=tuple(map(tuple, known)))


def agree(puzzle, numbers, every):
    """Whether some board has all of these known cells."""
    cells = [(r, c, color) for n, (_, r, c, color) in enumerate(known_cells(puzzle)) if n in numbers]
    return any(all(board[r][c] == color for r, c, color in cells) for board in every)


@settings(max_examples=100)
@given(puzzle=wrong_grids())
def test_sets_are_minimal_by_brute_force(puzzle):
    every, count = boards(puzzle), FAMILY.givens.count(puzzle)
    found = found_by(puzzle, Here())
    assert found.reason == "" and all(minimal for _, minimal in found.sets) and found.alone is not None and found.rest is not None
    for chosen, _ in found.sets:
        assert not agree(puzzle, chosen, every)
        assert all(agree(puzzle, set(chosen) - {left_out}, every) for left_out in chosen)
    inside = [number for chosen, _ in found.sets for number in chosen]
    assert len(set(inside)) == len(inside), "the sets have nothing in common"
    assert agree(puzzle, set(range(count)).difference(inside), every)
    assert bool(found.sets) != agree(puzzle, range(count), every)
    alone = {number for number in range(count) if not agree(puzzle, {number}, every)}
    assert alone == {chosen[0] for chosen, _ in found.sets if len(chosen) == 1}, "each cell that alone contradicts is told"


@pytest.mark.sample(2)
@pytest.mark.parametrize("inks", [1, 2, 3])
@pytest.mark.parametrize("encoding", ["direct", "regular"])
def test_one_wrong_cell_of_larger_pictures_by_another_encoding(inks, encoding):
    """Too large for brute force: formulas that share only the cells with `order` confirm the properties of the sets."""
    dice = random.Random(f"{inks} {encoding}")
    for height, width in ((4, 9), (8, 5), (7, 7)):
        board = [[dice.choice([0, dice.randint(1, inks)]) for _ in range(width)] for _ in range(height)]
        known = [[cell if dice.random() < 0.5 else None for cell in row] for row in board]
        r, c = dice.randrange(height), dice.randrange(width)
        known[r][c] = dice.choice([value for value in range(inks + 1) if value != board[r][c]])
        colors = (WHITE, *INKS[:inks])
        puzzle = replace(clues_of(tuple(map(tuple, board)), colors), known=tuple(map(tuple, known)))
        found, every = found_by(puzzle, Here()), range(FAMILY.givens.count(puzzle))

        def agree(numbers, puzzle=puzzle):
            solver = IncrementalSolver("cadical195")
            solver.add_all(FAMILY.encode(FAMILY.givens.only(puzzle, set(numbers)), encoding).clauses())
            return solver.solve([])

        for chosen, _ in found.sets:
            assert not agree(chosen) and all(agree(set(chosen) - {left_out}) for left_out in chosen)
        assert agree(set(every).difference(*(chosen for chosen, _ in found.sets))) and bool(found.sets) != agree(every)
        assert {n for n in every if not agree({n})} == {chosen[0] for chosen, _ in found.sets if len(chosen) == 1}


@settings(max_examples=40)
@given(puzzle=wrong_grids(), calls=st.integers(0, 12), fails=st.sampled_from([None, KeyboardInterrupt]))
def test_results_before_an_interrupt_are_correct(puzzle, calls, fails):
    every = boards(puzzle)
    found = found_by(puzzle, Here(calls, fails))
    assert found.reason in ("", INTERRUPTED if fails else "cadical195: cpu limit")
    for chosen, minimal in found.sets:
        assert not agree(puzzle, chosen, every)
        assert not minimal or all(agree(puzzle, set(chosen) - {left_out}, every) for left_out in chosen)
    inside = [number for chosen, _ in found.sets for number in chosen]
    assert len(set(inside)) == len(inside), "the sets have nothing in common"
    assert found.alone is None or calls
    assert found.reason or found.rest is not None


# -- all steps ----------------------------------------------------------------------------------------------------------


def test_one_wrong_cell_of_a_picture():
    board = tuple(tuple(cell == "#" for cell in row) for row in ("..#..", ".##..", "#####", ".##..", "..#.."))
    drawn = clues_of(board)
    wrong = [[None] * 5, [None, True, True, False, None], [None] * 5, [True, *[None] * 4], [None, False, True, None, None]]
    puzzle = Nonogram(drawn.rows, drawn.columns, known=tuple(map(tuple, wrong)))
    answer = cp.unique(puzzle)
    found = answer.mus
    assert answer.verdict == "none" and found == answer.mus
    assert [[given.words for given in each.givens] for each in found.sets] == [["row 4, column 1 is black"]]
    assert found.sets[0].minimal and found.rest == board and found.reason == "" and found.evidence.kind == "proof"
    assert answer.sentence().splitlines()[1:] == [
        "The clues alone have a solution.",
        f"This known cell contradicts the clues (proof checked by {OF_DRAT}):",
        "  row 4, column 1 is black",
        "Without it there is a solution.",
    ]
    entry = json.loads(json.dumps(answer.to_json()))["contradiction"]
    assert entry["sets"] == [{"minimal": True, "given": [{"row": 4, "column": 1, "color": "black"}]}]
    assert (entry["alone"], entry["given"], entry["solution_without"]) == ("SATISFIABLE", 6, True)
    assert entry["evidence"]["by"] == OF_DRAT
    assert "\n" not in repr(answer) and "sets of 1" in repr(found)


def test_two_cells_that_only_together_contradict():
    """In a switching component, a black cell decides the others: (1,1) and (2,1) cannot both be black. Sums do not show it."""
    rows, columns = ((1,), (1,), ()), ((1,), (1,), ())
    puzzle = Nonogram(rows, columns, known=((1, None, None), (None, 0, None), (None, None, None)))
    outcome = cp.solve(puzzle)
    assert puzzle.contradictions() == [] and outcome.status == "UNSATISFIABLE"
    assert [each.numbers for each in outcome.mus.sets] == [(0, 1)]
    assert "These 2 known cells contradict the clues together, and no fewer of them do" in outcome.sentence()
    assert outcome.mus.boards() == [puzzle.known, ((None,) * 3,) * 3]


def test_clues_that_have_no_solution_alone():
    """By an argument, and by a proof; the known cells do not matter."""
    sums = Nonogram(((2,), (2,)), ((1,), (1,)), known=((1, None), (None, None)))
    assert "The clues alone have no solution: rows and columns need 4 and 2 black cells." in cp.solve(sums).sentence()
    corners = Nonogram(((1, 1), (), (1, 1)), ((1, 1), (1,), (1,)), known=((1, None, None), (None,) * 3, (None,) * 3))
    outcome = cp.solve(corners)
    assert outcome.mus.alone == UNSATISFIABLE and outcome.mus.sets == ()
    assert f"The clues alone have no solution (proof checked by {OF_DRAT})." in outcome.sentence()
    assert outcome.mus.boards() == []


def test_nothing_contradicts_and_nothing_is_given():
    assert cp.mus(Nonogram(*SWITCH)) is None
    assert cp.mus(cp.read(family="tiling", board="1x2", pieces="domino")) is None
    found = cp.mus(Nonogram(*SWITCH, known=((1, None), (None, None))))
    assert found.sets == () and found.sentence() == "The known cells contradict nothing."
    assert cp.solve(Nonogram(*SWITCH, known=((1, None), (None, None)))).mus is None


def test_without_a_proof_the_answer_is_not_verified():
    found = cp.mus(Nonogram(*SWITCH, known=((1, 1), (None, None))), proof=False)
    assert found.evidence.kind == "word" and " (claimed by glucose4; not independently verified)" in found.sentence()


def test_the_settings_of_the_call_hold(monkeypatch):
    """No proof if none is requested; only the named solver; a claim if no solver writes a proof."""
    puzzle = Nonogram(*SWITCH, known=((1, 1), (None, None)))
    monkeypatch.setattr(mus, "open_session", lambda name, limits: Here())
    told = cp.solve(puzzle, proof=False).mus
    assert told.sets and told.evidence.kind == "word"
    with pytest.raises(InputError, match="did you mean kissat"):
        cp.mus(puzzle, solver="kisat")
    assert cp.mus(puzzle, solver="minisat-core").evidence.kind == "word"

    def nothing(*_, **how):
        raise InputError("no solver is there")

    monkeypatch.setattr(mus, "pick_solver", nothing)
    found = cp.mus(puzzle)
    assert found.sets and found.evidence.kind == "word"


def test_a_limit_leaves_a_set_that_is_not_minimal(monkeypatch):
    """The session gives up after its second call: the set is reported, and that it may not be minimal."""
    monkeypatch.setattr(mus, "open_session", lambda name, limits: Here(2))
    puzzle = Nonogram(((1,), (1,), ()), ((1,), (1,), ()), known=((1, None, 0), (None, 0, None), (None, None, 0)))
    found = cp.mus(puzzle, limits=Limits(cpu=1))
    assert not found.sets[0].minimal and found.reason == "cadical195: cpu limit" and found.rest is None
    assert re.search(r"contradict the clues \(proof .*\); fewer of them may do \(cadical195: cpu limit\):", found.sentence())
    assert found.to_json()["sets"][0]["minimal"] is False and found.to_json()["solution_without"] is None
    monkeypatch.setattr(mus, "open_session", lambda name, limits: Here(0))
    found = cp.mus(puzzle)
    assert found.alone == UNKNOWN and found.sets == ()
    assert found.sentence() == "It is not known which known cells contradict the clues: cadical195: cpu limit."


def test_without_a_solver_the_verdict_of_the_argument_stands(monkeypatch):
    """An argument needs no solver; the contradicting cells are then unknown, and the result says why."""

    def nothing():
        raise InputError("no solver is there")

    monkeypatch.setattr(mus, "default_solver", nothing)
    outcome = cp.solve(Nonogram(*SWITCH, known=((1, 1), (None, None))))
    assert outcome.status == UNSATISFIABLE and outcome.evidence.kind == "argument"
    assert outcome.sentence().endswith("It is not known which known cells contradict the clues: no solver is there.")


def test_ctrl_c_keeps_what_is_known(monkeypatch):
    monkeypatch.setattr(mus, "open_session", lambda name, limits: Here(2, KeyboardInterrupt))
    found = cp.mus(Nonogram(*SWITCH, known=((1, 1), (None, None))))
    assert found.interrupted and not found.sets[0].minimal and found.evidence.kind == "word"


@pytest.mark.parametrize("always", [False, True], ids=["the known cells", "the clues"])
def test_wrong_answers_of_a_session_are_detected(monkeypatch, always):
    """The session claims a contradiction; another solver does not confirm it, and there is no proof."""

    class Liar(Here):
        def _solve(self, assumptions, *_):
            lies = always or assumptions
            return SessionAnswer(UNSATISFIABLE, core=tuple(assumptions[:1])) if lies else super()._solve(assumptions)

    monkeypatch.setattr(mus, "open_session", lambda name, limits: Liar())
    with pytest.raises(CnfgenError, match="satisfies what was found to contradict"):
        cp.mus(Nonogram(*SWITCH, known=((1, None), (None, None))))


def test_a_board_that_breaks_the_rules_shows_nothing(monkeypatch):
    monkeypatch.setattr(type(FAMILY), "check", lambda self, puzzle, board: ["it breaks this one"])
    with pytest.raises(BrokenBoard):
        cp.mus(Nonogram(*SWITCH, known=((1, 1), (None, None))))


# -- another family -----------------------------------------------------------------------------------------------------


class Digits(Givens):
    """The digits that a sudoku X gives."""

    name = "given digit"
    rest = "rules"

    def count(self, puzzle):
        return sum(digit > 0 for row in puzzle.givens for digit in row)

    def entries(self, puzzle, blocks):
        return [
            Given(f"row {r + 1}, column {c + 1} is {digit}", {"row": r + 1, "column": c + 1, "digit": digit},
                  (blocks["digit"][r, c, digit - 1],))
            for r, row in enumerate(puzzle.givens) for c, digit in enumerate(row) if digit
        ]  # fmt: skip

    def only(self, puzzle, numbers):
        places = [(r, c) for r, row in enumerate(puzzle.givens) for c, digit in enumerate(row) if digit]
        kept = {places[number] for number in numbers}
        rows = (tuple(v * ((r, c) in kept) for c, v in enumerate(row)) for r, row in enumerate(puzzle.givens))
        return type(puzzle)(tuple(rows))


def test_any_family_can_list_givens(monkeypatch):
    family = find_family("sudokux")
    monkeypatch.setattr(type(family), "givens", Digits())
    puzzle = family.puzzle(((1, 2, 4, 0), (0, 3, 0, 0), (0, 0, 0, 0), (0, 3, 0, 0)))
    found = cp.solve(puzzle).mus
    assert [{given.words for given in each.givens} for each in found.sets] == [{"row 2, column 2 is 3", "row 4, column 2 is 3"}]
    assert "These 2 given digits contradict the rules together, and no fewer of them do (proof" in found.sentence()
    assert "The rules alone have a solution." in found.sentence()
