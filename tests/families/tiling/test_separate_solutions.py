"""Symmetric solutions counted separately: all boards that brute force finds are listed, on every lattice."""

from __future__ import annotations

import pytest
import tilingbrute
from families.tiling.smallpuzzles import (
    DOMINO,
    HEXAGONS,
    I_TROMINO,
    L_TROMINO,
    MONOMINO,
    PUZZLES,
    TRIANGLES,
    any_number,
    tetrominoes,
)

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling import FAMILY
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup, free
from cnfgen_puzzles.families.tiling.puzzle import Tiling, box
from cnfgen_puzzles.pipeline.instance import make_instance

SYMMETRIC = {name: PUZZLES[name] for name in ("two parts, other pieces", "three parts, one another", "mirror images")} | {
    "two parts and a ring": PUZZLES["rings apart"],
    "squares": Tiling(SQUARE, box(3, 4), (Piece("L", L_TROMINO), Piece("I", I_TROMINO), *tetrominoes(1), Piece("d", DOMINO))),
    "orbits of one, two, four, and eight boards": Tiling(SQUARE, box(3, 3), (MONOMINO, any_number("d", DOMINO))),
    "a torus": Tiling(
        SQUARE,
        box(3, 4),
        (Piece("L", L_TROMINO), MONOMINO, any_number("d", DOMINO), Piece("I", I_TROMINO, 0, 1)),
        wrap=(3, 4),
    ),
    "hexagons": Tiling(
        HEXAGONAL,
        HEXAGONS,
        (MONOMINO, Piece("d", free(HEXAGONAL, 2)[0]), *(any_number(f"h{n}", each) for n, each in enumerate(free(HEXAGONAL, 3)))),
    ),
    "triangles": Tiling(
        TRIANGULAR,
        TRIANGLES,
        (Piece("t3", free(TRIANGULAR, 3)[0]), Piece("t1", free(TRIANGULAR, 1)[0]), any_number("t2", free(TRIANGULAR, 2)[0])),
    ),
    "space": Tiling(
        CUBIC,
        box(2, 2, 3),
        (
            any_number("d", ((0, 0, 0), (0, 0, 1))),
            Piece("L", ((0, 0, 0), (0, 1, 0), (0, 1, 1))),
            Piece("m", ((0, 0, 0),)),
        ),
    ),
}


def boards(solutions):
    """The boards in the form of `tilingbrute`; each is listed once."""
    found = [frozenset((laid.piece, frozenset(laid.cells)) for laid in solution.board) for solution in solutions]
    assert len(set(found)) == len(found)
    return set(found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SYMMETRIC)
@pytest.mark.parametrize("engine", ["exact-cover", "clasp"])
def test_every_lattice(name, engine):
    puzzle = SYMMETRIC[name]
    solutions = cp.solutions(puzzle, raw=True, engine=engine)
    truth = set(tilingbrute.solutions(puzzle))
    assert truth and boards(solutions) == truth
    found, orbits = solutions.count(), cp.count(puzzle, engine=engine)
    assert (found.solutions, found.raw, found.complete) == (orbits.raw, orbits.raw, True) == (len(truth), len(truth), True)
    rotated = cp.solutions(puzzle, up_to="rotations", engine=engine)
    assert boards(rotated) <= truth and rotated.count().raw == len(truth)
    assert cp.count(cp.encode(puzzle, symmetry="all"), up_to="rotations").solutions == rotated.count().solutions


ONE_OF_TWO = (Piece("L", L_TROMINO, 0, 1), Piece("I", I_TROMINO, 0, 1), any_number("m", MONOMINO.shape))
BOUNDS = [PUZZLES[name] for name in ("a torus both ways", "pinned", "two parts", "mirror images in groups")]
BOUNDS.append(Tiling(SQUARE, box(2, 3), ONE_OF_TWO, groups=(PieceGroup((0, 1), 1, 2),)))


@pytest.mark.parametrize("encoding", ["product", "pairwise", "sequential"])
@pytest.mark.parametrize("puzzle", BOUNDS)
def test_numbers_of_copies(puzzle, encoding):
    """Exact numbers, at least and at most so many, of pieces and of groups."""
    listed = cp.solutions(make_instance(FAMILY, puzzle, encoding), raw=True, engine="clasp")
    assert boards(listed) == set(tilingbrute.solutions(puzzle))


def test_a_limit_and_a_formula_that_leaves_out_solutions():
    puzzle = FAMILY.read(None, board="3x20", pieces="pentominoes")
    assert cp.count(puzzle, raw=True).solutions == 8
    first = cp.count(puzzle, raw=True, most=3)
    assert (first.solutions, first.reason) == (3, "limit of 3 solutions")
    with pytest.raises(InputError, match="leaves out solutions"):
        cp.count(puzzle, raw=True, options={"symmetry": "representatives"})
