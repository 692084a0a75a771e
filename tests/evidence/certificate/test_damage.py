"""Every damage to a certificate is found, by verify.sh with public programs and by ours: with old checksums and with new ones."""

import os
import shutil
from dataclasses import replace

import pytest
from certificates import BUILT, edit, manifest_of, new_sums, reseal, run_script

from cnfgen_puzzles.evidence.certificate import Damaged, Draft, Manifest, Program, verify
from cnfgen_puzzles.evidence.certificate.checks import cnf_text, model_text, projection_text
from cnfgen_puzzles.evidence.certificate.proving import CHECKER, output_of, plain_proof, proof_with_hints
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.solve import with_blocked
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver
from cnfgen_puzzles.testing.bruteforce import models

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")


PIGEONS, HOLES = 5, 4
LAST = PIGEONS * HOLES + 1


def pigeons_stay_away() -> tuple[Cnf, list[int]]:
    """Five pigeons in four holes, unless variable 21 is true, and then none is anywhere: one model, which takes a search."""
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
        draft.add("formula.cnf", "the formula", cnf_text(cnf))
        draft.add("model.txt", "its model", model_text(model, LAST))
        draft.add("projection.txt", "all variables", projection_text(range(1, LAST + 1)))
        draft.add("blocked.cnf", "the formula without it", cnf_text(blocked))
        plain_proof(work / "proof", solver.proof_format, draft.path("proof.drat"))
        draft.enter("proof.drat", "the proof")
        programs = []
        for said in proof_with_hints(work / "x.cnf", draft.path("proof.drat"), work / "hints", Limits(wall=60)):
            draft.add(output_of(said.name), "what it said", said.output)
            programs.append(Program(CHECKER, said.name, said.version, said.sha256))
        draft.take("proof.lrat", "the proof with hints", work / "hints")
        draft.seal(Manifest("only model", "There is one way.", (("What", "Pigeons."),), {}, tuple(programs)))
    return folder


@pytest.fixture
def copy(only, tmp_path):
    """The certificate, to be damaged."""
    return shutil.copytree(only, tmp_path / "c", symlinks=True)


FILES = (
    "README.md", "SHA256SUMS", "blocked.cnf", "certificate.json", "drat-trim.txt", "formula.cnf", "lrat-check.txt", "model.txt",
    "projection.txt", "proof.drat", "proof.lrat", "verify.sh",
)  # fmt: skip


def test_it_holds(only):
    assert sorted(os.listdir(only)) == list(FILES)
    code, said = run_script(only)
    assert code == 0
    assert "drat-trim verifies proof.drat" in said and "lrat-check verifies proof.lrat" in said
    assert "VERIFIED: formula.cnf has just one model" in said and "There is one way." in said
    told = verify(only)
    assert "drat-trim verified proof.drat" in told.sentences[-1] and "proof.lrat" in told.sentences[-1]


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


MANY = ("SHA256SUMS", "certificate.json", "formula.cnf", "proof.drat", "verify.sh")


@pytest.mark.parametrize(
    ("name", "accident"), [(name, kind) for name in FILES for kind in (ACCIDENTS if name in MANY else ("changed", "gone"))]
)
def test_accidents(copy, name, accident):
    ACCIDENTS[accident](copy / name)
    with pytest.raises(Damaged) as found:
        verify(copy)
    assert name in str(found.value) or name == "SHA256SUMS"
    if name == "verify.sh" and accident != "longer":
        return  # nobody can ask a damaged script
    code, said = run_script(copy)
    assert code == 1, said
    assert "NOT VERIFIED" in said


@pytest.mark.parametrize("name", ["more.txt", ".hidden", "below/more.txt", "formula.cnf~", "white space", "-rf", "new\nline"])
def test_files_too_many(copy, name):
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_text("")
    with pytest.raises(Damaged, match="does not name"):
        verify(copy)
    assert run_script(copy)[0] == 1


def test_swapped_files(copy):
    (copy / "formula.cnf").rename(copy / "x")
    (copy / "blocked.cnf").rename(copy / "formula.cnf")
    (copy / "x").rename(copy / "blocked.cnf")
    with pytest.raises(Damaged):
        verify(copy)
    assert run_script(copy)[0] == 1


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
}


@pytest.mark.parametrize("damage", EVIDENCE)
def test_evidence_with_new_checksums(copy, damage):
    EVIDENCE[damage](copy)
    reseal(copy)
    with pytest.raises(Damaged) as found:
        verify(copy)
    assert any(name in str(found.value) for name in FILES)
    code, said = run_script(copy)
    assert code == 1, said
    assert "NOT VERIFIED" in said


