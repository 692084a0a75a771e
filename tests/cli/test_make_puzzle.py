"""make-puzzle as a user calls it: one picture, many, and every mistake in one line."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from click.testing import CliRunner

from cnfgen_puzzles.cli.make_puzzle import COMMAND
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.api import unique

FAMILY = find_family("nonogram")
SWITCH = "#...\n.#..\n....\n..##\n"


def called(*arguments):
    done = CliRunner().invoke(COMMAND, arguments, standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.return_value, done.stdout, done.stderr


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "switch.txt").write_text(SWITCH)
    return partial(called, "nonogram")


def test_one_picture(call, tmp_path):
    code, out, _ = call("switch.txt", "-o", "x.non", "--picture", "x.svg", "--title", "Switch", "--author", "I", "--difficulty")
    assert code == 0
    assert "1 cell changed (no fewer suffice). One solution (proof checked by" in out
    assert "other board\n" in out, "the picture is shown with what was changed"
    assert "Difficulty: line logic, score" in out
    puzzle = FAMILY.read(open_source("x.non"))
    assert (puzzle.about["title"], puzzle.about["author"]) == ("Switch", "I")
    assert unique(puzzle, certify=True).verdict == "one"
    changed = [(r, c) for r, row in enumerate(SWITCH.split()) for c, sign in enumerate(row) if (sign == "#") != puzzle.goal[r][c]]
    assert [f"row {r + 1}, column {c + 1}" for r, c in changed] == [
        line.strip() for line in out.splitlines() if line.startswith("  row")
    ]
    assert "<svg" in (tmp_path / "x.svg").read_text()
    code, out, _ = call("x.non", "--json", "--line-solvable")
    entry = json.loads(out)
    assert (code, entry["changes"], entry["how"], entry["unique"], entry["line_solvable"]) == (0, [], "fewest", True, True)
    assert entry["evidence"]["kind"] == "proof"


def test_the_puzzle_alone_on_standard_output(call):
    code, out, err = call("switch.txt", "--to", "nin", "-o", "-", "-q")
    assert code == 0 and out.startswith("4 4\n") and "One solution" in err


def test_many(call, tmp_path):
    code, out, err = call(
        "--generate", "blobs", "--size", "9x8", "--smooth", "1", "--number", "4", "--seed", "3", "-o", "made", "--json"
    )
    entries = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and "4 of 4 puzzles with one solution, proved" in err
    assert sorted(entry["name"] for entry in entries) == ["blobs-0003", "blobs-0004", "blobs-0005", "blobs-0006"]
    for entry in entries:
        puzzle = FAMILY.read(open_source(tmp_path / "made" / f"{entry['name']}.non"))
        assert (puzzle.width, puzzle.height) == (9, 8)
        assert FAMILY.board_to_json(puzzle, puzzle.goal) == entry["board"]


def test_of_several_one_is_wrong(call, tmp_path):
    (tmp_path / "bad.png").write_bytes(b"\x89PNG\0\0")
    code, out, err = call("switch.txt", "bad.png", "-o", "made")
    assert code == 2 and "switch: 1 cell changed" in out and "bad: bad.png: found no picture that can be read" in err
    assert "1 of 2 puzzles with one solution, proved; 1 of their pictures was changed; 1 input was refused." in err
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["switch.non"]


@pytest.mark.parametrize(("size", "cells"), [("2", (2, 2)), ("3x2", (3, 2))])
def test_a_size(call, size, cells):
    code, _, _ = call("switch.txt", "--size", size, "-o", "x.non", "-q")
    puzzle = FAMILY.read(open_source("x.non"))
    assert code == 0 and (puzzle.width, puzzle.height) == cells


def test_nothing_in_the_time(call, tmp_path):
    code, out, _ = call("switch.txt", "--time", "1e-9", "-o", "x.non", "-q")
    assert code == 3 and "No puzzle: none was found within the time limit.\n" in out and not (tmp_path / "x.non").exists()


def test_a_difficulty_that_is_asked_for(call, tmp_path):
    code, out, _ = call("--generate", "random", "--size", "7", "--difficulty", "40-60", "-o", "x.non", "-q")
    assert code == 0 and "the difficulty is 40-60, as requested.\n" in out
    assert 40 <= int(re.search("Difficulty: .*score ([0-9]+)", out)[1]) <= 60
    code, out, _ = call("switch.txt", "--difficulty", "9000-9999", "-o", "y.non", "-q")
    assert code == 3 and "No puzzle of difficulty 9000-9999: none with this difficulty was found" in out
    assert "Nearest puzzle found: " in out and not (tmp_path / "y.non").exists()


@pytest.mark.parametrize("option", ["-o", "--picture"])
def test_where_nothing_can_be_written_nothing_is_made(call, monkeypatch, option):
    monkeypatch.setattr("cnfgen_puzzles.cli.make_puzzle.make_job", lambda *_: pytest.fail("a minute of work for nothing"))
    with pytest.raises(InputError, match="cannot be written"):
        call("switch.txt", option, "nowhere/x.non" if option == "-o" else "nowhere/x.svg")


def test_a_family_that_makes_none():
    done = CliRunner().invoke(COMMAND, ["maze", "x"], standalone_mode=False)
    assert isinstance(done.exception, InputError) and "found the family maze" in str(done.exception)
    assert "maze" not in CliRunner().invoke(COMMAND, ["--help"]).stdout


# -- tilings ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def cut(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return partial(called, "tiling")


def test_a_region_by_its_sides(cut, tmp_path):
    code, out, _ = cut("--size", "5x4", "--piece-size", "3-6", "-o", "x.yaml", "--picture", "x.svg", "--title", "Five by four")
    assert code == 0 and "The only solution" in out and "(proof checked by" in out
    family = find_family("tiling")
    puzzle = family.read(open_source("x.yaml"))
    assert puzzle.board.keys() == {(r, c) for r in range(4) for c in range(5)}, "width x height"
    assert puzzle.about["title"] == "Five by four" and "<svg" in (tmp_path / "x.svg").read_text()
    said = unique(puzzle, options={"symmetry": "representatives"}, certify=True)
    assert out.splitlines()[-1].startswith(said.sentence()[:-1].partition(" (proof")[0])
    code, out, _ = cut("x.yaml", "--json", "--piece-size", "4-6")
    entry = json.loads(out)
    assert (code, entry["unique"], entry["evidence"]["kind"]) == (0, True, "proof")


def test_a_picture_and_many(cut, tmp_path):
    (tmp_path / "boat.txt").write_text(".#...\n.##..\n#####\n.###.\n")
    code, out, err = cut(
        "boat.txt", "--piece-size", "2-5", "--time", "5", "--number", "3", "-j", "1", "-o", "made", "--json", "-q"
    )
    entries = [json.loads(line) for line in out.splitlines()]
    assert sorted(entry["name"] for entry in entries) == ["boat-0001", "boat-0002", "boat-0003"]
    unique_ones = sum(entry["unique"] for entry in entries)
    assert code == (unique_ones < 3) and f"{unique_ones} of 3 puzzles with one solution, proved." in err
    assert len(list((tmp_path / "made").iterdir())) == unique_ones
    for path in (tmp_path / "made").iterdir():
        assert len(find_family("tiling").read(open_source(str(path))).board) == 11
    code, out, err = cut("boat.txt", "--piece-size", "2-6", "--to", "yaml", "-o", "-", "-q")
    assert code == 0 and out.startswith("board: |-\n") and "The only solution" in err


def test_without_a_puzzle_nothing_is_written(cut, tmp_path):
    code, out, _ = cut("--board", "2x6", "--pieces", "domino: any", "-o", "x.yaml", "--picture", "x.svg")
    assert code == 3 and out == "No puzzle: all cuts that were found have several solutions; 1 cut examined.\n"
    assert not list(tmp_path.iterdir())


# -- random boards -----------------------------------------------------------------------------------------------------------


def test_a_grid_puzzle_in_both_formats(call, tmp_path):
    genre = find_family("slither")
    code, out, _ = called("slither", "--size", "5x4", "--seed", "3", "-o", "x.url", "--picture", "x.svg")
    assert code == 0 and "The only solution: " in out and "(proof checked by" in out and "5x4 Slitherlink, " in out
    puzzle = genre.read(open_source("x.url"))
    assert (puzzle.width, puzzle.height, unique(puzzle).verdict) == (5, 4, "one")
    assert "<svg" in (tmp_path / "x.svg").read_text()
    assert called("slither", "--size", "5x4", "--seed", "3", "-o", "x.txt", "-q")[0] == 0
    assert genre.read(open_source("x.txt")) == puzzle, "a seed is one puzzle"
    assert called("slither", "--size", "5x4", "--seed", "3")[1].endswith("\n" + (tmp_path / "x.url").read_text())
    code, out, _ = called("slither", "--size", "5x4", "--seed", "3", "--json")
    entry = json.loads(out)
    assert genre.puzzle_from_json(entry["puzzle"]) == puzzle and (entry["unique"], entry["evidence"]["kind"]) == (True, "proof")
    assert genre.check(puzzle, genre.board_from_json(puzzle, entry["boards"][0])) == []


def test_several_grid_puzzles_and_none(call, tmp_path):
    code, out, _ = called("lightup", "--size", "4", "--number", "2", "--seed", "4", "-o", "made", "--jobs", "1", "--json")
    assert code == 0
    assert {json.loads(line)["seed"] for line in out.splitlines()} == {4, 5}
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["lightup-0004.url", "lightup-0005.url"]
    code, out, _ = called("mashu", "--size", "1", "-o", "none.url")
    assert code == 3 and "No puzzle: the search from this seed found none of 1x1 cells with one solution." in out
    assert not (tmp_path / "none.url").exists()


@pytest.mark.parametrize(("genre", "side"), [("sudoku", 9), ("skyscrapers", 5)])
def test_the_default_size_fits_the_genre(genre, side):
    code, out, _ = called(genre, "--quiet")
    assert code == 0 and f"\n{genre}/{side}/{side}/" in out
