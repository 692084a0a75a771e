"""run-cnf with several solvers: the answer and the proof of the winner, the records, and mistakes."""

from __future__ import annotations

import json
import shutil
import sys

import psutil
import pytest
from click.testing import CliRunner

from cnfgen_puzzles.cli.run_cnf import COMMAND
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.proofs import check_proof
from cnfgen_puzzles.formula.dimacs import read_dimacs
from cnfgen_puzzles.solving.table import find_solver

SAT = "p cnf 2 2\n1 -2 0\n2 0\n"
UNSAT = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
REFUTES = "print('s UNSATISFIABLE', flush=True)\nsys.exit(20)"
WRONG_MODEL = "print('s SATISFIABLE\\nv -1 -2 0', flush=True)\nsys.exit(10)"
HANGS = "while True: time.sleep(1)"


@pytest.fixture
def call(tmp_path, monkeypatch):
    """`call("./a,kissat", SAT, "--json")`: exit code and output; no process remains."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "scratch").mkdir()
    for name, body in {"refutes": REFUTES, "wrong": WRONG_MODEL, "hangs": HANGS, "hangs2": HANGS}.items():
        (tmp_path / name).write_text(f"#!{sys.executable} -S\nimport sys, time\n{body}\n")
        (tmp_path / name).chmod(0o755)

    def called(solvers, cnf, *words):
        (tmp_path / "x.cnf").write_text(cnf)
        done = CliRunner().invoke(COMMAND, [solvers, "x.cnf", *map(str, words)], standalone_mode=False)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        for kept in (tmp_path / "scratch").glob("cnfgen-kept-*"):  # what a liar said
            shutil.rmtree(kept)
        assert not list((tmp_path / "scratch").iterdir())
        return done.return_value, done.stdout, done.stderr

    yield called
    mine = [each for each in psutil.process_iter(["cmdline"]) if any(str(tmp_path) in w for w in each.info["cmdline"] or ())]
    assert not mine


def test_the_first_model_and_the_total_cost(call):
    code, out, err = call("./hangs,kissat", SAT)
    lines = out.splitlines()
    assert (code, err) == (10, "") and "s SATISFIABLE" in lines and "v 1 2 0" in lines
    assert lines[0].startswith("c kissat") and any(line.startswith("c hangs") for line in lines)
    assert any(line.startswith("c all solvers together: cpu ") for line in lines)


@pytest.mark.parametrize("checker", ["drat-trim", "lrat"])
def test_the_proof_in_the_file_is_the_one_that_was_checked(call, tmp_path, checker):
    code, out, err = call(
        "./hangs,minisat-core,cadical", UNSAT, "--proof", "x.proof", "--check-proof", "--checker", checker, "--json"
    )
    entry = json.loads(out)
    assert (code, err, entry["solver"], entry["evidence"]["kind"]) == (20, "", "cadical", "proof")
    cnf = read_dimacs(open_source("x.cnf")).cnf
    form = "lrat" if checker == "lrat" else find_solver("cadical").proof_format
    check = check_proof(tmp_path / "x.cnf", tmp_path / "x.proof", cnf=cnf, proof_format=form, checker=checker)
    assert check.verified, check.reason


def test_json_and_record_have_all_runs(call, tmp_path):
    code, out, _ = call("kissat,./hangs", UNSAT, "--json", "--record", "record.json")
    entry, record = json.loads(out), json.loads((tmp_path / "record.json").read_text())
    assert code == 20 and entry.pop("model") is None and entry == record
    assert (entry["solver"], entry["status"]) == ("kissat", "UNSATISFIABLE")
    told = entry["side_by_side"]
    (other,) = told["others"]
    assert (other["solver"], other["status"], other["ended"], told["alarms"]) == ("hangs", "UNKNOWN", "interrupted", [])
    assert told["cpu"] == pytest.approx(entry["cpu"] + other["cpu"], abs=0.001)


def test_a_wrong_model_is_an_alarm_and_another_answer_counts(call):
    code, out, err = call("./wrong,./hangs", SAT, "--wall-time", "1")
    assert code != 10 and "s SATISFIABLE" not in out and "wrong: WRONG" in err
    code, out, err = call("./wrong", SAT)
    assert code == 1 and "wrong: WRONG" in err


def test_with_check_proof_a_claim_never_counts(call):
    code, out, _ = call("./refutes,kissat", SAT, "--proof", "x.proof", "--check-proof")
    assert code == 10 and "v 1 2 0" in out
    code, out, err = call("./refutes,kissat", UNSAT, "--proof", "x.proof", "--check-proof", "--json")
    assert code == 20 and json.loads(out)["solver"] == "kissat" and err == ""
    assert call("./refutes,./hangs", UNSAT)[0] == 20  # without it, it does
