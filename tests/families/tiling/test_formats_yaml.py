"""YAML and JSON: written puzzles are read unchanged, examples of the documentation, and errors with lines."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from repository import REPOSITORY
from tilingbrute import count
from tilingcases import puzzles, source

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.lattice import SQUARE
from cnfgen_puzzles.families.tiling.formats import FORMATS, puzzle_from_json, puzzle_to_json, read_puzzle, write_puzzle
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import COVERED, OPTIONAL, Tiling


def read(text: str) -> Tiling:
    return read_puzzle(source(text))


# -- round trips ----------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(puzzles())
def test_round_trip(puzzle):
    """The meaning is preserved, and no other format recognizes the file.

    A color that no cell has cannot be written, and equal names get numbers.
    """
    text = write_puzzle(puzzle, "yaml")
    assert read(text) == puzzle
    assert [entry.name for entry in FORMATS.values() if entry.recognise(text)] == ["yaml"]


def test_a_puzzle_that_cannot_be_drawn():
    puzzle = Tiling(SQUARE, {(-2, -1): COVERED, (-2, 0): COVERED}, (Piece("d", ((0, 0), (0, 1))),))
    with pytest.raises(InputError, match="negative row or column"):
        write_puzzle(puzzle, "yaml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("size: 4x7\npieces: [{set: one-sided tetrominoes}]\n", "  - set: one-sided tetrominoes\n"),
        ("size: 4x19\npieces: [{set: fixed tetrominoes}]\n", "  - set: fixed tetrominoes\n"),
        (
            "size: 6x10\npieces: [{set: pentominoes, count: 0..1, reflect: false}]\n",
            "  - set: pentominoes\n    count: 0..1\n    reflect: false\n",
        ),
        ("size: 3x3x3\npieces: [{set: Soma}]\n", "lattice: cubic\nsize: 3x3x3\npieces:\n  - set: Soma\n"),
        ("size: 2x3x10\npieces: [{set: pentominoes}]\n", "  - set: solid pentominoes\n"),
        ("size: 5x5x5\npieces: [{piece: 1x2x4, count: any}]\n", "  - piece: 1x2x4\n    count: any\n"),
        (
            "size: 8x8\npieces: [{set: pentominoes}, {piece: square tetromino}]\n",
            "  - set: pentominoes\n  - piece: O tetromino\n",
        ),
        ("size: 8x8\nholes: 0,0\npieces: [{piece: domino, count: 3..}]\n", "board: |-\n  .XXXXXXX\n  XXXXXXXX\n"),
    ],
)
def test_written_names_are_read_again(text, said):
    written = write_puzzle(read(text), "yaml")
    assert said in written
    assert read(written) == read(text)


# -- features of the format -----------------------------------------------------------------------------------------------


def test_board_with_kinds_and_colors():
    puzzle = read(
        "board: |\n  rX.\n  oqs\nlegend: {r: red, q: optional blue, s: optional}\npieces:\n  - {piece: domino, colors: red}\n"
    )
    assert puzzle.board == {(0, 0): COVERED, (0, 1): COVERED, (1, 0): OPTIONAL, (1, 1): OPTIONAL, (1, 2): OPTIONAL}
    assert puzzle.colors == {(0, 0): "red", (1, 1): "blue"}
    assert puzzle.pieces[0].colors == frozenset({"red"})
    assert read("board: r\nlegend: {r: red}\npieces: [{piece: monomino, colors: none}]").pieces[0].colors == frozenset()


@pytest.mark.parametrize(
    ("line", "wrap"),
    [
        ("torus: true", (3, 4)),
        ("cylinder: true", (None, 4)),
        ("wrap: {rows: 3}", (3, None)),
        ("wrap: {columns: 6, rows: 5}", (5, 6)),
        ("torus: false", ()),
    ],
)
def test_rings(line, wrap):
    assert read(f"size: 3x4\n{line}\npieces: [{{piece: domino, count: any}}]").wrap == wrap
    drawn = "board: |\n  XXX.\n  X.X.\n  ....\n"
    assert read(f"{drawn}{line}\npieces: [{{piece: domino, count: any}}]").wrap == wrap, "the drawing has sides"


def test_rings_of_triangles_and_hexagons():
    assert read("size: 2x3\ntorus: true\npieces: [{piece: diamond, count: any}]").wrap == (6, 9)
    assert read("size: 2x3\ntorus: true\npieces: [{piece: dihex, count: any}]").wrap == (2, 3)
    puzzle = read(
        "lattice: hexagonal\nboard: |\n  X X\n  .X X\n  X X\nwrap: {rows: 3, diagonals: 3}\npieces: [{piece: dihex, count: any}]"
    )
    assert all(0 <= x < 3 for cell in puzzle.board for x in cell)
    assert len(puzzle.board) == 6


def test_pinned_pieces():
    places = {frozenset({(0, 0), (0, 1)}), frozenset({(1, 1), (1, 2)})}
    for pinned in ("0,0 0,1 or 1,1 1,2", "|\n      XX.\n      ...\n      or\n      ...\n      .XX\n"):
        (piece,) = read(f"size: 2x3\npieces:\n  - piece: domino\n    pinned: {pinned}").pieces
        assert set(piece.pinned) == places
    (piece,) = read("size: 2x3\npieces: [{name: corner, pinned: '0,0 1,0 1,1'}]").pieces
    assert piece.shape == ((0, 0), (1, 0), (1, 1))
    assert count(read("size: 2x3\npieces:\n  - {piece: domino, pinned: '0,0 0,1'}\n  - {name: d, art: XX, count: 2}\n")) == 1
    assert read("size: 2x3\ncylinder: true\npieces: [{piece: domino, pinned: '0,2 0,3'}]").pieces[0].pinned == (
        frozenset({(0, 2), (0, 0)}),
    )


def test_about_and_claims():
    words = "title: T\nauthor: A\nsource: S\ndescription: D\n"
    puzzle = read(f"{words}size: 2x3\npieces: [{{piece: L tromino, count: 2}}]\nclaims: {{raw: 2, source: me}}\n")
    about = {key: value for key, value in puzzle.about.items() if "." not in key}
    assert about == {"title": "T", "author": "A", "source": "S", "description": "D"}
    assert (puzzle.about["claims.raw"], puzzle.about["claims.source"]) == ("2", "me")


# -- mistakes -------------------------------------------------------------------------------------------------------------

MISTAKES = [
    ("size: 6x10\npieces:\n  - set: pentomines\n", 3, "unknown piece or set of pieces 'pentomines'; did you mean pentominoes"),
    ("size: 6x10\npieces:\n  - piece: Q pentomino\n", 3, "unknown pentomino 'Q'; known: F, F'"),
    ("size: 6x10\npieces:\n  - piece: domino\npiecse: 3\n", 4, "unknown key 'piecse'; did you mean pieces"),
    ("size: 6x10\n", 1, "the key 'pieces' is missing"),
    ("size: 6x10\npieces: []\nsize: 3x3\n", 3, "the key 'size' a second time"),
    ("size: [6, 10]\npieces: []\n", 1, "found a list, expected text"),
    ("size: 0x3\npieces: []\n", 1, "found the size '0x3', expected sides of at least 1"),
    ("size: triangle 3\npieces: []\n", 1, "found the board 'triangle 3' on the square lattice"),
    ("size: 2x2x2\npieces:\n  - set: hexiamonds\n", 3, "found hexiamonds, which lie on the triangular lattice"),
    ("size: 2x2\npieces:\n  - piece: domino\n    count: 4..2\n", 4, "found the count '4..2', expected a count such as 3, 1..4"),
    ("size: 6 by 10\npieces: []\n", 1, "found the size '6 by 10', expected sides such as 6x10"),
    ("title: x\npieces: []\n", 1, "found neither 'board' nor 'size'"),
    ("size: 3x3\nboard: XX\npieces: []\n", 1, "found both 'board' and 'size'"),
    ("pieces: []\nboard: |\n  XXX\n  XqX\n", 4, "found 'q' in the board, expected one of #, X, o or ."),
    ("pieces: []\nboard: |\n  XXX\n  XX\n", 4, "found a row of 2 characters, expected 3"),
    ("pieces: []\nboard: |\n  XX\n\n  XX\n  XX\n", 5, "found a layer of 2 rows, expected 1"),
    ("pieces: []\nboard: |\n  ...\n", 3, "found a drawing without cells"),
    ("size: 1x1x1\npieces:\n  - name: a\n    art: |\n\n", 5, "found a drawing without cells"),
    ("pieces: []\nlattice: hexagonal\nboard: |\n  X X\n  X X\n", 5, "expected row and column both even or both odd"),
    ("pieces: []\nboard: X\nlegend:\n  a: red\n", 4, "found 'a' in the legend, expected a character of the board"),
    ("pieces: []\nboard: a\nlegend:\n  ab: red\n", 4, "expected a single character"),
    ("pieces: []\nboard: a\nlegend:\n  a: red blue\n", 4, "expected 'covered' or 'optional', and optionally a color"),
    ("pieces: []\nsize: 2x2\nlegend:\n  a: red\n", 4, "found both 'legend' and 'size'"),
    ("pieces: []\nsize: 2x2\nholes: 2,2\n", 3, "found 2,2, which is not a cell of the board"),
    ("pieces: []\nsize: 2x2\nholes: 0\n", 3, "expected row,column"),
    ("pieces: []\nsize: 1x2\nholes: 0,0 0,1\n", 2, "found no cell, expected a board"),
    ("pieces: []\nsize: 2x2\noptional: 0,5\n", 3, "found 0,5, which is not a cell"),
    ("pieces: []\nsize: 2x2\ntorus: true\ncylinder: true\n", 4, "found 'torus' and 'cylinder', expected one of them"),
    ("pieces: []\nsize: 2x2\ntorus: perhaps\n", 3, "expected true or false"),
    ("pieces: []\nsize: 2x2\nwrap: {colums: 2}\n", 3, "did you mean columns"),
    ("pieces: []\nsize: 2x2\nwrap:\n  columns: 1\n", 4, "found 1 columns, expected at least 2, the extent of the board"),
    ("pieces: []\nlattice: hexagonal\nsize: hexagon 2\ntorus: true\n", 4, "not given by sides"),
    ("pieces: []\nlattice: cube\nsize: 2x2\n", 2, "unknown lattice 'cube'; did you mean cubic"),
    ("lattice: hexagonal\nsize: 2x2\npieces:\n  - piece: domino\n", 1, "found domino, which lie on the square lattice"),
    ("size: 2x2\npieces:\n  - name: x\n", 3, "found none of 'set', 'piece', and 'art'"),
    ("size: 2x2\npieces:\n  - piece: domino\n    set: dominoes\n", 4, "found 'piece' and 'set', expected one of them"),
    ("size: 2x2\npieces:\n  - set: dominoes\n    name: d\n", 4, "found 'name', which does not apply"),
    ("size: 2x2\npieces:\n  - piece: domino\n    without: d\n", 4, "found 'without', which does not apply"),
    ("size: 2x2\npieces:\n  - set: pentominoes\n    without: F Q\n", 4, "unknown piece of pentominoes 'Q'"),
    ("size: 2x2\npieces:\n  - piece: domino\n    count: -1\n", 4, "found the count '-1', expected a count such as 3, 1..4"),
    ("size: 2x2\npieces:\n  - piece: domino\n  - piece: domino\n", 4, "found the piece domino a second time"),
    ("size: 2x2\npieces:\n  - {piece: domino, together: 1}\n", 3, "unknown key 'together'"),
    ("size: 2x2\npieces:\n  - piece: pentominoes\n", 3, "found pentominoes, expected one piece; `set` names a set"),
    ("size: 2x2\npieces:\n  - name: a\n    art: |\n      X.\n      .X\n", 5, "found a in 2 parts, expected a connected piece"),
    ("size: 2x2\npieces:\n  - name: a\n    art: |\n      XX\n      XY\n", 6, "found 'Y' in the drawing of a, expected X, #"),
    ("size: 2x2\npieces:\n  - name: a\n    art: |\n      XX\n      X\n", 6, "found a row of 1 characters"),
    ("size: 2x2\npieces:\n  - {piece: domino, reflect: 3}\n", 3, "found '3', expected true or false"),
    ("size: 2x2\npieces:\n  - piece: domino\n    colors: red\n", 4, "unknown color 'red'; expected none"),
    ("board: a\nlegend: {a: red}\npieces:\n  - piece: domino\n    colors: rde\n", 5, "unknown color 'rde'; did you mean red"),
    ("size: 2x2\npieces:\n  - piece: domino\n    pinned: 0,0 1,1\n", 4, "found domino on 0,0 1,1, expected cells of the board"),
    ("size: 2x2\npieces:\n  - piece: domino\n    pinned: 0,1 0,2\n", 4, "found domino on 0,1 0,2, expected cells of the board"),
    ("size: 2x2\npieces:\n  - piece: domino\n    pinned: 0 1\n", 4, "found an invalid place"),
    (
        "board: rb\nlegend: {r: red, b: blue}\npieces:\n  - piece: domino\n    colors: red\n    pinned: 0,0 0,1\n",
        6,
        "expected cells of the board and of its colors",
    ),
    ("size: 2x2\npieces: []\nclaims:\n  raw: many\n", 4, "expected a whole number"),
    ("size: 2x2\npieces: []\nclaims: {verdict: maybe}\n", 3, "expected one of satisfiable, unsatisfiable"),
    ("size: 2x2\npieces: [\n", 3, "not YAML"),
    ("size: 999x999\npieces: []\n", 1, "the limit 'cells' is 100000"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), MISTAKES)
def test_mistakes_name_the_line(text, line, message):
    with pytest.raises(InputError) as caught:
        read(text)
    assert message in caught.value.message
    assert (caught.value.source, caught.value.line) == ("p", line)


# A drawing of several rows without `|` is reported: YAML joins its rows into one, which would be another puzzle.
DOMINOES = "pieces:\n  - piece: domino\n    count: any\n"


@pytest.mark.parametrize(
    "text, line, key",
    [
        ("board:\n  XX\n  XX\n" + DOMINOES, 2, "board"),
        ("board: XX\n  XX\n" + DOMINOES, 1, "board"),
        ("board: >\n  XX\n  XX\n" + DOMINOES, 2, "board"),
        ('board: "XX\n  XX"\n' + DOMINOES, 1, "board"),
        ("board: 'XX\n\n  XX\n  XX'\n" + DOMINOES, 1, "board"),
        ("title: cubes\nboard:\n  XX\n  XX\n\n  XX\n  XX\n" + DOMINOES, 3, "board"),
        ("size: 2x3\npieces:\n  - name: L\n    art:\n      X.\n      XX\n", 5, "art"),
        ("size: 2x3\npieces:\n  - name: L\n    art: >-\n      X.\n      XX\n", 5, "art"),
        ("size: 2x3\npieces:\n  - name: L\n    pinned:\n      X..\n      XX.\n", 5, "pinned"),
        ("size: 2x3\npieces:\n  - name: L\n    pinned:\n      0,0 1,0 1,1 or\n      X..\n      XX.\n", 5, "pinned"),
    ],
)
def test_folded_rows_are_reported(text, line, key):
    with pytest.raises(InputError, match=f"which YAML folds into fewer; expected '{key}: \\|' and the rows below it") as caught:
        read(text)
    assert (caught.value.source, caught.value.line) == ("p", line)


@pytest.mark.parametrize(
    "text, cells",
    [
        ("board: XXX.X\n" + DOMINOES, 4),
        ("board:\n  XXXX\n" + DOMINOES, 4),
        ("board: >\n  XXXX\n" + DOMINOES, 4),
        ("board: |\n  XX\n  XX\n" + DOMINOES, 4),
        ("board: |-\n  XX\n  XX\n\n" + DOMINOES, 4),
        ('board: "XX\\nXX"\n' + DOMINOES, 4),
        ('board: "XX\\n\\\n  XX"\n' + DOMINOES, 4),
        ("size: 2x3\npieces:\n  - name: I\n    art: XX\n    count: any\n", 6),
        ("size: 2x3\npieces:\n  - name: L\n    pinned: 0,0 1,0\n      1,1 or 0,1\n      1,1 1,2\n", 6),
    ],
)
def test_contradictory_puzzles_are_read(text, cells):
    assert len(read(text).board) == cells


# -- JSON ---------------------------------------------------------------------------------------------------------------

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
def test_round_trip_in_json(puzzle):
    assert puzzle_from_json(json.loads(json.dumps(puzzle_to_json(puzzle)))) == puzzle


def test_equal_puzzles_give_equal_text():
    other = replace(PUZZLE, board=dict(reversed(PUZZLE.board.items())))
    assert json.dumps(puzzle_to_json(other)) == json.dumps(puzzle_to_json(PUZZLE))


def damaged():
    """The JSON of a puzzle with one change."""
    entry = puzzle_to_json(PUZZLE)
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
def test_damaged_json_is_refused(entry):
    with pytest.raises((KeyError, TypeError, ValueError)):
        puzzle_from_json(entry)


# -- the documentation ----------------------------------------------------------------------------------------------------


def test_examples_of_the_documentation():
    page = (REPOSITORY / "docs/reference/formats-tiling.md").read_text(encoding="utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert len(examples) >= 5
    for example in examples:
        puzzle = read(example)
        if (raw := puzzle.about.get("claims.raw")) and len(puzzle.board) < 30:
            assert count(puzzle) == int(raw)
