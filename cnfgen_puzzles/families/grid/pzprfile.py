"""Files of pzpr (`pzprv3`): the genre, the height, the width, then sections of rows, clues first, the answer last.

    pzprv3
    nurikabe
    5
    5
    . 5 . . .
    ...

A section reads its rows into `numbers`, `rooms`, or `board`, and writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families.grid.pieces import checked_piece
from cnfgen_puzzles.families.grid.pzpr import MOST_SIDE, NONE, UNKNOWN, Size, between_widths, rooms_of, sides

DOWN, LEFT, RIGHT, UP, SHADED = 8, 2, 4, 1, 16
Grid = list[list[int]]


@dataclass(frozen=True)
class Section:
    """`rows(size)` lines: `read(tokens, size, found)` adds to `found`, `write(found, size)` gives the tokens of each line."""

    rows: Callable[[Size], int]
    read: Callable[[list[list[str]], Size, dict[str, Any]], None]
    write: Callable[[dict[str, Any], Size], list[list[str]]]
    more: Callable[[str], int] = lambda line: 0
    """How many lines beyond `rows` follow, by the first line."""


def read_file(text: str, name: str, sections: Sequence[Section]) -> tuple[Size, dict[str, Any]]:
    """The size and what the sections hold; ValueError with the line of what is wrong."""
    lines = [line.strip() for line in text.strip().split("\n")]
    if len(lines) < 4 or lines[0] != "pzprv3" or lines[1] != name or not (lines[2].isdecimal() and lines[3].isdecimal()):
        raise ValueError(f"found {lines[:4]}, expected pzprv3, {name}, the height, and the width, a line each")
    size, at, found = Size(int(lines[2]), int(lines[3])), 4, dict[str, Any]()
    if not 1 <= min(size) <= max(size) <= MOST_SIDE:
        raise ValueError(f"found a board of {size.width}x{size.height} cells, expected sides from 1 to {MOST_SIDE}")
    for section in sections:
        count = section.rows(size)
        if at >= len(lines):
            break  # a file without an answer
        count += section.more(lines[at])
        if at + count > len(lines):
            raise ValueError(f"found {len(lines)} lines, expected at least {at + count}")
        try:
            section.read([line.split() for line in lines[at : at + count]], size, found)
        except (ValueError, IndexError, KeyError) as error:
            raise ValueError(f"lines {at + 1} to {at + count}: {error}") from None
        at += count
    return size, found


def write_file(name: str, size: Size, found: dict[str, Any], sections: Sequence[Section]) -> str:
    """What `read_file` reads."""
    rows = [row for section in sections for row in section.write(found, size)]
    return "\n".join(["pzprv3", name, str(size.height), str(size.width), *(" ".join(row) + " " for row in rows), ""])


def _number(token: str) -> int:
    return {".": NONE, "-": UNKNOWN}[token] if token in (".", "-") else int(token)


def _token(number: int) -> str:
    return {NONE: ".", UNKNOWN: "-"}.get(number, str(number))


def _letter(number: int) -> str:
    return "abc"[number - 1] if 1 <= number <= 3 else _token(min(number, NONE))


def _rectangle(rows: list[list[str]], height: int, width: int) -> list[list[str]]:
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError(f"found rows of {[len(row) for row in rows]} entries, expected {height} of {width}")
    return rows


def _cells(field: str, read: Callable[[str], int], write: Callable[[int], str], more: int = 0) -> Section:
    """A token for each cell, or for each place of a rectangle whose sides have `more` places."""

    def take(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        found[field] = tuple(tuple(map(read, row)) for row in _rectangle(rows, size.height + more, size.width + more))

    def give(found: dict[str, Any], size: Size) -> list[list[str]]:
        rows = found.get(field) or ((NONE,) * (size.width + more),) * (size.height + more)
        return [[write(value) for value in row] for row in rows]

    return Section(lambda size: size.height + more, take, give)


CLUES = _cells("numbers", _number, _token)
LETTERS = _cells("numbers", lambda token: _number(token) if token in ".-" else 1 + "abc".index(token), _letter)
CORNERS = _cells("corners", _number, _token, 1)
SHADES = _cells("board", lambda token: {"#": 1, "+": 0, ".": 0}[token], lambda value: {1: "#", 0: "+"}.get(value, "."))
MARKS = _cells("marks", lambda token: int(token == "*"), lambda value: "*" if value == 1 else ".")
VALUES = _cells("board", lambda token: int(token) if token.isdecimal() else NONE, _token)


def _shaded(field: str, none: Any, read: Callable[[str], Any], write: Callable[[Any], str]) -> Section:
    """Clues, and shades in the cells without one."""

    def take(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        found["board"] = tuple(tuple(int(token == "#") for token in row) for row in _rectangle(rows, *size))
        found[field] = tuple(tuple(none if token in "#+." else read(token) for token in row) for row in rows)

    def give(found: dict[str, Any], size: Size) -> list[list[str]]:
        board = found.get("board") or ((NONE,) * size.width,) * size.height
        answer = [[{1: "#", 0: "+"}.get(value, ".") for value in row] for row in board]
        return [
            [write(clue) if clue != none else sign for clue, sign in zip(clues, signs, strict=True)]
            for clues, signs in zip(found[field], answer, strict=True)
        ]

    return Section(lambda size: size.height, take, give)


SHADED_CLUES = _shaded("numbers", NONE, _number, _token)
SHADED_LISTS = _shaded("lists", (), lambda token: tuple(map(_number, token.split(","))), lambda clue: ",".join(map(_token, clue)))


def _answers(given: Callable[[int], bool]) -> Section:
    """The values of the cells, except for those whose clue is their value."""

    def take(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        VALUES.read(rows, size, found)
        pairs = [zip(*both, strict=True) for both in zip(found["numbers"], found["board"], strict=True)]
        found["board"] = tuple(tuple(clue if given(clue) else value for clue, value in row) for row in pairs)

    def give(found: dict[str, Any], size: Size) -> list[list[str]]:
        pairs = [zip(*both, strict=True) for both in zip(found["numbers"], VALUES.write(found, size), strict=True)]
        return [["." if given(clue) else token for clue, token in row] for row in pairs]

    return Section(lambda size: size.height, take, give)


ANSWER, FILLED = _answers(lambda clue: clue != NONE), _answers(lambda clue: clue >= 0)
"""With FILLED, a cell with a question mark has a value."""


def _between(
    take: Callable[[list[str], Size, dict[str, Any]], None], give: Callable[[dict[str, Any], Size], list[str]]
) -> Section:
    """A token for each pair of neighboring cells, in the order of `pzpr.sides`."""

    def read(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        if [len(row) for row in rows] != between_widths(size):
            raise ValueError(f"found rows of {[len(row) for row in rows]} entries, expected {between_widths(size)}")
        take([token for row in rows for token in row], size, found)

    def write(found: dict[str, Any], size: Size) -> list[list[str]]:
        tokens = iter(give(found, size))
        return [[next(tokens) for _ in range(width)] for width in between_widths(size)]

    return Section(lambda size: 2 * size.height - 1, read, write)


def _walls(field: str) -> Section:
    """Rooms by their walls: 1 between cells of two rooms."""

    def take(tokens: list[str], size: Size, found: dict[str, Any]) -> None:
        found[field] = rooms_of(size, {side for side, token in zip(sides(size), tokens, strict=True) if token == "1"})

    def give(found: dict[str, Any], size: Size) -> list[str]:
        rooms = found.get(field) or ((0,) * size.width,) * size.height
        return [str(int(rooms[a[0]][a[1]] != rooms[b[0]][b[1]])) for a, b in sides(size)]

    return _between(take, give)


def _take_marks(tokens: list[str], size: Size, found: dict[str, Any]) -> None:
    marks = iter([int(token) or NONE for token in tokens])
    found["between"] = tuple(tuple(next(marks) for _ in range(width)) for width in between_widths(size))


def _take_given_walls(tokens: list[str], size: Size, found: dict[str, Any]) -> None:
    _take_marks([str(int(token[-1] == "X")) for token in tokens], size, found)


BETWEEN = _between(_take_marks, lambda found, size: [str(max(mark, 0)) for row in found["between"] for mark in row])
GIVEN_WALLS = _between(
    _take_given_walls, lambda found, size: ["0" if mark == NONE else "X" for row in found["between"] for mark in row]
)
"""A mark between each two neighboring cells, 0 for none."""


def _read_framed(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
    first, *middle, last = _rectangle(rows, size.height + 2, size.width + 2)
    frame = first[1:-1], last[1:-1], [row[0] for row in middle], [row[-1] for row in middle]
    found["outside"] = tuple(tuple(map(_number, tokens)) for tokens in frame)
    inner = [row[1:-1] for row in middle]
    found["numbers"] = tuple(tuple(int(token[1:]) if token[0] == "q" else NONE for token in row) for row in inner)
    VALUES.read([[token.lstrip("q") for token in row] for row in inner], size, found)


def _write_framed(found: dict[str, Any], size: Size) -> list[list[str]]:
    above, below, left, right = ([_token(number) for number in numbers] for numbers in found["outside"])
    pairs = [zip(*both, strict=True) for both in zip(found["numbers"], VALUES.write(found, size), strict=True)]
    inner = [["." + token if clue == NONE else f"q{clue}" for clue, token in row] for row in pairs]
    framed = [[a, *(token.lstrip(".") or "." for token in row), b] for a, row, b in zip(left, inner, right, strict=True)]
    return [[".", *above, "."], *framed, [".", *below, "."]]


FRAMED = Section(lambda size: size.height + 2, _read_framed, _write_framed)
"""The cells with the numbers outside them; q before a given number."""


def _read_sums(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
    (_, *above), *rest = _rectangle(rows, size.height + 1, size.width + 1)
    top, left = (tuple(max(int(token), 0) or NONE for token in tokens) for tokens in (above, [row[0] for row in rest]))
    found["outside"] = (top, (NONE,) * size.width, left, (NONE,) * size.height)
    cells = [[() if token == "." else tuple(max(int(part), 0) for part in token.split(",")) for token in row[1:]] for row in rest]
    found["lists"] = tuple(map(tuple, cells))


def _write_sums(found: dict[str, Any], size: Size) -> list[list[str]]:
    above, _, left, _ = ([str(max(number, 0)) for number in numbers] for numbers in found["outside"])
    cells = [[",".join(map(str, cell)) or "." for cell in row] for row in found["lists"]]
    return [["0", *above], *([number, *row] for number, row in zip(left, cells, strict=True))]


CLUE_SUMS = Section(lambda size: size.height + 1, _read_sums, _write_sums)
"""Sums above the board and to its left, and in cells those of the cells to the right and below."""

WALLS, REGIONS = _walls("rooms"), _walls("board")


def _arrows(fields: tuple[str, ...]) -> Section:
    """Clues of several fields with commas between them."""

    def take(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        empty = {"numbers": "."}
        cells = [[token.split(",") if token != "." else [empty.get(f, "0") for f in fields] for token in row] for row in rows]
        for k, field in enumerate(fields):
            found[field] = tuple(tuple(_number(cell[k]) & (3 if field == "marks" else -1) for cell in row) for row in cells)

    def give(found: dict[str, Any], size: Size) -> list[list[str]]:
        rows = zip(*(found[field] for field in fields), strict=True)
        cells = [list(zip(*row, strict=True)) for row in rows]
        return [[",".join(map(_token, cell)) if cell[1] != NONE else "." for cell in row] for row in cells]

    return Section(lambda size: size.height, take, give)


ARROWS, MARKED_ARROWS = _arrows(("arrows", "numbers")), _arrows(("arrows", "numbers", "marks"))
"""Clues of a direction and a number, and those with a mark as well (where 4 says that the player is done with the clue)."""


def _read_rooms(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
    numbers = [[int(token) for token in row] for row in _rectangle(rows[1:], *size)]
    order: dict[int, int] = {}
    for room in (room for row in numbers for room in row):
        order.setdefault(room, len(order))
    found["rooms"] = tuple(tuple(order[room] for room in row) for row in numbers)


def _write_rooms(found: dict[str, Any], size: Size) -> list[list[str]]:
    rooms = found["rooms"]
    return [[str(1 + max(map(max, rooms)))], *([str(room) for room in row] for row in rooms)]


ROOMS = Section(lambda size: size.height + 1, _read_rooms, _write_rooms)
"""The number of rooms, then the number of the room of each cell."""


def lines(around: bool, double: bool = False) -> Section:
    """Lines of a board between its vertices, which are the corners of cells (`around`) or their centers. With `double`, there are
    up to two between vertices, and the value of a vertex is their number to the right times 3 plus that down."""

    def shape(size: Size) -> tuple[int, int]:
        return size.height + around, size.width + around

    def order(size: Size) -> list[tuple[int, int, int, int]]:
        """The lines as vertices and steps down and right. Around cells those that go down come first."""
        height, width = shape(size)
        level = [(r, c, 0, 1) for r in range(height) for c in range(width - 1)]
        upright = [(r, c, 1, 0) for r in range(height - 1) for c in range(width)]
        return upright + level if around else level + upright

    def widths(size: Size) -> list[int]:
        height, width = shape(size)
        level, upright = [width - 1] * height, [width] * (height - 1)
        return upright + level if around else level + upright

    def take(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        if [len(row) for row in rows] != widths(size):
            raise ValueError(f"found rows of {[len(row) for row in rows]} entries, expected {widths(size)}")
        height, width = shape(size)
        board = [[0] * width for _ in range(height)]
        for token, (r, c, down, right) in zip((token for row in rows for token in row), order(size), strict=True):
            if double:
                board[r][c] += max(0, int(token)) * (1 if down else 3)
            elif token == "1":
                board[r][c] |= DOWN if down else RIGHT
                board[r + down][c + right] |= UP if down else LEFT
        shades = found.get("board")  # of a section before this one
        if shades:
            board = [
                [mask + SHADED * max(shade, 0) for mask, shade in zip(*rows, strict=True)]
                for rows in zip(board, shades, strict=True)
            ]
        found["board"] = tuple(map(tuple, board))

    def give(found: dict[str, Any], size: Size) -> list[list[str]]:
        board = found.get("board")
        drawn = [str(int(bool(board and board[r][c] & (DOWN if down else RIGHT)))) for r, c, down, _ in order(size)]
        tokens = iter(drawn)
        return [[next(tokens) for _ in range(width)] for width in widths(size)]

    return Section(lambda size: 2 * shape(size)[0] - 1, take, give)


LINES, SIDES, BRIDGES = lines(False), lines(True), lines(False, double=True)


def _read_count(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
    found["count"] = int(rows[0][0])


COUNT = Section(lambda size: 1, _read_count, lambda found, size: [[str(found["count"])]])
BLACK_CLUES = _cells(
    "numbers", lambda token: {".": NONE, "5": UNKNOWN}.get(token) or int(token), lambda n: "5" if n == UNKNOWN else _token(n)
)
"""Numbers to 4; 5 stands for a question mark."""
TRIANGLES = _cells("board", lambda token: int(token) if token.isdecimal() else 0, lambda value: str(value) if value > 0 else ".")


def framed(clues: bool) -> Section:
    """Clues outside and in cells: first an empty corner and the numbers above the columns, then each row with the number left of
    it. Without `clues`, cells have a clue (1), an object (A), or neither."""

    def number(token: str) -> int:
        return _number(token.removeprefix("c"))

    def take(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        _rectangle(rows, size.height + 1, size.width + 1)
        above, left = tuple(map(number, rows[0][1:])), tuple(number(row[0]) for row in rows[1:])
        found["outside"] = above, (NONE,) * size.width, left, (NONE,) * size.height
        cells = [row[1:] for row in rows[1:]]
        if not clues:
            found["board"] = tuple(tuple(int(token == "A") for token in row) for row in cells)
        found["numbers"] = tuple(tuple(NONE if not clues and token in "A-" else _number(token) for token in row) for row in cells)

    def give(found: dict[str, Any], size: Size) -> list[list[str]]:
        rows = [["." if not clues and value == NONE else _token(value) for value in row] for row in found["numbers"]]
        above, _, left, _ = found["outside"]
        return [[".", *map(_token, above)], *([_token(n), *row] for n, row in zip(left, rows, strict=True))]

    return Section(lambda size: size.height + 1, take, give)


def _read_ships(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
    SHADES.read(rows, size, found)
    pairs = [zip(*both, strict=True) for both in zip(found["board"], found["numbers"], strict=True)]
    found["board"] = tuple(tuple(int(shade == 1 or number not in (NONE, 0)) for shade, number in row) for row in pairs)


SHIPS = Section(SHADES.rows, _read_ships, SHADES.write)
"""Shades; cells with a clue other than 0 are shaded without saying so."""


def bank(presets: Mapping[str, tuple[str, ...]]) -> Section:
    """A list of pieces: the letter of a preset, or their number and a line for each piece."""

    def take(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        head = rows[0][0]
        found["bank"] = presets[head] if head in presets else tuple(checked_piece(row[0]) for row in rows[1:])

    def give(found: dict[str, Any], size: Size) -> list[list[str]]:
        letter = next((letter for letter, listed in presets.items() if listed == found["bank"]), None)
        return [[letter]] if letter else [[str(len(found["bank"]))], *([piece] for piece in found["bank"])]

    return Section(lambda size: 1, take, give, lambda line: int(line) if line.isdecimal() else 0)


def _read_points(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
    lines = _rectangle([list(row[0]) for row in rows], 2 * size.height - 1, 2 * size.width - 1)
    found["points"] = tuple(tuple(".12X".index(sign) for sign in row) for row in lines)


POINTS = Section(
    lambda size: 2 * size.height - 1,
    _read_points,
    lambda found, size: [["".join(".12X"[point] for point in row)] for row in found["points"]],
)
