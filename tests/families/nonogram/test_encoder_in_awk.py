"""The encodings as awk programs for certificates: they write the formulas of the package byte for byte."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inawk import AWKS, run
from smallpuzzles import small_puzzles

from cnfgen_puzzles.evidence.certificate import cnf_text, projection_text
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.clued.puzzle import BLACK_AND_WHITE, Color
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, puzzle_of
from cnfgen_puzzles.families.triddler.puzzle import Hexagon, Triddler
from cnfgen_puzzles.pipeline.certificates.certify import canonical
from cnfgen_puzzles.pipeline.instance import make_instance

ENCODINGS = ("order", "direct", "regular")
PALETTE = (Color('"paper"', "#ffffff", "."), Color('{"name": "red"}', "#ff0000", "{"), Color("blå", "#0000ff", "ß"))


def check_same(family, puzzle, awks=AWKS):
    puzzle = family.puzzle_from_json(family.puzzle_to_json(puzzle))
    text = canonical(family.puzzle_to_json(puzzle))
    for encoding in ENCODINGS:
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
    check_same(family, Triddler(puzzle.sides, tuple(lines[::-1] for lines in puzzle.clues)), AWKS[:1])  # may not fit


@pytest.mark.parametrize("family", ["nonogram", "triddler"])
def test_small_puzzles(family):
    family = find_family(family)
    for puzzle in small_puzzles(family)[::6]:
        check_same(family, puzzle)


def test_a_larger_puzzle():
    family = find_family("nonogram")
    check_same(family, family.generate("blobs", 3, size="20x15", colors=3))


def test_only_the_published_encoding_at_most_one():
    family, puzzle = find_family("nonogram"), Nonogram(((1,),), ((1,),))
    assert family.encoder_in_awk(puzzle, "direct", {"amo": "pairwise"}) == family.encoder_in_awk(puzzle, "direct", {})
    assert family.encoder_in_awk(puzzle, "direct", {"amo": "product"}) is None


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
