"""Puzzles made by cutting: an independent program and another engine confirm that each has one solution."""

from __future__ import annotations

import time

import pytest
from families.tiling.symmetric import classes

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.tiling.cutting import CUTTING
from cnfgen_puzzles.making.cutting import CONFLICTS, Cutter, TooHard, cut_out
from cnfgen_puzzles.pipeline.api import count, unique

FAMILY = find_family("tiling")


WISHES = [
    {"board": "3x4", "piece_size": "3-6"},
    {"board": "3x5", "piece_size": "2-6"},
    {"board": "4x4", "piece_size": "3-6"},
    {"board": "###./####/.###", "piece_size": "2-5"},
    {"board": "#####/#.#.#/#####", "piece_size": "3-6"},
    {"board": "2x2x3", "piece_size": "3-5"},
    {"board": "triangle 4", "lattice": "hexagonal", "piece_size": "2-5"},
    {"board": "triangle 4", "lattice": "triangular", "piece_size": "3-6"},
    {"board": "3x4", "piece_size": "3-5", "reflections": False},
    {"board": "3x4", "piece_size": "2-4", "rotations": False},
    {"board": "3x5", "piece_size": "2-4", "copies": 2},
    {"board": "4x4", "number_of_pieces": 3},
]


@pytest.mark.sample(5)
@pytest.mark.parametrize("options", WISHES, ids=str)
def test_small_regions_against_trying(options):
    made = cut_out(FAMILY, options=options)
    assert made.unique and not FAMILY.check(made.puzzle, made.board)
    assert classes(made.puzzle) == (1, made.answer.orbit)
    assert made.to_json()["evidence"]["kind"] == "proof"


@pytest.mark.release
def test_a_set_of_pieces_by_another_engine_and_encoding():
    made = cut_out(FAMILY, options={"board": "5x5", "pieces": "pentominoes"}, seed=2, about={"title": "Five"})
    assert made.unique and "proof checked by" in made.sentence() and made.puzzle.about["title"] == "Five"
    assert len(made.puzzle.pieces) == 5 and {piece.size for piece in made.puzzle.pieces} == {5}
    assert count(made.puzzle, engine="exact-cover").solutions == 1
    assert count(made.puzzle, engine="exact-cover", raw=True).raw == made.answer.orbit
    other = unique(made.puzzle, encoding="sequential", options={"symmetry": "representatives"}, certify=True)
    assert other.sentence().partition(" (proof")[0] == made.answer.sentence().partition(" (proof")[0]
    again = cut_out(FAMILY, options={"board": "5x5", "pieces": "pentominoes"}, seed=2)
    assert again.puzzle.pieces == made.puzzle.pieces, "a seed is one puzzle"


def test_puzzles_that_cannot_be_made_are_reported():
    made = cut_out(FAMILY, options={"board": "2x6", "pieces": "domino: any"}, seconds=20)
    assert made.puzzle is None and "all cuts that were found have several solutions; 1 cut examined" in made.sentence()
    made = cut_out(FAMILY, options={"board": "6x10", "pieces": "domino: any"}, seconds=50)  # halves that dominoes do not cover
    assert "all cuts that were found have several solutions; 1 cut examined" in made.sentence()
    made = cut_out(FAMILY, options={"board": "3x5", "pieces": "X pentomino: any, domino: any, monomino: at most 1"}, seconds=1e-9)
    assert "within 1e-09 seconds; 0 cuts examined" in made.sentence()


def test_one_cell_and_families_that_cut_nothing():
    made = cut_out(FAMILY, options={"board": "1x1"})
    assert made.unique and made.answer.orbit == 1
    with pytest.raises(InputError, match="supports cutting"):
        cut_out(find_family("nonogram"))


# -- messages --------------------------------------------------------------------------------------------------------------


def test_no_cut_at_all():
    """All allowed pieces are straight, and the region is not."""
    made = cut_out(FAMILY, options={"board": "##./.##", "pieces": "I tetromino: any"})
    assert made.sentence() == "No puzzle: no cut into these pieces was found; 0 cuts examined."


class Slow:
    """A solver that gives up at every call, and counts the allowed conflicts."""

    spent = 0

    def solve(self, budget):
        self.spent += budget


def test_a_cut_that_takes_too_long_is_abandoned():
    puzzle = CUTTING.puzzle(request := CUTTING.request(board="1x2"), frozenset())
    solver, choice = Slow(), SeededChoice("slow", 1)
    cutter = Cutter(FAMILY, CUTTING, request, choice, time.process_time() + 20)
    with pytest.raises(TooHard):
        next(cutter.others(solver, {}, puzzle, FAMILY.encode(puzzle)))
    assert solver.spent == CONFLICTS


def test_a_cut_that_cannot_be_changed_is_abandoned(monkeypatch):
    monkeypatch.setattr(type(CUTTING), "again", lambda *_: None)
    request, choice = CUTTING.request(board="2x3", pieces="domino: any"), SeededChoice("left", 1)
    cutter = Cutter(FAMILY, CUTTING, request, choice, time.process_time() + 20)
    assert cutter.improve(CUTTING.first(request, choice, 0)) is None and cutter.looked == 1


def test_a_wrong_model_is_not_taken_for_a_solution(monkeypatch):
    monkeypatch.setattr(type(FAMILY), "check", lambda self, puzzle, board: ["it breaks this one"])
    with pytest.raises(AssertionError, match="model is no solution"):
        cut_out(FAMILY, options={"board": "2x2", "pieces": "domino: any"})
