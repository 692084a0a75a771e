"""`cp.make` with a requested difficulty: independent programs measure and count the results."""

from __future__ import annotations

import base64
import re
import time

import pytest
from nonogramnaive import clue_of_line, count
from PIL import Image

import cnfgen_puzzles as cp
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.making.making import UNREACHED
from cnfgen_puzzles.solving.incremental import within

FAMILY = find_family("nonogram")
SWITCH = ["#...", ".#..", "....", "..##"]
ROWS = [[int(sign == "#") for sign in row] for row in SWITCH]


def solutions(board):
    return count(*(list(map(clue_of_line, map(tuple, lines))) for lines in (board, zip(*board, strict=True))))


def test_kinds_of_pictures(tmp_path):
    (tmp_path / "x.txt").write_text("\n".join(SWITCH))
    puzzle = FAMILY.making.puzzle(ROWS)
    for picture in (SWITCH, "\n".join(SWITCH) + "\n", ROWS, tmp_path / "x.txt", str(tmp_path / "x.txt"), puzzle):
        made = cp.make("nonogram", picture, about={"title": "Switch"})
        assert made.how == "fewest" and len(made.changes) == 1 and made.unique
        assert solutions(made.board) == 1 and not FAMILY.check(made.puzzle, made.board)
        assert made.puzzle.about["title"] == "Switch"
    assert cp.make(FAMILY, tmp_path / "x.txt", size=(2, 2)).puzzle.width == 2


def test_colors_of_rows():
    values = ("#ffffff", "#ff0000", "#00ff00")
    made = cp.make("nonogram", [[1, 0], [0, 2]], values=values)
    assert made.unique and not made.changes and [color.value for color in made.puzzle.palette] == list(values)


def test_colors_of_pixels(tmp_path):
    Image.frombytes("RGB", (2, 2), bytes.fromhex("ffffffff00000000ffffffff")).save(tmp_path / "x.png")
    assert cp.make("nonogram", tmp_path / "x.png", colors=2).puzzle.inks == 2


def test_the_result_shows_as_text():
    made = cp.make("nonogram", SWITCH)
    assert repr(made).startswith("<Made: 4x4 nonogram, 1 cell changed") and len(repr(made)) < 200
    html = made._repr_html_()
    assert "One solution" in html and "row " in html
    assert "only in the other board" in base64.b64decode(re.search(r"base64,([^\"]*)", html)[1]).decode()


@pytest.mark.parametrize("wanted", ["line-logic", "ahead-1", "70-80"])
def test_a_requested_difficulty_is_reached(wanted):
    picture = FAMILY.making.generators["random"].make(1, size="8")
    made = cp.make("nonogram", picture, difficulty=wanted, seconds=600)
    assert made.unique and wanted in made.sentence() and solutions(made.board) == 1
    hard = cp.explain(made.puzzle).difficulty
    assert {"line-logic": hard["depth"] == 0, "ahead-1": hard["depth"] == 1, "70-80": 70 <= hard["score"] <= 80}[wanted]


@pytest.mark.release
def test_a_difficulty_in_colors():
    picture = FAMILY.making.generators["random"].make(2, size="6", colors=2)
    made = cp.make("nonogram", picture, difficulty="ahead-1", seconds=600)
    assert made.unique and cp.explain(made.puzzle).difficulty["depth"] == 1
    assert cp.unique(made.puzzle).verdict == "one"


def test_a_difficulty_that_cannot_be_reached():
    """A single cell cannot have a score of a hundred, for any changes."""
    made = cp.make("nonogram", ["#"], difficulty="100-200")
    assert made.how == UNREACHED and not made.unique and made.answer is None
    assert made.sentence() == "No puzzle of difficulty 100-200: none with this difficulty was found."


@pytest.mark.parametrize(
    ("picture", "how", "words"),
    [
        (3, {}, "found 3, expected a picture"),
        ([[0, 1], [1]], {}, "rows of different lengths"),
        ([], {}, "without cells"),
        ([[0, 2]], {}, "row 1 of the picture: found 2, expected the number of a color from 0 to 1"),
        ([["x"]], {}, "found 'x'"),
        (["#x"], {}, "the drawing:1: found 'x'"),
        (ROWS, {"size": 3}, "found size, which applies only to pictures of pixels"),
        (SWITCH, {"size": True}, "found the size True"),
        (SWITCH, {"seconds": -1}, "found seconds=-1"),
        (SWITCH, {"difficulty": "300-100"}, "found the difficulty '300-100'"),
    ],
)
def test_mistakes(picture, how, words):
    with pytest.raises(cp.InputError, match=re.escape(words)):
        cp.make("nonogram", picture, **how)


def test_the_time_of_a_search_is_cpu_time():
    """A solver that waits because of other programs loses no time."""

    def call():
        time.sleep(0.3)
        return "found"

    assert within(0.2, None, call) == "found"
