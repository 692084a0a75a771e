# ruff: noqa: E501  (records as tables of fields)
"""Runs as columns give what runs as records give: the same newest records, and the same numbers, digit by digit."""

from __future__ import annotations

import csv
import io
import json
import random
import subprocess
import sys

import pytest
from repository import REPOSITORY

from cnfgen_puzzles.bench.analyse.columnreader import read_columns
from cnfgen_puzzles.bench.analyse.columns import Columns, Whole
from cnfgen_puzzles.bench.analyse.columnscores import ScoredColumns
from cnfgen_puzzles.bench.analyse.groups import feature_names, named_groups
from cnfgen_puzzles.bench.analyse.manyruns import read_runs
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.analyse.scores import grids, scores, virtual_bests
from cnfgen_puzzles.bench.planfile import Plan, write_plans
from cnfgen_puzzles.bench.record import scored_fields
from cnfgen_puzzles.bench.run import blocks
from cnfgen_puzzles.bench.show import columnexport, tables
from cnfgen_puzzles.bench.show.export import write_csv, write_json, write_parquet
from cnfgen_puzzles.bench.show.plots import charts
from cnfgen_puzzles.bench.show.sizetable import size_table
from cnfgen_puzzles.common.errors import InputError

STATUSES = ["SATISFIABLE"] * 4 + ["UNSATISFIABLE"] * 4 + ["TIMEOUT", "MEMOUT", "UNKNOWN", "WRONG", "ERROR"]


def made_up(seed: int, runs: int = 300) -> list[dict]:
    """Records with ties, failures, claims, contradictions, runs made again, records of old versions and of other programs."""
    chance = random.Random(seed)
    found = []
    for _ in range(runs):
        family = chance.choice(["nonogram", "tiling", "cnf"])
        instance = f"{family}-{chance.randrange(5)}"
        encoding = None if family == "cnf" else chance.choice(["direct", "order"])
        solver = chance.choice(["kissat", "cadical", "minisat", "zchaff"][: chance.choice([2, 4])])
        key = [family, instance, encoding, None, solver, None, chance.randrange(1, 5)]
        cpu = chance.choice([0, 0.0004, 0.5, 0.5, 1, round(chance.expovariate(0.3), 3)])
        record = {
            "record": 2, "key": json.dumps(key), "suite": chance.choice(["one", "two"]), "family": family, "instance": instance,
            "encoding": encoding, "solver": solver, "solver_name": solver, "repetition": key[-1], "seed": None, "scramble": None,
            "status": chance.choice(STATUSES), "cpu": cpu, "wall": cpu * 1.1 + 0.001, "memory": chance.randrange(10**8),
            "limits": {"cpu": chance.choice([5, 5.0, 10]), "wall": 20, "memory": None}, "version": chance.choice(["1", "2"]),
            "machine": {"host": chance.choice(["a", "b"]), "cores": 2}, "size": {"cells": 10 ** chance.randrange(4)},
            "cnf": {"variables": 3, "clauses": chance.randrange(1, 99), "sha256": "0" * 64}, "binary_sha256": solver * 3,
            "threads": chance.choice([1, 1, 4]), "date": f"2026-01-{chance.randrange(1, 29):02d}", "warnings": ["swap"][: chance.randrange(2)],
            "proofs": chance.choice([True, False]), "joules": 3.5,
        }  # fmt: skip
        if record["status"] == "UNSATISFIABLE":
            record["evidence"] = {"kind": chance.choice(["word", "proof"]), "by": "x"}
        if chance.random() < 0.2:  # as version 0.1.0 wrote it
            for name in ("record", "evidence", "solver_name", "size", "scramble", "proofs", "repetition"):
                record.pop(name, None)
            record["verified"] = chance.choice([True, False, None])
        if chance.random() < 0.05:
            record["expected"] = chance.choice(["SATISFIABLE", "UNSATISFIABLE"])
        found.append(record)
    return found


