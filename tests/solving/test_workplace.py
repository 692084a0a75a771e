"""Damage to files by a solver without Landlock, and outputs that are not regular files."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.run import INTEGRITY_CHECK, run_solver
from cnfgen_puzzles.solving.table import find_solver
from cnfgen_puzzles.solving.workplace import Guarded

SAT = "c a comment\np cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
UNSAT = "p cnf 1 2\n1 0\n-1 0\n"

LIAR = """
target = {target!r}
{how}
"""
DAMAGES = {
    "rewritten": "open(target, 'w').write('p cnf 1 2\\n1 0\\n-1 0\\n')",
    "same size, same time": "\n".join(
        (
            "old = os.stat(target)",
            "text = open(target).read()",
            "open(target, 'r+').write(text.replace('3', '2'))",
            "os.utime(target, ns=(old.st_atime_ns, old.st_mtime_ns))",
        )
    ),
    "removed": "os.unlink(target)",
    "removed and made again": "os.unlink(target); open(target, 'w').write('p cnf 0 1\\n0\\n')",
    "another renamed over it": "open('x', 'w').write('p cnf 0 1\\n0\\n'); shutil.move('x', target)",
    "a link in its place": "open('/tmp/cnfgen-test-link', 'w'); os.unlink(target); os.symlink('/tmp/cnfgen-test-link', target)",
    "a folder in its place": "os.unlink(target); os.mkdir(target)",
    "a pipe in its place": "os.unlink(target); os.mkfifo(target)",
    "cut": "os.truncate(target, 0)",
    "its mode": "os.chmod(target, 0)",
    "its folder removed": "shutil.rmtree(os.path.dirname(target))",
    "by another name": "os.link(target, 'other'); open('other', 'w').write('p cnf 0 1\\n0\\n')",
    "by a child that stays": "\n".join(
        (
            "if os.fork() == 0:",
            "    os.setsid(); time.sleep(0.1)",
            "    open(target, 'w').write('x'); os._exit(0)",
            "time.sleep(0.2)",
        )
    ),
}


@pytest.mark.parametrize(
    ("how", "packed"), [*((how, False) for how in DAMAGES), ("rewritten", True), ("removed", True), ("cut", True)]
)
def test_damage_to_the_users_formula_is_an_error(trespass, tmp_path, unconfined, how, packed):
    folder = tmp_path / "users"
    folder.mkdir()
    path = folder / ("x.cnf.gz" if packed else "x.cnf")
    path.write_bytes(gzip.compress(SAT.encode()) if packed else SAT.encode())
    run = run_solver(trespass(LIAR.format(target=str(path), how=DAMAGES[how])), path, keep=tmp_path)
    assert "c done" in run.excerpt
    assert (run.status, run.confinement) == ("ERROR", INTEGRITY_CHECK)
    assert str(path) in run.reason


def test_damage_to_the_copy_of_the_formula(trespass, sat, tmp_path, unconfined):
    run = run_solver(trespass("open(cnf, 'w').write('p cnf 0 1\\n0\\n')"), sat, keep=tmp_path)
    assert (run.status, sat.read_text()) == ("ERROR", SAT)


def test_a_formula_behind_a_link(trespass, sat, tmp_path, unconfined):
    link = tmp_path / "link.cnf"
    link.symlink_to(sat)
    body = f"os.unlink({str(link)!r}); open({str(link)!r}, 'w').write('p cnf 0 1\\n0\\n')"
    run = run_solver(trespass(body), link, keep=tmp_path)
    assert (run.status, "no longer a link" in run.reason) == ("ERROR", True)


def test_touching_is_no_damage(trespass, sat, tmp_path, unconfined):
    """Renaming and new times preserve the content: a backup, `make`."""
    body = f"os.link({str(sat)!r}, {str(tmp_path / 'backup')!r}); os.utime({str(sat)!r})"
    run = run_solver(trespass(body), sat, keep=tmp_path)
    assert (run.status, run.reason) == ("UNSATISFIABLE", "")


@pytest.mark.parametrize("what", ["its own", "another"])
def test_a_program_that_was_replaced(trespass, sat, tmp_path, unconfined, monkeypatch, what):
    home = tmp_path / "bin"
    home.mkdir()
    shutil.copy("/bin/true", home / "another")
    monkeypatch.setenv("CNFGEN_SOLVERS_FOLDER", str(tmp_path))
    target = tmp_path / "fake" if what == "its own" else home / "another"
    body = f"t = {str(target)!r}; open('x', 'w').write('#!/bin/sh\\nexit 20\\n'); os.chmod('x', 0o755); shutil.move('x', t)"
    run = run_solver(trespass(body), sat, keep=tmp_path)
    assert run.status == "ERROR"
    assert str(target) in run.reason


def test_files_that_a_caller_guards(trespass, sat, tmp_path, unconfined):
    mine = tmp_path / "mine"
    mine.write_text("mine")
    guarded = [Guarded(mine, digest_of_file(mine))]
    run = run_solver(trespass(f"open({str(mine)!r}, 'a').write('x')"), sat, keep=tmp_path, guarded=guarded)
    assert (run.status, str(mine) in run.reason) == ("ERROR", True)


# -- outputs ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["os.unlink(p); os.symlink({0!r}, p)", "os.unlink(p); os.mkfifo(p)", "os.unlink(p)"])
@pytest.mark.parametrize("output", ["proof", "model"])
def test_a_replaced_output_is_an_error(trespass, sat, tmp_path, unconfined, output, how):
    fields = {"arguments": ("{options}", "{cnf}", "{proof}"), "proof_arguments": ("{proof}",), "proof_format": "text"}
    if output == "model":
        fields = {"arguments": ("{options}", "{cnf}", "{model}"), "model_from": "file"}
    body = f"p = sys.argv[2]; {how.format(str(sat))}"
    run = run_solver(trespass(body, **fields), sat, proof=tmp_path / "proof" if output == "proof" else None, keep=tmp_path)
    assert run.status == "ERROR"
    assert output in run.reason
    assert sat.read_text() == SAT


def test_outputs_that_were_removed(trespass, sat, tmp_path, unconfined):
    run = run_solver(trespass("shutil.rmtree(os.path.dirname(os.getcwd()))"), sat, keep=tmp_path)
    assert run.status == "ERROR"
    assert "removed" in run.reason


@pytest.mark.release
def test_a_scratch_folder_that_is_hard_to_remove(trespass, sat, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    body = "for _ in range(1100): os.mkdir('d'); os.chdir('d')"
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
