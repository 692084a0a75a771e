"""The claims: every published number is a row, the quick rows are true, and docs/results.md is what the findings say.

The articles' counts and the shortest other rows are measured here, for about `BUDGET` seconds; the rest of the quick ones under
the marker `slow`, and `make reproduce` shows them all.
"""

from pathlib import Path

import pytest

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.tiling.puzzle import claims_of
from studies.claims import DIFFERS, Place
from studies.findings import read_findings
from studies.nonogram_survey.survey import SHIPPED
from studies.pentominoes.claims import ARTICLES
from studies.reproduce import PAGE, all_studies
from studies.resultspage import page

ROOT = Path(__file__).resolve().parents[2]
STUDIES = all_studies()
CLAIMS = {claim.key: claim for claims in STUDIES.values() for claim in claims}
BUDGET = 12.0

KNOWN = {
    "four-holes/unexplained": "at least 3 cases",
    "four-holes/all": "except in 1,226 cases",
}
"""What is measured where it is not what is claimed: the claim is wrong."""

NONOGRAMS = """
    00001 150 562 one, 00006 1168 10215 one, 00016 7484 191564 one, 00021 1240 11481 one, 00023 311 1498 one,
    00027 2958 38258 one, 00065 7452 134010 one, 00436 6900 134480 one, 00529 10487 226237 one, 00803 9838 278533 one,
    01611 25004 921246 one, 01694 13264 391427 one, 02040 26445 1182535 one, 02413 1682 15032 one, 02556 11041 340630 several,
    02712 13212 364416 several, 03541 19249 676595 one, 04645 19159 793580 one, 06574 2932 33191 one, 06739 10900 256833 several,
    07604 18296 478535 one, 08098 1255 10950 one, 09892 13887 419787 several, 10088 23483 1020515 several,
    10810 25726 895436 several, 12548 13685 486012 several, 18297 9708 272394 several, 22336 67137 5420886 several
"""
MAZES = """
    maze-reductions/thin-3x3-triples: 138,172
    maze-reductions/thin-3x3-pairs: 10,772
    maze-reductions/blocked-4x4: 3,828
    maze-reductions/blocked-4x4-sets: 2,423
    maze-reductions/blocked-4x4-goal: 2,083
    maze-reductions/blocked-4x4-dominance: 1,874
    maze-search/79-letters: solves all 138,172
    maze-windows/26-by-25: 54 refuted
    maze-windows/both-ends: refuted
    maze-windows/refill-10: only itself
    maze-windows/refill-15: only itself
    maze-optima/thin-1x2: 2 mazes, 2 letters
    maze-optima/thin-1x3: 10 mazes, 4 letters
    maze-optima/thin-2x2: 100 mazes, 11 letters, 4 strings that begin with N
    maze-optima/thin-2x3: 1,842 mazes, 25 letters, 2 strings that begin with N or E
    maze-optima/thin-3x3: 26 to 79 letters
    maze-optima/blocked-2x2: 3 mazes, 3 letters
    maze-optima/blocked-2x3: 8 mazes, 5 letters
    maze-optima/blocked-3x3: 51 mazes, 11 letters, 2 strings
    maze-optima/blocked-3x4: 295 mazes, 17 letters, 3 strings
    maze-optima/blocked-4x4: 3,828 mazes, 29 letters, 34 strings
    maze-optima/blocked-4x4-by-sat: no string of 28 letters
"""
PLACEMENTS = "F 288, I 64, L 280, N 280, P 336, T 144, U 168, V 144, W 144, X 36, Y 280, Z 144, O 49"
NUMBERS = {"02556": "1,263,904", "02712": "11,587,557,534", "06739": "6", "10810": "5,222,571,924,721,419", "18297": "3"}
CENSUS = """
    nonogram-census/up-to-4x4: clue pairs 2, 15, 445, 58,196; one solution 2, 14, 384, 52,362
    nonogram-census/5x5: 28,781,820 clue pairs, 25,309,575 with one solution
    nonogram-census/6x6: 57,385,248,472 clue pairs, 49,745,060,669 with one solution
    nonogram-census/line-logic-up-to-4x4: 2, 14, 384, 51,234
    nonogram-census/line-logic-5x5: 24,976,511
"""
COUNTS = {
    "pentominoes-8x8-square": "16146 up to symmetry, 129168 in all",
    "pentominoes-6x10": "2339 up to symmetry, 9356 in all",
    "pentominoes-5x12": "1010 up to symmetry, 4040 in all",
    "pentominoes-4x15": "368 up to symmetry, 1472 in all",
    "pentominoes-3x20": "2 up to symmetry, 8 in all",
    "pentominoes-8x8-centre": "65 up to symmetry, 520 in all",
    "pentominoes-8x8-corners": "2170 up to symmetry, 17360 in all",
    "triplication-f": "125 up to symmetry, 125 in all",
    "tetrominoes-4x5": "0 in all",
    "tetrominoes-2x10": "0 in all",
    "tetrominoes-one-sided-4x7": "0 in all",
    "hexiamonds-3x12": "0 up to symmetry",
    "tetrahexes-triangle": "0 in all",
    "dominoes-2x10": "89 in all",
    "dominoes-4x4": "36 in all",
    "dominoes-6x6": "6728 in all",
    "dominoes-2x2x2": "9 in all",
    "dominoes-mutilated-8x8": "0 in all",
    "l-trominoes-2x3": "2 in all",
    "l-trominoes-4x6": "18 in all",
    "t-tetrominoes-4x4": "2 in all",
    "t-tetrominoes-4x8": "6 in all",
    "soma-cube": "240 up to symmetry, 11520 in all",
    "slothouber-graatsma": "1 up to symmetry, 8 in all",
    "solid-pentominoes-2x3x10": "12 up to symmetry, 96 in all",
    "solid-pentominoes-2x5x6": "264 up to symmetry, 2112 in all",
    "solid-pentominoes-3x4x5": "3940 up to symmetry, 31520 in all",
    "bedlam-cube": "19186 up to rotations, 460464 in all",
}


