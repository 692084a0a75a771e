"""Small grid puzzles, with and without solutions, so small that a test can try all their boards."""

from __future__ import annotations

from typing import Any

from cnfgen_puzzles.families.grid.layer.genre import ROWS
from cnfgen_puzzles.families.links import pzpr
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN, Size

LARGER = ("castle", "country", "lits", "mashu", "sashigane", "simpleloop", "yajilin")
"""Genres whose rules need boards of 2x3 cells or more."""
FREE = (NONE,) * 4
ROOMS = ((0, 0, 0, 0), (1, 1, 1, 2))
NUMBERS = {
    "hashikake": [((1, NONE, 1),), ((2,), (UNKNOWN,), (0,)), ((2, UNKNOWN), (NONE, UNKNOWN)), ((NONE, NONE),)],
    "numlin": [((NONE, NONE),), ((1, NONE, 1),), ((2,), (2,)), ((UNKNOWN, UNKNOWN),)],
    "sudoku": [
        (FREE, FREE), ((1, NONE, NONE, 1), FREE), ((1, 2, NONE, NONE), (NONE, 3, NONE, NONE)), (FREE[:2], (2, NONE)),
    ],
}  # fmt: skip
"""For genres whose clues need other boards: the numbers of each puzzle."""


def small_grids(genre: Any) -> list[Any]:
    """Boards of at most 2x2 cells (3x3 for `LARGER`) without clues, and with one or two in the corners."""
    if genre.name in NUMBERS:
        return [genre.puzzle(len(rows), len(rows[0]), numbers=rows) for rows in NUMBERS[genre.name]]
    if genre.name == "kakuro":
        return [
            genre.puzzle(1, 2, lists=(((), ()),), outside=((NONE, NONE), (NONE, NONE), (4,), (NONE,))),
            genre.puzzle(1, 2, lists=(((), ()),), outside=((1, NONE), (NONE, NONE), (18,), (NONE,))),
            genre.puzzle(2, 1, lists=(((0, 3),), ((),)), outside=((NONE,), (NONE,), (NONE, NONE), (NONE, NONE))),
        ]
    if genre.name == "doppelblock":
        sums = ((1,), (2,), (NONE, NONE, NONE), (1, 0, NONE))
        return [genre.puzzle(len(left), 3, numbers=(FREE[:3],) * len(left), outside=_headings(3, left)) for left in sums]
    if genre.name == "easyasabc":
        left = (((NONE, NONE), 1), ((1, 2), 2), ((2, 2), 2))
        return [genre.puzzle(2, 2, count=n, numbers=(FREE[:2],) * 2, outside=_headings(2, each)) for each, n in left]
    if genre.name == "starbattle":
        sizes = ((1, 1, ((0,),), 1), (1, 2, ((0, 1),), 1), (2, 4, ROOMS, 1), (2, 4, ROOMS, 2))
        return [genre.puzzle(*size, rooms=rooms, count=count) for *size, rooms, count in sizes]
    if genre.name == "renban":
        return [genre.puzzle(2, 2, rooms=((0, 1), (0, 1)), numbers=((n, NONE), (NONE, NONE))) for n in (1, 2)]
    found = [_cornered(genre, *each) for each in ((1, 2, NONE, NONE), (2, 1, NONE, 1), (2, 2, NONE, 2), (2, 2, 1, 1))]
    if genre.name in ("curving", "tents"):
        return [puzzle for puzzle in found if max(map(max, puzzle.numbers)) < 2]
    if genre.name == "firefly":
        return [*found, genre.puzzle(1, 2, numbers=((0, UNKNOWN),), arrows=((4, 0),))]
    if genre.name == "roma":
        return [*found, genre.puzzle(2, 2, rooms=((0, 0), (1, 1)), numbers=((5, NONE), (NONE, NONE)))]
    if genre.name == "hakoiri":
        return [*found, genre.puzzle(1, 3, rooms=((0, 0, 0),), numbers=((2, NONE, UNKNOWN),))]
    if genre.name == "shakashaka":
        return [*found, genre.puzzle(2, 2, numbers=(FREE[:2],) * 2)]
    if genre.kind == "division" and genre.name not in ("compass", "tentaisho"):
        free, two = (UNKNOWN, NONE), (NONE, UNKNOWN)
        return [*found, genre.puzzle(1, 2, numbers=(free,)), genre.puzzle(2, 2, numbers=(free, two))]
    return found


def _headings(width: int, left: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Clues to the left of the board only."""
    return (NONE,) * width, (NONE,) * width, left, (NONE,) * len(left)


def _cornered(genre: Any, height: int, width: int, first: int, last: int) -> Any:
    """A board with these clues in its first and its last corner, in each field that addresses of the genre have."""
    fields = {field for codec in genre.url for field in (codec.field, *codec.more)}
    size = Size(height + (genre.name in LARGER), width + (genre.name in LARGER))
    height, width = size
    widths = {field: pzpr.widths_of(field, size) for field in ROWS}
    numbers, corners = ([NONE] * sum(widths[field]) for field in ("numbers", "corners"))
    points = [0] * sum(widths["points"])
    numbers[-1] = NONE if pzpr.ROOM_NUMBERS in genre.url else last
    numbers[0] = corners[width + 1] = first
    corners[2 * width + 1] = last
    points[0] = max(first, 0)
    points[(height - 1) * (2 * width - 1) + width - 1] = max(last, 0)
    behind = (1, 3) if pzpr.HEADINGS in genre.url else ()
    pair = (NONE,) * next((more for codec, more in ((pzpr.NUMBER_PAIRS, 1), (pzpr.FOUR_WAYS, 3)) if codec in genre.url), 0)
    parts = {
        "outside": tuple((NONE,) * n if k in behind else (first, *[last] * (n - 1)) for k, n in enumerate(widths["outside"])),
        "between": tuple((last, *[first] * (n - 1))[:n] for n in widths["between"]),
        "numbers": size.rows(numbers),
        "rooms": ((0, *[int(last == 2)] * (width - 1)),) * height,
        "arrows": size.rows(3 * (number > 0) for number in numbers),
        "marks": size.rows(int(number == 2) for number in numbers),
        "corners": pzpr.cut(corners, widths["corners"]),
        "lists": pzpr.cut(((number, *pair) if number != NONE else () for number in numbers), widths["lists"]),
        "count": 1,
        "bank": ("11g",) * (last == 2),
        "points": pzpr.cut(points, widths["points"]),
    }
    return genre.puzzle(*size, **{name: rows for name, rows in parts.items() if name in fields})
