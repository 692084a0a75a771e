"""Files of mazes, options, boards, pictures, JSON and the commands."""

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.maze import FAMILY
from cnfgen_puzzles.families.maze.formats import read_mazes, write_mazes
from cnfgen_puzzles.families.maze.model import Grid
from cnfgen_puzzles.families.maze.puzzle import MazeString, read_pattern, solved_last
from cnfgen_puzzles.families.maze.sets import reduced

THIN = "mazes thin 2x3\n6ac/1.1 0,0\n4.4/3a9 1,2\n"


# -- files --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "size"), [("thin", (2, 3)), ("thin", (1, 4)), ("blocked", (3, 3)), ("blocked", (1, 1))])
def test_files_in_both_directions(kind, size):
    mazes = reduced(kind, Grid(*size), ())
    assert read_mazes(write_mazes(mazes), "x") == mazes


def test_files_for_people():
    text = "# two mazes\n\nMAZES thin 2x3\n  6AC/101 0,0  \n# another\n4.4/3a9\t1, 2"
    assert read_mazes(text, "x") == read_mazes(THIN, "x")


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("", 1, "mazes thin 3x3"),
        ("# only this\n\n", 1, "expected a first line"),
        ("mazes thick 2x2\n", 1, "thick"),
        ("mazes thin 0x2\n2 0,0\n", 1, "0x2"),
        ("mazes thin 999999x999999\n", 1, "cells"),
        ("mazes thin 1x2\n", 1, "no maze"),
        ("mazes thin 1x2\n28\n", 2, "and the start"),
        ("mazes thin 1x2\n28 0,2\n", 2, "the start 0,2"),
        ("mazes thin 1x2\n\n2x 0,0\n", 3, "2x"),
        ("mazes thin 1x2\n28 0,0\n2. 0,0\n", 3, "not open to the west"),
        ("mazes thin 1x2\n38 0,0\n", 2, "border"),
        ("mazes thin 2x2\n2c 0,0\n", 2, "1 rows"),
        ("mazes blocked 2x2\n../.\n", 2, "rows"),
        ("mazes blocked 2x2\n../.x\n", 2, "rows of"),
        ("mazes blocked 2x2\n../.#\n", 2, "goal"),
    ],
)
def test_errors_name_the_line(text, line, told):
    with pytest.raises(InputError, match=told) as caught:
        read_mazes(text, "x.mazes")
    assert (caught.value.source, caught.value.line) == ("x.mazes", line)


# -- options ------------------------------------------------------------------------------------------------------------


def test_aliases_of_letters():
    assert read_pattern("LRUD nesw ** ") == "WENSNESW**"
    assert read_pattern("rrd", free=False) == "EES"
    with pytest.raises(InputError, match="position 1"):
        read_pattern("*", free=False)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"kind": "thin", "size": "2x2"}, "neither --pattern and --length|found neither"),
        ({"kind": "thin", "size": "2x2", "length": 3, "pattern": "*"}, "found both"),
        ({"kind": "thin", "size": "2x2", "length": -1}, "expected 0 to 10000"),
        ({"kind": "thin", "size": "2x2", "length": 10**9}, "expected 0 to 10000"),
        ({"kind": "thin", "size": "2x2", "pattern": "NX*"}, "'X' at position 2"),
        ({"kind": "thin", "size": "2y", "length": 3}, "width x height"),
        ({"kind": "thin", "size": "0x3", "length": 3}, "width x height"),
        ({"kind": "thick", "size": "2x2", "length": 3}, "unknown kind .thick."),
        ({"kind": "thin", "length": 3}, "--size is missing"),
        ({"size": "2x2", "length": 3}, "--kind is missing"),
        ({"kind": "thin", "size": "4x4", "length": 3}, r"2\^24 sets of walls.*the limit 'steps'"),
        ({"kind": "thin", "size": "2x2", "length": 3, "first": 9}, "expected 0 to 8"),
        ({"kind": "thin", "size": "2x2", "length": 3, "reduce": "everything"}, "unknown reduction"),
        ({"kind": "thin", "size": "2x2", "lenght": 3}, "did you mean length"),
    ],
)
def test_wrong_options_are_reported(options, told):
    with pytest.raises(InputError, match=told):
        FAMILY.read(None, **options)


