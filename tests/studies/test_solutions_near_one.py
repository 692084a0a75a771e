"""Numbers of solutions near one solution of a nonogram: compared with all solutions, found by trying every board."""

from itertools import product

import pytest

from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from studies.claims import Place
from studies.nonogram_survey.nearby import NEARBY, Neighborhood, count_near, measure_near, windows
from studies.nonogram_survey.solutioncounts import puzzle_file

CLUES = {
    "one block each": ([[1]] * 4, [[1]] * 4),
    "two blocks": ([[1, 1], [1], [1], [1, 1]], [[1], [2], [1], [1, 1]]),
    "one solution": ([[4], [1], [1, 1]], [[3], [1], [1, 1], [1]]),
}


def blocks(line):
    return [len(block) for block in "".join(map(str, line)).split("0") if block]


def boards_of(rows, columns):
    """Every solution, by trying every board."""
    fitting = [[line for line in product((0, 1), repeat=len(columns)) if blocks(line) == clue] for clue in rows]
    return [sum(board, ()) for board in product(*fitting) if [blocks(line) for line in zip(*board, strict=True)] == columns]


@pytest.mark.parametrize("name", CLUES)
@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 4), (4, 4)])
def test_solutions_near_one(name, size):
    rows, columns = CLUES[name]
    puzzle = Nonogram(tuple(map(tuple, rows)), tuple(map(tuple, columns)))
    boards, near = boards_of(rows, columns), Neighborhood(puzzle)
    board = tuple(int(literal > 0) for literal in near.board)
    assert board in boards
    free = set()
    for window in windows(len(rows), len(columns), *size):
        changes = [{cell for cell, color in enumerate(board) if other[cell] != color} for other in boards]
        expected = set().union(*(changed for changed in changes if changed <= window))
        assert near.changing(window) == expected
        free |= expected
    found, count = count_near(puzzle, size)
    agreeing = [other for other in boards if all(other[cell] == board[cell] for cell in range(len(board)) if cell not in free)]
    assert (found.solutions, count) == (len(agreeing), len(free))
    assert size != (4, 4) or found.solutions == len(boards) == count_near(puzzle, None)[0].solutions


def test_windows_cover_every_cell():
    for height, width, rows, columns in ((47, 40, 12, 12), (5, 9, 3, 20), (10, 10, 1, 1), (63, 52, 16, 16)):
        cells = list(windows(height, width, rows, columns))
        assert set().union(*cells) == set(range(height * width))


@pytest.mark.release
@pytest.mark.parametrize("case", NEARBY, ids=lambda case: case.puzzle)
def test_a_published_number(case, tmp_path):
    place = Place(tmp_path)
    assert puzzle_file(case.puzzle, place) is None or measure_near(case, place).value
