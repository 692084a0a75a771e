"""Suites, results and plans with damage in every field: an error in one line or a correct reading, never another exception.

Each case replaces one value of recorded results by a value of another type, and uses it in every reader.
"""

import copy
import io
import json
import os
import random

import pytest
import yaml
from bench import suites
from repository import REPOSITORY

from cnfgen_puzzles.bench.analyse.alarms import alarms
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.analyse.scores import GROUPS
from cnfgen_puzzles.bench.record import FIELDS
from cnfgen_puzzles.bench.run.execution import missing_tasks
from cnfgen_puzzles.bench.runs import latest_records
from cnfgen_puzzles.bench.show import report
from cnfgen_puzzles.bench.show.export import write_csv, write_json
from cnfgen_puzzles.bench.show.plots import scene
from cnfgen_puzzles.bench.show.tables import notes, render, score_tables, sentence, size_table
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits

LINES = (suites.RECORDED / "runs.jsonl").read_text().splitlines()[::7]
RECORDS = [{name: value for name, value in json.loads(line).items() if name != "seal"} for line in LINES]
VALUES = (None, "", "x", "SATISFIABLE", "\x1b[31m\n\0", "\u2028", 0, -1, 2.5, 10**30, 1e300, True, False, [], [None, {}, []], {},
          {"x": [1]}, {"cpu": "1"}, {"": None}, {"kind": "word"}, "x" * 10_000)  # fmt: skip


def variants(record, rng):
    """The record with one value, at any depth, replaced by each of VALUES or removed."""
    places = [(name,) for name in record.keys() | FIELDS.keys() | {"unknown"}]
    places += [(name, key) for name, value in record.items() if isinstance(value, dict) for key in (*value, "unknown")]
    for place in sorted(places):
        for value in (*VALUES, KeyError):
            made = copy.deepcopy(record)
            inside = made
            for name in place[:-1]:
                inside = inside[name]
            if value is KeyError:
                inside.pop(place[-1], None)
            else:
                inside[place[-1]] = value
            yield place, value, made


def use_all(folder):
    """Everything that is made from a result file; nothing is printed."""
    records = (found := read_results([folder])).records
    for by in (("family", "encoding"), tuple(GROUPS), ("version",)):
        for table in [*score_tables(records, by), size_table(records, by)]:
            render(table, "latex"), render(table, "markdown")
    (
        alarms([*records, *found.revoked]),
        notes(records),
        sentence(records),
        scene(records),
    )
    for write in (write_csv, write_json):
        write(records, io.BytesIO())
    report.write_report(records, folder / "report.html", folder, found=found.alarms)


def test_a_record_with_any_field_of_another_kind(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "charts", lambda records, **rules: [])  # what they are made of is tried by `scene`
    rng = random.Random(11)
    suite = read_suite(REPOSITORY / "instances" / "suites" / "smoke.yaml")
    cases = [case for record in RECORDS for case in variants(record, rng)]
    told = right = 0
    for place, value, made in rng.sample(cases, 50):
        (tmp_path / "runs.jsonl").write_text("\n".join([LINES[0], json.dumps(made), LINES[3], ""]))
        try:
            latest = latest_records(tmp_path / "runs.jsonl")
            missing_tasks(suite, latest, ("failed",))
            use_all(tmp_path)
            right += 1
        except InputError as error:
            told += 1
            assert "\n" not in str(error) and len(str(error)) < 600
        except Exception as error:
            raise AssertionError(f"{place} changed to {value!r}") from error
    assert told > 5 and right > 5


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "loop"])
def test_a_result_file_that_is_no_file(tmp_path, kind, invoke):
    path = tmp_path / "out" / "runs.jsonl"
    path.parent.mkdir()
    makers = {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "device": lambda: path.symlink_to("/dev/zero"),
              "loop": lambda: path.symlink_to(path)}  # fmt: skip
    makers[kind]()
    suite = suites.suite(tmp_path, ["kissat"])
    for words in (("scores", path), ("scores", path.parent), ("export", path, "--csv", "-"), ("run", suite, "-o", path.parent),
                  ("check", suite, "-o", path.parent), ("report", path), ("plot", path),
                  ("merge", path, "-o", tmp_path / "m")):  # fmt: skip
        done = invoke(*words)
        assert done.exit_code == 2, (words, done.output)
        assert "Traceback" not in done.output


