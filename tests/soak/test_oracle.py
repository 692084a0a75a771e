"""The oracle of the soak test against slower programs: all boards by brute force, and those of other tests."""

from __future__ import annotations

from itertools import product
from random import Random

import mazenaive
import pytest
import tilingbrute

import cnfgen_puzzles as cp
from soak import puzzles
from soak.oracle import nonograms
from soak.oracle.mazes import MazeTruth, blocked_lines, thin_lines


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(30))
def test_nonograms(seed):
    """The number of pictures with these clues among all 4,096."""
    chance = Random(seed)
    width, height = chance.choice(((3, 4), (4, 3), (2, 6), (6, 2)))
    clues = [nonograms.clue_of(line) for line in puzzles.noise(chance, width, height)]
    columns = [nonograms.clue_of(line) for line in zip(*puzzles.noise(chance, width, height), strict=True)]
    if chance.random() < 0.7:
        picture = puzzles.strokes(chance, width, height)
        clues = [nonograms.clue_of(line) for line in picture]
        columns = [nonograms.clue_of(line) for line in zip(*picture, strict=True)]
    truth = nonograms.NonogramTruth(clues, columns, drawn=False)
    pictures = (
        ["".join(cells[n * width : (n + 1) * width]) for n in range(height)] for cells in product(".#", repeat=width * height)
    )
    assert truth.count == sum(not truth.broken({"rows": picture}) for picture in pictures)


@pytest.mark.parametrize("seed", range(40))
def test_tilings(seed, tmp_path):
    """The written file is read as the same puzzle, with the same tilings. tests/families/tiling tests the slower program."""
    puzzle = puzzles.tiling(Random(seed))
    if puzzle.truth.count is None or puzzle.truth.count > 500:
        pytest.skip("too many to try all")
    (tmp_path / puzzle.file).write_text(puzzle.text)
    assert tilingbrute.count(cp.read(tmp_path / puzzle.file, family="tiling")) == puzzle.truth.count


@pytest.mark.parametrize("lines", [thin_lines, blocked_lines])
def test_mazes(lines):
    """All mazes of a grid, and all strings of four letters through some of them."""
    every = list(lines(2, 2))
    for seed in range(5):
        some = Random(seed).sample(every, 2)
        solving = ["".join(letters) for letters in product("NESW", repeat=4)]
        solving = [string for string in solving if all(mazenaive.solves(line, string) for line in some)]
        truth = MazeTruth(some, "****")
        assert truth.count == len(solving)
        assert all(not truth.broken({"string": string}) for string in solving)
        assert truth.broken({"string": "NNNN"}) if "NNNN" not in solving else True


def test_what_is_broken_is_told():
    truth = nonograms.NonogramTruth([[1], [1]], [[1], [1]], drawn=False)
    assert truth.count == 2 and not truth.broken({"rows": ["#.", ".#"]})
    assert truth.broken({"rows": ["#.", "#."]}) == "column 1 has [2], its clue is [1]"
    assert truth.broken({"rows": ["#."]}) == "the board has another size"


def test_a_search_that_is_too_long_is_given_up():
    drawn = puzzles.noise(Random(1), 40, 40)
    clues = [nonograms.clue_of(line) for line in drawn], [nonograms.clue_of(line) for line in zip(*drawn, strict=True)]
    lines = nonograms.NonogramTruth([clue[:2] for clue in clues[0]], clues[1], drawn=False)
    assert lines.count is None and lines.exists is None
