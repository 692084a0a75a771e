"""verify.sh detects every damage to a certificate, directly and through `verify`, with old and with new checksums."""

import hashlib
import os
import shutil
import stat
from dataclasses import replace

import pytest
from certificates import BUILT, certificate_of, edit, forge, manifest_of, refused_by_both, reseal, run_script

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
    seal_folder,
)
from cnfgen_puzzles.evidence.checkers import VERIFIED
from cnfgen_puzzles.evidence.hints import proof_with_hints, write_plain_proof
from cnfgen_puzzles.evidence.verifying import verify, verify_formula
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.instance import with_blocked
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver
from cnfgen_puzzles.testing import models

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")


PIGEONS, HOLES = 5, 4
LAST = PIGEONS * HOLES + 1
OF_HINTS = VERIFIED.title if VERIFIED.available() else "lrat-check"
"""The preferred checker of LRAT proofs on this machine."""


def pigeons_stay_away() -> tuple[Cnf, list[int]]:
    """Five pigeons in four holes unless variable 21 is true, which puts none anywhere: one model, which requires a search."""
    cnf = Cnf(LAST, 0)

    def add(*literals):
        cnf.literals.extend((*literals, 0))
        cnf.num_clauses += 1

    def x(pigeon, hole):
        return HOLES * pigeon + hole + 1

    for pigeon in range(PIGEONS):
        add(*(x(pigeon, hole) for hole in range(HOLES)), LAST)
    for hole in range(HOLES):
        for pigeon in range(PIGEONS):
            add(-x(pigeon, hole), -LAST)
            for other in range(pigeon):
                add(-x(pigeon, hole), -x(other, hole))
    return cnf, [LAST]


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
                (tmp_path / "awk").write_text(f'#!/bin/sh\nexec {call} "$@"\n')
                (tmp_path / "awk").chmod(0o755)
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


@pytest.mark.parametrize("name", ["more.txt", ".hidden", "below/more.txt", "formula.cnf~", "white space", "-rf", "new\nline"])
def test_files_too_many(copy, name):
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_text("")
    assert "not listed in manifest.txt" in refused_by_both(copy)[1]
    reseal(copy)
    assert name != "more.txt" or "does not belong to a certificate with" in refused_by_both(copy)[1]


@pytest.mark.parametrize("name", ["model-2.txt", "solutions.txt", "cover.drat", "boards.jsonl"])
def test_files_that_the_statement_does_not_need(copy, name):
    """No statement needs them, so nothing would check them."""
    (copy / name).write_text("1\n")
    forge(copy)
    assert "does not belong to a certificate with the statement only-model" in refused_by_both(copy)[1]


def test_swapped_files(copy):
    (copy / "formula.cnf").rename(copy / "x")
    (copy / "blocked.cnf").rename(copy / "formula.cnf")
    (copy / "x").rename(copy / "blocked.cnf")
    refused_by_both(copy)


def test_what_changes_after_the_check_is_not_read(only, copy):
    found = verify(copy)
    flipped(copy / "model.txt")
    assert found.data("model.txt") == (only / "model.txt").read_bytes()
    (copy / "model.txt").unlink()
    os.mkfifo(copy / "model.txt")
    assert found.data("model.txt") == (only / "model.txt").read_bytes()


# -- damage with new checksums ----------------------------------------------------------------------------------------------


def without_clause(folder, *names):
    """Without the first clause, so that there are more models."""
    for name in names:
        lines = (folder / name).read_text().splitlines()
        (folder / name).write_text("\n".join([f"p cnf {LAST} {len(lines) - 2}", *lines[2:]]) + "\n")


def lines_deleted(name, keep):
    def damage(folder):
        lines = (folder / name).read_text().splitlines(keepends=True)
        (folder / name).write_text("".join(keep(lines)))

    return damage


def prepended(name, text):
    return lambda folder: (folder / name).write_bytes(text + (folder / name).read_bytes())


def appended(name, text):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + text)


