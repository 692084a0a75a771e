"""Triddlers: the published examples of their formats, the puzzles of the repository, hexagons, views, generators, errors."""

from __future__ import annotations

import re
from itertools import product

import pytest
from exhaustive.triddlerranges import hexagons, middles, strips
from hypothesis import given, settings
from hypothesis import strategies as st
from nonogramnaive import arrangements

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.clued.puzzle import runs
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.families.triddler.puzzle import Hexagon, Triddler, clues_of, seen

FAMILY = find_family("triddler")

# -- the published format of webpbn: its example, and what it does not say ----------------------------------------------

SETS = {
    "topleft": [[1, 1, 1], [2, 3]], "bottomleft": [[1]], "top": [[3], [2, 1]], "topright": [[3]],
    "bottom": [[1], [2, 1]], "bottomright": [[3], [2]],
}  # fmt: skip
KINDS = (("topleft", "bottomleft"), ("top", "topright"), ("bottom", "bottomright"))


def webpbn(sets, more=""):
    told = "".join(
        f'<clues type="{name}">'
        + "".join(f"<line>{''.join(f'<count>{n}</count>' for n in line)}</line>" for line in lines)
        + "</clues>"
        for name, lines in sets.items()
    )
    return f'<puzzleset><puzzle type="triddler" defaultcolor="black">{told}{more}</puzzle></puzzleset>'


def read(text, suffix=".xml", format=None):
    return FAMILY.read(Source("x", text.encode(), suffix), format=format)


def boards_of(puzzle):
    return [board for board in every_board(puzzle) if not FAMILY.check(puzzle, board)]


def every_board(puzzle):
    """All arrangements of the rows with their clues, row by row."""
    rows = zip(puzzle.hexagon.row_lengths, puzzle.lines(0), strict=True)
    return product(*(arrangements(length, tuple(zip(*clue, strict=True))) for length, clue in rows))


def test_the_example_of_webpbn_reads_lines_from_the_left_and_from_the_top():
    puzzle = read(webpbn(SETS))
    assert puzzle.sides == (2, 1, 2, 2, 1, 2) and puzzle.hexagon.row_lengths == [5, 6, 5]
    assert boards_of(puzzle) == [((1, 0, 1, 0, 1), (1, 1, 0, 1, 1, 1), (0, 0, 1, 0, 0))]
    for turned in product((False, True), repeat=3):
        sets = {
            name: [line[:: -1 if turn else 1] for line in SETS[name]]
            for names, turn in zip(KINDS, turned, strict=True) for name in names
        }  # fmt: skip
        assert bool(boards_of(read(webpbn(sets)))) == (not any(turned))


def test_pictures_of_webpbn_have_the_slopes_of_their_edges():
    image = "<solution><image>/X.X.X\\ /XX.XXX/\n\\..X../</image></solution>"
    both, alone = read(webpbn(SETS, image)), read(webpbn({}, image))
    assert both == read(webpbn(SETS)) == alone and both.goal == alone.goal
    assert FAMILY.check(both, both.goal) == [] and "/X.X.X\\" in FAMILY.write(both, "webpbn")
    for wrong in ("/X.X.X/", "/X.X.X\\/XX.XXX/", "|X|", "X", "/X.X\\/XX.XXX/\\..X../"):
        with pytest.raises(InputError, match=r"no hexagon|the sides"):
            read(webpbn(SETS, f"<solution><image>{wrong}</image></solution>"))


# -- the published format of the Olšáks ---------------------------------------------------------------------------------

NUMBERED = Triddler((2, 0, 2, 2, 0, 2), (((1,), (2,)), ((3,), (1, 1)), ((1, 2), (4,), (5,), (6,))))
GROUPS = "#triddler\n: A\n1\n2\n: B\n: C\n2 1\n4\n: D\n5\n6\n: E\n: F\n1 1\n3\n: end\n"


def test_groups_of_g_go_round_the_hexagon():
    """A from the top, C from the left, D from the bottom, F from the right; clues of falling lines from the bottom up."""
    assert FAMILY.write(NUMBERED, "g") == GROUPS and read(GROUPS, ".g") == NUMBERED


@pytest.mark.parametrize(
    "text, told",
    [
        ("#t\n: A\n1\n: B\n: C\n", "x.g:5: found 3 lines that begin with a colon"),
        (GROUPS.replace("6\n", ""), "found the sides A = 2, B = 0, C = 2, D = 1, E = 0, F = 2, expected E = A + B - D = 1"),
        (GROUPS.replace("2 1\n", "2 x\n"), "x.g:7: found 'x', expected a whole number for a clue of side C, line 1"),
        (GROUPS.replace("2 1\n", "2r 1\n"), "x.g:7: found the letter 'r'"),
        (GROUPS.replace("#triddler", "#d\n  r:r  #ff0000"), "x.g:1: found no line that begins with #t"),
        ("#t\n" + ": x\n" * 7, "which enclose no cell"),
        (webpbn({}), "found a puzzle without clues"),
        (webpbn({**SETS, "left": [[1]]}), "found clues of type 'left', expected 'topleft' or"),
        (webpbn({"top": [[1]], "topleft": [[1]]}), "expected E = A + B - D = 1"),
    ],
)  # fmt: skip
def test_errors_in_files_name_the_line(text, told):
    with pytest.raises(InputError) as caught:
        FAMILY.read(Source("x.g", text.encode(), ".xml" if text.startswith("<") else ".g"))
    assert told in str(caught.value)


