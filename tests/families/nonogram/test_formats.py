"""Every format reads what it writes, recognizes its files, and names the line of an error."""

from __future__ import annotations

import re

import pytest
from repository import REPOSITORY

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.nonogram import webpbn
from cnfgen_puzzles.families.nonogram.formats import FORMATS, read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

CORNER = Nonogram(((1, 1), (2,)), ((2,), (1,), (1,)))
EXAMPLES = {name: entry.example for name, entry in FORMATS.items()}


def source(text: str | bytes, suffix: str = "", name: str = "p") -> Source:
    return Source(name, text if isinstance(text, bytes) else text.encode(), suffix)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text + "\n\n \n",
        lambda text: text.removesuffix("\n"),
        lambda text: text if text.startswith("<?xml") else "\n" + text,
        lambda text: text if text.startswith("<?xml") else text.replace("\n", "  \n").replace(" 1", "\t1"),
    ],
)
def test_line_ends_marks_and_blank_ends_are_accepted(name, change):
    assert read_puzzle(source(change(FORMATS.write_puzzle(CORNER, name)))) == CORNER


@pytest.mark.parametrize("name", FORMATS)
def test_content_decides_whatever_the_ending(name):
    for suffix in ("", ".nin", ".mk", ".non", ".cwd", ".xml", ".txt"):
        assert read_puzzle(source(FORMATS.write_puzzle(CORNER, name), suffix)) == CORNER
    contradictory = Nonogram(((9, 9), ()), ((1,), (), (3,)))
    again = read_puzzle(source(FORMATS.write_puzzle(contradictory, name)))
    assert again == contradictory and len(again.contradictions()) == 3


def test_an_explicit_format_is_required():
    with pytest.raises(InputError, match="expected 3 row clues before the line '#'"):
        read_puzzle(source(EXAMPLES["nin"], ".nin"), "mk")
    with pytest.raises(InputError, match="did you mean webpbn"):
        read_puzzle(source(EXAMPLES["nin"]), "webpn")
    with pytest.raises(InputError, match="unknown nonogram format 'jpeg'"):
        FORMATS.write_puzzle(CORNER, "jpeg")


# -- empty clues ------------------------------------------------------------------------------------------------------

GAPS = Nonogram(((1,), ()), ((), (1,), ()))


@pytest.mark.parametrize(
    "text",
    [
        "3 2\n1\n0\n0\n1\n0\n",
        "3 2\n1\n\n\n1\n0\n",  # a blank line is an empty clue
        "3 2\n\n1\n0\n\n0\n1\n0\n",  # with every clue written, blank lines are ornament
        "2 3\n1\n0\n#\n0\n1\n0\n",
        "2 3\n1\n\n# columns\n\n1\n0\n",
        "2\n3\n1\n0\n\n0\n1\n0\n",
        "2\n3\n1\n\n\n\n1\n0\n",
        "width 3\nheight 2\nrows\n1\n0\ncolumns\n0\n1\n0\n",
        "width 3\nheight 2\n\nrows\n1\n\ncolumns\n\n1\n\n",
        "width 3\nheight 2\n\nrows\n1\n\n\ncolumns\n\n1\n\n\n\ngoal 010000\n",
        "width 3\nheight 2\n\nrows\n\n1\n\n0\n\ncolumns\n0\n1\n0\n",
        "columns 3\nrows 2\nrows\n1\n0\ncolumns\n0\n1\n0\n",
        "rows 2\n1\n0\ncolumns 3\n0\n1\n0\n",
        "height 2\nwidth 3\ncolumns\n0\n1\n0\nrows\n1\n0\n",
    ],
)
def test_empty_clues(text):
    assert read_puzzle(source(text)) == GAPS


# -- what only some formats have --------------------------------------------------------------------------------------


def test_non_properties_and_goal_on_several_lines():
    text = (
        'catalogue "webpbn.com #1"\ntitle \'Caf&eacute; "A"\' # note\nby J&#248;rn\ncopyright "&copy; 2004"\nmood sunny\n'
        "width 3\nheight 2\nrows\n1 , 1\n2\ncolumns\n2\n1\n1\ngoal\n101\n110\nsaved\n1?1\n???\n"
    )
    puzzle = read_puzzle(source(text))
    assert puzzle.goal == ((True, False, True), (True, True, False))
    assert puzzle.about == {
        "catalogue": "webpbn.com #1",
        "title": 'Café "A"',
        "author": "Jørn",
        "mood": "sunny",
        "copyright": "© 2004",
    }
    assert (puzzle.rows, puzzle.columns) == (CORNER.rows, CORNER.columns)


