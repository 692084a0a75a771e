"""The rules as awk programs, for certificates: they accept just the boards that the families' own checks accept."""

import subprocess
from itertools import product

import pytest

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram


def accepts(rules):
    program, board = rules
    done = subprocess.run(["awk", program], input=board, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout if done.returncode else True
    return done.returncode == 0


@pytest.mark.parametrize("puzzle", [Nonogram(((1,), (2,)), ((1, 1)[:1], (2,))), Nonogram(((1, 1), ()), ((1,), (), (1,)))])
def test_nonograms(puzzle):
    family = find_family("nonogram")
    rows = list(product((False, True), repeat=puzzle.width))
    found = {board: accepts(family.rules_in_awk(puzzle, board)) for board in product(rows, repeat=puzzle.height)}
    assert found == {board: not family.check(puzzle, board) for board in found}
    assert any(found.values())


def test_nonograms_of_another_shape():
    family, puzzle = find_family("nonogram"), Nonogram(((1,),), ((1,), ()))
    program, _ = family.rules_in_awk(puzzle, ((True, False),))
    assert accepts((program, "#.\n"))
    for board in ("", "#\n", "#..\n", "#.\n..\n", ".#\n", "#.\n\n", "x.\n"):
        assert not accepts((program, board))


@pytest.mark.parametrize(
    ("options", "solves"),
    [
        ({"kind": "blocked", "size": "2x2", "pattern": "***"}, None),
        ({"kind": "thin", "size": "1x2", "pattern": "**"}, None),
        ({"kind": "thin", "size": "2x2", "length": 11}, "NESWNENWSEN"),
        ({"kind": "thin", "size": "2x2", "pattern": "N**********"}, "NESWNENWSEN"),
    ],
)
def test_mazes(options, solves):
    family = find_family("maze")
    puzzle = family.read(None, **options)
    short = len(puzzle.pattern) <= 3
    strings = ["".join(s) for s in product("NESW", repeat=len(puzzle.pattern))] if short else [solves, solves[::-1], "N" * 11]
    found = {string: accepts(family.rules_in_awk(puzzle, string)) for string in strings}
    assert found == {string: not family.check(puzzle, string) for string in strings}
    assert any(found.values())


def test_mazes_of_a_file(tmp_path):
    """They stand in the program where the string does not solve all mazes of the grid."""
    family = find_family("maze")
    puzzle = family.puzzle_from_json({"kind": "blocked", "size": [2, 2], "pattern": "**", "mazes": ["../..", ".#/.."]})
    found = {string: accepts(family.rules_in_awk(puzzle, string)) for string in ("SE", "ES", "NN", "SS")}
    assert found == {"SE": True, "ES": False, "NN": False, "SS": False}
    walls = family.puzzle_from_json(
        {"kind": "thin", "size": [1, 3], "pattern": "**", "mazes": ["2a8 0,0", "28. 1,0"[:3] + " 0,1"]}
    )
    found = {string: accepts(family.rules_in_awk(walls, string)) for string in ("EE", "EW", "WE", "WW")}
    assert found == {string: not family.check(walls, string) for string in found}