def test_formats_shared_with_nonograms_select_the_family():
    """The content determines the family; the other family's error names it."""
    nonogram = find_family("nonogram")
    grid = webpbn({"rows": [[1]], "columns": [[1]]}).replace("triddler", "grid")
    for text, suffix, family in (
        (GROUPS, ".g", "triddler"), (webpbn(SETS), ".xml", "triddler"), (webpbn(SETS), ".pbn", "triddler"),
        (grid, ".xml", "nonogram"), (": rows\n1\n: columns\n1\n: end\n", ".g", "nonogram"),
    ):  # fmt: skip
        source = Source("x", text.encode(), suffix)
        assert detect_family(source, families=map(find_family, ("nonogram", "tiling", "maze", "triddler"))).name == family
        other = FAMILY if family == "nonogram" else nonogram
        hint = "expected" if family == "nonogram" else r"\(use the family triddler\)"
        with pytest.raises(InputError, match=hint):
            other.read(source)


# -- hexagons -----------------------------------------------------------------------------------------------------------

ALL = hexagons(12)


@pytest.mark.parametrize("sides", ALL[::4])
def test_lines_are_the_strips_between_parallels(sides):
    hexagon = Hexagon(sides)
    assert hexagon.row_lengths == [len(row) for row in middles(sides)]
    for direction in range(3):
        assert hexagon.lines(direction) == strips(sides)[direction]
        assert len(hexagon.borders(direction)) == hexagon.counts[direction] - 1
    cells = iter(range(hexagon.cells))
    board = tuple(tuple(next(cells) for _ in range(length)) for length in hexagon.row_lengths)
    drawn = [[[board[r][place] for r, place in line] for line in hexagon.lines(direction)] for direction in range(3)]
    assert seen(hexagon, board) == drawn


@pytest.mark.parametrize("sides", [(1, 1), (1,) * 7, (1, 1, 1, 1, 1, 2), (-1, 3, 1, 1, 1, 1), (0,) * 6, (2, 0, 0, 2, 0, -2)])
def test_six_numbers_that_form_no_hexagon(sides):
    with pytest.raises(ValueError, match="found"):
        Hexagon(sides)


# -- puzzles ------------------------------------------------------------------------------------------------------------

SHIPPED = {"star.g": 1, "cube.xml": 1, "fir.xml": 1, "blobs-6-4-7-4.g": 1, "blobs-colours-5.xml": 1, "random-6.g": 1,
           "random-triangle-6.g": 1, "switching-2.g": 24}  # fmt: skip


def counted(puzzle):
    """The solutions row by row: the arrangements of a row restrict the clues of the other lines, which are read from the top."""
    lines = [strips(puzzle.sides)[direction] for direction in (1, 2)]
    where = {cell: [] for row in strips(puzzle.sides)[0] for cell in row}
    for direction, found in enumerate(lines):
        for number, line in enumerate(found):
            for cell in line:
                where[cell].append((direction, number))
    clues = [[list(zip(*told, strict=True)) for told in puzzle.lines(direction)] for direction in (1, 2)]
    lengths = [[len(line) for line in found] for found in lines]
    states = {tuple(((),) * len(found) for found in lines): 1}
    for r, (length, clue) in enumerate(zip(puzzle.hexagon.row_lengths, puzzle.lines(0), strict=True)):
        after = {}
        for state, number in states.items():
            for row in arrangements(length, tuple(zip(*clue, strict=True))):
                grown = [list(found) for found in state]
                # a rising line has its cells of a row from the right, a falling one from the left
                for direction, order in ((0, range(length - 1, -1, -1)), (1, range(length))):
                    for place in order:
                        number_of_line = where[r, place][direction][1]
                        grown[direction][number_of_line] = (*grown[direction][number_of_line], row[place])
                if all(
                    may_become(line, clues[d][n], lengths[d][n]) for d, found in enumerate(grown) for n, line in enumerate(found)
                ):
                    key = tuple(map(tuple, grown))
                    after[key] = after.get(key, 0) + number
        states = after
    return sum(states.values())


def may_become(cells, clue, length):
    """Whether cells at the beginning of a line can be extended to its clue."""
    drawn = runs(cells)
    if len(cells) == length:
        return drawn == clue
    if not drawn:
        return True
    head, (size, color) = drawn[:-1], drawn[-1]
    if head != clue[: len(head)] or len(drawn) > len(clue) or clue[len(head)][1] != color:
        return False
    wanted = clue[len(head)][0]
    return size == wanted if not cells[-1] else size <= wanted