def test_a_file_and_a_grid_exclude_each_other():
    source = Source("x.mazes", THIN.encode())
    assert len(FAMILY.read(source, length=3, first=1).mazes) == 1
    with pytest.raises(InputError, match="--size describes mazes without a file"):
        FAMILY.read(source, length=3, size="2x2")


def test_distances_prove_that_no_string_exists():
    short = FAMILY.read(None, kind="thin", size="2x2", length=2)
    assert FAMILY.impossible(short) == "maze 1 needs at least 3 moves, but the pattern has 2"
    closed = MazeString(read_mazes("mazes blocked 2x2\n.#/#.\n", "x"), "****")
    assert FAMILY.impossible(closed) == "maze 1 has no path from its start to its goal"
    assert FAMILY.impossible(FAMILY.read(None, kind="thin", size="1x1", length=0)) is None


# -- boards -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def puzzle():
    return FAMILY.read(None, kind="thin", size="2x2", length=11)


def test_a_string_is_checked_by_simulation(puzzle):
    assert FAMILY.check(puzzle, "NESWNENWSEN") == []
    assert FAMILY.check(puzzle, "NESWNENWSE") == ["the string has 10 letters, but the pattern has 11"]
    assert FAMILY.check(puzzle, "?ESWNENWSEN") == ["letter 1 is ?, expected one of N, E, S, W"]
    faults = FAMILY.check(puzzle, "N" * 11)
    assert len(faults) == 8 and "cells that it must visit" in faults[0]
    fixed = FAMILY.read(None, kind="thin", size="2x2", pattern="E**********")
    assert FAMILY.check(fixed, "NESWNENWSEN") == ["letter 1 is N, but the pattern requires E"]


def test_mazes_that_are_solved_last(puzzle):
    solved, last = solved_last(puzzle.mazes, "NESWNENWSEN", 3)
    assert solved == 8 and len(last) == 3 and last[0][1] == 11
    steps = puzzle.mazes.solved_after("NESWNENWSEN")
    assert [count for _, count in last] == sorted(steps, reverse=True)[:3]
    assert solved_last(puzzle.mazes, "NESWNENWSE", 1)[1][0][1] == -1


def test_text_shows_when_cells_are_visited():
    puzzle = MazeString(read_mazes(THIN, "x"), "*" * 6)
    assert FAMILY.view("text").draw(puzzle, "SNEESN", None) == (
        "SNEESN\n6 letters, solves 1 of 2 thin mazes; last:\n\n"
        "maze 2: not solved   maze 1: after 5\n"
        "+---+---+---+        +---+---+---+\n"
        "| - |   | 2 |        | 0   3   4 |\n"
        "+   +---+   +        +   +---+   +\n"
        "| -   -   0 |        | 1 |   | 5 |\n"
        "+---+---+---+        +---+---+---+\n"
    )


def test_frames_show_the_walk():
    puzzle = MazeString(read_mazes("mazes blocked 2x2\n.#/..\n", "x"), "***")
    assert FAMILY.view("frames").draw(puzzle, "SES", None) == (
        "SES\nmaze 1: after 2\n\n"
        "start   1 S     2 E\n"
        "+-+-+   +-+-+   +-+-+\n"
        "|@ #|   |. #|   |. #|\n"
        "+ + +   + + +   + + +\n"
        "|  o|   |@ o|   |. @|\n"
        "+-+-+   +-+-+   +-+-+\n"
    )


# -- JSON ---------------------------------------------------------------------------------------------------------------


def test_damaged_puzzles_are_refused():
    good = FAMILY.puzzle_to_json(FAMILY.read(None, kind="thin", size="3x2", pattern="N**"))
    assert "reduced" in good
    for change in (
        {"kind": "thick"},
        {"size": [4, 4]},
        {"size": ["2", 3]},
        {"count": 1},
        {"pattern": "Q"},
        {"reduced": ["x"]},
        {"mazes": ["2"]},
    ):
        with pytest.raises((KeyError, TypeError, ValueError)):
            FAMILY.puzzle_from_json(good | change)
