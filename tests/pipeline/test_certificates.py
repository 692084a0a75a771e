"""Certificates of puzzles: each claim holds by verify.sh and by verify_certificate, and says no more than it shows."""

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from certificates import BUILT, edit, manifest_of, reseal, run_script

import cnfgen_puzzles as cp
from cnfgen_puzzles.evidence.certificate import STATEMENTS, Damaged
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.sources import Source, open_source
from cnfgen_puzzles.pipeline.certify import Wanted, origin_of_file, origin_of_generator, origin_of_options
from cnfgen_puzzles.pipeline.claims import CLAIMS, heading, sections
from cnfgen_puzzles.pipeline.instance import scrambled
from cnfgen_puzzles.pipeline.verification import facts_in, verify_certificate
from cnfgen_puzzles.evidence.certificate import open_certificate
from repository import REPOSITORY

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")

SMALL = {
    "unique": b"2 2\n1\n1\n1\n1 1\n",
}
TWO = b"2 2\n1\n1\n1\n1\n"  # columns, rows; then clues: two diagonals
INSTANCES = REPOSITORY / "instances" / "nonogram"


def nonogram(clues: str) -> Source:
    """A puzzle's file in the format non."""
    rows, columns = clues.split("/")
    lines = [f"width {len(columns.split(','))}", f"height {len(rows.split(','))}", "rows", *rows.split(","), "columns", *columns.split(",")]
    return Source("x.non", "\n".join([*lines, ""]).encode(), ".non")


def made(folder, question, family="nonogram", source=None, options=None, **settings):
    """A certificate of an answer, as solve-puzzle asks for it."""
    options = options or {}
    wanted = Wanted(folder, origin_of_file(source, options) if source else origin_of_options(options), source)
    puzzle = cp.families.find_family(family).read(source, **options) if source else cp.read(family, **options)
    answer = question(family, puzzle, certificate=wanted, **settings)
    assert wanted.sums, wanted.reason
    return answer


CASES = {
    "solution": (cp.solve, {"source": nonogram("1,1/1,1")}, "model"),
    "several": (cp.unique, {"source": nonogram("1,1/1,1")}, "two models"),
    "unique": (cp.unique, {"source": open_source(INSTANCES / "heart.nin")}, "only model"),
    "none": (cp.solve, {"source": nonogram("2,1 1,2 1,1 1/2,1 1,1 1,3"[:0] or "1 1,1,1 1/1 1,1,1 1")}, "no model"),
    "argument": (cp.unique, {"source": open_source(INSTANCES / "sums-differ-5.nin")}, "argument"),
    "board": (cp.solve, {"family": "maze", "options": {"kind": "blocked", "size": "3x3", "length": 11}}, "obeys"),
}


@pytest.mark.parametrize("claim", CASES)
def test_claims(tmp_path, claim):
    question, how, statement = CASES[claim]
    made(tmp_path / "c", question, **how)
    assert manifest_of(tmp_path / "c").statement == statement
    told = verify_certificate(tmp_path / "c", encoding=True)
    assert told.claim == claim
    code, said = run_script(tmp_path / "c")
    assert code == (3 if claim == "argument" else 0), said
    assert told.heading in said or claim == "argument"
    assert (tmp_path / "c" / "README.md").read_text().startswith(f"# {told.heading}\n")
