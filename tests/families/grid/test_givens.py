"""Given numbers that contradict each other or the rules, by hand."""

from random import Random

import pytest
from exhaustive import gridranges

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.cellviews import CONTRADICTS
from cnfgen_puzzles.pipeline.api import mus, read, solve

NONE = -1
QUARTERS = ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 2, 3, 3))
NO_WALLS = tuple((NONE,) * width for width in (3, 3, 3, 3, 4, 4, 4))

CASES = {
    "suguru: 1 twice in a room": ("suguru", {"rooms": QUARTERS}, {(0, 0): 1, (1, 1): 1, (3, 3): 2}, {(0, 0), (1, 1)}),
    "ripple: 3 too near to 3": ("ripple", {"rooms": QUARTERS}, {(0, 0): 3, (0, 3): 3, (3, 0): 1}, {(0, 0), (0, 3)}),
    "fillomino: 1 beside 1": ("fillomino", {"between": NO_WALLS}, {(0, 0): 1, (0, 1): 1, (3, 3): 2}, {(0, 0), (0, 1)}),
}


@pytest.mark.parametrize("kind", CASES)
def test_the_numbers_that_contradict_are_found(kind):
    name, fields, given, wrong = CASES[kind]
    rows = tuple(tuple(given.get((r, c), NONE) for c in range(4)) for r in range(4))
    found = solve(find_family(name).puzzle(4, 4, numbers=rows, **fields)).mus
    (only,) = found.sets
    assert {(each.entry["row"] - 1, each.entry["column"] - 1) for each in only.givens} == wrong and only.minimal
    assert found.rest is not None


CLUED = (
    "aqre battleship castle country creek gokigen hashikake heyawake hitori juosan kurodoko kurotto lightup mashu mines nurikabe "
    "nurimisaki shakashaka shikaku slither statuepark tapa tatamibari tents yajilin yinyang"
)
"""Genres with clues, most of which have clauses of their own for each clue; the others have a formula for each selection."""
TRIED, PUZZLES = 150, 3
"""How many random puzzles are drawn at most, and how many with contradictory clues are tried for each genre."""


def has_board(family, puzzle, kept):
    return next(gridranges.solutions(family, family.givens.only(puzzle, kept)), None) is not None


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", CLUED.split())
def test_contradictory_clues_are_minimal_by_all_boards(name):
    """On random small puzzles: no board obeys a set, some board obeys the set without any of its clues."""
    family, chance, found = find_family(name), Random(name), 0
    for _ in range(TRIED):
        drawn = gridranges.drawn_puzzle(family, chance)
        if drawn is None or not family.givens.count(drawn.puzzle) or drawn.solutions:
            continue
        puzzle, encoding = drawn.puzzle, chance.choice((None, family.default_encoding))
        result = mus(puzzle, encoding=encoding, proof=False)
        assert (result.alone == "SATISFIABLE") == has_board(family, puzzle, ())
        for each in result.sets:
            assert each.minimal and not has_board(family, puzzle, each.numbers)
            assert all(has_board(family, puzzle, set(each.numbers) - {number}) for number in each.numbers)
        if result.alone == "SATISFIABLE":
            assert result.sets and not family.check(family.givens.only(puzzle, rest_of(result)), result.rest)
        found += bool(result.sets)
        if found == PUZZLES:
            break
    assert found


def test_contradictory_clues_in_json():
    found = solve(find_family("slither").puzzle(2, 2, numbers=((3, NONE), (NONE, 4))))
    (only,) = found.to_json()["contradiction"]["sets"]
    assert only["given"] == [{"row": 1, "column": 1, "clue": 3}, {"row": 2, "column": 2, "clue": 4}]


def rest_of(result):
    return set(range(result.family.givens.count(result.puzzle))).difference(result.numbers)


def test_contradictory_corners_are_marked():
    """No corner at the border has four diagonals."""
    puzzle = read("gokigen/4/4/iaegcgcj6e")
    found = solve(puzzle).mus
    assert [given.words for each in found.sets for given in each.givens] == ["the corner after row 4, column 3 is 4"]
    views, boards = puzzle.family.views, found.boards()
    assert "4!" in views["text"].draw(puzzle, *boards) and "! contradicts" in views["text"].draw(puzzle, *boards)
    assert CONTRADICTS in views["svg"].draw(puzzle, *boards)


def test_contradictory_numbers_outside_are_named():
    (only,) = solve(read("battleship/6/6/g42h2g30g3gk0r3w//c")).mus.sets
    words = ["the number above column 2 is 4", "the number above column 3 is 2", "the number left of row 5 is 3"]
    assert [given.words for given in only.givens] == words
    assert only.givens[2].entry == {"side": "left", "row": 5, "clue": 3}
