"""Half-filled grids: known cells in formulas, rules, files, options and views."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inawk import AWKS, run
from nonogramnaive import puzzle_of

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families.clued.encodings import ENCODINGS
from cnfgen_puzzles.families.clued.halffilled import known_value
from cnfgen_puzzles.families.fileformats import facts_of
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.formats import FORMATS
from cnfgen_puzzles.families.nonogram.knowncells import with_known
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.pipeline.certificates.certify import canonical
from cnfgen_puzzles.pipeline.instance import make_instance

CORNER = Nonogram(((1, 1), (2,)), ((2,), (1,), (1,)))
SWITCH = Nonogram(((1,), (1,)), ((1,), (1,)))


@st.composite
def half_filled(draw):
    """The clues of a picture in black or in two colors, with some known cells, most of them as in the picture."""
    inks, height, width = draw(st.integers(1, 2)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    board = [[draw(st.integers(0, inks)) for _ in range(width)] for _ in range(height)]
    known = [[draw(st.sampled_from([None, None, cell, cell, inks - cell])) for cell in row] for row in board]
    return puzzle_of(board, tuple(map(tuple, known)), inks)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_known_cells_are_units_and_nothing_else_changes(encoding):
    """Known cells add unit clauses at the beginning of the formula and change nothing else."""
    plain = FAMILY.encode(CORNER, encoding)
    unknown = Nonogram(CORNER.rows, CORNER.columns, known=((None,) * 3,) * 2)
    assert unknown == CORNER and unknown.known == ()
    assert make_instance(FAMILY, unknown, encoding).map.to_json() == make_instance(FAMILY, CORNER, encoding).map.to_json()
    known = Nonogram(CORNER.rows, CORNER.columns, known=((True, None, None), (None, None, False)))
    assert known.known == ((1, None, None), (None, None, 0))
    assert list(FAMILY.encode(known, encoding).clauses()) == [[1], [-6], *plain.clauses()]


@pytest.mark.parametrize("inks", [1, 2])
def test_awk_programs_check_known_cells(inks):
    board = ((0, 1), (1, 0))

    def awk(known):
        puzzle = puzzle_of(board, known, inks)
        program, drawn = FAMILY.rules_in_awk(puzzle, board)
        return run(AWKS[0], program, canonical(FAMILY.puzzle_to_json(puzzle)), drawn)

    assert awk(((None, 1), (None, None))).returncode == 0 == awk(()).returncode
    other = awk(((None, None), (0, None)))
    assert other.returncode == 1 and b"row 2, column 1 is known to have another color" in other.stdout


def test_contradictions_found_by_counting():
    assert Nonogram(CORNER.rows, CORNER.columns, known=((1, 1, None), (None,) * 3)).contradictions() == []  # it takes more
    grid = ((None, 0, 0), (None, None, None))
    assert Nonogram(CORNER.rows, CORNER.columns, known=grid).contradictions() == [
        "row 1: 2 known white cells, the clue has room for 1"
    ]


# -- files ---------------------------------------------------------------------------------------------------------------


def read(text: str, format: str | None = None, **options):
    return FAMILY.read(Source("p", text.encode()), format=format, **options)


@given(puzzle=half_filled(), number=st.integers(0, 2))
def test_saved_grids_make_the_round_trip(puzzle, number):
    """Known cells are written as the saved grid and read again; without known cells, earlier saved grids are."""
    shown = replace(puzzle, known=(), saved=(puzzle.known,) * number if puzzle.known else ())
    for name in ("non", "webpbn"):
        text = FORMATS.write_puzzle(puzzle, name)
        again = read(text)
        assert again.known == () and again.saved == ((puzzle.known,) if puzzle.known else ())
        assert not puzzle.known or read(text, known="saved").known == puzzle.known
        assert "known cells" not in FORMATS.lost(puzzle, name, text)
        assert read(FORMATS.write_puzzle(shown, name)).saved == shown.saved
    if puzzle.inks == 1:
        lost = FORMATS.lost(puzzle, "nin", FORMATS.write_puzzle(puzzle, "nin"))
        assert lost == (["known cells"] if puzzle.known else [])


NON = 'width 2\nheight 2\nrows\n1\n1\ncolumns\n1\n1\ngoal "1001"\nsaved "1???"\nsaved\n 0?\n ?0\n'
XML = """<puzzleset><puzzle><color name="white" char=".">fff</color><color name="black" char="X">000</color>
<clues type="columns"><line><count>1</count></line><line><count>1</count></line></clues>
<clues type="rows"><line><count>1</count></line><line><count>1</count></line></clues>
<solution type="goal"><image>|X.|.X|</image></solution>
<solution type="saved" id="one"><image>|X?|
[.X]?|</image></solution>
<solution type="saved"><image>|.?||?.|</image></solution>
</puzzle></puzzleset>
"""


@pytest.mark.parametrize("text", [NON, XML.replace("|X.|.X|", "|X.||.X|").replace("|X?|\n[", "|X?|\n|[")])
def test_saved_and_goal_in_files(text):
    one, two = ((1, None), (None, None)), ((0, None), (None, 0))
    assert read(text).known == () and read(text).saved == (one, two)
    assert read(text, known="saved:1").known == one
    assert read(text, known="saved:2").known == two
    assert read(text, known="goal").known == ((1, 0), (0, 1))
    with pytest.raises(InputError, match=r"^p: found saved for known, expected a grid of the file, which has saved:1, saved:2"):
        read(text, known="saved")
    with pytest.raises(InputError, match=r"^p: found saved:3 for known, expected a grid of the file, which has saved:1, saved:2"):
        read(text, known="saved:3")
    assert facts_of(read(text))["saved"] == (one, two)


@pytest.mark.parametrize(
    "text, line",
    [
        ('width 2\nheight 1\nsaved "1"\nrows\n1\ncolumns\n1\n0\n', 3),
        ('width 2\nheight 1\nsaved "1x"\nrows\n1\ncolumns\n1\n0\n', 3),
        (XML.replace("<image>|X.|.X|</image>", "<image>|X.||.X|</image>"), 5),
    ],
)
def test_an_invalid_saved_grid_is_ignored_with_a_warning(text, line):
    """Saved grids are optional, so an invalid one does not make the puzzle invalid."""
    with pytest.warns(InputWarning, match=rf"^p:{line}: found .* ignored"):
        puzzle = read(text)
    assert len(puzzle.saved) == (1 if "saved>" in text or "puzzleset" in text else 0)


def test_no_saved_grid_and_no_goal():
    text = "2 2\n1\n1\n1\n1\n"
    with pytest.raises(InputError, match=r"^p: found saved for known, expected a grid of the file, which has neither a goal nor"):
        read(text, known="saved")
    with pytest.raises(InputError, match=r"^p: found goal for known, expected a grid of the file, which has neither"):
        read(text, known="goal")


# -- drawings ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def switch(tmp_path):
    (tmp_path / "switch.nin").write_text("2 2\n1\n1\n1\n1\n")
    return tmp_path / "switch.nin"


@pytest.mark.parametrize("text", ["#?\n??\n", "\n # ? \n\n\t??\r\n\n", "X?\n??", "1?\n??\n", "|#?|\n|??|\n"])
def test_a_drawing_beside_any_file(switch, text):
    drawing = switch.with_name("half.txt")
    drawing.write_text(text)
    puzzle = cp.read(switch, family="nonogram", known=drawing)
    assert puzzle.known == ((1, None), (None, None)) == cp.read(switch, family="nonogram", known="|#?|??|").known


@pytest.mark.parametrize(
    "text, told",
    [
        ("#?\n\n?b\n", ":3: found 'b', expected only . # ?"),
        ("#?\n???\n", ":2: found 3 cells, expected 2 as in the puzzle"),
        ("#?\n", ":1: found 1 rows, expected 2 as in the puzzle"),
        ("#?\n??\n??\n", ":3: found 3 rows, expected 2 as in the puzzle"),
        ("#?|??\n", ":1: found '#?|??', expected a row of the grid with one sign per cell"),
        ("", ":1: found an empty file, expected a drawing of a half-filled grid"),
    ],
)
def test_wrong_drawings_name_file_and_line(switch, text, told):
    drawing = switch.with_name("half.txt")
    drawing.write_text(text)
    with pytest.raises(InputError) as error:
        cp.read(switch, family="nonogram", known=str(drawing))
    assert str(error.value) == f"{drawing}{told}"


def test_only_commands_and_read_open_files(switch):
    """Suites, certificates and caches contain the grid; the name of a file is not a value of the option."""
    switch.with_name("half.txt").write_text("#?\n??\n")
    with pytest.raises(
        InputError, match=r"found 'half.txt' for known, expected saved \(or saved:1 of several\), goal, or rows such as"
    ):
        FAMILY.read(Source("p", switch.read_bytes()), known="half.txt")
    with pytest.raises(InputError, match=r"^found 'b', expected only \. # \? \(row 2 of the known cells\)$"):
        cp.read(switch, family="nonogram", known="|#?|?b|")
    with pytest.raises(InputError, match="nothere: no such file"):
        cp.read(switch, family="nonogram", known="nothere")
    for word in ("", " ", "saved:0", "saved:", "Saved", "goal:1"):  # no names of files
        with pytest.raises(
            InputError, match=f"found '{word}' for known, expected saved .*, or the name of a file with such rows"
        ):
            cp.read(switch, family="nonogram", known=word)
    with pytest.raises(InputError, match="found 7 for known"):
        cp.read(switch, family="nonogram", known=7)


def test_commands_have_the_option_known(switch, command):
    """A file, a word, and their errors: one line, exit code 2."""
    switch.with_name("half.txt").write_text("#?\n?b\n")
    wrong = command("gen-cnf", "nonogram", switch, "--known", switch.with_name("half.txt"))
    assert wrong.returncode == 2 and wrong.stderr.count(b"\n") == 1 and b"half.txt:2: found 'b', expected only" in wrong.stderr
    made = command("gen-cnf", "nonogram", switch, "--known", "|#?|??|")
    assert b"2x2 nonogram, 1 of 4 cells known" in made.stdout and b"\n1 0\n" in made.stdout


# -- views ---------------------------------------------------------------------------------------------------------------


def test_puzzle_and_known_cells_cannot_both_be_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"#.\n..\n")))
    known = known_value("-")
    with pytest.raises(InputError, match="found - for the puzzle and for its known cells"):
        FAMILY.read(open_source("-"), known=known)


def test_drawings_of_colored_puzzles_use_color_signs():
    board = ((1, 1, 2), (0, 2, 2))
    puzzle = with_known(puzzle_of(board, inks=2), "|r?b|.??|", "p")
    assert puzzle.known == ((1, None, 2), (0, None, None))
    assert FAMILY.view("plain").draw(puzzle, FAMILY.blank(puzzle), None) == "r?b\n.??\n"
    with pytest.raises(InputError, match=r"found '#', expected only \. r b \?"):
        with_known(puzzle, "|#??|???|", "p")
    found = cp.solve(puzzle_of(board, ((2, None, None), (None, None, 2)), 2)).mus
    assert [[given.words for given in each.givens] for each in found.sets] == [["row 1, column 1 is blue"]]
    assert found.sets[0].givens[0].entry == {"row": 1, "column": 1, "color": "blue"} and found.rest == board


def test_cells_that_contradict_are_marked():
    puzzle = Nonogram(SWITCH.rows, SWITCH.columns, known=((True, True), (None, False)))
    kept = ((1, None), (None, None))
    assert FAMILY.views["plain"].draw(puzzle, FAMILY.blank(puzzle), kept) == "##!\n?.!\n"
    text = FAMILY.views["text"].draw(puzzle, FAMILY.blank(puzzle), kept)
    assert "! contradicts" in text
    assert "#d55e00" in FAMILY.views["svg"].draw(puzzle, FAMILY.blank(puzzle), kept)
    assert "48;5;166m#!" in FAMILY.views["ansi"].draw(puzzle, FAMILY.blank(puzzle), kept)
