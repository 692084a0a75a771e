"""solve-puzzle --certificate and verify-certificate as a user types them: exit codes, sentences, conflicting options."""

import json
import os
import shutil

import pytest
from certificates import BUILT, edit, reseal, run_script
from conftest import make_script

from cnfgen_puzzles.solving.table import find_solver

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """Certificates that are made once; tests damage copies."""
    return tmp_path_factory.mktemp("certificates")


@pytest.fixture
def unique(certificates, command, puzzles):
    """The certificate of a puzzle with one solution, in a folder of this test."""
    if not (certificates / "c").exists():
        done = command("solve-puzzle", "one.nin", "--unique", "--certificate", certificates / "c", cwd=puzzles)
        assert done.returncode == 0
        assert f"certificate in {certificates / 'c'}; the SHA-256 of its SHA256SUMS is " in done.stderr.decode()
    return shutil.copytree(certificates / "c", puzzles / "c")


def test_a_certificate_is_verified(command, puzzles, unique):
    told = command("verify-certificate", "c", cwd=puzzles)
    assert told.returncode == 0
    assert told.stdout.decode() == (
        "Verified; encoding the puzzle again gives the same formula. This puzzle has exactly one solution\n"
    )
    assert b"drat-trim verifies proof.drat" in told.stderr
    told = command("verify-certificate", "c", "--json", "--checker", "built-in", cwd=puzzles)
    entry = json.loads(told.stdout)
    assert (told.returncode, entry["verified"], entry["claim"], entry["encoded"]) == (0, True, "unique", True)
    told = command("verify-certificate", "c", "--formula-only", "-q", cwd=puzzles)
    assert told.stdout.decode().startswith("Verified (formula only): formula.cnf has exactly one model")
    assert run_script(unique)[0] == 0


def test_damage_is_reported_in_one_line(command, puzzles, unique):
    edit(unique / "model.txt", "v ", "v -")
    told = command("verify-certificate", "c", cwd=puzzles)
    assert (told.returncode, told.stdout) == (1, b"")
    assert told.stderr.decode().startswith("verify-certificate: c/model.txt: has ")
    reseal(unique)
    told = command("verify-certificate", "c", "--json", cwd=puzzles)
    assert told.returncode == 1
    assert json.loads(told.stdout)["reason"].startswith("c/model.txt:2: ")


def test_folders_that_are_not_certificates(command, puzzles):
    (puzzles / "empty").mkdir()
    for folder in ("empty", "nowhere", "one.nin", "."):
        told = command("verify-certificate", folder, cwd=puzzles)
        assert (told.returncode, told.stdout) == (2, b"")
        assert told.stderr.decode().count("\n") == 1 and "not a certificate" in told.stderr.decode()
    (puzzles / "empty" / "certificate.json").write_text("{}")
    assert command("verify-certificate", "empty", cwd=puzzles).returncode == 1


def test_a_limit_ends_a_check(command, puzzles, unique):
    told = command("verify-certificate", "c", "--time", "0.000001", "--wall-time", "0.000001", cwd=puzzles)
    assert told.returncode == 3
    assert b"was not checked completely" in told.stderr


def test_the_puzzle_by_a_pipe(command, puzzles):
    done = command(
        "solve-puzzle", "nonogram", "-", "--certificate", "c", "-q", cwd=puzzles, input=(puzzles / "one.nin").read_bytes()
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (puzzles / "c" / "puzzle.txt").read_bytes() == (puzzles / "one.nin").read_bytes()
    assert command("verify-certificate", "c", cwd=puzzles).returncode == 0


def test_an_existing_folder(command, puzzles, unique):
    words = ["solve-puzzle", "one.nin", "--certificate", "c", "-q"]
    assert b"--replace-certificate" in command(*words, cwd=puzzles).stderr
    assert command("verify-certificate", "c", "-q", cwd=puzzles).stdout.startswith(
        b"Verified; encoding the puzzle again gives the same formula. This puzzle has exactly one"
    )
    assert command(*words, "--replace-certificate", cwd=puzzles).returncode == 0
    assert command("verify-certificate", "c", "-q", cwd=puzzles).stdout.startswith(
        b"Verified; encoding the puzzle again gives the same formula. This puzzle has a solution"
    )
    told = command("solve-puzzle", "one.nin", "--certificate", ".", "--replace-certificate", cwd=puzzles)
    assert (told.returncode, b"no certificate" in told.stderr) == (2, True)
    told = command("solve-puzzle", "one.nin", "--replace-certificate", cwd=puzzles)
    assert (told.returncode, b"without --certificate" in told.stderr) == (2, True)


def test_no_answer_no_certificate(command, puzzles, instances):
    file = instances / "nonogram" / "random-30-40.nin"
    done = command("solve-puzzle", file, "--unique", "--certificate", "c", "--wall-time", "0.01", cwd=puzzles)
    assert done.returncode == 3
    assert b"no certificate was written: " in done.stderr
    assert "c" not in os.listdir(puzzles)


# -- checkers --------------------------------------------------------------------------------------------------------------


def test_the_script_without_checkers(unique):
    code, said = run_script(unique, DRAT_TRIM=None, LRAT_CHECK=None)
    assert code == 3
    assert "NOT CHECKED: that blocked.cnf has no model" in said and "\nVERIFIED" not in said
    code, said = run_script(unique, DRAT_TRIM=None)
    assert (code, "not run: drat-trim" in said, "lrat-check verifies" in said) == (0, True, True)
    code, said = run_script(unique, LRAT_CHECK=None)
    assert (code, "not run: lrat-check" in said, "drat-trim verifies" in said) == (0, True, True)


def test_the_script_believes_no_checker_that_takes_everything(unique, puzzles):
    yes = make_script(puzzles / "yes", "echo 's VERIFIED'; echo 'c VERIFIED'")
    code, said = run_script(unique, DRAT_TRIM=yes)
    assert (code, "not used: this drat-trim" in said, "drat-trim verifies" in said) == (0, True, False)
    code, said = run_script(unique, DRAT_TRIM=None, LRAT_CHECK=make_script(puzzles / "lrat", "echo 'c VERIFIED'"))
    assert (code, "not used" in said) == (3, True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("says", ["", "s NOT VERIFIED", "c s VERIFIED", "s VERIFIED\ns NOT VERIFIED", "s TIMEOUT", "s VERIFIED!"])
def test_the_script_wants_one_verdict(unique, puzzles, says):
    honest = f'case $1 in */x.cnf) exec {find_solver("drat-trim").locate()} "$@" ;; esac'  # as long as it is tried out
    checker = make_script(puzzles / "checker", f"{honest}\ncat <<'END'\n{says}\nEND")
    code, said = run_script(unique, DRAT_TRIM=checker)
    assert (code, "drat-trim does not verify it" in said) == (1, True)
