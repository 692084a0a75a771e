"""Addresses of penpa-edit (https://github.com/swaroopg92/penpa-edit) of genres with numbers, rooms, circles, and black cells.

The address holds compressed text (base64, raw deflate): a line with the kind of grid and its size, the margins, the drawing of
the setter in JSON (line 4), and perhaps tags with the genre (line 18). Cells, corners, and sides have numbers: a frame of two
cells is around the grid, and a row of cells has `side` numbers.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any
from urllib.parse import unquote

from cnfgen_puzzles.common.inputlimits import input_limits
from cnfgen_puzzles.common.readers.strictjson import parse_json
from cnfgen_puzzles.families.links import pzpr
from cnfgen_puzzles.families.links.pzpr import MOST_SIDE, NONE, UNKNOWN, Codec, Size, cut, sides, walled_rooms, widths_of

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
        "fill-a-pix": "mosaic", "hashiwokakero": "hashikake", "kuromasu": "kurodoko", "masyu": "mashu", "minesweeper": "mines",
        "numberlink": "numlin", "ripple effect": "ripple", "simple loop": "simpleloop", "slitherlink": "slither",
        "spiralgalaxies": "tentaisho"}  # fmt: skip
"""The genres of tags that are not their names."""
ARROWS = {"0": 1, "3": 2, "1": 3, "2": 4}
"""The directions of arrows: up, down, left, right."""
SIDE_ARROWS = (4, 2, 3, 1, 3, 1, 4, 2)
"""Those of the signs for arrows beside a number."""
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

    def places(self, field: str) -> list[str]:
        """The numbers of the places of a field, in its order."""
        height, width = self.size
        if field == "outside":
            lines = [[(r, c) for c in range(width)] for r in (-1, height)] + [
                [(r, c) for r in range(height)] for c in (-1, width)
            ]
            return [self.at(*cell) for line in lines for cell in line]
        if field == "corners":
            return [str(self.corner(r, c)) for r, c in product(range(height + 1), range(width + 1))]
        if field == "points":  # those of lower sides, then those of right sides, follow the corners
            kinds = {(0, 0): 0, (1, 1): 1, (1, 0): 2, (0, 1): 3}
            points = product(range(2 * height - 1), range(2 * width - 1))
            return [str(int(self.at(y // 2, x // 2)) + kinds[y % 2, x % 2] * self.area) for y, x in points]
        return [self.at(r, c) for r, c in product(range(height), range(width))]

    def walls(self) -> list[bool]:
        """Whether the side between two cells is drawn, for each pair of `sides`."""
        drawn, found = self.parts.get("lineE", {}), []
        for a, b in sides(self.size):
            first = self.corner(*b)
            last = first + (self.side if a[0] == b[0] else 1)
            found.append(f"{first},{last}" in drawn or f"{last},{first}" in drawn)
        return found

    # -- values of places -------------------------------------------------------------------------------------------------

    def text(self, place: str) -> str | None:
        """The number or letters at a place, also in the upper left corner within; None without any."""
        entry = self.parts.get("number", {}).get(place) or self.parts.get("numberS", {}).get(str(4 * (int(place) + self.area)))
        return None if entry is None else str(entry[0]).strip() if isinstance(entry, list) and entry else ""

    def number(self, text: str, place: str) -> int:
        if text in ("?", ""):
            return UNKNOWN
        if not (text.isascii() and text.isdecimal() and len(text) < 7):
            row, column = divmod(int(place), self.side)
            where = f"at row {row - 1 - self.top}, column {column - 1 - self.left}" if int(place) < self.area else "at a corner"
            raise ValueError(f"found {text!r:.20} {where}, expected a number or a question mark")
        return int(text)

    def clue(self, place: str) -> int:
        """The number; NONE for a place without one."""
        text = self.text(place)
        return NONE if text is None else self.number(text.partition("_")[0], place)

    def clues(self, place: str) -> tuple[int, ...]:
        """The numbers of one digit."""
        text = self.text(place)
        return () if text is None else tuple(self.number(sign, place) for sign in text or "?" if sign != " ")

    def arrow(self, place: str) -> int:
        """The direction of an arrow, which is a part of the text, or one of eight signs beside it."""
        entry = self.parts.get("symbol", {}).get(place)
        if isinstance(entry, list) and "arrow_fouredge_B" in entry and isinstance(entry[0], list) and entry[0].count(1) == 1:
            return SIDE_ARROWS[entry[0].index(1) % 8]
        return ARROWS.get((self.text(place) or "").partition("_")[2], 0)

    def color(self, place: str) -> Any:
        return self.parts.get("surface", {}).get(place, 0)

    def ground(self, place: str) -> int:
        """The ground of a number: 0 gray, 1 white, 2 black."""
        color = self.color(place)
        return 0 if self.clue(place) == NONE or color in GRAY else 2 if color == BLACK else 1

    def black(self, place: str) -> int:
        return int(self.color(place) == BLACK)

    def clue_or_black(self, place: str, colors: tuple[int, ...] = (BLACK,)) -> int:
        """The number; a question mark for a black cell without one, or one of other colors."""
        return UNKNOWN if (clue := self.clue(place)) == NONE and self.color(place) in colors else clue

    def circle(self, place: str) -> int:
        """1 for a white circle, 2 for a black one."""
        entry = self.parts.get("symbol", {}).get(place)
        drawn = isinstance(entry, list) and len(entry) > 1 and str(entry[1]).startswith("circle")
        return int(entry[0]) if entry and drawn and entry[0] in (1, 2) else NONE

    def colored(self, place: str) -> int:
        """Twice the number in a circle, or 0 for none, and 1 more in a black one."""
        circle, clue = self.circle(place), self.clue(place)
        if circle == NONE and (clue != NONE or place in self.parts.get("symbol", {})):
            raise ValueError("found a clue without a white or a black circle, expected one")
        return NONE if circle == NONE else 2 * max(clue, 0) + circle - 1

    def star(self, place: str) -> int:
        return max(self.circle(place), 0)

    def tree(self, place: str) -> int:
        entry = self.parts.get("symbol", {}).get(place)
        return 1 if isinstance(entry, list) and "tents" in entry else NONE

    def count(self) -> int:
        """The only number outside the board."""
        outside = self.parts.get("number", {}).keys() - set(self.places("numbers"))
        numbers = {self.text(place) or "" for place in outside}
        if len(numbers) != 1:
            raise ValueError(f"found {len(numbers)} numbers outside the board, expected one: how many stars a row has")
        return self.number(numbers.pop(), outside.pop())


Value = Callable[[PenpaDrawing, str], Any]
NUMBERS: Mapping[str, Value] = {"numbers": PenpaDrawing.clue}
FIELDS: Mapping[str, Mapping[str, Value]] = {
    "numbers": NUMBERS,
    "outside": {"outside": PenpaDrawing.clue},
    "corners": {"corners": PenpaDrawing.clue},
    "lists": {"lists": PenpaDrawing.clues},
    "points": {"points": PenpaDrawing.star},
    "arrows": {**NUMBERS, "arrows": PenpaDrawing.arrow, "marks": PenpaDrawing.ground},
    "yajilin": {"numbers": lambda drawing, place: drawing.clue_or_black(place, GRAY), "arrows": PenpaDrawing.arrow},
    "circles": {"numbers": PenpaDrawing.circle},
    "colored": {"numbers": PenpaDrawing.colored},
    "marks": {"marks": PenpaDrawing.black},
    "lightup": {"numbers": PenpaDrawing.clue_or_black},
    "shakashaka": {"numbers": PenpaDrawing.clue_or_black},
    "trees": {"numbers": PenpaDrawing.tree},
}
"""The fields of places, with the value at a place; those of a genre by its name."""
WHOLE: Mapping[str, Callable[[PenpaDrawing], dict[str, Any]]] = {
    "rooms": lambda drawing: walled_rooms(drawing.size, drawing.walls()),
    "between": lambda drawing: {"between": _rows(drawing, "between", [1 if wall else NONE for wall in drawing.walls()])},
    "count": lambda drawing: {"count": drawing.count()},
}
"""Other fields."""


def _rows(drawing: PenpaDrawing, field: str, values: Iterable[Any]) -> Any:
    return cut(values, widths_of(field, drawing.size))


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
    corners = {str(4 * (int(place) + drawing.area)) for place in drawing.places("numbers") if pzpr.ROOM_NUMBERS in parts}
    if drawing.parts.get("numberS", {}).keys() - corners or (name == "sudoku" and drawing.parts.get("symbol")):
        raise ValueError(f"found small numbers or signs, which are not read for {name}; expected numbers in cells")
    found: dict[str, Any] = {}
    for codec in parts:
        field = next((field for field, codecs in SIGNS.items() if codec in codecs), codec.field)
        field = name if name in FIELDS else "arrows" if "arrows" in codec.more else field
        if (field not in FIELDS and field not in WHOLE) or name in UNREAD:
            raise ValueError(
                f"found a puzzle of {name} in penpa-edit, which this package does not read; expected an address of puzz.link"
            )
        found |= WHOLE[field](drawing) if field in WHOLE else {}
        for each, value in FIELDS.get(field, {}).items():
            found[each] = _rows(drawing, each, (value(drawing, place) for place in drawing.places(each)))
    if not any(value not in (NONE, (), 0) for rows in found.values() for row in _flat(rows) for value in row):
        raise ValueError(
            f"found a drawing without clues of {name}, expected some; clues that are drawn in another way are not read"
        )
    return drawing.size, found


UNREAD = (
    "compass", "easyasabc", "firefly", "fivecells", "fourcells", "hakoiri", "kakuro", "kakuru", "kropki",
    "kurarin", "magnets", "makaro", "moonsun", "nondango", "nurimaze", "putteria", "roma", "sashigane", "shugaku",
)  # fmt: skip
"""The genres whose clues are drawn in ways that are not read."""
SIGNS = {"circles": (pzpr.CIRCLES, pzpr.SPOTS), "colored": (pzpr.COLORED_NUMBERS,), "trees": (pzpr.ONES,)}
"""The parts of addresses that stand for other signs than numbers."""


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
    drawn = _json(lines, 3, dict)
    if further := [key for key in ("cage", "killercages", "thermo", "nobulbthermo", "arrows") if drawn.get(key)]:
        raise ValueError(f"found {further[0]} in the drawing, expected a puzzle without: such variants have other rules")
    parts = {key: part for key, part in drawn.items() if isinstance(part, dict)}
    return PenpaDrawing(size, top, left, width + 4, (width + 4) * (height + 4), parts)
