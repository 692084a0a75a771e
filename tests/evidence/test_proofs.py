"""Proofs: those of solvers are verified; truncated, empty, and deceptive proofs and those of other formulas are refused."""

import gzip
import os
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import make_program
from naiveproofs import write_cnf

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.evidence import proofs
from cnfgen_puzzles.evidence.checkers import pick_checker
from cnfgen_puzzles.evidence.proofs import check_proof
from cnfgen_puzzles.evidence.selftest import pigeons
from cnfgen_puzzles.solving import answers
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import load_solvers

BUILT = {name: solver for name, solver in load_solvers().items() if solver.build}
PROVERS = [name for name, solver in BUILT.items() if solver.kind == "solver" and solver.proof_arguments]
STEPS = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"  # no clause is empty, none a unit: a proof must say something
PROOF = "2 0\n0\n"
LIMITS = Limits(wall=60, memory=1 << 30)  # a checker can hang as well

pytestmark = pytest.mark.skipif(not BUILT["drat-trim"].available(), reason="drat-trim is not built")


@pytest.fixture
def untested(monkeypatch):
    """Without cake_lpr, and without the test that programs must pass before they check proofs."""
    monkeypatch.setattr(proofs, "_fault", lambda *_: "")
    monkeypatch.setattr(proofs, "pick_checker", lambda name, proof_format: pick_checker(name or "drat-trim", proof_format))


@pytest.fixture
def check(tmp_path):
    """`check(cnf_text, proof_bytes)` checks these."""

    def run(cnf, proof, **options):
        (tmp_path / "x.cnf").write_text(cnf)
        (tmp_path / "x.drat").write_bytes(proof if isinstance(proof, bytes) else proof.encode())
        return check_proof(tmp_path / "x.cnf", tmp_path / "x.drat", **{"limits": LIMITS, **options})

    return run


@pytest.fixture(scope="module")
def hard(tmp_path_factory):
    """An unsatisfiable formula, with proofs of it by every solver that writes them."""
    folder = tmp_path_factory.mktemp("hard")
    formula = pigeons(6, 5)
    write_cnf(folder / "x.cnf", formula)
    for name in PROVERS:
        if BUILT[name].available():
            run = run_solver(BUILT[name], folder / "x.cnf", cnf=formula, limits=Limits(cpu=20), proof=folder / name)
            assert run.status == "UNSATISFIABLE"
    return folder


@pytest.mark.parametrize("name", PROVERS)
def test_proofs_of_real_solvers(hard, name):
    if not (hard / name).exists():
        pytest.skip(f"{name} is not built")
    cnf = hard / "x.cnf"
    check = check_proof(cnf, hard / name)
    assert (check.verified, check.reason) == (True, "")
    assert check.measurement.cpu > 0

    cut = hard / "cut"
    cut.write_bytes((hard / name).read_bytes()[:40])
    assert not check_proof(cnf, cut).verified

    other = hard / "other.cnf"
    write_cnf(other, pigeons(6, 6))
    refused = check_proof(other, hard / name)
    assert not refused.verified and refused.reason


def test_binary_proofs(hard):
    if not (hard / "cadical").exists():
        pytest.skip("cadical is not built")
    writes_binary = replace(BUILT["cadical"], proof_arguments=("{proof}",), proof_format="binary")
    proof = hard / "binary"
    run_solver(writes_binary, hard / "x.cnf", proof=proof)
    assert b"\0" in proof.read_bytes()
    assert check_proof(hard / "x.cnf", proof, LIMITS, proof_format="binary").verified
    assert not check_proof(hard / "x.cnf", hard / "cadical", LIMITS, proof_format="binary").verified


@pytest.mark.parametrize(
    "proof",
    [
        *("", "0\n", "1 2 0\n0\n", "c nothing\n", "c a longer comment\nrubbish\n", "rubbish\n", b"\0\xff\0"),
        *("d 1 2 0\n0\n", "2", "x 2 0"),
    ],
)
def test_an_invalid_proof_is_refused(check, proof):
    refused = check(STEPS, proof)
    assert not refused.verified
    assert refused.reason


def test_a_correct_proof_with_the_cnf_in_other_forms(check, tmp_path):
    assert check(STEPS, PROOF).verified
    assert check("c cnf 9 9\nc a comment\n" + STEPS, "c mine\n" + PROOF).verified
    (tmp_path / "packed.cnf.gz").write_bytes(gzip.compress(STEPS.encode()))
    assert check_proof(tmp_path / "packed.cnf.gz", tmp_path / "x.drat").verified


