"""The encodings as awk programs for certificates: they write the formulas of the package byte for byte."""

import re
import shutil
import subprocess
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.evidence.certificate import VERIFY_SH, cnf_text, projection_text
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.nonogram.puzzle import BLACK_AND_WHITE, Colour, Nonogram, puzzle_of
from cnfgen_puzzles.families.triddler.puzzle import Hexagon, Triddler
from cnfgen_puzzles.pipeline.certificates.certify import canonical, encoder_text
from cnfgen_puzzles.pipeline.instance import make_instance

AWKS = [each.split() for each in ("mawk", "gawk --posix", "busybox awk", "original-awk") if shutil.which(each.split()[0])] or [
    ["awk"]
]
"""The installed programs."""
ENCODINGS = ("order", "direct", "regular")
PALETTE = (Colour('"paper"', "#ffffff", "."), Colour('{"name": "red"}', "#ff0000", "{"), Colour("blå", "#0000ff", "ß"))


def run(awk, program, text):
    return subprocess.run([*awk, program.decode()], input=text, capture_output=True, timeout=60, check=False)


def check_same(family, puzzle, awks=AWKS):
    puzzle = family.puzzle_from_json(family.puzzle_to_json(puzzle))
    for encoding in ENCODINGS:
        instance = make_instance(family, puzzle, encoding)
        program = encoder_text(family, puzzle, instance.map)
        for awk in awks:
            done = run(awk, program, canonical(family.puzzle_to_json(puzzle)))
            assert (done.stdout, done.returncode) == (cnf_text(instance.cnf), 0), (encoding, awk, done.stderr)
        done = run([*awks[0], "-v", "projection=1"], program, canonical(family.puzzle_to_json(puzzle)))
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


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(HEXAGONS), st.integers(1, 3), st.integers(0, 99))
def test_any_triddler(sides, colours, seed):
    """All hexagons of some sizes, also rhombuses, trapeziums, and triangles."""
    family = find_family("triddler")
    puzzle = family.generate("random", seed, sides="-".join(map(str, sides)), colours=colours)
    check_same(family, puzzle)
    check_same(family, Triddler(puzzle.sides, tuple(lines[::-1] for lines in puzzle.clues)), AWKS[:1])  # may not fit


@pytest.mark.parametrize("family", ["nonogram", "triddler"])
def test_small_puzzles(family):
    family = find_family(family)
    for puzzle in family.small_puzzles()[::6]:
        check_same(family, puzzle)


def test_a_larger_puzzle():
    family = find_family("nonogram")
    check_same(family, family.generate("blobs", 3, size="20x15", colours=3))


def texts():
    for name in ("nonogram", "triddler"):
        family = find_family(name)
        for encoding in ENCODINGS:
            yield family.encoder_in_awk(family.small_puzzles()[0], encoding, {})


def test_the_texts_are_the_same_for_all_puzzles_and_short():
    family, programs = find_family("nonogram"), list(texts())
    assert [family.encoder_in_awk(family.generate("blobs", 1, size=9), encoding, {}) for encoding in ENCODINGS] == programs[:3]
    forbidden = re.search("FORBIDDEN='(.*)'", VERIFY_SH.read_text())[1]
    for program in programs:
        assert program.isascii() and program.count("\n") < 180 and max(map(len, program.splitlines())) < 130
        assert subprocess.run(["grep", "-E", forbidden], input=program, text=True, check=False).returncode == 1


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
        (' "columns"', '"columns"'),
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
    program = family.encoder_in_awk(puzzle, "order", {}).encode()
    assert run(awk, program, text.encode()).returncode == 0
    assert run(awk, program, text.replace(old, new, 1).encode()).returncode == 1


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
def test_a_plain_file_is_compared_with_the_puzzle(tmp_path, awk, text, code):
    family, puzzle = find_family("nonogram"), Nonogram(((2,),), ((1,), (1,)))
    (tmp_path / "x.nin").write_text(text, newline="")
    (tmp_path / "puzzle.json").write_bytes(canonical(family.puzzle_to_json(puzzle)))
    (tmp_path / "encode.awk").write_text(family.encoder_in_awk(puzzle, "order", {}))
    call = [*awk, "-v", "given=x.nin", "-f", "encode.awk", "x.nin", "puzzle.json"]
    assert subprocess.run(call, cwd=tmp_path, timeout=60, check=False).returncode == code
