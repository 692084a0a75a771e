"""Values at a prompt and in a notebook: a short line, a picture, and escaped content of files."""

from __future__ import annotations

import base64
import copy
import json
import pickle
import re
from xml.etree import ElementTree

import pytest

import cnfgen_puzzles as cp
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.families import find_family

HOSTILE = "<script>alert(1)</script> & \"quotes'\x1b[31m\u202e"
HOSTILE_TOLD = "<script>alert(1)</script> & \"quotes'\\x1b[31m\\u202e"
FAMILIES = ("nonogram", "tiling", "maze", "triddler", "sudokux")


def puzzle_of(name, tmp_path):
    if name == "nonogram":
        (tmp_path / "hostile.non").write_text(f'title "{HOSTILE}"\nwidth 2\nheight 2\nrows\n1\n1\ncolumns\n1\n1\n')
        return cp.read(tmp_path / "hostile.non", family=name)
    if name == "sudokux":
        (tmp_path / "small.sdk").write_text("12..\n..1.\n...1\n....\n")
        return cp.read(tmp_path / "small.sdk", family=name)
    if name == "tiling":
        return cp.read(family=name, board="2x3", pieces="3*domino")
    if name == "triddler":
        return find_family(name).generate("random", 1, sides="2")
    return cp.read(family=name, kind="blocked", size="2x2", length="3")


@pytest.fixture(params=FAMILIES)
def posed(request, tmp_path):
    """Family and puzzle."""
    if request.param == "sudokux":
        pytest.importorskip("cnfgen_sudokux", reason="the family of docs/how-to/adding-a-family.md is not installed")
    return find_family(request.param), puzzle_of(request.param, tmp_path)


def values(family, puzzle):
    """All results of the public API for a puzzle."""
    outcome, answer = cp.solve(puzzle), cp.unique(puzzle)
    instance, solutions = cp.encode(puzzle), cp.solutions(puzzle, engine="blocking", jobs=1)
    solution = next(iter(solutions))
    formula = cp.solve(instance)
    return [
        family, puzzle, outcome, answer, instance, instance.cnf, instance.map, *instance.map.blocks.values(), solutions, solution,
        solutions.count(), outcome.board, solution.board, formula, formula.run, formula.board, answer.searches[-1].proof,
    ]  # fmt: skip


def test_every_value_is_one_short_line_and_its_picture_is_whole(posed):
    family, puzzle = posed
    pictures = 0
    for value in values(family, puzzle):
        assert len(repr(value)) <= 200 and repr(value).isprintable(), value
        svg = getattr(value, "_repr_svg_", lambda: None)()
        html = getattr(value, "_repr_html_", lambda: None)()
        if svg is not None:
            assert ElementTree.fromstring(svg).tag.endswith("svg")
            pictures += 1
        if html is not None:
            assert "<script" not in html and "\x1b" not in html and "\u202e" not in html
            ElementTree.fromstring(f"<div>{html}</div>")
            pictures += html.count("data:image/svg+xml;base64,")
            for data in re.findall(r"base64,([^\"]*)", html):
                ElementTree.fromstring(base64.b64decode(data))
    assert pictures >= 5


def test_a_board_is_the_plain_value_that_it_was(posed):
    family, puzzle = posed
    board = cp.solve(puzzle).board
    plain = tuple(board) if isinstance(board, tuple) else str(board)
    assert type(board) is not type(plain) and board == plain and plain == board and hash(board) == hash(plain)
    assert json.dumps(board, default=list) == json.dumps(plain, default=list)
    assert not family.check(puzzle, board)
    assert type(pickle.loads(pickle.dumps(board))) is type(plain)
    assert copy.deepcopy(board) == plain
    if isinstance(plain, tuple):
        assert str(board) == str(cp.draw(puzzle, plain)).rstrip("\n")
        assert repr(type(board)(plain)) == repr(plain)  # made by other means it still has a repr
    else:
        assert str(board) == f"{board}" == plain


def test_two_boards_show_where_they_differ():
    rooks = find_family("nonogram").puzzle(((1,), (1,)), ((1,), (1,)))
    answer = cp.unique(rooks)
    first, second = (base64.b64decode(data).decode() for data in re.findall(r"base64,([^\"]*)", answer._repr_html_()))
    assert "filled only in this board" in second and "filled only in this board" not in first


def test_a_picture_that_is_too_large_gives_way_to_words(monkeypatch):
    rooks = find_family("nonogram").puzzle(((1,), (1,)), ((1,), (1,)))
    outcome = cp.solve(rooks)
    monkeypatch.setattr(showing, "MOST_PICTURE", 10)
    assert rooks._repr_svg_() is None and outcome.board._repr_svg_() is None
    assert "2x2 nonogram" in outcome._repr_html_() and "<img" not in outcome._repr_html_()


def test_no_board_and_no_answer_show_themselves_too(puzzles):
    none = cp.unique(cp.read(puzzles / "none.nin", family="nonogram"))
    by_argument = cp.solve(cp.read(puzzles / "contradiction.nin", family="nonogram"))
    assert repr(none).startswith("<FormulaAnswer: none, 3x3 nonogram, No solution")
    assert "rows and columns need 4 and 2 black cells" in repr(by_argument) + by_argument._repr_html_()
    nothing = cp.solutions(by_argument.puzzle)
    assert "No solution" in repr(nothing) and "No solution" in nothing.count()._repr_html_()


def test_a_table_is_escaped():
    html = showing.table(("name", HOSTILE), [(HOSTILE, "1"), ("b", "2")], best=[0])
    cells = ElementTree.fromstring(html)
    assert "<script" not in html and "\x1b" not in html
    assert [cell.text for cell in cells.iter("td")] == ["b", "2"]
    assert [cell.text for cell in cells.iter("th")] == ["name", HOSTILE_TOLD, HOSTILE_TOLD, "1"]
