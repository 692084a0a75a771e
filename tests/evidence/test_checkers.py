"""Checkers of several steps: each step accepts correct proofs, and no faulty program makes a wrong proof verified."""

from __future__ import annotations

import random
import subprocess

import pytest
from conftest import make_program
from hypothesis import given, settings
from hypothesis import strategies as st
from naiveproofs import cnf_of, random_clauses, satisfiable, write_cnf

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.evidence import proofs as proofs_module
from cnfgen_puzzles.evidence.checkers import CHECKERS, VERIFIED, pick_checker, proving
from cnfgen_puzzles.evidence.proofs import LRAT_TRIALS, _has_empty_clause, check_proof, megabytes_for, plain_clauses
from cnfgen_puzzles.evidence.selftest import pigeons
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver

LIMITS = Limits(wall=60, memory=4 << 30)
NEEDS_CAKE = pytest.mark.skipif(not VERIFIED.available(), reason="cake_lpr is not installed: no origin of its recipe has it here")
CAKE = pytest.param("verified", marks=NEEDS_CAKE)
NAMES = ["drat-trim", "lrat", "built-in", CAKE]
"""The checkers that read DRAT."""
OF_HINTS = ["lrat", "built-in", CAKE]
SQUARES = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


@pytest.fixture
def check(tmp_path):
    """`check(clauses, proof, **how)`: the verdict of a checker on this proof of this formula."""

    def run(clauses, proof, **how):
        (tmp_path / "x.proof").write_bytes(proof if isinstance(proof, bytes) else proof.encode())
        return check_proof(write_cnf(tmp_path / "x.cnf", clauses), tmp_path / "x.proof", **{"limits": LIMITS, **how})

    return run


@pytest.fixture(scope="module")
def proofs(tmp_path_factory):
    """An unsatisfiable formula that a solver extends, with its DRAT and LRAT proofs."""
    folder = tmp_path_factory.mktemp("proofs")
    path, solver = write_cnf(folder / "x.cnf", pigeons(6, 5)), find_solver("cadical")
    if not solver.available():
        pytest.skip("cadical is not built")
    for each, name in ((solver, "drat"), (solver.with_hints(), "lrat")):
        assert run_solver(each, path, limits=LIMITS, proof=folder / name).status == "UNSATISFIABLE"
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_solvers_proof_passes_and_nothing_else_does(proofs, check, name):
    right = check_proof(proofs / "x.cnf", proofs / "drat", LIMITS, checker=name)
    assert (right.verified, right.reason, right.by) == (True, "", CHECKERS[name].title)
    assert [step.program.name for step in right.steps] == [step.program().name for step in CHECKERS[name].formats["text"]]
    assert right.measurement.cpu == pytest.approx(sum(step.measurement.cpu for step in right.steps))
    assert ("drat-trim" in right.note) == (len(right.steps) > 1)
    lines = (proofs / "drat").read_bytes().splitlines(keepends=True)
    wrong = {
        "of another formula": (pigeons(6, 6), b"".join(lines)),
        "cut": (pigeons(6, 5), b"".join(lines[:20])),
        "empty": (pigeons(6, 5), b""),
        "its end alone": (pigeons(6, 5), b"0\n"),
    }
    for kind, (formula, proof) in wrong.items():
        refused = check(formula, proof, checker=name)
        assert refused.refused and refused.reason and not refused.by, kind


