"""Pieces of a bank as pzpr writes them: width and height to base 36, then cells row by row as bits, five in a digit to base 32.

Zeros at the end are left out: `23fg` is 01111 1(0000), in rows 01, 11, 11.
"""

from __future__ import annotations

from collections.abc import Iterable

Cell = tuple[int, int]
Shape = tuple[Cell, ...]

TETROMINOES = ("14u", "23bg", "22u", "23f", "23eg")
PENTOMINOES = ("337k", "15v", "24as", "24bo", "23fg", "337i", "23rg", "334u", "335s", "33bk", "24bk", "337o")
STATUES = {"p": PENTOMINOES, "t": TETROMINOES, "d": tuple(piece for piece in TETROMINOES for _ in "12"), "z": ()}
SHIPS = ("11g", "21o", "31s", "41u", "51v")
FLEETS = {
    letter: tuple(ship for n, ship in enumerate(SHIPS[:length]) for _ in range(length - n))
    for length, letter in ((3, "c"), (4, "d"), (5, "e"))
} | {"p": PENTOMINOES, "z": ()}
"""The presets of banks by their letters."""


def checked_piece(text: str) -> str:
    """The text of a piece; ValueError if it is none."""
    piece_cells(text)
    return text


def piece_cells(text: str) -> list[Cell]:
    """The cells of a piece."""
    try:
        width, height = int(text[0], 36), int(text[1], 36)
        bits = "".join(f"{int(digit, 32):05b}" for digit in text[2:])
        cells = [divmod(k, width) for k, bit in enumerate(bits) if bit == "1"]
    except (ValueError, IndexError, ZeroDivisionError):
        cells = []
    if not cells or max(cells)[0] >= height:
        raise ValueError(f"found the piece {text!r:.40}, expected its width, height, and cells, as in 23fg")
    return cells


def orientations(cells: Iterable[Cell]) -> tuple[Shape, ...]:
    """The different turned and reflected images of a piece in a fixed order, each from (0, 0) on."""
    from cnfgen_puzzles.families.lattice import SQUARE  # loads all of the tilings

    return tuple(sorted(SQUARE.orientations(cells, SQUARE.symmetries)))  # type: ignore[arg-type]  # of plane cells