def written(folder, records, *, end=b"\n"):
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(record, ensure_ascii=False).encode() for record in records]
    (folder / "runs.jsonl").write_bytes(b"\n".join(lines) + end)
    return folder


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of some lines, all of them kept."""
    monkeypatch.setattr(blocks, "BLOCK", 20_000)
    monkeypatch.setattr(blocks, "LEAST_KEPT", 1)
    monkeypatch.setattr(blocks.os, "sched_getaffinity", lambda _: {0})  # no processes for so little


def both(paths, filters=(), **options):
    records = read_results(paths, {*scored_fields(), "warnings"}, filters, **options)
    columns = read_columns(paths, filters, kind=ScoredColumns, **options)
    return records, columns


def plain(record):
    """What both must agree on: what scores look at, and `warnings`."""
    return {name: record.get(name) for name in (*scored_fields(), "warnings", "key", "date")}


@pytest.mark.parametrize("seed", range(3))
def test_columns_are_the_records(seed, tmp_path, small_blocks):
    folders = [written(tmp_path / name, made_up(10 * seed + place)) for place, name in enumerate("abc")]
    for filters in ([], ["solver=k*,cad*", "status!=TIMEOUT"], ["cnf.clauses=1*"], ["host=a"], ["joules=3.5"]):
        records, columns = (read_results(folders, None, filters), read_columns(folders, filters))
        assert [plain(r) for r in columns.records] == [plain(r) for r in records.records], filters
        assert columns.notes == records.notes
        assert [plain(r) for r in columns.revoked] == [plain(r) for r in records.revoked]
        assert list(columns.records.whole()) == records.records, "all fields, from the lines"


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_scores_are_the_same_numbers(seed, tmp_path, small_blocks):
    records, columns = both([written(tmp_path / "a", made_up(seed, 50 * 3**seed % 900 + 2))])
    one, many = records.records, columns.records
    assert isinstance(many, ScoredColumns)
    for by in ((), ("family",), ("family", "encoding"), ("size", "version"), ("host", "suite", "instance")):
        for k, time in ((2, "cpu"), (10, "wall")):
            assert scores(many, by, k=k, time=time) == scores(one, by, k=k, time=time)
            for contestants in (("solver",), ("encoding",), ("encoding", "solver"), ("solver", "version")):
                assert virtual_bests(many, by, contestants, k=k, time=time) == virtual_bests(one, by, contestants, k=k, time=time)
                told = [[(values, list(found.items())) for values, found in grids(part, by, contestants, k=k, time=time)] for part in (many, one)]  # fmt: skip
                assert told[0] == told[1], "the order of points and contestants, too"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_tables_sentences_and_plots_are_the_same(seed, tmp_path, small_blocks):
    records, columns = both([written(tmp_path / "a", made_up(seed))])
    one, many = records.records, columns.records
    for by in ((), ("family", "encoding"), ("size",)):
        assert tables.score_tables(many, by) == tables.score_tables(one, by)
        assert tables.notes(many, by) == tables.notes(one, by)
    assert tables.sentence(many) == tables.sentence(one)
    assert tables.alarms(many, columns.revoked) == tables.alarms(one, records.revoked)
    compared = [tables.compare_tables(part, "solver", "kissat", "cadical", ("family",)) for part in (many, one)]
    assert compared[0] == compared[1]
    drawn = [[(plot.name, plot.caption, plot.data) for plot in charts(part, per_run=bool(seed))] for part in (many, one)]
    assert drawn[0] == drawn[1]


def exported(write, records):
    stream = io.BytesIO()
    write(records, stream)
    return stream.getvalue()


def numbers(text):
    """The cells of a CSV file, numbers as such: `5` and `5.0` are one."""

    def told(cell):
        try:
            return float(cell)
        except ValueError:
            return cell

    return [{name: told(cell) for name, cell in row.items()} for row in csv.DictReader(io.StringIO(text.decode(), newline=""))]


def odd(seed):
    """Records with what few have: fields that nobody knows, values of several kinds, nothing and empty things, any text."""
    chance = random.Random(seed)
    found = made_up(seed, 200)
    for record in found:
        record |= chance.choice(
            [{}, {"later": {"a": [1], "b": chance.choice([1, "x", True, None])}}, {"later": None}, {"a.b": 1e300}]
        )
        record |= chance.choice([{}, {"board": [[1, 0]]}, {"board": None}, {"board": []}, {"proof": {}}, {"proof": None}])
        record |= chance.choice([{}, {"output": 'say "no", \u00e9\r\n'}, {"output": ""}, {"output": None, "kept": "x"}])
        record |= chance.choice([{}, {"solver_options": []}, {"solver_options": ["-q", 1, 1.0, True]}, {"exit_code": None}])
        record |= chance.choice([{}, {"statistics": {"conflicts": chance.choice([1, 1.5, 2**40])}}, {"statistics": None}])
        record |= chance.choice(
            [{}, {"encoding_options": {"amo": {"x": True}}}, {"encoding_options": {"amo": 1}}, {"machine": {}}]
        )
    return found


@pytest.mark.parametrize("seed", range(4))
def test_exports_are_the_same(seed, tmp_path, small_blocks, monkeypatch):
    import polars

    monkeypatch.setattr(columnexport, "PART", 37)
    folders = [written(tmp_path / name, odd(10 * seed + place)) for place, name in enumerate("ab")]
    for filters in ([], ["status=TIMEOUT"]):
        one, many = read_results(folders, None, filters).records, Whole(read_columns(folders, filters).records)
        assert json.loads(exported(write_json, many)) == json.loads(exported(write_json, one)) == one
        assert numbers(exported(write_csv, many)) == numbers(exported(write_csv, one))
        tables = [polars.read_parquet(io.BytesIO(exported(write_parquet, each))) for each in (many, one)]
        assert {*tables[0].columns} == {*tables[1].columns}
        for name in tables[1].columns:
            assert tables[0][name].to_list() == tables[1][name].to_list(), name


FACTS = """instance,author,year,family,expected
nonogram-0,Ann,2010,small,sat
nonogram-1,Bea,2011,large,unsat
tiling-0,Ann,2011,small,unknown
"""


@pytest.mark.parametrize("seed", range(4))
def test_facts_are_joined_alike(seed, tmp_path, small_blocks):
    """`--features`: the same features, expectations, groups and filters; records read from their lines have them, too."""
    found = [record for record in made_up(seed) if record["suite"] == "one" and "expected" not in record]
    chance = random.Random(seed)
    for record in found:  # as a suite with `features:` wrote it
        if record["instance"].endswith("-2"):
            record["features"] = {"author": "Cid", "year": chance.choice([2009, "old"]), "heat": 1.5}
    folder = written(tmp_path / "a", found)
    facts = tmp_path / "facts.csv"
    facts.write_text(FACTS)
    for filters in (
        [],
        ["author=A*,C*"],
        ["family=small"],
        ["features.year=2011", "solver=k*"],
        ["heat!=1.5"],
        ["expected=SAT*"],
    ):
        one, many = (read_runs([folder], None, filters, [str(facts)], many=size) for size in (1 << 40, 0))
        assert isinstance(many.records, ScoredColumns)
        assert [plain(r) for r in many.records] == [plain(r) for r in one.records], filters
        assert list(many.records.whole()) == one.records
        assert many.notes == one.notes and many.revoked == one.revoked
        for names in (["author"], ["family", "year"], ["size"]):
            by = named_groups(names, one.records)
            assert named_groups(names, many.records) == by
            if set(names) <= feature_names(one.records) | {"size"}:
                assert tables.score_tables(many.records, by) == tables.score_tables(one.records, by)
                assert size_table(many.records, by) == size_table(one.records, by)
        assert tables.alarms(many.records) == tables.alarms(one.records)
    for filters in (["autor=Ann"], ["features.autor=Ann"]):
        with pytest.raises(InputError, match="author"):
            read_runs([folder], None, filters, [str(facts)], many=0)


def test_facts_about_nobody_here_are_a_mistake_of_columns_too(tmp_path, small_blocks):
    folder = written(tmp_path / "a", made_up(1))
    facts = tmp_path / "facts.csv"
    facts.write_text("instance,author\nnobody,Ann\n")
    told = []
    for size in (1 << 40, 0):
        with pytest.raises(InputError) as error:
            read_runs([folder], None, (), [str(facts)], many=size)
        told.append(str(error.value))
    assert told[0] == told[1]


def test_an_unsolved_run_without_a_limit_is_told_alike(tmp_path, small_blocks):
    record = made_up(0, 1)[0] | {"status": "TIMEOUT", "limits": {"wall": 20}}
    records, columns = both([written(tmp_path / "a", [record])])
    told = []
    for part in (records.records, columns.records):
        with pytest.raises(InputError) as error:
            scores(part)
        told.append(str(error.value))
    assert told[0] == told[1]


def test_what_the_suite_does_not_ask_for_is_left_out(tmp_path, small_blocks):
    found = made_up(1)
    folder = written(tmp_path / "a", found)
    write_plans(folder, {"one": Plan(frozenset(record["key"] for record in found[:40]))})
    for options in ({}, {"all_runs": True}):
        records, columns = both([folder], **options)
        assert [plain(r) for r in columns.records] == [plain(r) for r in records.records]
        assert (columns.notes, [plain(r) for r in columns.revoked]) == (records.notes, [plain(r) for r in records.revoked])


# -- columns beside the lines ---------------------------------------------------------------------------------------------


def kept(folder):
    return {path.name: path.stat().st_mtime_ns for path in (folder / "runs.jsonl.columns").iterdir()}


def test_columns_are_read_on_where_lines_were_added(tmp_path, small_blocks):
    found = made_up(2, 200)
    folder = written(tmp_path / "a", found[:150])
    read_columns([folder])
    before = kept(folder)
    assert len(before) > 3
    with (folder / "runs.jsonl").open("ab") as stream:
        stream.writelines(json.dumps(record).encode() + b"\n" for record in found[150:])
    records, columns = both([folder])
    assert [plain(r) for r in columns.records] == [plain(r) for r in records.records]
    after = kept(folder)
    assert len(set(before) & set(after)) >= len(before) - 1, "only the last block was read again"
    assert all(after[name] == before[name] for name in set(before) & set(after))


@pytest.mark.parametrize("harm", ["edited line", "flipped bits", "emptied", "no folder", "of another file"])
def test_columns_are_never_believed_against_the_lines(harm, tmp_path, small_blocks):
    folder = written(tmp_path / "a", made_up(3))
    read_columns([folder])
    lines, store = folder / "runs.jsonl", folder / "runs.jsonl.columns"
    first = sorted(store.iterdir())[0]
    if harm == "edited line":
        text = lines.read_text()
        lines.write_text(text.replace('"cpu": 0.5', '"cpu": 0.7', 1))  # of the same length
    elif harm == "flipped bits":
        content = bytearray(first.read_bytes())
        content[len(content) // 2] ^= 1
        first.write_bytes(content)
    elif harm == "emptied":
        first.write_bytes(b"")
    elif harm == "no folder":
        for path in store.iterdir():
            path.unlink()
        store.rmdir()
        store.write_text("a file in its place")
    else:
        other = written(tmp_path / "b", made_up(4))
        read_columns([other])
        for path in (other / "runs.jsonl.columns").iterdir():
            (store / path.name).write_bytes(path.read_bytes())
    records, columns = both([folder])
    assert [plain(r) for r in columns.records] == [plain(r) for r in records.records]


def test_the_end_of_a_file(tmp_path, small_blocks):
    """Half a line is left out and told; a whole one without its end counts."""
    found = made_up(5, 30)
    for number, end in enumerate((b"", b'\n{"half', b"\n\n  \n")):
        folder = written(tmp_path / str(number), found, end=end)
        records, columns = both([folder])
        assert [plain(r) for r in columns.records] == [plain(r) for r in records.records]
        assert columns.notes == records.notes
        assert list(columns.records.whole()) == read_results([folder]).records


@pytest.mark.parametrize("bad", ['{"key": 1}', "x", '{"key": "a", "key": "b"}', '{"record": 9}', "[]"])
def test_damaged_lines_are_told_with_their_number(bad, tmp_path, small_blocks):
    folder = written(tmp_path / "a", made_up(6, 40), end=f"\n{bad}\n".encode())
    told = []
    for read in (read_results, read_columns):
        with pytest.raises(InputError) as error:
            read([folder])
        told.append(str(error.value))
    assert told[0] == told[1] and ":41:" in told[0]


def test_names_that_are_no_text(tmp_path, monkeypatch):
    """A file's name may be any bytes: no column holds that, so the lines are read one by one."""
    folder = written(tmp_path / "a", made_up(7, 5))
    with (folder / "runs.jsonl").open("a") as stream:
        stream.write(json.dumps(made_up(8, 1)[0] | {"instance": "\udcff.cnf"}) + "\n")
    found = read_runs([folder], many=0)
    assert found.records[-1]["instance"] == "\udcff.cnf"
    assert isinstance(read_runs([written(tmp_path / "b", made_up(7, 5))], many=0).records, Columns)


def test_several_processes_read_alike(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 100_000)
    folder = written(tmp_path / "a", made_up(9, 400))
    records, columns = both([folder])
    assert [plain(r) for r in columns.records] == [plain(r) for r in records.records]


@pytest.mark.release
@pytest.mark.timeout(1800)
def test_a_million_runs(tmp_path):
    """Scores of a million runs of several machines, in bounded memory; limits of time are measured, not tested."""
    subprocess.run([sys.executable, REPOSITORY / "scripts" / "make_results.py", tmp_path, "--machines", "4"], check=True)
    script = (
        "import resource, sys; from cnfgen_puzzles.cli.bench_cnf import main\n"
        "try: main()\n"
        "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "scores", tmp_path, "--by", "family"], capture_output=True, text=True, check=False
    )
    assert "kissat" in done.stdout, done.stderr
    assert int(done.stderr.split()[-1]) < 1 << 20, "a gigabyte"
