"""Bounds on groups of pieces: all kinds, by every encoding and engine, against plain search; and their notation."""

import pytest
import tilingbrute
from tilingcases import source

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.tiling import FAMILY
from cnfgen_puzzles.families.tiling.formats import read_puzzle, write_puzzle
from cnfgen_puzzles.families.tiling.puzzle import open_groups


def options(**more):
    return FAMILY.read(None, **more)


@pytest.mark.sample(1)
@pytest.mark.long
@pytest.mark.parametrize("engine", ["exact-cover", "clasp", "blocking"])
def test_every_engine_counts_groups(engine):
    puzzle = options(
        board="3x4", pieces="tetrominoes: at most 2, domino: any, monomino: any", groups="1..2 of I, L, T; 1..2 of domino"
    )
    assert len(open_groups(puzzle)) == 2
    assert cp.count(puzzle, engine=engine).raw == tilingbrute.count(puzzle)


def test_bounds_that_the_volumes_imply_add_no_clauses():
    puzzle = options(board="5x9", pieces="pentominoes without X", groups="9 of all")
    assert [piece.name for piece in puzzle.pieces] == list("FILNPTUVWYZ")
    assert {(piece.least, piece.most) for piece in puzzle.pieces} == {(0, 1)}
    assert not open_groups(puzzle)
    assert FAMILY.impossible(options(board="5x9", pieces="pentominoes", groups="8 of all")) == (
        "no choice of the pieces that the groups allow has 45 cells"
    )
    assert (
        FAMILY.impossible(options(board="2x4", pieces="L tetromino, I tetromino", groups="3 of all"))
        == "no choice of the pieces that the groups allow has 8 cells"
    )


@pytest.mark.parametrize(
    ("pieces", "names"),
    [
        ("pentominoes without X I", "FLNPTUVWYZ"),
        ("pentominoes without X and", None),
        ("pentominoes without X I, domino", "FLNPTUVWYZ+domino"),
        ("tetrominoes without O I: any, monomino", "LST+monomino"),
        ("pentominoes without Q", None),
        ("pentominoes without", None),
        ("domino without X", None),
    ],
)
def test_without(pieces, names):
    if names is None:
        with pytest.raises(InputError, match="--pieces: "):
            options(board="6x10", pieces=pieces)
        return
    letters, _, more = names.partition("+")
    assert [piece.name for piece in options(board="6x10", pieces=pieces).pieces] == [*letters, *([more] if more else [])]


def test_options_are_a_mapping_of_the_format():
    """The same puzzle by options and in a file."""
    text = "size: 5x9\npieces:\n  - {set: pentominoes, without: X I}\n  - {name: a, art: 'XX', count: any}\n"
    groups = "groups: [{pieces: pentominoes, count: 8}, {pieces: 'a, F', count: at most 2}]\n"
    pieces = "pentominoes without X I, a: ##: any"
    same = options(board="5x9", pieces=pieces, groups="8 of pentominoes; at most 2 of a, F")
    assert same == read_puzzle(source(text + groups))


@pytest.mark.parametrize(
    ("board", "message"),
    [("##/#", r"\(row 2\)"), ("##/#q", r"'q'.*\(row 2\)"), ("#q/##", "'q'"), (".../...", "without cells"), ("6x10/", "'6'")],
)
def test_mistakes_in_drawn_boards(board, message):
    with pytest.raises(InputError, match=f"--board: .*{message}"):
        options(board=board, pieces="domino: any")


FILE = "size: 2x3\nlabels: |\n  a b c\n  . d .\nempty: a\npieces:\n  - piece: domino\n    count: any\n  - piece: monomino\n"


def test_labels_and_empty_cells():
    puzzle = read_puzzle(source(FILE))
    assert puzzle.labels == {(0, 0): "a", (0, 1): "b", (0, 2): "c", (1, 1): "d"}
    assert puzzle.board[0, 0] == "empty"
    assert read_puzzle(source(write_puzzle(puzzle, "yaml"))) == puzzle
    (board, *_) = [solution.board for solution in cp.solutions(puzzle, engine="blocking")]
    assert FAMILY.board_to_json(puzzle, board)[-1] == {"piece": None, "cells": [[0, 0]], "labels": ["a"]}
    assert FAMILY.board_from_json(puzzle, FAMILY.board_to_json(puzzle, board)) == board
    text = FAMILY.view("text").draw(puzzle, board, None)
    assert text.startswith("a ") and "stays empty" not in text
    assert "stays empty" in FAMILY.view("text", labels="none").draw(puzzle, board, None)
    assert ">a</text>" in FAMILY.view("svg").draw(puzzle, board, None)
    other = FAMILY.read(source(FILE), empty="1,1")
    assert (other.board[0, 0], other.board[1, 1]) == ("covered", "empty")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("  . d .", "  . d . e", 4, "'e' on 1,3, which is not a cell"),
        ("empty: a", "empty: q", 5, "unknown label 'q'"),
        ("empty: a", "empty: 7,7", 5, "not a cell of the board"),
        ("labels: |\n  a b c\n  . d .", "labels: {'0,0': a, '0 ,1': b}", 2, "expected row,column"),
        ("  - piece: monomino\n", "  - piece: monomino\ngroups:\n  - pieces: all\n    count: x\n", 12, "found the count 'x'"),
        ("  - piece: monomino\n", "  - piece: monomino\ngroups:\n  - pieces: [monomino, F]\n    count: 1\n", 11, "'F'"),
        ("  - piece: monomino\n", "  - piece: monomino\ngroups:\n  - pieces: monomino, all\n    count: 1\n", 11, "twice"),
    ],
)
def test_mistakes_name_their_line(old, new, line, message):
    assert old in FILE
    with pytest.raises(InputError, match=rf"p:{line}: .*{message}"):
        read_puzzle(source(FILE.replace(old, new)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("view", ["svg", "isometric"])
def test_letters_on_request(view):
    puzzle = options(board="3x3x3", pieces="Soma")
    (board, *_) = [solution.board for solution in cp.solutions(puzzle, engine="blocking", most=1)]
    plain, lettered = (FAMILY.view(view, letters=letters).draw(puzzle, board, None) for letters in (False, True))
    assert all(f">{letter}</text>" in lettered and f">{letter}</text>" not in plain for letter in "VLTZABP")
