"""Local search for maze strings: moves, both engines against each other and the simulator, and rounds of the search."""

import json
from random import Random

import pytest
from mazenaive import all_lines, solves

from cnfgen_puzzles.families.maze.formats import read
from studies.maze_search.annealing import LocalSearch
from studies.maze_search.moves import canonical, mazes_to_solve
from studies.mazes.commands import run_study

TWELVE = "NEESWNENWSEN"  # solves all thin mazes of 2x2, with a letter too many
ELEVEN = "NESWNENWSEN"


def truly_solves(kind, height, width, string):
    """Whether the string solves all mazes of the grid, by plain walks."""
    return all(solves(line, string) for line in all_lines(kind, height, width))


# -- engines ----------------------------------------------------------------------------------------------------------------

PUZZLES = [
    ("thin", "2x2", "*" * 9),
    ("thin", "3x2", "NE" + "*" * 10 + "S" + "*" * 9),
    ("blocked", "4x4", "*" * 24),
    ("thin", "3x1", "*"),
]


@pytest.mark.release
@pytest.mark.long
@pytest.mark.parametrize(("kind", "size", "pattern"), PUZZLES)
def test_both_engines_make_the_same_changes(kind, size, pattern):
    pytest.importorskip("numba")
    puzzle = read(None, kind=kind, size=size, pattern=pattern, reduce="none")
    plain, compiled = (LocalSearch(puzzle, Random(5), compiled=compiled) for compiled in (False, True))
    for temperature in (9.0, 2.0, 0.4):
        for walk in (plain, compiled):
            walk.go(40, temperature)
        assert (plain.string, plain.cost, plain.best) == (compiled.string, compiled.cost, compiled.best)
        assert plain.cost == len(puzzle.mazes.unsolved(plain.string))
        assert plain.best.cost == len(puzzle.mazes.unsolved(plain.best.string))
        assert all(wanted in ("*", letter) for wanted, letter in zip(pattern, plain.string, strict=True))
        compiled.sort(10)  # another order of the mazes, the same walk


# -- the search -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def search(tmp_path, capsys):
    """`search(...)` runs the command on 2x2 and returns exit code, found strings, rounds, and output."""

    def run(*words):
        code = run_study("maze_search", ["--size", "2x2", "--folder", str(tmp_path), *map(str, words)])
        kept = [tmp_path / name for name in ("found.jsonl", "rounds.jsonl")]
        lines = [[json.loads(line) for line in path.read_text().splitlines()] if path.exists() else [] for path in kept]
        return code, *lines, capsys.readouterr()

    return run


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_optimum_of_two_by_two_is_reached_and_resumed(search, tmp_path, jobs):
    words = ("--length", 13, "--until", 11, "--methods", "descent,shorten,window")
    code, found, rounds, printed = search(*words, "--time", 120, "--jobs", jobs)
    assert code == 0 and "shortest: 11 letters" in printed.out
    assert min(record["length"] for record in found) == 11
    for record in found:
        assert len(record["string"]) == record["length"] and truly_solves("thin", 2, 2, record["string"])
    assert found[-1]["seconds"] <= sum(record["seconds"] for record in rounds) + 0.1
    with (tmp_path / "found.jsonl").open("a") as stream:
        stream.write('{"kind": "thi')  # cut off
    again = search(*words)
    assert (again[1], again[2]) == (found, rounds)
    assert printed.out.splitlines()[-3:] == again[3].out.splitlines()[-3:]


def test_windows_shorten_a_string(search):
    code, found, rounds, _ = search("--from", TWELVE, "--methods", "window", "--until", 11, "--time", 120)
    assert code == 0
    assert {record["method"] for record in rounds} == {"window"}
    assert (found[0]["string"], found[0]["method"]) == (TWELVE, "given")
    assert found[-1]["length"] == 11 and truly_solves("thin", 2, 2, found[-1]["string"])


@pytest.mark.parametrize("method", ["others", "wander"])
def test_other_strings_of_the_same_length(search, method):
    _, found, rounds, _ = search("--from", TWELVE, "--methods", method, "--time", 1.5)
    assert {record["method"] for record in rounds} == {method}
    strings = [record["string"] for record in found]
    assert len(strings) > 2 and {len(string) for string in strings} == {12}
    assert all(truly_solves("thin", 2, 2, string) for string in strings)
    mazes = mazes_to_solve("thin", "2x2")
    assert len({canonical(mazes, string) for string in strings}) == len(strings)


def test_a_string_that_fails_is_repaired(search):
    broken = ELEVEN[:4] + "S" + ELEVEN[5:]
    code, found, rounds, printed = search("--from", broken, "--length", 11, "--methods", "repair", "--until", 11)
    assert code == 0 and "that fail in" in printed.out
    assert rounds[-1]["method"] == "repair" and truly_solves("thin", 2, 2, found[-1]["string"])


def test_nothing_shorter_than_the_optimum_is_claimed(search):
    code, found, rounds, printed = search("--from", ELEVEN, "--time", 3)
    assert code == 0 and {record["length"] for record in found} == {11}
    assert len(found) <= 2  # up to symmetry: four that begin with N, and there are eight symmetries
    assert {record["verdict"] for record in rounds if record["method"] == "window"} <= {"UNSATISFIABLE", "no time"}
    assert "shortest: 11 letters" in printed.out


@pytest.mark.release
def test_a_folder_of_another_grid_is_refused(search):
    assert search("--length", 11, "--until", 11, "--time", 60)[0] == 0
    code, *_, printed = search("--size", "3x1", "--length", 4)
    assert code == 2 and "found rounds for thin 2x2" in printed.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "found neither --length nor --from"),
        (["--length", "0"], "expected 1 to"),
        (["--length", "9", "--methods", "luck"], "'luck'"),
        (["--length", "9", "--time", "nan"], "--time"),
        (["--length", "9", "--jobs", "0"], "--jobs"),
        (["--from", "NEX"], "'X'"),
        (["--from", "NES"], "expected one, or --length"),
        (["--size", "9x9", "--length", "9"], "9x9"),
    ],
)
def test_what_cannot_be_is_said(search, words, told):
    code, *_, printed = search(*words)
    assert code == 2 and told in printed.err and "Traceback" not in printed.err


@pytest.mark.release
@pytest.mark.parametrize(("kind", "size", "length"), [("thin", "3x2", 25), ("blocked", "4x4", 29)])
def test_known_optima_are_reached(search, kind, size, length):
    words = ("--kind", kind, "--size", size, "--length", length + 3, "--until", length, "--time", 1500)
    code, found, _, _ = search(*words)
    best = min(found, key=lambda record: record["length"])
    assert code == 0 and best["length"] == length
    assert truly_solves(kind, *map(int, reversed(size.split("x"))), best["string"])
