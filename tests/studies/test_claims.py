"""The claims: the quick ones are true, and docs/results/results.md, with every published number, matches the findings.

One count of the articles and the shortest claims are measured here, for about `BUDGET` seconds; the other quick claims have the
marker `release`, and `make reproduce` measures all.
"""

import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import find_family
from studies.claims import DIFFERS, OWN, SAME, Place
from studies.findings import read_findings
from studies.maze_optima import claims as optima
from studies.maze_optima.known import KnownCase
from studies.maze_windows import claims as windows
from studies.nonogram_survey.survey import SHIPPED
from studies.pentominoes.counts import claims_of
from studies.reproduce import PAGE, all_studies
from studies.resultspage import DETAILS, details_page, page

ROOT = Path(__file__).resolve().parents[2]
STUDIES = all_studies()
CLAIMS = {claim.key: claim for study in STUDIES for claim in study.claims}
BUDGET = 6.0
LONG_MAZES = ("maze-reductions/blocked-4x4-dominance",)
"""Quick enough for `make reproduce`."""

KNOWN = {
    "four-holes/unexplained": "at least 3 cases",
    "four-holes/all": "except in 1,226 cases",
    "maze-optima/blocked-4x4-mazes": "315 mazes",
    "earlier-count/8x8-square": "16146 up to symmetry, 129168 in all",
}
"""The measured values of wrong claims."""


def test_keys_are_unique_and_claims_can_be_sent():
    assert len(CLAIMS) == sum(len(study.claims) for study in STUDIES)
    assert pickle.loads(pickle.dumps([claim.measure for claim in CLAIMS.values()]))
    assert all(not set(key) & set("*?[]' ,") and "/" in key for key in CLAIMS)


def test_every_puzzle_that_claims_a_number_is_a_row():
    puzzles = {
        path.stem: find_family("tiling").read(open_source(path)) for path in (ROOT / "instances" / "tiling").glob("*.yaml")
    }
    named = {f"tilings/{name}" for name, puzzle in puzzles.items() if claims_of(puzzle.about)}
    assert named == {key for key in CLAIMS if key.startswith("tilings/")}


def quick():
    """The quick claims without the user's files; those beyond the budget are marked as slow."""
    chosen = [claim for claim in CLAIMS.values() if not claim.full and not needs_a_copy(claim.key)]
    first = {"tilings/pentominoes-3x20"}  # the shortest of the articles
    left = BUDGET
    for claim in sorted(chosen, key=lambda claim: (claim.key not in first, claim.seconds)):
        maze = claim.key.startswith("maze-")
        fits = claim.seconds <= 3 and claim.key not in LONG_MAZES if maze else left >= claim.seconds
        left -= claim.seconds if fits and not maze else 0
        yield pytest.param(claim, id=claim.key, marks=() if fits else (pytest.mark.release, pytest.mark.timeout(3600)))


def needs_a_copy(key):
    study, _, puzzle = key.partition("/")
    return study in ("nonograms", "nonogram-times") and not (SHIPPED / f"{puzzle}.nin").exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize("claim", list(quick()))
def test_a_quick_claim(claim, tmp_path):
    measured = pickle.loads(pickle.dumps(claim.measure))(Place(tmp_path))
    assert measured.value == KNOWN.get(claim.key, claim.claimed) or (claim.is_time and measured.value)
    assert measured.evidence
    assert measured.why or claim.key not in KNOWN


def test_a_missing_nonogram_is_not_decided(tmp_path):
    missing = next(claim for claim in CLAIMS.values() if needs_a_copy(claim.key))
    measured = missing.measure(Place(tmp_path, puzzles=tmp_path))
    assert measured.value is None
    assert "the puzzle cannot be redistributed" in measured.why


def test_the_page_matches_the_findings():
    findings = read_findings(PAGE.with_suffix(".jsonl"))
    assert PAGE.read_text(encoding="utf-8") == page(STUDIES, findings)
    assert PAGE.with_name(DETAILS).read_text(encoding="utf-8") == details_page(STUDIES, findings)
    differing = {
        key: found.value for key, found in findings.items() if found.decided and CLAIMS[key].verdict(found.value) == DIFFERS
    }
    assert differing.items() <= KNOWN.items()
    assert all(findings[key].why for key in differing)


def test_rows_are_short_and_lead_to_their_details():
    findings = read_findings(PAGE.with_suffix(".jsonl"))
    rows = re.findall(r"^\| \[(.*)\]\(results-details\.md#(.*)\) \| (.*) \|$", page(STUDIES, findings), re.MULTILINE)
    assert len(rows) >= len(CLAIMS)
    assert max(len(text) + len(cells) for text, _, cells in rows) < 210
    headings = re.findall("^## `(.*)`$", details_page(STUDIES, findings), re.MULTILINE)
    anchors = [heading.replace("/", "").lower() for heading in headings]
    assert headings == list(CLAIMS) and len(set(anchors)) == len(anchors)
    assert {anchor for _, anchor, _ in rows} == set(anchors)


def test_a_count_of_this_project_is_no_published_claim():
    claim = CLAIMS["tilings/conway-5x5x5"]
    assert claim.verdict(claim.claimed) == OWN and replace(claim, source="Winning Ways").verdict(claim.claimed) == SAME
    assert claim.verdict("571 up to symmetry, 27408 in all") == DIFFERS


# -- of mazes: what is wrong is seen -----------------------------------------------------------------------------------------


def test_a_wrong_length_in_a_claim_is_a_difference(tmp_path):
    for optimum, seen in ((10, "no string of 10 letters"), (12, "a string of 11 letters")):
        claim = optima.CLAIMS[0]
        measured = optima.measure_optimum(KnownCase("thin", "2x2", 100, optimum), Place(tmp_path))
        assert measured.value == seen and replace(claim, claimed=f"{optimum} letters").verdict(measured.value) == DIFFERS


@pytest.mark.release
def test_no_string_of_a_length_by_sat(tmp_path):
    """Like the claim for blocked 4x4, on a small grid; the second time from stored results."""
    for _ in range(2):
        measured = optima.measure_by_cubes("blocked", "3x2", 4, Place(tmp_path))
        assert measured.value == "no string of 4 letters" and "cubes cover all strings" in measured.evidence
    assert optima.measure_by_cubes("blocked", "3x2", 5, Place(tmp_path)).value == "a string of 5 letters"


@pytest.mark.release
def test_windows_of_all_places(tmp_path, monkeypatch):
    """Like the claims for the 79 letters, for the shortest string of thin 2x2 and a longer one."""
    monkeypatch.setattr(windows, "SIZE", "2x2")
    monkeypatch.setattr(windows, "PUBLISHED", "NESWNENWSEN")
    assert windows.measure_windows(9, 8, Place(tmp_path)).value == "3 refuted"
    assert windows.measure_windows(9, 8, Place(tmp_path)).value == "3 refuted"
    assert windows.measure_both_ends(4, Place(tmp_path)).value == "refuted"
    assert windows.measure_refill(0, 11, Place(tmp_path)).value == "15 others"
    monkeypatch.setattr(windows, "PUBLISHED", "NEESWNENWSEN")
    assert "shorter" in windows.measure_windows(9, 8, Place(tmp_path)).value
    assert windows.measure_both_ends(5, Place(tmp_path / "longer")).value == "a string of 11 letters"
