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
from repository import REPOSITORY

from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
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
def packs(tmp_path_factory):
    """A part of the pack, made by two processes with different hashes of strings."""
    folders = []
    for seed in ("0", "1"):
        folder = tmp_path_factory.mktemp("pack")
        run(str(folder), *PART, environment={"PYTHONHASHSEED": seed})
        folders.append(folder)
    return folders


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
def test_two_processes_write_the_same_bytes(packs):
    first, second = packs
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert len(files) == 2 * 3 + 7
    for file in files:
        assert (first / file).read_bytes() == (second / file).read_bytes(), file


def test_checksums_are_the_recorded_ones(packs):
    rows = json.loads((packs[0] / "pack.json").read_text())
    known = make_pack.recorded()
    for row in rows:
        content = (packs[0] / row["file"]).read_bytes()
        numbers = " ".join(line for line in content.decode().splitlines() if line[0] not in "cp")
        assert hashlib.sha256(content).hexdigest() == row["sha256"] == known[row["name"]]["sha256"]
        assert hashlib.md5(numbers.encode()).hexdigest() == row["gbd_hash"] == known[row["name"]]["gbd_hash"]
    listed = (packs[0] / "SHA256SUMS").read_text().splitlines()
    assert listed == [f"{row['sha256']}  {row['file']}" for row in rows]


def test_the_gbd_hash_is_that_of_gbdc():
    text, expected = CHECKED_BY_GBDC
    assert read_dimacs(Source("x.cnf", text.encode(), "")).cnf.gbd_hash() == expected


def test_rows_describe_the_formula(packs):
    rows = json.loads((packs[0] / "pack.json").read_text())
    table = list(csv.DictReader((packs[0] / "pack.csv").open()))
    assert [row["name"] for row in table] == [row["name"] for row in rows]
    for row in rows:
        clauses = list(cnf_of(packs[0] / row["file"]).clauses())
        lengths = [len(clause) for clause in clauses]
        assert row["literals"] == sum(lengths) and row["longest"] == max(lengths) and row["clauses"] == len(lengths)
        assert [row["unit"], row["binary"], row["ternary"]] == [lengths.count(length) for length in (1, 2, 3)]
        assert row["longer"] == sum(length > 3 for length in lengths)


def test_the_command_makes_the_same_clauses(packs, tmp_path):
    rows = [row for row in json.loads((packs[0] / "pack.json").read_text()) if not row["forbidden"]]
    for row in rows:
        program, *words = shlex.split(row["command"].replace(f"{row['name']}.cnf", str(tmp_path / "made.cnf")))
        assert program == "gen-cnf"
        subprocess.run([Path(sys.executable).with_name(program), *words], cwd=REPOSITORY, check=True)
        assert cnf_of(tmp_path / "made.cnf").checksum() == cnf_of(packs[0] / row["file"]).checksum()


def test_forbidden_solutions_are_all_solutions(packs, tmp_path):
    """The formula is unsatisfiable, and satisfiable without any one of the last eight clauses: the puzzle has eight solutions."""
    (row,) = (row for row in json.loads((packs[0] / "pack.json").read_text()) if row["forbidden"])
    cnf = cnf_of(packs[0] / row["file"])
    clauses = list(cnf.clauses())
    assert row["forbidden"] == 8 and status(cnf, tmp_path) == "UNSATISFIABLE"
    for number in range(1, 9):
        left = [clause for place, clause in enumerate(reversed(clauses), start=1) if place != number]
        smaller = Cnf(cnf.num_variables, len(left))
        for clause in left:
            smaller.literals.extend([*clause, 0])
        assert status(smaller, tmp_path) == "SATISFIABLE"


def status(cnf, folder):
    path = folder / "x.cnf"
    with path.open("wb") as stream:
        write_dimacs(cnf, stream)
    return run_solver(find_solver("cadical"), path, cnf=cnf).status


def test_tasks_for_benchexec_have_the_expected_verdicts(packs):
    folder = packs[0]
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


