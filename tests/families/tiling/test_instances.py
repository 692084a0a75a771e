"""The tilings in the repository: all can be read and have a claim with a source, and the small claims are counted again."""

from __future__ import annotations

import csv

import pytest
from repository import INSTANCES
from tilingbrute import count, solutions
from tilingcases import source

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families.tiling.formats import read_puzzle, write_puzzle
from cnfgen_puzzles.pipeline.api import count as count_all
from studies.pentominoes.counts import UNSATISFIABLE, UP_TO_SYMMETRY, claims_of

FOLDER = INSTANCES / "tiling"
FILES = sorted(FOLDER.glob("*.yaml"))

SMALL = {  # seconds at most for a program that only tries
    *("coloured-4x5", "dominoes-2x10", "dominoes-2x2x2", "dominoes-2x2x3", "dominoes-3x8", "dominoes-4x4", "dominoes-4x6"),
    *("dominoes-5x6", "dominoes-aztec-3", "dominoes-cylinder-2x4", "dominoes-torus-4x4", "heptomino-ring-7x7", "l-trominoes-2x3"),
    *("l-trominoes-4x6", "lozenges-hexagon-2", "lozenges-hexagon-3", "monomers-dimers-3x3", "slothouber-graatsma"),
    *("t-tetrominoes-4x4", "t-tetrominoes-4x8", "t-tetrominoes-8x8", "tetrominoes-4x5", "tetrominoes-2x10"),
    *("x-pentominoes-torus-5x5", "straight-tetrominoes-6x6", "dominoes-2x2x6", "dominoes-aztec-4"),
}


def puzzle_of(name: str):
    return read_puzzle(open_source(FOLDER / f"{name}.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_puzzle_is_read_and_has_a_claim(path):
    puzzle = read_puzzle(open_source(path))
    claims = claims_of(puzzle.about)
    assert puzzle.about["title"]
    assert claims.source
    assert not (claims.solutions is claims.raw is claims.verdict is None)
    assert read_puzzle(source(write_puzzle(puzzle, "yaml"))) == puzzle
    if path.stem != "hexominoes-14x15" and puzzle.contradictions():
        assert claims.verdict == UNSATISFIABLE or claims.raw == 0


def test_the_page_lists_every_puzzle():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [line.split()[1] for line in page.splitlines() if ".yaml | " in line] == [path.name for path in FILES]


@pytest.mark.parametrize("name", sorted(SMALL))
def test_small_claims(name):
    puzzle = puzzle_of(name)
    assert count(puzzle) == claims_of(puzzle.about).raw


@pytest.mark.parametrize(
    "name", ["conway-5x5x5", "l-trominoes-deficient-8x8", "straight-trominoes-8x8-inside", "y-pentominoes-5x10"]
)
def test_satisfiable_ones(name):
    assert next(iter(solutions(puzzle_of(name))))


def test_published_table(sample_puzzles):
    """The numbers of the collected table, if it is available."""
    with (sample_puzzles / "tiling" / "counts.csv").open(encoding="utf-8") as table:
        published = list(csv.DictReader(table))
    assert len(published) == len(TABLE)
    for row in published:
        claims = claims_of(puzzle_of(TABLE[row["puzzle"]]).about)
        number, raw = int(row["solutions_in_convention"]), row["solutions_raw"]
        if claims.solutions is not None:
            assert claims.solutions == number, row
        if raw:
            assert claims.raw in (int(raw), None), row
        assert claims.raw is not None or claims.convention == UP_TO_SYMMETRY


TABLE = {
    "pentomino 3x20": "pentominoes-3x20",
    "pentomino 4x15": "pentominoes-4x15",
    "pentomino 5x12": "pentominoes-5x12",
    "pentomino 6x10": "pentominoes-6x10",
    "8x8 minus 2x2 at rows 3-4, cols 3-4": "pentominoes-8x8-centre",
    "8x8 with pentominoes + 2x2 square": "pentominoes-8x8-square",
    "8x8 minus 4 corners": "pentominoes-8x8-corners",
    "triplication of F": "triplication-f",
    "free tetrominoes 4x5": "tetrominoes-4x5",
    "free tetrominoes 2x10": "tetrominoes-2x10",
    "one-sided tetrominoes 4x7": "tetrominoes-one-sided-4x7",
    "hexiamonds 3x12 parallelogram": "hexiamonds-3x12",
    "tetrahexes triangle of side 7": "tetrahexes-triangle",
    "dominoes 2x10": "dominoes-2x10",
    "dominoes 4x4": "dominoes-4x4",
    "dominoes 6x6": "dominoes-6x6",
    "dominoes 2x2x2": "dominoes-2x2x2",
    "dominoes 8x8 minus 2 opposite corners": "dominoes-mutilated-8x8",
    "L-trominoes 2x3": "l-trominoes-2x3",
    "L-trominoes 4x6": "l-trominoes-4x6",
    "T-tetrominoes 4x4": "t-tetrominoes-4x4",
    "T-tetrominoes 4x8": "t-tetrominoes-4x8",
    "Soma cube": "soma-cube",
    "Slothouber-Graatsma": "slothouber-graatsma",
    "solid pentominoes 2x3x10": "solid-pentominoes-2x3x10",
    "solid pentominoes 2x5x6": "solid-pentominoes-2x5x6",
    "solid pentominoes 3x4x5": "solid-pentominoes-3x4x5",
    "Bedlam cube": "bedlam-cube",
}


MADE = sorted((FOLDER / "made").glob("*.yaml"))


@pytest.mark.release
@pytest.mark.parametrize("path", MADE, ids=lambda path: path.stem)
def test_shipped_cuts_have_one_solution(path):
    """Counted by an exact cover program; other programs made and proved them."""
    puzzle = read_puzzle(open_source(path))
    claims = claims_of(puzzle.about)
    found = count_all(puzzle, engine="exact-cover", raw=True)
    assert (found.raw, claims.solutions, found.complete) == (claims.raw, 1, True)
    assert count_all(puzzle, engine="exact-cover").solutions == 1
    assert read_puzzle(source(write_puzzle(puzzle, "yaml"))) == puzzle
    assert f"| {path.name} | {puzzle.about['title']} |" in (path.parent / "README.md").read_text(encoding="utf-8")
    assert len(MADE) == 6
