"""The built-in checker: brute force finds models; a naive checker and DRAT-trim decide whether a proof is correct."""

from __future__ import annotations

import random
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naiveproofs import bytes_of, cnf_of, made_proof, random_clauses, satisfiable, text_of, write_cnf

from cnfgen_puzzles.evidence.builtin import MOST_LITERAL, NoProof, check, drat_steps, lrat_steps, main
from cnfgen_puzzles.evidence.proofs import check_proof
from cnfgen_puzzles.evidence.selftest import pigeons
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import find_solver

DRAT_TRIM = find_solver("drat-trim")
STEPS = [[1, 2], [-1, 2], [1, -2], [-1, -2]]  # none is empty, none a unit: a proof must say something
OPTIONS = {"kissat": ["-q"], "cadical": ["-q"], "glucose": ["-verb=0"], "lingeling": ["-q"]}


def refusal(clauses, proof, proof_format="text"):
    """The reason why the built-in checker refuses the proof; empty if it verifies it."""
    try:
        check(cnf_of(clauses), proof if isinstance(proof, bytes) else proof.encode(), proof_format)
    except NoProof as error:
        return str(error)
    return ""


def trim(tmp_path, clauses, proof, *options):
    """Whether DRAT-trim verifies."""
    write_cnf(tmp_path / "t.cnf", clauses)
    (tmp_path / "t.drat").write_bytes(proof if isinstance(proof, bytes) else proof.encode())
    command = [DRAT_TRIM.locate(), tmp_path / "t.cnf", tmp_path / "t.drat", "-t", "20", *options]
    output = subprocess.run(command, capture_output=True, check=False, timeout=60).stdout
    return b"s VERIFIED" in output.replace(b"\r", b"\n").split(b"\n")


def solver_proof(tmp_path, name, clauses, *options):
    """The verdict of the solver on the formula, and its proof."""
    solver = find_solver(name)
    if not solver.available():
        pytest.skip(f"{name} is not built")
    write_cnf(tmp_path / "s.cnf", clauses)
    (tmp_path / "s.drat").unlink(missing_ok=True)
    command = solver.command(solver.locate(), tmp_path / "s.cnf", proof=tmp_path / "s.drat", options=options)
    code = subprocess.run(command, capture_output=True, check=False, timeout=60).returncode
    return code, (tmp_path / "s.drat").read_bytes() if (tmp_path / "s.drat").exists() else b""


# -- case by case -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        ("", "the proof ends without refuting the formula"),
        ("0\n", "a lemma does not follow:  0"),
        ("3 0\n", "the proof ends"),
        ("1 -1 0\n", "the proof ends"),
        ("2 0", ""),
        ("2 0\n0\n", ""),
        ("c words\n2 0\n\n  c more\n0\n", "line 4: found `c more`"),
        ("c words 2 0\nc\n2 0\n0\nc the end", ""),
        ("2 2 0 0", ""),
        ("2\n0\n0\n", ""),
        ("2 0\n0\n1 0\n", ""),  # what comes after the contradiction follows from it
        ("2", "line 1: found `2`"),
        ("2 0\nd 1", "line 2: found `d 1`"),
        ("2 0\n0\n0x", "line 3: found `0x`"),
        ("2 0\n0\nrubbish", "line 3: found `rubbish`"),
        ("2 0\nd d 1 0\n", "line 2"),
        ("02 0\n", "line 1"),
        ("-0\n", "line 1"),
        ("2 -0\n", "line 1"),
        ("+2 0\n", "line 1"),
        ("2_0 0\n", "line 1"),
        ("2 \xa00", "line 1"),
        ("d 1 2 3 0\n2 0\n", "the proof deletes a clause that does not exist: 1 2 3 0"),
        ("d 1 2 0\nd 1 2 0\n2 0\n", "the proof deletes a clause that does not exist: 1 2 0"),
        ("d 1 2 0\n2 0\n0\n", "a lemma does not follow: "),
        ("d 2 1 0\n1 2 0\n2 0\n", "a lemma does not follow: "),
        (f"{MOST_LITERAL} 0\n2 0\n", ""),
        (f"{MOST_LITERAL + 1} 0\n2 0\n", f"found literal {MOST_LITERAL + 1}"),
        ("99999999999999999999 0\n", "line 1"),
        ("3 1 0\n-3 0\nd 3 1 0\n2 0\n", ""),
    ],
)  # fmt: skip
def test_text(proof, why):
    assert refusal(STEPS, proof.encode("latin-1")).startswith(why) and bool(refusal(STEPS, proof.encode("latin-1"))) == bool(why)


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        (b"a\x04\x00a\x00", ""),
        (b"a\x84\x80\x00\x00a\x00", ""),  # a longer way to write 4
        (b"a\x04", "byte 2: the proof ends within a step"),
        (b"a\x84", "byte 2: the proof ends within a step"),
        (b"a\x04\x00x", "byte 4: found 0x78"),
        (b"a\x04\x01\x00", "byte 3: found 1,"),
        (b"a" + b"\x80" * 20 + b"\x00", "byte 11: the proof ends within a step, or a number in it has no end"),
        (b"a\xfe\xff\xff\xff\x0f\x00a\x04\x00", ""),
        (b"a\x80\x80\x80\x80\x10\x00a\x04\x00", "byte 6: found 4294967296,"),
        (b"2 0\n", "byte 1: found 0x32"),
    ],
)
def test_binary(proof, why):
    assert refusal(STEPS, proof, "binary").startswith(why) and bool(refusal(STEPS, proof, "binary")) == bool(why)


