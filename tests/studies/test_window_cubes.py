"""Certificates of windows by cubes: an independent checker writes the same formulas, and refuses wrong certificates."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pytest

pytest.importorskip("numpy")

from mazeforgeries import REFUSED, accepted_forgeries, verdict

from cnfgen_puzzles.families.maze import sets
from studies.maze_windows.campaign import WindowCampaign, WindowSettings
from studies.maze_windows.windowsearch import WindowSearch

BEST_2X3 = "NEESWSWNSEENWSWNWSENWNEES"
"""Solves all thin mazes of 3x2."""


def refuted_cubes(folder, kind, size, pattern, tuples=None, **settings):
    """A run of cubes of a window without fillings; by default with the tuples that the search finds."""
    mazes = sets.mazes_of(kind, size)
    if tuples is None:
        search = WindowSearch(mazes, pattern)
        assert search.run().strings == ()
        tuples = [tuple(search.machines.mazes[maze] for maze in bound) for bound in search.bounds]
    made = WindowCampaign(mazes, pattern, tuples, folder, WindowSettings(keep_proofs=True, **settings))
    with ThreadPoolExecutor(1) as executor:
        made.decide(executor, 1)
    assert made.refuted
    return made


@pytest.fixture(scope="module")
def checker(load_script):
    return load_script("check_maze_window_cubes")


CASES = {
    "thin": ("thin", "3x2", BEST_2X3[:5] + "*" * 7 + BEST_2X3[13:], None, 6),
    "thin with any tuples": ("thin", "2x2", "NE" + "*" * 6 + "SW", list(combinations(range(8), 2)), 3),
    "blocked": ("blocked", "3x3", "*" * 8 + "E", list(combinations(range(0, 39, 4), 2)), 4),
    "no tuple": ("thin", "2x2", "*" * 7, [], 1),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", CASES)
def test_the_checker_writes_the_same_formulas(checker, tmp_path, name):
    kind, size, pattern, tuples, count = CASES[name]
    run = refuted_cubes(tmp_path, kind, size, pattern, tuples, count=count)
    said = verdict(checker.check, tmp_path, json.loads(json.dumps(run.certificate())), proofs=tmp_path)
    free, ends = pattern.count("*"), (len(pattern.partition("*")[0]), len(pattern.rpartition("*")[2]))
    assert said.startswith(f"no {free} letters between {ends[0]} and {ends[1]} fixed ones solve all {kind} {size} mazes: ")
    assert f"{len(run.of_verdict('refuted'))} cubes cover all fillings" in said and "their proofs checked" in said
    assert (" 0 lemmas" in said) == (name == "no tuple"), said


@pytest.mark.release
def test_what_does_not_hold_is_refused(checker, tmp_path):
    run = refuted_cubes(tmp_path, *CASES["blocked"][:4], count=4)
    entry = json.loads(json.dumps(run.certificate()))
    assert not verdict(checker.check, tmp_path, entry, proofs=tmp_path).startswith(REFUSED)
    assert accepted_forgeries(checker.check, tmp_path, entry) == []
    first = entry["cubes"][0]
    proof = tmp_path / f"cube-{first['prefix']}.drat.gz"
    proof.unlink()
    assert verdict(checker.check, tmp_path, entry, proofs=tmp_path).startswith(REFUSED)


def test_a_missing_cube_is_detected(checker, tmp_path):
    """Unless another cube leads to the same state, or a tuple needs more letters."""
    run = refuted_cubes(tmp_path, *CASES["blocked"][:3], [], count=4)
    entry = json.loads(json.dumps(run.certificate()))
    assert len(entry["cubes"]) > 3
    for missing in random.Random(1).sample(entry["cubes"], 2):
        fewer = {**entry, "cubes": [cube for cube in entry["cubes"] if cube is not missing]}
        assert "are in no cube" in verdict(checker.check, tmp_path, fewer)
