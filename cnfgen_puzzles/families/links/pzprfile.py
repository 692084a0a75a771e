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
from itertools import product
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


def _number(token: str) -> int:
    if token not in (".", "-", "-2") and not (token.isascii() and token.isdecimal()):
        raise ValueError(f"found {token!r}, expected a number, . or -")
    return {".": NONE, "-": UNKNOWN}.get(token) or int(token)


def _token(number: int) -> str:
    return {NONE: ".", UNKNOWN: "-"}.get(number, str(number))


def _each(fields: str, read: Callable[[str], Any], write: Callable[..., str], expected: str = "a number, . or -") -> Section:
    """A token for each place: `read(token)` is its value in the field, or its values in several, `write(*values)` the token."""
    names = fields.split()

    def widths(size: Size) -> list[int]:
        return widths_of(names[0], size)

    def value(token: str, place: str) -> Any:
        try:
            found = read(token)
            return found if len(names) == 1 else [found[k] for k in range(len(names))]
        except (ValueError, IndexError, KeyError):
            raise ValueError(f"found {token!r} in {place}, expected {expected}") from None

    def take(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        places = [[value(token, f"row {r}, column {c}") for c, token in enumerate(row, 1)] for r, row in enumerate(rows, 1)]
        for k, name in enumerate(names):
            found[name] = tuple(tuple(values[k] if len(names) > 1 else values for values in row) for row in places)

    def give(found: dict[str, Any], size: Size) -> Tokens:
        fields = [found.get(name) or [[NONE] * width for width in widths(size)] for name in names]
        return [[write(*values) for values in zip(*rows, strict=True)] for rows in zip(*fields, strict=True)]

    return Section(widths, take, give)


CLUES = _each("numbers", _number, _token)
LETTERS = _each(
    "numbers",
    lambda token: {"a": 1, "b": 2, "c": 3}.get(token) or _number(token),
    lambda n: "abc"[n - 1] if 0 < n < 4 else _token(n),
)
COLORED_NUMBERS = _each(
    "numbers",
    lambda token: NONE if token == "." else 2 * max(int(token[2:]), 0) + ("0,", "1,").index(token[:2]),
    lambda n: "." if n == NONE else f"{n % 2},{n // 2 or UNKNOWN}",
    "a color (0 or 1), a comma, and a number, or .",
)
"""Twice the number, or 0 for none, and 1 more in a black circle."""
MAZE = _each("numbers", lambda token: tuple(".sgot").index(token) or NONE, lambda n: ".sgot"[max(n, 0)], "one of .sgot")
"""The start (1), the goal (2), circles (3), and triangles (4)."""
HOLED_CLUES = _each(
    "numbers", lambda token: BLACK if token == "*" else _number(token), lambda n: "*" if n == BLACK else _token(n)
)
"""Numbers, and cells that are no part of the board."""
_ARROW_TOKENS = {ARROW_UP: "1", ARROW_DOWN: "2", ARROW_LEFT: "3", ARROW_RIGHT: "4", NONE: ".", ANY: "-", UNKNOWN: "o"}
CIRCLED_ARROWS = _each(
    "numbers",
    lambda token: next((n for n, sign in _ARROW_TOKENS.items() if sign == token), None) or int(token.removeprefix("o")),
    lambda number: _ARROW_TOKENS.get(number, f"o{number}"),
    "a number behind an o, an arrow from 1 to 4, o, . or -",
)
CORNERS = _each("corners", _number, _token)
BLACK_CLUES = _each(
    "numbers", lambda token: UNKNOWN if token == "5" else _number(token), lambda n: "5" if n == UNKNOWN else _token(n)
)
"""Numbers to 4; 5 stands for a question mark."""
MARKS = _each("marks", lambda token: int(token == "*"), lambda mark: "*" if mark == 1 else ".")
STATES = {"#": 1, "+": 0, ".": None}
"""A shaded cell, one that is marked as unshaded, and one that is not known."""
SHADES = _each("board", lambda token: STATES[token], lambda shade: _shade(shade), "#, + or .")


def _shade(value: int | None) -> str:
    return {1: "#", 0: "+"}.get(value, ".") if value is not None else "."


def _marked(shaded: str) -> Section:
    """Shades with another sign, or with marks of the player for clues that are done or wrong."""
    states = {**dict.fromkeys(".-cox"), shaded: 1, **dict.fromkeys(["+", "+o", "+x"], 0)}
    return _each("board", lambda token: states[token], lambda shade: shaded if shade == 1 else _shade(shade), f"{shaded}, + or .")


MARKED_SHADES, ONE_SHADES = _marked("#"), _marked("1")


def _values(
    blank: Callable[[int | None], str] = lambda value: ".",
    zero: str = "",
    given: Callable[[int], bool] = lambda clue: clue >= 0,
) -> Section:
    """Numbers, and in some genres a sign for cells without one. A cell whose clue is given has no value."""

    def read(token: str) -> int | None:
        digits = token.partition("[")[0]  # what the player has noted
        return 0 if token == zero else (int(digits) or None) if digits.isascii() and digits.isdecimal() else None

    def write(value: int | None, clue: int) -> str:
        return "." if given(clue) else str(value) if value else blank(value)

    section = _each("board", read, write)

    def give(found: dict[str, Any], size: Size) -> Tokens:
        clues = found.get("numbers") or size.rows([NONE] * size.height * size.width)
        return [[write(*pair) for pair in zip(*rows, strict=True)] for rows in zip(found["board"], clues, strict=True)]

    return replace(section, write=give)


VALUES = _values()
FILLED_VALUES = _values(lambda value: "." if value is None else "-", "-")
DOTTED_VALUES = _values(lambda value: "." if value is None else "+", "+")
"""Numbers, and cells that are marked as empty, by a minus sign or a plus sign."""
EVERY_VALUE = _values(given=lambda clue: False)
"""Numbers, also in the cells with a clue."""
BARS = _values(lambda value: "0", given=lambda clue: False)
TRIANGLES = _values(_shade, "+", given=lambda clue: clue != NONE)
SHADED_CLUES = _each(
    "board numbers",
    lambda token: (STATES.get(token), NONE if token in STATES else _number(token)),
    lambda shade, n: _shade(shade) if n == NONE else _token(n),
)
"""Clues, and shades in the cells without one."""
FUTON_SIGNS = dict(zip("#abcdefghij", range(1, 12), strict=True))
FUTONS = _each(
    "board numbers",
    lambda token: (
        FUTON_SIGNS.get(token),
        NONE if token in FUTON_SIGNS or token in ".-" else {5: UNKNOWN}.get(n := int(token), n),
    ),
    lambda value, n: {NONE: " .#abcdefghij"[(value or 0) + 1], UNKNOWN: "5"}.get(n, str(n)),
    "a number to 5, a letter to j, #, - or .",
)
"""Numbers to 4, 5 for a question mark, aisles (#), and halves of futons."""
SHADED_LISTS = _each(
    "board lists",
    lambda token: (STATES.get(token), () if token in STATES else tuple(map(_number, token.split(",")))),
    lambda shade, numbers: ",".join(map(_token, numbers)) or _shade(shade),
    "numbers with commas, #, + or .",
)
BLACK_SUMS = _each(
    "numbers",
    lambda token: {"b": BLACK, "?": UNKNOWN}.get(token) or _number(token),
    lambda number: {BLACK: "b", UNKNOWN: "?"}.get(number) or _token(number),
)
"""Numbers, and black cells without one."""
DISCS = _each(
    "numbers board",
    lambda token: {"#": (1, 2), "%": (1, 1), "o": (1, None), "+": (NONE, None), ".": (NONE, None)}[token],
    lambda number, value: "." if number == NONE else {2: "#", 1: "%"}.get(value, "o"),
    "#, %, o, + or .",
)
"""Circles: black, white, or not known; a point or a plus sign where there is none."""
BETWEEN = _each("between", lambda token: int(token) or NONE, lambda mark: str(max(mark, 0)), "a number")
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
    arrow, number, *mark = token.split(",") if token != "." else ("0", "-1", "0")
    return [_number(arrow), NONE if number == "-1" else _number(number), *(_number(m) & 3 for m in mark)]


ARROWS = _each(
    "arrows numbers",
    _read_arrow,
    lambda *clue: "." if clue[1] == NONE else ",".join(map(_token, clue)),
    "numbers with commas, or .",
)
MARKED_ARROWS = _each(
    "arrows numbers marks",
    _read_arrow,
    lambda arrow, number, mark: f"{arrow},{'-' if number == UNKNOWN else number},{mark}",
    "three numbers with commas",
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


def _framed(
    inner: Section, behind: int = 0, read: Callable[[str], int] = _number, write: Callable[[int], str] = _outer, corner: str = "."
) -> Section:
    """Cells with numbers above and to the left, with `behind` also below and to the right. A `c` before a number says that the
    player is done with it. A question mark is -2, but `-` in Battleship."""

    def take(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        middle = rows[1 : 1 + size.height]
        below, right = (rows[-1][1:-1], [row[-1] for row in middle]) if behind else (["."] * size.width, ["."] * size.height)
        frame = rows[0][1 : 1 + size.width], below, [row[0] for row in middle], right
        found["outside"] = tuple(
            tuple(NONE if token == "." else read(token.removeprefix("c")) for token in tokens) for tokens in frame
        )
        inner.read([row[1 : 1 + size.width] for row in middle], size, found)

    def give(found: dict[str, Any], size: Size) -> Tokens:
        above, below, left, right = ([write(number) for number in numbers] for numbers in found["outside"])
        middle = [[a, *row, b] for a, row, b in zip(left, inner.write(found, size), right, strict=True)]
        rows = [[corner, *above, corner], *middle, [corner, *below, corner]]
        return rows if behind else [row[:-1] for row in rows[:-1]]

    return Section(lambda size: [size.width + 1 + behind] * (size.height + 1 + behind), take, give)


def _with_givens(empty: str) -> Section:
    """Numbers, q before a given one; `empty` is the sign of a cell that is marked as one without a number."""

    def read(token: str) -> tuple[int, int | None]:
        digits = token.partition("[")[0]
        if digits[:1] == "q":
            return int(digits[1:]), None
        return NONE, 0 if digits == empty else None if digits in (".", "+", "-") else int(digits)

    def write(number: int, value: int | None) -> str:
        return f"q{number}" if number != NONE else (empty or ".") if value == 0 else str(value or ".")

    return _each("numbers board", read, write, "a number, q and a number, . or -")


FRAMED, HEADED_VALUES = _framed(_with_givens(""), behind=1), _framed(_with_givens("-"))
FRAMED_VALUES = _framed(_with_givens("-"), behind=1)
"""Numbers outside and in cells; q stands before a given number."""
CLUE_SUMS = _framed(
    _each(
        "lists",
        lambda token: () if token == "." else tuple(max(int(part), 0) for part in token.split(",")),
        lambda sums: ",".join(str(number or -1) for number in sums) or ".",
        "numbers with commas, or .",
    ),
    read=lambda token: max(int(token), 0) or NONE,
    write=str,
    corner="0",
)
"""Sums above the board and to its left, and in cells those of the cells to the right and below."""
_POLES = _each(
    "numbers board",
    lambda token: {"#": (BLACK, None), "s2": (NONE, 0), "s1": (NONE, None), ".": (NONE, None)}.get(token) or _pole(token),
    lambda number, value: "#" if number == BLACK else f"q{number}" if number != NONE else _answered(value),
    "q or a and a number, s1, s2, # or .",
)


def _answered(value: int | None) -> str:
    return "." if value is None else f"a{value}" if value else "s2"


def _pole(token: str) -> tuple[int, int | None]:
    """A given one, or one of the answer."""
    return (int(token[1:]), None) if token[0] == "q" else (NONE, {"a1": 1, "a2": 2}[token])


def _read_poles(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
    above, left = [row[2:] for row in rows[:2]], [[row[k] for row in rows[2:]] for k in (0, 1)]
    found["outside"] = tuple(tuple(_number(token.removeprefix("c")) for token in tokens) for tokens in (*above, *left))
    _POLES.read([row[2:] for row in rows[2:]], size, found)


def _write_poles(found: dict[str, Any], size: Size) -> Tokens:
    above, below, left, right = ([_token(number) for number in numbers] for numbers in found["outside"])
    inner = zip(left, right, _POLES.write(found, size), strict=True)
    return [[".", ".", *above], [".", ".", *below], *([first, last, *row] for first, last, row in inner)]


POLES = Section(lambda size: [size.width + 2] * (size.height + 2), _read_poles, _write_poles)
"""Two numbers above each column and before each row, of pluses and of minuses, and cells with poles."""


def _two(token: str) -> tuple[int, int]:
    first, second = token.split(",")
    return int(first), int(second)


NUMBER_PAIRS = _framed(
    _each(
        "lists",
        lambda token: () if token == "." else _two(token),
        lambda numbers: ",".join(map(str, numbers)) or ".",
        "two numbers with a comma, or .",
    ),
    read=int,
    write=str,
    corner="0",
)
"""Numbers above the board and to its left, and in cells those for the cells to the right and below; -1 for none."""
COMPASSES = _each(
    "lists",
    lambda token: () if token == "." else tuple(int(token.split(",")[k]) for k in (3, 2, 0, 1)),
    lambda numbers: ",".join(str(numbers[k]) for k in (2, 3, 1, 0)) if numbers else ".",
    "four numbers with commas, or .",
)
"""Numbers to the right, below, to the left, and above, which are listed in reading order; -1 for none."""
FRAMED_CLUES = _framed(CLUES, write=_token)
FRAMED_SHADES, SURROUNDED_SHADES = _framed(SHADES), _framed(SHADES, behind=1)
SNAKE = _framed(
    _each(
        "board numbers",
        lambda token: ({1: 1, 2: 0}.get(int(token) >> 2), int(token) & 3 or NONE),
        lambda shade, circle: str(max(circle, 0) + {1: 4, 0: 8}.get(shade, 0)),
        "a number",
    ),
)
"""The sum of the circle, 4 in a shaded cell, and 8 in one that is marked as unshaded."""
FRAMED_OBJECTS = _framed(
    _each(
        "board numbers",
        lambda token: ({"A": 1, "-": 0}.get(token), NONE if token in "A-" else _number(token)),
        lambda value, n: {1: "A", 0: "-"}.get(value, ".") if n == NONE else _token(n),
    ),
)
"""Cells have a clue (1), an object (A), or neither."""


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


ROOMS = Section(
    lambda size: [1, *widths_of("rooms", size)],
    _read_rooms,
    lambda found, size: [str(1 + max(map(max, found["rooms"]))), *(list(map(str, row)) for row in found["rooms"])],
)
"""The number of rooms, then the number of the room of each cell."""


def _read_black_rooms(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
    _read_rooms(rows[: size.height + 1], size, found)
    clues = [[_black_clue(token) for token in row] for row in rows[size.height + 1 :]]
    found["numbers"], found["arrows"] = (tuple(tuple(clue[k] for clue in row) for row in clues) for k in (0, 1))


def _black_clue(token: str) -> tuple[int, int]:
    return (BLACK, "#tblr".index(token)) if token in tuple("#tblr") else (_number(token), 0)


def _write_black_rooms(found: dict[str, Any], size: Size) -> Written:
    clues = [list(zip(*row, strict=True)) for row in zip(found["numbers"], found["arrows"], strict=True)]
    order: dict[int, str] = {}
    rooms = [
        ["." if number == BLACK else order.setdefault(room, str(len(order))) for room, (number, _) in zip(*row, strict=True)]
        for row in zip(found["rooms"], clues, strict=True)
    ]
    signs = [["#tblr"[arrow] if number == BLACK else _token(number) for number, arrow in row] for row in clues]
    return [str(len(order)), *rooms, *signs]


BLACK_ROOMS = Section(
    lambda size: [1, *widths_of("rooms", size), *widths_of("numbers", size)], _read_black_rooms, _write_black_rooms
)
"""Rooms as in `ROOMS`, with a point for a black cell, then numbers, and for black cells their arrows: one of #tblr."""


LINE_TOKENS = {"0": None, "-1": 0, "1": 1, "2": 2}
BORDER_TOKENS = {"0": None, "-1": 0, "1": 1, "2": 1}
"""In borders, 2 is one with a mark that there is none."""


def _lines(around: bool = False, counts: Mapping[str, int | None] = LINE_TOKENS) -> Section:
    """How many lines or borders are between the vertices of a board, which are the corners of cells (`around`) or their centers:
    -1 for a mark that there is none, 0 where nothing is known. Around cells those that go down come first."""

    def parts(size: Size) -> list[tuple[int, int, int, int]]:
        """The rows and columns of lines and their steps down and right."""
        height, width = size.height + around, size.width + around
        level, upright = (height, width - 1, 0, 1), (height - 1, width, 1, 0)
        return [upright, level] if around else [level, upright]

    def places(size: Size) -> list[tuple[int, ...]]:
        every = ((product(range(height), range(width)), down, right) for height, width, down, right in parts(size))
        return [(r, c, r + down, c + right) for cells, down, right in every for r, c in cells]

    def take(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        tokens = [token for row in rows for token in row]
        if wrong := next((token for token in tokens if token not in counts), None):
            raise ValueError(f"found {wrong!r}, expected -1, 0, 1, or 2")
        pairs = zip(places(size), map(counts.__getitem__, tokens), strict=True)
        found["parts"] = {place: count for place, count in pairs if count is not None}

    def widths(size: Size) -> list[int]:
        return [width for height, width, *_ in parts(size) for _ in range(height)]

    def give(found: dict[str, Any], size: Size) -> Tokens:
        token = {count: token for token, count in reversed([*counts.items()])}
        tokens = (token[found["parts"].get(place)] for place in places(size))
        return [list(row) for row in cut(tokens, widths(size))]

    return Section(widths, take, give)


LINES, SIDES, BORDERS = _lines(), _lines(around=True), _lines(counts=BORDER_TOKENS)


def _framed_borders(found: dict[str, Any], size: Size) -> Tokens:
    rows, frame = [list(row) for row in BORDERS.write(found, size)], ["0"] * size.width
    return [*(["0", *row, "0"] for row in rows[: size.height]), frame, *rows[size.height :], frame]


FRAMED_BORDERS = Section(
    lambda size: [size.width + 1] * size.height + [size.width] * (size.height + 1),
    lambda rows, size, found: BORDERS.read([row[1:-1] for row in rows[: size.height]] + rows[size.height + 1 : -1], size, found),
    _framed_borders,
)
"""Borders between cells, and places for those around the board."""


def _read_given_walls(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
    """X at a given wall, otherwise a border of the answer."""
    found["between"] = tuple(tuple(1 if token[-1] == "X" else NONE for token in row) for row in rows)
    BORDERS.read([["0" if token[-1] == "X" else token for token in row] for row in rows], size, found)


def _write_given_walls(found: dict[str, Any], size: Size) -> Tokens:
    pairs = zip(found["between"], BORDERS.write(found, size), strict=True)
    return [["X" if wall == 1 else token for wall, token in zip(*rows, strict=True)] for rows in pairs]


GIVEN_WALLS = Section(BORDERS.widths, _read_given_walls, _write_given_walls)


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


def _points(signs: Mapping[str, int]) -> Section:
    """A line of signs for each row of centers, sides, and corners of cells."""
    sign_of = {point: sign for sign, point in signs.items()}

    def read(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
        if any(len(row[0]) != 2 * size.width - 1 or set(row[0]) - set(signs) for row in rows):
            raise ValueError(f"found other rows, expected rows of {2 * size.width - 1} of the signs {''.join(signs)}")
        found["points"] = tuple(tuple(signs[sign] for sign in row[0]) for row in rows)

    def write(found: dict[str, Any], size: Size) -> list[str]:
        return ["".join(sign_of[point] for point in row) for row in found["points"]]

    return Section(lambda size: [1] * (2 * size.height - 1), read, write)


POINTS = _points({".": 0, "1": 1, "2": 2, "X": 3})
BLACK_FIRST = _points({".": 0, "1": 2, "2": 4, "3": 1})
"""White (1), black (2), and gray (4) points."""
