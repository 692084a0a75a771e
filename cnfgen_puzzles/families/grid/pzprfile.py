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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families.grid.pzpr import MOST_SIDE, NONE, UNKNOWN, Size, rooms_of, sides

DOWN, LEFT, RIGHT, UP, SHADED = 8, 2, 4, 1, 16
Grid = list[list[int]]


@dataclass(frozen=True)
class Section:
    """`rows(size)` lines: `read(tokens, size, found)` adds to `found`, `write(found, size)` gives the tokens of each line."""

    rows: Callable[[Size], int]
    read: Callable[[list[list[str]], Size, dict[str, Any]], None]
    write: Callable[[dict[str, Any], Size], list[list[str]]]


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

    def widths(size: Size) -> list[int]:
        return [size.width - 1] * size.height + [size.width] * (size.height - 1)

    def read(rows: list[list[str]], size: Size, found: dict[str, Any]) -> None:
        if [len(row) for row in rows] != widths(size):
            raise ValueError(f"found rows of {[len(row) for row in rows]} entries, expected {widths(size)}")
        take([token for row in rows for token in row], size, found)

    def write(found: dict[str, Any], size: Size) -> list[list[str]]:
        tokens = iter(give(found, size))
        return [[next(tokens) for _ in range(width)] for width in widths(size)]

    return Section(lambda size: 2 * size.height - 1, read, write)


def _walls(field: str) -> Section:
    """Rooms by their walls: 1 between cells of two rooms."""

    def take(tokens: list[str], size: Size, found: dict[str, Any]) -> None:
        found[field] = rooms_of(size, {side for side, token in zip(sides(size), tokens, strict=True) if token == "1"})

    def give(found: dict[str, Any], size: Size) -> list[str]:
        rooms = found.get(field) or ((0,) * size.width,) * size.height
        return [str(int(rooms[a[0]][a[1]] != rooms[b[0]][b[1]])) for a, b in sides(size)]

    return _between(take, give)


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
