"""Small tilings with all features of puzzles, and all their solutions by plain search."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import tilingbrute

from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup, free
from cnfgen_puzzles.families.tiling.puzzle import COVERED, OPTIONAL, Tiling, box

MONOMINO = Piece("m", ((0, 0),))
DOMINO = ((0, 0), (0, 1))
L_TROMINO = ((0, 0), (1, 0), (1, 1))
I_TROMINO = ((0, 0), (0, 1), (0, 2))
S_TETROMINO = ((0, 1), (0, 2), (1, 0), (1, 1))
Z_TETROMINO = ((0, 0), (0, 1), (1, 1), (1, 2))
L_TETROMINO = ((0, 0), (0, 1), (0, 2), (1, 0))
J_TETROMINO = ((0, 0), (0, 1), (0, 2), (1, 2))


def any_number(name, shape, **settings):
    return Piece(name, shape, 0, None, **settings)


def solutions(puzzle: Tiling) -> set[frozenset[int]]:
    """Every solution as a set of numbers of placements, found by independent code."""
    number = {(placement.piece, placement.cells): p for p, placement in enumerate(puzzle.placements)}
    return {frozenset(number[laid] for laid in solution) for solution in tilingbrute.solutions(puzzle)}


def tetrominoes(*letters_wanted: int) -> tuple[Piece, ...]:
    shapes = free(SQUARE, 4)
    return tuple(Piece(f"t{n}", shapes[n]) for n in letters_wanted)


RING = {cell: kind for cell, kind in box(4, 4).items() if cell not in ((1, 1), (1, 2), (2, 1), (2, 2))}
TWO_PARTS = {**box(2, 3), **{(r, c + 5): COVERED for r, c in box(2, 3)}}
SOME_OPTIONAL = {**box(3, 4), (0, 0): OPTIONAL, (2, 3): OPTIONAL, (1, 1): OPTIONAL}
TRIANGLES = {(3 * a + k, 3 * b + k): COVERED for a in range(2) for b in range(3) for k in (1, 2)}
HEXAGONS = {(r, d): COVERED for r in range(3) for d in range(3)}

SPARE = tuple(
    replace(piece, least=0)
    for piece in (Piece("L", L_TROMINO), Piece("I", I_TROMINO), *tetrominoes(1, 3), Piece("d", DOMINO, 0, 2), MONOMINO)
)

PUZZLES = {
    "dominoes": Tiling(SQUARE, box(4, 4), (any_number("d", DOMINO),)),
    "one domino too many": Tiling(SQUARE, box(3, 4), (Piece("d", DOMINO, 7, 7),)),
    "odd": Tiling(SQUARE, box(3, 3), (any_number("d", DOMINO),)),
    "L-trominoes": Tiling(SQUARE, box(4, 6), (any_number("L", L_TROMINO),)),
    "a ring": Tiling(SQUARE, RING, (any_number("d", DOMINO), Piece("I", I_TROMINO, 0, 2))),
    "two parts": Tiling(SQUARE, TWO_PARTS, (any_number("L", L_TROMINO), Piece("I", I_TROMINO, 1, 3))),
    "two parts, other pieces": Tiling(
        SQUARE,
        TWO_PARTS,
        (Piece("L", L_TROMINO, 1, 1), Piece("I", I_TROMINO), any_number("d", DOMINO), Piece("m", ((0, 0),), 0, 2)),
    ),
    "two parts, mirror images": Tiling(
        SQUARE,
        {**box(2, 4), **{(r, c + 6): COVERED for r, c in box(2, 4)}},
        (Piece("S", S_TETROMINO, 0, 2), Piece("Z", Z_TETROMINO, 0, 2), any_number("d", DOMINO)),
        reflections=False,
    ),
    "parts that are mirror images": Tiling(
        SQUARE,
        dict.fromkeys([*L_TETROMINO, *((r, c + 5) for r, c in J_TETROMINO)], COVERED),
        (Piece("L", L_TETROMINO, 0, 2), Piece("J", J_TETROMINO, 0, 2), any_number("d", DOMINO)),
        reflections=False,
    ),
    "three parts, one another": Tiling(
        SQUARE,
        {**box(2, 2), **{(r, c + 3): COVERED for r, c in box(2, 2)}, **{(r, c + 6): COVERED for r, c in box(1, 4)}},
        (any_number("d", DOMINO), Piece("L", L_TROMINO), MONOMINO),
    ),
    "a piece in two parts": Tiling(
        SQUARE,
        {**box(1, 3), **{(2, c): COVERED for c in range(3)}},
        (any_number("d", DOMINO), Piece("apart", ((0, 0), (2, 0)), 0, 2)),
    ),
    "rings apart": Tiling(
        SQUARE,
        {**box(1, 4), **{(2, c): COVERED for c in range(4)}},
        (any_number("d", DOMINO), Piece("I", I_TROMINO), MONOMINO),
        wrap=(None, 4),
    ),
    "hexagons apart": Tiling(
        HEXAGONAL,
        dict.fromkeys(((0, 0), (0, 1), (1, 0), (4, 0), (4, 1), (3, 1)), COVERED),
        (any_number("d", ((0, 0), (0, 1))), Piece("m", ((0, 0),), 1, 2), any_number("V", free(HEXAGONAL, 3)[0])),
    ),
    "colors in parts": Tiling(
        SQUARE,
        TWO_PARTS,
        (any_number("d", DOMINO), Piece("r", ((0, 0),), 0, 2, colors=frozenset("r"))),
        colors={(0, 0): "r", (1, 7): "r"},
    ),
    "cells that may stay empty": Tiling(SQUARE, SOME_OPTIONAL, (any_number("d", DOMINO), Piece("L", L_TROMINO))),
    "each piece once": Tiling(
        SQUARE, box(3, 4), (Piece("L", L_TROMINO), Piece("I", I_TROMINO), *tetrominoes(1), Piece("d", DOMINO))
    ),
    "mirror images": Tiling(
        SQUARE,
        box(4, 4),
        (Piece("S", S_TETROMINO), Piece("Z", Z_TETROMINO), any_number("d", DOMINO)),
        reflections=False,
    ),
    "three of five": Tiling(SQUARE, box(3, 4), SPARE, groups=(PieceGroup((0, 1, 2, 3, 4), 3, 3),)),
    "two groups that share a piece": Tiling(
        SQUARE, box(3, 4), SPARE, groups=(PieceGroup((0, 1), 1, 1), PieceGroup((1, 2, 3), 1, 2), PieceGroup((0, 4), 0, 1))
    ),
    "copies in a group": Tiling(
        SQUARE, SOME_OPTIONAL, (any_number("d", DOMINO), any_number("L", L_TROMINO)), groups=(PieceGroup((0, 1), 4, 4),)
    ),
    "mirror images in groups": Tiling(
        SQUARE,
        box(4, 4),
        (Piece("S", S_TETROMINO, 0, 2), Piece("Z", Z_TETROMINO, 0, 2), any_number("d", DOMINO), any_number("I", I_TROMINO)),
        reflections=False,
        groups=(PieceGroup((0, 2), 4, 5), PieceGroup((1, 2), 4, 6)),
    ),
    "a torus": Tiling(SQUARE, box(2, 4), (any_number("d", DOMINO),), wrap=(None, 4)),
    "a torus both ways": Tiling(SQUARE, box(3, 4), (Piece("L", L_TROMINO, 2, 4), any_number("I", I_TROMINO)), wrap=(3, 4)),
    "colors": Tiling(
        SQUARE,
        box(2, 4),
        (any_number("d", DOMINO), Piece("r", DOMINO, 0, 2, colors=frozenset("r"))),
        colors={(0, 0): "r", (1, 3): "b"},
    ),
    "pinned": Tiling(
        SQUARE,
        box(3, 4),
        (any_number("d", DOMINO), Piece("L", L_TROMINO, 2, 2), Piece("p", DOMINO, pinned=(frozenset({(0, 0), (0, 1)}),))),
    ),
    "in space": Tiling(
        CUBIC, box(2, 2, 3), (any_number("d", ((0, 0, 0), (0, 0, 1))), Piece("L", ((0, 0, 0), (0, 1, 0), (0, 1, 1)), 0, 2))
    ),
    "hexagons": Tiling(HEXAGONAL, HEXAGONS, tuple(any_number(f"h{n}", shape) for n, shape in enumerate(free(HEXAGONAL, 3)))),
    "triangles": Tiling(TRIANGULAR, TRIANGLES, tuple(any_number(f"t{n}", shape) for n, shape in enumerate(free(TRIANGULAR, 2)))),
}
PUZZLES["colors without symmetry"] = replace(PUZZLES["colors"], colors={(0, 0): "r", (0, 1): "r", (1, 3): "b"})

IMPOSSIBLE = ("one domino too many", "odd")


@cache
def truth(name: str) -> set[frozenset[int]]:
    """All solutions of one of PUZZLES, cached in each process."""
    return solutions(PUZZLES[name])
