"""Hostile puzzles: damaged files and JSON, and huge numbers. Each is refused at once, or is a puzzle."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import INSTANCES
from smallpuzzles import small_puzzles

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.detection import detect_family

NASTY = [
    *(b"-1", b"0", b"1e30", b"inf", b"nan", b".nan", b"1_0", "\u0663".encode(), b"9" * 30, b"9" * 5000, b"1000000000", b"0x10"),
    *(b"", b" ", b"\n", b"\0", b"\xff\xfe", b"\xe9", b"\x1b[2J", b"|", b">", b"~", b"[" * 300, b"{a: " * 200, b"<a>" * 200),
    *(b'"', b"'", b"&x;", b"<!ENTITY a 'b'>", b"---", b"!!int", b"*a", b"&a", b"<<: *a", b"99999x99999", b"any", b"..", b"#"),
]
FAMILIES = [find_family(name) for name in ("nonogram", "tiling", "maze", "triddler")]
FILES = [
    *(
        (FAMILIES[0], name, {})
        for name in (
            "nonogram/heart.nin",
            "nonogram/letter-a.non",
            "nonogram/anchor.xml",
            "nonogram/key.mk",
            "nonogram/tulip.non",
            "nonogram/fish.xml",
            "nonogram/lantern.g",
        )
    ),
    *((FAMILIES[1], f"tiling/{name}", {}) for name in ("soma-cube.yaml", "tetrahexes-4x7.yaml", "two-l-trominoes.xmpuzzle")),
    (FAMILIES[2], "maze/essential-2x2.mazes", {"length": 11}),
    *((FAMILIES[3], f"triddler/{name}", {}) for name in ("star.g", "cube.xml", "fir.xml", "switching-2.g")),
]
FILES = [(family, INSTANCES / name, options) for family, name, options in FILES if (INSTANCES / name).exists()]
FILES += [
    (FAMILIES[1], path, {}) for path in sorted((INSTANCES / "tiling").glob("*.*")) if path.suffix in (".yaml", ".xmpuzzle")
][:12]


@st.composite
def damaged(draw, data):
    """The bytes with some lines removed or repeated, numbers replaced, and bytes changed."""
    choice = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(choice.randint(1, 4)):
        kind, at = choice.randrange(5), choice.randrange(max(len(data), 1))
        lines = data.split(b"\n")
        line = choice.randrange(len(lines))
        if kind == 0:
            data = data[:at] + bytes([choice.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = b"\n".join(lines[:line] + lines[line + 1 :])
        elif kind == 2:
            data = b"\n".join(lines[:line] + [lines[line]] * 2 + lines[line + 1 :])
        elif kind == 3:
            words = lines[line].split(b" ")
            words[choice.randrange(len(words))] = choice.choice(NASTY)
            data = b"\n".join([*lines[:line], b" ".join(words), *lines[line + 1 :]])
        else:
            data = data[:at] + choice.choice(NASTY) + data[at:]
    return data


@pytest.mark.filterwarnings("ignore::cnfgen_puzzles.common.errors.InputWarning")
@settings(max_examples=50, deadline=None)
@given(st.data())
def test_damaged_files_are_refused_or_puzzles(data):
    family, path, options = data.draw(st.sampled_from(FILES))
    source = open_source(path)
    try:
        puzzle = family.read(Source("damaged", data.draw(damaged(source.data)), source.suffix), **options)
    except InputError as error:
        assert "\n" not in str(error) and len(str(error)) < 1000
        return
    json.dumps(family.puzzle_to_json(puzzle))


def _places(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _places(value[key], (*path, key))


VALUES = [None, True, -1, 0, 10**30, 1.5, float("inf"), "", "x", "\ud800", [], {}, [[]], [None], {"": 1}, [1, 2, 3, 4]]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_damaged_json_raises_what_maps_expect(family):
    choice = random.Random(1)
    for puzzle in [*small_puzzles(family)[:4], *small_puzzles(family)[-2:]]:  # those in colors are the last
        entry = json.loads(json.dumps(family.puzzle_to_json(puzzle)))
        places = [path for path in _places(entry) if path]
        for _ in range(150):
            changed, (*way, last) = deepcopy(entry), choice.choice(places)
            inner = changed
            for key in way:
                inner = inner[key]
            if choice.random() < 0.2:
                del inner[last]
            else:
                inner[last] = choice.choice(VALUES)
            with suppress(KeyError, TypeError, ValueError, IndexError):
                family.puzzle_from_json(changed)
    for value in VALUES:
        with pytest.raises((KeyError, TypeError, ValueError, IndexError)):
            family.puzzle_from_json(value)


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
