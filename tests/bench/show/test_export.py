"""What is exported can be read again by others, and says the same."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.bench.show.export import MOST_TEXT, columns, flat, write_csv, write_json, write_xlsx

RECORDS = [
    {"key": '["f","i"]', "suite": "s", "instance": 'a "quoted", name\nof two lines', "status": "SATISFIABLE", "verified": True,
     "cpu": 1.25, "cnf": {"variables": 3, "clauses": 7}, "board": {"cells": [[1, 0]]}, "cores": [0]},
    {"key": "=1+1", "suite": "s", "instance": "j", "status": "TIMEOUT", "verified": False, "cpu": 2, "cnf": {}, "seed": None,
     "proof": {"verified": True, "checker": {"name": "drat"}}},
]  # fmt: skip


def written(write, records):
    stream = io.BytesIO()
    write(records, stream)
    return stream.getvalue()


def test_flat_and_columns():
    assert flat(RECORDS[0])["cnf.variables"] == 3
    assert flat(RECORDS[1])["proof.checker.name"] == "drat"
    assert columns(RECORDS)[:5] == ["suite", "instance", "seed", "status", "cpu"]
    assert set(columns(RECORDS)) == set(flat(RECORDS[0])) | set(flat(RECORDS[1]))


def test_csv_is_read_again():
    rows = list(csv.DictReader(io.StringIO(written(write_csv, RECORDS).decode(), newline="")))
    assert [row["instance"] for row in rows] == [record["instance"] for record in RECORDS]
    assert [row["cnf.clauses"] for row in rows] == ["7", ""]
    assert [row["verified"] for row in rows] == ["true", "false"]
    assert json.loads(rows[0]["board"]) == RECORDS[0]["board"]


def test_json_is_the_same_records():
    assert json.loads(written(write_json, RECORDS)) == RECORDS
    assert json.loads(written(write_json, [])) == []


def test_a_spreadsheet_is_read_again():
    from openpyxl import load_workbook

    sheet = load_workbook(io.BytesIO(written(write_xlsx, RECORDS))).active
    header, *rows = ([cell.value for cell in row] for row in sheet.iter_rows())
    assert header == columns(RECORDS)
    first, second = (dict(zip(header, row, strict=True)) for row in rows)
    assert (first["cpu"], first["cnf.variables"], first["verified"]) == (1.25, 3, True)
    assert second["key"] == "=1+1"  # a text, not a formula
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    assert (sheet.freeze_panes, sheet.auto_filter.ref.split(":")[0]) == ("A2", "A1")


@settings(deadline=None, max_examples=30)
@given(st.lists(st.dictionaries(st.sampled_from(["key", "reason", "output"]), st.text(max_size=20) | st.integers()), max_size=3))
def test_any_text_can_be_exported(records):
    from openpyxl import load_workbook

    assert load_workbook(io.BytesIO(written(write_xlsx, records))).active is not None
    assert len(list(csv.reader(io.StringIO(written(write_csv, records).decode(), newline="")))) >= 1
    if not any("\ud800" <= c <= "\udfff" for r in records for v in r.values() for c in str(v)):
        assert json.loads(written(write_json, records)) == records


def test_text_that_no_cell_can_hold():
    from openpyxl import load_workbook

    [row] = list(load_workbook(io.BytesIO(written(write_xlsx, [{"output": "\x00bell\x07" + "x" * 40_000}]))).active.iter_rows())[
        1:
    ]
    assert row[0].value.startswith("\ufffdbell\ufffdxx") and len(row[0].value) == MOST_TEXT


@pytest.mark.parametrize(
    "words, message",
    [((), b"expected --csv, --parquet, --gbd, --json or --xlsx"), (("--csv", "/nowhere/x"), b"cannot be written")],
)
def test_mistakes_of_the_command(command, tmp_path, words, message):
    path = tmp_path / "runs.jsonl"
    path.write_text("")
    done = command("bench-cnf", "export", path, *words)
    assert done.returncode == 2 and message in done.stderr and b"Traceback" not in done.stderr


def test_the_command_exports(command, tmp_path):
    path = tmp_path / "runs.jsonl"
    whole = [r | {"family": "f", "solver": "a", "wall": 1} for r in RECORDS]
    path.write_text("".join(json.dumps(r) + "\n" for r in whole))
    done = command("bench-cnf", "export", tmp_path, "--filter", "status=TIMEOUT", "--csv", "-", "--json", tmp_path / "x.json",
                   "--xlsx", tmp_path / "x.xlsx")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [row["instance"] for row in csv.DictReader(io.StringIO(done.stdout.decode(), newline=""))] == ["j"]
    assert len(json.loads((tmp_path / "x.json").read_text())) == 1
    assert (tmp_path / "x.xlsx").read_bytes().startswith(b"PK")
