"""Claims about mazes: the quick ones hold, keys are unique, all can be pickled, and what is wrong is seen."""

import pickle
from dataclasses import replace

import pytest

pytest.importorskip("numpy")

from studies.claims import DIFFERS, SAME, Place
from studies.maze_optima import claims as optima
from studies.maze_optima.known import KnownCase
from studies.maze_reductions import claims as reductions
from studies.maze_search import claims as search
from studies.maze_windows import claims as windows
from studies.mazes.cases import PUBLISHED

ALL = (*reductions.CLAIMS, *optima.CLAIMS, *windows.CLAIMS, *search.CLAIMS)
QUICK = [claim for claim in ALL if not claim.full]


LONGEST = ("maze-windows/refill-10", "maze-windows/refill-15", "maze-reductions/blocked-4x4-dominance", "maze-optima/blocked-3x4")
"""Quick enough for `make reproduce`."""


@pytest.mark.parametrize(
    "claim", [pytest.param(c, id=c.key, marks=[pytest.mark.release] if c.key in LONGEST else []) for c in QUICK]
)
def test_what_is_quick_holds(claim, tmp_path):
    measured = pickle.loads(pickle.dumps(claim.measure))(Place(tmp_path))
    assert claim.verdict(measured.value) == SAME and measured.evidence and not measured.why


def test_keys_are_unique_and_long_claims_can_be_sent():
    assert len({claim.key for claim in ALL}) == len(ALL)
    assert sum(claim.full for claim in ALL) == 6
    assert pickle.loads(pickle.dumps([claim.measure for claim in ALL]))


def test_a_claim_of_one_letter_less_or_more_differs(tmp_path):
    for optimum, seen in ((10, "no string of 10 letters"), (12, "a string of 11 letters")):
        claim = optima.CLAIMS[0]
        measured = optima.measure_optimum(KnownCase("thin", "2x2", 100, optimum), Place(tmp_path))
        assert measured.value == seen and replace(claim, claimed=f"{optimum} letters").verdict(measured.value) == DIFFERS


def test_no_string_of_a_length_by_sat(tmp_path):
    """As of blocked 4x4, on a small grid; a second time from what was decided."""
    for _ in range(2):
        measured = optima.measure_by_cubes("blocked", "2x3", 4, Place(tmp_path))
        assert measured.value == "no string of 4 letters" and "cubes cover all strings" in measured.evidence
    assert optima.measure_by_cubes("blocked", "2x3", 5, Place(tmp_path)).value == "a string of 5 letters"


def test_windows_of_all_places(tmp_path, monkeypatch):
    """As of the 79 letters, for the shortest string of thin 2x2 and for a longer one."""
    monkeypatch.setattr(windows, "SIZE", "2x2")
    monkeypatch.setattr(windows, "PUBLISHED", "NESWNENWSEN")
    assert windows.measure_windows(9, 8, Place(tmp_path)).value == "3 refuted"
    assert windows.measure_windows(9, 8, Place(tmp_path)).value == "3 refuted"
    assert windows.measure_both_ends(4, Place(tmp_path)).value == "refuted"
    assert windows.measure_refill(0, 11, Place(tmp_path)).value == "15 others"
    monkeypatch.setattr(windows, "PUBLISHED", "NEESWNENWSEN")
    assert "shorter" in windows.measure_windows(9, 8, Place(tmp_path)).value
    assert windows.measure_both_ends(5, Place(tmp_path / "longer")).value == "a string of 11 letters"


def test_the_letters_are_the_published_ones():
    assert len(PUBLISHED) == 79 and PUBLISHED.startswith("NNWSWNNSENESES")
