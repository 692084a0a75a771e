"""Sizes, symmetries, growth, and the published optima in both directions; tests/exhaustive compares models with all strings."""

from dataclasses import replace

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.families.maze import FAMILY
from cnfgen_puzzles.families.maze.encodings import ENCODERS, build, make_encoder
from cnfgen_puzzles.families.maze.model import LETTERS
from cnfgen_puzzles.families.maze.puzzle import symmetries
from cnfgen_puzzles.pipeline.instance import make_instance, with_blocked
from cnfgen_puzzles.pipeline.solve import pick_solver, solve

VARIANTS = [
    ("article", {}),
    ("pruned", {}),
    ("pruned", {"lemmas": 2}),
    ("pruned", {"mutex": True}),
    ("pruned", {"mutex": True, "lemmas": 5}),
]


def puzzle_of(mazes, pattern, **options):
    kind, size = mazes.split()
    return FAMILY.read(None, kind=kind, size=size, pattern=pattern, **options)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("mazes", "pattern", "options", "order"),
    [
        ("thin 3x3", "**", {}, 8),
        ("thin 3x3", "**", {"reduce": "all"}, 8),
        ("thin 3x3", "N*", {}, 2),  # a fixed N stays where it is under the reflection of east and west
        ("thin 3x3", "NE*", {}, 1),
        ("thin 3x3", "**", {"first": 100}, 1),  # a part of the mazes is not closed under the symmetries
        ("thin 3x2", "**", {}, 4),
        ("thin 3x2", "S*", {"reduce": "none"}, 2),
        ("blocked 4x4", "**", {}, 2),
        ("blocked 4x3", "**", {}, 1),
        ("blocked 4x4", "E*", {}, 1),
    ],
)
def test_symmetries_are_those_of_mazes_and_pattern(mazes, pattern, options, order):
    puzzle = puzzle_of(mazes, pattern, **options)
    assert len(symmetries(puzzle.mazes, pattern)) == order


def test_canonical_strings_count_their_orbits():
    puzzle = puzzle_of("thin 2x2", "*" * 11)
    formula = FAMILY.encode(puzzle)
    symmetry = FAMILY.counting.symmetry(puzzle, formula.blocks)
    direction = formula.blocks["dir"]
    forms = set()
    for string in ("NESWNENWSEN", "NESWNEWSENW", "WSENWSWNESW"):
        forms.add(symmetry.canonical({direction[step, LETTERS.index(letter)] for step, letter in enumerate(string)}))
    assert symmetry.order == 8
    assert forms == {("NESWNENWSEN", 8), ("NESWNEWSENW", 8)}


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_an_incremental_formula_equals_the_complete_formula(name, options):
    puzzle = puzzle_of("thin 2x2", "N**W*E**")
    encoder = make_encoder(puzzle, name, **options)
    parts = encoder.formula.literals[:]
    for maze in puzzle.mazes:
        before = len(encoder.formula.literals)
        encoder.add_maze(maze)
        parts += encoder.formula.literals[before:]  # as an incremental solver is fed
    whole = FAMILY.encode(puzzle, name, **options)
    assert parts == encoder.formula.literals == whole.literals
    assert encoder.formula.num_variables == whole.num_variables
    assert list(encoder.mazes) == list(puzzle.mazes)


OPTIMA = [
    ("thin", "2x1", 2),
    ("thin", "3x1", 4),
    ("thin", "2x2", 11),
    ("blocked", "2x2", 3),
    ("blocked", "3x2", 5),
    ("blocked", "3x3", 11),
]


@pytest.fixture(scope="module")
def solver():
    return pick_solver("cadical")


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("kind", "size", "optimum", "symmetry"),
    [*((*each, "all") for each in OPTIMA), ("thin", "2x2", 11, "representatives"), ("blocked", "3x3", 11, "representatives")],
)
def test_optima_in_both_directions(kind, size, optimum, symmetry, solver):
    puzzle = FAMILY.read(None, kind=kind, size=size, length=optimum)
    found = solve(make_instance(FAMILY, puzzle, symmetry=symmetry), solver)
    assert found.status == "SATISFIABLE"
    everything = FAMILY.read(None, kind=kind, size=size, length=optimum, reduce="none").mazes
    assert everything.unsolved(found.board) == []
    shorter = FAMILY.read(None, kind=kind, size=size, length=optimum - 1)
    for name in ENCODERS:
        assert solve(make_instance(FAMILY, shorter, name, symmetry=symmetry), solver).status == "UNSATISFIABLE"


@pytest.mark.parametrize(
    ("kind", "size", "pattern", "count"),
    [("thin", "2x2", "N" + "*" * 10, 4), ("blocked", "3x3", "*" * 11, 2), ("blocked", "3x2", "*" * 5, 3)],
)
def test_how_many_shortest_strings(kind, size, pattern, count, solver):
    instance = make_instance(FAMILY, FAMILY.read(None, kind=kind, size=size, pattern=pattern))
    found = set()
    cnf = instance.cnf
    while (outcome := solve(replace(instance, cnf=cnf), solver)).status == "SATISFIABLE":
        found.add(outcome.board)
        cnf = with_blocked(cnf, instance.map.projection, outcome.run.model)
    assert len(found) == count


@pytest.mark.parametrize(
    ("encoding", "options", "variables", "clauses"),
    [("article", {}, 1604, 5533), ("pruned", {}, 372, 2181), ("pruned", {"lemmas": 3}, 372, 3231)],
)
def test_sizes_in_the_documentation(encoding, options, variables, clauses):
    """The smallest case of docs/explanation/encodings.md, including implied clauses such as at most one position for each
    step."""
    formula = FAMILY.encode(FAMILY.read(None, kind="thin", size="2x2", length=11), encoding, **options)
    assert (formula.num_variables, formula.num_clauses) == (variables, clauses)


# -- too large formulas -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENCODERS)
def test_a_formula_that_would_be_too_large_is_refused_before_it_is_made(name):
    """The estimate is within a factor of two."""
    thin = puzzle_of("thin 3x2", "*" * 12)
    made = len(build(thin, name).literals)
    with other_input_limits(literals=2 * made):
        build(thin, name)
    with other_input_limits(literals=made // 2), pytest.raises(InputError, match=r"--first K.*the limit 'literals'"):
        build(thin, name)