@pytest.mark.parametrize("name", OF_HINTS)
def test_a_solvers_own_hints_pass_and_nothing_else_does(proofs, check, name):
    def checked(formula, proof):
        return check(formula, proof, checker=name, proof_format="lrat")

    text = (proofs / "lrat").read_bytes()
    assert checked(pigeons(6, 5), text).verified
    lines = text.splitlines(keepends=True)
    last = lines[-1].split()
    assert last[1] == b"0"  # the empty clause
    wrong = {
        "of another formula": (pigeons(6, 6), text),
        "without the empty clause": (pigeons(6, 5), b"".join(lines[:-1])),
        "a hint less": (pigeons(6, 5), b"".join([*lines[:-1], b" ".join([*last[:-2], b"0\n"])])),
        "a clause less": (pigeons(6, 5), b"".join(lines[len(lines) // 2 :])),
        "cut": (pigeons(6, 5), text[: len(text) // 2]),
    }
    for kind, (formula, proof) in wrong.items():
        found = checked(formula, proof)
        assert not found.verified and found.reason, kind


@pytest.mark.parametrize("name", OF_HINTS)
@pytest.mark.parametrize("number", range(len(LRAT_TRIALS)))
def test_small_proofs_with_hints(check, name, number):
    clauses, proof, right = LRAT_TRIALS[number]
    assert check(clauses, proof, checker=name, proof_format="lrat").verified == right


@pytest.mark.release
def test_lrat_check_never_verifies_that_a_formula_with_a_model_has_none(tmp_path):
    """Constructed steps, including those that the published program accepts; run separately because of the many trials."""
    rng, program = random.Random(13), find_solver("lrat-check").locate()
    tried = 0
    for _ in range(400):
        clauses = random_clauses(rng, 3, rng.randint(1, 5))
        if not satisfiable(clauses):
            continue
        proof, number = "", len(clauses)
        for _ in range(rng.randint(1, 4)):
            number += rng.choice([1, 1, 1, 1, 1, 1, 0, 9000])
            lemma = rng.sample([1, -1, 2, -2, 3, -3, 4, -4], rng.randint(0, 2))
            hints = [rng.choice([1, 1, -1]) * rng.randint(1, number) for _ in range(rng.randint(0, 5))]
            proof += " ".join(map(str, [number, *lemma, 0, *hints, 0])) + "\n"
        (tmp_path / "p").write_text(f"{proof}{number + 1} 0 {rng.randint(1, number)} {rng.randint(1, number)} 0\n")
        command = [program, write_cnf(tmp_path / "f", clauses), tmp_path / "p"]
        output = subprocess.run(command, capture_output=True, timeout=60, check=False).stdout
        assert b"c VERIFIED" not in output.splitlines(), (clauses, proof)
        tried += 1
    assert tried > 100


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("clauses", "proof"),
    [
        ([[]], ""),
        ([[1], []], ""),
        ([[1], [-1]], ""),
        ([[1], [-1, 2], [-2]], ""),
        ([[1, 1, 2], [1, -1], [-1, 2, 2], [1, -2], [-1, -2], [1, -2, 1]], "2 0\n0\n"),
        ([[2, -2], [1, 2], [-1, 2], [3, -3, 3], [1, -2], [-1, -2]], "2 0\n0\n"),
    ],
)
def test_formulas_in_unusual_forms(check, name, clauses, proof):
    assert check(clauses, proof, checker=name).reason == ""


@given(st.lists(st.lists(st.integers(-4, 4).filter(bool), max_size=4), max_size=6))
@settings(max_examples=100, deadline=None)
def test_plain_clauses_say_the_same(clauses):
    plain = [*plain_clauses(cnf_of(clauses)).clauses()]
    assert len(plain) == len(clauses)
    models = [
        all(any((literal > 0) == bool(signs >> abs(literal) & 1) for literal in clause) for clause in each)
        for each in (clauses, plain)
        for signs in range(0, 32, 2)
    ]
    assert models[:16] == models[16:]
    if any(not any(-literal in clause for literal in clause) for clause in clauses):
        assert all(len({abs(literal) for literal in clause}) == len(clause) for clause in plain)
        assert _has_empty_clause(cnf_of(plain)) != all(plain)


# -- programs that misbehave --------------------------------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path, monkeypatch):
    """`program(NAME, SCRIPT)`: this shell script replaces the program of a step."""

    def put(name, script):
        fake = make_program(tmp_path / f"fake-{name}", f"#!/bin/sh\n{script}\n")
        monkeypatch.setenv(f"CNFGEN_SOLVER_{name.upper().replace('-', '_')}", str(fake))

    monkeypatch.setattr(proofs_module, "_fault", lambda *_: "")  # else none of them would get beyond its test
    return put


TRIM = 'while [ "$1" != -L ]; do shift; done; {}; echo "s VERIFIED"'


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (TRIM.format(":"), "drat-trim wrote nothing"),
        (TRIM.format('ln -s /etc/passwd "$2"'), "drat-trim wrote nothing"),
        (TRIM.format('mkfifo "$2"'), "drat-trim wrote nothing"),
        (TRIM.format('mkdir "$2"'), "drat-trim wrote nothing"),
        (TRIM.format('echo "5 0 1 2 3 4 0" > "$2"'), "lrat-check: "),
        (TRIM.format('echo "c VERIFIED" > "$2"'), "lrat-check: "),
        ("echo 's TIMEOUT'", "s TIMEOUT"),
        ("exit 3", "drat-trim ended with exit code 3 and printed no verdict"),
        ("kill -SEGV $$", "drat-trim was ended by signal and printed no verdict"),
    ],
)
def test_a_wrong_translation_of_a_proof_is_not_verified(check, program, script, reason):
    """This drat-trim says 'verified' for any input; only the last step decides."""
    program("drat-trim", script)
    found = check(SQUARES, "2 0\n0\n", checker="lrat")
    assert not found.verified and reason in found.reason


@pytest.mark.parametrize(
    "script",
    [
        "echo 's VERIFIED'", "echo 'c VERIFIED'; echo 'c NOT VERIFIED'", "echo 'c VERIFIED.'", "echo 'x c VERIFIED'", "true",
        "echo 'c VERIFIED'; kill -9 $$",
    ],
)  # fmt: skip
def test_the_last_step_must_say_exactly_that_it_verified(check, program, script):
    program("lrat-check", script)
    assert not check(SQUARES, "2 0\n0\n", checker="lrat").verified
    program("lrat-check", "echo 'c VERIFIED'")
    assert check(SQUARES, "2 0\n0\n", checker="lrat").verified


def test_time_is_that_of_all_steps(check, program):
    burn = "(ulimit -t {}; while :; do :; done)"
    program("drat-trim", TRIM.format(f'{burn.format(1)}; echo "5 0 1 2 0" > "$2"'))
    program("lrat-check", burn.format(60))
    late = check(SQUARES, "2 0\n0\n", checker="lrat", limits=Limits(cpu=1.6))
    assert late.unfinished and "lrat-check was ended by cpu-limit" in late.reason
    assert 1.5 < late.measurement.cpu < 2.4  # 1.6 for each of them would be 2.6


def test_a_missing_program_is_reported_with_its_installation(check, program, tmp_path, monkeypatch):
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="install it with `cnf-solvers install drat-trim`"):
        check(SQUARES, "2 0\n0\n", checker="lrat")


@NEEDS_CAKE
def test_cake_lpr_reads_what_solvers_write(proofs, check):
    right = check_proof(proofs / "x.cnf", proofs / "drat", LIMITS, checker="verified")
    assert (right.reason, right.by, len(right.steps)) == ("", "cake_lpr", 2)
    hinted = check_proof(proofs / "x.cnf", proofs / "lrat", LIMITS, checker="verified", proof_format="lrat")
    assert (hinted.reason, len(hinted.steps)) == ("", 1)
    assert pick_checker(None, "text") is pick_checker(None, "lrat") is VERIFIED


def test_a_checker_that_runs_out_of_memory_is_unfinished(check, program):
    program("cake_lpr", "echo 'CakeML heap space exhausted.' >&2")
    found = check(SQUARES, "5 1 0 1 2 0\n6 0 5 3 4 0\n", checker="verified", proof_format="lrat")
    assert found.unfinished and "heap space exhausted" in found.reason


def test_the_heap_leaves_room_below_the_memory_limit(tmp_path):
    """cake_lpr fills its heap. With a heap as large as the memory limit, the limit ended every check of a long proof."""
    for name, size in (("formula", 1000), ("proof", 1 << 30)):
        with (tmp_path / name).open("wb") as stream:
            stream.truncate(size)
    files, limits = (tmp_path / "formula", tmp_path / "proof"), (4 << 30, 1 << 20, None)
    assert [megabytes_for(*files, Limits(memory=memory)) for memory in limits] == [4096 - 256, 256, 4096]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", ["4294967297", "-2147483648", "99999999999999999999"])
def test_numbers_that_checkers_would_truncate_reach_none(check, name, number):
    """(1) and (-4294967297) are satisfiable; truncated to 32 bits, they contradict each other."""
    for proof_format, proof in (("text", f"{number} 0\n0\n"), ("lrat", f"5 {number} 0 1 2 0\n6 0 5 3 4 0\n")):
        if proof_format in CHECKERS[name].formats:
            found = check(SQUARES, proof, checker=name, proof_format=proof_format)
            assert found.refused and "2^31" in found.reason and not found.steps


def test_large_numbers_of_binary_proofs(check):
    large = b"a" + b"\x80\x80\x80\x80\x10\x00" + b"a\x00"
    assert "2^31" in check(SQUARES, large, checker="drat-trim", proof_format="binary").reason
    largest = b"a\xfe\xff\xff\xff\x0f\x00a\x00"
    assert "2^31" not in check(SQUARES, largest, checker="built-in", proof_format="binary").reason


def test_a_comment_may_have_large_numbers(check):
    assert check(SQUARES, "c 99999999999\n2 0\n0\n", checker="drat-trim").verified


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("drat-trim", "echo 's VERIFIED'"), ("lrat-check", "echo 'c VERIFIED'"), ("cake_lpr", "echo 's VERIFIED UNSAT'"),
        ("drat-trim", "echo 's NOT VERIFIED'"), ("lrat-check", "true"), ("cake_lpr", "kill -9 $$"),
    ],
)  # fmt: skip
def test_a_checker_is_tested_before_it_is_used(check, program, monkeypatch, name, script):
    monkeypatch.undo()  # the fixture `program` skips the test
    chosen = {"drat-trim": "drat-trim", "lrat-check": "lrat", "cake_lpr": "verified"}[name]
    proof_format = "text" if name == "drat-trim" else "lrat"
    program(name, script)
    with pytest.raises(InputError, match=r"cannot be used to check proofs: .*(accepts|refuses a right proof)"):
        check(SQUARES, "2 0\n0\n", checker=chosen, proof_format=proof_format)


# -- who writes hints ---------------------------------------------------------------------------------------------------------


def test_a_solver_that_writes_hints_writes_them_where_that_is_quicker():
    cadical, kissat = find_solver("cadical"), find_solver("kissat")
    assert proving(cadical, "lrat").proof_format == proving(cadical, "built-in").proof_format == "lrat"
    assert "--lrat" in proving(cadical, "lrat").proof_arguments
    assert "--lrat" in proving(cadical, "verified").proof_arguments
    assert proving(cadical, "drat-trim") is cadical
    assert proving(kissat, "verified") is kissat
    assert pick_checker(None, "lrat").name in ("verified", "lrat", "built-in")
