"""Every encoding of tilings against plain search on small puzzles, and against the published sizes."""

from functools import cache

import pytest
from families.tiling.smallpuzzles import IMPOSSIBLE, PUZZLES, truth
from pysat.solvers import Solver

from cnfgen_puzzles.families.tiling import FAMILY, encodings
from cnfgen_puzzles.families.tiling.deadends import Regions
from cnfgen_puzzles.families.tiling.encodings import variables_of
from cnfgen_puzzles.families.tiling.symmetry import SymmetryGroup


def projected(puzzle, encoding, **options):
    """All solutions of the formula over its projection set, as sets of numbers of placements."""
    formula = FAMILY.encode(puzzle, encoding, **options)
    placement = {variable: p for p, variable in variables_of(puzzle, formula.blocks["place"]).items()}
    found = set()
    with Solver("cadical153", bootstrap_with=[list(clause) for clause in formula.clauses()]) as solver:
        while solver.solve():
            model = {literal for literal in solver.get_model() if literal > 0}
            true = [variable for variable in formula.projection if variable in model]
            solution = frozenset(placement[variable] for variable in true)
            assert solution not in found
            found.add(solution)
            solver.add_clause([-v if v in model else v for v in formula.projection])
            if not formula.projection:
                break
    return found


def test_the_truth_is_what_is_known():
    assert len(truth("dominoes")) == len(truth("exactly eight dominoes")) == 36
    assert len(truth("odd")) == len(truth("one domino too many")) == 0
    assert len(truth("L-trominoes")) == 18
    assert [name for name in PUZZLES if not truth(name)] == [*IMPOSSIBLE]


@pytest.mark.parametrize("encoding", FAMILY.encodings)
@pytest.mark.parametrize("name", PUZZLES)
def test_every_encoding_has_the_solutions_of_the_puzzle(name, encoding):
    assert projected(PUZZLES[name], encoding) == truth(name)


@pytest.mark.parametrize("encoding", ["product", "pairwise"])
@pytest.mark.parametrize("name", PUZZLES)
def test_regions_lose_nothing(name, encoding):
    assert projected(PUZZLES[name], encoding, regions=True) == truth(name)


@pytest.mark.parametrize("options", [{"regions": True}, {"starving": True}, {}, {"regions": True, "starving": True}], ids=str)
@pytest.mark.parametrize("name", PUZZLES)
def test_representatives_reach_every_orbit(name, options):
    puzzle = PUZZLES[name]
    group = SymmetryGroup(puzzle)
    found = projected(puzzle, "product", symmetry="representatives", **options)
    assert found <= truth(name)
    assert {group.canonical(solution) for solution in found} == {group.canonical(solution) for solution in truth(name)}


@pytest.mark.parametrize("name", PUZZLES)
def test_without_the_placed_clauses_the_solutions_stay(name):
    """A clause is spared where the number of cells says the same, and nowhere else."""
    puzzle = PUZZLES[name]
    assert projected(puzzle, "pairwise", placed=False) == truth(name)
    filled = all(piece.most == 1 for piece in puzzle.pieces) and sum(p.size for p in puzzle.pieces) == len(puzzle.must_cover)
    spared = FAMILY.encode(puzzle, "pairwise").num_clauses - FAMILY.encode(puzzle, "pairwise", placed=False).num_clauses
    assert not filled or spared == sum(piece.least for piece in puzzle.pieces)


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
    """The clauses follow from the others; they are there so that a solver need not find that out."""
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
