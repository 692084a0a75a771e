"""Numbers of solutions near one solution of a nonogram: compared with all solutions, found by trying every board."""

import pytest
from nonogramnaive import boards_of

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from studies.claims import Place
from studies.nonogram_survey import rowbyrow
from studies.nonogram_survey.nearby import NEARBY, Neighborhood, fix_cells, measure_near, windows
from studies.nonogram_survey.rowbyrow import RowByRow
from studies.nonogram_survey.solutioncounts import NOT_HERE, puzzle_file

CLUES = {
    "one block each": ([[1]] * 4, [[1]] * 4),
    "two blocks": ([[1, 1], [1], [1], [1, 1]], [[1], [2], [1], [1, 1]]),
    "one solution": ([[4], [1], [1, 1]], [[3], [1], [1, 1], [1]]),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", CLUES)
@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 4), (4, 4)])
def test_solutions_near_one(name, size):
    rows, columns = CLUES[name]
    puzzle = Nonogram(tuple(map(tuple, rows)), tuple(map(tuple, columns)))
    boards, near = [sum(board, ()) for board in boards_of(puzzle)], Neighborhood(puzzle)
    board = tuple(int(literal > 0) for literal in near.board)
    assert board in boards
    free = set()
    for window in windows(len(rows), len(columns), *size):
        changes = [{cell for cell, color in enumerate(board) if other[cell] != color} for other in boards]
        expected = set().union(*(changed for changed in changes if changed <= window))
        assert near.changing(window) == expected
        free |= expected
    fixed, count = fix_cells(puzzle, size)
    found = cp.count(cp.encode(fixed, "order"), engine="clasp").solutions
    agreeing = [other for other in boards if all(other[cell] == board[cell] for cell in range(len(board)) if cell not in free)]
    assert (found, count) == (len(agreeing), len(free))
    assert RowByRow(fixed).count() == RowByRow(fix_cells(fixed, None)[0]).count() == found
    assert size != (4, 4) or found == len(boards) == RowByRow(puzzle).count()


@pytest.mark.sample(4)
@pytest.mark.parametrize("many", [0, 5, 10**9])
@pytest.mark.parametrize("seed", range(4))
def test_row_by_row(many, seed, monkeypatch):
    """The number does not depend on how many tuples are deleted."""
    monkeypatch.setattr(rowbyrow, "MANY", many)
    monkeypatch.setattr(rowbyrow, "MANY_INSIDE", 4 * many)
    monkeypatch.setattr(rowbyrow, "ENOUGH", 2)
    puzzle = FAMILY.generate("random", seed, size="12x10", density=35)
    lines = []
    assert RowByRow(puzzle, lines.append).count() == cp.count(cp.encode(puzzle, "order"), engine="clasp").solutions
    assert len(lines) == puzzle.height


def test_no_solution():
    assert RowByRow(Nonogram(((1,), (1,)), ((2,), (1,)))).count() == 0
    assert RowByRow(Nonogram(((1, 1), (1,)), ((1,), (), (2,)))).count() == 1
    assert RowByRow(Nonogram(((2,), (2,)), ((1,), (2,), (1,)))).count() == 2
    assert RowByRow(Nonogram(((2,), (1,)), ((1,), (2,), (1,)))).count() == 0


def test_other_puzzles():
    with pytest.raises(ValueError, match="colored"):
        RowByRow(FAMILY.generate("random", 1, size="5x5", colors=3))
    with pytest.raises(ValueError, match="255 states"):
        RowByRow(Nonogram(((253,),), ((1,),) * 253))


@pytest.mark.release
@pytest.mark.parametrize("case", NEARBY, ids=lambda case: case.puzzle)
def test_a_published_number(case, tmp_path):
    place = Place(tmp_path)
    if puzzle_file(case.puzzle, place) is None:
        pytest.skip(NOT_HERE)
    assert measure_near(case, place).value
