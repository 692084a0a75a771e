"""Sizes of formulas; tests/exhaustive compares models with all solutions."""

from functools import cache

import pytest

from cnfgen_puzzles.families.tiling import FAMILY, encodings
from cnfgen_puzzles.families.tiling.deadends import Regions
from cnfgen_puzzles.families.tiling.symmetry import SymmetryGroup

# -- the articles ---------------------------------------------------------------------------------------------------------

PLACEMENTS = dict(zip("FILNPTUVWXYZO", (288, 64, 280, 280, 336, 144, 168, 144, 144, 36, 280, 144, 49), strict=True))


@cache
def square_and_pentominoes():
    return FAMILY.read(None, board="8x8", pieces="pentominoes, square tetromino")


def test_placements_of_the_first_article():
    puzzle = square_and_pentominoes()
    counted = [sum(p.piece == n for p in puzzle.placements) for n in range(13)]
    assert counted == list(PLACEMENTS.values())
    assert [piece.name for piece in puzzle.pieces][:12] == list(PLACEMENTS)[:12]


@pytest.mark.parametrize(("encoding", "clauses"), [("pairwise", 977_559), ("sequential", 42_048), ("product", 34_027)])
def test_sizes(encoding, clauses):
    """The first two are known from an earlier program, which needed 34,033 for the third."""
    formula = FAMILY.encode(square_and_pentominoes(), encoding)
    assert formula.num_clauses == clauses
    assert len(formula.projection) == 2357


def test_representatives_of_the_rectangle():
    puzzle = FAMILY.read(None, board="6x10", pieces="pentominoes")
    assert len(puzzle.placements) == 2056
    assert len(encodings.kept_placements(puzzle, SymmetryGroup(puzzle))) == 2056 - 3 * 8


def test_every_pair_that_cuts_off_a_dead_region_is_excluded():
    """The clauses are implied; they spare a solver the work of deriving them."""
    puzzle = FAMILY.read(None, board="3x20", pieces="pentominoes")
    finder = Regions(puzzle)
    dead = set(finder.dead_placements(range(len(puzzle.placements))))
    kept = [p for p in range(len(puzzle.placements)) if p not in dead]
    pairs = list(finder.dead_pairs(kept))
    plain, more = FAMILY.encode(puzzle, "product"), FAMILY.encode(puzzle, "product", regions=True)
    place = more.blocks["place"]
    clauses = set(map(frozenset, more.clauses()))
    assert len(pairs) > 1000
    assert all(frozenset((-place[puzzle.placements[p].key], -place[puzzle.placements[q].key])) in clauses for p, q in pairs)
    assert len(place.variables) == len(kept) < len(plain.blocks["place"].variables)