@pytest.mark.parametrize("name, number", SHIPPED.items())
def test_shipped_puzzles(name, number, instances):
    puzzle = cp.read(instances / "triddler" / name, family="triddler")
    answer = cp.unique(puzzle)
    assert answer.verdict == ("one" if number == 1 else "several")
    assert puzzle.goal is None or FAMILY.board_to_json(puzzle, answer.boards[0]) == FAMILY.board_to_json(puzzle, puzzle.goal)
    if puzzle.hexagon.cells < 160:
        assert counted(puzzle) == number
    if number > 1:
        assert cp.count(puzzle).solutions == number


def test_errors_for_invalid_boards():
    puzzle = clues_of(Hexagon((1,) * 6), ((True, False, False), (False,) * 3))
    assert FAMILY.check(puzzle, ((True, False), (False,) * 3)) == [
        "the board has 2 rows of 5 cells, expected 2 rows of 6 cells as in the puzzle"
    ]
    assert FAMILY.check(puzzle, ((2, 0, 0), (0,) * 3))[0].startswith("the board has a cell of color 2")
    assert FAMILY.check(puzzle, ((False, False, True), (False,) * 3)) == [
        "rising line 1: clue 1, board has 0", "rising line 2: clue 0, board has 1",
        "falling line 1: clue 1, board has 0", "falling line 2: clue 0, board has 1",
    ]  # fmt: skip
    for entry in (
        {"sides": [1] * 6, "rows": ["..", "..."]},
        {"sides": [2] * 6, "rows": []},
        {"sides": [1] * 6, "rows": ["..x", "..."]},
    ):
        with pytest.raises(ValueError, match=r"found|the board has"):
            FAMILY.board_from_json(puzzle, entry)


# -- views --------------------------------------------------------------------------------------------------------------

DRAWN = """\
                 2
            3   1
        ________   3
       /\\  /\\  /\\
1 1 1 /##\\/##\\/##\\
     /\\##/\\##/\\##/
2 3 /##\\/__\\/##\\/
  1 \\  /\\##/\\  /   2
     \\/__\\/__\\/
         1   2   3
              1
"""


def test_text_is_drawn_in_slashes():
    puzzle = read(webpbn(SETS))
    (board,) = boards_of(puzzle)
    assert FAMILY.view("text").draw(puzzle, board, None) == DRAWN
    assert FAMILY.view("plain").draw(puzzle, board, None) == "#.#.#\n##.###\n..#..\n"
    shown = FAMILY.view("ansi").draw(puzzle, board, None)
    plain = re.sub("\x1b[^m]*m", "", shown)
    assert shown.count("\x1b[38;5;231;48;5;23") >= 2 * sum(map(sum, board)) - 8 and plain.split()[:2] == ["2", "3"]


def test_differences_are_marked():
    hexagon = Hexagon((1,) * 6)
    puzzle = clues_of(hexagon, ((True, False, True), (False, True, False)))
    board, other = puzzle.goal, ((False, True, True), (False, True, False))
    text = FAMILY.view("text").draw(puzzle, board, other)
    assert "/++\\/##\\" in text and "\\--/" in text
    assert text.endswith("+ filled only in this board\n- filled only in the other board\n")
    svg = FAMILY.view("svg").draw(puzzle, board, other)
    assert "#e69f00" in svg and "#0072b2" in svg and "filled only in this board" in svg
    assert FAMILY.differences(puzzle, board, other) == ["row 1, columns 1, 2"]


def test_letters_stand_in_colored_pictures():
    puzzle = FAMILY.generate("blobs", 1, sides="3", colors=3)
    board = cp.solve(puzzle).boards[0]
    filled = sum(cell > 0 for row in board for cell in row)
    blocks = sum(len(line) or 1 for lines in puzzle.clues for line in lines)
    with_letters = FAMILY.view("svg", letters=True).draw(puzzle, board, None)
    assert with_letters.count("<text") == filled + blocks
    assert FAMILY.view("svg").draw(puzzle, board, None).count("<text") == blocks


# -- generators ---------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(ALL), st.integers(0, 100), st.integers(1, 4), st.integers(0, 10**6), st.sampled_from(["random", "blobs"]))
def test_generated_puzzles_have_the_requested_sides(sides, density, colors, seed, kind):
    options = {"sides": "-".join(map(str, sides)), "density": density, "colors": colors}
    puzzle = FAMILY.generate(kind, seed, **options)
    assert puzzle.sides == sides and puzzle == FAMILY.generate(kind, seed, **options) and puzzle.contradictions() == []
    assert puzzle.inks == colors
    for format in FAMILY.formats:
        again = FAMILY.formats.read_puzzle(Source("x", FAMILY.write(puzzle, format).encode()))
        assert [list(again.lines(d)) for d in range(3)] == [list(puzzle.lines(d)) for d in range(3)]


@pytest.mark.parametrize("sides", ["", "x", "3-3", "1-1-1-1-1-2", "9-1-1-1", "0", "-3", "3x3", "1000000", "500-500-500-500"])
def test_invalid_sides(sides):
    with pytest.raises(InputError, match="found"):
        FAMILY.generate("random", 1, sides=sides)
