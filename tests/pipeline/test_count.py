"""All boards of puzzles: counts against brute force and published numbers, by every engine, up to symmetry and in all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cnfgen_puzzles as cp
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.pipeline.count import counting_instance
from cnfgen_puzzles.pipeline.instance import BrokenBoard
from cnfgen_puzzles.pipeline.request import CountRequest
from cnfgen_puzzles.testing import models

TILING = find_family("tiling")
ENGINES = ("exact-cover", "clasp", "blocking")

clues = st.lists(st.integers(1, 3), max_size=2).map(tuple)
puzzles = st.builds(Nonogram, st.tuples(clues, clues, clues), st.tuples(clues, clues, clues))


def tiling(board, pieces, **more):
    return TILING.read(None, board=board, pieces=pieces, **more)


def encoded(puzzle, up_to="symmetry", **more):
    return counting_instance(CountRequest(family=TILING, puzzle=puzzle, **more), up_to)


def count(puzzle, engine="auto", raw=False, **settings):
    instance = encoded(puzzle, "nothing" if raw else "symmetry", engine=engine)
    return cp.count(instance, engine=engine, raw=raw, **settings)


@settings(max_examples=8, deadline=None)
@given(puzzles, st.sampled_from(["clasp", "blocking"]), st.sampled_from(["order", "direct", "regular"]))
def test_nonograms(puzzle, engine, encoding):
    instance = cp.encode(puzzle, encoding)
    family = instance.family
    boards = {family.decode(puzzle, instance.map.blocks, model) for model in models(instance.cnf)}
    search = cp.solutions(instance, engine=engine, jobs=1)
    assert {solution.board for solution in search} == boards
    found = search.count()
    assert (found.solutions, found.raw, found.complete) == (len(boards), len(boards), True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "board, pieces, solutions, raw", [("3x20", "pentominoes", 2, 8), ("4x4", "8*domino", 9, 36), ("2x3", "3*domino", 2, 3)]
)
def test_tilings(engine, board, pieces, solutions, raw):
    found = count(tiling(board, pieces), engine)
    assert (found.solutions, found.raw, found.complete) == (solutions, raw, True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", ENGINES)
def test_symmetric_solutions_counted_separately(engine):
    found = count(tiling("3x20", "pentominoes"), engine, raw=True)
    assert (found.solutions, found.raw) == (8, 8)
    assert (
        found.sentence() == f"8 solutions, symmetric solutions counted separately. No others (claimed by {found.engine}; "
        "not independently verified)."
    )


@pytest.mark.release
def test_pieces_used_two_to_four_times():
    """Bounds that are not items: the exact cover engine filters candidates, and `auto` does not choose it."""
    puzzle = tiling("3x4", "2..3*domino, at most 2*I tromino")
    found = {engine: count(puzzle, engine, raw=True).solutions for engine in ENGINES}
    assert len(set(found.values())) == 1
    assert count(puzzle).engine == "clasp"


def test_options_for_counting():
    puzzle = tiling("3x20", "pentominoes")
    assert encoded(puzzle).map.options == {"symmetry": "representatives"}
    assert encoded(puzzle, engine="clasp").map.options == {"symmetry": "representatives", "starving": True}
    assert encoded(puzzle, "nothing", engine="clasp").map.options == {"starving": True}
    given = encoded(puzzle, options={"symmetry": "all", "starving": False}, engine="clasp")
    assert given.map.options == {"symmetry": "all", "starving": False}


def test_interrupted():
    """Ctrl-C ends the search; the count so far is reported as partial."""
    instance = encoded(tiling("3x20", "pentominoes"))

    def interrupt(found):
        if found.solutions:
            raise KeyboardInterrupt

    found = cp.count(instance, progress=interrupt)
    assert (found.complete, found.reason, found.solutions > 0) == (False, "interrupted", True)


def test_a_board_that_breaks_the_rules(monkeypatch):
    instance = encoded(tiling("2x2", "2*domino"))
    monkeypatch.setattr(type(instance.family), "check", lambda *_: ["no"])
    with pytest.raises(BrokenBoard):
        list(cp.solutions(instance, engine="clasp"))