LRAT = "5 2 0 1 2 0\n6 0 5 3 4 0\n"


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        (LRAT, ""),
        ("c words\n" + LRAT + "7 d 1 0\n", ""),
        ("", "the proof ends"),
        ("5 2 0 1 2 0\n", "the proof ends"),
        ("5 0 1 2 3 4 0\n", "the hint 1 fixes no literal"),
        ("5 2 0 1 0\n", "lemma 5 does not follow"),
        ("5 2 0 1 7 0\n", "clause 7 does not exist"),
        ("4 2 0 1 2 0\n", "lemma 4 follows clause 4"),
        ("5 2 0 1 2 0\n5 0 5 3 4 0\n", "lemma 5 follows clause 5"),
        ("5 2 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "clause 3 does not exist"),
        ("4 d 9 0\n" + LRAT, "clause 9 does not exist"),
        ("5 2 0 1 2\n", "line 1: found `5 2 0 1 2`"),
        (LRAT + "7", "line 3: found `7`"),
        (LRAT + "7 x 0 0", "line 3"),
        ("0 2 0 1 2 0\n", "line 1"),
        ("5 d -1 0\n", "line 1"),
        ("5 3 0 0\n" + LRAT.replace("6", "7").replace("5", "6"), ""),  # RAT: nothing has -3
        ("5 1 0 0\n6 0 5 2 4 0\n", "lemma 5 does not follow"),
        ("5 1 0 -2 1 3 0\n6 0 5 2 4 0\n", "lemma 5 does not follow"),
    ],
)
def test_lrat(proof, why):
    assert refusal(STEPS, proof, "lrat").startswith(why) and bool(refusal(STEPS, proof, "lrat")) == bool(why)


DEFINED = [[1, 2, 3], [-1, -2]]  # x4 := x1 and x3, by three clauses of which two are RAT
DEFINITION = "3 4 -1 -3 0 0\n4 -4 1 0 -3 0\n5 -4 3 0 -3 0\n"


@pytest.mark.parametrize(
    ("proof", "right"),
    [
        (DEFINITION, True),
        (DEFINITION.replace("4 -4 1 0 -3 0", "4 -4 1 0 0"), True),  # the first has -1, which is false then: nothing to hint at
        (DEFINITION + "6 4 2 0 -4 0\n", False),
        ("3 -1 0 -1 2 0\n", False),
        ("3 -2 0 -1 0\n", False),
    ],
)
def test_lrat_with_rat(proof, right):
    """No proof refutes the formula, which has models; the reason shows whether its lemmas were accepted."""
    assert refusal(DEFINED, proof, "lrat").startswith("the proof ends" if right else ("lemma", "clause"))


