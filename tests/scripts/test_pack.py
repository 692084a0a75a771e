"""The benchmark pack: the same bytes in every process, its checksums, its known results, and its tasks for BenchExec."""

import csv
import hashlib
import json
import os
import shlex
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest
import yaml
from counting.enumerating import cnf_of as clauses_as_cnf
from repository import REPOSITORY

from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.formula import read_dimacs, write_dimacs
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver

sys.path.append(str(REPOSITORY / "scripts" / "make"))
import make_pack

PART = ("--only", "tiling.t-tetrominoes*", "--only", "*slothouber*")
"""Formulas of two puzzles, and a formula without its eight solutions."""
CHECKED_BY_GBDC = "c a comment -5 0\np cnf 4 3\n1  -2\n 0 3 0\n-4 2 0\n", "5767c970583ba04226d0bb3b45f9aff7"
"""A formula and its hash by gbdc 0.4.3 of the Global Benchmark Database."""


@pytest.fixture(scope="module")
def everything():
    return make_pack.members()


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """A part of the pack."""
    folder = tmp_path_factory.mktemp("pack")
    run(str(folder), *PART, environment={"PYTHONHASHSEED": "0"})
    return folder


def run(*words, environment=None, code=0):
    call = [sys.executable, str(REPOSITORY / "scripts" / "make" / "make_pack.py"), *words]
    done = subprocess.run(call, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    assert done.returncode == code, done.stderr
    return done


def cnf_of(path):
    return read_dimacs(open_source(path)).cnf


def test_the_pack_has_two_hundred_instances_with_a_record_each(everything):
    names = [member.name for member in everything]
    assert len(set(names)) == 200 and list(make_pack.recorded()) == names
    assert {member.expected for member in everything} == {"SATISFIABLE", "UNSATISFIABLE"}
    assert len({line["gbd_hash"] for line in make_pack.recorded().values()}) == 200


@pytest.mark.release
def test_another_process_writes_the_same_bytes(pack, tmp_path):
    """With another hash of strings."""
    run(str(tmp_path), *PART, environment={"PYTHONHASHSEED": "1"})
    files = sorted(path.relative_to(pack) for path in pack.rglob("*") if path.is_file())
    assert len(files) == 2 * 3 + 7
    for file in files:
        assert (pack / file).read_bytes() == (tmp_path / file).read_bytes(), file


def test_checksums_are_the_recorded_ones(pack):
    rows = json.loads((pack / "pack.json").read_text())
    known = make_pack.recorded()
    for row in rows:
        content = (pack / row["file"]).read_bytes()
        numbers = " ".join(line for line in content.decode().splitlines() if line[0] not in "cp")
        assert hashlib.sha256(content).hexdigest() == row["sha256"] == known[row["name"]]["sha256"]
        assert hashlib.md5(numbers.encode()).hexdigest() == row["gbd_hash"] == known[row["name"]]["gbd_hash"]
    listed = (pack / "SHA256SUMS").read_text().splitlines()
    assert listed == [f"{row['sha256']}  {row['file']}" for row in rows]


def test_the_gbd_hash_is_that_of_gbdc():
    text, expected = CHECKED_BY_GBDC
    assert read_dimacs(Source("x.cnf", text.encode(), "")).cnf.gbd_hash() == expected


def test_rows_describe_the_formula(pack):
    rows = json.loads((pack / "pack.json").read_text())
    table = list(csv.DictReader((pack / "pack.csv").open()))
    assert [row["name"] for row in table] == [row["name"] for row in rows]
    for row in rows:
        clauses = list(cnf_of(pack / row["file"]).clauses())
        lengths = [len(clause) for clause in clauses]
        assert row["literals"] == sum(lengths) and row["longest"] == max(lengths) and row["clauses"] == len(lengths)
        assert [row["unit"], row["binary"], row["ternary"]] == [lengths.count(length) for length in (1, 2, 3)]
        assert row["longer"] == sum(length > 3 for length in lengths)


def test_the_command_makes_the_same_clauses(pack, tmp_path):
    rows = [row for row in json.loads((pack / "pack.json").read_text()) if not row["forbidden"]]
    for row in rows:
        program, *words = shlex.split(row["command"].replace(f"{row['name']}.cnf", str(tmp_path / "made.cnf")))
        assert program == "gen-cnf"
        subprocess.run([Path(sys.executable).with_name(program), *words], cwd=REPOSITORY, check=True)
        assert cnf_of(tmp_path / "made.cnf").checksum() == cnf_of(pack / row["file"]).checksum()


def test_forbidden_solutions_are_all_solutions(pack, tmp_path):
    """The formula is unsatisfiable, and satisfiable without any one of the last eight clauses: the puzzle has eight solutions."""
    (row,) = (row for row in json.loads((pack / "pack.json").read_text()) if row["forbidden"])
    cnf = cnf_of(pack / row["file"])
    clauses = list(cnf.clauses())
    assert row["forbidden"] == 8 and status(cnf, tmp_path) == "UNSATISFIABLE"
    for number in range(1, 9):
        left = [clause for place, clause in enumerate(reversed(clauses), start=1) if place != number]
        assert status(clauses_as_cnf(cnf.num_variables, left), tmp_path) == "SATISFIABLE"


def status(cnf, folder):
    path = folder / "x.cnf"
    with path.open("wb") as stream:
        write_dimacs(cnf, stream)
    return run_solver(find_solver("cadical"), path, cnf=cnf).status


def test_tasks_for_benchexec_have_the_expected_verdicts(pack):
    folder = pack
    for row in json.loads((folder / "pack.json").read_text()):
        task = yaml.safe_load((folder / "tasks" / f"{row['name']}.yml").read_text())
        assert task["format_version"] == "2.0" and (folder / "tasks" / task["input_files"]).is_file()
        (entry,) = task["properties"]
        assert entry["expected_verdict"] is (row["verdict"] == "SATISFIABLE")
        assert (folder / "tasks" / entry["property_file"]).is_file()
    listed = (folder / "pack.set").read_text().split()
    assert len(listed) == 3 and all((folder / name).is_file() for name in listed)
    definition = xml.etree.ElementTree.parse(folder / "pack.kissat.xml").getroot()
    assert definition.tag == "benchmark" and definition.findtext("rundefinition/tasks/includesfile") == "pack.set"


def test_records_agree_with_the_lists(everything):
    known = make_pack.recorded()
    for member in everything:
        line = known[member.name]
        assert line["expected"] == member.expected and line["verdict"] in (None, member.expected)
        assert bool(line["evidence"]) >= (line["verdict"] is not None)
        assert line["count"] is None or (line["count_by"] and member.expected == "SATISFIABLE")
    assert not any("webpbn" in str(member.puzzle_file) for member in everything)


def test_recording_again_changes_nothing(everything, tmp_path, monkeypatch):
    """In a new clone, `--record` keeps the recorded results: they follow from the runs and counts in the repository."""
    monkeypatch.setattr(make_pack, "RUNS", tmp_path)
    known, counts = make_pack.recorded(), make_pack.read_counts(everything)
    runs = {member.name: [] for member in everything}
    for run in make_pack.all_runs(everything).values():
        runs[make_pack.stage_and_name(run)[1]].append(run)
    for member in everything:
        found = make_pack.result_of(member, runs[member.name], counts.get(make_pack.puzzle_key(member), []))
        assert {name: known[member.name][name] for name in found} == found


def test_an_unknown_name_is_an_error(tmp_path):
    done = run(str(tmp_path), "--only", "nothing*", code=2)
    assert "found no instance named nothing*" in done.stderr


@pytest.mark.release
@pytest.mark.timeout(3600)
def test_the_whole_pack_has_the_recorded_checksums(tmp_path):
    done = run(str(tmp_path))
    assert "200 instances" in done.stdout and "0 checksums differ" in done.stdout
