"""verify.sh detects every damage to a certificate, directly and through `verify`, with old and with new checksums."""

import hashlib
import os
import shutil
import stat
from dataclasses import replace

import pytest
from certificates import BUILT, certificate_of, edit, forge, refused_by_both, reseal, run_script
from conftest import make_script
from counting.enumerating import cnf_of

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.evidence.certificate import (
    HEADINGS,
    VERIFY_SH,
    Damaged,
    Draft,
    Unfinished,
    cnf_text,
    formula_certificate,
    formula_readme,
    model_text,
    projection_text,
)
from cnfgen_puzzles.evidence.checkers import VERIFIED
from cnfgen_puzzles.evidence.hints import proof_with_hints, write_plain_proof
from cnfgen_puzzles.evidence.selftest import pigeons
from cnfgen_puzzles.evidence.verifying import verify, verify_formula
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.instance import with_blocked
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver
from cnfgen_puzzles.testing import models

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")


LAST = 21
OF_HINTS = VERIFIED.title if VERIFIED.available() else "lrat-check"
"""The preferred checker of LRAT proofs on this machine."""


def pigeons_stay_away() -> tuple[Cnf, list[int]]:
    """Five pigeons in four holes unless variable 21 is true, which puts none anywhere: one model, which requires a search."""
    away = [[-variable, -LAST] for variable in range(1, LAST)]
    return cnf_of(LAST, [*away, *([*clause, LAST] if clause[0] > 0 else clause for clause in pigeons(5, 4).clauses())]), [LAST]


@pytest.fixture(scope="session")
def only(tmp_path_factory):
    """A certificate that a formula has one model, with a proof in DRAT and in LRAT."""
    cnf, model = pigeons_stay_away()
    blocked = with_blocked(cnf, range(1, LAST + 1), model)
    folder, work = tmp_path_factory.mktemp("only") / "c", tmp_path_factory.mktemp("work")
    (work / "x.cnf").write_bytes(cnf_text(blocked))
    solver = next(s for s in map(find_solver, ("kissat", "cadical", "glucose")) if s.available())
    assert run_solver(solver, work / "x.cnf", proof=work / "proof", limits=Limits(wall=60)).status == "UNSATISFIABLE"
    with Draft(folder) as draft:
        draft.add("formula.cnf", cnf_text(cnf))
        draft.add("model.txt", model_text(model, LAST))
        draft.add("projection.txt", projection_text(range(1, LAST + 1)))
        draft.add("blocked.cnf", cnf_text(blocked))
        plain = draft.path("proof.drat")
        write_plain_proof(work / "proof", solver.proof_format, plain)
        programs = [*proof_with_hints(work / "x.cnf", plain, work / "hints", Limits(wall=60))]
        draft.take("proof.lrat", work / "hints")
        readme = formula_readme("only-model", None)
        draft.seal("only-model", formula_certificate("only-model", None, programs), readme)
    return folder


@pytest.fixture
def copy(only, tmp_path):
    """The certificate, to be damaged."""
    return shutil.copytree(only, tmp_path / "c", symlinks=True)


FILES = (
    "README.md", "SHA256SUMS", "blocked.cnf", "certificate.json", "formula.cnf",
    "manifest.txt", "model.txt", "projection.txt", "proof.drat", "proof.lrat", "verify.sh",
)  # fmt: skip


