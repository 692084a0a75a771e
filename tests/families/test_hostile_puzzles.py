"""Hostile puzzles: huge numbers and files are refused at once (tests/fuzz has damaged files and JSON)."""

from __future__ import annotations

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.detection import detect_family

FAMILIES = [find_family(name) for name in ("nonogram", "tiling", "maze", "triddler")]


def drawing(rows, columns):
    return "\n".join(["      " + "X" * columns] * rows)


HUGE = {
    "a board of 10^9 x 10^9": {"board": "1000000000x1000000000", "pieces": "domino"},
    "20,000 boards": {"board": "+".join(["1x1"] * 20_000), "pieces": "domino: any"},
    "every octomino on 100,000 cells": {"board": "300x333", "pieces": "octominoes"},
    "10^12 dominoes": {"board": "6x10", "pieces": "1000000000000*domino"},
    "as many pieces as letters": {"board": "6x10", "pieces": ",".join(["domino"] * 200_000)},
    "a box of 10^18 cells": {"board": "6x10", "pieces": "999999999x999999999"},
}


@pytest.mark.parametrize("options", HUGE.values(), ids=HUGE)
def test_errors_for_large_input_name_the_limit(options):
    family = FAMILIES[1]
    with pytest.raises(InputError, match=r"CNFGEN_INPUT_LIMITS=\w+=\d+ raises it"):
        assert family.read(None, **options).placements


def test_a_raised_limit_has_effect():
    with other_input_limits(cells=9):
        with pytest.raises(
            InputError, match="a board of 12 cells; the limit 'cells' is 9, CNFGEN_INPUT_LIMITS=cells=12 raises it"
        ):
            FAMILIES[1].read(None, board="3x4", pieces="domino: any")
        assert len(FAMILIES[1].read(None, board="3x3", pieces="domino: any").board) == 9
    with other_input_limits(steps=100), pytest.raises(InputError, match="the limit 'steps' is 100"):
        assert FAMILIES[1].read(None, board="6x10", pieces="pentominoes").placements


@pytest.mark.parametrize("number", ["inf", "nan", "1e3", "1_0", "\u0663", "1" * 5000, "-1", "", "0x10"])
@pytest.mark.parametrize(
    "name, option",
    [("nonogram", "density"), ("nonogram", "smooth"), ("tiling", "copies"), ("maze", "length"), ("triddler", "smooth")],
)
def test_numbers_of_generators(name, option, number):
    generator = {"nonogram": "blobs", "tiling": "cut", "maze": "subset", "triddler": "blobs"}[name]
    with pytest.raises(InputError) as caught:
        find_family(name).generate(generator, 1, **{option: number})
    assert len(str(caught.value)) < 200


def test_generators_refuse_too_much_work_before_they_start():
    for family, name, options in (
        (FAMILIES[0], "blobs", {"size": "1000x1000", "smooth": 100}),
        (FAMILIES[1], "cut", {"copies": 1000}),
        (FAMILIES[3], "blobs", {"sides": "400", "smooth": 100}),
        (FAMILIES[1], "region", {"copies": 1000, "compact": 1000}),
    ):
        with pytest.raises(InputError, match="the limit 'steps'"):
            family.generate(name, 1, **options)


def test_a_large_piece_in_a_large_board():
    text = f"size: 60x60\npieces:\n  - name: square\n    art: |\n{drawing(50, 50)}\n"
    puzzle = FAMILIES[1].read(Source("large", text.encode()))
    assert len(puzzle.placements) == 11 * 11
    place = " ".join(f"{r},{c}" for r in range(50) for c in range(50))
    pinned = FAMILIES[1].read(Source("pinned", f"size: 60x60\npieces:\n  - name: square\n    pinned: {place}\n".encode()))
    assert len(pinned.placements) == 1


@pytest.mark.parametrize("suffix", [".g", ".nin", ".mk", ".cwd", ".non", ".xml", ".yaml", ".mazes", ".txt", ".url", ".json", ""])
@pytest.mark.parametrize("family", [None, *FAMILIES])
def test_long_lines_and_large_files_are_refused_before_they_are_parsed(suffix, family):
    """Parsers take up to half a microsecond for each byte."""
    with other_input_limits(line=100, puzzle=1000):
        for data, found in (
            (b"5 5\n" + b"0" * 101 + b"\n1\n", "a line of 101 bytes in a puzzle file"),
            (b"0\n" * 501, "1002 bytes in a puzzle file"),
        ):
            source = Source(f"x{suffix}", data, suffix)
            with pytest.raises(InputError, match=f"found {found}; the limit '\\w+' is"):
                detect_family(source) if family is None else family.formats.read_puzzle(source)
