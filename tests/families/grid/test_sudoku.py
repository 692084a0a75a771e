"""Sudoku: the published number of boards of 4 x 4 cells (OEIS A107739), and boxes by the size of the board."""

import pytest

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.families.links.pzpr import NONE

GENRE = find_family("sudoku")


def test_there_are_288_boards_of_4_by_4():
    assert cp.count(GENRE.puzzle(4, 4, numbers=((NONE,) * 4,) * 4)).solutions == 288


@pytest.mark.parametrize(("side", "height", "width"), [(4, 2, 2), (6, 2, 3), (9, 3, 3), (16, 4, 4), (25, 5, 5)])
def test_boards_are_full_of_boxes(side, height, width):
    puzzle = GENRE.puzzle(side, side, numbers=((NONE,) * side,) * side)
    assert GENRE.boxes(puzzle) == (height, width)
    rows = tuple(tuple((r % height * width + r // height + c) % side + 1 for c in range(side)) for r in range(side))
    assert GENRE.check(puzzle, rows) == []
    assert list(GENRE.broken(puzzle, (rows[-1], *rows[1:-1], rows[0]))) == ["bkDupNum"]


CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [CLUES[k : k + 9] for k in range(0, 81, 9)]
DRAWN = [" | ".join((row[:3], row[3:6], row[6:])) for row in ROWS]
FORMS = {
    "a line": CLUES,
    "zeros": CLUES.replace(".", "0"),
    "stars": CLUES.replace(".", "*"),
    "underlines": CLUES.replace(".", "_") + "\n",
    "nine lines": "\n".join(ROWS) + "\n",
    "blanks": "\n".join(" ".join(row) for row in ROWS),
    "boxes": "\n------+-------+------\n".join("\n".join(DRAWN[k : k + 3]) for k in (0, 3, 6)),
    "a remark": f"# from a newspaper\n{CLUES}\n",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("suffix", ["", ".txt", ".sdk", ".url"])
def test_eighty_one_characters_are_a_sudoku(form, suffix):
    source = Source("x", FORMS[form].encode(), suffix)
    assert detect_family(source) is GENRE
    puzzle = GENRE.formats.read_puzzle(source)
    assert puzzle == GENRE.formats.read_puzzle(
        Source("x", b"sudoku/9/9/53h7j6h195j98j6g8i6i34h8g3h17i2i6g6j28j419h5j8h79", ".url")
    )


def test_a_file_has_a_sudoku_on_each_line():
    assert len(GENRE.formats.read_puzzles(Source("x", f"{CLUES}\n{'.' * 81}\n".encode()))) == 2
    assert open_source(CLUES).suffix == ".url", "also as a word of a command"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("sudoku/4/4/0u", "row 1, column 1: found the number 0, expected one from 1 to 4"),
        ("sudoku/4/4/j5q", "row 2, column 1: found the number 5, expected one from 1 to 4"),
        ("fillomino/2/2/h5g", "row 2, column 1: found the number 5, expected one from 1 to 4"),
        ("suguru/2/2/00i9", "found the number 9, expected one from 1 to 4"),
    ],
)
def test_a_number_that_no_cell_can_have_is_an_error_of_the_input(body, told):
    with pytest.raises(InputError, match=told):
        find_family(body.partition("/")[0]).formats.read_puzzle(Source("x", body.encode(), ".url"))


def test_a_number_that_no_cell_can_have_is_refused_in_json():
    with pytest.raises(ValueError, match="found the number 7, expected one from 1 to 2"):
        find_family("fillomino").puzzle_from_json({"height": 1, "width": 2, "numbers": [[-1, 7]], "between": [[-1]]})
