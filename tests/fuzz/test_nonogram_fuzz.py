"""Whatever bytes come in, reading a nonogram ends in a puzzle within the limits or in one InputError."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.nonogram.formats import FORMATS, read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.sources import Source

SUFFIXES = ["", ".nin", ".non", ".mk", ".cwd", ".xml", ".png"]
PICTURE = tuple(tuple(cell == "#" for cell in row) for row in ("#.##.", ".....", "##..#", "#.#.#"))
FILES = {name: FORMATS.write_puzzle(clues_of(PICTURE), name).encode() for name in FORMATS}
PIECES = [
    *(b"\n", b" ", b",", b"0", b"-1", b"+2", b"1.5", b"1_0", b"99999999999", b"#", b'"', b"rows\n", b"columns 3\n"),
    *(b"goal 0101\n", b"width", b"<line>", b"</line>", b"<count>", b"&copy;", b"<![CDATA[", b"<!DOCTYPE a [", b"]>"),
    *(b'<!ENTITY a "b">', b"|", b"\xff", b"\0", "\u0663".encode(), "\u2028".encode(), b"\r", b"\x1c", b"\x85"),
]


def outcome(data: bytes, suffix: str, format: str | None) -> Nonogram | None:
    """The puzzle, or None for an InputError; nothing else may happen."""
    try:
        return read_puzzle(Source("fuzz", data, suffix), format)
    except InputError as error:
        assert error.source == "fuzz"
        assert error.line is None or 1 <= error.line <= max(data.count(b"\n") + data.count(b"\r"), 0) + 1
        assert "\n" not in str(error) and len(str(error)) < 400
        return None


def check(puzzle: Nonogram | None) -> None:
    """A puzzle that was read is within the limits, and every format can carry it."""
    if puzzle is None:
        return
    assert 1 <= puzzle.width <= MOST_SIDE and 1 <= puzzle.height <= MOST_SIDE
    assert all(0 < block <= MOST_SIDE for clue in puzzle.rows + puzzle.columns for block in clue)
    puzzle.contradictions()
    for name in FORMATS:
        again = read_puzzle(Source("again", FORMATS.write_puzzle(puzzle, name).encode()), name)
        assert (again.rows, again.columns) == (puzzle.rows, puzzle.columns)


formats = st.none() | st.sampled_from(list(FORMATS))


@given(st.binary(max_size=300), st.sampled_from(SUFFIXES), formats)
def test_arbitrary_bytes(data, suffix, format):
    check(outcome(data, suffix, format))


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join), st.sampled_from(SUFFIXES), formats)
def test_arbitrary_pieces(data, suffix, format):
    check(outcome(data, suffix, format))


@settings(max_examples=300)
@given(st.sampled_from(list(FILES)), st.data())
@pytest.mark.parametrize("explicit", [False, True])
def test_mutated_files(explicit, name, data):
    """Bytes cut out, put in, doubled or exchanged at a few places of a good file."""
    content = FILES[name]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        stop = min(len(content), start + data.draw(st.integers(0, 8)))
        piece = data.draw(st.sampled_from([b"", content[start:stop] * 2, *PIECES]) | st.binary(max_size=3))
        content = content[:start] + piece + content[stop:]
    check(outcome(content, f".{name}", name if explicit else None))
