"""Files of pzpr (`pzprv3`): the genre, the height, the width, then sections of rows, clues first, the answer last.

The first line is `pzprv3`, or `pzprv3.1` and `pzprv3.2` for later layouts of some genres; each genre lists its layouts, and the
last one is written.

    pzprv3
    nurikabe
    5
    5
    . 5 . . .
    ...

A section reads its rows into fields of the puzzle, and the answer into `board`, the values of cells (None: not known), and
`parts`, how many lines or borders are between two neighbors. It writes both from the same fields. A place whose value the clues
tell has no value in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

from cnfgen_puzzles.common.addresses import ALIASES
from cnfgen_puzzles.families.links.pieces import checked_piece
from cnfgen_puzzles.families.links.pzpr import (
    ANY,
    ARROW_DOWN,
    ARROW_LEFT,
    ARROW_RIGHT,
    ARROW_UP,
    BLACK,
    MOST_SIDE,
    NONE,
    UNKNOWN,
    Size,
    cut,
    sides,
    walled_rooms,
    walls_in,
    widths_of,
)

Tokens = list[list[str]]
Written = Sequence[list[str] | str]
"""Rows of tokens, and lines without a blank at the end."""
Layout = Sequence["Section"]
Widths = Callable[[Size], list[int]]
FLAG_LINES = {"country_empty": "e"}
"""The lines of variants that have another name than their flag."""
SQUARE = ("sudoku",)
"""The genres whose files have one side, for both."""


@dataclass(frozen=True)
class Section:
    """Lines of `widths(size)` tokens: `read(tokens, size, found)` adds to `found`, `write(found, size)` gives the tokens."""

    widths: Widths
    read: Callable[[Tokens, Size, dict[str, Any]], None]
    write: Callable[[dict[str, Any], Size], Written]
    more: Callable[[str], int] = lambda line: 0
    """How many lines of one token follow, by the first line."""


VERSION = re.compile("pzprv3(?:[.]([0-9]))?")


def read_file(text: str, name: str, layouts: Sequence[Layout], variants: Mapping[str, str] = {}) -> tuple[Size, dict[str, Any]]:
    """The size and what the sections hold; ValueError with the line of what is wrong. `variants` has the flags of variants of the
    genre, which have a separate line; that of the puzzle is in `variant`."""
    lines = [line.strip() for line in text.strip().split("\n")]
    if lines[0].startswith("v:"):
        raise ValueError(f"line 1: found the variant {lines[0]!r:.40} of {name}, whose rules are others")
    at = 3 if name in SQUARE else 4
    sides = lines[2:at]
    version = VERSION.fullmatch(lines[0])
    if (
        version is None
        or [ALIASES.get(line, line) for line in lines[1:2]] != [name]
        or len(lines) < at
        or not all(side[:9].isdecimal() for side in sides)
    ):
        wanted = "the side" if name in SQUARE else "the height, and the width"
        raise ValueError(f"found {lines[:at]!r:.200}, expected pzprv3, {name}, {wanted}, a line each")
    size, found = Size(int(sides[0][:9]), int(sides[-1][:9])), dict[str, Any]()
    if not 1 <= min(size) <= max(size) <= MOST_SIDE:
        raise ValueError(f"found a board of {size.width}x{size.height} cells, expected sides from 1 to {MOST_SIDE}")
    if int(version[1] or 0) >= len(layouts):
        raise ValueError(
            f"line 1: found {lines[0]}, expected pzprv3{f' to pzprv3.{len(layouts) - 1}' * (len(layouts) > 1)} for {name}"
        )
    layout = layouts[int(version[1] or 0)]
    flag = FLAG_LINES.get(lines[at], lines[at]) if lines[at:] else ""
    if flag in variants:
        found["variant"], lines[at] = flag, ""
        at += layout[0] is not FLAGS
    for section in layout:
        if at >= len(lines):
            break  # a file without an answer
        widths = section.widths(size) + [1] * section.more(lines[at])
        rows = [line.split() for line in lines[at : at + len(widths)]]
        if len(rows) < len(widths):
            raise ValueError(f"found {len(lines)} lines, expected at least {at + len(widths)}")
        for number, (row, width) in enumerate(zip(rows, widths, strict=True), start=at + 1):
            if len(row) != width:
                raise ValueError(f"line {number}: found {len(row)} entries, expected {width}")
        try:
            section.read(rows, size, found)
        except ValueError as error:
            raise ValueError(f"lines {at + 1} to {at + len(widths)}: {error}") from None
        at += len(widths)
    return size, found


Answer = tuple[tuple[int, ...], ...]
"""Values of cells (row, column, value) and lines or borders between neighbors (rows and columns of both, how many)."""


def answer_in(found: dict[str, Any]) -> Answer:
    """The known parts of the answer that the sections found, which are removed."""
    rows = enumerate(found.pop("board", ()))
    parts = {(r, c): value for r, row in rows for c, value in enumerate(row) if value is not None} | found.pop("parts", {})
    return tuple(sorted((*place, value) for place, value in parts.items()))


def write_file(name: str, size: Size, found: dict[str, Any], layouts: Sequence[Layout], answer: Answer = ()) -> str:
    """The text that `read_file` reads."""
    if name in SQUARE and size.height != size.width:
        raise ValueError(f"found a board of {size.width}x{size.height} cells, expected a square, which such files have")
    values = {part[:-1]: part[-1] for part in answer}
    board = cut([values.get(cell) for cell in product(*map(range, size))], [size.width] * size.height)
    version = f".{len(layouts) - 1}" * (len(layouts) > 1)
    rows = [row for section in layouts[-1] for row in section.write({**found, "board": board, "parts": values}, size)]
    sides = map(str, size[:1] if name in SQUARE else size)
    lines = [row if isinstance(row, str) else " ".join(row) + " " for row in rows]
    variant = found.get("variant", "")
    if variant and layouts[-1][0] is FLAGS:
        lines[0] = next(line for line, flag in FLAG_LINES.items() if flag == variant)
    elif variant:
        lines.insert(0, variant)
    return "\n".join([f"pzprv3{version}", name, *sides, *lines, ""])


def each(
    fields: str,
    signs: Mapping[str, Any],
    expected: str,
    read: Callable[[str], Any] | None = None,
    write: Callable[..., str] = lambda *values: ".",
) -> Section:
    """A token for each place: one of the signs of a value in the field, or of values in several (of signs with the same values,
    the first is written), or `read(token)` is the value, or the values, and `write(*values)` the token. The field `lines` has the
    numbers of lines or borders between neighbors, which are parts of the answer."""
    names = fields.split()
    sign_of = {values: sign for sign, values in reversed([*signs.items()])}

    def widths(size: Size) -> list[int]:
        return widths_of(names[0], size)

    def value(token: str, place: str) -> Any:
        try:
            found = signs[token] if token in signs or read is None else read(token)
            return found if len(names) == 1 else [found[k] for k in range(len(names))]
        except (ValueError, IndexError, KeyError):
            where = "" if "lines" in names else f" in {place}"  # such rows may be in another order
            raise ValueError(f"found {token!r}{where}, expected {expected}") from None

    def take(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        places = [[value(token, f"row {r}, column {c}") for c, token in enumerate(row, 1)] for r, row in enumerate(rows, 1)]
        for k, name in enumerate(names):
            found[name] = tuple(tuple(values[k] if len(names) > 1 else values for values in row) for row in places)
        if "lines" in names:
            pairs = zip(sides(size), chain(*found.pop("lines")), strict=True)
            found["parts"] = {(*a, *b): count for (a, b), count in pairs if count is not None}

    def token_of(*values: Any) -> str:
        """The sign of a clue does not depend on a value of the answer in its cell."""
        wanted = (values, (values[0], None)) if len(names) > 1 else values
        return next((sign_of[each] for each in wanted if each in sign_of), None) or write(*values)

    def give(found: dict[str, Any], size: Size) -> Tokens:
        if "lines" in names:
            found = {**found, "lines": cut((found["parts"].get((*a, *b)) for a, b in sides(size)), widths(size))}
        fields = [found.get(name) or [[NONE] * width for width in widths(size)] for name in names]
        return [[token_of(*values) for values in zip(*rows, strict=True)] for rows in zip(*fields, strict=True)]

    return Section(widths, take, give)


def _number(token: str) -> int:
    if token not in (".", "-", "-2") and not (token.isascii() and token.isdecimal()):
        raise ValueError(f"found {token!r}, expected a number, . or -")
    return {".": NONE, "-": UNKNOWN}.get(token) or int(token)


def number_token(number: int, *others: Any) -> str:
    return {NONE: ".", UNKNOWN: "-"}.get(number, str(number))


def clues(signs: Mapping[str, int], field: str = "numbers") -> Section:
    """Numbers, and signs of other clues."""
    return each(field, signs, "a number, . or -", _number, number_token)


def mixed(signs: Mapping[str, tuple[int, Any]], fields: str = "numbers board", other: int | None = None) -> Section:
    """Numbers, and signs of other clues or of values of cells without one."""
    return each(fields, signs, "a number, . or -", lambda token: (_number(token), other), number_token)


CLUES, CORNERS = clues({}), clues({}, "corners")
HOLED_CLUES = clues({"*": BLACK})
"""Numbers, and cells that are no part of the board."""
COLORED_NUMBERS = each(
    "numbers",
    {".": NONE},
    "a color (0 or 1), a comma, and a number, or .",
    lambda token: 2 * max(int(token[2:]), 0) + ("0,", "1,").index(token[:2]),
    lambda n: f"{n % 2},{n // 2 or UNKNOWN}",
)
"""Twice the number, or 0 for none, and 1 more in a black circle."""
CIRCLED_ARROWS = each(
    "numbers",
    {"1": ARROW_UP, "2": ARROW_DOWN, "3": ARROW_LEFT, "4": ARROW_RIGHT, ".": NONE, "-": ANY, "o": UNKNOWN},
    "a number behind an o, an arrow from 1 to 4, o, . or -",
    lambda token: int(token.removeprefix("o")),
    lambda number: f"o{number}",
)
MARKS = each("marks", {"*": 1}, "*, or .", lambda token: 0)
STATES = {"#": 1, "+": 0, ".": None}
"""A shaded cell, one that is marked as unshaded, and one that is not known."""
SHADES = each("board", STATES, "#, + or .")


def _marked(shaded: str) -> Section:
    """Shades with another sign, or with marks of the player for clues that are done or wrong."""
    states = {**dict.fromkeys(".-cox"), shaded: 1, **dict.fromkeys(["+", "+o", "+x"], 0)}
    return each("board", states, f"{shaded}, + or .")


MARKED_SHADES, ONE_SHADES = _marked("#"), _marked("1")


def values(zero: str = "", none: str = ".", given: Callable[[int], bool] = lambda clue: clue >= 0) -> Section:
    """Numbers, and in some genres a sign for cells without one. A cell whose clue is given has no value."""

    def read(token: str) -> int | None:
        digits = token.partition("[")[0]  # what the player has noted
        return 0 if token == zero else (int(digits) or None) if digits.isascii() and digits.isdecimal() else None

    def write(value: int | None, clue: int) -> str:
        return "." if given(clue) else str(value) if value else zero if value == 0 and zero else none

    return replace(each("board", {}, "", read), write=each("board numbers", {}, "", write=write).write)


VALUES, FILLED_VALUES, DOTTED_VALUES = values(), values("-"), values("+")
"""Numbers, and cells that are marked as empty, by a minus sign or a plus sign."""
TRIANGLES = values("+", given=lambda clue: clue != NONE)
SHADED_CLUES = mixed({sign: (NONE, shade) for sign, shade in STATES.items()})
"""Clues, and shades in the cells without one."""
FUTONS = each(
    "numbers board",
    {".": (NONE, None), "-": (NONE, None), "5": (UNKNOWN, None), **{sign: (NONE, n) for n, sign in enumerate("#abcdefghij", 1)}},
    "a number to 5, a letter to j, #, - or .",
    lambda token: (int(token), None),
    number_token,
)
"""Numbers to 4, 5 for a question mark, aisles (#), and halves of futons."""
SHADED_LISTS = each(
    "lists board",
    {sign: ((), shade) for sign, shade in STATES.items()},
    "numbers with commas, #, + or .",
    lambda token: (tuple(map(_number, token.split(","))), None),
    lambda numbers, shade: ",".join(map(number_token, numbers)),
)
DISCS = each(
    "numbers board",
    {"#": (1, 2), "%": (1, 1), "o": (1, None), ".": (NONE, None), "+": (NONE, None)},
    "#, %, o, + or .",
)
"""Circles: black, white, or not known; a point or a plus sign where there is none."""
BETWEEN = each("between", {"0": NONE}, "a number", int, str)
FLAGS = Section(lambda size: [0], lambda rows, size, found: None, lambda found, size: [""])
"""An empty line, or the name of a variant."""
COLORS = Section(
    lambda size: [size.width] * size.height,
    lambda rows, size, found: None,
    lambda found, size: [["0"] * size.width] * size.height,
)
"""The colors that a player gives to cells."""


def _read_arrow(token: str) -> list[int]:
    """The direction, the number (-1: none), and the mark; 4 more says that the player is done with the clue."""
    arrow, number, *mark = token.split(",")
    return [_number(arrow), NONE if number == "-1" else _number(number), *(_number(m) & 3 for m in mark)]


ARROWS = each(
    "arrows numbers",
    {".": (0, NONE)},
    "numbers with commas, or .",
    _read_arrow,
    lambda *clue: "." if clue[1] == NONE else ",".join(map(number_token, clue)),
)
MARKED_ARROWS = each(
    "arrows numbers marks",
    {"0,-1,0": (0, NONE, 0), ".": (0, NONE, 0)},
    "three numbers with commas",
    _read_arrow,
    lambda arrow, number, mark: f"{arrow},{'-' if number == UNKNOWN else number},{mark}",
)


def _ships(found: dict[str, Any]) -> dict[str, Any]:
    """The shades of cells without a clue, which tells whether its cell has a ship."""
    pairs = (zip(*rows, strict=True) for rows in zip(found["board"], found["numbers"], strict=True))
    return {**found, "board": tuple(tuple(shade if clue == NONE else None for shade, clue in pair) for pair in pairs)}


def _read_ships(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
    SHADES.read(rows, size, found)
    found |= _ships(found)


SHIPS = replace(SHADES, read=_read_ships, write=lambda found, size: SHADES.write(_ships(found), size))


def _outer(number: int) -> str:
    return "." if number == NONE else str(number)


def framed(
    inner: Section,
    before: int = 1,
    behind: int = 0,
    read: Callable[[str], int] = _number,
    write: Callable[[int], str] = _outer,
    corner: str = ".",
) -> Section:
    """Cells with so many numbers above and to the left, and below and to the right. A `c` before a number says that the player is
    done with it. A question mark is -2, but `-` in Battleship."""

    def around(lines: Sequence[list[str]], length: int) -> list[list[str]]:
        """The numbers of the lines before and behind so many lines of cells."""
        found = [line[before : before + length] for line in (*lines[:before], *lines[len(lines) - behind :])]
        return [*found, ["."] * length][:2]

    def take(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        frame = around(rows, size.width) + around([list(column) for column in zip(*rows, strict=True)], size.height)
        found["outside"] = tuple(
            tuple(NONE if token == "." else read(token.removeprefix("c")) for token in tokens) for tokens in frame
        )
        inner.read([row[before : before + size.width] for row in rows[before : before + size.height]], size, found)

    def give(found: dict[str, Any], size: Size) -> Tokens:
        above, below, left, right = ([write(number) for number in numbers] for numbers in found["outside"])
        middle = [
            [*beside[:before], *row, *beside[before:][:behind]]
            for *beside, row in zip(left, right, inner.write(found, size), strict=True)
        ]
        lines = [[corner] * before + line + [corner] * behind for line in (above, below)]
        return [*lines[:before], *middle, *lines[before:][:behind]]

    return Section(lambda size: [size.width + before + behind] * (size.height + before + behind), take, give)


def with_givens(empty: str) -> Section:
    """Numbers, q before a given one; `empty` is the sign of a cell that is marked as one without a number."""

    def read(token: str) -> tuple[int, int | None]:
        digits = token.partition("[")[0]
        if digits[:1] == "q":
            return int(digits[1:]), None
        return NONE, 0 if digits == empty else None if digits in (".", "+", "-") else int(digits)

    def write(number: int, value: int | None) -> str:
        return f"q{number}" if number != NONE else (empty or ".") if value == 0 else str(value or ".")

    return each("numbers board", {}, "a number, q and a number, . or -", read, write)


CLUE_SUMS = framed(
    each(
        "lists",
        {".": ()},
        "numbers with commas, or .",
        lambda token: tuple(max(int(part), 0) for part in token.split(",")),
        lambda sums: ",".join(str(number or -1) for number in sums),
    ),
    read=lambda token: max(int(token), 0) or NONE,
    write=str,
    corner="0",
)
"""Sums above the board and to its left, and in cells those of the cells to the right and below."""
POLES = framed(
    each(
        "numbers board",
        {"#": (BLACK, None), "q1": (1, None), "q2": (2, None), ".": (NONE, None), "s1": (NONE, None)}
        | {"s2": (NONE, 0), "a1": (NONE, 1), "a2": (NONE, 2)},
        "q or a and a number, s1, s2, # or .",
    ),
    before=2,
)
"""Two numbers above each column and before each row, of pluses and of minuses, and cells with poles."""


def _two(token: str) -> tuple[int, int]:
    first, second = token.split(",")
    return int(first), int(second)


NUMBER_PAIRS = framed(
    each("lists", {".": ()}, "two numbers with a comma, or .", _two, lambda numbers: ",".join(map(str, numbers))),
    read=int,
    write=str,
    corner="0",
)
"""Numbers above the board and to its left, and in cells those for the cells to the right and below; -1 for none."""
FOUR_WAYS = each(
    "lists",
    {".": ()},
    "four numbers with commas, or .",
    lambda token: tuple(int(token.split(",")[k]) for k in (3, 2, 0, 1)),
    lambda numbers: ",".join(str(numbers[k]) for k in (2, 3, 1, 0)),
)
"""Numbers to the right, below, to the left, and above, which are listed in reading order; -1 for none."""
SNAKE = framed(
    each(
        "board numbers",
        {},
        "a number",
        lambda token: ({1: 1, 2: 0}.get(int(token) >> 2), int(token) & 3 or NONE),
        lambda shade, circle: str(max(circle, 0) + {1: 4, 0: 8}.get(shade, 0)),
    ),
)
"""The sum of the circle, 4 in a shaded cell, and 8 in one that is marked as unshaded."""


WALLS = Section(
    lambda size: widths_of("between", size),
    lambda rows, size, found: found.update(walled_rooms(size, [token == "1" for row in rows for token in row])),
    lambda found, size: list(map(list, cut([str(int(wall)) for wall in walls_in(size, found)], widths_of("between", size)))),
)
"""Rooms by their walls: 1 between cells of two rooms."""


def _read_rooms(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
    order: dict[str, int] = {}
    numbers = [[order.setdefault(token, len(order)) for token in row] for row in rows[1:]]
    found |= walled_rooms(size, [numbers[a[0]][a[1]] != numbers[b[0]][b[1]] for a, b in sides(size)])


def _write_rooms(found: dict[str, Any], size: Size) -> Written:
    """Black cells, which are in no room, have a point."""
    clues, order = found["numbers"] or size.rows([NONE] * size.height * size.width), dict[int, str]()
    rooms = [
        ["." if clue == BLACK else order.setdefault(room, str(len(order))) for room, clue in zip(*row, strict=True)]
        for row in zip(found["rooms"], clues, strict=True)
    ]
    return [str(len(order)), *rooms]


ROOMS = Section(lambda size: [1, *widths_of("rooms", size)], _read_rooms, _write_rooms)
"""The number of rooms, then the number of the room of each cell."""


LINES = each("lines", {"0": None, "-1": 0, "1": 1, "2": 2}, "-1, 0, 1, or 2")
"""How many lines are between the centers of cells: -1 for a mark that there is none, 0 where nothing is known."""
BORDERS = each("lines", {"0": None, "-1": 0, "1": 1, "2": 1}, "-1, 0, 1, or 2")
"""In borders, 2 is one with a mark that there is none."""


def _corners(size: Size) -> Size:
    return Size(size.height + 1, size.width + 1)


def _write_sides(found: dict[str, Any], size: Size) -> Written:
    rows = LINES.write(found, _corners(size))
    return [*rows[size.height + 1 :], *rows[: size.height + 1]]


SIDES = Section(
    lambda size: [size.width + 1] * size.height + [size.width] * (size.height + 1),
    lambda rows, size, found: LINES.read(rows[size.height :] + rows[: size.height], _corners(size), found),
    _write_sides,
)
"""Lines between the corners of cells; those that go down come first."""


def _framed_borders(found: dict[str, Any], size: Size) -> Tokens:
    rows, frame = [list(row) for row in BORDERS.write(found, size)], ["0"] * size.width
    return [*(["0", *row, "0"] for row in rows[: size.height]), frame, *rows[size.height :], frame]


FRAMED_BORDERS = Section(
    lambda size: [size.width + 1] * size.height + [size.width] * (size.height + 1),
    lambda rows, size, found: BORDERS.read([row[1:-1] for row in rows[: size.height]] + rows[size.height + 1 : -1], size, found),
    _framed_borders,
)
"""Borders between cells, and places for those around the board."""


GIVEN_WALLS = each(
    "between lines",
    {"0": (NONE, None), "-1": (NONE, 0), "1": (NONE, 1), "2": (NONE, 1)} | {f"{sign}X": (1, None) for sign in ("", *"012", "-1")},
    "-1, 0, 1, or 2",
)
"""X at a given wall, otherwise a border of the answer."""


COUNT = Section(
    lambda size: [1],
    lambda rows, size, found: found.update(count=int(rows[0][0])),
    lambda found, size: [str(found["count"])],
)


def bank(presets: Mapping[str, tuple[str, ...]]) -> Section:
    """A list of pieces: the letter of a preset, or their number and a line for each piece."""

    def take(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        head = rows[0][0]
        found["bank"] = presets[head] if head in presets else tuple(checked_piece(row[0]) for row in rows[1:])

    def give(found: dict[str, Any], size: Size) -> list[str]:
        letter = next((letter for letter, listed in presets.items() if listed == found["bank"]), None)
        return [letter] if letter else [str(len(found["bank"])), *found["bank"]]

    return Section(lambda size: [1], take, give, lambda line: int(line) if line.isdecimal() else 0)


def points(signs: Mapping[str, int]) -> Section:
    """A line of signs for each row of centers, sides, and corners of cells."""
    sign_of = {point: sign for sign, point in signs.items()}

    def read(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        if any(len(row[0]) != 2 * size.width - 1 or set(row[0]) - set(signs) for row in rows):
            raise ValueError(f"found other rows, expected rows of {2 * size.width - 1} of the signs {''.join(signs)}")
        found["points"] = tuple(tuple(signs[sign] for sign in row[0]) for row in rows)

    def write(found: dict[str, Any], size: Size) -> list[str]:
        return ["".join(sign_of[point] for point in row) for row in found["points"]]

    return Section(lambda size: [1] * (2 * size.height - 1), read, write)


POINTS = points({".": 0, "1": 1, "2": 2, "X": 3})