EVIDENCE = {
    "the formula without a clause": lambda folder: without_clause(folder, "formula.cnf"),
    "both formulas without a clause": lambda folder: without_clause(folder, "formula.cnf", "blocked.cnf"),
    "another header": lambda folder: edit(folder / "formula.cnf", "p cnf 21", "p cnf 22"),
    "a variable too high": lambda folder: edit(folder / "formula.cnf", "\n1 ", "\n22 "),
    "a formula with comments": prepended("formula.cnf", b"c p cnf 1 2\nc\n"),
    "another formula in a comment": prepended("blocked.cnf", b"c made by gen cnf 1 2 1 0 -1 0\n"),
    "clauses on one line": lambda folder: edit(folder / "blocked.cnf", " 0\n-", " 0 -"),
    "more clauses than announced": appended("blocked.cnf", b"1 0\n"),
    "a value too few": lambda folder: edit(folder / "model.txt", "v -1 -2", "v -1"),
    "a value twice": lambda folder: edit(folder / "model.txt", "v -1 -2", "v -1 -2 -2"),
    "both values": lambda folder: edit(folder / "model.txt", "v -1 -2", "v -1 1 -2"),
    "a model of something else": lambda folder: edit(folder / "model.txt", "v -1 -2", "v 1 -2"),
    "a model with words": lambda folder: edit(folder / "model.txt", "v -1 -2", "v -1 x"),
    "a smaller projection": lines_deleted("projection.txt", lambda lines: lines[:-1]),
    "an empty projection": lines_deleted("projection.txt", lambda lines: []),
    "a projection in another order": lines_deleted("projection.txt", lambda lines: lines[::-1]),
    "a projection beyond the formula": lambda folder: edit(folder / "projection.txt", "21", "99"),
    "a blocking clause of something else": lambda folder: edit(folder / "blocked.cnf", "20 -21 0", "20 21 0"),
    "no DRAT proof": lines_deleted("proof.drat", lambda lines: []),
    "a DRAT proof without its end": lines_deleted("proof.drat", lambda lines: lines[: len(lines) // 4]),
    "a DRAT proof of nothing": lines_deleted("proof.drat", lambda lines: ["1 0\n", "-1 0\n", "0\n"]),
    "a DRAT proof with rubbish": appended("proof.drat", b"c s VERIFIED\n"),
    "an LRAT proof without its lemmas": lines_deleted("proof.lrat", lambda lines: lines[-1:]),
    "an LRAT proof without its end": lines_deleted("proof.lrat", lambda lines: lines[:-1]),
    "an LRAT proof of nothing": lines_deleted("proof.lrat", lambda lines: ["999 0 0\n"]),
    "an LRAT proof with rubbish": appended("proof.lrat", b"c VERIFIED\n"),
    "a formula without its last newline": lambda folder: os.truncate(
        folder / "formula.cnf", os.stat(folder / "formula.cnf").st_size - 1
    ),
    "a number that is too large": appended("proof.drat", b"2147483648 0\n"),
    "a carriage return": lambda folder: edit(folder / "model.txt", "\n", "\r\n"),
    "a zero byte": lambda folder: edit(folder / "projection.txt", "21\n", "21\0\n"),
    "a model that goes on": appended("model.txt", b"v -1 0\n"),
    "a second header": lambda folder: edit(folder / "blocked.cnf", " 0\n", " 0\np cnf 1 1\n"),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("damage", EVIDENCE)
def test_evidence_with_new_checksums(copy, damage):
    EVIDENCE[damage](copy)
    reseal(copy)
    message = refused_by_both(copy)[1]
    assert any(name in message for name in FILES)


def lines_of_manifest(change):
    """manifest.txt with other lines, and a matching SHA256SUMS."""

    def damage(folder):
        lines = change((folder / "manifest.txt").read_text().splitlines())
        (folder / "manifest.txt").write_text("".join(f"{line}\n" for line in lines))
        old = [line for line in (folder / "SHA256SUMS").read_text().splitlines() if not line.endswith("  manifest.txt")]
        new = f"{hashlib.sha256((folder / 'manifest.txt').read_bytes()).hexdigest()}  manifest.txt"
        (folder / "SHA256SUMS").write_text("".join(f"{line}\n" for line in [*old, new]))

    return damage


def line_changed(old, new):
    return lines_of_manifest(lambda lines: [line.replace(old, new) for line in lines])


MANIFESTS = {
    "another statement": line_changed("only-model", "no-model"),
    "an unknown statement": line_changed("only-model", "all-is-well"),
    "no statement": lines_of_manifest(lambda lines: [lines[0], *lines[2:]]),
    "two statements": lines_of_manifest(lambda lines: [*lines[:2], *lines[1:]]),
    "nothing": lines_of_manifest(lambda lines: []),
    "no format": lines_of_manifest(lambda lines: lines[1:]),
    "numbers of a list": lines_of_manifest(lambda lines: [*lines[:2], "solutions 1", *lines[2:]]),
    "a file outside": lines_of_manifest(lambda lines: [*lines, "file 7 ../x"]),
    "a file anywhere": lines_of_manifest(lambda lines: [*lines, "file 7 /etc/passwd"]),
    "a file that is missing": lines_of_manifest(lambda lines: [*lines, "file 7 model-2.txt"]),
    "a file twice": lines_of_manifest(lambda lines: [*lines, lines[-1]]),
    "a file too few": lines_of_manifest(lambda lines: [line for line in lines if "model.txt" not in line]),
    "another size": line_changed("file ", "file 1"),
    "a size that is none": line_changed("file ", "file 0"),
    "a word more": line_changed("format 3", "format 3 and more"),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("damage", MANIFESTS)
def test_manifests_with_new_checksums(copy, damage):
    MANIFESTS[damage](copy)
    refused_by_both(copy)


def test_sums_of_other_files(copy):
    text = (copy / "SHA256SUMS").read_text()
    for wrong in (text + text.splitlines()[0] + "\n", text.partition("\n")[2], text + "\n", text.replace("  ", " ")):
        (copy / "SHA256SUMS").write_text(wrong)
        refused_by_both(copy)


def test_a_statement_whose_files_are_missing(copy):
    """Texts and checksums that match each other do not help."""
    (copy / "proof.drat").unlink()
    (copy / "proof.lrat").unlink()
    forge(copy)
    assert "proof.drat" in refused_by_both(copy)[1]


@pytest.mark.parametrize("statement", ["argument", "obeys", "no-model", "two-models", "all-models"])
def test_claims_and_statements_fit(copy, statement):
    forge(copy, lambda certificate: replace(certificate, claim={"code": statement}), statement=statement)
    with pytest.raises(Damaged):
        verify_formula(verify(copy))


WORDS = {
    "README claims more": lambda folder: edit(folder / "README.md", "exactly one model", "exactly one model in the world"),
    "another script": lambda folder: edit(folder / "verify.sh", "#!/bin/sh\n", "#!/bin/sh\necho VERIFIED; exit 0\n"),
    "another claim": lambda folder: edit(folder / "certificate.json", '"code": "only-model"', '"code": "no-model"'),
    "another format": lambda folder: edit(folder / "certificate.json", '"format": 3', '"format": 3.0'),
    "no claim": lambda folder: edit(folder / "certificate.json", '"claim"', '"claims"'),
    "blanks": lambda folder: edit(folder / "certificate.json", '"claim": ', '"claim":  '),
    "more": lambda folder: edit(folder / "certificate.json", '"details": {}', '"details": {}, "more": 1'),
    "no number": lambda folder: edit(folder / "certificate.json", '"details": {}', '"details": {"a": NaN}'),
    "a list": lambda folder: edit(folder / "certificate.json", "{\n", "[\n"),
    "half a character": lambda folder: edit(folder / "certificate.json", '"package"', '"\\ud800"'),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("damage", WORDS)
def test_words_with_new_checksums(copy, damage):
    """Only a program that can generate the correct texts detects these."""
    WORDS[damage](copy)
    stated, _ = manifest_of(copy)
    seal_folder(copy, stated, None)
    with pytest.raises(Damaged):
        verify_formula(verify(copy))


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
    line_changed("format 3", "format 4")(copy)
    assert run_script(copy)[0] == 2
    with pytest.raises(InputError, match="found a certificate of format 4") as error:
        verify(copy)
    assert error.value.exit_code == 2


def test_equal_models_do_not_count_as_two(only, tmp_path):
    with Draft(tmp_path / "c") as draft:
        for name in ("formula.cnf", "model.txt", "projection.txt"):
            draft.add(name, (only / name).read_bytes())
        draft.add("model-2.txt", (only / "model.txt").read_bytes())
        draft.seal("two-models", formula_certificate("two-models", None), formula_readme("two-models", None))
    assert "does not differ" in refused_by_both(tmp_path / "c")[1]


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
