"""Sudoku: the published number of boards of 4 x 4 cells (OEIS A107739), the sizes of boxes, and variants by brute force."""

import json
from dataclasses import replace
from itertools import permutations, product
from random import Random

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


# -- further rules ----------------------------------------------------------------------------------------------------------

LATIN = [
    rows
    for rows in product(permutations(range(1, 5)), repeat=4)
    if all(len(set(column)) == 4 for column in zip(*rows, strict=True))
]
"""The 576 Latin squares of side 4."""
SQUARES = ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 2, 3, 3))
PIECES = ((0, 0, 1, 1), (0, 2, 1, 3), (0, 2, 1, 3), (2, 2, 3, 3))
WINDOW = ((1, 1), (1, 2), (2, 1), (2, 2))


def obeys(board, rooms, name, value, cells):
    """Whether a Latin square obeys a rule."""
    found = [board[r][c] for r, c in cells]
    return {
        "boxes": lambda: all(
            len({board[r][c] for r, c in product(range(4), repeat=2) if rooms[r][c] == k}) == 4 for k in range(4)
        ),
        "diagonals": lambda: len({board[k][k] for k in range(4)}) == len({board[k][3 - k] for k in range(4)}) == 4,
        "windows": lambda: len({board[r][c] for r, c in WINDOW}) == 4,
        "different": lambda: len(set(found)) == len(found),
        "cage": lambda: len(set(found)) == len(found) and sum(found) == value,
        "arrow": lambda: found[0] == sum(found[1:]),
        "greater": lambda: found[0] > found[1],
        "odd": lambda: all(number % 2 for number in found),
        "even": lambda: not any(number % 2 for number in found),
    }[name]()


def random_rule(chance):
    name, every = chance.choice(("diagonals", "windows", "different", "cage", "arrow", "greater", "odd", "even")), CELLS
    if name in ("diagonals", "windows"):
        return name, 0, ()
    if name == "greater":
        r, c = chance.choice(every)
        return name, 0, ((r, c), chance.choice([(k, m) for k, m in every if abs(k - r) + abs(m - c) == 1]))
    cells = tuple(chance.sample(every, chance.randint(1 if name in ("odd", "even") else 2, 2 if name in ("odd", "even") else 3)))
    return name, chance.randint(3, 8) if name == "cage" else 0, cells


CELLS = list(product(range(4), repeat=2))


@pytest.mark.parametrize("seed", range(40))
def test_boards_with_further_rules_are_the_latin_squares_that_obey_them(seed):
    chance = Random(seed)
    rooms, sets = chance.choice(((), PIECES)), tuple(random_rule(chance) for _ in range(chance.randint(1, 3)))
    puzzle = GENRE.puzzle(4, 4, numbers=((NONE,) * 4,) * 4, rooms=rooms, sets=sets)
    rules = [("boxes", 0, ()), *sets]
    expected = {board for board in LATIN if all(obeys(board, rooms or SQUARES, *rule) for rule in rules)}
    assert {board for board in LATIN if GENRE.check(puzzle, board) == []} == expected
    assert {each.board for each in cp.solutions(puzzle)} == expected
    assert GENRE.formats.read_puzzle(Source("x", GENRE.write(puzzle, "text").encode(), ".txt")) == puzzle
    assert GENRE.puzzle_from_json(json.loads(json.dumps(GENRE.puzzle_to_json(puzzle)))) == puzzle


def read_game(address):
    return GENRE.formats.read_puzzle(open_source(address))


def walls(rooms):
    """The walls inside rows, then those inside columns, as Solo writes them: letters for gaps, and one wall more."""
    edges = [rooms[r][c] != rooms[r][c + 1] for r in range(4) for c in range(3)]
    edges += [rooms[r][c] != rooms[r + 1][c] for c in range(4) for r in range(3)]
    runs = "".join("#" if edge else "." for edge in [*edges, True]).split("#")[:-1]
    return "".join("_abcdefghijklmnopqrstuvwxy"[len(run)] for run in runs)


