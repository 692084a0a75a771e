"""Cuts of regions: connected allowed pieces, flaws that are second solutions, symmetries; and impossible requests."""

from __future__ import annotations

import pytest
from families.tiling.symmetric import classes
from hypothesis import given, settings
from hypothesis import strategies as st
from tilingbrute import solutions
from tilingcases import source

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.lattice import LATTICES
from cnfgen_puzzles.families.tiling.cutting import CUTTING
from cnfgen_puzzles.families.tiling.formats import read_puzzle
from cnfgen_puzzles.families.tiling.puzzle import COVERED, Tiling


def cuts(puzzle):
    """All solutions, as cuts."""
    return {frozenset(cells for _, cells in laid) for laid in solutions(puzzle)}


def grown(lattice, size, seed):
    """A random connected region as the board of a puzzle."""
    choice = SeededChoice("region", seed)
    start = next(cell for cell in ((0,) * lattice.dimension, (1,) * lattice.dimension) if lattice.has(cell))
    cells = {start}
    while len(cells) < size:
        cells.add(choice.chosen(sorted({near for cell in cells for near in lattice.neighbours(cell)} - cells)))
    return Tiling(lattice, dict.fromkeys(sorted(lattice.normal(cells)), COVERED), ())


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(LATTICES)), st.integers(1, 10), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_a_cut_fits_the_request_and_solves_its_puzzle(name, size, seed, reflections, rotations):
    region = grown(LATTICES[name], size, seed)
    request = CUTTING.request(region, piece_size=f"1-{max(2, size // 2)}", reflections=reflections, rotations=rotations, copies=3)
    choice = SeededChoice("cut", seed)
    cut = CUTTING.first(request, choice, 0)
    if cut is None:
        return
    for _ in range(3):
        assert sorted(cell for place in cut for cell in place) == sorted(region.board)
        assert all(region.lattice.connected(place) for place in cut)
        puzzle = CUTTING.puzzle(request, cut)
        assert all(piece.least == piece.most <= 3 for piece in puzzle.pieces)
        assert len({request.kind(place) for place in cut}) == len(puzzle.pieces)
        found = cuts(puzzle)
        assert cut in found
        assert set(CUTTING.images(request, cut)) <= found
        for other in found - {cut}:
            parts = CUTTING.differences(request, cut, other)
            assert frozenset().union(*(mine for mine, _ in parts)) == cut - other
            for mine, theirs in parts:
                assert (cut - mine) | theirs in found, "a part that stands by itself is a solution with the rest of the cut"
        cut = CUTTING.again(request, cut, cut, choice) or cut


def test_images_are_all_that_the_symmetries_of_the_puzzle_make():
    request = CUTTING.request(board="2x3", piece_size="1-3", copies=2)
    seen = set()
    for seed in range(8):
        cut = CUTTING.first(request, SeededChoice("images", seed), 0)
        if cut is None:
            continue
        puzzle = CUTTING.puzzle(request, cut)
        found = cuts(puzzle)
        images = {frozenset(CUTTING.images(request, each)) for each in found}
        assert sum(map(len, images)) == len(found)
        assert (len(images), len(found)) == classes(puzzle)
        seen.add(len(images))
    assert len(seen) > 1


def test_one_sided_pieces_are_no_mirror_images():
    request = CUTTING.request(board="2x4", pieces="L tetromino: any", reflections=False)
    cut = frozenset([frozenset([(0, 0), (0, 1), (0, 2), (1, 0)]), frozenset([(0, 3), (1, 1), (1, 2), (1, 3)])])
    assert not request.wrong(cut)
    mirrored = frozenset(frozenset((r, 3 - c) for r, c in place) for place in cut)
    assert request.wrong(mirrored), "these are J tetrominoes"
    assert len(list(CUTTING.images(request, cut))) == 2, "the board has four symmetries, two of them turn it over"