def test_a_genuine_certificate_is_verified(only):
    assert sorted(os.listdir(only)) == sorted(FILES)
    assert (only / "verify.sh").read_bytes() == VERIFY_SH.read_bytes()
    code, output = run_script(only, script=only / "verify.sh")
    assert code == 0
    assert "drat-trim verifies proof.drat" in output and "lrat-check verifies proof.lrat" in output
    assert "VERIFIED: formula.cnf has exactly one model" in output and "This formula has" not in output
    found = verify(only)
    assert any("drat-trim verifies proof.drat" in each for each in found.sentences)
    assert any(f"{OF_HINTS} verifies proof.lrat" in each for each in found.sentences)
    assert verify_formula(found) == "This formula has exactly one model"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("checker", "names"),
    [
        ("drat-trim", f"drat-trim {OF_HINTS}"), ("lrat", "drat-trim lrat-check"),
        ("built-in", "the built-in checker the built-in checker"),
    ],
)  # fmt: skip
def test_chosen_checkers_check_proofs_of_the_formats_that_they_read(only, copy, checker, names):
    message = " ".join(each.sentence.partition(" verifies ")[0] for each in verify(only, checker).results if each.code == "proof")
    assert message.startswith(names)
    lines_deleted("proof.drat", lambda lines: lines[: len(lines) // 4])(copy)
    reseal(copy)
    with pytest.raises(Damaged, match="does not prove"):
        verify(copy, checker)


@pytest.mark.release
def test_public_programs_check_a_certificate(only, copy, tmp_path):
    """Any POSIX shell and awk suffice; these are the installed ones."""
    shells = [("dash",), ("bash", "--posix"), ("busybox", "sh")]
    awks = {"mawk": "mawk", "gawk": "gawk --posix", "original-awk": "original-awk", "busybox": "busybox awk"}
    lines_deleted("proof.lrat", lambda lines: lines[:-1])(copy)
    reseal(copy)
    tried = 0
    for shell in shells:
        for program, call in awks.items():
            if shutil.which(shell[0]) and shutil.which(program):
                make_script(tmp_path / "awk", f'exec {call} "$@"')
                assert run_script(only, shell=shell, AWK=tmp_path / "awk")[0] == 0
                assert run_script(copy, shell=shell, AWK=tmp_path / "awk")[0] == 1
                tried += 1
    assert tried


# -- damage by accident, or by who does not think of checksums ---------------------------------------------------------------


def flipped(path):
    data = bytearray(path.read_bytes())
    place = len(data) // 2
    data[place] ^= 1
    path.write_bytes(data)


ACCIDENTS = {
    "changed": flipped,
    "cut": lambda path: os.truncate(path, path.stat().st_size - 1),
    "emptied": lambda path: os.truncate(path, 0),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "gone": lambda path: path.unlink(),
    "huge": lambda path: os.truncate(path, 1 << 40),
    "link": lambda path: (path.rename(path.parent.parent / "moved"), path.symlink_to("../moved")),
    "pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "folder": lambda path: (path.unlink(), path.mkdir()),
}


MANY = ("SHA256SUMS", "manifest.txt", "formula.cnf", "proof.drat", "verify.sh")


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    ("name", "accident"), [(name, kind) for name in FILES for kind in (ACCIDENTS if name in MANY else ("changed", "gone"))]
)
def test_accidents(copy, name, accident):
    ACCIDENTS[accident](copy / name)
    output, message = refused_by_both(copy)
    assert name == "SHA256SUMS" or (name in output and name in message)


def test_what_changes_after_the_check_is_not_read(only, copy):
    found = verify(copy)
    flipped(copy / "model.txt")
    assert found.data("model.txt") == (only / "model.txt").read_bytes()
    (copy / "model.txt").unlink()
    os.mkfifo(copy / "model.txt")
    assert found.data("model.txt") == (only / "model.txt").read_bytes()


# -- damage with new checksums ----------------------------------------------------------------------------------------------


def lines_deleted(name, keep):
    def damage(folder):
        lines = (folder / name).read_text().splitlines(keepends=True)
        (folder / name).write_text("".join(keep(lines)))

    return damage


def test_sums_of_other_files(copy):
    text = (copy / "SHA256SUMS").read_text()
    for wrong in (text + text.splitlines()[0] + "\n", text.partition("\n")[2], text + "\n", text.replace("  ", " ")):
        (copy / "SHA256SUMS").write_text(wrong)
        refused_by_both(copy)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "heading", ["no model", "exactly one model, and no other", "exactly one \x1b[2Jmodel", "exactly one model\r"]
)
def test_the_heading_says_what_was_verified(copy, heading):
    """verify.sh compares it with the statement, and does not print it."""
    edit(copy / "README.md", "has exactly one model", f"has {heading}")
    reseal(copy)
    code, output = run_script(copy)
    assert code == 1 and "README.md:1: claims something other" in output


def test_the_evidence_of_another_version_holds_and_its_words_are_not_verified(copy):
    edit(copy / "README.md", "## What you rely on", "## Facts")
    edit(copy / "verify.sh", "#!/bin/sh\n", "#!/bin/sh\necho VERIFIED; exit 0\n")
    reseal(copy, lambda certificate: replace(certificate, package="cnfgen-puzzles 0"))
    found = verify(copy)
    assert found.sentences[-1] == "'cnfgen-puzzles 0' wrote the README, which was not compared"
    with pytest.raises(Unfinished, match="--formula-only"):
        verify_formula(found)
    edit(copy / "model.txt", "v -1 ", "v 1 ")
    reseal(copy)
    refused_by_both(copy)


def test_a_newer_format_is_refused(copy):
    edit(copy / "manifest.txt", "format 3", "format 4")
    sums = copy / "SHA256SUMS"
    old = next(line for line in sums.read_text().splitlines() if line.endswith("  manifest.txt"))
    edit(sums, old, f"{hashlib.sha256((copy / 'manifest.txt').read_bytes()).hexdigest()}  manifest.txt")
    assert run_script(copy)[0] == 2
    with pytest.raises(InputError, match="found a certificate of format 4") as error:
        verify(copy)
    assert error.value.exit_code == 2


def test_the_formula_has_one_model():
    """By brute force."""
    cnf, model = pigeons_stay_away()
    assert [[literal for literal in found if literal > 0] for found in models(cnf)] == [model]


def test_a_resealed_line_is_kept(only, copy):
    """Resealing an undamaged folder gives the same folder, so the damages above are the only errors of those."""
    forge(copy)
    assert all((copy / name).read_bytes() == (only / name).read_bytes() for name in FILES)
    assert certificate_of(copy) == certificate_of(only) and HEADINGS.keys() > {"only-model"}
    assert stat.S_IMODE((only / "formula.cnf").stat().st_mode) == 0o644
