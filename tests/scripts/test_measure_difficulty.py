"""The comparison of difficulty with published times: the table and the coefficient, on the smallest puzzles."""

import csv
import shutil

import pytest


@pytest.fixture
def script(load_script, monkeypatch, tmp_path, instances):
    """The script, with three of the puzzles."""
    module = load_script("measure_difficulty")
    shipped = instances / "nonogram" / "webpbn"
    with (shipped / "difficulty.csv").open(encoding="utf-8") as table:
        rows = list(csv.reader(table))
    few = ("puzzle", "webpbn-00001", "webpbn-00021", "webpbn-00023", "webpbn-00065")
    (tmp_path / "difficulty.csv").write_text("".join(",".join(row) + "\n" for row in rows if row[0] in few))
    for name in few[1:4]:
        shutil.copy(shipped / f"{name}.nin", tmp_path)
    monkeypatch.setattr(module, "SHIPPED", tmp_path)
    return module


def test_the_table_has_claims_and_measurements(script, capsys):
    assert script.main([]) == 0
    printed = capsys.readouterr().out
    assert "| webpbn-00001 | 50 | yes | 1.0 | line logic | 30 | 0 | 0 | 0 |" in printed and "webpbn-00065" not in printed
    assert "line logic solves the puzzles that the claims say: yes" in printed
    assert "rank correlation of score with the published times, 3 puzzles: " in printed


def test_a_false_claim_is_reported(script, tmp_path, capsys):
    table = tmp_path / "difficulty.csv"
    table.write_text(table.read_text().replace("webpbn-00023,no", "webpbn-00023,yes"))
    assert script.main([]) == 1
    assert "no: ['webpbn-00023']" in capsys.readouterr().out