def test_the_rule_of_the_competition_needs_a_late_minisat_and_another_answer():
    def run(solver, status, cpu, limit):
        return {"solver": solver, "solver_name": solver, "status": status, "cpu": cpu, "limits": {"cpu": limit}}

    late, other = run("minisat", "TIMEOUT", 60.1, 60), run("kissat", "SATISFIABLE", 50.2, 3600)
    assert make_pack.competition([late, other]) == "minisat: no answer in 60 s; kissat: 50.20 s"
    assert not make_pack.competition([late])
    assert not make_pack.competition([other])
    assert not make_pack.competition([run("minisat", "TIMEOUT", 10.1, 10), other])
    assert not make_pack.competition([late, run("minisat", "SATISFIABLE", 9.1, 10), other])


def test_a_solver_with_other_flags_is_no_second_solver(everything):
    def run(label, solver):
        return {"solver": label, "solver_name": solver, "status": "UNSATISFIABLE", "evidence": None}

    (member,) = (member for member in everything if member.name == "nonogram.ndom-size-20-seed-1.order.excluded")
    kissat, plain, cadical = run("kissat", "kissat"), run("kissat plain", "kissat"), run("cadical", "cadical")
    assert list(make_pack.evidence_of_verdict(member, [kissat, plain])) == [(make_pack.ONE_SOLVER, "claimed by kissat")]
    assert list(make_pack.evidence_of_verdict(member, [plain, cadical])) == [("two solvers", "claimed by cadical, kissat")]


def test_an_hour_is_for_instances_without_an_answer_or_a_checked_proof(everything):
    def known(name, *evidence):
        records = [
            {"key": json.dumps(["times", name, "kissat"]), "solver_name": "kissat", "cpu": 2.5, "status": "UNSATISFIABLE"}
            | {"evidence": kind and {"kind": kind}}
            for kind in evidence
        ]
        return make_pack.known_from(records)[name]

    wants = make_pack.STAGES["hour"].wants
    unsat, sat = (next(each for each in everything if each.expected == verdict) for verdict in ("UNSATISFIABLE", "SATISFIABLE"))
    assert known(unsat.name, None) == make_pack.Known({"kissat": 2.5}, proved=False)
    assert wants(unsat, known(unsat.name)) and wants(unsat, known(unsat.name, None, "word"))
    assert not wants(unsat, known(unsat.name, "word", "proof"))
    assert wants(sat, known(sat.name)) and not wants(sat, known(sat.name, "model"))


@pytest.mark.parametrize(
    "status, proofs, again", [("UNSATISFIABLE", False, True), ("UNSATISFIABLE", True, False), ("TIMEOUT", False, False)]
)
def test_a_recorded_answer_without_a_proof_is_measured_again_with_one(status, proofs, again):
    run = {"status": status, "proofs": proofs}
    assert make_pack.STAGES["hour"].lacks(run) is again
    assert make_pack.STAGES["hour"].lacks(None) and not make_pack.STAGES["times"].lacks(run)


def test_an_unknown_name_is_an_error(tmp_path):
    done = run(str(tmp_path), "--only", "nothing*", code=2)
    assert "found no instance named nothing*" in done.stderr


@pytest.mark.release
@pytest.mark.timeout(3600)
def test_the_whole_pack_has_the_recorded_checksums(tmp_path):
    done = run(str(tmp_path))
    assert "200 instances" in done.stdout and "0 checksums differ" in done.stdout


def test_the_two_files_of_times_agree(everything):
    """The seconds and the rule of the competition in results.jsonl are those of the runs in runs.jsonl."""
    runs = {member.name: [] for member in everything}
    for run in make_pack.read_runs(make_pack.MEASURED):
        runs[make_pack.stage_and_name(run)[1]].append(run)
    for name, line in make_pack.recorded().items():
        assert make_pack.times_by_solver(runs[name]) == line["seconds"], name
        assert make_pack.competition(runs[name]) == line["competition"], name
    assert sum(len(line["seconds"]) for line in make_pack.recorded().values()) > 800
