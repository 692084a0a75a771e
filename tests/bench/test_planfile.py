"""Runs that a suite no longer requests count in no score, but their records are kept; no results are overwritten."""

import json
import os

import pytest
from bench import suites

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.analyse.alarms import disagreements
from cnfgen_puzzles.bench.analyse.results import merge, read_results
from cnfgen_puzzles.bench.planfile import PLAN, keep_plan, read_plans
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError

SAYS_UNSAT = "print('s UNSATISFIABLE'); sys.exit(20)"


@pytest.fixture
def honest(tmp_path):
    return str(suites.solver(tmp_path, "honest", suites.HONEST))


@pytest.fixture
def other(tmp_path):
    return str(suites.solver(tmp_path, "other", suites.HONEST))


def counted(folder, **settings):
    return sorted((record["solver"], record["instance"]) for record in read_results([folder], **settings).records)


def test_excluded_runs_are_left_out_with_a_note(tmp_path, honest, other):
    path, out = suites.suite(tmp_path, [honest, other], files=2), tmp_path / "out"
    run_suite(path, out)
    assert len(counted(out)) == 4
    suites.suite(tmp_path, [honest, other], files=2, exclude=[{"solver": "other"}, {"instance": "f001*"}])
    for again in (lambda: run_suite(path, out), path.unlink):  # the suite is run again, and is gone
        again()
        assert counted(out) == [("honest", "f000.cnf")]
        [note] = read_results([out]).notes
        assert note == "3 runs left out, which the suite does not contain (other 2, honest 1); --all-runs counts them"
        assert len(counted(out, all_runs=True)) == 4
    assert len(suites.records(out)) == 4


def test_only_some_runs_now_is_not_an_exclusion(tmp_path, honest, other):
    path = suites.suite(tmp_path, [honest, other])
    run_suite(path, tmp_path / "out")
    run_suite(path, tmp_path / "out", include={"solver": "honest"})
    assert len(counted(tmp_path / "out")) == 2


def test_model_of_a_removed_solver_still_raises_an_alarm(tmp_path, honest):
    wrong = str(suites.solver(tmp_path, "wrong", SAYS_UNSAT))
    path, out = suites.suite(tmp_path, [honest, wrong]), tmp_path / "out"
    run_suite(path, out)
    run_suite(suites.suite(tmp_path, [wrong]), out)
    found = read_results([out])
    assert [record["solver"] for record in found.records] == ["wrong"]
    assert len(disagreements([*found.records, *found.revoked])) == 1


@pytest.mark.release
def test_merge_keeps_all_records_and_the_plan(tmp_path, honest, other):
    path = suites.suite(tmp_path, [honest, other])
    for name in ("one", "two"):
        run_suite(path, tmp_path / name)
    suites.suite(tmp_path, [honest])
    run_suite(path, tmp_path / "one")
    run_suite(path, tmp_path / "two")
    merge([tmp_path / "one", tmp_path / "two"], tmp_path / "both" / "runs.jsonl")
    assert counted(tmp_path / "both") == [("honest", "f000.cnf")]
    assert len(counted(tmp_path / "both", all_runs=True)) == 2
    (tmp_path / "two" / PLAN).unlink()  # of an older version: all of its runs count
    merge([tmp_path / "one", tmp_path / "two"], tmp_path / "both" / "runs.jsonl")
    assert len(counted(tmp_path / "both")) == 2


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "null", '{"plan": 2, "suites": {}}', '{"plan": 1, "suites": []}', '{"plan": 1, "suites": {"small": 3}}',
     '{"plan": 1, "suites": {"small": {"keys": [1]}}}', '{"plan": 1, "suites": {"small": {"keys": {}}}}',
     '{"plan": 1, "suites": {"small": {"keys": [], "file": 3}}}',
     '{"plan": 1, "suites": {"small": {"keys": [], "file": "a\\u0000b"}}}', "[" * 100_000, "\0", '{"plan": NaN}'],
)  # fmt: skip
def test_damaged_plan_is_reported(tmp_path, text):
    suite = read_suite(suites.suite(tmp_path, ["kissat"]))
    keep_plan(tmp_path, suite)
    (tmp_path / "runs.jsonl").touch()
    assert read_plans(tmp_path)["small"].keys == {task.key for task in suite.tasks}
    (tmp_path / PLAN).write_text(text)
    for read in (lambda: read_results([tmp_path]), lambda: keep_plan(tmp_path, suite)):
        with pytest.raises(InputError) as caught:
            read()
        assert caught.value.source == str(tmp_path / PLAN)


# -- outputs --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def results(tmp_path, honest):
    """A folder of results with its suite."""
    folder = tmp_path / "results"
    folder.mkdir()
    run_suite(suites.suite(folder, [honest]), folder / "written")
    return folder


def names_of(results, tmp_path):
    """Names of outputs that would overwrite the result file, the suite, or files next to them."""
    runs, suite = results / "written" / "runs.jsonl", results / "suite.yaml"
    (tmp_path / "link").symlink_to(runs)
    os.link(runs, tmp_path / "hard")
    (tmp_path / "folder").symlink_to(runs.parent)
    (tmp_path / "suitelink").symlink_to(suite)
    os.link(suite, tmp_path / "suitehard")
    yield from (runs, f"{runs.parent}/../written/./runs.jsonl", tmp_path / "link", tmp_path / "hard")
    yield from (tmp_path / "folder" / "runs.jsonl", suite, tmp_path / "suitelink", tmp_path / "suitehard")
    yield runs.with_name(PLAN)


def test_no_command_writes_onto_results(results, tmp_path, invoke):
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    for name in names_of(results, tmp_path):
        for words in (("export", results / "written", "--csv", name), ("export", results / "written", "--json", name),
                      ("scores", results / "written", "-o", name), ("report", results / "written", "-o", name)):  # fmt: skip
            done = invoke(*words)
            assert done.exit_code == 2, (words, done.output)
            assert "expected another file" in done.output or "found the suffix" in done.output, done.output
    assert {path: path.read_bytes() for path in results.rglob("*") if path.is_file()} == before
    assert invoke("export", results / "written", "--csv", results / "written" / "runs.csv").exit_code == 0
    assert invoke("scores", results / "written", "-o", tmp_path / "scores.txt").exit_code == 0


def test_merging_onto_a_hard_link_of_an_input(results, tmp_path, invoke):
    os.link(results / "written" / "runs.jsonl", tmp_path / "hard.jsonl")
    done = invoke("merge", results / "written", "-o", tmp_path / "hard.jsonl", "--force")
    assert done.exit_code == 2 and "expected another file" in done.output


def test_a_suite_in_the_place_of_its_results(tmp_path):
    path = suites.suite(tmp_path, ["kissat"])
    path = path.rename(tmp_path / "runs.jsonl")
    with pytest.raises(InputError, match="is the suite itself"):
        run_suite(path, tmp_path)
    assert json.loads(path.read_text())["name"] == "small"
