"""Game IDs of Simon Tatham's Portable Puzzle Collection, for games that have the rules of a genre.

    loopy:5x5t0:2b1b2b1b2b3b3b0b3     the game, its parameters, and the clues

Clues go row by row. In most games a letter from a to z is a gap of 1 to 26 cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from cnfgen_puzzles.families.links.pzpr import MOST_SIDE, NONE, UNKNOWN, Codec, Reader, Rows, Signs, Size, Spelling, cut, rooms_of
from cnfgen_puzzles.families.squares import Cell

LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIGITS = {str(digit): digit for digit in range(10)}
TO_FOUR = {str(digit): digit for digit in range(5)}


def _signs(signs: Mapping[str, int], field: str = "numbers", first: int = 10) -> Codec:
    """Numbers of one character."""
    expected = f"{'a letter for a gap, or ' * (first < 36)}one of {''.join(signs)}"
    return Signs({sign: (number,) for sign, number in signs.items()}, expected, first).of(field)


class _Numbers(Spelling):
    """Decimal numbers; an underscore stands between two of them."""

    first = 10

    def read(self, reader: Reader, sign: str) -> list[int]:
        if sign not in "_0123456789":
            raise reader.wrong(sign, "a number, a letter for a gap, or an underscore")
        reader.at -= sign != "_"
        return [] if sign == "_" else [_decimal(reader)]


def _decimal(reader: Reader) -> int:
    """A number of up to four digits; NONE for no digits."""
    found = re.compile("[0-9]{0,4}").match(reader.text, reader.at)
    digits = reader.take(len(found[0]) if found else 0)
    return int(digits) if digits else NONE


NUMBERS = _Numbers()
CLUES = {
    "loopy": _signs(TO_FOUR),
    "slant": _signs(TO_FOUR, "corners"),
    "lightup": _signs({**TO_FOUR, "B": UNKNOWN}),
    "mosaic": _signs(DIGITS),
    "pearl": _signs({"W": 1, "B": 2}),
    "bridges": _signs({**DIGITS, **{sign: 10 + k for k, sign in enumerate("ABCDEFG")}}),
    "filling": _signs(DIGITS),
    "singles": _signs({sign: k for k, sign in enumerate("0123456789" + LETTERS + LETTERS.upper())}, first=36),
    "range": NUMBERS.of("numbers"),
    "rect": NUMBERS.of("numbers"),
}
VARIANTS: Mapping[str, Mapping[str, str]] = {
    "loopy": {"t(?!0(?![0-9]))": "another tiling than squares"},
    "bridges": {"m(?!2(?![0-9]))": "another number than two bridges at most", "L": "no loops"},
    "unruly": {"(?<=[0-9])(?!u)": "lines that may be equal (no letter u)"},
}
"""The parameters of variants with other rules, and what they say."""


def read_game(game: str, params: str, start: int, reader: Reader) -> tuple[Size, dict[str, Any]]:
    """The size and the fields of a puzzle whose parameters begin at `start`; ValueError with the place of what is wrong."""
    found = re.match(r"([0-9]{1,4})(?:x([0-9]{1,4}))?(?![0-9])", params)
    if found is None or (bool(found[2]) == (game == "towers") and game != "solo"):
        raise _wrong(params, start, "SIDE" if game == "towers" else "WIDTHxHEIGHT")
    width, height = int(found[1]), int(found[2] or found[1])
    box = Size(width, height if found[2] or "j" not in params else 1)
    if game == "solo":  # the height and the width of a box, or the side of a board with boxes of other shapes
        width = height = box.height * box.width
    if not 1 <= min(width, height) <= max(width, height) <= MOST_SIDE:
        raise _wrong(found[0], start, f"sides from 1 to {MOST_SIDE}")
    for variant, rule in VARIANTS.get(game, {}).items():
        if other := re.compile(variant).search(params, found.end()):
            raise _wrong(params[other.start() :], start + other.start(), f"the usual rules: this variant has {rule}")
    size = Size(height, width)
    special: Mapping[str, Callable[[Reader, Size], dict[str, Any]]]
    special = {"tents": _tents, "towers": _towers, "galaxies": _galaxies, "unruly": _unruly}
    special = special | {"solo": partial(_solo, box=box, letters=params[found.end() :])}
    fields = special[game](reader, size) if game in special else {CLUES[game].field: CLUES[game].read(reader, size, {})}
    if reader.at < len(reader.text):
        raise reader.wrong(reader.take(), "the end, since the clues are complete")
    return size, fields


def _wrong(found: str, start: int, expected: str) -> ValueError:
    return ValueError(f"character {start + 1}: found {found!r:.40}, expected {expected}")


def _listed(reader: Reader, count: int, sign: str) -> list[int]:
    """So many numbers with this sign between them."""
    numbers = [_decimal(reader)]
    while len(numbers) < count:
        if (found := reader.take()) != sign:
            raise reader.wrong(found, f"{sign!r} between {count} numbers")
        numbers.append(_decimal(reader))
    return numbers


def _marked(reader: Reader, count: int, last: str) -> list[int]:
    """1 for each of so many places with a mark, and NONE for the others. Marks are behind gaps of 0 places (_) or 1 to 25 (a to
    y), and gaps of 25 places (z); one is behind the last place."""
    values = list[int]()
    while len(values) <= count:
        if (sign := reader.take()) not in "_" + LETTERS:
            raise reader.wrong(sign, f"a gap from a to z or _, after {len(values)} of {count} places")
        values += [NONE] * 25 if sign == "z" else [*[NONE] * ("_" + LETTERS).index(sign), 1]
    if values[count:] != [1]:
        raise reader.wrong(reader.text[reader.at - 1], f"a gap that ends at {last}")
    return values[:count]


def _tents(reader: Reader, size: Size) -> dict[str, Rows]:
    """Trees; then the numbers of the columns and of the rows."""
    count = size.height * size.width
    trees = _marked(reader, count, f"cell {count}")
    _comma(reader)
    above, left = cut(_listed(reader, size.width + size.height, ","), [size.width, size.height])
    return {"outside": (above, (NONE,) * size.width, left, (NONE,) * size.height), "numbers": size.rows(trees)}


def _towers(reader: Reader, size: Size) -> dict[str, Rows]:
    """The numbers above, below, left, and right, with slashes between them; then perhaps a comma and given numbers."""
    side, given = size.width, [NONE] * size.width**2
    outside = _listed(reader, 4 * side, "/")
    if reader.at < len(reader.text):
        if (sign := reader.take()) != ",":
            raise reader.wrong(sign, "a comma or the end")
        given = NUMBERS.take(reader, side * side)
    return {"outside": cut(outside, [side] * 4), "numbers": size.rows(given)}


def _galaxies(reader: Reader, size: Size) -> dict[str, Rows]:
    """White and black stars."""
    points = Size(2 * size.height - 1, 2 * size.width - 1)
    count = points.height * points.width
    return {"points": points.rows([*_colored(reader, count), *[0] * count][:count])}


def _unruly(reader: Reader, size: Size) -> dict[str, Rows]:
    """White and black circles, with one behind the last cell."""
    count = size.height * size.width
    if len(values := _colored(reader, count + 1, "zZ")) != count + 1:
        raise ValueError(f"found letters for {len(values)} cells, expected {count}, and one cell behind them")
    return {"numbers": size.rows(value or NONE for value in values[:count])}


def _solo(reader: Reader, size: Size, box: Size, letters: str) -> dict[str, Any]:
    """Given numbers, then with the letter j the boxes, and with k cages and their sums, each in the first cell of its cage, with
    commas between them. The letter x stands for the rule of diagonals."""
    numbers = size.rows(NUMBERS.take(reader, size.height * size.width))
    rooms: Rows = ()
    if "j" in letters:
        rooms = _blocks(reader, size)
    elif box != (2, 3) and box.height != box.width:
        rooms = size.rows(r // box.height * box.height + c // box.width for r in range(size.height) for c in range(size.width))
    sets: list[tuple[str, int, tuple[Cell, ...]]] = [("diagonals", 0, ())] * ("x" in letters)
    if "k" in letters:
        cages: dict[int, list[Cell]] = {}
        for r, row in enumerate(_blocks(reader, size)):
            for c, cage in enumerate(row):
                cages.setdefault(cage, []).append((r, c))
        _comma(reader)
        sums = size.rows(NUMBERS.take(reader, size.height * size.width))
        for cells in cages.values():
            total = sums[cells[0][0]][cells[0][1]]
            sets += [("cage", total, tuple(cells)) if total > 0 else ("different", 0, tuple(cells))]
    return {
        "numbers": numbers,
        "rooms": rooms,
        "sets": tuple(each for each in sets if each[0] != "different" or len(each[2]) > 1),
    }


def _blocks(reader: Reader, size: Size) -> Rows:
    """The parts of a square by its inner walls: those in rows, then those in columns, column by column."""
    _comma(reader)
    across = [((r, c), (r, c + 1)) for r in range(size.height) for c in range(size.width - 1)]
    places = across + [((r, c), (r + 1, c)) for c in range(size.width) for r in range(size.height - 1)]
    marks = _marked(reader, len(places), f"wall {len(places) + 1}")
    return rooms_of(size, {place for place, mark in zip(places, marks, strict=True) if mark == 1})


def _comma(reader: Reader) -> None:
    if (sign := reader.take()) != ",":
        raise reader.wrong(sign, "a comma")


def _colored(reader: Reader, count: int, gaps: str = "z") -> list[int]:
    """White (1, a to y) and black places (2, A to Y) behind gaps of 0 to 24, and gaps of 25."""
    values = list[int]()
    while reader.at < len(reader.text):
        sign = reader.take()
        if sign.lower() not in LETTERS or (sign == "Z" and sign not in gaps):
            raise reader.wrong(sign, "a letter from a to z or A to Y")
        values += [0] * 25 if sign in gaps else [*[0] * LETTERS.index(sign.lower()), 1 + sign.isupper()]
        if len(values) > count and any(values[count:]):
            raise reader.wrong(sign, f"at most {count} places")
    return values
