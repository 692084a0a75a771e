"""Tilings of strips by the transfer matrix of the study: numbers of other sequences of OEIS, and sums by each pentomino."""

import pytest

from studies.pentominoes.stripclaims import ALL_STRIPS, listed_by_u
from studies.pentominoes.strips import PENTOMINOES, strips

OTHER = {
    "I": [[0, 1], [4, 0, 1], [47, 8, 0, 1], [394, 94, 12, 0, 1], [2082, 1608, 282, 32, 0, 2]],
    "T": [[1], [5], [50, 6], [437, 62, 2], [3270, 700, 36]],
    "W": [[1], [5], [56], [461, 32, 8], [3558, 368, 80]],
}
"""OEIS A247703, A247707, A247710, for n from 1 to 5."""


def test_strips_by_other_pentominoes():
    assert {name: strips(5, name)[1:] for name in OTHER} == OTHER


@pytest.mark.release
def test_sums_are_those_of_all_shapes():
    for name in PENTOMINOES:
        assert tuple(map(sum, strips(12, name)[1:])) == ALL_STRIPS[:12]


def test_listed_tilings_of_short_strips():
    assert [listed_by_u(n, "clasp") for n in (1, 2, 3)] == [[1], [5], [39, 16, 1]]
