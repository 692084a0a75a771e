"""Other programs can read exported results, with the same content."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.bench.record import flat
from cnfgen_puzzles.bench.show.export import in_order, write_csv, write_json, write_parquet

RECORDS = [
    {"record": 2, "key": '["f","i"]', "suite": "s", "instance": 'a "quoted", name\nof two lines', "status": "SATISFIABLE",
     "verified": True, "cpu": 1.25, "cnf": {"variables": 3, "clauses": 7}, "board": {"cells": [[1, 0]]}, "cores": [0]},
    {"record": 2, "key": "=1+1", "suite": "s", "instance": "j", "status": "TIMEOUT", "verified": False, "cpu": 2, "cnf": {},
     "seed": None, "proof": {"verified": True, "checker": {"name": "drat"}}},
]  # fmt: skip


def written(write, records):
    stream = io.BytesIO()
    write(records, stream)
    return stream.getvalue()


def columns(records):
    return in_order(dict.fromkeys(name for record in records for name in flat(record)))


def test_csv_is_read_again():
    rows = list(csv.DictReader(io.StringIO(written(write_csv, RECORDS).decode(), newline="")))
    assert [row["instance"] for row in rows] == [record["instance"] for record in RECORDS]
    assert [row["cnf.clauses"] for row in rows] == ["7", ""]
    assert [row["verified"] for row in rows] == ["true", "false"]
    assert json.loads(rows[0]["board"]) == RECORDS[0]["board"]


def test_json_is_the_same_records():
    assert json.loads(written(write_json, RECORDS)) == RECORDS
    assert json.loads(written(write_json, [])) == []


FORMULAS = ["=1+1", "+x", "-x", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")', "-1+cmd|' /C calc'!A0"]
NUMBERS = [-5, -2.5, -1e-300, 7]


def test_no_cell_begins_a_formula(tmp_path, command):
    runs = [
        {"record": 2, "key": str(n), "suite": text, "family": "cnf", "instance": text, "encoding": None, "solver": text,
         "status": "SATISFIABLE", "date": "", "cpu": 1.0, "wall": 1.0, "limits": {"cpu": 10}, "reason": text, "version": "-5",
         "features": {"=name": text, "number": NUMBERS[n % len(NUMBERS)]}}
        for n, text in enumerate(FORMULAS)
    ]  # fmt: skip
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    done = command("bench-cnf", "plot", "runs.jsonl", "--format", "svg", "--data", "-o", "plots", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    texts = [written(write_csv, runs).decode()]
    texts += [path.read_bytes().decode() for path in (tmp_path / "plots").rglob("*.csv")]
    assert len(texts) > 1
    for read in (list(csv.reader(io.StringIO(text, newline=""))) for text in texts):
        for cell in (cell for row in read for cell in row if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r")):
            assert float(cell) < 0
    assert [row["features.number"] for row in csv.DictReader(io.StringIO(texts[0], newline=""))][:4] == [
        "-5",
        "-2.5",
        "-1e-300",
        "7",
    ]
    assert {row["version"] for row in csv.DictReader(io.StringIO(texts[0], newline=""))} == {"-5"}


@settings(deadline=None, max_examples=12)
@given(st.lists(st.dictionaries(st.sampled_from(["key", "reason", "output"]), st.text(max_size=20) | st.integers()), max_size=3))
def test_any_text_can_be_exported(records):
    assert len(list(csv.reader(io.StringIO(written(write_csv, records).decode(), newline="")))) >= 1
    if not any("\ud800" <= c <= "\udfff" for r in records for v in r.values() for c in str(v)):
        assert json.loads(written(write_json, records)) == records


@pytest.mark.parametrize(
    "words, message",
    [((), b"expected --csv, --parquet, or --json"), (("--csv", "/nowhere/x"), b"cannot be written")],
)
def test_mistakes_of_the_command(command, tmp_path, words, message):
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(RECORDS[0] | {"family": "f", "solver": "a", "wall": 1}) + "\n")
    done = command("bench-cnf", "export", path, *words)
    assert done.returncode == 2 and message in done.stderr and b"Traceback" not in done.stderr


def test_the_command_exports(command, tmp_path):
    path = tmp_path / "runs.jsonl"
    whole = [r | {"family": "f", "solver": "a", "wall": 1} for r in RECORDS]
    path.write_text("".join(json.dumps(r) + "\n" for r in whole))
    outputs = ["--csv", "-", "--json", tmp_path / "x.json"]
    done = command("bench-cnf", "export", tmp_path, "--filter", "status=TIMEOUT", *outputs)
    assert done.returncode == 0, done.stderr
    assert [row["instance"] for row in csv.DictReader(io.StringIO(done.stdout.decode(), newline=""))] == ["j"]
    assert len(json.loads((tmp_path / "x.json").read_text())) == 1


# -- for polars, pandas, and R -------------------------------------------------------------------------------------------


def test_parquet_is_read_again():
    import polars

    mixed = [{**RECORDS[0], "seed": 7, "features": {"year": 2020, "who": "Å"}}, {**RECORDS[1], "features": {"year": "?"}}]
    table = polars.read_parquet(io.BytesIO(written(write_parquet, mixed)))
    assert table.columns == columns(mixed)
    assert table["cpu"].to_list() == [1.25, 2.0]
    assert (table["cnf.variables"].dtype, table["cnf.variables"].to_list()) == (polars.Int64, [3, None])
    assert (table["verified"].to_list(), table["seed"].to_list()) == ([True, False], [7, None])
    assert (table["features.year"].to_list(), table["features.who"].to_list()) == (["2020", "?"], ["Å", None])
    assert table["instance"].to_list() == [record["instance"] for record in RECORDS]
    assert polars.read_csv(io.BytesIO(written(write_csv, mixed)))["cpu"].to_list() == [1.25, 2.0]


# -- filtered files -------------------------------------------------------------------------------------------------------
