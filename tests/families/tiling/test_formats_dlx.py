"""The exact cover text describes the same puzzle: an independent reader counts the covers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from tilingbrute import count
from tilingcases import puzzles, source

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.tiling.formats import FORMATS, read_puzzle, write_puzzle
from cnfgen_puzzles.families.tiling.options import puzzle_from_options


def covers(text: str) -> int:
    """The number of covers of a problem as Knuth's programs read it, multiplicities included."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("|")]
    bounds: dict[str, tuple[int, int]] = {}
    primary = True
    for token in lines[0]:
        if token == "|":
            primary = False
            continue
        limits, _, name = token.rpartition("|")
        low, _, high = limits.rpartition(":")
        most = int(high or 1)
        assert name not in bounds
        assert len(name) <= 8
        assert not set(name) & set(":|")
        bounds[name] = (int(low or most) if primary else 0, most)
    first_secondary = lines[0].index("|") if "|" in lines[0] else len(lines[0])
    primary_names = set(list(bounds)[:first_secondary])
    for option in lines[1:]:
        assert set(option) <= bounds.keys()
        assert set(option) & primary_names, "every option needs a primary item"

    used = Counter()

    def search(start: int) -> int:
        if start == len(lines):
            return all(used[name] >= least for name, (least, _) in bounds.items())
        found = search(start + 1)
        if all(used[name] < bounds[name][1] for name in lines[start]):
            used.update(lines[start])
            found += search(start + 1)
            used.subtract(lines[start])
        return found

    return search(1)


@settings(max_examples=30, deadline=None)
@given(puzzles())
def test_covers_are_solutions(puzzle):
    assume(0 < len(puzzle.placements) <= 12)
    try:
        text = write_puzzle(puzzle, "dlx")
    except InputError as error:
        assert "fit on the board" in error.message
        assert count(puzzle) == 0
        return
    assert covers(text) == count(puzzle)
    assert [entry.name for entry in FORMATS.values() if entry.recognise(text)] == ["dlx"]


@pytest.mark.parametrize(
    ("options", "head"),
    [
        ({"board": "6x10", "pieces": "pentominoes"}, "F I L N P T U V W X Y Z 0,0 0,1 "),
        ({"board": "2x2", "pieces": "domino: any"}, "0,0 0,1 1,0 1,1"),
        (
            {"board": "2x4", "pieces": "domino: 1..2, L tetromino", "optional": "0,0"},
            "1:2|domino L 0,1 0,2 0,3 1,0 1,1 1,2 1,3 | 0,0",
        ),
        ({"board": "1x3", "pieces": "domino: any", "optional": "all"}, "0:1|domino | 0,0 0,1 0,2"),
        (
            {"board": "3x12", "pieces": "hexiamonds"},
            "Bar P2 Chevron Crook Crown Hexagon Hook Lobster Signpost Snake Sphinx Yacht 0,1 0,3 ",
        ),
    ],
)
def test_items(options, head):
    lines = write_puzzle(puzzle_from_options(**options), "dlx").splitlines()
    assert lines[0].startswith("| ")
    items = next(line for line in lines if not line.startswith("|"))
    assert items.startswith(head)
    assert len(lines) - lines.index(items) - 1 == len(puzzle_from_options(**options).placements)


def test_what_cannot_be_written_or_read():
    with pytest.raises(InputError, match="no piece that fits"):
        write_puzzle(puzzle_from_options(board="2x2", pieces="I pentomino"), "dlx")
    with pytest.raises(InputError, match="expected a format that can be read"):
        read_puzzle(source("| a cover\na b\na b\n", ".dlx"))
    with pytest.raises(InputError, match="fit on the board"):
        write_puzzle(puzzle_from_options(board="2x2", pieces="domino: at least 3, monomino: any"), "dlx")


def test_documentation_example(request):
    page = (request.config.rootpath / "docs" / "formats-tiling.md").read_text(encoding="utf-8")
    text = page[page.index("| two L") :]
    text = text[: text.index("```")]
    puzzle = read_puzzle(source("title: two L trominoes\nsize: 2x3\npieces: [{piece: L tromino, count: 2}]\n"))
    assert write_puzzle(puzzle, "dlx") == text
    assert covers(text) == 2
