"""scripts/maze_windows.py: windows with and without a shorter filling, all fillings, records that are gone on with."""

import json

import pytest

BEST = "NESWNENWSEN"  # solves all thin mazes of 2x2; there is no shorter one
LONG = "NEESSWNENWSENN"  # solves them too


@pytest.fixture(scope="module")
def script(load_script):
    return load_script("maze_windows")


@pytest.fixture
def windows(script, tmp_path, capsys):
    """`windows(STRING, ...)` runs the script on 2x2 and gives exit code, records by offset, and what it printed."""

    def run(string, *words):
        code = script.main([string, "--size", "2x2", "--folder", str(tmp_path / "w"), *map(str, words)])
        path = tmp_path / "w" / "windows.jsonl"
        records = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return code, sorted(records, key=lambda record: record["offset"]), capsys.readouterr()

    return run


def test_no_window_of_a_shortest_string_can_be_shorter(windows):
    code, records, printed = windows(BEST, "--window", 6, "--certify")
    assert code == 0
    assert [record["verdict"] for record in records] == ["refuted"] * 6
    assert all(record["proof"]["verified"] for record in records)
    assert "6 refuted" in printed.out


def test_a_window_with_a_shorter_filling(windows, script):
    code, records, _ = windows(LONG, "--window", 8, "--replace", 6, "--jobs", 2)
    assert code == 0
    shorter = [record for record in records if record["verdict"] == "shorter"]
    assert {"shorter", "refuted"} == {record["verdict"] for record in records}
    for record in shorter:
        (string,) = record["found"]
        assert len(string) == len(LONG) - 2
        assert script.mazes_of("thin", "2x2", "none").solves_all(string)


def test_all_fillings_of_the_same_length(windows):
    _, records, _ = windows(BEST, "--window", 11, "--replace", 11)
    assert records[0]["verdict"] == "other fillings"
    assert len(records[0]["found"]) == 16 and BEST in records[0]["found"]
    _, records, printed = windows(BEST, "--window", 3, "--replace", 3, "--windows", "0")
    assert "1 only itself" in printed.out


def test_the_same_command_goes_on(windows, script, monkeypatch, tmp_path):
    windows(BEST, "--window", 6, "--windows", "0,1")
    with (tmp_path / "w" / "windows.jsonl").open("a") as stream:
        stream.write('{"key": "cut off')
    decided = []
    decide = script.decide
    monkeypatch.setattr(script, "decide", lambda task: decided.append(task.offset) or decide(task))
    _, records, _ = windows(BEST, "--window", 6, "--windows", "0,1,2")
    assert decided == [2]
    assert [record["offset"] for record in records] == [0, 1, 2]


def test_the_mazes_of_a_refuted_window_are_a_file(windows, tmp_path, command):
    _, (record,), _ = windows(BEST, "--window", 6, "--windows", "2")
    (path,) = tmp_path.glob("w/002-6-5-*/sufficient.mazes")
    formula = command("gen-cnf", "maze", path, "--pattern", record["pattern"]).stdout
    assert command("run-cnf", "kissat", "-", input=formula).returncode == 20


def test_a_window_that_ran_out_of_time_is_tried_again_with_more(script, tmp_path):
    task = script.Task(BEST, 0, 6, 5, "thin", "2x2", tmp_path, seconds=10)
    open_record = {"limit": 5, "verdict": script.OPEN, "found": [], "complete": False}
    assert not script.is_done(task, {task.key: open_record})
    assert script.is_done(task, {task.key: open_record | {"limit": 10}})


def test_a_filling_that_fails_is_never_believed(script, tmp_path):
    task = script.Task(BEST, 0, 6, 5, "thin", "2x2", tmp_path)
    with pytest.raises(Exception, match="at fault"):
        script.verified(task, "NNNNN" + BEST[6:])


def test_a_string_that_fails_is_told(windows):
    _, _, printed = windows("NESW", "--window", 2)
    assert "does not solve" in printed.err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["NEX"], "found 'X' at place 3"),
        ([""], "--window: found 26, expected 1 to 0"),
        ([BEST, "--window", 12], "expected 1 to 11"),
        ([BEST, "--window", 3, "--replace", 4], "expected 0 to 3"),
        ([BEST, "--window", 3, "--windows", "9"], "from 0 to 8"),
        ([BEST, "--window", 3, "--windows", "a"], "from 0 to 8"),
        ([BEST, "--window", 3, "--jobs", 0], "--jobs"),
        (["@missing"], "missing: cannot be read"),
        ([BEST, "--window", 3, "--size", "9x9"], "9x9"),
    ],
)
def test_mistakes_are_one_line(windows, words, part):
    code, records, printed = windows(*words)
    assert (code, records) == (2, [])
    assert part in printed.err and len(printed.err.strip().splitlines()) == 1