def test_rat():
    """x6 := x1, on 6 before 1; the refutation needs it after the clauses with 1 and 2 are deleted."""
    definition, gone = "6 -1 0\n-6 1 0\n", "d 1 2 0\nd -1 2 0\n"
    assert refusal(STEPS, definition + "6 2 0\n-6 2 0\n" + gone + "2 0\n") == ""
    assert refusal(STEPS, definition + "6 2 0\n" + gone + "-6 2 0\n2 0\n").startswith("a lemma does not follow")


def test_deletions_of_clauses_that_have_fixed_a_literal_are_passed_over():
    clauses = [[1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-3, 4], [-3, -4]]
    assert refusal(clauses, "d 1 0\nd -1 2 0\n3 0\n0\n") == ""
    assert refusal(clauses, "d 1 0\nd 1 0\n3 0\n0\n").startswith("the proof deletes a clause that does not exist")
    assert refusal([*clauses, [1, 5]], "d 1 5 0\n3 0\n") == ""  # satisfied by another: nothing depends on it
    assert refusal([[1], *clauses], "d 1 0\nd 1 0\n3 0\n") == ""
    assert refusal([[1]], "d 1 0\n-1 0\n0\n").startswith("a lemma does not follow")  # RAT checks also use it


def test_a_formula_that_refutes_itself_and_one_that_is_empty():
    assert refusal([[]], "") == "" == refusal([[]], "", "lrat")
    assert refusal([[1], [-1]], "") == ""
    assert refusal([[1], [-1]], "", "lrat")
    assert refusal([], "0\n") and refusal([], "") and refusal([], "1 0\n-1 0\n")
    assert refusal([[]], "rubbish") and refusal([[]], "rubbish", "lrat")  # a file that is no proof is none of anything


def test_every_lemma_must_follow():
    clauses = [[1, 2], [1, -2], [-1, 3], [-1, -3]]
    assert refusal(clauses, "4 5 0\n-4 0\n1 0\n0\n").startswith("a lemma does not follow: -4 0")
    assert refusal([*clauses[:3], [4, 5], [-4, 6]], "-3 0\n-1 0\n0\n").startswith("a lemma does not follow")


def test_as_a_program(tmp_path, capsys):
    write_cnf(tmp_path / "x.cnf", STEPS)
    for proof, output in {"2 0\n0\n": "s VERIFIED\n", "0\n": "c ERROR a lemma does not follow:  0\ns NOT VERIFIED\n"}.items():
        (tmp_path / "x.drat").write_text(proof)
        main("text", str(tmp_path / "x.cnf"), str(tmp_path / "x.drat"))
        assert capsys.readouterr().out == output
    with pytest.raises(ValueError, match="tex is not a proof format"):
        main("tex", str(tmp_path / "x.cnf"), str(tmp_path / "x.drat"))


def test_limits_leave_it_unfinished_and_never_verified(tmp_path):
    write_cnf(tmp_path / "x.cnf", STEPS)
    (tmp_path / "x.drat").write_bytes(b"2 0\n" + b"1 2 0\nd 1 2 0\n" * 1_000_000)
    for limits, ended in ((Limits(wall=0.2), "wall-limit"), (Limits(memory=30 << 20), "memory-limit")):
        check = check_proof(tmp_path / "x.cnf", tmp_path / "x.drat", limits, checker="built-in")
        assert (check.verified, check.unfinished, check.refused) == (False, True, False)
        assert check.reason == f"the built-in checker was ended by {ended}"


def test_steps_as_they_are_read():
    steps = [(False, [1, -2]), (True, [MOST_LITERAL]), (False, [])]
    assert list(drat_steps(text_of(steps).encode())) == list(drat_steps(bytes_of(steps), binary=True)) == steps
    assert list(lrat_steps(b"7 1 -2 0 3 -4 5 0\n8 d 1 2 0\n")) == [(7, [1, -2], [3, -4, 5]), (0, [], [1, 2])]
    assert list(lrat_steps(b"a\x0e\x02\x05\x00\x06\x09\x0a\x00d\x02\x04\x00", binary=True)) == [
        (7, [1, -2], [3, -4, 5]), (0, [], [1, 2]),
    ]  # fmt: skip


# -- what must never be verified, and what must ---------------------------------------------------------------------------


