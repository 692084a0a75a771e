"""Boards by hand: each rule is broken alone, and said; what obeys them all passes."""

import pytest
from families.tiling.smallpuzzles import PUZZLES, truth

from cnfgen_puzzles.families.tiling.lattice import SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import OPTIONAL, Tiling, box, check_board, make_board

DOMINO, CORNER = ((0, 0), (0, 1)), ((0, 0), (1, 0), (1, 1))
PLAIN = Tiling(SQUARE, {**box(2, 3), (1, 2): OPTIONAL}, (Piece("d", DOMINO, 1, 1), Piece("L", CORNER, 1, 1)))
RIGHT = [(0, [(0, 1), (0, 2)]), (1, [(0, 0), (1, 0), (1, 1)])]


@pytest.mark.parametrize("name", PUZZLES)
def test_every_solution_obeys_the_rules(name):
    puzzle = PUZZLES[name]
    for chosen in list(truth(name))[:20]:
        laid = ((puzzle.placements[n].piece, puzzle.placements[n].cells) for n in chosen)
        assert check_board(puzzle, make_board(laid)) == []


@pytest.mark.parametrize(
    ("laid", "fault"),
    [
        (RIGHT, None),
        ([RIGHT[0], (1, [(0, 1), (1, 0), (1, 1)])], "cell (0, 0) is not covered"),
        ([RIGHT[0], (1, [(0, 0), (0, 1), (1, 1)])], "cell (0, 1) is covered 2 times"),
        ([(0, [(0, 2), (0, 3)]), RIGHT[1]], "cell (0, 3) is no cell of the board"),
        (RIGHT[1:], "piece d is used 0 times, allowed are 1 to 1"),
        ([*RIGHT, (0, [(1, 1), (1, 2)])], "piece d is used 2 times, allowed are 1 to 1"),
        ([RIGHT[0], (1, [(0, 0), (1, 0)])], "do not have the shape of piece L"),
        ([(0, [(0, 2), (1, 2)]), (1, [(0, 0), (0, 1), (1, 1)])], "cell (1, 0) is not covered"),
    ],
)
def test_each_rule(laid, fault):
    faults = check_board(PLAIN, make_board(laid))
    assert (not faults) if fault is None else any(fault in said for said in faults), faults


@pytest.mark.parametrize(
    ("piece", "laid", "fault"),
    [
        (Piece("d", DOMINO, 0, None, colours=frozenset("a")), [(0, [(0, 0), (0, 1)])], "which has another colour"),
        (Piece("d", DOMINO, 0, None, colours=frozenset("ab")), [(0, [(0, 0), (0, 1)])], None),
        (Piece("d", DOMINO, 0, None), [(0, [(0, 0), (0, 1)])], None),
        (Piece("d", DOMINO, 0, None, colours=frozenset("a")), [(0, [(0, 0), (1, 0)])], None),
    ],
)
def test_colours(piece, laid, fault):
    board = dict.fromkeys(box(2, 2), OPTIONAL)
    puzzle = Tiling(SQUARE, board, (piece,), colours={(0, 0): "a", (0, 1): "b"})
    faults = check_board(puzzle, make_board(laid))
    assert (not faults) if fault is None else (len(faults) == 1 and fault in faults[0]), faults


def test_bounds_in_words():
    puzzle = Tiling(SQUARE, dict.fromkeys(box(2, 2), OPTIONAL), (Piece("d", DOMINO, 2, None),))
    assert check_board(puzzle, make_board([(0, [(0, 0), (0, 1)])])) == ["piece d is used 1 times, allowed are 2 to any number"]


def test_where_a_piece_is_pinned():
    there = frozenset({(0, 0), (0, 1)})
    puzzle = Tiling(SQUARE, dict.fromkeys(box(2, 2), OPTIONAL), (Piece("d", DOMINO, pinned=(there,)),))
    assert check_board(puzzle, make_board([(0, there)])) == []
    assert check_board(puzzle, make_board([(0, [(1, 0), (1, 1)])])) == ["piece d does not lie where it is pinned"]


def test_what_may_not_be_turned_or_moved_so():
    board = dict.fromkeys(box(3, 3), OPTIONAL)
    fixed = Tiling(SQUARE, board, (Piece("d", DOMINO, 0, None),), rotations=False)
    assert check_board(fixed, make_board([(0, [(0, 0), (1, 0)])])) != []
    ring = Tiling(SQUARE, board, (Piece("d", DOMINO, 0, None),), wrap=(None, 3))
    assert check_board(ring, make_board([(0, [(0, 0), (0, 2)])])) == []
    assert check_board(ring, make_board([(0, [(0, 0), (2, 0)])])) != []
    triangles = {(3 * a + k, 3 * b + k): OPTIONAL for a in range(2) for b in range(2) for k in (1, 2)}
    up = Tiling(TRIANGULAR, triangles, (Piece("t", ((1, 1),), 0, None),), rotations=False)
    assert check_board(up, make_board([(0, [(4, 4)])])) == []
    assert check_board(up, make_board([(0, [(2, 2)])])) != []  # the other way up: no move leads there
