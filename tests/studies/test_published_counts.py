"""The published counts of instances/tiling by engines that share no code: an exact-cover program and a SAT solver's enumeration.

The quick ones here, all that a session can wait for under the marker `slow`; `make reproduce` prints them as a table.
"""

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "tiling"

QUICK = [
    *("dominoes-4x4", "dominoes-2x10", "dominoes-2x2x2", "l-trominoes-2x3", "l-trominoes-4x6", "t-tetrominoes-4x4"),
    *("t-tetrominoes-4x8", "tetrominoes-4x5", "tetrominoes-2x10", "tetrominoes-one-sided-4x7", "slothouber-graatsma"),
    *("tetrahexes-triangle", "pentominoes-3x20", "pentominoes-8x8-centre", "soma-cube", "dominoes-torus-4x4"),
]
LONG = {  # by the SAT engine: minutes
    *("pentominoes-4x15", "pentominoes-5x12", "pentominoes-6x10", "pentominoes-8x8-corners", "pentominoes-8x8-square"),
    *("hexiamonds-3x12", "triplication-f", "dominoes-6x6", "solid-pentominoes-2x3x10", "solid-pentominoes-2x5x6"),
    *("dominoes-mutilated-8x8",),
}
LONGEST = ["solid-pentominoes-3x4x5", "bedlam-cube"]  # by the exact-cover engine alone: a SAT solver takes hours


@pytest.fixture(scope="module")
def script(load_script):
    return load_script("check_counts")


def check(script, name, engines):
    assert script.check_files([FOLDER / f"{name}.yaml"], engines, None, None) == 0


@pytest.mark.parametrize("name", QUICK)
def test_by_exact_cover_and_by_sat(script, name):
    check(script, name, ["exact-cover", "clasp"])


@pytest.mark.parametrize("name", ["pentominoes-6x10", "pentominoes-4x15"])
def test_by_exact_cover(script, name):
    check(script, name, ["exact-cover"])


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", sorted(LONG))
def test_long_ones_by_exact_cover_and_by_sat(script, name):
    check(script, name, ["exact-cover", "clasp"])


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", LONGEST)
def test_the_longest_by_exact_cover(script, name):
    check(script, name, ["exact-cover"])
