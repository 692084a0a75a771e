"""Addresses of penpa-edit (https://github.com/swaroopg92/penpa-edit) of genres with numbers, rooms, circles, and black cells.

The address holds compressed text (base64, raw deflate): a line with the kind of grid and its size, the margins, the drawing of
the setter in JSON (line 4), and perhaps tags with the genre (line 18). Cells, corners, and sides have numbers: a frame of two
cells is around the grid, and a row of cells has `side` numbers.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any
from urllib.parse import unquote

from cnfgen_puzzles.common.inputlimits import input_limits
from cnfgen_puzzles.common.readers.strictjson import parse_json
from cnfgen_puzzles.families.links.pzpr import MOST_SIDE, NONE, UNKNOWN, Codec, Size, cut, sides, walled_rooms
from cnfgen_puzzles.families.squares import Cell

MOST_TEXT = 1 << 24
"""The most bytes of the text; the limit `size` can lower it."""
SHORTENED = {
    "zZ": "z", "z9": '"qa"', "zQ": '"pu_q"', "zA": '"pu_a"', "zG": '"grid"', "zM": '"edit_mode"', "zS": '"surface"',
    "zL": '"line"', "zE": '"lineE"', "zW": '"wall"', "zC": '"cage"', "zN": '"number"', "zY": '"symbol"',
    "zP": '"special"', "zB": '"board"', "zR": '"command_redo"', "zU": '"command_undo"', "z8": '"command_replay"',
    "z1": '"numberS"', "zF": '"freeline"', "z2": '"freelineE"', "zT": '"thermo"', "z3": '"arrows"', "zD": '"direction"',
    "z0": '"squareframe"', "z5": '"polygon"', "z4": '"deletelineE"', "z6": '"killercages"', "z7": '"nobulbthermo"',
    "z_": '"__a"', "zO": "null",
}  # fmt: skip
"""What the text has in place of frequent words."""
TAGS = {"akari": "lightup", "battleships": "battleship", "castlewall": "castle", "classic": "sudoku", "country road": "country",
        "hashiwokakero": "hashikake", "kuromasu": "kurodoko", "masyu": "mashu", "minesweeper": "mines", "numberlink": "numlin",
        "ripple effect": "ripple", "simple loop": "simpleloop", "slitherlink": "slither",
        "spiralgalaxies": "tentaisho"}  # fmt: skip
"""The genres of tags that are not their names."""
ARROWS = {"0": 1, "3": 2, "1": 3, "2": 4}
"""The directions of arrows: up, down, left, right."""
BLACK, GRAY = 4, (1, 3, 8)
"""Colors of cells."""


@dataclass(frozen=True)
class PenpaDrawing:
    """The drawing of a setter: its parts by the numbers of places."""

    size: Size
    top: int
    left: int
    side: int
    area: int
    parts: Mapping[str, Mapping[str, Any]]

    def at(self, r: int, c: int) -> str:
        """The number of a cell; -1 and the size stand for the cells around the board."""
        return str(self.side * (2 + self.top + r) + 2 + self.left + c)

    def corner(self, r: int, c: int) -> int:
        """The number of the corner above and to the left of a cell."""
        return self.area + self.side * (1 + self.top + r) + 1 + self.left + c

    def text(self, place: str) -> str:
        """The number or letters at a place, without the direction of an arrow."""
        entry = self.parts.get("number", {}).get(place)
        return str(entry[0]).strip() if isinstance(entry, list) and entry else ""

    def rows(self, value: Callable[[int, int], Any]) -> Any:
        return cut(
            [value(r, c) for r, c in product(range(self.size.height), range(self.size.width))],
            [self.size.width] * self.size.height,
        )


def lines_of(data: str) -> list[str]:
    """The lines of the text in an address; ValueError for what is none."""
    most = min(MOST_TEXT, input_limits().size)
    try:
        packed, unpacker = base64.b64decode(unquote(data), validate=True), zlib.decompressobj(-15)
        text = unpacker.decompress(packed, most)
        if unpacker.unconsumed_tail:
            raise ValueError(f"found more than {most} bytes of text in an address of penpa-edit, expected fewer")
        if not unpacker.eof:
            raise ValueError("the compressed text is cut off")
        words = text.decode()
    except (zlib.error, ValueError) as error:
        raise ValueError(f"found no puzzle of penpa-edit behind p= ({error})") from None
    for short, word in reversed(SHORTENED.items()):
        words = words.replace(short, word)
    return words.split("\n")


def genre_of(data: str) -> str:
    """The genre that the tags or the title name; empty if they name none."""
    lines = lines_of(data)
    tags = _json(lines, 17, list) if len(lines) > 17 else []
    title = next((part[7:] for part in lines[0].split(",") if part.startswith("Title: ")), "")
    names = [str(tag).split("(")[0].strip().lower() for tag in tags] or [title.strip().lower()]
    return next((TAGS.get(name, name.replace(" ", "").replace("-", "")) for name in names if name), "")


def read(parts: tuple[Codec, ...], name: str, data: str) -> tuple[Size, dict[str, Any]]:
    """The size and the fields of a puzzle of this genre; ValueError for a drawing that is none."""
    drawing = _drawing(lines_of(data))
    found: dict[str, Any] = {}
    for codec in parts:
        special = {**dict.fromkeys(BLACK_CELLS, "black"), **dict.fromkeys(CIRCLED, "circles"), "tents": "trees"}
        field = special.get(name, codec.field) if codec.field in ("numbers", "marks") else codec.field
        field = "arrows" if "arrows" in codec.more else field
        if field not in FIELDS or name in ("kakuro", "kropki"):
            raise ValueError(
                f"found a puzzle of {name} in penpa-edit, which this package does not read; expected an address of puzz.link"
            )
        found |= FIELDS[field](drawing)
    if not any(value not in (NONE, (), 0) for rows in found.values() for row in _flat(rows) for value in row):
        raise ValueError(
            f"found a drawing without clues of {name}, expected some; clues that are drawn in another way are not read"
        )
    return drawing.size, found


BLACK_CELLS, CIRCLED = ("lightup", "shakashaka", "simpleloop"), ("mashu", "yinyang", "statuepark")


def _flat(rows: Any) -> Any:
    return rows if isinstance(rows, tuple) and rows and isinstance(rows[0], tuple) else ((rows,),)


def _json(lines: list[str], number: int, kind: type) -> Any:
    found = parse_json(lines[number], f"line {number + 1} of the text", source="penpa-edit") if number < len(lines) else None
    if not isinstance(found, kind):
        raise ValueError(f"found no {kind.__name__} in line {number + 1} of the text of penpa-edit, expected one")
    return found


def _drawing(lines: list[str]) -> PenpaDrawing:
    kind, *numbers = lines[0].split(",")
    margins = _json(lines, 1, list)
    if (
        kind not in ("square", "sudoku", "kakuro")
        or not all(number[:4].isdecimal() for number in numbers[:2])
        or len(numbers) < 2
    ):
        raise ValueError(f"found a grid of the kind {kind!r:.40} in penpa-edit, expected a square one")
    if not all(isinstance(each, int) and 0 <= each <= MOST_SIDE for each in margins) or len(margins) != 4:
        raise ValueError("found no four margins in line 2 of the text of penpa-edit, expected them")
    (width, height), (top, bottom, left, right) = (int(number[:4]) for number in numbers[:2]), margins
    size = Size(height - top - bottom, width - left - right)
    if not 1 <= min(size) <= max(size) <= MOST_SIDE:
        raise ValueError(f"found a board of {size.width}x{size.height} cells, expected sides from 1 to {MOST_SIDE}")
    parts = {key: part for key, part in _json(lines, 3, dict).items() if isinstance(part, dict)}
    if parts.get("killercages") or parts.get("cage"):
        raise ValueError("found cages, expected a puzzle without them: killer puzzles have other rules")
    return PenpaDrawing(size, top, left, width + 4, (width + 4) * (height + 4), parts)


def _number(text: str, where: str) -> int:
    if text in ("?", ""):
        return UNKNOWN
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise ValueError(f"found {text!r:.20} {where}, expected a number or a question mark")
    return int(text)


def _clue(drawing: PenpaDrawing, r: int, c: int) -> int:
    """The number in a cell; NONE for a cell without one."""
    place = drawing.at(r, c)
    text = drawing.text(place).partition("_")[0]
    return _number(text, f"at row {r + 1}, column {c + 1}") if place in drawing.parts.get("number", {}) else NONE


def _numbers(drawing: PenpaDrawing) -> dict[str, Any]:
    return {"numbers": drawing.rows(lambda r, c: _clue(drawing, r, c))}


def _rooms(drawing: PenpaDrawing) -> dict[str, Any]:
    """Rooms by the drawn sides of cells."""
    return walled_rooms(drawing.size, [_walled(drawing, a, b) for a, b in sides(drawing.size)])


def _walled(drawing: PenpaDrawing, a: Cell, b: Cell) -> bool:
    """Whether the side between two cells is drawn."""
    first, drawn = drawing.corner(*b), drawing.parts.get("lineE", {})
    last = first + (drawing.side if a[0] == b[0] else 1)
    return f"{first},{last}" in drawn or f"{last},{first}" in drawn


def _lists(drawing: PenpaDrawing) -> dict[str, Any]:
    def clues(r: int, c: int) -> tuple[int, ...]:
        text = drawing.text(drawing.at(r, c)) if drawing.at(r, c) in drawing.parts.get("number", {}) else None
        signs = text if text is None or text else "?"
        return () if signs is None else tuple(_number(sign, f"at row {r + 1}, column {c + 1}") for sign in signs if sign != " ")

    return {"lists": drawing.rows(clues)}


def _arrows(drawing: PenpaDrawing) -> dict[str, Any]:
    def arrow(r: int, c: int) -> int:
        return ARROWS.get(drawing.text(drawing.at(r, c)).partition("_")[2], 0)

    colors = drawing.parts.get("surface", {})

    def mark(r: int, c: int) -> int:
        color = colors.get(drawing.at(r, c), 0)
        return 0 if _clue(drawing, r, c) == NONE or color in GRAY else 2 if color == BLACK else 1

    return {**_numbers(drawing), "arrows": drawing.rows(arrow), "marks": drawing.rows(mark)}


def _circles(drawing: PenpaDrawing) -> dict[str, Any]:
    return {"numbers": drawing.rows(lambda r, c: _circle(drawing, drawing.at(r, c)))}


def _circle(drawing: PenpaDrawing, place: str) -> int:
    """1 for a white circle, 2 for a black one."""
    entry = drawing.parts.get("symbol", {}).get(place)
    drawn = isinstance(entry, list) and len(entry) > 1 and str(entry[1]).startswith("circle")
    return int(entry[0]) if entry and drawn and entry[0] in (1, 2) else NONE


def _black(drawing: PenpaDrawing) -> dict[str, Any]:
    """Black cells, perhaps with a number."""
    colors = drawing.parts.get("surface", {})

    def black(r: int, c: int) -> bool:
        return colors.get(drawing.at(r, c)) == BLACK

    numbers = drawing.rows(lambda r, c: UNKNOWN if (clue := _clue(drawing, r, c)) == NONE and black(r, c) else clue)
    return {"numbers": numbers, "marks": drawing.rows(lambda r, c: int(black(r, c)))}


def _outside(drawing: PenpaDrawing) -> dict[str, Any]:
    """The numbers around the board: above, below, left, and right."""
    height, width = drawing.size
    lines = [[(r, c) for c in range(width)] for r in (-1, height)] + [[(r, c) for r in range(height)] for c in (-1, width)]
    return {"outside": tuple(tuple(_clue(drawing, r, c) for r, c in line) for line in lines)}


def _count(drawing: PenpaDrawing) -> dict[str, Any]:
    """The only number outside the board."""
    height, width = drawing.size
    inside = {drawing.at(r, c) for r, c in product(range(height), range(width))}
    numbers = {drawing.text(place) for place in drawing.parts.get("number", {}) if place not in inside}
    if len(numbers) != 1:
        raise ValueError(f"found {len(numbers)} numbers outside the board, expected one: how many stars a row has")
    return {"count": _number(numbers.pop(), "outside the board")}


def _trees(drawing: PenpaDrawing) -> dict[str, Any]:
    trees = {place for place, entry in drawing.parts.get("symbol", {}).items() if isinstance(entry, list) and "tents" in entry}
    return {"numbers": drawing.rows(lambda r, c: 1 if drawing.at(r, c) in trees else NONE)}


def _between(drawing: PenpaDrawing) -> dict[str, Any]:
    """Walls between cells."""
    width, height = drawing.size.width, drawing.size.height
    walls = [1 if _walled(drawing, a, b) else NONE for a, b in sides(drawing.size)]
    return {"between": cut(walls, [width - 1] * height + [width] * (height - 1))}


def _corners(drawing: PenpaDrawing) -> dict[str, Any]:
    height, width = drawing.size.height + 1, drawing.size.width + 1
    numbers = drawing.parts.get("number", {})
    places = [str(drawing.corner(r, c)) for r, c in product(range(height), range(width))]
    return {"corners": cut([_number(drawing.text(p), "at a corner") if p in numbers else NONE for p in places], [width] * height)}


def _points(drawing: PenpaDrawing) -> dict[str, Any]:
    """Stars in cells, at corners, and on sides; those of lower sides, then those of right sides, follow the corners."""
    height, width = 2 * drawing.size.height - 1, 2 * drawing.size.width - 1
    kinds = {(0, 0): 0, (1, 1): 1, (1, 0): 2, (0, 1): 3}
    stars = [
        max(_circle(drawing, str(int(drawing.at(y // 2, x // 2)) + kinds[y % 2, x % 2] * drawing.area)), 0)
        for y, x in product(range(height), range(width))
    ]
    return {"points": cut(stars, [width] * height)}


FIELDS: Mapping[str, Callable[[PenpaDrawing], dict[str, Any]]] = {
    "numbers": _numbers, "rooms": _rooms, "lists": _lists, "arrows": _arrows, "circles": _circles, "black": _black,
    "outside": _outside, "count": _count, "trees": _trees, "between": _between, "corners": _corners, "points": _points,
}  # fmt: skip