WORDS = {
    "README claims more": lambda folder: edit(folder / "README.md", "There is one way.", "There is one in the world."),
    "the script believes all": lambda folder: edit(folder / "verify.sh", "#!/bin/sh\n", "#!/bin/sh\necho VERIFIED; exit 0\n"),
    "drat-trim said no": lambda folder: edit(folder / "drat-trim.txt", "s VERIFIED", "s NOT VERIFIED"),
    "drat-trim said nothing": lambda folder: (folder / "drat-trim.txt").write_text(""),
}


@pytest.mark.parametrize("damage", WORDS)
def test_words_with_new_checksums(copy, damage):
    """These only who knows what the words should be can find."""
    WORDS[damage](copy)
    reseal(copy)
    with pytest.raises(Damaged):
        verify(copy)


MANIFESTS = {
    "another claim": lambda manifest: replace(manifest, claim="There are two."),
    "another statement": lambda manifest: replace(manifest, statement="no model"),
    "an unknown statement": lambda manifest: replace(manifest, statement="all is well"),
    "a file outside": lambda manifest: replace(manifest, files={**manifest.files, "../x": manifest.files["model.txt"]}),
    "a file anywhere": lambda manifest: replace(manifest, files={**manifest.files, "/etc/passwd": manifest.files["model.txt"]}),
    "a file too few": lambda manifest: replace(manifest, files={k: v for k, v in manifest.files.items() if k != "model.txt"}),
    "another role": lambda manifest: replace(
        manifest, files={**manifest.files, "model.txt": replace(manifest.files["model.txt"], role="the truth")}
    ),
    "another size": lambda manifest: replace(
        manifest, files={**manifest.files, "model.txt": replace(manifest.files["model.txt"], bytes=1 << 45)}
    ),
}


@pytest.mark.parametrize("damage", MANIFESTS)
def test_manifests_with_new_checksums(copy, damage):
    reseal(copy, MANIFESTS[damage])
    with pytest.raises(Damaged):
        verify(copy)


@pytest.mark.parametrize("damage", ["a file outside", "a file anywhere", "a file too few", "another size"])
def test_the_script_compares_the_manifest(copy, damage):
    reseal(copy, MANIFESTS[damage])
    assert run_script(copy)[0] == 1


def test_a_manifest_of_a_part_of_the_statement(copy):
    """Words and checksums that fit each other do not help a statement whose files are missing."""
    (copy / "proof.drat").unlink()
    (copy / "proof.lrat").unlink()
    reseal(copy, words=True)
    with pytest.raises(Damaged, match=r"proof\.drat"):
        verify(copy)
    assert run_script(copy)[0] == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"format": 1', '"format": 1.0'),
        ('"format": 1', '"format": true'),
        ('"claim"', '"claims"'),
        ('"claim": "', '"claim":  "'),
        ('"details": {}', '"details": {}, "more": 1'),
        ('"details": {}', '"details": {"a": NaN}'),
        ('"sections": [[', '"sections": [["x"], ['),
        ("{\n", "[\n"),
        ("}\n}\n", "}\n"),
        ('"bytes": ', '"bytes": -'),
        ('"sha256": "', '"sha256": "g'),
        ('"package"', '"\\ud800"'),
    ],
)
def test_a_manifest_that_is_none(copy, old, new):
    edit(copy / "certificate.json", old, new)
    with pytest.raises(Damaged):
        verify(copy)
    assert run_script(copy)[0] == 1


def test_equal_models_are_none_of_two(only, tmp_path):
    with Draft(tmp_path / "c") as draft:
        for name in ("formula.cnf", "model.txt", "projection.txt"):
            draft.add(name, "", (only / name).read_bytes())
        draft.add("model-2.txt", "", (only / "model.txt").read_bytes())
        draft.seal(Manifest("two models", "Two."))
    with pytest.raises(Damaged, match="does not differ"):
        verify(tmp_path / "c")
    code, said = run_script(tmp_path / "c")
    assert (code, "do not differ" in said) == (1, True)


def test_the_formula_has_one_model():
    """That of these tests, by trying."""
    cnf, model = pigeons_stay_away()
    assert [[literal for literal in found if literal > 0] for found in models(cnf)] == [model]


def test_what_is_signed_stays(only, copy):
    """Resealing what was not damaged gives the same folder: the damages above are all that is wrong there."""
    reseal(copy, words=True)
    assert all((copy / name).read_bytes() == (only / name).read_bytes() for name in FILES)
    new_sums(copy)
    assert manifest_of(copy) == manifest_of(only)
