"""The encodings as awk programs for certificates: they write the formulas of the package byte for byte."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inawk import AWKS, run
from smallpuzzles import small_puzzles
from tilingcases import puzzles as tilings

from cnfgen_puzzles.evidence.certificate import cnf_text, projection_text
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.clued.puzzle import BLACK_AND_WHITE, Color
from cnfgen_puzzles.families.lattice import SQUARE
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, puzzle_of
from cnfgen_puzzles.families.tiling import ENCODED_IN_AWK, encoder_in_awk
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup
from cnfgen_puzzles.families.tiling.puzzle import Tiling, box
from cnfgen_puzzles.families.triddler.puzzle import Hexagon, Triddler
from cnfgen_puzzles.pipeline.certificates.certify import canonical
from cnfgen_puzzles.pipeline.instance import make_instance

TILING = find_family("tiling")
ENCODINGS = ("order", "direct", "regular")
PALETTE = (Color('"paper"', "#ffffff", "."), Color('{"name": "red"}', "#ff0000", "{"), Color("blå", "#0000ff", "ß"))


def check_same(family, puzzle, encodings=ENCODINGS, awks=AWKS):
    puzzle = family.puzzle_from_json(family.puzzle_to_json(puzzle))
    text = canonical(family.puzzle_to_json(puzzle))
    for encoding in encodings:
        instance, program = make_instance(family, puzzle, encoding), family.encoder_in_awk(puzzle, encoding, {})
        for awk in awks:
            done = run(awk, program, text, encoding=encoding)
            assert (done.stdout, done.returncode) == (cnf_text(instance.cnf), 0), (encoding, awk, done.stderr)
        done = run(awks[0], program, text, encoding=encoding, projection=1)
        assert (done.stdout, done.returncode) == (projection_text(instance.projection), 0)


@st.composite
def nonograms(draw):
    """Any clues, including clues that do not fit; one to three inks; known cells."""
    width, height, inks = draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(st.integers(1, 2))
    palette = draw(st.sampled_from((BLACK_AND_WHITE, PALETTE[:2]))) if inks == 1 else PALETTE
    block = st.tuples(st.integers(1, 3), st.integers(1, inks))

    def clues(lines):
        drawn = draw(st.lists(st.lists(block, max_size=3), min_size=lines, max_size=lines))
        return [tuple(zip(*line, strict=True)) or ((), ()) for line in drawn]

    puzzle = puzzle_of(clues(height), clues(width), palette, about={"title": draw(st.text(max_size=5))})
    cell = st.none() | st.integers(0, inks)
    known = draw(st.just(()) | st.lists(st.tuples(*[cell] * width), min_size=height, max_size=height).map(tuple))
    return replace(puzzle, known=known)


@pytest.mark.release
@settings(max_examples=60, deadline=None)
@given(nonograms())
def test_any_nonogram(puzzle):
    check_same(find_family("nonogram"), puzzle)


def is_hexagon(sides):
    try:
        return bool(Hexagon(sides))
    except ValueError:
        return False


EVERY = ((a, b, c, d, a + b - d, c + d - a) for a, b, c, d in product(range(4), repeat=4))
HEXAGONS = [sides for sides in EVERY if is_hexagon(sides)]


@pytest.mark.release
@settings(max_examples=30, deadline=None)
@given(st.sampled_from(HEXAGONS), st.integers(1, 3), st.integers(0, 99))
def test_any_triddler(sides, colors, seed):
    """All hexagons of some sizes, also rhombuses, trapeziums, and triangles."""
    family = find_family("triddler")
    puzzle = family.generate("random", seed, sides="-".join(map(str, sides)), colors=colors)
    check_same(family, puzzle)
    check_same(family, Triddler(puzzle.sides, tuple(lines[::-1] for lines in puzzle.clues)), awks=AWKS[:1])  # may not fit


@pytest.mark.parametrize("family", ["nonogram", "triddler"])
def test_small_puzzles(family):
    family = find_family(family)
    for puzzle in small_puzzles(family)[::6]:
        check_same(family, puzzle)


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (' "columns"', ' "rows": [[1]],\n "columns"'),
        (' "columns"', ' "extra": [[1]],\n "columns"'),
        ("[[1]]", "7"),
        ("[[1]]", "[7]"),
        ("[[1]", '[["1"]'),
        ("[[1]", "[[12345678901]"),
        ("[null, 0]", "7"),
        ("[[1]", "[[1x]"),
        ("[[1]", "[[0]"),
        ("[[1]", "[[-1]"),
        ("[[2]", "[[3]"),
        ("[[2]", "[[]"),
        ("[[2]]", "[[2], [1]]"),
        ("[null,", "["),
        ("[null,", "[nul,"),
        ("[null,", "[3,"),
        ("[[null, ", "[[null, null], [null, "),
        (' "rows": [[1]],\n', ""),
        ("[[2]", "[[1, 2]"),
    ],
)
def test_input_that_is_not_a_puzzle(awk, old, new):
    """Input that could be read as another puzzle is not encoded."""
    family = find_family("nonogram")
    puzzle = puzzle_of([((1,), (2,))], [((1,), (1,)), ((1,), (2,))], PALETTE)
    puzzle = replace(puzzle, known=((None, 0),))
    text = canonical(family.puzzle_to_json(puzzle)).decode()
    assert old in text
    assert run(awk, "clued-encode", text.encode(), encoding="order").returncode == 0
    assert run(awk, "clued-encode", text.replace(old, new, 1).encode(), encoding="order").returncode == 1
    assert run(awk, "clued-encode", text.encode(), encoding="other").returncode == 1


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2 1\n2\n1\n1\n", 0),
        ("2 1\n2\n1\n1", 0),
        ("\n 2\t1\r\n\n02 \r\n1\n\n1\n\n", 0),
        ("2 1\n1\n1\n1\n", 1),
        ("2 1\n2\n1\n0\n", 1),
        ("2 1\n2\n1\n1 0\n", 1),
        ("1 2\n2\n1\n1\n", 1),
        ("2 1\n2\n1\n", 3),
        ("2 1\n2\n1\n1\n1\n", 3),
        ("2 1\n2\n#\n1\n1\n", 3),
        ("2 1\n2\r1\n1\n", 3),
        ("", 3),
    ],
)
def test_a_plain_file_is_compared_with_the_puzzle(awk, text, code):
    family, puzzle = find_family("nonogram"), Nonogram(((2,),), ((1,), (1,)))
    done = run(awk, "clued-encode", canonical(family.puzzle_to_json(puzzle)), text, given=1)
    assert done.returncode == code, done


# -- tilings ------------------------------------------------------------------------------------------------------------


@pytest.mark.release
@settings(max_examples=100, deadline=None)
@given(tilings().map(lambda puzzle: replace(puzzle, groups=())), st.sampled_from(ENCODED_IN_AWK))
def test_any_tiling(puzzle, encoding):
    """All lattices, rings, colors, pins, bounds, turning, names, and cells that may stay empty."""
    check_same(TILING, puzzle, (encoding,))


@pytest.mark.sample(4)
@pytest.mark.parametrize("encoding", ENCODED_IN_AWK)
@pytest.mark.parametrize(
    ("board", "pieces"),
    [("4x5", "one-sided tetrominoes"), ("2x2x2", "4*domino"), ("2x4x4", "tetracubes"), ("4x4", "domino: any")],
)
def test_sets_of_pieces(board, pieces, encoding):
    check_same(TILING, TILING.read(None, board=board, pieces=pieces), (encoding,))


@pytest.mark.sample(26)
@pytest.mark.parametrize("encoding", ENCODED_IN_AWK)
@pytest.mark.parametrize(
    "bounds", [(least, most) for most in (0, 1, 2, 3, 7, None) for least in range(1 + (7 if most is None else most))]
)
def test_bounds_on_copies(bounds, encoding):
    board = box(2, 3) | {(2, 0): "optional"}
    for sizes in ((1,), (2,), (2, 1), (6, 1)):
        pieces = tuple(Piece(str(n), tuple((0, x) for x in range(n)), *bounds) for n in sizes)
        check_same(TILING, Tiling(SQUARE, board, pieces), (encoding,), AWKS[:1])


def test_puzzles_that_the_awk_encoder_refuses():
    puzzle = TILING.read(None, board="2x3", pieces="domino: any")
    assert encoder_in_awk(puzzle, "totalizer", {}) is None
    assert encoder_in_awk(puzzle, "product", {"symmetry": "representatives"}) is None
    assert encoder_in_awk(puzzle, "product", {"symmetry": "all", "regions": False}) is not None
    assert encoder_in_awk(replace(puzzle, groups=(PieceGroup((0,), 1, 2),)), "product", {}) is None


GOOD = canonical(TILING.puzzle_to_json(TILING.read(None, board="1x2", pieces="domino"))).decode()


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