# -- suites ---------------------------------------------------------------------------------------------------------------

SUITE = {
    "name": "small",
    "description": "x",
    "instances": [
        {"family": "nonogram", "generate": "random", "options": {"size": ["5", "6"]}, "seeds": "1-2", "encodings": ["order"]},
        {"cnf": ["*.cnf"], "expected": "sat"},
        {"family": "maze", "name": "m", "options": {"kind": "blocked", "size": "2x2", "length": ["6", "7"]}},
    ],
    "solvers": ["kissat", {"name": "minisat", "label": "l", "options": ["-luby"], "version": "2", "threads": 1}],
    "limits": {"cpu": 5, "wall": 10, "memory": "1GiB"},
    "seeds": [1, "2-3"],
    "repetitions": 2,
    "scramble": {"seeds": 1, "original": False},
    "proofs": True,
    "jobs": 1,
    "include": [{"family": "*"}],
    "exclude": [{"solver": "l", "instance": ["m*"]}],
}
SUITE_VALUES = (None, "", "x", "*", "**", "**x", "~nobody/x", "/", "..", "a\0b", "1-99999999999", 0, -1, 2.5, 10**30,
                float("inf"), float("nan"), True, [], [None], [[]], {}, {"x": 1}, "9" * 5000, "x" * 5000)  # fmt: skip


def places_of(value, place=()):
    if place:
        yield place
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places_of(part, (*place, key))


@pytest.mark.release
def test_a_suite_with_any_value_of_another_kind(tmp_path):
    (tmp_path / "f.cnf").write_text(suites.SAT)
    path = tmp_path / "suite.yaml"
    path.write_text(yaml.safe_dump(SUITE))
    assert len(read_suite(path).tasks) == (4 + 1 + 2) * 6 + (4 + 1) * 6
    cases = [(place, value) for place in places_of(SUITE) for value in SUITE_VALUES]
    for place, value in random.Random(3).sample(cases, 500):
        made = copy.deepcopy(SUITE)
        inside = made
        for key in place[:-1]:
            inside = inside[key]
        inside[place[-1]] = value
        path.write_text(yaml.safe_dump(made))
        try:
            read_suite(path)
        except InputError as error:
            assert "\n" not in str(error) and len(str(error)) < 1200, (place, value)
        except Exception as error:
            raise AssertionError(f"{place} changed to {value!r}") from error


@pytest.mark.parametrize(
    "change, message",
    [
        ({"repetitions": 10**9}, "runs"),
        ({"seeds": "1-1000000000"}, "runs"),
        ({"seeds": ["1-900000", "1000000-1900000"]}, "runs"),
        ({"scramble": {"seeds": "1-2000"}, "repetitions": 2000}, "runs"),
        ({"instances": [{"family": "nonogram", "generate": "random", "seeds": "1-9999999999"}]}, "runs"),
        (
            {"instances": [{"family": "maze", "options": {"kind": "blocked", "size": ["2x2"] * 2000, "length": ["7"] * 2000}}]},
            "runs",
        ),
        ({"limits": {"cpu": float("inf")}}, "limits"),
        ({"limits": {"cpu": float("nan")}}, "limits"),
        ({"limits": {"cpu": 1e300}}, "at most"),
        ({"limits": {"cpu": 1, "memory": "9" * 400}}, "size"),
        ({"limits": {"cpu": 1, "memory": "999999999TiB"}}, "at most"),
    ],
)
def test_too_many_runs_are_refused_early(tmp_path, change, message):
    (tmp_path / "f.cnf").write_text(suites.SAT)
    path = tmp_path / "suite.yaml"
    path.write_text(yaml.safe_dump(SUITE | change))
    with pytest.raises(InputError, match=message) as caught:
        read_suite(path)
    if message == "runs":
        assert "CNFGEN_INPUT_LIMITS=runs=" in str(caught.value)


def test_more_runs_by_leave_and_more_files_than_runs(tmp_path):
    path = suites.suite(tmp_path, ["kissat"], files=30, repetitions=2)
    with other_input_limits(runs=60):
        assert len(read_suite(path).tasks) == 60
    for most in (59, 29, 1):
        with other_input_limits(runs=most), pytest.raises(InputError, match="the limit 'runs'"):
            read_suite(path)