def published():
    """Keys and what the sources say, typed here once more."""
    for row in NONOGRAMS.split(","):
        puzzle, variables, clauses, number = row.split()
        solutions = {"one": "one solution", "several": "several solutions"}[number]
        yield f"nonograms/webpbn-{puzzle}", f"{variables} variables, {clauses} clauses; {solutions}"
    for row in PLACEMENTS.split(","):
        piece, number = row.split()
        yield f"placements/{piece}", number
    for puzzle, number in NUMBERS.items():
        yield f"nonogram-counts/webpbn-{puzzle}", f"{number} solutions"
    for name, number in COUNTS.items():
        yield f"tilings/{name}", number
    yield "four-holes/classes", "635,376 hole sets, 79,920 up to symmetry"
    yield "four-holes/all", "except in 2 cases"
    for entry in [*MAZES.strip().splitlines(), *CENSUS.strip().splitlines()]:
        key, _, claimed = entry.partition(": ")
        yield key.strip(), claimed


def test_keys_are_unique():
    assert len(CLAIMS) == sum(len(claims) for claims in STUDIES.values())
    assert all(not set(key) & set("*?[]' ,") and "/" in key for key in CLAIMS)


@pytest.mark.parametrize(("key", "claimed"), list(published()))
def test_every_published_number_is_a_row(key, claimed):
    assert CLAIMS[key].claimed == claimed


def test_every_puzzle_that_claims_a_number_is_a_row():
    puzzles = {
        path.stem: find_family("tiling").read(open_source(path)) for path in (ROOT / "instances" / "tiling").glob("*.yaml")
    }
    named = {f"tilings/{name}" for name, puzzle in puzzles.items() if claims_of(puzzle.about)}
    assert named == {key for key in CLAIMS if key.startswith("tilings/")}


def quick():
    """The quick claims that need nothing of the user's own; those beyond the budget are slow. Of mazes: `test_maze_claims.py`."""
    chosen = [claim for claim in CLAIMS.values() if not claim.full and not needs_a_copy(claim.key)]
    chosen = [claim for claim in chosen if not claim.key.startswith("maze-")]
    longest = {"pentominoes-4x15", "pentominoes-6x10"}  # which take two thirds of the time
    first = {f"tilings/{name}" for name in ARTICLES if name not in longest}
    left = BUDGET
    for claim in sorted(chosen, key=lambda claim: (claim.key not in first, claim.seconds)):
        fits = left >= claim.seconds
        left -= claim.seconds if fits else 0
        yield pytest.param(claim, id=claim.key, marks=() if fits else (pytest.mark.release, pytest.mark.timeout(3600)))


def needs_a_copy(key):
    return key.startswith("nonograms/") and not (SHIPPED / f"{key.removeprefix('nonograms/')}.nin").exists()


@pytest.mark.parametrize("claim", list(quick()))
def test_a_quick_claim(claim, tmp_path):
    measured = claim.measure(Place(tmp_path))
    assert measured.value == KNOWN.get(claim.key, claim.claimed)
    assert measured.evidence
    assert measured.why or claim.key not in KNOWN


def test_a_nonogram_that_is_not_there_is_not_decided(tmp_path):
    missing = next(claim for claim in CLAIMS.values() if needs_a_copy(claim.key))
    measured = missing.measure(Place(tmp_path, puzzles=tmp_path))
    assert measured.value is None
    assert "the puzzle is not there" in measured.why


def test_the_page_is_what_the_findings_say():
    findings = read_findings(PAGE.with_suffix(".jsonl"))
    assert PAGE.read_text(encoding="utf-8") == page(STUDIES, findings)
    differing = {
        key: found.value for key, found in findings.items() if found.decided and CLAIMS[key].verdict(found.value) == DIFFERS
    }
    assert differing.items() <= KNOWN.items()
    assert all(findings[key].why for key in differing)
