"""Nonograms in several colors: rules, formulas and pictures, each compared with independent computations. Files are in
`test_color_formats.py`."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from itertools import groupby, pairwise

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from nonogramnaive import arrangements

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families.cellviews import CellViews
from cnfgen_puzzles.families.clued.palette import INKS, WHITE
from cnfgen_puzzles.families.clued.puzzle import BLACK_AND_WHITE, Color, shortest_line
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.formats import read_puzzle
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.pipeline.instance import make_instance

PALETTE = (WHITE, *INKS[:3])
SIGNS = ".rbyg"


def board_of(*rows: str):
    return tuple(tuple(map(SIGNS.index, row)) for row in rows)


def told(cells) -> list[str]:
    """The runs of a line, computed independently: `2r` for two red cells."""
    return [f"{len(list(run))}{SIGNS[color]}" for color, run in groupby(cells) if color]


FLAG = board_of("rrb.", "r.bb", "yrry")
PUZZLE = clues_of(FLAG, PALETTE)


@st.composite
def boards(draw, largest=6):
    width = draw(st.integers(1, largest))
    return draw(st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=largest).map(tuple))


# -- rules ----------------------------------------------------------------------------------------------------------------


def test_blocks_of_one_color_are_apart_and_of_two_need_no_gap():
    assert PUZZLE.rows == ((2, 1), (1, 2), (1, 2, 1)) and PUZZLE.row_colors == ((1, 2), (1, 2), (3, 1, 3))
    assert [shortest_line(*line) for line in PUZZLE.lines("row")] == [3, 3, 4]
    assert shortest_line((1, 1, 1), (1, 1, 2)) == 4 and shortest_line((1, 1)) == 3
    assert FAMILY.check(PUZZLE, FLAG) == []


@given(boards())
def test_clues_are_the_runs_of_a_picture(board):
    puzzle = clues_of(board, PALETTE)
    lines = [*puzzle.lines("row"), *puzzle.lines("column")]
    drawn = [told(line) for line in (*board, *zip(*board, strict=True))]
    assert [[f"{b}{SIGNS[c]}" for b, c in zip(*line, strict=True)] for line in lines] == drawn
    assert FAMILY.check(puzzle, board) == [] and puzzle.contradictions() == []
    other = ((board[0][0] + 1) % 4, *board[0][1:]), *board[1:]
    assert FAMILY.check(puzzle, other), "a cell of another color changes a run"
    assert FAMILY.board_from_json(puzzle, json.loads(json.dumps(FAMILY.board_to_json(puzzle, board)))) == board
    assert FAMILY.puzzle_from_json(json.loads(json.dumps(FAMILY.puzzle_to_json(puzzle)))) == puzzle


def test_equal_puzzles_are_equal_however_they_are_given():
    black = Nonogram(((1,),), ((1,),))
    assert Nonogram(((1,),), ((1,),), colors=BLACK_AND_WHITE, row_colors=((1,),), column_colors=((1,),)) == black
    red = Nonogram(((1,),), ((1,),), colors=(WHITE, INKS[0]), row_colors=((1,),))
    assert red != black and red.row_colors == () and FAMILY.encode(red).literals == FAMILY.encode(black).literals


def test_sums_are_reported_by_color():
    puzzle = Nonogram(((1,), (1,)), ((1,), (1,)), colors=PALETTE[:3], row_colors=((1,), (1,)), column_colors=((1,), (2,)))
    assert puzzle.contradictions() == ["rows and columns need 2 and 1 red cells", "rows and columns need 0 and 1 blue cells"]
    assert FAMILY.impossible(puzzle) == "; ".join(puzzle.contradictions())
    assert FAMILY.working(puzzle) == [
        "rows: 1 + 1 = 2 red cells", "columns: 1 + 0 = 1 red cells",
        "rows: 0 + 0 = 0 blue cells", "columns: 0 + 1 = 1 blue cells",
    ]  # fmt: skip
    long = Nonogram(((1, 1, 1),), ((1,), (1,), ()), colors=PALETTE, row_colors=((1, 1, 2),))
    assert long.contradictions()[0] == "row 1: clue 1r 1r 1b needs 4 cells, the row has 3"


@pytest.mark.parametrize(
    "wrong",
    [
        {"colors": (WHITE,)},
        {"colors": (WHITE, INKS[0], INKS[0])},
        {"colors": (WHITE, INKS[0], Color("red", "#0000ff", "x"))},
        {"row_colors": ((2,),)},
        {"row_colors": ((1, 1),)},
        {"column_colors": ((0,),)},
    ],
)
def test_invalid_palettes(wrong):
    with pytest.raises(ValueError, match="found"):
        Nonogram(((1,),), ((1,),), **wrong)


@pytest.mark.parametrize(
    "color", [("", "#ffffff", "a"), ("a\nb", "#ffffff", "a"), ("a", "red", "a"), ("a", '#fffff"', "a"), ("a", "#ffffff", ""),
               ("a", "#ffffff", "ab"), ("a", "#ffffff", "1"), ("a", "#ffffff", " "), ("a", "#ffffff", "+"),
               ("a" * 99, "#ffffff", "a")]
)  # fmt: skip
def test_invalid_colors(color):
    with pytest.raises(ValueError, match="found"):
        Color(*color)


# -- formulas -------------------------------------------------------------------------------------------------------------


def test_numbers_of_variables_and_clauses_are_those_of_the_docstring():
    """`direct`: (1) to (5) line by line, and one clause for two inks of a cell."""
    formula = FAMILY.encode(PUZZLE, "direct")
    height, width, inks = 3, 4, 3
    variables, clauses = height * width * inks, height * width * inks * (inks - 1) // 2
    for kind, length in (("row", width), ("column", height)):
        for clue, colors in PUZZLE.lines(kind):
            k, p = len(clue), length - shortest_line(clue, colors) + 1
            gaps = [a == b for a, b in pairwise(colors)]
            bases = [sum(clue[:i]) + sum(gaps[:i]) for i in range(k)]
            distances = [bases[j] - bases[i] - clue[i] - (colors[i] == colors[j]) for j in range(k) for i in range(j)]
            pairs = sum(m * (m + 1) // 2 for d in distances for m in [max(0, p - 1 - d)])
            variables += k * p
            clauses += k + k * p * (p - 1) // 2 + pairs + length * inks + p * sum(clue) + (0 if clue else length * inks)
    assert (formula.num_variables, formula.num_clauses) == (variables, clauses)


def test_awk_programs_have_a_letter_for_each_color():
    more = tuple(Color(f"c{n}", "#000000", chr(0x4E00 + n)) for n in range(60))
    assert FAMILY.rules_in_awk(Nonogram(((1,),), ((1,),), colors=(WHITE, *more)), ((1,),)) is None


def count_boards(puzzle) -> int:
    """The number of solutions, row by row; equal states of the columns are counted together."""
    rows, columns = (
        [[*arrangements(size, tuple(zip(*line, strict=True)))] for line in puzzle.lines(kind)]
        for kind, size in (("row", puzzle.width), ("column", puzzle.height))
    )
    begun = [[{cells[:r] for cells in each} for r in range(puzzle.height + 1)] for each in columns]
    boards = {((),) * puzzle.width: 1}
    for r, fitting in enumerate(rows, start=1):
        following = {}
        for row in fitting:
            for heads, count in boards.items():
                grown = tuple((*head, cell) for head, cell in zip(heads, row, strict=True))
                if all(head in begun[c][r] for c, head in enumerate(grown)):
                    following[grown] = following.get(grown, 0) + count
        boards = following
    return sum(boards.values())


@pytest.mark.parametrize("name", ["tulip.non", "fish.xml", "lantern.g"])
def test_colored_instances_have_as_many_solutions_as_the_truth_says(nonograms, name):
    truth = yaml.safe_load((nonograms / "truth.yaml").read_text(encoding="utf-8"))[name]["count"]
    puzzle = read_puzzle(open_source(nonograms / name))
    assert puzzle.inks == 4 and count_boards(puzzle) == truth
    assert len(list(cp.solutions(make_instance(FAMILY, puzzle)))) == truth


# -- pictures -------------------------------------------------------------------------------------------------------------

VIEWS, SVG = CellViews(FAMILY), FAMILY.views["svg"]
OTHER = board_of("rrb.", "r.bb", "yrr.")


def test_text_has_signs_and_letters():
    assert VIEWS.plain(PUZZLE, FLAG) == "rrb.\nr.bb\nyrry\n"
    assert VIEWS.text(PUZZLE, FLAG) == (
        "         2r 1r 2b 1b\n"
        "         1y 1r 1r 1y\n"
        "   2r 1b  r  r  b  .\n"
        "   1r 2b  r  .  b  b\n"
        "1y 2r 1y  y  r  r  y\n"
    )  # fmt: skip
    assert "0" in VIEWS.text(clues_of(board_of("r.", "b."), PALETTE), board_of("r.", "b.")).split()
    marked = VIEWS.text(PUZZLE, FLAG, board_of("rrb.", "r.bb", "bry."))
    assert "y*" in marked and "r*" in marked and "+" in marked


def test_pictures_have_the_puzzles_colors_and_letters_on_request():
    def texts(drawing):
        return [element.text for element in ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")]

    plain, lettered = SVG.draw(PUZZLE, FLAG), SVG.draw(PUZZLE, FLAG, letters=True)
    assert all(f'fill="{color.value}"' in plain for color in PALETTE[1:])
    numbers = [str(block) for kind in ("row", "column") for clue, _ in PUZZLE.lines(kind) for block in clue]
    assert sorted(texts(plain)) == sorted(numbers)
    assert sum(text in ("r", "b", "y") for text in texts(lettered)) == sum(cell > 0 for row in FLAG for cell in row)
    assert {"2r", "1b", "1y"} <= set(texts(lettered))
    assert "r" not in texts(SVG.sheet(PUZZLE, [FLAG, OTHER])) and "r" in texts(SVG.sheet(PUZZLE, [FLAG], letters=True))
    black = clues_of(((True, False),))
    assert SVG.draw(black, ((True, False),), letters=True) == SVG.draw(black, ((True, False),)), "one color needs no letter"


def test_a_background_of_another_color_is_filled_and_counts_as_empty():
    sand = (Color("sand", "#ffeecc", "."), *INKS[:3])
    puzzle = clues_of(FLAG, sand)
    assert "#ffeecc" in SVG.draw(puzzle, FLAG) and "." not in SVG.draw(puzzle, FLAG, letters=True).split(">")
    assert "+ filled only in this board" in VIEWS.text(puzzle, FLAG, OTHER) and "*" not in VIEWS.text(puzzle, FLAG, OTHER)


# -- generators -----------------------------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["random", "blobs"]), st.integers(2, 8), st.integers(0, 2**40))
def test_generated_puzzles_have_the_requested_colors(name, colors, seed):
    puzzle = FAMILY.generate(name, seed, size="9x8", colors=colors)
    assert puzzle.inks == colors and puzzle.contradictions() == []
    assert FAMILY.generate(name, seed, size="9x8", colors=colors) == puzzle
    sums = [sum(puzzle.sums("row", ink)) for ink in range(1, colors + 1)]
    if name == "blobs":
        assert sum(sums) == 36 and max(sums) - min(sums) <= 1
