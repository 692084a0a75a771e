"""The nonograms of the repository equal the output of the script and the table, and all can be read; so can the samples."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from nonogramnaive import count

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.formats import FORMATS, read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import clues_of

SUFFIXES = {suffix for entry in FORMATS.values() for suffix in entry.suffixes}


@pytest.fixture(scope="module")
def script(load_script):
    return load_script("make_nonograms")


@pytest.fixture(scope="module")
def truth(nonograms):
    return yaml.safe_load((nonograms / "truth.yaml").read_text(encoding="utf-8"))


def puzzle_files(folder: Path) -> dict[str, Path]:
    paths = (path for path in folder.rglob("*") if path.suffix in SUFFIXES)
    return {path.relative_to(folder).as_posix(): path for path in paths}


def test_the_script_makes_exactly_these_files(script, nonograms, tmp_path):
    script.main(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    shipped = {name: path.read_bytes() for name, path in puzzle_files(nonograms).items() if "/" not in name}
    assert set(made) == {*shipped, "README.md"}
    for name, data in made.items():
        assert data == (nonograms / name).read_bytes(), name


def test_truth_names_every_file_and_no_other(nonograms, truth):
    assert set(truth) == set(puzzle_files(nonograms))
    for name, known in truth.items():
        assert known["solutions"] in ("one", "several", "none"), name
        count = known.get("count")
        assert count is None or {0: "none", 1: "one"}.get(count, "several") == known["solutions"], name


def test_every_puzzle_is_read_and_its_goal_is_a_solution(nonograms, truth):
    files = puzzle_files(nonograms)
    assert files
    for name, path in files.items():
        puzzle = read_puzzle(open_source(path))
        if puzzle.goal is not None:
            assert FAMILY.check(puzzle, puzzle.goal) == [], name
        if puzzle.contradictions():
            assert truth[name]["solutions"] == "none"


def test_pictures_come_from_the_drawings(script, nonograms):
    drawn = script.drawings()
    assert len(drawn) >= 10
    drawn |= {name: (title, puzzle.goal) for name, (title, puzzle) in script.colored_drawings().items()}
    for name, (_, board) in drawn.items():
        (path,) = (path for path in nonograms.iterdir() if path.stem == name)
        assert FAMILY.check(read_puzzle(open_source(path)), board) == []


def test_redistributed_puzzles_keep_their_attribution(nonograms):
    page = (nonograms / "webpbn" / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in (nonograms / "webpbn").glob("*.nin")}
    assert len(names) == 12
    assert all(f"| {name} |" in page for name in names)


# -- the sample puzzles of Wolter's survey ----------------------------------------------------------------------------


def test_sample_puzzles_are_read(nonograms, samples):
    shipped = list((nonograms / "webpbn").glob("*.nin"))
    assert shipped and all(path.read_bytes() == (samples / path.name).read_bytes() for path in shipped), "unchanged"
    found = {path.stem: read_puzzle(open_source(path)) for path in samples.glob("*.nin")}
    assert len(found) == 28
    sizes = {"webpbn-00001": (5, 10), "webpbn-00027": (27, 23), "webpbn-12548": (47, 40), "webpbn-22336": (99, 59)}
    for name, size in sizes.items():
        assert (found[name].width, found[name].height) == size
    assert not any(puzzle.contradictions() for puzzle in found.values())


def test_sample_puzzles_agree_in_both_formats(samples):
    paths = sorted(samples.glob("*.non"))
    assert paths
    for path in paths:
        non, nin = read_puzzle(open_source(path)), read_puzzle(open_source(path.with_suffix(".nin")))
        assert (non.rows, non.columns) == (nin.rows, nin.columns)
        drawn = clues_of(non.goal)
        assert (drawn.rows, drawn.columns) == (non.rows, non.columns)
        assert non.about["author"] == "Jan Wolter"


# -- the small ones, counted by other code ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("letter-a.non", "heart.nin", "permutations-5.nin", "sums-differ-5.nin", "too-long-10.cwd", "random-10-50.nin"),
        *("webpbn/webpbn-00001.nin", "webpbn/webpbn-00023.nin"),
    ],
)
def test_small_puzzles_have_as_many_solutions_as_the_truth_says(nonograms, truth, name):
    puzzle = read_puzzle(open_source(nonograms / name))
    assert count(puzzle.rows, puzzle.columns) == truth[name]["count"]
