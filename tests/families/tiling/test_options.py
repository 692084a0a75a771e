"""Puzzles without a file: equal to those of files, and errors name the option."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from tilingbrute import count
from tilingcases import source

from cnfgen_puzzles.cli.convert_puzzle import COMMAND
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling.formats import read_puzzle, write_puzzle
from cnfgen_puzzles.families.tiling.options import OPTIONS, puzzle_from_options, read
from cnfgen_puzzles.families.tiling.puzzle import OPTIONAL, box


@pytest.mark.parametrize(
    ("options", "lattice", "cells", "pieces"),
    [
        ({"board": "6x10", "pieces": "pentominoes"}, SQUARE, 60, 12),
        ({"board": "8x8", "pieces": "pentominoes", "holes": "3,3 3,4 4,3 4,4"}, SQUARE, 60, 12),
        ({"board": "8x8", "pieces": "pentominoes, square tetromino"}, SQUARE, 64, 13),
        ({"board": "2x3x10", "pieces": "pentominoes"}, CUBIC, 60, 12),
        ({"board": "2x2x2", "pieces": "domino: any"}, CUBIC, 8, 1),
        ({"board": "3x3x3", "pieces": "Soma"}, CUBIC, 27, 7),
        ({"board": "3x12", "pieces": "hexiamonds"}, TRIANGULAR, 72, 12),
        ({"board": "triangle 7", "pieces": "tetrahexes"}, HEXAGONAL, 28, 7),
        ({"board": "hexagon 3", "pieces": "diamond: any"}, TRIANGULAR, 54, 1),
        ({"board": "5x6 + 5x6", "pieces": "pentominoes"}, SQUARE, 60, 12),
        ({"board": "1x1x8", "pieces": "1x1x2, 2 * 1x1x3"}, CUBIC, 8, 2),
    ],
)
def test_boards_and_pieces(options, lattice, cells, pieces):
    puzzle = puzzle_from_options(**options)
    assert (puzzle.lattice, len(puzzle.board), len(puzzle.pieces)) == (lattice, cells, pieces)
    assert puzzle.reflections == (lattice is not CUBIC)


@pytest.mark.parametrize(
    ("pieces", "bounds"),
    [
        ("domino", (1, 1)),
        ("domino: any", (0, None)),
        ("any*domino", (0, None)),
        ("12*domino", (12, 12)),
        ("domino: 12", (12, 12)),
        ("1..4*domino", (1, 4)),
        ("domino: at least 2", (2, None)),
        ("domino: at most 3", (0, 3)),
        ("XX: 2..", (2, None)),
    ],
)
def test_counts(pieces, bounds):
    (piece,) = puzzle_from_options(board="4x6", pieces=pieces).pieces
    assert (piece.least, piece.most) == bounds


def test_drawings():
    assert count(puzzle_from_options(board="2x3", pieces="X./XX: any")) == 2
    assert count(puzzle_from_options(board="2x2x2", pieces="XX/X.//X./..: any")) == 4, "corners at the ends of a diagonal"
    with pytest.raises(InputError, match=r"--pieces: 'X\./\.X': .*in 2 parts"):
        puzzle_from_options(board="2x3", pieces="X./.X")
    with pytest.raises(InputError, match=r"--pieces: 'XX/X': found a row of 1 characters.*row 2"):
        puzzle_from_options(board="2x3", pieces="XX/X")


def test_counts_by_trying():
    assert count(puzzle_from_options(board="4x4", pieces="domino: any")) == 36
    assert count(puzzle_from_options(board="2x4", pieces="domino: any", cylinder=True)) == 9
    assert count(puzzle_from_options(board="4x4", pieces="domino: any", torus=True)) == 272
    assert count(puzzle_from_options(board="2x2x2", pieces="domino: any")) == 9
    assert count(puzzle_from_options(board="3x3", pieces="domino: any", optional="all")) == 131
    assert count(puzzle_from_options(board="2x3", pieces="L tromino: any", rotations=False)) == 0
    assert count(puzzle_from_options(board="4x5", pieces="tetrominoes")) == 0
    assert count(puzzle_from_options(board="hexagon 2", pieces="diamond: any")) == 20


def test_optional_and_turning():
    puzzle = puzzle_from_options(board="2x3", pieces="domino: any", optional="0,0 1,2", reflections=False, rotations=False)
    assert puzzle.board == box(2, 3) | {(0, 0): OPTIONAL, (1, 2): OPTIONAL}
    assert not puzzle.reflections
    assert not puzzle.rotations
    assert puzzle_from_options(board="3x3", pieces="domino: any", torus=True).wrap == (3, 3)
    assert puzzle_from_options(board="3x4", pieces="hexiamonds", cylinder=True).wrap == (None, 12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "--board is missing: expected a file, or --board and --pieces"),
        ({"board": "3x3"}, "--pieces is missing"),
        ({"board": "3", "pieces": "domino"}, "--board: found the size '3', expected sides such as 6x10"),
        ({"board": "999999x999999", "pieces": "domino"}, "--board: .*the limit 'cells' is 100000"),
        ({"board": "triangle 3", "pieces": "domino"}, "--board: .*square lattice"),
        ({"board": "3x3", "pieces": "domin"}, "--pieces: .*did you mean domino"),
        ({"board": "3x3", "pieces": "domino,,domino"}, "--pieces: found '', expected a piece"),
        ({"board": "3x3", "pieces": "2*domino: 3"}, "--pieces: found '2\\*domino: 3', expected a piece with at most one count"),
        ({"board": "3x3", "pieces": "##/#x"}, "--pieces: found the drawing '##/#x', expected # or X for a cell"),
        ({"board": "3x3", "pieces": "domino: few"}, "--pieces: 'domino: few': found the count 'few'"),
        ({"board": "3x3", "pieces": "domino, domino"}, "--pieces: 'domino': found the piece domino a second time"),
        ({"board": "3x3", "pieces": "domino, hexiamonds"}, "--pieces: found hexiamonds, which lie on the triangular"),
        ({"board": "3x3", "pieces": "Soma"}, "--board: found 2 sides"),
        ({"board": "3x3", "pieces": "domino", "holes": "a,b"}, "--holes: found 'a,b', expected places"),
        ({"board": "1x1", "pieces": "domino", "holes": "0,0"}, "--board: found no cell"),
        ({"board": "3x3", "pieces": "domino", "optional": "3,3"}, "--optional: found 3,3"),
        ({"board": "3x3", "pieces": "domino", "torus": True, "cylinder": True}, "--cylinder: found 'torus' and 'cylinder'"),
        ({"board": "hexagon 2", "pieces": "diamond", "torus": True}, "--torus: .*not given by sides"),
        ({"board": "3x3", "pieces": "domino", "lattice": "sqare"}, "--lattice: .*did you mean square"),
        ({"board": "3x3", "pieces": "domino", "number": 2}, "--number is for a puzzle in a file"),
    ],
)
def test_mistakes(options, message):
    with pytest.raises(InputError, match=message):
        puzzle_from_options(**options)


def test_drawings_have_names_and_counts():
    pieces = puzzle_from_options(board="6x6", pieces="##/#.: 2, A: ###: any, 3*B: ##").pieces
    assert [(piece.name, piece.size, piece.least, piece.most) for piece in pieces] == [
        ("XX/X.", 3, 2, 2), ("A", 3, 0, None), ("B", 2, 3, 3)
    ]  # fmt: skip


def test_a_file_and_options_are_a_mistake():
    file = source("size: 2x3\npieces: [{piece: L tromino, count: 2}]\n")
    assert len(read(file).pieces) == 1
    assert read(file, format="yaml", number=1) == read(file)
    with pytest.raises(InputError, match="p: --board describes a puzzle without a file"):
        read(file, board="2x3")
    with pytest.raises(InputError, match="p: --torus describes a puzzle without a file"):
        read(file, torus=False)
    assert read(None, board="2x3", pieces="L tromino: 2").board == read(file).board


@pytest.mark.parametrize(
    "options",
    [
        {"board": "6x10", "pieces": "pentominoes"},
        {"board": "8x8", "pieces": "32*domino", "torus": True},
        {"board": "triangle 7", "pieces": "tetrahexes"},
        {"board": "4x4", "pieces": "X./XX: any, domino: at most 3", "reflections": False},
    ],
)
def test_written_to_a_file_it_stays_the_same(options):
    puzzle = puzzle_from_options(**options)
    assert read_puzzle(source(write_puzzle(puzzle, "yaml"))) == puzzle


def test_command_line():
    call = ["tiling", "--board", "8x8", "--pieces", "32*domino", "--torus", "--no-reflections", "--holes", "0,0", "--to", "yaml"]
    result = CliRunner().invoke(COMMAND, call)
    assert result.exit_code == 0
    text = result.stdout
    puzzle = read_puzzle(source(text[text.index("board:") :]))
    assert (puzzle.wrap, puzzle.reflections, len(puzzle.board)) == ((8, 8), False, 63)


def test_every_option_has_a_help():
    assert len({option.name for option in OPTIONS}) == len(OPTIONS)
    assert all(option.help for option in OPTIONS)