def test_games_of_solo_have_boxes_diagonals_and_cages():
    blank, diagonals = ((NONE,) * 4,) * 4, (("diagonals", 0, ()),)
    assert read_game(f"solo:4jxdb:p,{walls(PIECES)}") == GENRE.puzzle(4, 4, numbers=blank, rooms=PIECES, sets=diagonals)
    assert read_game("solo:2x2x:p") == GENRE.puzzle(4, 4, numbers=blank, sets=diagonals)
    assert read_game("solo:2x3:zj").rooms == () and read_game("solo:3x2:zj").rooms[3] == (3, 3, 4, 4, 5, 5)
    cages = ((0, 0, 1, 1), (2, 3, 3, 4), (2, 5, 6, 4), (7, 5, 6, 6))
    puzzle = read_game(f"solo:2x2k:p,{walls(cages)},4a5a6_7a4a3_8a2c")
    assert puzzle.sets[0] == ("cage", 4, ((0, 0), (0, 1))) and len(puzzle.sets) == 8
    assert puzzle.sets[-1] == ("cage", 2, ((3, 0),))
    assert [each[1] for each in puzzle.sets] == [4, 5, 6, 7, 4, 3, 8, 2]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sudoku\n", "found no line cells"),
        ("sudoku\ncages\ncells\n.\n", "line 2: found 'cages', expected one of diagonals"),
        ("sudoku\ncage 3 a1\ncells\n.\n", "line 2: found 'cage a1', expected one of diagonals"),
        ("sudoku\ncells\n..\n.\n", "line 2: found no rectangle of signs after cells"),
        ("sudoku\ncage 3 r1c9\ncells\n.\n", "found the rule 'cage' with the number 3 and 1 cells"),
        ("sudoku\ngreater r1c1 r2c2\ncells\n..\n..\n", "expected two neighboring cells"),
        ("sudoku\nwindows\ncells\n..\n..\n", "expected a square board whose side is a square number"),
        ("sudoku\nboxes\naa\nab\ncells\n..\n..\n", "found boxes of other sizes, expected 2 cells in each"),
        ("sudoku\nboxes\naabb\naabb\ncells\n....\n....\n....\n....\n", "found rows of \\[4, 4\\] rooms, expected"),
        ("sudoku\ncells\n?\n", "found '\\?' in a cell"),
    ],
)
def test_errors_in_files_of_text(text, told):
    with pytest.raises(InputError, match=told):
        GENRE.formats.read_puzzle(Source("x", text.encode(), ".txt"), "text")


def test_addresses_and_files_of_pzpr_cannot_have_further_rules():
    puzzle = GENRE.puzzle(4, 4, numbers=((NONE,) * 4,) * 4, sets=(("diagonals", 0, ()),))
    for format in ("url", "pzprv3"):
        with pytest.raises(InputError, match="found rules of a variant, which only files of text can have"):
            GENRE.write(puzzle, format)


def test_each_rule_has_a_code_and_a_mark_in_pictures():
    sets = (
        ("different", 0, ((0, 0), (3, 3))), ("cage", 4, ((0, 1), (0, 2))), ("arrow", 0, ((1, 1), (2, 2))),
        ("greater", 0, ((2, 0), (3, 0))), ("odd", 0, ((3, 1),)), ("even", 0, ((2, 1),)),
    )  # fmt: skip
    puzzle = GENRE.puzzle(4, 4, numbers=((NONE,) * 4,) * 4, sets=sets)
    board = ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))
    assert list(GENRE.broken(puzzle, board)) == ["setDupNum", "cageSumNe", "nmNotGreater", "nmParityNe"]
    assert "arrowSumNe" in GENRE.broken(puzzle, (board[0], (3, 1, 4, 2), *board[2:]))
    plain = GENRE.views["svg"].draw(replace(puzzle, sets=()), board)
    drawn = {
        GENRE.views["svg"].draw(replace(puzzle, sets=(each,)), board)
        for each in (*sets, ("diagonals", 0, ()), ("windows", 0, ()))
    }
    assert len(drawn | {plain}) == 9
