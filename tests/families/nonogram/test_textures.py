"""Hard nonograms by seed: their pictures solve them, they are equal on all machines; and the survey's n-Dom."""

import pytest
from nonogramnaive import count

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.nonogram.generators import STYLES, dominoes, texture

NONOGRAM = find_family("nonogram")


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_dominoes_have_one_solution(size):
    """Counted by independent code."""
    for seed in range(1, 5):
        puzzle = dominoes(seed, str(size))
        assert count(puzzle.rows, puzzle.columns) == 1


def test_nine_dominoes_are_the_survey_s():
    """Webpbn 8098 as far as the page of the survey describes it: 19 rows and columns, nine threes, no two adjacent rows with more
    than one black cell, and all columns but the last begin with a 1."""
    puzzle = dominoes(1)
    assert puzzle == dominoes(5) != dominoes(2)
    assert (puzzle.width, puzzle.height) == (19, 19)
    assert sum(clue.count(3) for clue in puzzle.columns) == 9
    assert all(sum(one) == 1 or sum(other) == 1 for one, other in zip(puzzle.rows, puzzle.rows[1:], strict=False))
    assert all(clue[0] == 1 for clue in puzzle.columns[:-1])
    assert puzzle.columns[-1] == (3,)


@pytest.mark.parametrize("style", STYLES)
def test_the_picture_solves_its_puzzle(style):
    puzzle = texture(3, "33x27", style)
    cell = STYLES[style](SeededChoice(f"nonogram {style}", 3), 33, 27)
    board = tuple(tuple(cell(x, y) for x in range(33)) for y in range(27))
    assert NONOGRAM.check(puzzle, board) == []
    assert 100 < sum(map(sum, board)) < 700
    assert (puzzle.rows, puzzle.columns) != (texture(4, "33x27", style).rows, texture(4, "33x27", style).columns)


@pytest.mark.parametrize("style", STYLES)
def test_sizes(style):
    for size in ("1", "1x7", "2x2"):
        assert texture(1, size, style).rows
    for size in ("0", "1001", "99999999999999999999", "5x", "-3"):
        with pytest.raises(InputError):
            texture(1, size, style)


def test_the_script_writes_them(tmp_path, load_script):
    load_script("make_nonograms").write_hard(tmp_path, sizes=[7], dominoes=[3])
    read = {path.stem: cp.read(path, family="nonogram") for path in tmp_path.iterdir()}
    assert set(read) == {"ndom-3", *(f"{style}-7" for style in STYLES)}
    assert read["ndom-3"].columns == dominoes(1, "3").columns
