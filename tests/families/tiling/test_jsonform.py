"""Conversion to JSON and back preserves the puzzle; damaged JSON raises the exceptions that the variable map expects."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tilingcases import puzzles

from cnfgen_puzzles.families.lattice import SQUARE
from cnfgen_puzzles.families.tiling.formats import puzzle_from_json as from_json
from cnfgen_puzzles.families.tiling.formats import puzzle_to_json as to_json
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import COVERED, OPTIONAL, Tiling

PUZZLE = Tiling(
    SQUARE,
    {(0, 0): COVERED, (0, 1): COVERED, (1, 1): OPTIONAL},
    (Piece("L", ((0, 0), (0, 1), (1, 1)), 0, None, False, None, frozenset({"red"}), (frozenset({(0, 0), (0, 1), (1, 1)}),)),),
    colors={(0, 0): "red"},
    wrap=(None, 3),
    about={"title": "x"},
)


@settings(max_examples=40, deadline=None)
@given(puzzles())
def test_round_trip(puzzle):
    assert from_json(json.loads(json.dumps(to_json(puzzle)))) == puzzle


def test_equal_puzzles_give_equal_text():
    other = replace(PUZZLE, board=dict(reversed(PUZZLE.board.items())))
    assert json.dumps(to_json(other)) == json.dumps(to_json(PUZZLE))


def damaged():
    """The JSON of a puzzle with one change."""
    entry = to_json(PUZZLE)
    changes = [
        *(("lattice", each) for each in ("cube", "cubic", 3)),
        *(("covered", each) for each in ([], [[0, 0], [0, 0], [0, 1]], [[0]], [["0", 0]], [[0, 7]], None)),
        *(("colors", [[[5, 5], "red"]]), ("labels", [[[5, 5], "a"]]), ("groups", [{"pieces": [1], "least": 0, "most": 1}])),
        *(("wrap", each) for each in ([3], [0, 3], ["a", 3])),
        *(("reflections", 1), ("pieces", [{}]), ("pieces", 4), ("about", {"title": 1}), ("more", 1)),
    ]
    for key, value in changes:
        yield {**entry, key: value}
    for key, value in (
        *(("shape", []), ("shape", [[0, 0], [0, 0]]), ("least", -1), ("least", True), ("most", -1), ("most", "2")),
        *(("name", 1), ("reflect", "yes"), ("colors", [1]), ("pinned", [[[0]]])),
    ):
        other = copy.deepcopy(entry)
        other["pieces"][0][key] = value
        yield other
    for key in entry:
        yield {other: value for other, value in entry.items() if other != key}


@pytest.mark.parametrize("entry", list(damaged()), ids=str)
def test_damaged(entry):
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_json(entry)
