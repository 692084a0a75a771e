"""Half-filled grids in colours: encodings, rules, files and contradictions, against trying every board."""

from __future__ import annotations

import shutil
import subprocess
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonogramnaive import boards_of, puzzle_of

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.encodings import ENCODINGS
from cnfgen_puzzles.families.nonogram.formats import FORMATS
from cnfgen_puzzles.families.nonogram.knowncells import with_known
from cnfgen_puzzles.testing import models

drawn = partial(puzzle_of, inks=2)


@st.composite
def half_filled(draw):
    height, width = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    board = tuple(tuple(draw(st.integers(0, 2)) for _ in range(width)) for _ in range(height))
    known = tuple(tuple(draw(st.sampled_from([None, cell, cell, 0, 1, 2])) for cell in row) for row in board)
    return drawn(board, known)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(puzzle=half_filled())
def test_models_are_exactly_the_boards_that_agree(encoding, puzzle):
    formula = FAMILY.encode(puzzle, encoding)
    found = [FAMILY.decode(puzzle, formula.blocks, model) for model in models(formula)]
    assert sorted(found) == sorted(boards_of(puzzle))
    assert not (found and puzzle.contradictions())
    assert all(FAMILY.check(puzzle, board) == [] for board in found)


@given(puzzle=half_filled())
def test_saved_grids_make_the_round_trip(puzzle):
    for name in ("non", "webpbn"):
        text = FORMATS.write_puzzle(puzzle, name)
        assert "known cells" not in FORMATS.lost(puzzle, name, text)  # `.non` has no names of colours
        if puzzle.known:
            assert FAMILY.read(Source("p", text.encode()), known="saved").known == puzzle.known


BOARD = ((1, 1, 2), (0, 2, 2))


def test_a_drawing_has_the_signs_of_the_colours():
    assert with_known(drawn(BOARD), "|r?b|.??|", "p").known == ((1, None, 2), (0, None, None))
    with pytest.raises(InputError, match=r"found '#', expected only \. r b \?"):
        with_known(drawn(BOARD), "|#??|???|", "p")
    puzzle = drawn(BOARD, ((1, None, 2), (0, None, None)))
    assert FAMILY.view("plain").draw(puzzle, FAMILY.blank(puzzle), None) == "r?b\n.??\n"


@pytest.mark.skipif(shutil.which("awk") is None, reason="no awk")
def test_awk_knows_them(tmp_path):
    program, shown = FAMILY.rules_in_awk(drawn(BOARD, ((1, None, None), (None, None, None))), BOARD)
    (tmp_path / "rules.awk").write_text(program)
    assert subprocess.run(["awk", "-f", tmp_path / "rules.awk"], input=shown.encode()).returncode == 0
    program, _ = FAMILY.rules_in_awk(drawn(BOARD, ((2, None, None), (None, None, None))), BOARD)
    (tmp_path / "rules.awk").write_text(program)
    done = subprocess.run(["awk", "-f", tmp_path / "rules.awk"], input=shown.encode(), capture_output=True)
    assert done.returncode == 1 and b"row 1, column 1 is known to be" in done.stdout


def test_a_wrong_colour_is_told_by_its_name():
    found = cp.solve(drawn(BOARD, ((2, None, None), (None, None, 2)))).mus
    assert [[given.words for given in each.givens] for each in found.sets] == [["row 1, column 1 is blue"]]
    assert found.sets[0].givens[0].entry == {"row": 1, "column": 1, "colour": "blue"} and found.rest == BOARD
