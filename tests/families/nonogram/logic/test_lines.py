"""One line: what the solver keeps is what some filling has, for all small lines and for many longer ones."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonogramnaive import arrangements, blocks_in, colours_by_cell, fillings

from cnfgen_puzzles.families.nonogram.logic.lines import blocks_of, narrowed, shifts


def masks(cells, colours):
    """`can` of a line whose cells may have these colours."""
    return tuple(sum((colour in allowed) << place for place, allowed in enumerate(cells)) for colour in range(colours))


def expected(lines, allowed, colours):
    """By all fillings that have the clue."""
    fitting = [line for line in lines if all(map(lambda cell, may: cell in may, line, allowed))]
    return masks(colours_by_cell(fitting), colours) if fitting else None


@pytest.mark.parametrize(("size", "colours"), [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (1, 3), (2, 3), (3, 3), (2, 4)])
def test_all_small_lines(size, colours):
    """Every clue that a line can have, and every knowledge of its cells, cells without any colour among it."""
    subsets = [{colour for colour in range(colours) if subset >> colour & 1} for subset in range(1 << colours)]
    for clue, lines in fillings(size, colours).items():
        blocks = blocks_of(*zip(*clue, strict=True)) if clue else ()
        for allowed in product(subsets, repeat=size):
            assert narrowed(size, blocks, masks(allowed, colours)) == expected(lines, allowed, colours), (clue, allowed)


@st.composite
def known_lines(draw):
    """A line that exists, and cells that may have its colours and some others: seldom contradicted, often narrow."""
    colours = draw(st.integers(2, 4))
    line = draw(st.lists(st.sampled_from([*range(colours), 0, 1]), min_size=1, max_size=14))
    others = st.sets(st.integers(0, colours - 1))
    allowed = [draw(others) | ({cell} if draw(st.integers(0, 30)) else set()) for cell in line]
    return colours, line, allowed


@given(known_lines())
def test_longer_lines(case):
    colours, line, allowed = case
    clue = blocks_in(line)
    blocks = blocks_of([length for length, _ in clue], [colour for _, colour in clue])
    assert narrowed(len(line), blocks, masks(allowed, colours)) == expected(arrangements(len(line), clue), allowed, colours)


def test_clues_too_long():
    assert narrowed(3, blocks_of((2, 1), (1, 1)), (7, 7)) is None
    assert narrowed(3, blocks_of((2, 1), (1, 2)), (7, 7, 7)) == (0, 0b011, 0b100), "blocks of two colours need no gap"
    assert narrowed(3, blocks_of((4,), (1,)), (7, 7)) is None


@given(st.integers(1, 300))
def test_shifts_make_runs(length):
    reached = 1
    for shift in shifts(length):
        reached |= reached << shift
    assert reached == (1 << length) - 1


def test_very_long_lines():
    """A thousand blocks of one in two thousand cells: one place too many, so that all can be empty and all can be filled."""
    whole = (1 << 2000) - 1
    assert narrowed(2000, blocks_of((1,) * 1000, (1,) * 1000), (whole, whole)) == (whole, whole)
    assert narrowed(1999, blocks_of((1,) * 1000, (1,) * 1000), (whole >> 1, whole >> 1)) == (
        int("10" * 999, 2),
        int("01" * 1000, 2),
    )
