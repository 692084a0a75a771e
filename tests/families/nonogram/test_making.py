"""The causes of ambiguity of a picture, compared with all pictures of a size and with a line solver by brute force."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonogramnaive import blocks_in, count, fillings

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.nonogram.lines import propagate
from cnfgen_puzzles.families.nonogram.making import MAKING, TRIES, nearest_arrangement, windows
from cnfgen_puzzles.making.hitting import FewestChanges, Maker, change_cells, differences, places_of

FAMILY = find_family("nonogram")
VALUES = ("#ffffff", "#ff0000", "#0000ff")
NEVER = 1e12
"""A deadline that is never reached."""
blocks = cache(blocks_in)


def clues(picture):
    return tuple(map(blocks, picture)), tuple(map(blocks, zip(*picture, strict=True)))


def pictures(height, width, inks=1):
    """All pictures of a size."""
    return product(product(range(inks + 1), repeat=width), repeat=height)


@cache
def unique_pictures(height, width, inks=1):
    """The pictures with one solution, by the clues of all pictures."""
    every = {picture: clues(picture) for picture in pictures(height, width, inks)}
    times = Counter(every.values())
    return {picture for picture, its in every.items() if times[its] == 1}


def left_open(picture, inks=1):
    """The cells that stay open after complete line logic by brute force, which shares no code with the tested code."""
    height, width = len(picture), len(picture[0])
    can = {place: set(range(inks + 1)) for place in product(range(height), range(width))}
    rows, columns = clues(picture)
    lines = [([(r, c) for c in range(width)], rows[r]) for r in range(height)]
    lines += [([(r, c) for r in range(height)], columns[c]) for c in range(width)]
    before = None
    while can != before:
        before = dict(can)
        for places, clue in lines:
            fitting = [
                line
                for line in fillings(len(places), inks + 1)[clue]
                if all(value in can[place] for place, value in zip(places, line, strict=True))
            ]
            can.update(zip(places, map(set, zip(*fitting, strict=True)), strict=True))
    return {place for place, values in can.items() if len(values) > 1}


def distance(picture, others):
    """The least number of cells in which another picture differs."""
    cells = tuple(value for row in picture for value in row)
    nearest = len(cells)
    for other in others:
        nearest = min(nearest, sum(map(int.__ne__, cells, chain.from_iterable(other))))
    return nearest


def maker(picture, *, inks=1, line_solvable=False, deadline=NEVER):
    picture = picture if inks > 1 else tuple(tuple(map(bool, row)) for row in picture)
    return Maker(FAMILY, MAKING, picture, VALUES[: inks + 1] if inks > 1 else (), line_solvable, deadline)


def search(picture, **how):
    """The original picture, the picture that is found, and the message about it."""
    made = maker(picture, **how)
    with made.least:
        return made, *made.search(1e9)


def drawn(*rows):
    return tuple(tuple(int(sign == "#") for sign in row) for row in rows)


def grids(height, width, inks=1):
    return st.tuples(*[st.tuples(*[st.integers(0, inks)] * width)] * height)


# -- the fewest changes, and no fewer -------------------------------------------------------------------------------------


@pytest.mark.parametrize("height, width, inks", [(3, 4, 1), pytest.param(4, 4, 1, marks=pytest.mark.release), (3, 3, 2)])
def test_the_number_of_changes_is_minimal(height, width, inks):
    unique = unique_pictures(height, width, inks)
    ambiguous = [picture for picture in pictures(height, width, inks) if picture not in unique]
    assert ambiguous
    for picture in ambiguous[:: max(len(ambiguous) // 12, 1)]:
        made, board, how = search(picture, inks=inks)
        assert how == "fewest"
        assert tuple(tuple(map(int, row)) for row in board) in unique
        assert len(differences(made.picture, board)) == made.bound == distance(picture, unique)


SWITCHES = drawn("#......", ".#.....", ".......", "..##...", ".......", ".....#.", "......#")
BLOB = drawn("......", ".###..", ".####.", "..###.", "......", "#.....")


def test_two_changes_where_no_single_one_suffices():
    """Two cells can be flipped in two corners; solutions are counted independently."""
    made, board, how = search(picture := SWITCHES)
    assert (how, len(differences(made.picture, board))) == ("fewest", 2)
    assert counted(board) == 1
    assert all(counted(change_cells(picture, {(r, c): 1 - picture[r][c]})) > 1 for r, c in places_of(picture))


def counted(picture):
    return count(*([[length for length, _ in clue] for clue in lines] for lines in clues(picture)))


def test_the_numbers_of_unique_pictures_are_those_published():
    """OEIS A242876, with which the tests above are compared."""
    assert [len(unique_pictures(n, n)) for n in (1, 2, 3)] == [2, 14, 384]


def test_line_solvable_by_the_fewest_changes():
    """4x4: all pictures that differ in one or two cells, each by a line solver that uses brute force."""
    ambiguous = [each for each in pictures(4, 4) if sum(map(sum, each)) == 6][::100]
    ambiguous = [picture for picture in ambiguous if left_open(picture)][:12]
    for picture in ambiguous:
        made, board, how = search(picture, line_solvable=True)
        assert how == "fewest" and not left_open(board)
        for number in range(made.bound):
            for cells in combinations(places_of(picture), number):
                assert left_open(change_cells(picture, {(r, c): 1 - picture[r][c] for r, c in cells}))
    assert len(ambiguous) > 5


@settings(max_examples=15)
@given(grids(5, 6))
def test_where_the_fewest_take_too_long(picture):
    """Changes are added and unnecessary ones removed: the result is unique, and no subset of the changes suffices."""
    made = maker(picture)
    with made.least:
        board, how = made.smallest_part(made.repair(made.picture))
        assert how == "minimal" and not made.flaws(board)
        changes = differences(made.picture, board)
        for number in range(len(changes)):
            for part in combinations(changes.items(), number):
                assert made.flaws(change_cells(made.picture, dict(part)))


def test_the_least_visible_changes_are_selected():
    """Two cells that can be flipped, next to a blob: one of the least visible sufficient changes is selected."""
    made = maker(picture := BLOB)
    with made.least:
        board, how = made.search(1e9)
        assert how == "fewest" and len(differences(made.picture, board)) == 1
        shown = max(made.dislike(choice) for choice in differences(made.picture, board).items())
        single = [choice for place in places_of(picture) for choice in made.others(made.picture, place)]
        right = [choice for choice in single if not made.flaws(change_cells(made.picture, dict([choice])))]
    assert shown == min(map(made.dislike, right)) < max(map(made.dislike, right))


# -- flaws ----------------------------------------------------------------------------------------------------------------


@given(st.data())
def test_windows_can_be_exchanged_anywhere(data):
    """Exchanging the content of a window does not change the clue, for any cells around it."""
    line = data.draw(st.tuples(*[st.integers(0, 2)] * 9))
    same = [other for other in fillings(9, 3)[blocks(line)] if other != line]
    if not same:
        return
    other = data.draw(st.sampled_from(same))
    around = data.draw(st.tuples(*[st.integers(0, 2)] * 9))
    told = list(windows(line, other))
    assert {q for q in range(9) if line[q] != other[q]} <= {q for window in told for q in window}
    for window in told:
        here, there = (tuple(source[q] if q in window else around[q] for q in range(9)) for source in (line, other))
        assert blocks(here) == blocks(there)


@given(st.data())
def test_a_flaw_is_one_of_every_picture_that_agrees(data):
    """A picture that agrees in the decisive cells has another solution: that with the differing cells exchanged."""
    inks = data.draw(st.sampled_from([1, 2]))
    picture = data.draw(grids(4, 5, inks))
    made = maker(picture, inks=inks)
    with made.least:
        for flaw in made.flaws(made.picture):
            around = data.draw(grids(4, 5, inks))
            agrees = tuple(tuple(picture[r][c] if (r, c) in flaw.decisive else around[r][c] for c in range(5)) for r in range(4))
            again = maker(agrees, inks=inks)
            with again.least:
                assert again.flaws(again.picture)
            if inks == 1:
                exchanged = change_cells(agrees, {(r, c): 1 - agrees[r][c] for r, c in flaw.differing})
                assert clues(exchanged) == clues(agrees) and exchanged != agrees


@settings(max_examples=200)
@given(st.data())
def test_stuck_cells_are_stuck_in_every_picture_that_agrees(data):
    """In several colors, a cell can be stuck in one color: its row allows a color and its column another, so it stays open."""
    inks = data.draw(st.sampled_from([1, 2, 2]))
    picture = data.draw(grids(3, 4, inks) if inks > 1 else grids(4, 5))
    height, width = len(picture), len(picture[0])
    found = MAKING.stuck(picture, MAKING.puzzle(picture, VALUES[: inks + 1] if inks > 1 else ()))
    assert bool(found) == bool(left_open(picture, inks))
    for flaw in found:
        around = data.draw(grids(height, width, inks))
        agrees = tuple(
            tuple(picture[r][c] if (r, c) in flaw.decisive else around[r][c] for c in range(width)) for r in range(height)
        )
        assert flaw.differing <= left_open(agrees, inks)


@given(grids(5, 6))
def test_a_stuck_part_has_no_smaller_one(picture):
    """Given any of its cells, and all cells outside, line logic solves the part, unless it is very large."""
    puzzle = MAKING.puzzle(picture)
    for flaw in (flaw for flaw in MAKING.stuck(picture, puzzle) if len(flaw.differing) <= TRIES):
        for given_too in flaw.differing:
            known = tuple(
                tuple(None if (r, c) in flaw.differing - {given_too} else value for c, value in enumerate(row))
                for r, row in enumerate(picture)
            )
            assert propagate(puzzle, known).solved


@given(grids(5, 6), st.integers(0, 4), st.integers(0, 5))
def test_open_cells_after_a_change(picture, row, column):
    """An estimate, which is exact if lines determine no less of the changed picture than of this one."""
    value = 1 - picture[row][column]
    guessed = MAKING.left_after(picture, MAKING.puzzle(picture))((row, column), value)
    after = left_open(change_cells(picture, {(row, column): value}))
    if after <= left_open(picture) | {(row, column)}:
        assert guessed == len(after)
    assert 0 <= guessed <= 30


@given(st.tuples(*[st.integers(0, 2)] * 7), st.data())
def test_the_closest_arrangement(line, data):
    can = [data.draw(st.integers(0, 127)) | sum((value == ink) << q for q, value in enumerate(line)) for ink in range(3)]
    turned, color = data.draw(st.integers(0, 6)), data.draw(st.integers(0, 2))
    fitting = [
        other
        for other in fillings(7, 3)[blocks(line)]
        if other[turned] == color and all(can[value] >> q & 1 for q, value in enumerate(other))
    ]
    if not fitting:
        return
    nearest = tuple(nearest_arrangement(line, can, turned, color))
    assert nearest in fitting
    assert sum(a != b for a, b in zip(nearest, line, strict=True)) == min(
        sum(a != b for a, b in zip(other, line, strict=True)) for other in fitting
    )


def test_disallowed_cells_are_not_changed():
    picture = ((1, 0), (0, 1))
    with FewestChanges(picture, [((0, 1), 1)]) as least:
        made = maker(picture)
        with made.least:
            least.forbid(made.picture, made.flaws(made.picture))
        assert least.solve(60) == {(0, 1): 1} and least.bound == 1
        assert least.allows(change_cells(picture, {(0, 1): 1})) and not least.allows(picture)
