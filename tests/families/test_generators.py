"""Generated puzzles: a seed always gives the same puzzle, in the requested form, satisfiable if that is claimed."""

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonogramnaive import count

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.lattice import LATTICES
from cnfgen_puzzles.families.nonogram.generators import STYLES, dominoes, texture
from cnfgen_puzzles.pipeline.instance import make_instance
from cnfgen_puzzles.pipeline.solve import solve
from cnfgen_puzzles.solving.table import find_solver

NONOGRAM, TILING, MAZE = map(find_family, ("nonogram", "tiling", "maze"))
EVERY = [(family, name) for family in (NONOGRAM, TILING, MAZE) for name in family.generators]
IDS = [f"{family.name}-{name}" for family, name in EVERY]

PINNED = {
    ("nonogram", "random"): "5d02da34b117ff3e",
    ("nonogram", "blobs"): "3928b37ead3cfd68",
    ("nonogram", "texture"): "e13e31d07ec57073",
    ("nonogram", "ndom"): "ebce3674fce523ab",
    ("tiling", "cut"): "0ce41a9979b00c08",
    ("tiling", "region"): "6e37f50c69909805",
    ("maze", "subset"): "beff4305b69c3ba4",
}
"""Checksums of the puzzles of seed 5. They must not change, because suites with kept results contain seeds."""


def checksum(family, puzzle):
    return hashlib.sha256(json.dumps(family.puzzle_to_json(puzzle), sort_keys=True).encode()).hexdigest()[:16]


@pytest.mark.parametrize("family, name", EVERY, ids=IDS)
def test_a_seed_always_gives_the_same_puzzle(family, name):
    assert checksum(family, family.generate(name, 5)) == PINNED[family.name, name]


@pytest.mark.parametrize("family, name", EVERY, ids=IDS)
def test_seeds_differ(family, name):
    puzzles = [family.generate(name, seed) for seed in range(8)]
    assert len({checksum(family, puzzle) for puzzle in puzzles}) == (4 if name == "ndom" else 8)  # whose seeds turn one puzzle


@pytest.mark.parametrize("family, name", [each for each in EVERY if each[0].generators[each[1]].truth])
def test_generators_that_promise_solutions_have_solutions(family, name):
    options = {"size": "5" if name == "ndom" else "12x9"} if family is NONOGRAM else {"pieces": "tetrominoes"}
    for seed in range(3):
        puzzle = family.generate(name, seed, **options)
        outcome = solve(make_instance(family, puzzle), find_solver("cadical"))
        assert outcome.status == family.generators[name].truth == "SATISFIABLE"


@given(st.integers(0, 2**70), st.integers(1, 15), st.integers(1, 15), st.integers(0, 100), st.integers(0, 6))
def test_blobs_have_the_requested_density(seed, width, height, density, smooth):
    puzzle = NONOGRAM.generate("blobs", seed, size=f"{width}x{height}", density=density, smooth=smooth)
    assert (puzzle.width, puzzle.height) == (width, height)
    assert sum(map(sum, puzzle.rows)) == sum(map(sum, puzzle.columns)) == width * height * density // 100


@settings(deadline=None)
@given(
    st.integers(0, 2**70),
    st.sampled_from(["tetrominoes", "3*L tromino, 2*domino", "tetriamonds", "trihexes", "tetracubes", "2*I tetromino, 1x1"]),
    st.integers(1, 3),
    st.integers(1, 8),
    st.sampled_from(["cut", "region"]),
)
def test_boards_are_connected_and_as_large_as_the_pieces(seed, pieces, copies, compact, name):
    puzzle = TILING.generate(name, seed, pieces=pieces, copies=copies, compact=compact)
    assert len(puzzle.board) == sum(piece.size * piece.least for piece in puzzle.pieces)
    assert puzzle.lattice in LATTICES.values()
    assert puzzle.lattice.connected(puzzle.board)
    assert all(map(puzzle.lattice.has, puzzle.board))
    assert TILING.impossible(puzzle) is None or name == "region"


@given(st.integers(0, 2**70), st.integers(1, 50), st.integers(0, 9), st.integers(0, 5))
def test_mazes_are_some_of_the_grids(seed, mazes, length, more):
    every = MAZE.read(None, kind="blocked", size="3x3", length=1).mazes
    puzzle = MAZE.generate("subset", seed, mazes=mazes, length=length, longest=length + more)
    assert len(puzzle.mazes) == len(set(puzzle.mazes.entries)) == min(mazes, len(every))
    assert set(puzzle.mazes.entries) <= set(every.entries)
    assert length <= len(puzzle.pattern) <= length + more


@pytest.mark.parametrize(
    "family, name, options, message",
    [
        (NONOGRAM, "random", {"size": "0x4"}, "found the size '0x4', expected width x height"),
        (NONOGRAM, "random", {"size": "x"}, "found the size 'x'"),
        (NONOGRAM, "random", {"density": 101}, "found density 101, expected 0 to 100"),
        (NONOGRAM, "random", {"smooth": 1}, "unknown option of the generator random 'smooth'"),
        (NONOGRAM, "noise", {}, "unknown generator of nonogram 'noise'"),
        (TILING, "cut", {"pieces": "pentomino"}, "did you mean"),
        (TILING, "cut", {"pieces": "domino: any"}, "no fixed count for the piece domino"),
        (TILING, "cut", {"copies": 0}, "found copies 0, expected 1 to"),
        (MAZE, "subset", {"size": "9x9"}, "found a 9x9 grid"),
        (MAZE, "subset", {"kind": "thick"}, "unknown kind 'thick'; did you mean thin"),
        (MAZE, "subset", {"length": 5, "longest": 4}, "found length 5 and longest 4"),
        (MAZE, "subset", {"mazes": 0}, "expected at least 1"),
    ],
)
def test_options_out_of_range_raise_input_errors(family, name, options, message):
    with pytest.raises(InputError, match=message):
        family.generate(name, 1, **options)


# -- textures and dominoes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_dominoes_have_one_solution(size):
    """Counted by independent code."""
    for seed in range(1, 5):
        puzzle = dominoes(seed, str(size))
        assert count(puzzle.rows, puzzle.columns) == 1


def test_nine_dominoes_are_the_survey_s():
    """Webpbn 8098 as far as the page of the survey describes it: 19 rows and columns, nine threes, no two adjacent rows with more
    than one black cell, and all columns but the last begin with a 1."""
    puzzle = dominoes(1)
    assert puzzle == dominoes(5) != dominoes(2)
    assert (puzzle.width, puzzle.height) == (19, 19)
    assert sum(clue.count(3) for clue in puzzle.columns) == 9
    assert all(sum(one) == 1 or sum(other) == 1 for one, other in zip(puzzle.rows, puzzle.rows[1:], strict=False))
    assert all(clue[0] == 1 for clue in puzzle.columns[:-1])
    assert puzzle.columns[-1] == (3,)


@pytest.mark.parametrize("style", STYLES)
def test_the_picture_solves_its_puzzle(style):
    puzzle = texture(3, "33x27", style)
    cell = STYLES[style](SeededChoice(f"nonogram {style}", 3), 33, 27)
    board = tuple(tuple(cell(x, y) for x in range(33)) for y in range(27))
    assert NONOGRAM.check(puzzle, board) == []
    assert 100 < sum(map(sum, board)) < 700
    assert (puzzle.rows, puzzle.columns) != (texture(4, "33x27", style).rows, texture(4, "33x27", style).columns)
