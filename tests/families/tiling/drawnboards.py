"""Boards for the picture tests, drawn as letters: each letter is a piece, `_` a cell that stays empty, `.` no cell."""

from __future__ import annotations

import io
from collections import defaultdict

import pytest

from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR, Lattice, cell_at, read_art
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import COVERED, OPTIONAL, Board, Tiling, make_board


def drawn(lattice: Lattice, art: str, wrap: tuple[int | None, ...] = (), **about: str) -> tuple[Tiling, Board]:
    """The puzzle and the board of a drawing. Lower-case letters are further copies of the piece with the capital letter."""
    cells = {cell_at(lattice, place): sign for place, sign in read_art(lattice, art)[0].items()}
    found = defaultdict(list)
    for cell, sign in cells.items():
        found[sign].append(cell)
    names = sorted({sign.upper() for sign in found if sign != "_"})
    pieces = tuple(Piece(name, lattice.normal(found[name]), 0, None) for name in names)
    board = make_board((names.index(sign.upper()), found[sign]) for sign in found if sign != "_")
    kinds = {cell: OPTIONAL if sign == "_" else COVERED for cell, sign in cells.items()}
    return Tiling(lattice, kinds, pieces, wrap=wrap, about=about), board


SIX_BY_TEN = "YYYYVVVUUU\nIYWWVFFUNU\nIWWXVTFFNN\nIWXXXTFZZN\nIPPXTTTLZN\nIPPPLLLLZZ"
SIX_BY_TEN_TOO = "\n".join(row[::-1] for row in SIX_BY_TEN.split("\n"))
TORUS = "LLZZZVNXLL\nIFZUUNNPPP\nIFFFUNTPPY\nIWFUUNTTTY\nIWWVVVTXYY\nILWWZVXXXY"
HOLES = "UUULLLL.ILVVV\nU.UNNnL.IL..V\nFNNN.nn.ILWWV\nFFF..Gn.ILLWW\n_FPPGGn.I_MMW\n..PPPGG.MMM.."
BOX = "FFVVV\nIIIII\nLLLLT\nLNNNZ\n\nWFFXV\nWWXXX\nYWWXT\nNNZZZ\n\nYFPPV\nYPPPT\nYUUUT\nYUZUT"
SOMA = "LLL\nZPP\nZPV\n\nZTL\nZPV\nBAV\n\nTTT\nBBA\nBAA"
TRIANGLES = (
    ".LLLLCCCCRRBB.....\n..LLYYYOCCRRBB....\n...YYYUOOORRSBB...\n....UUUUOOSSSHHH..\n.....UKKNNNSSHHHP.\n......KKKKNNNPPPPP"
)
HEXAGONS = "A A B B\n.A A B\n..C . B D\n...C C _"

PUZZLES = {
    "rectangle": drawn(SQUARE, SIX_BY_TEN, title="6 x 10 & more"),
    "torus": drawn(SQUARE, TORUS, (6, 10)),
    "holes": drawn(SQUARE, HOLES),
    "box": drawn(CUBIC, BOX),
    "soma": drawn(CUBIC, SOMA),
    "triangles": drawn(TRIANGULAR, TRIANGLES),
    "hexagons": drawn(HEXAGONAL, HEXAGONS),
}


def dominoes(height: int, width: int) -> tuple[Tiling, Board]:
    """Bricks: rows of dominoes, every other one shifted, on a cylinder; copies of a single piece."""
    laid = []
    for r in range(height):
        laid += [(0, [(r, (c + r % 2) % width), (r, (c + 1 + r % 2) % width)]) for c in range(0, width, 2)]
    piece = Piece("domino", ((0, 0), (0, 1)), 0, None)
    cells = {(r, c): COVERED for r in range(height) for c in range(width)}
    return Tiling(SQUARE, cells, (piece,), wrap=(None, width)), make_board(laid)


def open_png(data: bytes):
    image = pytest.importorskip("PIL.Image")
    return image.open(io.BytesIO(data)).convert("RGB")


def rgb(color: str) -> tuple[int, int, int]:
    return tuple(int(color[place : place + 2], 16) for place in (1, 3, 5))
