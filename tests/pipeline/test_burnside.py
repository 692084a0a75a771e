"""Counts up to symmetry by model counters: the formulas of fixed points against lists of solutions."""

from __future__ import annotations

import pytest
from tilingbrute import solutions

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.counting.counters import COUNTERS, reduce_formula
from cnfgen_puzzles.families.tiling.encodings import variables_of
from cnfgen_puzzles.pipeline.count import FixedPoints, conjugacy_classes
from cnfgen_puzzles.pipeline.instance import scramble_instance, symmetry_of


def tiling(board, pieces, **options):
    return cp.read(family="tiling", board=board, pieces=pieces, **options)


def counted(instance, up_to):
    """The number of orbits and of all solutions, by a counter in this process."""
    fixed = FixedPoints(instance, symmetry_of(instance, up_to))
    problem, restrictions = fixed.question()
    numbers = []
    for restriction in restrictions:
        reduced = reduce_formula([*problem.cnf.clauses(), *restriction], problem.projection)
        numbers.append(reduced.count(COUNTERS["ganak"]))
    return fixed.orbits(numbers), numbers[0]


def orbits(found, permutations):
    """The number of orbits of solutions, from all images of each."""
    left, number = set(found), 0
    while left:
        start = next(iter(left))
        images = {frozenset(element[variable] for variable in start) for element in permutations}
        assert images <= left
        left -= images
        number += 1
    return number


BOARDS = [
    ("2x3", "domino: any"),
    ("4x4", "domino: any"),
    ("3x4", "domino: any, L tromino: any"),
    ("4x5", "5*L tetromino"),
    ("2x2x3", "domino: any"),
    ("2x2x2", "4*domino"),
    ("2x3 + 2x3", "domino: any"),
    ("2x2 + 2x2", "domino: any"),
    ("3x5", "pentominoes"),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("board", "pieces"), BOARDS)
def test_orbits_are_those_of_the_list(board, pieces):
    puzzle = tiling(board, pieces)
    instance = cp.encode(puzzle)
    numbered = variables_of(puzzle, instance.map.blocks["place"]).items()
    variable = {(puzzle.placements[p].piece, puzzle.placements[p].cells): number for p, number in numbered}
    found = [frozenset(variable[each] for each in solution) for solution in solutions(puzzle)]
    assert counted(instance, "nothing") == (len(found), len(found))
    for up_to in ("symmetry", "rotations"):
        symmetry = symmetry_of(instance, up_to)
        permutations = symmetry.permutations()
        assert len(permutations) == symmetry.order
        assert counted(instance, up_to) == (orbits(found, permutations), len(found))


def test_classes_of_the_square_and_of_the_cube():
    for board, sizes in (("3x3", [1, 1, 2, 2, 2]), ("2x2x2", [1, 1, 3, 3, 6, 6, 6, 6, 8, 8])):
        instance = cp.encode(tiling(board, "domino: any, monomino: any"))
        classes = conjugacy_classes(symmetry_of(instance).permutations())
        assert sorted(size for _, size in classes) == sizes
        assert all(here == there for here, there in classes[0][0].items())


def test_strings_of_moves():
    """A family of another kind; the group is that of the grid."""
    puzzle = cp.read(family="maze", kind="blocked", size="2x2", pattern="****")
    instance = cp.encode(puzzle)
    listed = cp.count(instance, engine="blocking")
    assert counted(instance, "symmetry") == (listed.solutions, listed.raw)
    assert listed.raw > listed.solutions


@pytest.mark.release
def test_a_counter_and_an_enumeration_say_the_same():
    puzzle, sentences = tiling("4x4", "domino: any"), []
    for up_to, number in (("rotations", 12), ("nothing", 36)):
        listed = cp.count(puzzle, engine="exact-cover", up_to=up_to)
        told = cp.count(puzzle, engine="ganak", up_to=up_to)
        assert (listed.solutions, listed.raw) == (told.solutions, told.raw) == (number, 36)
        assert listed.convention == told.convention
        assert (listed.listed, told.listed) == (True, False)
        sentences.append(told.sentence())
    assert sentences[0].startswith(
        "12 solutions up to the 4 rotations of board and pieces; 36 in all (claimed by ganak; not independently verified: "
    )
    assert sentences[1].startswith("36 solutions, symmetric solutions counted separately (claimed by ganak; ")


@pytest.mark.release
def test_the_domino_tilings_of_the_chessboard():
    """Enumeration takes an hour; the test does not depend on which method is first."""
    found = cp.count(tiling("8x8", "domino: any"))
    assert (found.solutions, found.raw, found.complete, found.listed) == (1629189, 12988816, True, False)
    assert found.engine == "ganak"


def test_numbers_that_cannot_be_are_an_alarm():
    instance = cp.encode(tiling("2x3", "domino: any"))
    fixed = FixedPoints(instance, symmetry_of(instance))
    with pytest.raises(CnfgenError, match="not divisible by 4"):
        fixed.orbits([3, 1, 1, 2])


def test_impossible_counts_are_refused():
    puzzle = tiling("3x20", "pentominoes")
    with pytest.raises(InputError, match="without listing them"):
        cp.solutions(puzzle, engine="ganak")
    representatives = cp.encode(puzzle, symmetry="representatives")
    with pytest.raises(InputError, match="leaves out solutions"):
        cp.count(representatives, engine="tididi")
    with pytest.raises(InputError, match="leaves out solutions"):
        cp.count(representatives, up_to="rotations")
    with pytest.raises(InputError, match="does not distinguish rotations"):
        cp.count(cp.read(family="maze", kind="blocked", size="2x2", pattern="***"), up_to="rotations")
    with pytest.raises(InputError, match="expected one of them"):
        cp.count(puzzle, up_to="symmetry", raw=True)


def test_a_scrambled_formula_is_counted_without_its_symmetries():
    instance = scramble_instance(cp.encode(tiling("4x4", "domino: any")), 5)
    found = cp.count(instance, engine="ganak")
    assert (found.solutions, found.raw, found.convention) == (36, 36, "symmetric solutions counted separately")
