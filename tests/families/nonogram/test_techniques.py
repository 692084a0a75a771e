"""Techniques: each finds only consequences of the line, the last one finds all of them; and their reasons in examples."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonogramnaive import arrangements, blocks_in
from nonogramreasons import Placements, Reasons

from cnfgen_puzzles.families.clued.puzzle import Color
from cnfgen_puzzles.families.nonogram.lines import blocks_of, narrow_line, ways
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.families.nonogram.techniques import TECHNIQUES, LineView, Words, simplest

PLAIN = Nonogram(((),), ((),))
RED_AND_BLUE = Nonogram(((),), ((),), colors=tuple(Color(name, "#000000", name[0]) for name in ("paper", "red", "blue")))
BLACK, COLORED = (Words(puzzle) for puzzle in (PLAIN, RED_AND_BLUE))


@st.composite
def lines(draw):
    """Lines in one or two colors, made of runs; each cell known, half known, or not."""
    inks = draw(st.sampled_from([1, 1, 2]))
    runs = draw(st.lists(st.tuples(st.integers(0, inks), st.integers(1, 5)), min_size=1, max_size=6))
    line = [color for color, length in runs for _ in range(length)][:18]
    allowed = [{cell} | draw(st.sampled_from([set(), set(range(inks + 1)), {draw(st.integers(0, inks))}])) for cell in line]
    return inks, line, allowed


def lost(before, after):
    """The colors that cells lose, by their places."""
    gone = [old & ~new for old, new in zip(before, after, strict=True)]
    places = {place: {color for color, mask in enumerate(gone) if mask >> place & 1} for place in range(max(gone).bit_length())}
    return {place: colors for place, colors in places.items() if colors}


@given(lines())
def test_techniques_are_sound_and_the_last_is_complete(case):
    inks, line, allowed = case
    clue = blocks_in(line)
    blocks = blocks_of([length for length, _ in clue], [color for _, color in clue])
    can = tuple(sum((color in may) << q for q, may in enumerate(allowed)) for color in range(inks + 1))
    placements = Placements(allowed, clue)
    reasons = Reasons(("white", "black") if inks == 1 else ("paper", "red", "blue"))
    fitting = [each for each in arrangements(len(line), clue) if all(c in may for c, may in zip(each, allowed, strict=True))]
    assert ways(len(line), blocks, can) == len(fitting) == placements.count
    certain = narrow_line(len(line), blocks, can)
    view = LineView(len(line), blocks, can, COLORED if inks > 1 else BLACK)
    for technique in TECHNIQUES:
        if found := technique.find(view):
            assert found.can != can and found.reason, technique.name
            for color in range(inks + 1):
                assert certain[color] & ~found.can[color] == 0, (technique.name, "too much")
                assert found.can[color] & ~can[color] == 0, (technique.name, "a color comes back")
            reasons.check(technique.name, found.reason, placements, lost(can, found.can))
    found = simplest(view)
    assert (found is None) == (certain == can)
    last = TECHNIQUES[-1].find(view)
    assert (last.can if last else can) == certain


@pytest.mark.parametrize(
    ("clue", "line", "technique", "result", "reason"),
    [
        ("", "???", "count", "...", "the clue is empty"),
        ("2", "?##??", "count", ".##..", "all 2 filled cells of the clue are known"),
        ("3", ".?.??", "count", ".#.##", "the clue needs 3 filled cells, and no more can be filled"),
        ("2 2", "??##?????", "complete", "?.##.????", "cells 3-4 are as long as any block that can lie there"),
        ("1 2 1", "??????", "only way", "#.##.#", "1 2 1 takes all 6 cells"),
        ("1 2", "?.??.?", "only way", "#.##..", "only one way is left to place 1 2"),
        (
            "4",
            "??????",
            "overlap",
            "??##??",
            "the 4 begins at cell 1 at the earliest and 3 at the latest, which covers cells 3-4",
        ),
        ("3", "????#????", "out of reach", "..??#??..", "no block can be pushed to cells 1-2, 8-9"),
        ("3", "????.?..????", "gap too small", "????....????", "the gap at cell 6 is shorter than 3, which the blocks"),
        (
            "2 1",
            "??.????.??#??",
            "too long",
            "",
            "cell 12 would make cells 11-12 one block, and none that can lie there is so long",
        ),
        (
            "3 4",
            "?#??.?????????",
            "grow",
            "?##?.?????????",
            "cell 2 belongs to a block of at least 3, which lies within cells 1-4",
        ),
        ("2 1", "????.??#??????", "arrangements", "", "all 12 ways that are left to place 2 1 agree here"),
    ],
)
def test_examples(clue, line, technique, result, reason):
    """Each technique alone, since a simpler one may find some of its results."""
    lengths = tuple(map(int, clue.split()))
    can = tuple(sum((sign in allowed) << q for q, sign in enumerate(line)) for allowed in ("?.", "?#"))
    find = next(each.find for each in TECHNIQUES if each.name == technique)
    found = find(LineView(len(line), blocks_of(lengths, (1,) * len(lengths)), can, BLACK))
    assert found is not None and reason in found.reason
    signs = {(1, 0): ".", (0, 1): "#", (1, 1): "?"}
    after = "".join(signs[found.can[0] >> q & 1, found.can[1] >> q & 1] for q in range(len(line)))
    assert after == result or not result, after
    cells = [{"?": {0, 1}, ".": {0}, "#": {1}}[sign] for sign in line]
    told = Reasons(("white", "black")), Placements(cells, [(length, 1) for length in lengths]), lost(can, found.can)
    told[0].check(technique, found.reason, *told[1:])
    number = re.compile("[0-9]+")
    weaker = technique == "grow"  # its last number: what lies within cells 1-4 lies within cells 1-5
    for place in list(number.finditer(found.reason))[: -1 if weaker else None]:
        other = number.sub(lambda one: str(int(one[0]) + 1), found.reason[place.start() :], count=1)
        with pytest.raises((AssertionError, TypeError, ValueError)):
            told[0].check(technique, found.reason[: place.start()] + other, *told[1:])


def test_equal_blocks_have_numbers():
    alike = blocks_of((2, 3, 2), (1, 1, 1))
    assert [BLACK.block(number, alike) for number in range(3)] == ["the 2 that is block 1", "the 3", "the 2 that is block 3"]
    colored = blocks_of((2, 2), (1, 2))
    assert [COLORED.block(number, colored) for number in range(2)] == ["the red 2", "the blue 2"]
    assert (COLORED.clue(colored), BLACK.clue(alike), BLACK.clue(())) == ("2 red, 2 blue", "2 3 2", "0")


def test_a_color_missing_in_the_clue_is_excluded():
    find = next(each.find for each in TECHNIQUES if each.name == "count")
    found = find(LineView(3, blocks_of((2,), (1,)), (0b111, 0b111, 0b101), COLORED))
    assert (found.can, found.reason) == ((0b111, 0b111, 0), "the clue has no blue cells")
