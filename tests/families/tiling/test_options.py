"""Puzzles without a file: equal to those of files, and errors name the option."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from tilingbrute import count
from tilingcases import source

from cnfgen_puzzles.cli.convert_puzzle import COMMAND
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling.formats import read_puzzle
from cnfgen_puzzles.families.tiling.options import puzzle_from_options, read


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "--board is missing: expected a file, or --board and --pieces"),
        ({"board": "3x3"}, "--pieces is missing"),
        ({"board": "3", "pieces": "domino"}, "--board: found the size '3', expected sides such as 6x10"),
        ({"board": "3x3", "pieces": "domin"}, "--pieces: .*did you mean domino"),
        ({"board": "3x3", "pieces": "domino,,domino"}, "--pieces: found '', expected a piece"),
        ({"board": "3x3", "pieces": "2*domino: 3"}, "--pieces: found '2\\*domino: 3', expected a piece with at most one count"),
        ({"board": "3x3", "pieces": "##/#x"}, "--pieces: found the drawing '##/#x', expected # or X for a cell"),
        ({"board": "3x3", "pieces": "domino: few"}, "--pieces: 'domino: few': found the count 'few'"),
        ({"board": "3x3", "pieces": "domino", "holes": "a,b"}, "--holes: found 'a,b', expected places"),
        ({"board": "3x3", "pieces": "domino", "torus": True, "cylinder": True}, "--cylinder: found 'torus' and 'cylinder'"),
        ({"board": "hexagon 2", "pieces": "diamond", "torus": True}, "--torus: .*not given by sides"),
        ({"board": "3x3", "pieces": "domino", "lattice": "sqare"}, "--lattice: .*did you mean square"),
        ({"board": "3x3", "pieces": "domino", "number": 2}, "--number is for a puzzle in a file"),
    ],
)
def test_mistakes(options, message):
    with pytest.raises(InputError, match=message):
        puzzle_from_options(**options)


def test_a_file_and_options_are_a_mistake():
    file = source("size: 2x3\npieces: [{piece: L tromino, count: 2}]\n")
    assert len(read(file).pieces) == 1
    assert read(file, format="yaml", number=1) == read(file)
    with pytest.raises(InputError, match="p: --board describes a puzzle without a file"):
        read(file, board="2x3")
    with pytest.raises(InputError, match="p: --torus describes a puzzle without a file"):
        read(file, torus=False)
    assert read(None, board="2x3", pieces="L tromino: 2").board == read(file).board


def test_command_line():
    call = ["tiling", "--board", "8x8", "--pieces", "32*domino", "--torus", "--no-reflections", "--holes", "0,0", "--to", "yaml"]
    result = CliRunner().invoke(COMMAND, call)
    assert result.exit_code == 0
    text = result.stdout
    puzzle = read_puzzle(source(text[text.index("board:") :]))
    assert (puzzle.wrap, puzzle.reflections, len(puzzle.board)) == ((8, 8), False, 63)
