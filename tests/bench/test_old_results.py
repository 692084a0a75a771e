"""What version 0.1.0 wrote stays readable: scores, exports, the report, merges and going on (version-0.1.0/README.md)."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.analyse.results import merge, read_results
from cnfgen_puzzles.bench.analyse.scores import scores
from cnfgen_puzzles.bench.record import FIELDS, NEWEST, defaults
from cnfgen_puzzles.bench.show.plots import charts
from cnfgen_puzzles.bench.show.report import page, write_report

HERE = Path(__file__).parent / "version-0.1.0"
SAT, UNSAT = "SATISFIABLE", "UNSATISFIABLE"


def lines(folder):
    return [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]


def test_every_version_of_records_is_there():
    versions = {record.get("record", 1) for folder in ("written", "record-1") for record in lines(HERE / folder)}
    assert versions == set(range(1, NEWEST + 1))
    for record in lines(HERE / "record-1"):
        assert all(FIELDS[name].since == 1 for name in record)
    for record in lines(HERE / "written"):
        assert record.keys() <= FIELDS.keys()


@pytest.mark.parametrize("folder, runs", [("written", 12), ("record-1", 4)])
def test_read(folder, runs):
    found = read_results([HERE / folder])
    assert (len(found.records), found.notes, found.revoked) == (runs, [], [])
    for record, raw in zip(found.records, lines(HERE / folder), strict=True):
        assert {name: value for name, value in raw.items() if value is not None}.items() <= record.items()
        assert record.keys() >= defaults().keys()


def test_score():
    found = {(score.group, score.solver): score for score in scores(read_results([HERE / "written"]).records)}
    told = {name: (score.sat, score.unsat, score.failed, score.instances) for name, score in found.items()}
    assert told == {
        ("nonogram order", "cadical"): (1, 1, 0, 2),
        ("nonogram order", "luby"): (1, 1, 0, 2),
        ("nonogram order", "sleeper"): (0, 0, 0, 1),
        ("nonogram order", "liar"): (0, 0, 1, 1),
        ("nonogram direct amo=ladder", "cadical"): (1, 1, 0, 2),
        ("nonogram direct amo=ladder", "luby"): (1, 1, 0, 2),
        ("cnf as given", "cadical"): (0, 1, 0, 1),
        ("cnf as given", "luby"): (0, 1, 0, 1),
    }
    assert found["nonogram order", "sleeper"].par == 10
    assert {score.solver: (score.sat, score.unsat) for score in scores(read_results([HERE / "record-1"]).records)} == {
        "cadical": (1, 1), "minisat": (1, 1)
    }  # fmt: skip


def test_export(command, tmp_path):
    done = command("bench-cnf", "export", HERE / "written", HERE / "record-1", "--csv", tmp_path / "x.csv", "--json", "-")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) == 16
    rows = list(csv.DictReader((tmp_path / "x.csv").open(newline="")))
    assert [row["status"] for row in rows].count(UNSAT) == 8
    assert {row["proof.verified"] for row in rows if row["solver"] == "cadical" and row["status"] == UNSAT} == {"true", ""}


def test_report(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "plots", lambda records: [])  # they are drawn below, and their script takes seconds to make
    folders = [HERE / "written", HERE / "record-1"]
    records = read_results(folders).records
    text = write_report(records, tmp_path / "report.html", folders).read_text()
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
    boards = {(each["suite"], each["name"]): each["boards"] for each in data["instances"]}
    assert boards["old", "cross.nin"][0][0].startswith("<svg")
    told = [dict(data["facts"][fact] for fact in details["facts"]) for details in data["details"]]
    assert {"checked"} == {each["Proof"] for each in told if "Proof" in each}
    assert [each["Reason"] for each in told if "Reason" in each] == ["wall time limit", "the model falsifies clause 5"]
    [kept] = [details["kept_files"] for details in data["details"] if "kept" in details]
    assert kept[0]["text"].startswith("s SATISFIABLE")
    assert {plot.name for plot in charts(records, kinds=["cactus", "box"])} >= {"cactus", "box"}


def test_merge(tmp_path):
    done = merge([HERE / "written", HERE / "record-1"], tmp_path / "both" / "runs.jsonl")
    assert (done.runs, done.repeated, done.conflicts, done.notes) == (16, 0, [], [])
    assert len(read_results([tmp_path / "both"]).records) == 16


def test_go_on(tmp_path):
    """No run that is there is made again, and one that is taken out is."""
    shutil.copytree(HERE, tmp_path / "old")
    folder = tmp_path / "old" / "written"
    again = run_suite(tmp_path / "old" / "suite.yaml", folder)
    assert (again.made, len(again.records), again.halted) == (0, 12, False)
    assert lines(folder) == lines(HERE / "written")
    whole = (folder / "runs.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "runs.jsonl").write_bytes(b"".join(whole[1:]))
    fresh = []
    again = run_suite(tmp_path / "old" / "suite.yaml", folder, report=fresh.append)
    [record] = fresh
    assert (again.made, record["key"], record["status"]) == (1, json.loads(whole[0])["key"], SAT)
    assert record["board"] == json.loads(whole[0])["board"]
    assert record["cnf"].items() >= json.loads(whole[0])["cnf"].items()  # newer ones have a GBD hash besides