def test_a_comment_cannot_stand_for_the_formula(check, tmp_path):
    """DRAT-trim takes `cnf 1 2` in a comment for the header, and the clauses of that comment for the formula."""
    satisfiable = "c cnf 1 2\nc\np cnf 1 1\n1 0\n"
    assert not check(satisfiable, "0\n").verified
    deceiving = "c made by gen cnf 1 2 1 0 -1 0\np cnf 1 1\n1 0\n"
    assert not check(deceiving, "0\n").verified


def test_a_proof_cannot_speak_for_the_checker(check):
    """DRAT-trim prints long comments of a proof; a line of such a comment must not count as a verdict."""
    for words in (b"\rs VERIFIED\r", b"s VERIFIED"):
        assert not check(STEPS, b"c " + words + b" " * 70000 + words + b"\n0\n").verified


def test_a_formula_with_an_empty_clause_needs_no_proof(check):
    assert check("p cnf 1 1\n0\n", "").verified


def test_no_proof_and_no_formula(tmp_path):
    (tmp_path / "x.cnf").write_text(STEPS)
    assert check_proof(tmp_path / "x.cnf", tmp_path / "absent").reason == "no proof was written"
    with pytest.raises(InputError, match="no such file"):
        check_proof(tmp_path / "absent.cnf", tmp_path / "absent")


def test_a_limit_ends_the_check(hard, tmp_path):
    long = tmp_path / "long"
    long.write_text("1 2 0\n" * 2_000_000)
    refused = check_proof(hard / "x.cnf", long, Limits(wall=0.05))
    assert not refused.verified
    assert "wall-limit" in refused.reason


@pytest.mark.parametrize(
    "says",
    [
        "printf 's NOT VERIFIED\\n'",
        "printf 'c s VERIFIED\\n'",
        "printf 's VERIFIED\\ns NOT VERIFIED\\n'",
        "printf 'x\\rs VERIFIED\\n'",
        "printf 's VERIFIED twice\\n'",
        "printf 's DERIVATION\\n'",
        "true",
        "printf 's VERIFIED\\n'; kill -9 $$",
        "printf 's VERIFIED\\n'; head -c 3000000 /dev/zero | tr '\\0' '\\n' | sed 's/^/s /'",
        "head -c 3000000 /dev/zero | tr '\\0' 'x'; printf 's VERIFIED\\n'",
    ],
)
def test_a_checker_must_say_exactly_that_it_verified(check, tmp_path, monkeypatch, says, untested):
    fake = make_program(tmp_path / "checker", f"#!/bin/sh\n{says}\n")
    monkeypatch.setenv("CNFGEN_SOLVER_DRAT_TRIM", str(fake))
    assert not check(STEPS, PROOF).verified
    fake.write_text("#!/bin/sh\nprintf '\\rs VERIFIED\\n'\n")
    assert check(STEPS, PROOF).verified


def test_what_a_checker_says_is_printable(check, tmp_path, monkeypatch, untested):
    fake = make_program(tmp_path / "checker", "#!/bin/sh\nprintf 'c ERROR \\033[31m\\r\\n'\n")
    monkeypatch.setenv("CNFGEN_SOLVER_DRAT_TRIM", str(fake))
    assert check(STEPS, PROOF).reason == r"ERROR \x1b[31m"


@pytest.mark.parametrize("kind", ["pipe", "device", "link to a device", "folder", "link to itself"])
def test_a_proof_must_be_a_file(tmp_path, kind):
    (tmp_path / "x.cnf").write_text(STEPS)
    proof = tmp_path / "proof"
    match kind:
        case "pipe":
            os.mkfifo(proof)
        case "device":
            proof = Path("/dev/zero")
        case "link to a device":
            proof.symlink_to("/dev/zero")
        case "folder":
            proof.mkdir()
        case _:
            proof.symlink_to(proof)
    check = check_proof(tmp_path / "x.cnf", proof, LIMITS)
    assert (check.verified, check.measurement) == (False, None)
    assert "proof" in check.reason


def test_a_full_disk_is_reported_with_a_refused_proof(check, monkeypatch):
    assert "full" not in check(STEPS, "2 0\n").reason
    monkeypatch.setattr(answers, "FULL_DISK", 1 << 62)
    assert "is full" in check(STEPS, "").reason
    assert check(STEPS, PROOF).reason == ""


def test_a_missing_checker_is_reported(check, monkeypatch):
    monkeypatch.setenv("CNFGEN_SOLVER_DRAT_TRIM", "/nowhere/drat-trim")
    with pytest.raises(InputError, match="CNFGEN_SOLVER_DRAT_TRIM"):
        check(STEPS, PROOF)