def xml(inside: str, head: str = "") -> str:
    return f'<?xml version="1.0"?>\n{head}<puzzleset>\n{inside}\n</puzzleset>\n'


ROWS = '<clues type="rows">\n<line><count>1</count><count>1</count></line>\n<line><count>2</count></line>\n</clues>\n'
COLUMNS = '<clues type="columns"><line><count>2</count></line><line><count>1</count></line><line><count>1</count></line></clues>'
DOCTYPE = '<!DOCTYPE pbn SYSTEM "http://webpbn.com/pbn-0.3.dtd">\n'


def test_webpbn_export():
    text = xml(
        '<source>webpbn.com</source>\n<puzzle type="grid" defaultcolor="black">\n<title>A <![CDATA[corner]]></title>\n'
        "<author>Jan</author>\n<authorid>jan</authorid><copyright>&copy; 2004</copyright>\n<id>#1 (v.1)</id>\n"
        '<color name="white" char=".">FFFFFF</color>\n<color name="black" char="X">000000</color>\n<!-- clues -->\n'
        f'{COLUMNS}{ROWS}<solution type="goal"><image>\n|X.X|\n|XX.|\n</image></solution>\n</puzzle>',
        DOCTYPE,
    )
    puzzle = read_puzzle(source(text, ".nin"))
    assert (puzzle.rows, puzzle.columns) == (CORNER.rows, CORNER.columns)
    assert puzzle.goal == ((True, False, True), (True, True, False))
    assert puzzle.about == {
        "title": "A corner",
        "author": "Jan",
        "authorid": "jan",
        "copyright": "© 2004",
        "catalogue": "webpbn.com #1 (v.1)",
    }


def test_webpbn_set_of_several_puzzles():
    text = xml(f"<author>Ada</author><puzzle><title>One</title>{ROWS}{COLUMNS}</puzzle><puzzle>{COLUMNS}{ROWS}</puzzle>")
    with pytest.raises(InputError, match=r"found 2 puzzles, expected one: choose it with --number \(1 'One', 2 'untitled'\)"):
        read_puzzle(source(text))
    assert read_puzzle(source(text), number=1).about == {"title": "One", "author": "Ada"}
    assert read_puzzle(source(text), number=2).about == {"author": "Ada"}
    assert len(webpbn.read_set(text, "p")) == 2
    with pytest.raises(InputError, match="found 2 puzzles, expected at least 3"):
        read_puzzle(source(text), number=3)
    assert read_puzzle(source(EXAMPLES["nin"]), number=1) == CORNER
    broken = text.replace("</puzzleset>", f"<puzzle>{ROWS}</puzzle></puzzleset>")
    assert read_puzzle(source(broken), number=2) == read_puzzle(source(text), number=2)
    with pytest.raises(InputError, match="without the clues of its columns"):
        read_puzzle(source(broken), number=3)


# -- what is wrong, and where -----------------------------------------------------------------------------------------

NON = "width 3\nheight 2\nrows\n1,1\n2\ncolumns\n2\n1\n1\n"
GRID = f"<puzzle>{COLUMNS}{ROWS}</puzzle>"
BOMB = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n'
THEFT = '<!DOCTYPE p [\n<!ENTITY f SYSTEM "file:///etc/hostname">]>\n'

