"""The encodings as an awk program for certificates: it writes the formula of the package byte for byte."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inawk import AWKS, run
from tilingcases import puzzles

from cnfgen_puzzles.evidence.certificate import cnf_text, projection_text
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.lattice import SQUARE
from cnfgen_puzzles.families.tiling import ENCODED_IN_AWK as ENCODED
from cnfgen_puzzles.families.tiling import encoder_in_awk as encoder
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup
from cnfgen_puzzles.families.tiling.puzzle import Tiling, box
from cnfgen_puzzles.pipeline.certificates.certify import canonical
from cnfgen_puzzles.pipeline.instance import make_instance

FAMILY = find_family("tiling")


def check_same(puzzle, encoding, awks=AWKS):
    instance = make_instance(FAMILY, puzzle, encoding)
    expected, text = cnf_text(instance.cnf), canonical(FAMILY.puzzle_to_json(puzzle))
    program = encoder(puzzle, encoding, {})
    done = run(awks[0], program, text, encoding=encoding, projection=1)
    assert (done.stdout, done.returncode) == (projection_text(instance.projection), 0)
    for awk in awks:
        done = run(awk, program, text, encoding=encoding)
        assert (done.stdout, done.returncode) == (expected, 0), (awk, done.stderr)


@pytest.mark.release
@settings(max_examples=100, deadline=None)
@given(puzzles().map(lambda puzzle: replace(puzzle, groups=())), st.sampled_from(ENCODED))
def test_any_tiling(puzzle, encoding):
    """All lattices, rings, colors, pins, bounds, turning, names, and cells that may stay empty."""
    check_same(puzzle, encoding)


@pytest.mark.sample(4)
@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize(
    ("board", "pieces"),
    [("4x5", "one-sided tetrominoes"), ("2x2x2", "4*domino"), ("2x4x4", "tetracubes"), ("4x4", "domino: any")],
)
def test_sets_of_pieces(board, pieces, encoding):
    check_same(FAMILY.read(None, board=board, pieces=pieces), encoding)


@pytest.mark.sample(26)
@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize(
    "bounds", [(least, most) for most in (0, 1, 2, 3, 7, None) for least in range(1 + (7 if most is None else most))]
)
def test_bounds_on_copies(bounds, encoding):
    board = box(2, 3) | {(2, 0): "optional"}
    for sizes in ((1,), (2,), (2, 1), (6, 1)):
        pieces = tuple(Piece(str(n), tuple((0, x) for x in range(n)), *bounds) for n in sizes)
        check_same(Tiling(SQUARE, board, pieces), encoding, AWKS[:1])


def test_puzzles_that_the_awk_encoder_refuses():
    puzzle = FAMILY.read(None, board="2x3", pieces="domino: any")
    assert encoder(puzzle, "totalizer", {}) is None
    assert encoder(puzzle, "product", {"symmetry": "representatives"}) is None
    assert encoder(puzzle, "product", {"symmetry": "all", "regions": False}) is not None
    assert encoder(replace(puzzle, groups=(PieceGroup((0,), 1, 2),)), "product", {}) is None


GOOD = canonical(FAMILY.puzzle_to_json(FAMILY.read(None, board="1x2", pieces="domino"))).decode()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"wrap"', '"covered": [], "wrap"', "found covered twice"),
        ('"wrap"', '"groups": [{"pieces": [0], "least": 2, "most": 2}], "wrap"', "unknown member"),
        ('"least"', '"smallest"', "unknown member"),
        ("[0, 1]", "[0, 0]", "is there twice"),
        ("[0, 1]", "[0 1]", "no end of the list"),
        ("[0, 1]", "[0, 1.5]", "found no value"),
        ("[0, 1]", "[0, 01]", "found no value"),
        ("[0, 1]", "[0, 12345678901]", "found no value"),
        ("[0, 1]", '[0, "1"]', "found no number"),
        ("[[0, 0], [0, 1]]", "7", "found no list"),
        ('"rotations": true', '"rotations": 1', "neither true nor false"),
        ("[0, 1]", "[0, 1, 2]", "found no cell"),
        ("[0, 1]", "[0, é]", "printable ASCII"),
        ("}\n", "} []\n", "behind the puzzle"),
    ],
)
def test_invalid_canonical_puzzles(old, new, told):
    text = GOOD[::-1].replace(old[::-1], new[::-1], 1)[::-1] if old == "}\n" else GOOD.replace(old, new, 1)
    assert text != GOOD
    for awk in AWKS:
        done = run(awk, "tiling-encode", text.encode(), encoding="product")
        assert done.returncode == 1 and told in done.stdout.decode(), (awk, done)
