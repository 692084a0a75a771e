"""The encodings of nonograms against the published sizes, and against all boards of small puzzles."""

import csv
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonogramnaive import PALETTE, boards_of, fillings, puzzle_of
from repository import INSTANCES

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families.clued import encodings
from cnfgen_puzzles.families.clued.encodings import ENCODINGS, ink_literals, lines_of
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.formats import read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.testing import models, propagate

with (INSTANCES / "nonogram/webpbn/published.csv").open() as table:
    PUBLISHED = {row["puzzle"]: (int(row["variables"]), int(row["clauses"])) for row in csv.DictReader(table)}


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_sizes(name, survey_puzzle):
    """All 28 rows of the article's table if the samples are available; otherwise the 12 in the repository."""
    formula = FAMILY.encode(read_puzzle(open_source(survey_puzzle(name))), "direct")
    assert (formula.num_variables, formula.num_clauses) == PUBLISHED[name]


@st.composite
def pictures(draw, inks=(1, 1, 2), known=True):
    """The clues of a picture in black or in two colors, with some known cells, most of them as in the picture."""
    inks = draw(st.sampled_from(inks))
    height, width = draw(st.integers(1, 4 - inks)), draw(st.integers(1, 5 - inks))
    board = [[draw(st.integers(0, inks)) for _ in range(width)] for _ in range(height)]
    cells = ()
    if known and draw(st.booleans()):
        cells = tuple(tuple(draw(st.sampled_from([None, None, cell, cell, inks - cell])) for cell in row) for row in board)
    return puzzle_of(board, cells, inks)


@given(puzzle=pictures(), data=st.data())
def test_rules_agree_with_trying_all_boards(puzzle, data):
    row = st.tuples(*[st.integers(0, puzzle.inks)] * puzzle.width)
    board = data.draw(st.tuples(*[row] * puzzle.height) | st.sampled_from([*boards_of(puzzle)] or [()]))
    assert (FAMILY.check(puzzle, board) == []) == (board in set(boards_of(puzzle)))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "puzzle",
    [
        Nonogram(((4,),), ((1,), (1,), (1,))),  # longer than its line
        Nonogram(((2, 1),), ((1,), (1,), (1,))),
        Nonogram(((1,), ()), ((1,), (1,))),  # sums differ
        Nonogram(((10_000,),), ((1,),)),
    ],
)
def test_contradictory_puzzles_are_unsatisfiable_and_say_why(encoding, puzzle):
    assert puzzle.contradictions()
    assert not list(models(FAMILY.encode(puzzle, encoding)))


@pytest.mark.parametrize("encoding", ["order", "regular"])
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_propagation_finds_the_common_part_of_all_placements(encoding, data):
    """Unit propagation alone finds the required and excluded colors of the cells of one line, so that solvers need not guess."""
    inks = data.draw(st.sampled_from([1, 1, 2]))
    length = data.draw(st.integers(1, 9 if inks == 1 else 6))
    line = tuple(data.draw(st.lists(st.tuples(st.integers(1, 4), st.integers(1, inks)), max_size=3)))
    clue, colors = (tuple(block[part] for block in line) for part in (0, 1))
    puzzle = Nonogram((clue,), ((),) * length, colors=PALETTE[: inks + 1] if inks > 1 else (), row_colors=(colors,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encodings, "lines_of", lambda puzzle, first: lines_of(puzzle, first)[:1])  # the row without columns
        formula = FAMILY.encode(puzzle, encoding)
    cell, placements = formula.blocks["cell"], fillings(length, inks + 1).get(line, [])
    result = propagate([frozenset(clause) for clause in formula.clauses()], frozenset())
    if not placements:
        assert result is None
        return
    shared = set.intersection(
        *({literal for q, ink in enumerate(cells) for literal in ink_literals(cell, 0, q, ink)} for cells in placements)
    )
    assert {literal for literal in result[1] if abs(literal) in cell.variables} == shared


def test_order_keeps_the_clauses_that_only_propagate():
    """(1) and (2) are implied on every tested board; they improve propagation."""
    formula = FAMILY.encode(Nonogram(((2, 1, 1),), ((),) * 9), "order")
    clauses, by = set(map(frozenset, formula.clauses())), formula.blocks["by"]
    starts = [by.below(0, i) for i in range(3)]
    assert all(len(block) == 3 for block in starts)
    for block in starts:
        assert {frozenset((-a, b)) for a, b in pairwise(block)} <= clauses
    for left, right in pairwise(starts):
        assert {frozenset((-b, a)) for a, b in zip(left, right, strict=True)} <= clauses


def test_errors_for_unknown_names_suggest_the_closest():
    puzzle = Nonogram(((1,),), ((1,),))
    with pytest.raises(InputError, match="did you mean order"):
        FAMILY.encode(puzzle, "ordre")
    with pytest.raises(InputError, match="did you mean amo"):
        FAMILY.encode(puzzle, "direct", am="pairwise")