WRONG = [
    # suffix, text, line, part of the message
    ("", "", 1, "found an empty file"),
    (".nin", " \n\n", 1, "found an empty file"),
    (".xml", "", 1, "found an empty file"),
    ("", "Hello there,\nthis is a letter.\n", 1, "found no known file format, expected a nonogram"),
    (".nin", "Hello\n", 1, "expected the width and the height"),
    (".nin", "3\n", 1, "found '3', expected the width and the height"),
    (".nin", "3 2 1\n1\n", 1, "found '3 2 1'"),
    (".nin", "-3 2\n", 1, "found '-3', expected a whole number for the width"),
    (".nin", "0 2\n", 1, "found '0' for the width, expected at least 1"),
    (".nin", "10001 2\n", 1, "found '10001' for the width, expected at most 10000"),
    (".nin", "1" + "0" * 5000 + " 2\n", 1, "(5001 characters) for the width"),
    ("", "3 2\n1 1\n2\n2\n-1\n1\n", 5, "found '-1', expected a whole number for a clue of column 2"),
    ("", "3 2\n1 1\n2\n2\n1\n1000000\n", 6, "expected at most 10000"),
    ("", "3 2\n1 x\n2\n2\n1\n1\n", 2, "found 'x', expected a whole number for a clue of row 1"),
    ("", "3 2\n+1\n2\n2\n1\n1\n", 2, "found '+1', expected a whole number"),
    ("", "3 2\n\u0663\n2\n2\n1\n1\n", 2, "expected a whole number for a clue of row 1"),
    ("", "3 2\n1,1\n2\n2\n1\n1\n", 2, "found '1,1'"),
    ("", "3 2\n0 3\n2\n2\n1\n1\n", 2, "found a 0 inside the clue '0 3' of row 1"),
    ("", "3 2\n1 1\n2\n2\n1\n", 5, "found 4 lines of clues, expected 2 row and 3 column clues"),
    ("", "3 2\n", 1, "found 0 lines of clues"),
    ("", "3 2\n1 1\n2\n2\n1\n1\n7\n", 7, "this one is too many"),
    ("", "3 2\n1 1\n2\n2\n1\n1\n\nthe end\n", 8, "this one is too many"),
    (".mk", "2 3\n1 1\n2\n2\n1\n1\n#\n", 4, "found 5 lines of clues, expected 2 row clues before the line '#'"),
    ("", "2 3\n1 1\n2\n#\n2\n1\n", 6, "found 2 lines of clues, expected 3 column clues after the line '#'"),
    (
        "",
        "2 3\n1 1\n2\n#\n2\n1\n1\n#\n",
        8,
        "expected 3 column clues after the line '#' (an empty clue is written 0): this one is too many",
    ),
    ("", "3 2\n1 1\n2\n#\n2\n1\n1\n", 3, "found 2 lines of clues, expected 3 row clues"),
    (".mk", "2 b\n1 1\n", 1, "found 'b', expected a whole number for the width"),
    ("", "2\n3\n1 1\n2\n2\n1\n1\n", 5, "found '2', expected a blank line after the 2 row clues"),
    ("", "3\n2\n1 1\n2\n\n2\n1\n1\n", 6, "found '2', expected a blank line"),
    ("", "2\n3\n1 1\n", 3, "found 1 line of clues, expected 2 row clues before the blank line"),
    ("", "2\n3\n1 1\n2\n\n\n", 4, "found 0 lines of clues, expected 3 column clues after the blank line"),
    (
        "",
        "2\n3\n1 1\n2\n\n2\n1\n1\n\n4\n",
        10,
        "expected 3 column clues after the blank line (an empty clue is written 0): this one is too many",
    ),
    (".cwd", "two\n", 1, "found 'two', expected a whole number for the height"),
    (".cwd", "2\n", 1, "found the end of the file, expected the width"),
    (".cwd", "2\n\n3\n", 2, "found no number, expected the width"),
    ("", NON.replace("width 3", "width three"), 1, "found 'three', expected a whole number for the width"),
    ("", NON.replace("width 3", "width"), 1, "found '' after 'width', expected one number"),
    ("", NON.replace("height 2\n", ""), 2, "found 'rows', expected 'height' before it"),
    ("", NON.replace("2\ncolumns", "columns"), 4, "found 1 line of clues, expected 2 clues after 'rows'"),
    ("", NON.replace("1,1", "1,,1"), 4, "expected numbers with one separator between them"),
    ("", NON.replace("1,1", "1,-1"), 4, "found '-1', expected"),
    ("", NON.replace("1,1", "x,1"), 3, "found 0 lines of clues, expected 2 clues after 'rows'"),
    ("", "3 2\n1a 1\n2\n2\n1\n1\n", 2, "(a color? this format only has black and white puzzles)"),
    ("", NON + "1\n", 10, "found 4 lines of clues, expected 3 clues after 'columns'"),
    ("", NON + "rows\n1,1\n2\n", 10, "found 'rows' again (first on line 3)"),
    ("", NON + "width 3\n", 10, "found 'width' again (first on line 1)"),
    ("", NON + "title a\ntitle b\n", 11, "found 'title' again (first on line 10)"),
    ("", "width 3\nheight 2\n7\n", 3, "found '7', expected a keyword"),
    ("", NON + "goal 10111\n", 10, "found 5 cells in the goal, expected 3 x 2 = 6"),
    ("", NON + "goal 10a110\n", 10, "found 'a' in the goal"),
    ("", "width 3\nheight 2\nrows\n1,1\n2\n", 5, "expected a line 'columns'"),
    ("", "<puzzleset>\n<puzzle>\n</puzzleset>", 3, "not well-formed (mismatched tag)"),
    (".xml", xml(GRID) + "<more/>", 9, "not well-formed"),
    ("", "<svg></svg>", 1, "found a picture, expected a nonogram"),
    ("", xml(""), 2, "found no <puzzle>"),
    ("", xml("<puzzle/>"), 3, "found a puzzle without the clues of its rows"),
    ("", xml(f"<puzzle>{ROWS}</puzzle>"), 3, "found a puzzle without the clues of its columns"),
    ("", xml(f"<puzzle>{ROWS}{COLUMNS}\n{ROWS}</puzzle>"), 8, "found the clues of the rows again"),
    (".xml", xml('<puzzle type="triddler"></puzzle>'), 3, "found a triddler, expected one of type 'grid'"),
    ("", xml('<puzzle>\n<clues type="top"></clues></puzzle>'), 4, "found clues of type 'top'"),
    ("", xml('<puzzle>\n<clues type="rows"></clues></puzzle>'), 4, "found 0 clues of rows"),
    ("", xml(GRID.replace(">2<", ">-2<", 1)), 3, "found '-2', expected a whole number"),
    ("", xml(GRID.replace(">2<", ">\u0662<", 1)), 3, "expected a whole number for a clue of column 1"),
    ("", xml(GRID.replace("<count>1</count><count>1", "<count>0</count><count>1")), 4, "found a 0 inside the clue"),
    ("", xml(GRID.replace("</count></line>\n</clues>", "</count>, 1</line>\n</clues>")), 5, "found the text ', 1'"),
    ("", xml(GRID.replace("<line>", "<row>", 1).replace("</line>", "</row>", 1)), 3, "found <row> in <clues>"),
    ("", xml(GRID.replace("<puzzle>", '<puzzle><color name="red">12</color>')), 3, "found the color '12', expected six"),
    ("", xml(GRID.replace("<puzzle>", '<puzzle><color name="a"/><color name="a"/>')), 3, "found the color 'a' again"),
    (
        "",
        xml(GRID.replace("<puzzle>", '<puzzle><color name="c" char="a"/><color name="b" char="a"/>')),
        3,
        "the character 'a' again",
    ),
    ("", xml(GRID.replace("<count>", '<count color="white">', 1)), 3, "found a clue in the background color"),
    ("", xml(f"<puzzle>{ROWS}{COLUMNS}<solution/></puzzle>"), 7, "found no <image> in <solution>"),
    ("", xml(f"<puzzle>{ROWS}{COLUMNS}<solution><image>|X.X|</image></solution></puzzle>"), 3, "a goal of 3 x 1 cells"),
    ("", xml("<puzzle><solution><image>|X.X||X|</image></solution></puzzle>"), 3, "rows of different length"),
    ("", xml(GRID, BOMB), 2, "found a declaration of the entity 'a'"),
    ("", xml(GRID.replace(">2<", ">&f;<", 1), THEFT), 3, "found a declaration of the entity 'f'"),
    ("", xml(GRID.replace(">2<", ">&f;<", 1)), 3, "not well-formed (undefined entity)"),
    (".nin", b"3 2\n1 1\n2\n\xff\n1\n1\n", 4, "found byte 0xff"),
    ("", "3 2\n1 1\n2\n".encode("utf-16"), 1, "found a NUL byte"),
]


@pytest.mark.parametrize(("suffix", "text", "line", "message"), WRONG)
def test_errors_name_the_line(suffix, text, line, message):
    with pytest.raises(InputError) as caught:
        read_puzzle(source(text, suffix))
    assert message in caught.value.message
    assert caught.value.line == line
    assert str(caught.value).startswith(f"p:{line}: found ")
    assert len(str(caught.value)) < 300


# -- the documentation ------------------------------------------------------------------------------------------------

PAGE = REPOSITORY / "docs/reference/formats.md"


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "pzprv3"])
def test_example_in_the_documentation(name):
    """The page shows one puzzle in all formats, each exactly as it is written, but for `pzprv3`, whose lines end with blanks."""
    fence = {"webpbn": "xml"}.get(name, name)
    text = re.search(rf"```{fence}\n(.*?)```\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    puzzle = read_puzzle(source(text), name)
    assert (puzzle.rows, puzzle.columns) == (((1,), (2,), (5,), (2,), (1,)), ((1,), (3,), (5,), (1,), (1,)))
    assert FORMATS.write_puzzle(puzzle, name).strip() == text.strip()
