"""scripts/studies/maze_windows.py: windows with and without a shorter filling, all fillings, resumed records."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from mazeforgeries import accepted_forgeries
from mazenaive import all_lines, solves

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.puzzle import MazeString
from cnfgen_puzzles.families.maze.sets import mazes_of
from cnfgen_puzzles.pipeline.cegar import CegarLoop
from studies.maze_windows import methods
from studies.maze_windows.campaign import WindowCampaign, WindowSettings
from studies.maze_windows.questions import Question, check_agreement, opened
from studies.maze_windows.windowsearch import WindowSearch
from studies.mazes.commands import run_study

METHODS = ["loop", "exhaustive", "cubes"]
EVERY_FILLING = ["loop", "exhaustive"]
BEST_2X3 = "NEESWSWNSEENWSWNWSENWNEES"
BEST = "NESWNENWSEN"  # solves all thin mazes of 2x2; there is no shorter one
LONG = "NEESSWNENWSENN"  # solves them too


@pytest.fixture
def windows(tmp_path, capsys):
    """`windows(STRING, ...)` runs the command on 2x2 and returns exit code, records by offset, and output."""

    def run(string, *words):
        code = run_study("maze_windows", [string, "--size", "2x2", "--folder", str(tmp_path / "w"), *map(str, words)])
        path = tmp_path / "w" / "windows.jsonl"
        records = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return code, sorted(records, key=lambda record: record["offset"]), capsys.readouterr()

    return run


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", METHODS)
def test_no_window_of_a_shortest_string_can_be_shorter(windows, method):
    offsets = (0, 2, 3, 5) if method != "cubes" else (0, 5)  # each starts a worker
    words = ["--windows", ",".join(map(str, offsets)), "--certify", "--near", "--method", method]
    code, records, printed = windows(BEST, "--window", 6, *words)
    assert code == 0
    assert [record["verdict"] for record in records] == ["refuted"] * len(offsets)
    assert all(record["proof"]["verified"] for record in records)
    assert f"{len(offsets)} refuted" in printed.out


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", METHODS)
def test_a_window_with_a_shorter_filling(windows, method):
    code, records, _ = windows(LONG, "--window", 8, "--replace", 6, "--windows", "0,3", "--jobs", 2, "--method", method)
    assert code == 0
    shorter = [record for record in records if record["verdict"] == "shorter"]
    assert {"shorter", "refuted"} == {record["verdict"] for record in records}
    for record in shorter:
        (string,) = record["found"]
        assert len(string) == len(LONG) - 2
        assert not mazes_of("thin", "2x2", "none").unsolved(string)


@pytest.mark.parametrize("method", EVERY_FILLING)
def test_all_fillings_of_the_same_length(windows, method):
    _, records, _ = windows(BEST, "--window", 11, "--replace", 11, "--method", method)
    assert records[0]["verdict"] == "other fillings"
    assert len(records[0]["found"]) == 16 and BEST in records[0]["found"]
    _, records, printed = windows(BEST, "--window", 3, "--replace", 3, "--windows", "0", "--method", method)
    assert "1 only itself" in printed.out


def by_trying(pattern, lines):
    """All strings that fit the pattern and solve these mazes, by one walk after another."""
    tried = map("".join, product(*("NESW" if letter == "*" else letter for letter in pattern)))
    return {string for string in tried if all(solves(line, string) for line in lines)}


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", EVERY_FILLING)
@pytest.mark.parametrize(
    "window, replace, offsets", [pytest.param(4, 4, (0, 21), marks=pytest.mark.release), (4, 3, (12,)), (3, 4, (5,))]
)
def test_windows_of_3x2_by_trying_every_filling(method, window, replace, offsets):
    lines = all_lines("thin", 2, 3)
    for offset in offsets:
        pattern = opened(BEST_2X3, offset, window, replace)
        assert fillings(method, all_mazes("3x2"), pattern) == by_trying(pattern, lines)


@pytest.mark.sample(4)
@pytest.mark.parametrize("method", EVERY_FILLING)
@pytest.mark.parametrize(
    ("pattern", "size", "count"),
    [
        ("**SWNENWS**", "2x2", 1),
        ("*E*WN*NW**N", "2x2", 1),
        ("***WNENW*E*", "2x2", 1),
        ("**ESSWNENW**NN", "2x2", 6),
        ("NEE**WNENWSE**", "2x2", 30),
        ("*ESWNENWS*", "2x2", 0),
        ("**WNENWSE*", "2x2", 0),
        pytest.param("*EESWSWNSEENW**NWSENWNE**", "3x2", 1, marks=pytest.mark.release),
        pytest.param("*EE*WSWNSEENWSWNWSENWN*E*", "3x2", 1, marks=pytest.mark.release),
        pytest.param("*EESWSWNSEENWSWNWSENWNE*", "3x2", 0, marks=pytest.mark.release),
    ],
)
def test_several_windows_by_trying_every_filling(method, pattern, size, count):
    strings = by_trying(pattern, all_lines("thin", *map(int, reversed(size.split("x")))))
    assert fillings(method, all_mazes(size), pattern) == strings
    assert len(strings) == count


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", EVERY_FILLING)
def test_patterns_with_several_windows(windows, method):
    """The checker verifies each refutation."""
    words = [*("--pattern", "**WNENWS**"), *("--pattern", "***SNENW***"), *("--method", method)]
    code, records, printed = windows(LONG, *words, "--certify")
    assert code == 0 and "2* 6 2*" in printed.out
    assert [record["verdict"] for record in records] == ["refuted"] * 2
    assert all(record["proof"]["verified"] for record in records)


def all_mazes(size, reduce="article"):
    return find_family("maze").read(None, kind="thin", size=size, reduce=reduce, length=0).mazes


def fillings(method, mazes, pattern):
    """All strings that fit the pattern and solve the mazes."""
    if method == "loop":
        return set(CegarLoop(find_family("maze"), MazeString(mazes, pattern), "states").boards())
    windowsearch = pytest.importorskip("studies.maze_windows.windowsearch")
    return set(windowsearch.WindowSearch(mazes, pattern).run(every=True).strings)


@pytest.mark.release
def test_the_methods_agree(windows, tmp_path):
    """If they did not, the script would report an error."""
    for method in METHODS:
        code, records, _ = windows(LONG, "--window", 7, "--windows", "0,3,7", "--method", method)
        assert code == 0
    assert len(records) == 9
    verdicts = {(record["offset"], record["verdict"]) for record in records}
    assert len(verdicts) == 3
    question = Question(LONG, 0, opened(LONG, 0, 7, 6), "thin", "2x2", tmp_path)
    keys = [question.by(method).key for method in METHODS]
    wrong = {keys[0]: {"method": "loop", "verdict": "shorter"}, keys[1]: {"method": "exhaustive", "verdict": "refuted"}}
    with pytest.raises(Exception, match="do not agree"):
        check_agreement([question], wrong)


def cubes(mazes, pattern, tuples, folder, **settings):
    """A finished run of cubes."""
    made = WindowCampaign(mazes, pattern, tuples, folder, WindowSettings(**settings))
    with ThreadPoolExecutor(2) as executor:
        made.decide(executor, 2)
    return made


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("offset", "window", "replace", "count"),
    [
        *((*each, 1) for each in [(0, 5, 4), (21, 4, 3), (9, 4, 4)]),
        *(pytest.param(*each, 1, marks=pytest.mark.release) for each in [(9, 6, 5), (6, 3, 4)]),
        (21, 4, 3, 30),
        *(pytest.param(*each, 30, marks=pytest.mark.release) for each in [(0, 5, 4), (9, 6, 5), (9, 4, 4), (6, 3, 4)]),
    ],
)
def test_cubes_of_3x2_against_the_search_and_every_filling(tmp_path, offset, window, replace, count):
    mazes, pattern = all_mazes("3x2"), opened(BEST_2X3, offset, window, replace)
    strings = by_trying(pattern, all_lines("thin", 2, 3))
    search = WindowSearch(mazes, pattern)
    assert set(search.run(every=True).strings) == strings
    tuples = [tuple(search.machines.mazes[maze] for maze in bound) for bound in search.bounds]
    for known in (tuples, tuples[: len(tuples) // 2], []):
        run = cubes(mazes, pattern, known, tmp_path / str(len(known)), count=count)
        assert run.refuted == (not strings)
        assert (run.string in strings) if strings else run.string is None


def test_a_changed_certificate_is_refused(windows, tmp_path, load_script):
    windows(BEST, "--window", 9, "--windows", 1, "--method", "exhaustive")
    (path,) = tmp_path.glob("w/001-*/certificate.json")
    load_script("check_maze_certificate")  # from which it imports
    checker = load_script("check_maze_window")
    done = subprocess.run([sys.executable, checker.__file__, path], capture_output=True, text=True, check=False)
    assert (done.returncode, "verified: " in done.stdout) == (0, True), done.stderr
    entry = json.loads(path.read_text())
    assert accepted_forgeries(lambda file: checker.check(json.loads(file.read_text())), tmp_path, entry) == []


def test_a_search_that_exceeds_its_time_is_reported(windows):
    _, (record,), _ = windows(BEST, "--window", 9, "--windows", 1, "--method", "exhaustive", "--time", 1e-9)
    assert (record["verdict"], record["reason"], record["limit"]) == ("not decided", "processor time limit", 1e-9)


def test_the_same_command_resumes(windows, monkeypatch, tmp_path):
    windows(BEST, "--window", 6, "--windows", "0,1")
    with (tmp_path / "w" / "windows.jsonl").open("a") as stream:
        stream.write('{"key": "cut off')
    decided = []
    answer_to = methods.answer_to
    monkeypatch.setattr(methods, "answer_to", lambda question: decided.append(question.offset) or answer_to(question))
    _, records, _ = windows(BEST, "--window", 6, "--windows", "0,1,2")
    assert decided == [2]
    assert [record["offset"] for record in records] == [0, 1, 2]


def test_the_mazes_of_a_refuted_window_are_a_file(windows, tmp_path, command):
    _, (record,), _ = windows(BEST, "--window", 6, "--windows", "2")
    (path,) = tmp_path.glob("w/002-6-5-loop-*/sufficient.mazes")
    formula = command("gen-cnf", "maze", path, "--pattern", record["pattern"]).stdout
    assert command("run-cnf", "kissat", "-", input=formula).returncode == 20


def test_a_string_that_fails_is_reported(windows):
    _, _, printed = windows("NESW", "--window", 2)
    assert "does not solve" in printed.err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["NEX"], "found 'X' at position 3"),
        ([""], "--window: found 26, expected 1 to 0"),
        ([BEST, "--window", 12], "expected 1 to 11"),
        ([BEST, "--window", 3, "--replace", 4], "expected 0 to 3"),
        ([BEST, "--window", 3, "--windows", "9"], "from 0 to 8"),
        ([BEST, "--window", 3, "--windows", "a"], "from 0 to 8"),
        ([BEST, "--window", 3, "--jobs", 0], "--jobs"),
        ([BEST, "--window", 3, "--cubes", 0], "--cubes"),
        ([BEST, "--window", 3, "--replace", 3, "--method", "cubes"], "expected fewer than 3 letters"),
        ([BEST, "--pattern", "NESW"], "some of them *"),
        ([BEST, "--pattern", "*" * 12], "at most 11 letters"),
        ([BEST, "--pattern", "*ESWNENWS*", "--method", "cubes"], "expected windows"),
        (["@missing"], "missing: cannot be read"),
        ([BEST, "--window", 3, "--size", "9x9"], "9x9"),
    ],
)
def test_mistakes_are_one_line(windows, words, part):
    code, records, printed = windows(*words)
    assert (code, records) == (2, [])
    assert part in printed.err and len(printed.err.strip().splitlines()) == 1
