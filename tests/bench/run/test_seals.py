"""Edited or contradictory records count neither as finished nor in scores."""

from __future__ import annotations

import json

import pytest
from bench import suites
from bench.suites import run_all

from cnfgen_puzzles.bench.analyse.results import merge, read_results
from cnfgen_puzzles.bench.record import damage
from cnfgen_puzzles.common.journal import sealed_line


@pytest.fixture
def done(tmp_path):
    """A suite of three runs, and its result file."""
    path = suites.suite(tmp_path, ["minisat"], files=3)
    run_all(path, tmp_path / "out", jobs=1)
    return path, tmp_path / "out" / "runs.jsonl"


def edit(file, number, change, *, seal=True):
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    lines[number] |= change
    if not seal:
        del lines[number]["seal"]
    text = (json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    file.write_text("".join(text))


def test_a_record_that_was_edited_is_left_out_and_made_again(done):
    suite, file = done
    assert run_all(suite, file.parent, jobs=1) == []
    edit(file, 1, {"cpu": 0.0001, "status": "TIMEOUT", "evidence": None})
    found = read_results([file])
    assert [record["status"] for record in found.records] == ["SATISFIABLE"] * 2
    assert f"{file}: 1 record left out because of wrong seals (changed after the run)" in found.notes
    [again] = run_all(suite, file.parent, jobs=1)
    assert (again["instance"], again["status"]) == ("f001.cnf", "SATISFIABLE")
    assert [record["status"] for record in read_results([file]).records] == ["SATISFIABLE"] * 3


def test_a_record_without_a_seal_can_be_read_and_is_made_again(done, tmp_path):
    suite, file = done
    edit(file, 2, {}, seal=False)
    found = read_results([file])
    assert len(found.records) == 3 and "seal" not in found.records[0]
    assert f"{file}: 1 record without seals (of an earlier version, or edited)" in found.notes
    before = file.read_bytes()
    told: list[str] = []
    [again] = run_all(suite, file.parent, jobs=1, warn=told.append)
    assert again["instance"] == "f002.cnf" and file.read_bytes().startswith(before)  # nobody's work is lost
    [note] = [each for each in told if "have no seal" in each]
    assert "bench-cnf merge" in note and "accepts them unchanged" in note


def test_merge_seals_records_without_seals(done, tmp_path):
    suite, file = done
    for number in range(3):
        edit(file, number, {}, seal=False)
    edit(file, 0, {"seal": "0" * 64})
    merged = tmp_path / "new" / "runs.jsonl"
    notes = merge([file], merged).notes
    assert any("1 record left out" in note for note in notes) and any("2 records without seals" in note for note in notes)
    (merged.parent / "plan.json").unlink()
    assert {record["instance"] for record in run_all(suite, merged.parent, jobs=1)} == {"f000.cnf"}


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "change",
    [
        {"status": "UNSATISFIABLE"},  # with a model as its evidence
        {"status": "TIMEOUT"},
        {"evidence": {"kind": "proof", "by": "drat-trim", "note": ""}},
        {"status": "UNSATISFIABLE", "evidence": {"kind": "proof", "by": "", "note": ""}, "proof": {"verified": False}},
        {"status": "UNSATISFIABLE", "evidence": {"kind": "word", "by": "x", "note": ""}, "proof": {"refused": True}},
        {"status": "ERROR", "evidence": {"kind": "word", "by": "x", "note": ""}},
    ],
)
def test_a_record_that_contradicts_itself_is_damaged(done, change):
    _, file = done
    record = json.loads(file.read_bytes().splitlines()[0])
    del record["seal"]
    assert not damage(record)
    assert damage(record | change)
    assert sealed_line(record) == file.read_bytes().splitlines(keepends=True)[0]
