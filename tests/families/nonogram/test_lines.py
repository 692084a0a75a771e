"""One line: the solver keeps exactly the values that some filling has, for all small lines and for many longer ones."""

from itertools import product

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonogramnaive import arrangements, blocks_in, colors_by_cell, fillings, puzzle_of

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.lines import PuzzleLines, blocks_of, narrow_line, propagate, shifts
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram


def masks(cells, colors):
    """`can` of a line whose cells may have these colors."""
    return tuple(sum((color in allowed) << place for place, allowed in enumerate(cells)) for color in range(colors))


def expected(lines, allowed, colors):
    """By all fillings that fit the clue."""
    fitting = [line for line in lines if all(map(lambda cell, may: cell in may, line, allowed))]
    return masks(colors_by_cell(fitting), colors) if fitting else None


@pytest.mark.parametrize(("size", "colors"), [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (1, 3), (2, 3), (3, 3), (2, 4)])
def test_all_small_lines(size, colors):
    """Every clue of a line with all states of its cells, including cells without any color."""
    subsets = [{color for color in range(colors) if subset >> color & 1} for subset in range(1 << colors)]
    for clue, lines in fillings(size, colors).items():
        blocks = blocks_of(*zip(*clue, strict=True)) if clue else ()
        for allowed in product(subsets, repeat=size):
            assert narrow_line(size, blocks, masks(allowed, colors)) == expected(lines, allowed, colors), (clue, allowed)


@st.composite
def known_lines(draw):
    """A line, and possible colors of its cells that include its own: rarely contradicted, often narrowed."""
    colors = draw(st.integers(2, 4))
    line = draw(st.lists(st.sampled_from([*range(colors), 0, 1]), min_size=1, max_size=14))
    others = st.sets(st.integers(0, colors - 1))
    allowed = [draw(others) | ({cell} if draw(st.integers(0, 30)) else set()) for cell in line]
    return colors, line, allowed


@given(known_lines())
def test_longer_lines(case):
    colors, line, allowed = case
    clue = blocks_in(line)
    blocks = blocks_of([length for length, _ in clue], [color for _, color in clue])
    assert narrow_line(len(line), blocks, masks(allowed, colors)) == expected(arrangements(len(line), clue), allowed, colors)


def test_clues_too_long():
    assert narrow_line(3, blocks_of((2, 1), (1, 1)), (7, 7)) is None
    assert narrow_line(3, blocks_of((2, 1), (1, 2)), (7, 7, 7)) == (0, 0b011, 0b100), "blocks of two colors need no gap"
    assert narrow_line(3, blocks_of((4,), (1,)), (7, 7)) is None


@given(st.integers(1, 300))
def test_shifts_make_runs(length):
    reached = 1
    for shift in shifts(length):
        reached |= reached << shift
    assert reached == (1 << length) - 1


def naive(puzzle):
    """The possible colors of each cell by all arrangements of one line after another; None if a line has no arrangement."""
    known = puzzle.known or ((None,) * puzzle.width,) * puzzle.height
    may = [[set(range(puzzle.inks + 1)) if value is None else {value} for value in row] for row in known]
    before = None
    while before != may:
        before = [list(row) for row in may]
        for kind, size in (("row", puzzle.width), ("column", puzzle.height)):
            for number, (clue, colors) in enumerate(puzzle.lines(kind)):
                blocks = tuple(zip(clue, colors, strict=True))
                places = [(number, q) if kind == "row" else (q, number) for q in range(size)]
                fitting = [
                    line
                    for line in arrangements(size, blocks)
                    if all(c in may[y][x] for c, (y, x) in zip(line, places, strict=True))
                ]
                if not fitting:
                    return None
                for (y, x), colors in zip(places, colors_by_cell(fitting), strict=True):
                    may[y][x] = colors
    return may


@st.composite
def half_filled(draw):
    """A picture in up to two colors with some known cells, rarely one of them wrong."""
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    board = [[draw(st.sampled_from([0, 0, 1, 1, 2])) for _ in range(width)] for _ in range(height)]
    known = [[value if draw(st.integers(0, 4)) == 0 else None for value in row] for row in board]
    if draw(st.integers(0, 3)) == 0:
        known[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = draw(st.integers(0, 2))
    return puzzle_of(board, tuple(map(tuple, known)), 2)


@given(half_filled())
def test_line_logic_reaches_its_fixed_point(puzzle):
    reached, may = propagate(puzzle), naive(puzzle)
    assert (reached.contradicted is not None) == (may is None)
    if may is not None:
        grid = reached.grid
        cells = list(product(range(puzzle.height), range(puzzle.width)))
        assert [set(grid.colors(*cell)) for cell in cells] == [may[y][x] for y, x in cells]
        assert reached.known == tuple(tuple(min(m) if len(m) == 1 else None for m in row) for row in may)
        assert list(grid.open_cells()) == [(y, x) for y, x in cells if len(may[y][x]) > 1] and grid.open == len(
            list(grid.open_cells())
        )
        columns = [[grid.can[puzzle.height + x][c] >> y & 1 for c in range(3)] for y, x in cells]
        assert columns == [[int(c in may[y][x]) for c in range(3)] for y, x in cells], "rows and columns know the same"
        assert reached.solved == all(len(m) == 1 for row in may for m in row)


def test_the_contradicted_line_is_named():
    puzzle = Nonogram(rows=((2,), (1,)), columns=((1,), (2,)), known=((None, 0), (None, None)))
    reached = propagate(puzzle)
    assert reached.contradicted == 0 and not reached.solved
    lines = PuzzleLines(puzzle)
    assert lines.entry(3) == {"kind": "column", "number": 2} and lines.cell(3, 0) == (0, 1)
    assert propagate(puzzle, known=()).known == ((1, 1), (0, 1)), "known cells given here stand for those of the puzzle"


def test_a_board_found_by_line_logic_is_the_only_solution(instances):
    """The puzzles of the repository: boards completed by line logic obey the clues, and independent claims call them unique."""
    nonograms, solved = instances / "nonogram", 0
    for name, said in yaml.safe_load((nonograms / "truth.yaml").read_text(encoding="utf-8")).items():
        if not name.endswith(".txt") and said["solutions"] != "none":
            puzzle = FAMILY.read(open_source(nonograms / name))
            reached = propagate(puzzle)
            assert reached.contradicted is None, name
            if reached.solved:
                solved += 1
                assert FAMILY.check(puzzle, reached.known) == []
                assert said["solutions"] == "one", name
    assert solved > 10
