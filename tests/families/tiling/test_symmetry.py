"""Symmetry groups, orbits, dead regions and exact covers of tilings."""

from dataclasses import replace

import pytest
from families.tiling import symmetric
from families.tiling.smallpuzzles import IMPOSSIBLE, PUZZLES, any_number, truth
from hypothesis import assume, given, settings
from tilingcases import puzzles

from cnfgen_puzzles.families.lattice import SQUARE
from cnfgen_puzzles.families.tiling import FAMILY
from cnfgen_puzzles.families.tiling.deadends import Regions
from cnfgen_puzzles.families.tiling.encodings import kept_placements
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import EMPTY, Tiling, box
from cnfgen_puzzles.families.tiling.symmetry import SymmetryGroup


def order(**options):
    return SymmetryGroup(FAMILY.read(None, **options)).order


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("board", "pieces", "expected"),
    [
        ("8x8", "pentominoes, square tetromino", 8),
        ("6x10", "pentominoes", 4),
        ("4x7", "one-sided tetrominoes", 4),  # a reflection swaps the mirror images, which are both there
        ("3x3x3", "Soma", 48),  # so do those of the cube with the two screws of the Soma set
        ("4x4x4", "Bedlam", 24),  # whose pieces have no mirror images in the set
        ("2x3x10", "solid pentominoes", 8),
        ("3x4x5", "solid pentominoes", 8),
        ("5x6 + 5x6", "pentominoes", 32),  # each turned by itself, and the two exchanged
        ("4x5 + 4x10", "pentominoes", 16),
        ("5x5 + 5x5 + 3x3", "pentominoes", 8 * 8 * 2 * 8),
        ("2x3 + 2x3", "one-sided tetrominoes", 2 * 2 * 2 * 2),  # both parts are reflected, or neither
        ("2x5 + 2x5", "F pentomino, domino: any", 4 * 4 * 2),
        (" + ".join(["2x2"] * 10), "domino: any", 8**10 * 3628800),
    ],
)
def test_orders(board, pieces, expected):
    assert order(board=board, pieces=pieces) == expected


def test_a_torus_can_be_moved_along_itself():
    assert order(board="4x4", pieces="domino: any", torus=True) == 8 * 16
    assert order(board="3x4", pieces="domino: any", torus=True) == 4 * 12


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", PUZZLES)
def test_canonical_forms_and_orbits(name):
    """Compared with all moves of all parts by brute force: the same orbits with the same sizes."""
    puzzle = PUZZLES[name]
    formula = FAMILY.encode(puzzle)
    symmetry = FAMILY.counting.symmetry(puzzle, formula.blocks)
    every = list(truth(name))
    number = {(placement.piece, placement.cells): p for p, placement in enumerate(puzzle.placements)}
    moves = [[number[place] for place in move] for move in symmetric.moves(puzzle, list(number))]
    orbits = {frozenset(frozenset(move[p] for p in solution) for move in moves) for solution in every}
    assert sum(map(len, orbits)) == len(every)
    assert symmetry.order == len(moves)
    forms = set()
    for orbit in orbits:
        ((form, size),) = {symmetry.canonical([formula.projection[p] for p in solution]) for solution in orbit}
        assert size == len(orbit) and form not in forms
        forms.add(form)


def test_dead_placements_of_the_article():
    """An earlier program reported 1526 placements after symmetry, and 1390 without those that leave a region of a wrong size."""
    puzzle = FAMILY.read(None, board="8x8", pieces="pentominoes", holes="3,3 3,4 4,3 4,4")
    kept = kept_placements(puzzle, SymmetryGroup(puzzle))
    assert (len(puzzle.placements), len(kept)) == (1568, 1526)
    assert len(set(kept) - set(Regions(puzzle).dead_placements(kept))) == 1390


def test_a_region_is_dead_only_if_the_remaining_pieces_cannot_fill_it():
    """A monomino and two dominoes in a strip of 1x5: the monomino cannot be in the second or the fourth cell."""
    puzzle = Tiling(SQUARE, box(1, 5), (Piece("m", ((0, 0),)), any_number("d", ((0, 0), (0, 1)))))
    dead = {puzzle.placements[p].cells for p in Regions(puzzle).dead_placements(range(len(puzzle.placements)))}
    assert {frozenset({(0, 1)}), frozenset({(0, 3)})} <= dead
    assert not dead & {frozenset({(0, 0)}), frozenset({(0, 2)}), frozenset({(0, 4)})}


@pytest.mark.parametrize("name", PUZZLES)
def test_the_exact_cover_problem_has_the_same_solutions(name):
    """By the definition of an exact cover: items exactly once or at most once, and bounds in addition."""
    puzzle = PUZZLES[name]
    formula = FAMILY.encode(puzzle)
    cover = FAMILY.counting.exact_cover(puzzle, formula.blocks)
    items = {variable: set(option) for variable, option in zip(cover.variables, cover.options, strict=True)}
    known = {*cover.primary, *cover.secondary}
    assert len(known) == len(cover.primary) + len(cover.secondary)
    assert all(option <= known for option in items.values())
    for solution in truth(name):
        chosen = [formula.projection[p] for p in solution]
        used = [item for variable in chosen for item in items[variable]]
        assert len(used) == len(set(used))
        assert set(cover.primary) <= set(used)
        for variables, least, most in cover.counted:
            count = len(variables & set(chosen))
            assert least <= count and (most is None or count <= most)


@pytest.mark.parametrize("name", sorted(PUZZLES.keys() - IMPOSSIBLE))
def test_cubes_split_the_solutions(name):
    puzzle = PUZZLES[name]
    formula = FAMILY.encode(puzzle)
    cubes = FAMILY.counting.cubes(puzzle, formula.blocks)
    assert truth(name)
    for solution in truth(name):
        chosen = {formula.projection[p] for p in solution}
        assert sum(chosen.issuperset(cube) for cube in cubes) == 1


@pytest.mark.release
@settings(max_examples=25, deadline=None)
@given(puzzles(grouped=True))
def test_empty_cells_do_not_change_the_formula(puzzle):
    """Empty cells are only shown: group, arguments, and results are those of the board without them."""
    assume(any(kind == EMPTY for kind in puzzle.board.values()) and puzzle.coverable and len(puzzle.placements) <= 60)
    without = replace(puzzle, board={cell: puzzle.board[cell] for cell in puzzle.coverable})
    assert {(p.piece, p.cells) for p in puzzle.placements} == {(p.piece, p.cells) for p in without.placements}
    assert SymmetryGroup(puzzle).order == SymmetryGroup(without).order
    assert FAMILY.impossible(puzzle) == FAMILY.impossible(without)
    said, meant = ([*FAMILY.encode(each, "product", regions=True).clauses()] for each in (puzzle, without))
    assert said == meant
