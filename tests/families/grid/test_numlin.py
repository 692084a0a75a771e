"""Numberlink with shortest lines: verdicts against all boards of small puzzles."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import pytest
from exhaustive.gridranges import paths

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.grid.genres.numlin_shortest import another
from cnfgen_puzzles.families.links.pzpr import NONE, Size
from cnfgen_puzzles.pipeline.api import read, solve, unique

NUMLIN = find_family("numlin")


def puzzle_of(height, width, pairs):
    cells = {cell: number for number, pair in enumerate(pairs, start=1) for cell in pair}
    places = [(r, c) for r in range(height) for c in range(width)]
    return NUMLIN.puzzle(height, width, numbers=Size(height, width).rows(cells.get(cell, NONE) for cell in places))


def one_pair(height, width):
    cells = [(r, c) for r in range(height) for c in range(width)]
    return [puzzle_of(height, width, [pair]) for pair in combinations(cells, 2)]


def several_pairs(count):
    """Puzzles of 3x3 to 3x4 cells with two to four pairs."""
    chance = Random(1)
    for _ in range(count):
        height, width = chance.choice(((3, 3), (2, 4), (2, 5), (3, 4)))
        ends = chance.sample([(r, c) for r in range(height) for c in range(width)], 2 * chance.choice((2, 2, 3, 4)))
        yield puzzle_of(height, width, list(zip(ends[::2], ends[1::2], strict=True)))


@cache
def paths_by_ends(height, width):
    """All boards of lines, by the cells where a line ends."""
    found = defaultdict(list)
    for board in paths(height, width):
        masks = ((r, c, mask) for r, row in enumerate(board) for c, mask in enumerate(row))
        found[frozenset((r, c) for r, c, mask in masks if mask.bit_count() == 1)].append(board)
    return found


def compared(puzzle):
    """The number of solutions, which `solve` and `unique` have to agree with; a solution that `another` finds is one."""
    ends = frozenset(cell for cell, _ in puzzle.given())
    boards = paths_by_ends(puzzle.height, puzzle.width)[ends]
    solutions = [board for board in boards if not list(NUMLIN.faults(puzzle, board))]
    assert (solve(puzzle, proof=False).board is not None) is bool(solutions)
    answer = unique(puzzle, proof=False)
    assert answer.verdict == ("none", "one")[len(solutions)] if len(solutions) < 2 else answer.verdict == "several"
    assert set(answer.boards) <= set(solutions) and len(answer.boards) == min(len(solutions), 2)
    for board in solutions:
        other = another(puzzle, board)
        assert other is None or (other != board and other in solutions)
    return len(solutions)


def test_verdicts_of_puzzles_with_one_pair():
    found = [compared(puzzle) for size in ((1, 4), (2, 2), (2, 3), (3, 3)) for puzzle in one_pair(*size)]
    assert found.count(1) > 5 and max(found) > 1


def test_verdicts_of_puzzles_with_several_pairs():
    found = [compared(puzzle) for puzzle in several_pairs(120)]
    assert found.count(0) > 10 and found.count(1) > 5 and max(found) > 1


@pytest.mark.release
def test_verdicts_of_many_puzzles_with_several_pairs():
    for puzzle in several_pairs(3000):
        compared(puzzle)


def test_the_evidence_of_a_board_that_is_no_model():
    answer = unique(read("numlin/3/3/1l1g"), proof=False)
    assert answer.verdict == "several" and [search.basis.kind for search in answer.searches] == ["model", "argument"]


def test_puzzles_with_question_marks_keep_all_lines():
    assert unique(read("numlin/2/2/.h."), proof=False).verdict == "several"
    assert not NUMLIN.encode(replace(read("numlin/2/2/.h."), cuts=()), "lazy", shortest=True).up_to