def test_files_and_pools():
    region = read_puzzle(source("size: 2x6\npieces:\n  - piece: domino\n    count: any\n"))
    request = CUTTING.request(region, pieces="I tetromino: any, domino: at most 2")
    assert request.numbers == range(3, 7)
    found = [cut for seed in range(4) if (cut := CUTTING.first(request, SeededChoice("pool", seed), 0))]
    assert found and all(len(cut) == 4 for cut in found), "two dominoes at most, so two of the others"
    puzzle = CUTTING.puzzle(request, found[0], {"title": "x"})
    assert sorted((piece.name, piece.least, piece.most) for piece in puzzle.pieces) == [("I", 2, 2), ("domino", 2, 2)]
    assert puzzle.about == {"title": "x"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no region"),
        ({"board": "1x1", "piece_size": "2"}, "pieces of 2 cells cannot cover"),
        ({"board": "3x3", "piece_size": "4"}, "a region of 9 cells, which pieces of 4 cells cannot cover"),
        ({"board": "3x4", "piece_size": "4", "number_of_pieces": 2}, "2 pieces of 4 cells cannot cover"),
        ({"board": "3x3", "piece_size": "4", "number_of_pieces": 1}, "which 1 piece of 4 cells cannot cover"),
        ({"board": "1x5", "piece_size": "3-4"}, "pieces of 3 to 4 cells cannot cover"),
        ({"board": "4x4", "pieces": "pentominoes"}, "pieces of 5 cells cannot cover"),
        ({"board": "5x13", "pieces": "pentominoes"}, "all allowed pieces together have 60 cells"),
        ({"board": "5x5", "piece_size": "2-3"}, "all allowed pieces together have 8 cells"),
        ({"board": "5x5", "piece_size": "6-5"}, "expected a number of cells"),
        ({"board": "5x5", "piece_size": "x"}, "expected a number of cells"),
        ({"board": "5x5", "pieces": "pentominoes", "copies": 2}, "both copies and pieces"),
        ({"board": "5x5", "pieces": "pentominoes", "piece_size": "5"}, "both piece_size and pieces"),
        ({"board": "#.#"}, "a region of 2 parts"),
        ({"board": "2x3 + 2x3"}, "a region of 2 parts"),
        ({"board": "oo/oo"}, "may stay empty"),
        ({"board": "5x5", "number_of_pieces": 0}, "at least 1"),
        ({"board": "5x5", "pieces": "nonsense"}, "nonsense"),
        ({"board": "2x2", "size": "2"}, "size"),
    ],
)
def test_invalid_requests_for_cuts(options, message):
    with pytest.raises(InputError, match=message):
        CUTTING.request(**options)


@pytest.mark.parametrize(("board", "number", "mean"), [("6x10", None, 7.5), ("3x4", None, 4), ("4x5", 2, 10), ("4x5", 5, 4)])
def test_default_sizes_of_pieces(board, number, mean):
    """The default gives the requested number of pieces, or about eight; in small regions fewer, with about four cells."""
    request = CUTTING.request(board=board, **({"number_of_pieces": number} if number else {}))
    assert mean / 2 <= request.least <= mean <= request.most <= mean * 1.5
    assert request.numbers == range(number, number + 1) if number else len(request.empty.board) // mean in request.numbers


@pytest.mark.parametrize(
    ("turns", "shapes"), [({}, 5), ({"reflections": False}, 7), ({"reflections": False, "rotations": False}, 19)]
)
def test_a_cut_into_all_tetrominoes(turns, shapes):
    """Free, one-sided, and fixed ones: 5, 7 and 19 (OEIS A000105, A000988, A001168)."""
    assert CUTTING.request(board=f"4x{shapes}", piece_size="4", **turns).least == 4
    with pytest.raises(InputError, match=f"all allowed pieces together have {4 * shapes} cells"):
        CUTTING.request(board=f"4x{shapes + 1}", piece_size="4", **turns)
    assert CUTTING.request(board=f"4x{2 * shapes}", piece_size="4", copies=2, **turns).copies == 2


def test_regions_that_are_not_cut():
    with pytest.raises(InputError, match="ring"):
        CUTTING.request(read_puzzle(source("size: 4x4\nwrap: {rows: 4}\npieces:\n  - piece: domino\n    count: any\n")))
    with pytest.raises(InputError, match="and a region in a file"):
        CUTTING.request(CUTTING.region([[1, 1]]), board="2x2")
    with pytest.raises(InputError, match="hexagonal lattice"):
        CUTTING.request(CUTTING.region([[1, 1]]), pieces="trihexes")
    with pytest.raises(InputError, match="without a filled cell"):
        CUTTING.region([[0, 0]])
