"""The files that a solver gets and writes: without Landlock a private copy of the formula; outputs that are no regular files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.run import PRIVATE_COPY, run_solver
from cnfgen_puzzles.solving.table import find_solver

SAT = "c a comment\np cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
UNSAT = "p cnf 1 2\n1 0\n-1 0\n"


def test_without_landlock_it_gets_a_copy_of_the_formula(trespass, sat, tmp_path, unconfined):
    run = run_solver(trespass("open(cnf, 'w').write('p cnf 0 1\\n0\\n')"), sat, keep=tmp_path)
    assert "c done" in run.excerpt
    assert (run.status, run.confinement, sat.read_text()) == ("ERROR", PRIVATE_COPY, SAT)
    assert run.reason == "the solver changed its copy of the formula"


# -- outputs ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["os.unlink(p); os.symlink({0!r}, p)", "os.unlink(p); os.mkfifo(p)", "os.unlink(p)"])
def test_a_replaced_proof_is_an_error(trespass, sat, tmp_path, unconfined, how):
    fields = {"arguments": ("{options}", "{cnf}", "{proof}"), "proof_arguments": ("{proof}",), "proof_format": "text"}
    body = f"p = sys.argv[2]; {how.format(str(sat))}"
    run = run_solver(trespass(body, **fields), sat, proof=tmp_path / "proof", keep=tmp_path)
    assert (run.status, "proof" in run.reason) == ("ERROR", True)
    assert sat.read_text() == SAT


def test_a_work_folder_that_was_removed(trespass, sat, tmp_path, unconfined):
    run = run_solver(trespass("shutil.rmtree(os.path.dirname(os.getcwd()))"), sat, keep=tmp_path)
    assert (run.status, "c done" in run.excerpt) == ("ERROR", True)


@pytest.mark.release
@pytest.mark.parametrize(
    "body", ["for _ in range(1100): os.mkdir('d'); os.chdir('d')", "os.makedirs('a/b'); os.chmod('a', 0)"], ids=["deep", "closed"]
)
def test_a_scratch_folder_that_is_hard_to_remove(trespass, sat, tmp_path, monkeypatch, body):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run_solver(trespass(body), sat, keep=tmp_path).status == "UNSATISFIABLE"
    assert not list(tmp_path.glob("cnfgen-run-*"))


def test_a_proof_file_that_was_not_written_is_removed(trespass, sat, tmp_path, either):
    fields = {"arguments": ("{options}", "{cnf}", "{proof}"), "proof_arguments": ("{proof}",), "proof_format": "text"}
    run_solver(trespass("pass", **fields), sat, proof=tmp_path / "proof", keep=tmp_path)
    assert not (tmp_path / "proof").exists()
    run_solver(trespass("open(sys.argv[2], 'w')", **fields), sat, proof=tmp_path / "proof", keep=tmp_path)
    assert (tmp_path / "proof").exists()


def test_the_proof_goes_nowhere_else(sat, tmp_path, either):
    link = tmp_path / "same.cnf"
    link.hardlink_to(sat)
    for proof in (sat, link, Path(find_solver("kissat").locate())):
        size = proof.stat().st_size
        with pytest.raises(InputError, match="as the file for the proof"):
            run_solver(find_solver("kissat"), sat, proof=proof)
        assert proof.stat().st_size == size
    with pytest.raises(InputError, match="cannot be written"):
        run_solver(find_solver("kissat"), sat, proof=tmp_path / "nowhere" / "proof")


def test_a_word_of_the_user_does_not_make_the_input_an_output(sat, tmp_path, either):
    """minisat writes its model to the second file of its command line, which would be the input here."""
    other = tmp_path / "other.cnf"
    other.write_text(UNSAT)
    run = run_solver(find_solver("minisat"), sat, options=[str(other)], keep=tmp_path)
    assert (run.status, sat.read_text()) == ("ERROR", SAT)
