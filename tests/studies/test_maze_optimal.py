"""Shortest maze strings by search, and the checkers: optima in both directions, other small grids, wrong certificates."""

import json
from itertools import product

import pytest

pytest.importorskip("numpy")

from mazeforgeries import accepted_forgeries, verdict

from cnfgen_puzzles.families.maze import sets
from studies.maze_optima.known import BOUNDS
from studies.mazes.commands import run_study
from studies.mazes.exhaustive import ExhaustiveSearch, Unfinished, refutation_certificate


@pytest.mark.release
def test_a_length_refuted_by_mazes_of_few_states(check, tmp_path, capsys):
    words = ["--folder", str(tmp_path), "--states", "6", "--length"]
    assert run_study("maze_optima", [*words, "14", "--kind", "thin", "--size", "3x2"]) == 0
    assert "no string of 14 letters" in capsys.readouterr().out
    assert verdict(check, tmp_path, (tmp_path / "thin-3x2-14.json").read_text()).startswith("no string of 14 letters")
    assert run_study("maze_optima", [*words, "10", "--kind", "blocked", "--size", "3x3"]) == 2
    assert "choose more mazes to decide 10 letters" in capsys.readouterr().err


@pytest.mark.release
def test_a_search_starts_with_the_mazes_of_a_certificate(check, tmp_path, capsys):
    """The mazes that refute 14 letters refute 13, but not 24; they are no mazes of another grid."""
    case = ["--kind", "thin", "--size", "3x2"]
    assert run_study("maze_optima", ["--folder", str(tmp_path / "a"), "--length", "14", "--states", "6", *case]) == 0
    start = ["--folder", str(tmp_path / "b"), "--start", str(tmp_path / "a" / "thin-3x2-14.json"), "--length"]
    assert run_study("maze_optima", [*start, "13", *case]) == 0
    again = (tmp_path / "b" / "thin-3x2-13.json").read_text()
    assert verdict(check, tmp_path, again).startswith("no string of 13 letters")
    assert set(json.loads(again)["mazes"]) <= set(json.loads((tmp_path / "a" / "thin-3x2-14.json").read_text())["mazes"])
    capsys.readouterr()
    assert run_study("maze_optima", [*start, "24", *case]) == 2
    assert "choose more mazes to decide 24 letters" in capsys.readouterr().err
    assert run_study("maze_optima", [*start, "14", "--kind", "thin", "--size", "2x2"]) == 2
    assert "found thin 3x2, expected thin 2x2" in capsys.readouterr().err
    assert run_study("maze_optima", [*start, "14", *case, "--method", "cubes"]) == 2
    assert "--start: the method cubes takes all mazes" in capsys.readouterr().err
    (tmp_path / "a" / "thin-3x2-14.json").unlink()
    assert run_study("maze_optima", [*start, "14", *case]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.fixture(scope="module")
def checker(load_script):
    return load_script("check_maze_certificate")


@pytest.fixture
def check(checker):
    return lambda path: checker.check(json.loads(path.read_text()))


def mazes_of(kind, height, width):
    return sets.mazes_of(kind, f"{width}x{height}")


def by_walking(strings, kind, height, width, length):
    """All universal strings of a length, by brute force."""
    everything = list(strings.mazes(kind, height, width))
    tried = map("".join, product("NESW", repeat=length))
    return tuple(sorted(string for string in tried if all(strings.solves(string, *maze) for maze in everything)))


@pytest.mark.parametrize(
    "kind, height, width, length",
    [("thin", 1, 2, 2), ("thin", 1, 3, 4), ("thin", 1, 3, 5), ("blocked", 2, 2, 3), ("blocked", 2, 3, 5), ("blocked", 2, 3, 6),
     ("blocked", 1, 4, 3), ("blocked", 1, 1, 0), ("blocked", 1, 2, 2)],
)  # fmt: skip
def test_all_strings_of_small_cases(strings, kind, height, width, length):
    """At the optimum and one letter beyond it, where there are many strings and moves without effect."""
    outcome = ExhaustiveSearch(mazes_of(kind, height, width), length).run(every=True)
    assert outcome.strings == by_walking(strings, kind, height, width, length) != ()
    assert not length or kind == "thin" or length == 6 or ExhaustiveSearch(mazes_of(kind, height, width), 0).run().strings == ()


@pytest.mark.release
def test_the_table(tmp_path, capsys):
    assert run_study("maze_optima", ["--table", "--size", "2x2", "--folder", str(tmp_path)]) == 0
    assert run_study("maze_optima", ["--table", "--size", "3x3", "--folder", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "4 (first N)  4 (first N)" in printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["blocked-2x2-2.json", "blocked-3x3-10.json", "thin-2x2-10.json"]


def test_a_search_that_is_given_too_little_time(tmp_path):
    """It terminates, independent of its progress messages."""
    search = ExhaustiveSearch(mazes_of("blocked", 3, 3), 10, seconds=0.0)
    with pytest.raises(Unfinished, match="processor time limit"):
        search.run()
    assert ExhaustiveSearch(mazes_of("blocked", 3, 3), 10, seconds=1e6).run().strings == ()


def test_an_optimum_that_is_not_in_the_table(strings, tmp_path, capsys):
    assert run_study("maze_optima", ["--kind", "blocked", "--size", "2x3", "--list", "--folder", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "no string of 4 letters" in printed
    found = by_walking(strings, "blocked", 3, 2, 5)
    assert printed.splitlines()[-1 - len(found) : -1] == list(found)
    assert (
        "checked again" not in printed
        and run_study("maze_optima", ["--size", "2x3", "--length", "4", "--folder", str(tmp_path)]) == 0
    )
    assert "(0.0 s, checked" in capsys.readouterr().out  # by its certificate


@pytest.mark.parametrize(
    "words, message",
    [
        (["--size", "4y"], "expected width x height"),
        (["--size", "9x9"], "too many|expected at most"),
        (["--size", "2x2", "--length", "-1"], "expected 0 to 254"),
        ([], "neither --size nor --table"),
    ],
)
def test_errors_of_users(tmp_path, capsys, words, message):
    import re

    assert run_study("maze_optima", [*words, "--folder", str(tmp_path)]) == 2
    printed = capsys.readouterr().err
    assert re.search(message, printed) and printed.count("\n") == 1


# -- the checkers -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def entries():
    """Certificates with levels in which every tuple matters: single mazes and pairs, so that there are many states."""
    found = []
    for kind, height, width, length in (("blocked", 3, 3, 10), ("thin", 2, 2, 10)):
        mazes = mazes_of(kind, height, width)
        search = ExhaustiveSearch(mazes, length)
        search.explore = lambda stop: (0, 0.0, None)  # no hill climbing: mazes come one by one from strings that fail
        found.append(refutation_certificate(mazes, length, search.run().sweep))
    return found


@pytest.mark.release
def test_certificates_hold(check, entries, tmp_path):
    assert len(entries) == 2
    for entry in entries:
        assert len(entry["levels"]) > 5 and max(entry["levels"]) > 20
        assert verdict(check, tmp_path, entry).startswith(f"no string of {entry['length']} letters solves all {entry['kind']}")


@pytest.mark.release
@pytest.mark.parametrize(
    "bounds", [pytest.param(each, marks=[pytest.mark.release] * (each.seconds > 10), id=each.size) for each in BOUNDS]
)
def test_stored_certificates_hold(check, bounds, tmp_path):
    claim = f"no string of {bounds.least - 1} letters solves all {bounds.kind} {bounds.size} mazes"
    assert verdict(check, tmp_path, bounds.certificate.read_text()).startswith(claim)


@pytest.mark.parametrize("number", [0, 1])
def test_what_does_not_hold_is_refused(check, entries, tmp_path, number):
    assert accepted_forgeries(check, tmp_path, entries[number]) == []


@pytest.mark.parametrize(
    "kind, maze",
    [
        ("blocked", ".#./#../..."),  # no way
        ("blocked", "#../.../..."),
        ("blocked", ".../.../..#"),
        ("blocked", ".../..."),
        ("blocked", "..../.../..."),
        ("blocked", ".../.x./..."),
        ("thin", "2../.../... 0,0"),  # only one side of the edge is open
        ("thin", "8../.../... 0,0"),  # open to the outside
        ("thin", "28./.../... 3,0"),
        ("thin", "28./.../..."),
        ("thin", "28./.../..g 0,0"),
    ],
)
def test_mazes_of_another_case_are_refused(checker, kind, maze):
    with pytest.raises(ValueError):
        checker.read_maze(kind, 3, 3, maze)


def test_the_checker_exits_with_one(command, entries, tmp_path):
    import subprocess
    import sys
    from pathlib import Path

    program = Path(__file__).parents[2] / "scripts" / "check" / "check_maze_certificate.py"
    good, cut = tmp_path / "good.json", tmp_path / "cut.json"
    good.write_text(json.dumps(entries[0]))
    cut.write_text(json.dumps(entries[0])[:-30])
    for files, code, words in (
        ([good], 0, "verified"),
        ([good, cut], 1, "REFUSED"),
        ([tmp_path / "none"], 1, "REFUSED"),
        ([], 1, ""),
    ):
        run = subprocess.run([sys.executable, program, *files], capture_output=True, text=True, check=False)
        assert run.returncode == code and words in run.stdout and "Traceback" not in run.stderr


def test_the_checker_is_small_and_does_not_import_the_package():
    from pathlib import Path

    text = (Path(__file__).parents[2] / "scripts" / "check" / "check_maze_certificate.py").read_text()
    assert len(text.splitlines()) <= 175
    assert "cnfgen_puzzles" not in text


def test_strings_are_walked_through_all_mazes(strings):
    counts = {("thin", 2, 3): 608, ("blocked", 3, 3): 51, ("blocked", 4, 4): 3828, ("blocked", 2, 3): 8}
    for case, count in counts.items():
        assert sum(1 for _ in strings.mazes(*case)) == count
    assert all(strings.solves("ESEESWWSSEE", *maze) for maze in strings.mazes("blocked", 3, 3))
    assert not all(strings.solves("ESEESWWSSE", *maze) for maze in strings.mazes("blocked", 3, 3))
