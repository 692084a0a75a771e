"""The table of fields: it has all written fields, completes and checks what is read, and a new row appears everywhere."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from bench import suites

from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.record import FIELDS, Field, damage, facts
from cnfgen_puzzles.bench.run import job as jobs
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.run.job import BenchJob, failed_record, run_job
from cnfgen_puzzles.bench.runs import Store
from cnfgen_puzzles.bench.show.export import write_csv
from cnfgen_puzzles.bench.show.report.details import PageData
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError

DOCS = Path(__file__).resolve().parents[2] / "docs/how-to/benchmarks.md"


@pytest.fixture
def job(tmp_path):
    """A run to make: kissat on a satisfiable formula."""
    suite = read_suite(suites.suite(tmp_path, ["kissat"]))
    prepared = Formulas(tmp_path, tmp_path / "cnf").get(suite.tasks[0])
    return BenchJob(suite.tasks[0], suite, prepared, kept=tmp_path)


def test_job_writes_the_fields_of_the_table(job, tmp_path):
    for record in (run_job(job), failed_record(job.suite, job.task, job.prepared, "why")):
        assert damage(record) == ""
        assert {name for name, field in FIELDS.items() if field.needed} <= record.keys()
        for name, value in record.items():
            assert value is None or FIELDS[name].fits(value), (name, value)
    with Store(tmp_path / "runs.jsonl") as store, pytest.raises(KeyError, match="joules: not in the table"):
        store.add({"joules": 1.0})


def test_a_new_measured_field_is_one_line_beside_the_one_that_measures_it(job, tmp_path, monkeypatch):
    folder = tmp_path / "results"
    folder.mkdir()
    old = run_job(job)
    monkeypatch.setitem(FIELDS, "joules", Field("joules", float, 0.0, label="Energy in J"))
    measure = jobs.record_of
    monkeypatch.setattr(jobs, "record_of", lambda *words, **more: measure(*words, **more) | {"joules": 12.5})
    new = run_job(job) | {"key": "another"}
    assert (old.get("joules"), new["joules"]) == (None, 12.5)
    (folder / "runs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in (old, new)))
    read = read_results([folder]).records
    assert [record["joules"] for record in read] == [0.0, 12.5]
    assert [record["key"] for record in read_results([folder], ["joules=12.5"]).records] == ["another"]
    stream = io.BytesIO()
    write_csv(read, stream)
    assert [row["joules"] for row in csv.DictReader(io.StringIO(stream.getvalue().decode(), newline=""))] == ["0.0", "12.5"]
    page = PageData(read, [folder], folder).to_json()
    told = [dict(page["facts"][fact] for fact in details["facts"]) for details in page["details"]]
    assert [each["Energy in J"] for each in told] == ["0", "12.5"]
    (folder / "runs.jsonl").write_text(json.dumps(new | {"joules": "much"}) + "\n")
    with pytest.raises(InputError, match="found 'much' as 'joules' of a run, expected a number"):
        read_results([folder])


def test_details_show_the_evidence():
    record = {
        "status": "UNSATISFIABLE", "proof": {"verified": True, "reason": ""}, "signal": None, "limits": {"cpu": 5},
        "evidence": {"kind": "proof", "by": "drat-trim", "note": ""}, "statistics": {"conflicts": 1234}, "leftovers": 0,
        "exit_code": 20, "load": 0.25, "machine": {"host": "here", "cpu": "fast", "cores": 2}, "warnings": ["busy", "hot"],
    }  # fmt: skip
    assert dict(facts(record)) == {
        "Evidence": "a proof, checked by drat-trim", "Proof": "checked", "Exit code": "20", "Statistics": "1,234 conflicts",
        "Limits": "CPU 5 s", "Load at start": "0.25", "Warnings": "busy; hot", "Machine": "here, fast",
    }  # fmt: skip
    assert dict(facts({"proof": {"verified": False, "reason": "too long"}}))["Proof"] == "not verified: too long"


def test_details_show_values_of_other_kinds():
    """Readers refuse such records; records of later versions can still reach the details."""
    for name in FIELDS:
        for value in (None, "", "x", 0, -1, 2.5, True, [], [None, {}], {}, {"x": [1]}):
            assert all(isinstance(text, str) and text for _, text in facts({name: value}))


def test_the_documentation_names_every_field():
    named = set(re.findall(r"`(\w+)`", DOCS.read_text().partition("## Records")[2]))
    assert set(FIELDS) <= named
