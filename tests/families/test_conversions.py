"""Conversions report what they omit: puzzles are written in each format, read again, and compared field by field."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import INSTANCES

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.families.tiling.puzzle import Tiling

NASTY = [
    'a "b" c',
    "it's",
    "a\nb",
    "\\n\\",
    "\x1b[31m",
    "\0",
    " lead",
    "trail ",
    "",
    "café",
    "\u2028",
    "\ufffe",
    "\ud800",
    "null",
    "#1",
]
TEXTS = st.sampled_from(NASTY) | st.text(max_size=8)
ABOUT = st.dictionaries(st.sampled_from(["title", "author", "copyright", "catalogue", "description", "mood", "ä"]), TEXTS)
PICTURES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width).map(tuple), min_size=1, max_size=4).map(tuple)
)


@settings(max_examples=100, deadline=None)
@given(PICTURES, ABOUT, st.booleans())
def test_nonograms(picture, about, with_goal):
    family, drawn = find_family("nonogram"), clues_of(picture)
    puzzle = Nonogram(drawn.rows, drawn.columns, about, picture if with_goal else None)
    for name in family.formats:
        text = family.write(puzzle, name)
        assert [entry.name for entry in family.formats.values() if entry.recognise(text)] == [name]
        again = family.read(Source("again", text.encode()), format=name)
        assert (again.rows, again.columns) == (puzzle.rows, puzzle.columns)
        changed = {key for key in {**about, **again.about} if about.get(key) != again.about.get(key)}
        changed |= {"goal"} if again.goal != puzzle.goal else set()
        assert set(family.formats.lost(puzzle, name, text)) == changed


@pytest.mark.parametrize("path", sorted((INSTANCES / "tiling").glob("*.yaml"))[::4], ids=lambda path: path.stem)
def test_tilings(path):
    family = find_family("tiling")
    plain = family.read(open_source(path))
    for number, text in enumerate(NASTY):
        title = {"title": text, "author": NASTY[number - 1]}
        puzzle = Tiling(**{**{key: getattr(plain, key) for key in plain.__dataclass_fields__}, "about": {**plain.about, **title}})
        written = family.write(puzzle, "yaml")
        again, told = family.read(Source("again", written.encode())), family.formats.lost(puzzle, "yaml", written)
        assert told == ([key for key in title if "\ud800" in title[key]])
        assert (again.board, again.pieces, again.lattice) == (plain.board, plain.pieces, plain.lattice)
    try:
        written = family.write(puzzle, "burrtools")
    except InputError:
        return
    again, told = family.read(Source("again", written.encode())), set(family.formats.lost(puzzle, "burrtools", written))
    assert {key for key in puzzle.about if puzzle.about[key] != again.about.get(key)} <= told
    assert ("the lattice" in told) == (puzzle.lattice is not again.lattice)
    assert ("names of pieces" in told) == ([p.name for p in puzzle.pieces] != [p.name for p in again.pieces])
    assert ("numbers of pieces" in told) == (
        [(p.least, p.most) for p in puzzle.pieces] != [(p.least, p.most) for p in again.pieces]
    )


def test_formats_that_are_only_written():
    maze = find_family("maze")
    puzzle = maze.read(None, kind="thin", size="2x2", pattern="NE**")
    assert maze.formats.lost(puzzle, "mazes", maze.write(puzzle, "mazes")) == ["the pattern"]


BODY = "width 1\nheight 1\nrows\n1\ncolumns\n1\n"


@pytest.mark.parametrize(
    "line, title",
    [
        ('title "The "Cat""', 'The "Cat"'),
        ('title ""Cat" and "Dog""', '"Cat" and "Dog"'),
        ("title 'it's'", "it's"),
        ('title ""', ""),
        ('title "AT&T &notes &eacute;"', "AT&T &notes é"),
    ],
)
def test_titles_survive_conversions(line, title):
    assert find_family("nonogram").read(Source("p", f"{line}\n{BODY}".encode())).about == {"title": title}


def test_latin1_is_read_with_a_warning_that_names_the_line():
    text = f'width 1\ntitle "Café"\nby "Jørn\x92s"\n{BODY[8:]}'
    with pytest.warns(match=r"^p:2: this line is not UTF-8: the file is read as Latin-1$"):
        puzzle = find_family("nonogram").read(Source("p", text.encode("latin-1")))
    assert puzzle.about == {"title": "Café", "author": "Jørn’s"}
    for other in (b"2 2\n1\xe9\n", b"caf\xe9\n", b'title "a\0b\xe9"\n' + BODY.encode()):
        with pytest.raises(InputError):
            find_family("nonogram").read(Source("p", other))
