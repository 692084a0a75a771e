"""The solvers of a suite: builds and settings of known solvers run under separate labels and are distinguished."""

import json

import pytest
from bench.suites import SAT, UNSAT, records

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.table import find_solver


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "sat.cnf").write_text(SAT)
    (tmp_path / "unsat.cnf").write_text(UNSAT)
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        program = tmp_path / folder / "kissat"
        program.write_text(f'#!/bin/sh\n# {folder}\nexec {find_solver("kissat").locate()} $EXTRA "$@"\n')
        program.chmod(0o755)

    def write(solvers, **keys):
        path = tmp_path / "suite.yaml"
        path.write_text(
            json.dumps({"name": "s", "instances": [{"cnf": ["*.cnf"]}], "solvers": solvers, "limits": {"cpu": 5}} | keys)
        )
        return path

    return write


def test_two_builds_with_seeds_and_proofs(suite, tmp_path):
    reads = [str(find_solver("kissat").locate())]
    new = {"name": "dev", "like": "kissat", "program": "./new/kissat", "environment": {"EXTRA": "--sat"}, "reads": reads}
    found = run_suite(suite(["kissat", {"name": "./old/kissat", "like": "kissat", "label": "old", "reads": reads}, new],
                            seeds=[1, 2], proofs=True), tmp_path / "out")  # fmt: skip
    assert {r["solver"] for r in found.records} == {"kissat", "old", "dev"}
    assert len(found.records) == 12
    assert {r["status"] for r in found.records if r["instance"] == "unsat.cnf"} == {"UNSATISFIABLE"}
    assert all(r["proof"]["verified"] for r in found.records if r["instance"] == "unsat.cnf")
    assert len({r["binary_sha256"] for r in found.records}) == 3
    dev = next(r for r in records(tmp_path / "out") if r["solver"] == "dev")
    assert (dev["like"], dev["environment"]) == ("kissat", {"EXTRA": "--sat"})
    assert dev["command"].startswith(f"EXTRA=--sat {tmp_path}/new/kissat ")


def test_labels_tell_equal_names_apart_in_any_order(suite):
    programs = ["./new/kissat", {"name": "./old/kissat", "like": "kissat"}]
    for order in (programs, programs[::-1]):
        labels = {choice.label for choice in read_suite(suite(order)).solvers}
        assert labels == {"./new/kissat", "./old/kissat"}
    assert [c.label for c in read_suite(suite(["./old/kissat"])).solvers] == ["kissat"]
    assert [c.label for c in read_suite(suite(["kissat", "./old/kissat"])).solvers] == ["kissat", "./old/kissat"]
    settings = ["kissat", {"name": "kissat", "options": ["--sat"]}, {"name": "kissat", "environment": {"A": 1}}]
    assert [c.label for c in read_suite(suite(settings)).solvers] == ["kissat", "kissat --sat", "kissat A=1"]
    named = [{"name": "kissat", "program": "./new/kissat", "label": "new"}, "kissat"]
    [new, _] = read_suite(suite(named)).solvers
    assert (new.label, new.like, new.solver[-10:]) == ("new", "kissat", "new/kissat")


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        ({"name": "dev", "like": "kisat"}, "did you mean kissat?"),
        ({"name": "dev", "program": "./new/kissat"}, "add `like: NAME`"),
        ({"name": "dev", "like": "./new/kissat"}, "found the path './new/kissat'"),
        ({"name": "./new/kissat", "program": "./old/kissat"}, "expected a name without `/`"),
        ({"name": "dev", "like": "drat-trim"}, "which is a checker"),
    ],
)
def test_mistakes(suite, solver, message):
    with pytest.raises(InputError, match=message) as caught:
        read_suite(suite(["kissat", solver]))
    assert "suite.yaml:1" in str(caught.value)


def test_program_by_path_gets_a_hint_for_seeds_and_proofs(suite):
    notes = read_suite(suite(["./new/kissat", "kissat"], seeds=[1, 2], proofs=True)).notes
    assert ["takes no seed" in note and "`like: kissat`" in note for note in notes] == [False, True]
    assert "writes no proofs" in notes[0]
