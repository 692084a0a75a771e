"""The census of small nonograms: three methods of counting, published numbers, and sizes without claims."""

import pytest

from studies.nonogram_census.bylines import line_solvable
from studies.nonogram_census.pictures import Census, by_pictures, by_sorting
from studies.nonogram_census.rowbyrow import census

PUBLISHED = {(2, 5): 816, (5, 2): 816, (3, 6): 189_898, (6, 3): 189_898, (5, 4): 814_632, (6, 4): 12_819_322, (5, 5): 25_309_575}
"""OEIS A384764."""


@pytest.mark.release
@pytest.mark.long
@pytest.mark.parametrize("side", [1, 2, 3])
def test_three_ways_agree(side):
    assert by_pictures(side) == by_sorting(side) == census(side, side)


@pytest.mark.parametrize("size", PUBLISHED, ids=str)
def test_published_numbers_of_unique_puzzles(size):
    assert census(*size).single == PUBLISHED[size]


def test_threads_change_nothing():
    assert census(4, 4, jobs=3) == census(4, 4) == by_sorting(4) == Census(58_196, 52_362)


@pytest.mark.parametrize("size", [(0, 3), (7, 7)])
def test_other_sizes_are_refused(size):
    with pytest.raises(ValueError, match="expected sides of 1 to 6"):
        census(*size)


@pytest.mark.release
def test_line_logic():
    assert [line_solvable(side) for side in (1, 2, 3, 4)] == [2, 14, 384, 51_234]
