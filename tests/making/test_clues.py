"""Grid puzzles with as few clues as possible: all boards of small sizes are tried against the rules, without any encoding."""

from dataclasses import replace
from itertools import permutations, product

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.families.grid.layer.boards import DOWN, LEFT, RIGHT, UP
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Loop, Numbers
from cnfgen_puzzles.making import clues
from cnfgen_puzzles.making.clues import clue_count, minimal_puzzle

GENRES = [name for name, module in BUILT_IN.items() if ".grid." in module and find_family(name).reducing]
SIZES = {"suguru": (3, 3), "ripple": (3, 3), "sudoku": (4, 2), "skyscrapers": (3, 3), "gokigen": (3, 3), "mashu": (4, 4),
         "stostone": (3, 4)}  # fmt: skip
KNOWN = {
    "slither": "slither/6/6/cg7163bh2a831chb3bd",
    "heyawake": "heyawake/6/6/kqmutbli3g5400221i",
    "suguru": "suguru/6/6/ddllbb05n180g3i3p5h1g2m2g5g6h",
    "tents": "tents/6/6/2j2i1hk5227721",
}


def loops(puzzle):
    """The borders of all sets of faces, as directions at each vertex."""
    height, width = puzzle.family.shape(puzzle)
    faces = list(product(range(1, height), range(1, width)))
    for values in product((False, True), repeat=len(faces)):
        inside = {face for face, value in zip(faces, values, strict=True) if value}

        def mask(r, c, inside=inside):
            a, b, d, e = ((r + i, c + j) in inside for i, j in product((0, 1), repeat=2))
            return UP * (a != b) + LEFT * (a != d) + RIGHT * (b != e) + DOWN * (d != e)

        yield tuple(tuple(mask(r, c) for c in range(width)) for r in range(height))


def fillings(puzzle):
    """All boards of values, each number once in each room, or in each row."""
    genre, cells = puzzle.family, puzzle.cells
    if isinstance(genre, Numbers):
        parts = puzzle.room_cells() if puzzle.rooms else [cells[k : k + puzzle.width] for k in range(0, len(cells), puzzle.width)]
        choices = [list(permutations(range(1, len(part) + 1))) for part in parts]
    else:
        states = genre.states if hasattr(genre, "states") else [value for value in genre.looks if value]
        parts, choices = [[cell] for cell in cells], [[(value,) for value in states]] * len(cells)
    for values in product(*choices):
        value = {cell: each for part, own in zip(parts, values, strict=True) for cell, each in zip(part, own, strict=True)}
        yield tuple(tuple(value[r, c] for c in range(puzzle.width)) for r in range(puzzle.height))


def without(puzzle, place=None):
    """The puzzle without one clue, or without all."""
    field, none = puzzle.family.clue_field, puzzle.family.without
    rows = enumerate(getattr(puzzle, field))
    kept = (tuple(none if place in (None, (r, c)) and clue != -1 else clue for c, clue in enumerate(row)) for r, row in rows)
    return replace(puzzle, **{field: tuple(kept)})


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", GENRES)
def test_small_puzzles_against_trying_all_boards(name, monkeypatch):
    genre, size = find_family(name), SIZES.get(name, (4, 3))
    monkeypatch.setattr(clues, "ROOM", 3)
    made = [minimal_puzzle(genre, *size, seed) for seed in (1, 2)]
    assert made[0] != made[1]
    for puzzle in made:
        blank = without(puzzle)
        boards = [board for board in (loops if isinstance(genre, Loop) else fillings)(puzzle) if not genre.check(blank, board)]
        assert sum(not genre.check(puzzle, board) for board in boards) == 1
        places = [place for place, clue in puzzle.given(genre.clue_field) if clue != genre.without]
        assert len(places) == clue_count(puzzle)
        for place in places:
            fewer = without(puzzle, place)
            assert fewer != puzzle and sum(not genre.check(fewer, board) for board in boards) > 1, place
    monkeypatch.setattr(clues, "SOLVER", "cadical153")
    assert [minimal_puzzle(genre, *size, seed) for seed in (1, 2)] == made, "whatever models a solver finds"


@pytest.mark.parametrize("name", KNOWN)
def test_a_seed_is_one_puzzle_on_each_machine(name):
    width, height = map(int, KNOWN[name].split("/")[1:3])
    assert find_family(name).write(minimal_puzzle(find_family(name), width, height, 1), "url") == f"{KNOWN[name]}\n"


@pytest.mark.parametrize("name", ["kurodoko", "suguru", "mashu"])
def test_clues_that_cannot_be_switched_off_make_no_difference(name, monkeypatch):
    made = minimal_puzzle(find_family(name), 6, 6, 5)
    monkeypatch.setattr(GridFormula, "each", lambda formula, clues: iter(clues))
    assert minimal_puzzle(find_family(name), 6, 6, 5) == made


def test_sizes_without_a_puzzle_and_wrong_sizes():
    assert minimal_puzzle(find_family("mashu"), 1, 1, 1) is None
    with pytest.raises(InputError, match="found the size 201x3, expected sides of at most 200 cells"):
        minimal_puzzle(find_family("slither"), 201, 3, 1)
