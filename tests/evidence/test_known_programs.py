"""A certificate runs no program that came with it: verify.sh knows the SHA-256 of the awk programs of the package."""

import hashlib
import os
import re
import shutil

import pytest
from certificates import BUILT, refused_by_both, reseal, run_script
from inawk import AWKS, CALLS, PROGRAMS
from repository import REPOSITORY

import cnfgen_puzzles as cp
from cnfgen_puzzles.evidence.certificate import VERIFY_SH
from cnfgen_puzzles.families import find_family

LINE = re.compile(r"^([0-9a-f]{64})  ([a-z-]+\.awk)$", re.MULTILINE)
TWO_WAYS = "p cnf 2 1\n1 2 0\n"


def test_the_list_is_that_of_the_package_and_of_the_documentation():
    programs = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in PROGRAMS.iterdir()}
    for text in (VERIFY_SH, REPOSITORY / "docs" / "certificates.md"):
        found = LINE.findall(text.read_text())
        assert [(digest, name) for name, digest in sorted(programs.items())] == found, text


def test_the_programs_contain_no_number_of_a_puzzle_and_are_readable():
    assert {path.name for path in PROGRAMS.iterdir()} >= {"json.awk"}
    for path in PROGRAMS.iterdir():
        text = path.read_text()
        assert text.isascii() and text.count("\n") < 300 and max(map(len, text.splitlines())) <= 130, path
        assert not re.search(r"system *\(|getline|ENVIRON|ARG[CV]|print[^;}]*[|>] *\"", text), path


def test_families_name_programs_of_the_list():
    for name in ("nonogram", "triddler", "tiling", "maze"):
        family = find_family(name)
        for puzzle in list(family.small_puzzles())[:2]:
            for encoding in family.encodings:
                encoder = family.encoder_in_awk(puzzle, encoding, {})
                assert encoder is None or (PROGRAMS / f"{encoder}.awk").exists()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A nonogram with two solutions, of which one is certified."""
    folder = tmp_path_factory.mktemp("known") / "c"
    cp.solve(find_family("nonogram").puzzle(((1,), (1,)), ((1,), (1,))), certificate=folder)
    return folder


MARK = "{mark}"
PUBLISHED = """\
BEGIN { if (projection) print 1 ? "p cnf 1 2\\n1 0\\n-1 0" :
"" > "{mark}" }
"""
FORGED = {
    "print to a file after a line end": PUBLISHED,
    "print to a file after ?": 'BEGIN { print 1 ?\n"x" : "y" > "{mark}" }\n',
    "print after a comma": 'BEGIN { print "x", # why\n"y" > "{mark}" }\n',
    "printf in parentheses": 'BEGIN { printf("x") >> "{mark}" }\n',
    "a command": 'BEGIN { s = "touch {mark}"; s | getline; close(s) }\n',
    "system": 'BEGIN { system("touch {mark}") }\n',
    "a pipe": 'BEGIN { print "x" | "cat > {mark}" }\n',
    "nothing": "BEGIN { exit 0 }\n",
    "one blank more": None,
}


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.sample(12)
@pytest.mark.parametrize("awk", CALLS)
@pytest.mark.parametrize("forgery", FORGED)
def test_no_other_program_runs(certificate, tmp_path, forgery, awk):
    if awk.split() not in AWKS:
        pytest.skip(f"{awk} is not installed")
    (tmp_path / "awk").write_text(f'#!/bin/sh\nexec {awk} "$@"\n')
    (tmp_path / "awk").chmod(0o755)
    mark = tmp_path / "mark"
    for name in ("json.awk", "rules.awk", "encode.awk"):
        folder = shutil.copytree(certificate, tmp_path / name)
        text = FORGED[forgery]
        (folder / name).write_text(f"{(folder / name).read_text()} \n" if text is None else text.replace(MARK, str(mark)))
        reseal(folder)
        code, said = run_script(folder, AWK=tmp_path / "awk")
        assert code == 1 and f"{name}: is an unknown program: its SHA-256 is not in the list" in said and not mark.exists(), said
        if awk == CALLS[0]:
            assert "is an unknown program" in refused_by_both(folder)[1]


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.parametrize("other", ["maze-rules", "tiling-rules", "clued-encode", "json"])
def test_a_program_of_the_list_serves_only_its_purpose(certificate, tmp_path, other):
    """Rules of another family refuse the puzzle; programs for another purpose are refused by name."""
    folder = shutil.copytree(certificate, tmp_path / "c")
    shutil.copy(PROGRAMS / f"{other}.awk", folder / "rules.awk")
    reseal(folder)
    code, said = run_script(folder)
    told = "found the unknown member rows" if other.endswith("rules") else "is an unknown program"
    assert code == 1 and told in said, said


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.parametrize("gone", ["json.awk", "puzzle.json"])
def test_programs_need_their_reader_and_the_puzzle(certificate, tmp_path, gone):
    folder = shutil.copytree(certificate, tmp_path / "c")
    (folder / gone).unlink()
    reseal(folder)
    assert f"does not list {gone}" in refused_by_both(folder)[1]


HOSTILE = {
    "an assignment as a name": '"rows": [[1], [1]], "projection=1": [[1]],',
    "a number that is too large": '"rows": [[99999999999], [1]],',
    "a list that is a text": '"rows": "[[1], [1]]",',
    "text in a clue": '"rows": [["1 1"], [1]],',
    "a command": '"rows": [["$(touch mark)"], [1]],',
    "a regular expression": '"rows": [[1], [1]], ".*": [],',
}


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_puzzles_are_data(certificate, tmp_path, hostile):
    folder = shutil.copytree(certificate, tmp_path / "c")
    text = (folder / "puzzle.json").read_text()
    assert '"rows": [[1], [1]],' in text
    (folder / "puzzle.json").write_text(text.replace('"rows": [[1], [1]],', HOSTILE[hostile]))
    reseal(folder)
    code, said = run_script(folder)
    assert code == 1 and "NOT VERIFIED: puzzle.json: encode.awk writes no formula" in said, said
    assert sorted(os.listdir(tmp_path)) == ["c"]