CLAUSES = st.lists(st.lists(st.integers(-4, 4).filter(bool), min_size=0, max_size=4), min_size=1, max_size=14)
STEP = st.tuples(st.booleans(), st.lists(st.integers(-6, 6).filter(bool), max_size=4))


@settings(max_examples=200, deadline=None)
@given(CLAUSES, st.lists(STEP, max_size=8))
def test_no_steps_prove_what_has_a_model(clauses, steps):
    verified = not refusal(clauses, text_of(steps))
    assert verified == (not refusal(clauses, bytes_of(steps), "binary"))
    if verified:
        assert not satisfiable(clauses)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_right_proofs_and_their_mutations(seed):
    """Includes RAT with new variables. A mutation may be a proof, but never of a formula with a model."""
    choice = random.Random(seed)
    clauses = random_clauses(choice, 4, choice.randint(10, 22))
    steps = made_proof(choice, clauses)
    if steps is None:
        steps = [(False, [])]
    else:
        assert not refusal(clauses, text_of(steps)), steps
        assert not satisfiable(clauses)
    for _ in range(8):
        other, mutated = [list(clause) for clause in clauses], [(deletes, list(clause)) for deletes, clause in steps]
        match choice.randrange(5):
            case 0:
                del other[choice.randrange(len(other))]
            case 1:
                clause = choice.choice(other)
                clause[choice.randrange(len(clause))] *= -1
            case 2:
                del mutated[choice.randrange(len(mutated))]
            case 3:
                mutated.insert(choice.randrange(len(mutated)), (True, choice.choice(clauses)))
            case _:
                choice.shuffle(choice.choice(mutated)[1])
        if not refusal(other, text_of(mutated)):
            assert not satisfiable(other), (other, mutated)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", OPTIONS)
def test_proofs_of_solvers_and_their_mutations_beside_drat_trim(name, tmp_path):
    """The built-in checker verifies exactly the proofs that DRAT-trim verifies; none refutes a satisfiable formula."""
    if not DRAT_TRIM.available():
        pytest.skip("drat-trim is not built")
    choice = random.Random(name)
    proved = 0
    for _ in range(4):
        clauses = random_clauses(choice, choice.randint(5, 10), choice.randint(35, 60))
        code, proof = solver_proof(tmp_path, name, clauses, *OPTIONS[name])
        assert (code == 10) == satisfiable(clauses)
        if code == 10:
            continue
        assert refusal(clauses, proof) == ""
        proved += 1
        lines = proof.split(b"\n")
        for _ in range(2):
            at = choice.randrange(len(lines))
            for mutated in (lines[:at] + lines[at + 1 :], [*lines[:at], b"1 2 3 0", *lines[at:]], lines[at:]):
                text = b"\n".join(mutated)
                other = clauses[choice.randrange(3) :]
                if not refusal(other, text):
                    assert not satisfiable(other)
                    assert trim(tmp_path, other, text)
    assert proved >= 2


def test_every_format_of_cadical(tmp_path):
    clauses = list(pigeons(6, 5).clauses())
    for proof_format, options in {
        "text": [], "binary": ["--binary"], "lrat": ["--lrat"], "binary-lrat": ["--lrat", "--binary"],
    }.items():  # fmt: skip
        solver = find_solver("cadical")
        if not solver.available():
            pytest.skip("cadical is not built")
        write_cnf(tmp_path / "s.cnf", clauses)
        proof = tmp_path / proof_format
        command = [solver.locate(), "-q", "--no-binary", *options, tmp_path / "s.cnf", proof]
        subprocess.run(command, capture_output=True, check=False, timeout=60)
        assert refusal(clauses, proof.read_bytes(), proof_format) == ""
        for part in range(1, 8):
            assert refusal(clauses, proof.read_bytes()[: proof.stat().st_size * part // 10], proof_format)
        assert refusal(clauses[1:], proof.read_bytes(), proof_format)
        assert refusal(list(pigeons(5, 5).clauses()), proof.read_bytes(), proof_format)
        assert check_proof(tmp_path / "s.cnf", proof, Limits(wall=60), proof_format=proof_format, checker="built-in").verified
