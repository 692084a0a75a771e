"""Certificates of an earlier version (certificates-1.0.0/, written on 2026-11-22): still verified, here and by their own scripts.

Words, scripts and drawings may be others by now; the files that evidence is made of may not. New claims get a folder here with
the version that brings them, and none of these is ever written anew.
"""

import json
import shutil
from pathlib import Path

import pytest
from certificates import BUILT, edit, manifest_of, reseal, run_script

from cnfgen_puzzles.evidence.certificate import Damaged
from cnfgen_puzzles.evidence.certificate.manifest import PACKAGE
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")

OLD = Path(__file__).parent / "certificates-1.0.0"
CLAIMS = {
    "unique": "exactly one solution", "several": "more than one solution", "argument": "no solution", "none": "no solution",
    "solution": "a solution", "counted": "exactly 5 solutions up to the 4 symmetries of board and pieces, 8 in all",
    "walked": "no solution", "models": "exactly 4 models",
}  # fmt: skip


@pytest.mark.parametrize("name", CLAIMS)
def test_still_verified(name):
    told = verify_certificate(OLD / name)
    assert CLAIMS[name] in told.heading
    assert manifest_of(OLD / name).package == "cnfgen-puzzles 1.0.0.dev0" != PACKAGE
    assert sum("the words are of 'cnfgen-puzzles 1.0.0.dev0' and were not compared" in each for each in told.sentences) == 1


@pytest.mark.parametrize("name", CLAIMS)
def test_their_scripts_still_run(name, tmp_path):
    shutil.copytree(OLD / name, tmp_path / "c")
    code, said = run_script(tmp_path / "c")
    assert code == (3 if name == "argument" else 0), said


def other_board(folder):
    board = json.loads((folder / "board.json").read_text())
    board[0]["cells"], board[-1]["cells"] = board[-1]["cells"], board[0]["cells"]
    (folder / "board.json").write_text(json.dumps(board))


@pytest.mark.parametrize(
    ("name", "damage", "told"),
    [
        ("unique", lambda folder: edit(folder / "puzzle.json", "3", "4"), "another puzzle|belong|puzzle"),
        ("unique", lambda folder: edit(folder / "model.txt", "v -1 ", "v 1 "), "model"),
        ("none", lambda folder: (folder / "proof.drat").write_text("0\n"), "proof"),
        ("solution", other_board, "another board"),
        ("counted", lambda folder: (folder / "proofs" / "00001.lrat").write_text(""), "proof|sha256|SHA-256"),
        ("counted", lambda folder: edit(folder / "boards.jsonl", '"orbit": 1', '"orbit": 2'), "boards"),
    ],
)
def test_what_was_changed_since_is_found(name, damage, told, tmp_path):
    """With new checksums, too; as little as their words are compared, as much is what they rest on."""
    shutil.copytree(OLD / name, tmp_path / "c")
    damage(tmp_path / "c")
    with pytest.raises(Damaged):
        verify_certificate(tmp_path / "c")
    reseal(tmp_path / "c")
    with pytest.raises(Damaged, match=told):
        verify_certificate(tmp_path / "c")


def test_who_says_to_be_of_this_version_is_held_to_its_words(tmp_path):
    shutil.copytree(OLD / "argument", tmp_path / "c")  # of words alone: no rules, no board
    edit(tmp_path / "c" / "README.md", "No search", "Some search")
    reseal(tmp_path / "c")
    verify_certificate(tmp_path / "c")
    edit(tmp_path / "c" / "certificate.json", "cnfgen-puzzles 1.0.0.dev0", PACKAGE)
    reseal(tmp_path / "c")
    with pytest.raises(Damaged, match="not what the manifest makes it"):
        verify_certificate(tmp_path / "c")
